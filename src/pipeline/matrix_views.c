/* SPDX-License-Identifier: BSD-3-Clause
 * Scheme matrix: the views and stages of a line as a matrix.  In all of them axis 1 is a line in a
 * plane of several (axis 0), and axis 2 a point of it; views are cut along one of them. */
#include <stdint.h>

#include "base/memory.h"
#include "geometry/matrix.h"
#include "pipeline/views.h"

/* A view under construction. */
typedef struct maker {
  const pf_geometry *g;
  pf_pipeline *w;
  pf_segment *next;   /* the first free segment */
  int output;         /* nonzero: it is written; 0: read */
  const pf_vector *u; /* of the caller's array */
} maker;

static pf_view begin_view(maker *m, const pf_lines_of *l, int cut) {
  int real = pf_matrix_reals_at(m->g, (int)m->w->direction, l->role, m->output);
  size_t element = real ? m->g->element / 2 : m->g->element;
  pf_view v = {.element = element, .fields = m->g->group, .cut = cut, .segment = m->next};
  v.len[0] = (l->mine.len + l->chunk - 1) / l->chunk;
  v.len[1] = l->mine.len < l->chunk ? l->mine.len : l->chunk;
  v.len[2] = pf_matrix_points(m->g, (int)m->w->direction, l, m->output);
  if (cut == 1) v.chunk = v.len[1];
  return v;
}

/* Location of a part of the caller's array: element (line, point) of a field of the batch is at
 * offset + line * across + point * along + field * apart, with line and point counted from the
 * beginning of this part. */
typedef struct spread {
  pf_slot slot;
  ptrdiff_t offset, across, along, apart;
} spread;

/* Adds indices lo .. lo+len-1 of the axis that is cut. */
static void add_segment(maker *m, pf_view *v, pf_range part, const spread *at) {
  ptrdiff_t plane = v->cut == 1 ? 0 : v->len[1] * at->across;
  *m->next++ = (pf_segment){.part = part,
                            .slot = at->slot,
                            .offset = at->offset,
                            .stride = {plane, at->across, at->along},
                            .field = at->apart};
  v->count++;
}

/* The offset of a row of a rank's edges, in elements. */
static ptrdiff_t edge_at(const maker *m, int rank, ptrdiff_t edge) {
  return pf_exchange_edges_at(&m->g->memory, rank) / (ptrdiff_t)m->g->element + edge;
}

/* Adds missing points from `first` on: zeros to read, or a scratch row for surplus results. */
static void add_missing(maker *m, pf_view *v, ptrdiff_t first, int rows) {
  pf_range part = {first, v->len[2] - first};
  ptrdiff_t at = edge_at(m, m->g->rank, pf_matrix_edges(m->g).missing[m->output]);
  at *= (ptrdiff_t)(m->g->element / v->element); /* zeros are the same in any precision */
  if (part.len > 0) add_segment(m, v, part, &(spread){PF_SLOT_EDGES, at, !rows, rows, 0});
}

/* ---- exchanges ---- */

/* A view provided by an exchange: axis 1 is cut into planes; in a view that is read, lines before
 * the exchange are points. */
static pf_view exchange_view(maker *m, int k, const pf_lines_of *l) {
  const pf_exchange_memory *memory = &m->g->memory;
  int direction = (int)m->w->direction, line = m->output ? 1 : 2, point = 3 - line;
  pf_view v = begin_view(m, l, 2);
  pf_view handed =
      (m->output ? pf_exchange_send_view : pf_exchange_recv_view)(memory, direction, k, m->next);
  v.narrow = handed.element < v.element;
  v.element = handed.element;
  v.count = handed.count;
  m->next += handed.count;
  for (int i = 0; i < v.count; i++) {
    ptrdiff_t *stride = v.segment[i].stride, across = stride[line], along = stride[point];
    stride[0] = v.len[1] * across;
    stride[1] = across;
    stride[2] = along;
  }
  if (pf_matrix_folded(m->g, direction, k)) {
    int rows = l->rows == NULL, forward = direction == PFFT3D_FORWARD;
    pf_fold_view f = {.rows = rows,
                      .stored = rows && forward,
                      .reversed = !rows && forward,
                      .line = 1,
                      .point = 2,
                      .lines = l->mine.len};
    v.count = pf_matrix_fold_view(m->g, &f, v.segment, v.count);
    m->next = v.segment + v.count;
    for (int i = 0; i < v.count; i++) v.segment[i].stride[0] = v.len[1] * v.segment[i].stride[1];
    return v;
  }
  add_missing(m, &v, memory->sequence[direction].redist[k].len[point], m->output);
  return v;
}

/* ---- the caller's arrays ---- */

/* Elements from a line of the batch to the next, equal on all ranks. */
static ptrdiff_t apart_of(const maker *m) {
  int side = (m->w->direction == PFFT3D_FORWARD) == m->output ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  return m->g->box[side].distance;
}

/* Adds the rows of a rank in blocks, from point at->offset of a row on: the complete rows in its
 * part of the array, `part` elements from the beginning, and the last row, which is assembled in
 * its edges if it is incomplete. */
static void add_rows(maker *m, pf_view *v, int rank, ptrdiff_t part, const spread *at) {
  pf_range block = pf_vector_block(m->u, rank), rows = pf_vector_block_rows(m->u, rank);
  ptrdiff_t cut = rows.len && (block.lo + block.len) % m->u->row, whole = rows.len - cut;
  ptrdiff_t first = v->cut == 1 ? 0 : rows.lo;
  spread array = *at, last = *at;
  array.offset += part + rows.lo * m->u->row - block.lo;
  last.slot = PF_SLOT_EDGES;
  ptrdiff_t times = (ptrdiff_t)(m->g->element / v->element);
  last.offset += times * edge_at(m, rank, pf_matrix_edges(m->g).last[m->output]);
  last.apart = times * pf_matrix_edges(m->g).field;
  add_segment(m, v, (pf_range){first, whole}, &array);
  if (cut) add_segment(m, v, (pf_range){first + whole, 1}, &last);
}

/* Nonzero if a view of the caller's array has mirror images (matrix_half.c). */
static int is_folded(const maker *m, const pf_lines_of *l) {
  int spectrum = (m->w->direction == PFFT3D_FORWARD) == m->output;
  return pf_matrix_is_real(m->g) && spectrum && !l->rows;
}

/* Adds mirror images; `apart`: of a cyclic vector, elements from this rank's array to the array of
 * the rank that has them. */
static pf_view fold(maker *m, pf_view *v, const pf_lines_of *l, ptrdiff_t apart) {
  const pf_geometry *g = m->g;
  ptrdiff_t n1 = g->decision.matrix.n[0], rank = g->rank, ranks = g->ranks;
  int cyclic = m->u->distribution == PF_CYCLIC;
  ptrdiff_t first = cyclic ? rank : l->mine.lo, step = cyclic ? ranks : 1;
  ptrdiff_t last = first + (l->mine.len - 1) * step;
  int zero = first == 0, middle = m->output && 2 * last == n1;
  ptrdiff_t imaged = l->mine.len - zero - (middle && l->mine.len > zero);
  pf_fold_view f = {
      .rows = 1,
      .line = 1,
      .point = 2,
      .array = 1,
      .mirror = cyclic ? apart + (n1 - rank - (ranks - rank) % ranks) / ranks : n1 - 2 * first,
      .imaged = {zero, imaged},
      .zero = zero && l->mine.len > 0};
  if (imaged <= 0) f.imaged = (pf_range){PTRDIFF_MAX / 2, 1}; /* none */
  v->count = pf_matrix_fold_view(g, &f, v->segment, v->count);
  m->next = v->segment + v->count;
  return *v;
}

/* Adds mirror images without shared memory: they are in a separate matrix, from its last element
 * on. */
static pf_view fold_apart(maker *m, pf_view *v, const pf_lines_of *l) {
  pf_images images = pf_matrix_images(m->g);
  ptrdiff_t at = edge_at(m, m->g->rank, pf_matrix_edges(m->g).images[0]);
  fold(m, v, l, 0);
  for (int k = 0; k < v->count && images.columns[0]; k++) {
    pf_segment *s = &v->segment[k];
    if (!s->conjugate) continue;
    s->slot = PF_SLOT_EDGES;
    s->field = images.rows * images.columns[0];
    s->offset = at + s->field - 1;
    s->stride[2] = -images.columns[0];
  }
  return *v;
}

/* The array of this rank in blocks: lines are rows. */
static pf_view rows_view(maker *m, const pf_lines_of *l) {
  pf_view v = begin_view(m, l, 1);
  spread at = {m->output ? PF_SLOT_OUT : PF_SLOT_IN, 0, m->u->row, 1, apart_of(m)};
  add_rows(m, &v, m->g->rank, 0, &at);
  return v;
}

/* The array of this rank in another distribution: lines are columns, points are rows. */
static pf_view columns_view(maker *m, const pf_lines_of *l, int folded) {
  ptrdiff_t width = pf_vector_width(m->u, m->g->rank), whole = m->u->total / m->u->row;
  ptrdiff_t rows = pf_vector_rows(m->u);
  pf_edges edges = pf_matrix_edges(m->g);
  ptrdiff_t edge = edge_at(m, m->g->rank, edges.last[m->output]);
  spread array = {m->output ? PF_SLOT_OUT : PF_SLOT_IN, 0, 1, width, apart_of(m)};
  spread last = {PF_SLOT_EDGES, edge, 1, 1, edges.field};
  pf_view v = begin_view(m, l, 2);
  add_segment(m, &v, (pf_range){0, whole}, &array);
  if (whole < rows) add_segment(m, &v, (pf_range){whole, 1}, &last);
  if (!folded) add_missing(m, &v, rows, 0);
  return v;
}

/* Number of parts of the axis of nb points (which 1) or na points (which 0) if it is distributed
 * cyclically; in a stage, one of them is the axis of lines, the other the axis of points. */
static ptrdiff_t cyclic_parts(const pf_geometry *g, pfft3d_direction direction, int which) {
  int output = g->decision.matrix.moves ? which : !which;
  int cyclic = pf_matrix_vector(g, (int)direction, output)->distribution == PF_CYCLIC;
  return cyclic && g->ranks > 1 ? g->ranks : 1;
}

/* Arrays of all ranks in shared memory: the part of rank s begins at s * part bytes.  Lines are
 * columns; for a cyclic vector every `cyclic`-th column. */
static pf_view shared_view(maker *m, const pf_lines_of *l, pf_slot slot, size_t part, int folded) {
  ptrdiff_t cyclic = cyclic_parts(m->g, m->w->direction, l->role == PF_FIRST);
  spread at = {slot, cyclic > 1 ? m->g->rank : l->mine.lo, cyclic, m->u->row, apart_of(m)};
  pf_view v = begin_view(m, l, 2);
  for (int s = 0; s < m->g->ranks; s++) add_rows(m, &v, s, s * (ptrdiff_t)(part / v.element), &at);
  if (folded) return fold(m, &v, l, 0);
  add_missing(m, &v, pf_vector_rows(m->u), 0);
  return v;
}

/* The arrays of all ranks of a vector in blocks; of a cyclic vector, the arrays of this rank and of
 * the rank that has the images. */
static pf_view any_view(maker *m, const pf_lines_of *l, pf_slot slot, size_t bytes, int folded) {
  const pf_geometry *g = m->g;
  size_t part = pf_shared_part(bytes);
  if (m->u->distribution == PF_BLOCK) return shared_view(m, l, slot, part, folded);
  ptrdiff_t each = (ptrdiff_t)(part / g->element), other = (g->ranks - g->rank) % g->ranks;
  pf_segment *first = m->next;
  pf_view v = columns_view(m, l, folded);
  for (pf_segment *s = first; s < m->next; s++)
    if (s->slot != PF_SLOT_EDGES) s->slot = slot, s->offset += g->rank * each;
  return fold(m, &v, l, (other - g->rank) * each);
}

/* ---- directions ---- */

/* The arrays that the first stage reads or the last one writes. */
static pf_view outer_view(maker *m, const pf_lines_of *l) {
  const pf_geometry *g = m->g;
  pf_pipeline *w = m->w;
  m->u = pf_matrix_vector(g, (int)w->direction, m->output);
  int folded = is_folded(m, l);
  if (!(m->output ? w->geometry->push : w->geometry->pull)) {
    if (l->rows) return rows_view(m, l);
    pf_view own = columns_view(m, l, folded);
    return folded ? fold_apart(m, &own, l) : own;
  }
  pf_slot there = m->output ? PF_SLOT_PEERS : PF_SLOT_SOURCES;
  pf_slot staged = pf_exchange_staged_slot(&g->memory, (int)w->direction);
  w->reached[m->output] = any_view(m, l, there, g->shared_array, folded);
  w->staged[m->output] = any_view(m, l, staged, g->memory.bytes[PF_SLOT_SHARED], folded);
  return w->staged[m->output];
}

static void views(const pf_pipelines *p, pf_pipeline *w) {
  maker m = {.g = &p->geometry, .w = w, .next = w->segment};
  int last = w->stages - 1;
  for (int k = 0; k < w->stages; k++) {
    pf_lines_of l = pf_matrix_lines(m.g, (int)w->direction, k);
    m.output = 0;
    w->from[k] = k == 0 ? outer_view(&m, &l) : exchange_view(&m, k - 1, &l);
    m.output = 1;
    w->to[k] = k == last ? outer_view(&m, &l) : exchange_view(&m, k, &l);
  }
}

static void stage(const pf_pipelines *p, int k, pf_pipeline *w) {
  const pf_geometry *g = &p->geometry;
  pf_lines_of l = pf_matrix_lines(g, (int)w->direction, k);
  pf_stage *s = &w->stage[k];
  pf_pass *pass = &s->pass[0];
  int moves = g->decision.matrix.moves;
  ptrdiff_t b = cyclic_parts(g, w->direction, 1), a = cyclic_parts(g, w->direction, 0);
  if (s->planes > 0) s->last_lines = l.mine.len - (s->planes - 1) * l.chunk;
  if (l.role == PF_MOVE_IN) pass->cyclic[1] = b;
  if (l.role == PF_FIRST && !moves) pass->cyclic[1] = a;
  if (l.role == PF_SECOND && !moves) pass->cyclic[0] = b;
  if (l.role == PF_MOVE_OUT) pass->cyclic[0] = a;
  if (!pass->fft) return;
  pass->transpose = k < w->stages - 1;
  int middle = pf_matrix_is_real(g) && (l.role == PF_FIRST) == (w->direction == PFFT3D_BACKWARD);
  int direct = k == (w->direction == PFFT3D_FORWARD ? w->stages - 1 : 0);
  pass->reflects = direct ? 2 : w->direction == PFFT3D_FORWARD;
  if (middle)
    pass->reflections =
        pf_matrix_reflections(g, (int)w->direction, direct, direct ? b : 1, pass->reflection);
  if (l.role != PF_FIRST) return;
  pass->roots = &p->roots;
  pass->number[0] = b > 1 ? g->rank : l.mine.lo;
  pass->number[1] = b;
}

const pf_views_ops pf_matrix_views = {.views = views,
                                      .stage = stage,
                                      .prepare = pf_matrix_prepare,
                                      .before = pf_matrix_before,
                                      .after = pf_matrix_after};
