/* SPDX-License-Identifier: BSD-3-Clause
 * Scheme matrix: the views and stages of a line as a matrix.  In all of them axis 1 is a line in a
 * plane of several (axis 0), and axis 2 a point of it; views are cut along one of them. */
#include "base/memory.h"
#include "plan/matrix.h"

/* A view under construction. */
typedef struct maker {
  const pf_geometry *g;
  int direction;
  pf_segment *next;   /* the first free segment */
  const pf_vector *u; /* of the caller's array */
  int output;         /* whether that is written, not read */
} maker;

static pf_view begin_view(maker *m, const pf_lines_of *l, int cut) {
  pf_view v = {.element = m->g->element, .fields = 1, .cut = cut, .segment = m->next};
  v.len[0] = (l->mine.len + l->chunk - 1) / l->chunk;
  v.len[1] = l->mine.len < l->chunk ? l->mine.len : l->chunk;
  v.len[2] = l->points;
  if (cut == 1) v.chunk = v.len[1];
  return v;
}

/* Location of a part of the caller's array: element (line, point) is at offset + line * across +
 * point * along, both counted from the first of this part. */
typedef struct spread {
  pf_slot slot;
  ptrdiff_t offset, across, along;
} spread;

/* Adds indices lo .. lo+len-1 of the axis that is cut. */
static void add_segment(maker *m, pf_view *v, pf_range part, const spread *at) {
  ptrdiff_t plane = v->cut == 1 ? 0 : v->len[1] * at->across;
  *m->next++ = (pf_segment){part, at->slot, at->offset, {plane, at->across, at->along}, 0};
  v->count++;
}

/* The offset of a row of a rank's edges, in elements. */
static ptrdiff_t edge_at(const maker *m, int rank, ptrdiff_t edge) {
  return pf_exchange_edges_at(&m->g->memory, rank) / (ptrdiff_t)m->g->element + edge;
}

/* Adds missing points from `first` on: zeros to read, or a scratch row for surplus results. */
static void add_missing(maker *m, pf_view *v, ptrdiff_t first, int output, int rows) {
  pf_range part = {first, v->len[2] - first};
  ptrdiff_t at = edge_at(m, m->g->rank, pf_matrix_edges(m->g).missing[output]);
  at *= (ptrdiff_t)(m->g->element / v->element); /* zeros are the same in any precision */
  if (part.len > 0) add_segment(m, v, part, &(spread){PF_SLOT_EDGES, at, !rows, rows});
}

/* ---- exchanges ---- */

/* A view provided by an exchange, whose axis 1 is cut into planes; its segments are already in
 * place. */
static pf_view in_planes(maker *m, const pf_lines_of *l, const pf_view *handed) {
  pf_view v = begin_view(m, l, 2);
  v.element = handed->element;
  v.narrow = handed->element < m->g->element;
  v.count = handed->count;
  m->next += handed->count;
  return v;
}

static pf_view send_view(maker *m, int k, const pf_lines_of *l) {
  const pf_exchange_memory *memory = &m->g->memory;
  pf_view handed = pf_exchange_send_view(memory, m->direction, k, m->next);
  pf_view v = in_planes(m, l, &handed);
  for (int i = 0; i < v.count; i++) v.segment[i].stride[0] = v.len[1] * v.segment[i].stride[1];
  add_missing(m, &v, memory->sequence[m->direction].redist[k].len[2], 1, 1);
  return v;
}

/* The lines before the exchange are points now. */
static pf_view recv_view(maker *m, int k, const pf_lines_of *l) {
  const pf_exchange_memory *memory = &m->g->memory;
  pf_view handed = pf_exchange_recv_view(memory, m->direction, k, m->next);
  pf_view v = in_planes(m, l, &handed);
  for (int i = 0; i < v.count; i++) {
    pf_segment *s = &v.segment[i];
    ptrdiff_t along = s->stride[1], across = s->stride[2];
    s->stride[0] = v.len[1] * across;
    s->stride[1] = across;
    s->stride[2] = along;
  }
  add_missing(m, &v, memory->sequence[m->direction].redist[k].len[1], 0, 0);
  return v;
}

/* ---- the caller's arrays ---- */

/* Adds the rows of a rank in blocks, from point at->offset of a row on: those in its part of the
 * array, `part` elements from the beginning, and the last one, which is assembled among its edges
 * if it is incomplete. */
static void add_rows(maker *m, pf_view *v, int rank, ptrdiff_t part, const spread *at) {
  pf_range block = pf_vector_block(m->u, rank), rows = pf_vector_block_rows(m->u, rank);
  ptrdiff_t cut = rows.len && (block.lo + block.len) % m->u->row, whole = rows.len - cut;
  ptrdiff_t first = v->cut == 1 ? 0 : rows.lo;
  spread array = *at, last = *at;
  array.offset += part + rows.lo * m->u->row - block.lo;
  last.slot = PF_SLOT_EDGES;
  last.offset += edge_at(m, rank, pf_matrix_edges(m->g).last[m->output]);
  add_segment(m, v, (pf_range){first, whole}, &array);
  if (cut) add_segment(m, v, (pf_range){first + whole, 1}, &last);
}

/* Blocks: lines are rows. */
static pf_view rows_view(maker *m, const pf_lines_of *l) {
  pf_view v = begin_view(m, l, 1);
  spread at = {m->output ? PF_SLOT_OUT : PF_SLOT_IN, 0, m->u->row, 1};
  add_rows(m, &v, m->g->rank, 0, &at);
  return v;
}

/* Else: lines are columns, points are rows. */
static pf_view columns_view(maker *m, const pf_lines_of *l) {
  ptrdiff_t width = pf_vector_width(m->u, m->g->rank), whole = m->u->total / m->u->row;
  ptrdiff_t rows = pf_vector_rows(m->u);
  ptrdiff_t edge = edge_at(m, m->g->rank, pf_matrix_edges(m->g).last[m->output]);
  spread array = {m->output ? PF_SLOT_OUT : PF_SLOT_IN, 0, 1, width};
  spread last = {PF_SLOT_EDGES, edge, 1, 1};
  pf_view v = begin_view(m, l, 2);
  add_segment(m, &v, (pf_range){0, whole}, &array);
  if (whole < rows) add_segment(m, &v, (pf_range){whole, 1}, &last);
  add_missing(m, &v, rows, m->output, 0);
  return v;
}

/* Number of parts of the axis of nb points (which 1) or na points (which 0) if it is distributed
 * cyclically; in a stage, one of them is the axis of lines, the other that of points. */
static ptrdiff_t cyclic_parts(const pf_geometry *g, int direction, int which) {
  int output = g->decision.matrix.moves ? which : !which;
  int cyclic = pf_matrix_vector(g, direction, output)->distribution == PF_CYCLIC;
  return cyclic && g->ranks > 1 ? g->ranks : 1;
}

/* Arrays of all ranks in shared memory: the part of rank s begins at s * part bytes.  Lines are
 * columns; for a cyclic vector every `cyclic`-th column. */
static pf_view shared_view(maker *m, const pf_lines_of *l, pf_slot slot, size_t part) {
  ptrdiff_t cyclic = cyclic_parts(m->g, m->direction, l->role == PF_FIRST);
  spread at = {slot, cyclic > 1 ? m->g->rank : l->mine.lo, cyclic, m->u->row};
  pf_view v = begin_view(m, l, 2);
  for (int s = 0; s < m->g->ranks; s++)
    add_rows(m, &v, s, s * (ptrdiff_t)(part / m->g->element), &at);
  add_missing(m, &v, pf_vector_rows(m->u), m->output, 0);
  return v;
}

/* ---- directions ---- */

/* The arrays that the first stage reads (output 0) or the last one writes. */
static void make_outer(maker *m, pf_pipeline *w, int output, const pf_lines_of *l) {
  const pf_geometry *g = m->g;
  pf_view *view = output ? &w->to[w->stages - 1] : &w->from[0];
  m->u = pf_matrix_vector(g, m->direction, output);
  m->output = output;
  if (!(output ? w->geometry->push : w->geometry->pull)) {
    *view = l->rows ? rows_view(m, l) : columns_view(m, l);
    return;
  }
  pf_slot there = output ? PF_SLOT_PEERS : PF_SLOT_SOURCES;
  pf_slot staged = pf_exchange_staged_slot(&g->memory, m->direction);
  w->reached[output] = shared_view(m, l, there, g->shared_array);
  *view = w->staged[output] = shared_view(m, l, staged, g->memory.bytes[PF_SLOT_SHARED]);
}

static void views(const pfft3d_plan *p, pfft3d_direction direction, pf_pipeline *w) {
  maker m = {.g = &p->geometry, .direction = (int)direction, .next = w->segment};
  for (int k = 0; k < w->stages; k++) {
    pf_lines_of l = pf_matrix_lines(m.g, m.direction, k);
    if (k == 0)
      make_outer(&m, w, 0, &l);
    else
      w->from[k] = recv_view(&m, k - 1, &l);
    if (k == w->stages - 1)
      make_outer(&m, w, 1, &l);
    else
      w->to[k] = send_view(&m, k, &l);
  }
}

static void stage(const pfft3d_plan *p, pfft3d_direction direction, int k, pf_pipeline *w) {
  const pf_geometry *g = &p->geometry;
  pf_lines_of l = pf_matrix_lines(g, direction, k);
  pf_stage *s = &w->stage[k];
  pf_pass *pass = &s->pass[0];
  int moves = g->decision.matrix.moves;
  ptrdiff_t b = cyclic_parts(g, direction, 1), a = cyclic_parts(g, direction, 0);
  if (s->planes > 0) s->last_lines = l.mine.len - (s->planes - 1) * l.chunk;
  if (l.role == PF_MOVE_IN) pass->cyclic[1] = b;
  if (l.role == PF_FIRST && !moves) pass->cyclic[1] = a;
  if (l.role == PF_SECOND && !moves) pass->cyclic[0] = b;
  if (l.role == PF_MOVE_OUT) pass->cyclic[0] = a;
  if (!pass->fft) return;
  pass->transpose = k < w->stages - 1;
  if (l.role != PF_FIRST) return;
  pass->roots = &p->roots;
  pass->number[0] = b > 1 ? g->rank : l.mine.lo;
  pass->number[1] = b;
}

const pf_scheme pf_scheme_matrix = {.name = "transpose",
                                    .geometry = pf_matrix_geometry,
                                    .fft = pf_matrix_fft,
                                    .views = views,
                                    .stage = stage,
                                    .prepare = pf_matrix_prepare,
                                    .before = pf_matrix_before,
                                    .after = pf_matrix_after};
