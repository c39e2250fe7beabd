/* SPDX-License-Identifier: BSD-3-Clause
 * Scheme matrix with real numbers in space: N = n1 n2 of them, and N/2 + 1 elements of the spectrum
 * in blocks.  Columns of n1 real numbers become n1/2 + 1 modes, so all exchanges carry half as much
 * as for complex numbers.  The stage that transforms n2 points has the lines k1 = 0 .. n1/2; with k
 * = k1 + n1 k2
 *
 *   k2 <  n2/2    X[k] is column k1 of row k2 of the result
 *   k2 >= n2/2    conj X[k] = X[N - k] is column n1 - k1 of row n2 - 1 - k2,
 *
 * a mirror image.  So the exchange beside the rows of the spectrum carries two fields for each line
 * of the batch, the elements themselves and the mirror images: of line k1 a rank gets its rows
 * twice.  All the rest is a matter of views, whose points are then cut into two segments for each
 * rank.  Images are stored by the stage that transforms, in ascending order; the stage that moves
 * rows reads, or writes, them from the last to the first, as conjugates.
 *
 * Column 0 and, if n1 is even, column n1/2 are their own mirror images, shifted by a row.  Forward,
 * only X[N/2], if n2 is even, is such an image: of row n2/2 - 1, it belongs to row n2/2.  Backward,
 * nobody sends them; they are filled in where the line has arrived (pf_reflection). */
#include "plan/matrix.h"

/* Where points of line 0 .. of a view are others, or mirror images. */
typedef struct halves {
  ptrdiff_t own;   /* points 0 .. own-1 are those with the same number */
  pf_range images; /* these are mirror images, of points ... */
  ptrdiff_t sum;   /* ... whose number is the difference from the sum */
} halves;

/* Points of the rows (k2), or their columns (k1). */
static halves halves_of(const pf_geometry *g, int rows) {
  ptrdiff_t n1 = g->decision.matrix.n[0], n2 = g->decision.matrix.n[1], modes = n1 / 2 + 1;
  if (rows) return (halves){(n2 + 1) / 2, {0, n2 / 2}, n2 - 1};
  return (halves){modes, {1, n1 - modes}, n1};
}

static ptrdiff_t least(ptrdiff_t a, ptrdiff_t b) {
  return a < b ? a : b;
}

/* The mirror images of a segment, which has all indices of some rank. */
static pf_segment images_of(const pf_fold_view *f, const pf_segment *s, const halves *h) {
  ptrdiff_t lo = s->part.lo, end = lo + s->part.len, along = s->stride[f->point];
  ptrdiff_t first = lo > h->images.lo ? lo : h->images.lo;
  ptrdiff_t last = least(end, h->images.lo + h->images.len) - 1;
  pf_segment image = *s;
  image.part = (pf_range){h->sum - last, last < first ? 0 : last - first + 1};
  image.offset += s->field;
  if (f->stored) {
    image.offset += (end - 1 - last) * along;
  } else {
    image.offset += (last - lo) * along;
    image.stride[f->point] = -along;
  }
  if (f->turned) {
    image.offset += (f->lines - 1) * s->stride[f->line];
    image.stride[f->line] = -s->stride[f->line];
  }
  image.conjugate = !f->rows;
  image.field = 2 * s->field;
  return image;
}

int pf_matrix_fold_view(const pf_geometry *g, const pf_fold_view *f, pf_segment *segment,
                        int count) {
  halves h = halves_of(g, f->rows);
  ptrdiff_t n2 = g->decision.matrix.n[1];
  pf_segment *next = segment + count, beyond = {.part = {n2, 0}};
  for (int k = count - 1; k >= 0; k--) {
    pf_segment *s = &segment[k], image = images_of(f, s, &h);
    ptrdiff_t row = n2 / 2 - s->part.lo;
    if (image.part.len) *next++ = image;
    s->field *= 2;
    if (f->rows && n2 % 2 == 0 && row >= 0 && row < s->part.len) {
      beyond = *s;
      beyond.part = (pf_range){n2, 1};
      beyond.offset += row * s->stride[f->point];
    }
    s->part.len = least(s->part.len, h.own - s->part.lo);
    if (s->part.len < 0) s->part = (pf_range){h.own, 0};
  }
  if (beyond.part.len) *next++ = beyond;
  return (int)(next - segment);
}

int pf_matrix_reflections(const pf_geometry *g, int direction, pf_reflection list[3]) {
  ptrdiff_t n1 = g->decision.matrix.n[0], n2 = g->decision.matrix.n[1], own = (n2 + 1) / 2;
  pf_range mine = pf_split(pf_matrix_modes(g), g->ranks, g->rank);
  int count = 0, even = n2 % 2 == 0, zero = mine.len && mine.lo == 0;
  ptrdiff_t middle = n1 / 2 - mine.lo;
  if (direction == PFFT3D_FORWARD) {
    if (zero && even) list[count++] = (pf_reflection){0, {n2, 1}, n2 + n2 / 2};
    return count;
  }
  if (zero && even) list[count++] = (pf_reflection){0, {n2 / 2, 1}, n2 / 2 + n2};
  if (zero) list[count++] = (pf_reflection){0, {n2 / 2 + 1, (n2 - 1) / 2}, n2};
  if (n1 % 2 == 0 && middle >= 0 && middle < mine.len)
    list[count++] = (pf_reflection){middle, {own, n2 - own}, n2 - 1};
  return count;
}
