/* SPDX-License-Identifier: BSD-3-Clause
 * Views of user arrays and exchange buffers, and the rectangles that a tile touches in them. */
#include "layout/view.h"

pf_view pf_view_whole(const pfft3d_box *box, pf_slot slot, pf_segment *segment) {
  pf_view v = {.cut = 0, .count = 1, .segment = segment};
  *segment = (pf_segment){.part = {0, box->len[0]}, .slot = slot};
  for (int a = 0; a < 3; a++) {
    v.len[a] = box->len[a];
    segment->stride[a] = box->stride[a];
  }
  return v;
}

/* A block [from][to][row] of `rows` rows per plane. */
static pf_segment block_segment(const pf_redist *r, pf_range part, pf_slot slot, ptrdiff_t offset,
                                ptrdiff_t rows) {
  pf_segment s = {.part = part, .slot = slot, .offset = offset, .stride = {1, 1, 1}};
  s.stride[r->from] = rows * r->row;
  s.stride[r->to] = r->row;
  return s;
}

pf_view pf_view_send(const pf_redist *r, pf_slot send, pf_slot recv, pf_segment *segment) {
  pf_view v = {
      .len = {r->row, r->row, r->row}, .cut = r->to, .count = r->ranks, .segment = segment};
  v.len[r->from] = pf_redist_planes(r, r->me).len;
  v.len[r->to] = r->n_to;
  for (int d = 0; d < r->ranks; d++) {
    pf_range rows = pf_redist_rows(r, d);
    int own = d == r->me;
    ptrdiff_t offset = own ? pf_redist_recv_offset(r, d) : pf_redist_send_offset(r, d);
    segment[d] = block_segment(r, rows, own ? recv : send, offset, rows.len);
  }
  return v;
}

pf_view pf_view_recv(const pf_redist *r, pf_slot recv, pf_segment *segment) {
  pf_view v = {
      .len = {r->row, r->row, r->row}, .cut = r->from, .count = r->ranks, .segment = segment};
  ptrdiff_t rows = pf_redist_rows(r, r->me).len;
  v.len[r->from] = r->n_from;
  v.len[r->to] = rows;
  for (int s = 0; s < r->ranks; s++)
    segment[s] = block_segment(r, pf_redist_planes(r, s), recv, pf_redist_recv_offset(r, s), rows);
  return v;
}

pf_view pf_view_send_direct(const pf_redist *r, const pf_parts *parts, pf_slot slot,
                            pf_segment *segment) {
  pf_view v = pf_view_send(r, slot, slot, segment);
  ptrdiff_t plane = pf_redist_planes(r, r->me).lo;
  for (int d = 0; d < r->ranks; d++) {
    pf_segment *s = &segment[d];
    s->stride[r->from] = parts->row;
    s->stride[r->to] = r->n_from * parts->row;
    s->offset = d * parts->part + plane * s->stride[r->from];
  }
  return v;
}

pf_view pf_view_recv_direct(const pf_redist *r, const pf_parts *parts, pf_slot slot,
                            pf_segment *segment) {
  pfft3d_box box = {.len = {r->row, r->row, r->row}, .stride = {1, 1, 1}};
  box.len[r->from] = r->n_from;
  box.len[r->to] = pf_redist_rows(r, r->me).len;
  box.stride[r->from] = parts->row;
  box.stride[r->to] = r->n_from * parts->row;
  pf_view v = pf_view_whole(&box, slot, segment);
  segment->offset = r->me * parts->part;
  return v;
}

void pf_view_redirect(pf_view *v, int k, const pfft3d_box *box, pf_slot slot, ptrdiff_t offset,
                      const pfft3d_box *other) {
  pf_segment *s = &v->segment[k];
  s->slot = slot;
  s->offset = offset;
  for (int a = 0; a < 3; a++) {
    ptrdiff_t first = box->lo[a] + (a == v->cut ? s->part.lo : 0);
    s->stride[a] = other->stride[a];
    s->offset += (first - other->lo[a]) * other->stride[a];
  }
}

/* The overlap of two ranges. */
static pf_range overlap(pf_range a, pf_range b) {
  ptrdiff_t lo = a.lo > b.lo ? a.lo : b.lo;
  ptrdiff_t end = a.lo + a.len < b.lo + b.len ? a.lo + a.len : b.lo + b.len;
  return (pf_range){lo, end > lo ? end - lo : 0};
}

int pf_view_block(const pf_view *v, const pf_tile *tile, int k, pf_block *b) {
  const pf_segment *s = &v->segment[k];
  int third = 3 - tile->line - tile->tile;
  pf_range want[3];
  want[tile->line] = (pf_range){0, v->len[tile->line]};
  want[tile->tile] = (pf_range){tile->t, tile->width};
  want[third] = (pf_range){tile->o, 1};
  want[v->cut] = overlap(want[v->cut], s->part);

  b->lines = want[tile->tile].len;
  b->points = want[tile->line].len;
  if (!b->lines || !b->points || !want[third].len) return 0;
  b->first_line = want[tile->tile].lo - tile->t;
  b->first_point = want[tile->line].lo;
  b->along = s->stride[tile->line];
  b->across = s->stride[tile->tile];
  b->slot = s->slot;
  b->offset = s->offset;
  for (int a = 0; a < 3; a++)
    b->offset += (want[a].lo - (a == v->cut ? s->part.lo : 0)) * s->stride[a];
  return 1;
}

/* The last segment that starts at or before index i: the one that holds it. */
int pf_view_find(const pf_view *v, ptrdiff_t i) {
  int lo = 0, hi = v->count - 1;
  while (lo < hi) {
    int mid = lo + (hi - lo + 1) / 2;
    if (v->segment[mid].part.lo <= i)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

void pf_view_segments(const pf_view *v, const pf_tile *tile, int *first, int *last) {
  ptrdiff_t a = 0, b = v->len[v->cut] - 1;
  if (v->cut == tile->tile) {
    a = tile->t;
    b = tile->t + tile->width - 1;
  } else if (v->cut != tile->line) {
    a = b = tile->o;
  }
  *last = pf_view_find(v, b);
  *first = pf_view_find(v, a);
  while (*first > 0 && v->segment[*first].part.len == 0) (*first)--;
}
