/* SPDX-License-Identifier: BSD-3-Clause
 * Views of user arrays and exchange buffers, and the rectangles that a tile touches in them. */
#include "layout/view.h"

pf_view pf_view_whole(const pfft3d_box *box, size_t element, ptrdiff_t fields, pf_slot slot,
                      pf_segment *segment) {
  pf_view v = {.element = element, .fields = fields, .cut = 0, .count = 1, .segment = segment};
  *segment = (pf_segment){
      .part = {0, box->len[0]}, .slot = slot, .offset = box->offset, .field = box->distance};
  for (int a = 0; a < 3; a++) {
    v.len[a] = box->len[a];
    segment->stride[a] = box->stride[a];
  }
  return v;
}

static pf_segment spot_segment(pf_range part, pf_slot slot, pf_spot at) {
  return (pf_segment){part, slot, at.offset, {at.stride[0], at.stride[1], at.stride[2]}, at.field};
}

pf_view pf_view_send(const pf_redist *r, size_t element, pf_slot send, pf_slot recv,
                     pf_segment *segment) {
  pf_view v = {
      .element = element, .fields = r->batch, .cut = r->to, .count = r->ranks, .segment = segment};
  for (int a = 0; a < 3; a++) v.len[a] = pf_redist_before(r, r->me, a).len;
  for (int d = 0; d < r->ranks; d++) {
    int own = d == r->me;
    pf_spot at = own ? pf_redist_recv_spot(r, d) : pf_redist_send_spot(r, d);
    segment[d] = spot_segment(pf_redist_after(r, d, r->to), own ? recv : send, at);
  }
  return v;
}

pf_view pf_view_recv(const pf_redist *r, size_t element, pf_slot recv, pf_segment *segment) {
  pf_view v = {.element = element,
               .fields = r->batch,
               .cut = r->from,
               .count = r->ranks,
               .segment = segment};
  for (int a = 0; a < 3; a++) v.len[a] = pf_redist_after(r, r->me, a).len;
  for (int s = 0; s < r->ranks; s++)
    segment[s] = spot_segment(pf_redist_before(r, s, r->from), recv, pf_redist_recv_spot(r, s));
  return v;
}

ptrdiff_t pf_parts_field(const pf_parts *parts, const pf_redist *r) {
  return pf_redist_after(r, 0, 0).len * pf_redist_after(r, 0, 1).len * parts->row;
}

/* The box that a rank receives, in its part. */
static pfft3d_box part_box(const pf_redist *r, const pf_parts *parts, int rank) {
  pfft3d_box box = {.distance = pf_parts_field(parts, r)};
  for (int a = 0; a < 3; a++) {
    pf_range part = pf_redist_after(r, rank, a);
    box.lo[a] = part.lo;
    box.len[a] = part.len;
  }
  box.stride[2] = 1;
  box.stride[1 - r->next] = parts->row;
  box.stride[r->next] = box.len[1 - r->next] * parts->row;
  box.offset = (parts->first + rank * (ptrdiff_t)parts->step) * parts->part;
  return box;
}

pf_view pf_view_send_direct(const pf_redist *r, const pf_parts *parts, size_t element, pf_slot slot,
                            pf_segment *segment) {
  pf_view v = pf_view_send(r, element, slot, slot, segment);
  pfft3d_box mine = {.offset = 0};
  for (int a = 0; a < 3; a++) mine.lo[a] = pf_redist_before(r, r->me, a).lo;
  for (int d = 0; d < r->ranks; d++) {
    pfft3d_box box = part_box(r, parts, d);
    pf_view_redirect(&v, d, &mine, slot, &box);
  }
  return v;
}

pf_view pf_view_recv_direct(const pf_redist *r, const pf_parts *parts, size_t element, pf_slot slot,
                            pf_segment *segment) {
  pfft3d_box box = part_box(r, parts, r->me);
  return pf_view_whole(&box, element, r->batch, slot, segment);
}

void pf_view_redirect(pf_view *v, int k, const pfft3d_box *box, pf_slot slot,
                      const pfft3d_box *other) {
  pf_segment *s = &v->segment[k];
  s->slot = slot;
  s->offset = other->offset;
  s->field = other->distance;
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
  ptrdiff_t t = tile->t + (v->cut == tile->tile ? v->chunk * tile->o : 0);
  pf_range want[3];
  want[tile->line] = (pf_range){0, v->len[tile->line]};
  want[tile->tile] = (pf_range){t, tile->width};
  want[third] = (pf_range){tile->o, 1};
  want[v->cut] = overlap(want[v->cut], s->part);

  b->lines = want[tile->tile].len;
  b->points = want[tile->line].len;
  if (!b->lines || !b->points || !want[third].len) return 0;
  b->first_line = want[tile->tile].lo - t;
  b->first_point = want[tile->line].lo;
  b->along = s->stride[tile->line];
  b->across = s->stride[tile->tile];
  b->slot = s->slot;
  b->offset = s->offset + tile->field % v->fields * s->field;
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
    a = tile->t + v->chunk * tile->o;
    b = a + tile->width - 1;
  } else if (v->cut != tile->line) {
    a = b = tile->o;
  }
  *last = pf_view_find(v, b);
  *first = pf_view_find(v, a);
  while (*first > 0 && v->segment[*first].part.len == 0) (*first)--;
}
