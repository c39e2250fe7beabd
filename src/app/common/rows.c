/* SPDX-License-Identifier: BSD-3-Clause
 * In place: a point has a higher address in the array than packed, so points are spread from the
 * last to the first, and collected from the first to the last. */
#include "app/common/rows.h"

#include <math.h>
#include <string.h>

rows rows_make(const pfft3d_box *box, const ptrdiff_t n[3], size_t bytes, size_t element) {
  rows r = {.box = *box, .part = *box, .bytes = bytes, .element = element};
  for (int a = 0; a < 3; a++) {
    ptrdiff_t end = box->lo[a] + box->len[a] < n[a] ? box->lo[a] + box->len[a] : n[a];
    r.part.len[a] = end > box->lo[a] ? end - box->lo[a] : 0;
    if (r.part.lo[a] > n[a]) r.part.lo[a] = n[a]; /* lo of an empty part in a file is at most n */
  }
  r.part.stride[2] = 1;
  r.part.stride[1] = r.part.len[2];
  r.part.stride[0] = r.part.len[1] * r.part.len[2];
  r.part.offset = 0;
  return r;
}

ptrdiff_t rows_points(const rows *r) {
  return r->part.len[0] * r->part.len[1] * r->part.len[2];
}

/* Nonzero if the points have the same addresses in the array as packed. */
static int same(const rows *r) {
  ptrdiff_t all = r->box.len[0] * r->box.len[1] * r->box.len[2];
  return rows_points(r) == all && r->bytes == r->element;
}

/* Offset of point i of row k in the array. */
static size_t place(const rows *r, ptrdiff_t k, ptrdiff_t i) {
  ptrdiff_t at = r->box.offset + k / r->part.len[1] * r->box.stride[0] +
                 k % r->part.len[1] * r->box.stride[1] + i * r->box.stride[2];
  return (size_t)at * r->element;
}

void rows_spread(const rows *r, void *array) {
  ptrdiff_t count = r->part.len[0] * r->part.len[1], length = r->part.len[2];
  size_t end = (size_t)(r->box.len[0] * r->box.len[1] * r->box.len[2]) * r->element;
  ptrdiff_t step = r->bytes == r->element ? length : 1; /* number of points that stay contiguous */
  char *base = array;
  if (same(r)) return;
  if (!length) count = 0;
  for (ptrdiff_t k = count - 1; k >= 0; k--)
    for (ptrdiff_t i = length - step; i >= 0; i -= step) {
      size_t to = place(r, k, i), bytes = (size_t)step * r->bytes;
      memmove(base + to, base + (size_t)(k * length + i) * r->bytes, bytes);
      memset(base + to + bytes, 0, end - to - bytes);
      end = to;
    }
  memset(base, 0, end);
}

void rows_collect(const rows *r, void *array) {
  ptrdiff_t count = r->part.len[0] * r->part.len[1], length = r->part.len[2];
  ptrdiff_t step = r->bytes == r->element ? length : 1;
  char *base = array;
  if (same(r) || !length) return;
  for (ptrdiff_t k = 0; k < count; k++)
    for (ptrdiff_t i = 0; i < length; i += step)
      memmove(base + (size_t)(k * length + i) * r->bytes, base + place(r, k, i),
              (size_t)step * r->bytes);
}

double rows_nonfinite(const rows *r, int single, const void *array) {
  size_t numbers = (size_t)rows_points(r) * r->bytes / (single ? sizeof(float) : sizeof(double));
  const double *wide = array;
  const float *narrow = array;
  double wrong = 0;
  for (size_t k = 0; k < numbers; k++) wrong += !(single ? isfinite(narrow[k]) : isfinite(wide[k]));
  return wrong;
}
