/* SPDX-License-Identifier: BSD-3-Clause
 * Checks half a spectrum from any source for elements that it holds together with their mirror
 * images. Such a pair may be on any two ranks, so both are sent to rank 0 in pieces. */
#include "app/check/energy.h"

#include <stdlib.h>

#include "app/check/check.h"
#include "app/check/field.h"
#include "app/common/message.h"

enum { PIECE = 1 << 18 }; /* elements of a plane that are compared at a time: 8 MiB on each rank */

/* This rank's part of half a spectrum; a plane is one index of axis `half`; the other axes are
 * axis[0] and axis[1]. */
typedef struct half_spectrum {
  const pfft3d_problem *p;
  int half, axis[2];
  const pfft3d_box *box;
  const void *array;
} half_spectrum;

/* Elements first .. first+count-1 of plane k, in C order. */
typedef struct piece {
  ptrdiff_t k, first, count;
} piece;

/* The index of the mirror image, or of the element itself: only a dft mirrors. */
static ptrdiff_t opposite(const pfft3d_problem *p, int axis, int mirror, ptrdiff_t i) {
  return mirror && i > 0 && p->axis[axis] == PFFT3D_DFT ? p->n[axis] - i : i;
}

/* Writes the elements of a piece to z, or their mirror images: this rank's elements, and 0 for all
 * others. */
static void fill_piece(const half_spectrum *h, const piece *part, int mirror, double *z) {
  const pfft3d_box *b = h->box;
  int u = h->axis[0], v = h->axis[1];
  ptrdiff_t n = h->p->n[v], plane = b->offset + (part->k - b->lo[h->half]) * b->stride[h->half];
  field_type type = field_type_of(h->p, PFFT3D_SPECTRUM);
  for (ptrdiff_t i = 0; i < 2 * part->count; i++) z[i] = 0;
  if (part->k < b->lo[h->half] || part->k >= b->lo[h->half] + b->len[h->half]) return;
  for (ptrdiff_t i = b->lo[u]; i < b->lo[u] + b->len[u]; i++) {
    ptrdiff_t row = opposite(h->p, u, mirror, i) * n - part->first; /* row in the piece */
    ptrdiff_t from = row < 0 ? -row : 0, to = part->count - row < n ? part->count - row : n;
    for (ptrdiff_t t = from; t < to; t++) {
      ptrdiff_t j = opposite(h->p, v, mirror, t);
      if (j < b->lo[v] || j >= b->lo[v] + b->len[v]) continue;
      ptrdiff_t at = plane + (i - b->lo[u]) * b->stride[u] + (j - b->lo[v]) * b->stride[v];
      double complex value = field_get(type, h->array, at);
      z[2 * (row + t)] = creal(value);
      z[2 * (row + t) + 1] = cimag(value);
    }
  }
}

long double energy_ignored(const app *a, const pfft3d_problem *p, const pfft3d_box *box,
                           const void *array) {
  int axis = field_half_axis(p);
  const half_spectrum h = {p, axis, {axis == 0, 2 - (axis == 2)}, box, array};
  ptrdiff_t plane = p->n[h.axis[0]] * p->n[h.axis[1]], n = p->n[axis], half = n / 2;
  ptrdiff_t most = plane < PIECE ? plane : PIECE;
  double *z = app_malloc(a, (size_t)(4 * most), sizeof *z), *image = z + 2 * most;
  long double sum = 0;
  for (ptrdiff_t k = 0; k <= half; k += half > 0 ? half : 1) {
    if (k > 0 && 2 * k < n) break; /* n is odd */
    for (ptrdiff_t first = 0; first < plane; first += most) {
      const piece part = {k, first, plane - first < most ? plane - first : most};
      fill_piece(&h, &part, 0, z);
      fill_piece(&h, &part, 1, image);
      MPI_Reduce(a->rank ? z : MPI_IN_PLACE, z, (int)(4 * most), MPI_DOUBLE, MPI_SUM, 0, a->comm);
      for (ptrdiff_t i = 0; a->rank == 0 && i < part.count; i++) {
        long double re = (long double)z[2 * i] - image[2 * i];
        long double im = (long double)z[2 * i + 1] + image[2 * i + 1];
        sum += (re * re + im * im) / 4;
      }
    }
  }
  free(z);
  check_sum(a, &sum, 1);
  return sum;
}
