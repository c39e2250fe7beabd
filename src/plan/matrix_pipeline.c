/* SPDX-License-Identifier: BSD-3-Clause
 * The views and stages of a line as a matrix.  In all of them axis 1 is a line in a plane of
 * several (axis 0), and axis 2 a point of it; views are cut along one of them. */
#include <stdlib.h>

#include "base/memory.h"
#include "plan/matrix.h"

enum { tag_heads = 78 }; /* unlike those of the exchanges (way.c) */

/* A view in the making. */
typedef struct maker {
  const pfft3d_plan *p;
  const pf_geometry *o;
  pf_pipeline *w;
  int direction;
  pf_segment *next; /* the first free one */
} maker;

static pf_view begin_view(maker *m, const pf_lines_of *l, int cut, size_t element) {
  pf_view v = {.element = element,
               .narrow = element < m->o->element,
               .fields = 1,
               .cut = cut,
               .segment = m->next};
  v.len[0] = (l->mine.len + l->chunk - 1) / l->chunk;
  v.len[1] = l->mine.len < l->chunk ? l->mine.len : l->chunk;
  v.len[2] = l->points;
  if (cut == 1) v.chunk = v.len[1];
  return v;
}

/* Indices lo .. lo+len-1 of the axis that is cut: element (line, point) of them is at offset + line
 * * across + point * along, both counted from the first one of this part. */
static void add_segment(maker *m, pf_view *v, pf_range part, pf_slot slot, ptrdiff_t offset,
                        ptrdiff_t across, ptrdiff_t along) {
  ptrdiff_t plane = v->cut == 1 ? 0 : v->len[1] * across;
  *m->next++ = (pf_segment){part, slot, offset, {plane, across, along}, 0};
  v->count++;
}

/* Points from `first` on that are not there: zeros to read, or a place for what is written. */
static void add_missing(maker *m, pf_view *v, ptrdiff_t first, int output, int rows) {
  pf_edges edges = pf_matrix_edges(m->o);
  pf_range part = {first, v->len[2] - first};
  ptrdiff_t at = pf_matrix_edge_at(m->o, m->o->rank, output ? edges.dump : edges.zero);
  at *= (ptrdiff_t)(m->o->element / v->element); /* zeros are zeros in any precision */
  if (part.len > 0) add_segment(m, v, part, PF_SLOT_EDGES, at, !rows, rows);
}

/* ---- exchanges ---- */

/* Those whose memory this rank sees, where only those of its node do. */
static pf_range near_ranks(const maker *m, const pf_pipeline_geometry *w, int k) {
  const pf_node_map *node_map = &w->node_map[k];
  if (m->o->exchange->place != PF_PLACE_NODES) return (pf_range){0, 0};
  return pf_node_map_span(node_map, node_map->me, node_map->me / node_map->node);
}

static pf_view send_view(maker *m, int k, const pf_lines_of *l) {
  const pf_pipeline_geometry *w = &m->o->pipeline[m->direction];
  const pf_redist *r = &w->redist[k];
  int direct = w->send[k] == PF_SLOT_SHARED;
  ptrdiff_t part = (ptrdiff_t)(m->o->bytes[PF_SLOT_SHARED] / m->o->wire);
  ptrdiff_t row = pf_plane_stride(pf_redist_after(r, 0, 2).len, m->o->wire);
  pf_range near = near_ranks(m, w, k);
  pf_view v = begin_view(m, l, 2, m->o->wire);
  for (int d = 0; d < r->ranks; d++) {
    pf_range points = pf_redist_after(r, d, 2);
    int own = d == r->me;
    pf_spot at = own ? pf_redist_recv_spot(r, d) : pf_redist_send_spot(r, d);
    if (d >= near.lo && d < near.lo + near.len)
      add_segment(m, &v, points, w->recv[k], pf_node_map_offset(&w->node_map[k], r, part, d),
                  points.len, 1);
    else if (direct)
      add_segment(m, &v, points, PF_SLOT_SHARED, d * part + l->mine.lo * row, row, 1);
    else
      add_segment(m, &v, points, own ? w->recv[k] : w->send[k], at.offset, at.stride[1], 1);
  }
  add_missing(m, &v, r->len[2], 1, 1);
  return v;
}

static pf_view recv_view(maker *m, int k, const pf_lines_of *l) {
  const pf_pipeline_geometry *w = &m->o->pipeline[m->direction];
  const pf_redist *r = &w->redist[k];
  ptrdiff_t part = (ptrdiff_t)(m->o->bytes[PF_SLOT_SHARED] / m->o->wire);
  ptrdiff_t row = pf_plane_stride(pf_redist_after(r, 0, 2).len, m->o->wire);
  ptrdiff_t mine = m->o->exchange->place == PF_PLACE_NODES ? r->me % m->o->node_ranks * part : 0;
  pf_view v = begin_view(m, l, 2, m->o->wire);
  if (w->send[k] == PF_SLOT_SHARED)
    add_segment(m, &v, (pf_range){0, r->len[1]}, PF_SLOT_SHARED, r->me * part, 1, row);
  else
    for (int s = 0; s < r->ranks; s++) {
      pf_spot at = pf_redist_recv_spot(r, s);
      add_segment(m, &v, pf_redist_before(r, s, 1), w->recv[k], mine + at.offset, 1, at.stride[1]);
    }
  add_missing(m, &v, r->len[1], 0, 0);
  return v;
}

/* ---- the caller's arrays ---- */

/* Blocks: lines are rows.  The last one is put together elsewhere where it is not all in it. */
static pf_view rows_view(maker *m, const pf_vector *u, int output, const pf_lines_of *l) {
  pf_range block = pf_vector_block(u, m->o->rank), rows = pf_vector_block_rows(u, m->o->rank);
  pf_edges edges = pf_matrix_edges(m->o);
  ptrdiff_t whole = rows.len && (block.lo + block.len) % u->row ? rows.len - 1 : rows.len;
  pf_view v = begin_view(m, l, 1, m->o->element);
  add_segment(m, &v, (pf_range){0, whole}, output ? PF_SLOT_OUT : PF_SLOT_IN,
              rows.lo * u->row - block.lo, u->row, 1);
  if (whole < rows.len)
    add_segment(m, &v, (pf_range){whole, 1}, PF_SLOT_EDGES,
                pf_matrix_edge_at(m->o, m->o->rank, output ? edges.out : edges.in), u->row, 1);
  return v;
}

/* Else: lines are columns, points are rows. */
static pf_view columns_view(maker *m, const pf_vector *u, int output, const pf_lines_of *l) {
  ptrdiff_t width = pf_vector_width(u, m->o->rank), whole = u->total / u->row;
  ptrdiff_t rows = pf_vector_rows(u);
  pf_edges edges = pf_matrix_edges(m->o);
  pf_view v = begin_view(m, l, 2, m->o->element);
  add_segment(m, &v, (pf_range){0, whole}, output ? PF_SLOT_OUT : PF_SLOT_IN, 0, 1, width);
  if (whole < rows)
    add_segment(m, &v, (pf_range){whole, 1}, PF_SLOT_EDGES,
                pf_matrix_edge_at(m->o, m->o->rank, output ? edges.out : edges.in), 1, 1);
  add_missing(m, &v, rows, output, 0);
  return v;
}

/* Blocks of all ranks, which are in memory that they share: lines are columns.  `dealt`: every so
 * many of them, this rank's cyclic. */
static pf_view shared_view(maker *m, const pf_vector *u, int output, const pf_lines_of *l,
                           pf_slot slot, size_t part, ptrdiff_t cyclic) {
  pf_edges edges = pf_matrix_edges(m->o);
  ptrdiff_t column = cyclic > 1 ? m->o->rank : l->mine.lo;
  pf_view v = begin_view(m, l, 2, m->o->element);
  for (int s = 0; s < m->o->ranks; s++) {
    pf_range block = pf_vector_block(u, s), rows = pf_vector_block_rows(u, s);
    ptrdiff_t whole = rows.len && (block.lo + block.len) % u->row ? rows.len - 1 : rows.len;
    ptrdiff_t at = s * (ptrdiff_t)(part / m->o->element) + rows.lo * u->row - block.lo;
    add_segment(m, &v, (pf_range){rows.lo, whole}, slot, at + column, cyclic, u->row);
    if (whole < rows.len)
      add_segment(m, &v, (pf_range){rows.lo + whole, 1}, PF_SLOT_EDGES,
                  pf_matrix_edge_at(m->o, s, output ? edges.out : edges.in) + column, cyclic,
                  u->row);
  }
  add_missing(m, &v, pf_vector_rows(u), output, 0);
  return v;
}

/* ---- stages ---- */

static pf_view *view_at(pf_pipeline *w, int step, int to) {
  return &w->view[2 * step + to];
}

/* What a step reads and writes. */
static void make_views(maker *m, int k, pf_role role, const pf_lines_of *l, ptrdiff_t cyclic) {
  const pf_pipeline_geometry *ow = &m->o->pipeline[m->direction];
  const pf_vector *in = pf_matrix_vector(m->o, m->direction, 0);
  const pf_vector *out = pf_matrix_vector(m->o, m->direction, 1);
  pf_pipeline *w = m->w;
  size_t array = m->o->shared_array, window = m->o->bytes[PF_SLOT_SHARED];
  pf_view *from = view_at(w, k, 0), *to = view_at(w, k, 1);
  if (k > 0) {
    *from = recv_view(m, k - 1, l);
  } else if (ow->pull) {
    w->sources = shared_view(m, in, 0, l, PF_SLOT_SOURCES, array, cyclic);
    *from = w->brought = shared_view(m, in, 0, l, PF_SLOT_STAGED, window, cyclic);
  } else {
    *from = role == PF_MOVE_IN ? rows_view(m, in, 0, l) : columns_view(m, in, 0, l);
  }
  if (k < w->steps - 1) {
    *to = send_view(m, k, l);
  } else if (ow->push) {
    w->scattered = shared_view(m, out, 1, l, PF_SLOT_PEERS, array, cyclic);
    *to = w->staged = shared_view(m, out, 1, l, PF_SLOT_STAGED, window, cyclic);
  } else {
    *to = role == PF_MOVE_OUT ? rows_view(m, out, 1, l) : columns_view(m, out, 1, l);
  }
}

static ptrdiff_t parts_of(const pf_geometry *o, int cyclic) {
  return cyclic && o->ranks > 1 ? o->ranks : 1;
}

static void make_stage(maker *m, int k) {
  const pf_geometry *o = m->o;
  pf_role role = pf_matrix_role(o, m->direction, k);
  pf_lines_of l = pf_matrix_lines(o, m->direction, role);
  pf_pipeline *w = m->w;
  pf_stage *s = &w->stage[k];
  pf_pass *pass = &s->pass[0];
  int in = pf_matrix_vector(o, m->direction, 0)->distribution == PF_CYCLIC;
  int out = pf_matrix_vector(o, m->direction, 1)->distribution == PF_CYCLIC,
      moves = o->matrix.moves;
  /* How the axes of nb and na points are dealt out, of which one are lines here and one points. */
  ptrdiff_t b = parts_of(o, moves ? out : in), a = parts_of(o, moves ? in : out);
  make_views(m, k, role, &l, role == PF_FIRST ? b : a);
  *pass = (pf_pass){.line = 2,
                    .tile = 1,
                    .from = view_at(w, k, 0),
                    .to = view_at(w, k, 1),
                    .scale = 1,
                    .stream = pf_pipeline_streams(o)};
  *s = (pf_stage){.outer = 0,
                  .planes = pass->from->len[0],
                  .fields = 1,
                  .at_once = o->threads,
                  .passes = 1,
                  .pass = {*pass}};
  if (s->planes > 0) s->last_lines = l.mine.len - (s->planes - 1) * l.chunk;
  pass = &s->pass[0];
  if (role == PF_MOVE_IN) pass->cyclic[1] = b;
  if (role == PF_FIRST && !moves) pass->cyclic[1] = a;
  if (role == PF_SECOND && !moves) pass->cyclic[0] = b;
  if (role == PF_MOVE_OUT) pass->cyclic[0] = a;
  if (moves || role == PF_MOVE_IN || role == PF_MOVE_OUT) return;
  int first = role == PF_FIRST;
  pass->fft = pf_plan_find_fft(m->p, (pfft3d_direction)m->direction,
                               first == (m->direction == PFFT3D_FORWARD) ? 1 : 2);
  pass->transpose = k < w->steps - 1;
  pf_pipeline_read_together(pass);
  if (!first) return;
  pass->roots = &m->p->roots;
  pass->number[0] = b > 1 ? o->rank : l.mine.lo;
  pass->number[1] = b;
}

int pf_matrix_pipeline_create(pfft3d_plan *p, pfft3d_direction direction, pfft3d_error *e) {
  pf_pipeline *w = &p->pipeline[direction];
  const pf_pipeline_geometry *ow = &p->geometry.pipeline[direction];
  w->geometry = ow;
  w->steps = ow->route.steps;
  size_t segments = (size_t)(2 * w->steps + 2) * (2 * (size_t)p->geometry.ranks + 3);
  w->segments = calloc(segments, sizeof *w->segments);
  if (!w->segments) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu segments", segments);
  maker m = {p, &p->geometry, w, (int)direction, w->segments};
  for (int k = 0; k < w->steps; k++) make_stage(&m, k);
  return pf_exchange_create_plain(&w->heads, p->geometry.element, p->geometry.cap, p->comm,
                                  tag_heads, e);
}
