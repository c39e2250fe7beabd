/* SPDX-License-Identifier: BSD-3-Clause
 * Views of user arrays and exchange buffers, and the rectangles that a tile touches in them. */
#include "layout/view.h"

#include "base/memory.h"

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

ptrdiff_t pf_plane_stride(ptrdiff_t n, size_t element) {
  ptrdiff_t line = PF_ALIGN / (ptrdiff_t)element, lines = (n + line - 1) / line;
  if (n < 4 * line) return n; /* padding would be more than the row */
  return (lines % 8 ? lines : lines + 1) * line;
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
  if (s->lines.len) {
    ptrdiff_t first = tile->o * v->len[tile->tile];
    want[tile->tile] = overlap(want[tile->tile], (pf_range){s->lines.lo - first, s->lines.len});
  }

  b->lines = want[tile->tile].len;
  b->points = want[tile->line].len;
  if (!b->lines || !b->points || !want[third].len) return 0;
  b->first_line = want[tile->tile].lo - t;
  b->first_point = want[tile->line].lo;
  b->along = s->stride[tile->line];
  b->across = s->stride[tile->tile];
  b->slot = s->slot;
  b->conjugate = s->conjugate;
  b->offset = s->offset + tile->field % v->fields * s->field;
  for (int a = 0; a < 3; a++)
    b->offset += (want[a].lo - (a == v->cut ? s->part.lo : 0)) * s->stride[a];
  return 1;
}

/* The last segment that starts at or before index i: it holds i. */
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
