/* SPDX-License-Identifier: BSD-3-Clause
 * Scheme matrix with N = n1 n2 real numbers in space, and N/2 + 1 elements of the spectrum in
 * blocks.  Columns of n1 real numbers become n1/2 + 1 modes, so all exchanges carry half as much as
 * for complex numbers.  The stage that transforms n2 points has the lines k1 = 0 .. n1/2; with k =
 * k1 + n1 k2
 *
 *   k2 <  n2/2    X[k] is column k1 of row k2 of the result
 *   k2 >= n2/2    conj X[k] = X[N - k] is column n1 - k1 of row n2 - 1 - k2,
 *
 * a mirror image.  So the exchange next to the rows of the spectrum carries two fields for each
 * line of the batch, the elements and the mirror images: a rank gets its rows of line k1 twice.
 * Everything else is done by views, whose points are then cut into two segments for each rank.
 * Images are stored by the stage that transforms, in ascending order; the stage that moves rows
 * reads or writes them from the last to the first, as conjugates.
 *
 * Column 0 and, if n1 is even, column n1/2 are their own mirror images, shifted by a row.  Forward,
 * only X[N/2], if n2 is even, is needed as such an image: column n1 of row n2/2 - 1 is column 0 of
 * row n2/2.  Backward, these images are not sent: they are computed after the line has arrived
 * (pf_reflection), and X[0] and X[N/2] become real, whatever the caller's imaginary parts are.
 *
 * If the stage that transforms n2 points reads or writes the spectrum itself (in shared memory, or
 * a cyclic vector), its views have such segments, too: images are conjugates in lines of the
 * opposite order.  In a cyclic vector the images of rank r are elements of rank P - r.  Without
 * shared memory they are in a separate matrix (pf_images), which is one message to or from that
 * rank (edges.c). */
#include "geometry/matrix.h"

/* Ranges of points of a line in a view: elements, and mirror images i -> sum - i. */
typedef struct halves {
  ptrdiff_t own;   /* points 0 .. own-1 are elements */
  pf_range images; /* points that are mirror images, ... */
  ptrdiff_t sum;   /* ... point i of point sum - i */
} halves;

/* For points that are rows (k2), or columns (k1). */
static halves halves_of(const pf_geometry *g, int rows) {
  ptrdiff_t n1 = g->decision.matrix.n[0], n2 = g->decision.matrix.n[1], modes = n1 / 2 + 1;
  if (rows) return (halves){(n2 + 1) / 2, {0, n2 / 2}, n2 - 1};
  return (halves){modes, {1, n1 - modes}, n1};
}

static ptrdiff_t least(ptrdiff_t a, ptrdiff_t b) {
  return a < b ? a : b;
}

/* The mirror images of a segment, which has all indices of one rank. */
static pf_segment images_of(const pf_fold_view *f, const pf_segment *s, const halves *h) {
  ptrdiff_t lo = s->part.lo, end = lo + s->part.len, along = s->stride[f->point];
  ptrdiff_t first = lo > h->images.lo ? lo : h->images.lo;
  ptrdiff_t last = least(end, h->images.lo + h->images.len) - 1;
  pf_segment image = *s;
  image.part = (pf_range){h->sum - last, last < first ? 0 : last - first + 1};
  image.offset += f->array ? f->mirror : s->field;
  if (f->stored) {
    image.offset += (end - 1 - last) * along;
  } else {
    image.offset += (last - lo) * along;
    image.stride[f->point] = -along;
  }
  if (f->reversed) {
    image.offset += (f->lines - 1) * s->stride[f->line];
    image.stride[f->line] = -s->stride[f->line];
  }
  image.conjugate = f->array || !f->rows;
  if (!f->array) image.field = 2 * s->field;
  if (f->array) image.stride[f->line] = -s->stride[f->line];
  if (f->array) image.stride[0] = -s->stride[0];
  image.lines = f->imaged;
  return image;
}

/* The element of row n2/2, if n2 is even: in an exchange a point after the end of the line; in
 * arrays, of line 0, the first point after its own elements. */
static pf_segment last_row(const pf_geometry *g, const pf_fold_view *f, const pf_segment *segment,
                           int count) {
  ptrdiff_t n2 = g->decision.matrix.n[1], row;
  pf_segment last = {.part = {n2, 0}};
  for (int k = 0; k < count && f->rows && n2 % 2 == 0; k++) {
    const pf_segment *s = &segment[k];
    row = n2 / 2 - s->part.lo;
    if (row < 0 || row >= s->part.len) continue;
    last = *s;
    last.part = (pf_range){f->array ? n2 / 2 : n2, 1};
    last.offset += row * s->stride[f->point];
    if (f->array) last.lines = (pf_range){0, 1};
    if (!f->array) last.field *= 2;
  }
  return last;
}

int pf_matrix_fold_view(const pf_geometry *g, const pf_fold_view *f, pf_segment *segment,
                        int count) {
  halves h = halves_of(g, f->rows);
  pf_segment *next = segment + count, beyond = last_row(g, f, segment, count);
  if (f->array && f->zero && beyond.part.len) *next++ = beyond;
  for (int k = count - 1; k >= 0; k--) {
    pf_segment *s = &segment[k], image = images_of(f, s, &h);
    if (image.part.len) *next++ = image;
    if (!f->array) s->field *= 2;
    s->part.len = least(s->part.len, h.own - s->part.lo);
    if (s->part.len < 0) s->part = (pf_range){h.own, 0};
  }
  if (!f->array && beyond.part.len) *next++ = beyond;
  return (int)(next - segment);
}

int pf_matrix_reflections(const pf_geometry *g, int direction, int direct, ptrdiff_t step,
                          pf_reflection list[PF_REFLECTIONS]) {
  ptrdiff_t n1 = g->decision.matrix.n[0], n2 = g->decision.matrix.n[1], own = (n2 + 1) / 2;
  pf_range mine = pf_split(pf_matrix_modes(g), g->ranks, g->rank);
  int count = 0, even = n2 % 2 == 0, zero = mine.len && mine.lo == 0;
  ptrdiff_t beyond = n1 / 2 - (step > 1 ? g->rank : mine.lo), middle = beyond / step;
  int has_middle = n1 % 2 == 0 && beyond >= 0 && beyond % step == 0 && middle < mine.len;
  if (direction == PFFT3D_FORWARD) {
    if (zero && even && !direct) list[count++] = (pf_reflection){0, {n2, 1}, n2 + n2 / 2};
    return count;
  }
  if (zero && even && !direct) list[count++] = (pf_reflection){0, {n2 / 2, 1}, n2 / 2 + n2};
  if (zero) list[count++] = (pf_reflection){0, {own, n2 - own}, n2};
  if (zero) list[count++] = (pf_reflection){0, {0, 1}, 0};
  if (has_middle && !(direct && even))
    list[count++] = (pf_reflection){middle, {n2 / 2, n2 - n2 / 2}, n2 - 1};
  return count;
}
