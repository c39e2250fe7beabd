/* SPDX-License-Identifier: BSD-3-Clause
 * Checks half a spectrum, which may come from anywhere, for elements that it holds together with
 * their mirror images. Those may be on any two ranks, so both are sent to rank 0 in pieces. */
#include "app/check/energy.h"

#include <stdlib.h>

#include "app/check/check.h"
#include "app/check/field.h"
#include "app/common/message.h"

enum { PIECE = 1 << 18 }; /* elements of a plane that are compared at a time: 8 MiB on each rank */

/* Where element (i0, i1, lo[2]) of a box lies. */
static ptrdiff_t row_at(const pfft3d_box *b, ptrdiff_t i0, ptrdiff_t i1) {
  return b->offset + (i0 - b->lo[0]) * b->stride[0] + (i1 - b->lo[1]) * b->stride[1];
}

/* This rank's part of half a spectrum. */
typedef struct half_spectrum {
  const pfft3d_problem *p;
  const pfft3d_box *box;
  const void *array;
} half_spectrum;

/* Elements first .. first+count-1 of plane k2, in C order. */
typedef struct piece {
  ptrdiff_t k2, first, count;
} piece;

/* The index of the mirror image, or of the element itself: only a dft mirrors. */
static ptrdiff_t opposite(const pfft3d_problem *p, int axis, int mirror, ptrdiff_t i) {
  return mirror && i > 0 && p->axis[axis] == PFFT3D_DFT ? p->n[axis] - i : i;
}

/* Writes the elements of a piece to z, or their mirror images: those of this rank go to their
 * places, all others are 0. */
static void fill_piece(const half_spectrum *h, const piece *part, int mirror, double *z) {
  const ptrdiff_t *n = h->p->n;
  const pfft3d_box *b = h->box;
  field_type type = field_type_of(h->p, PFFT3D_SPECTRUM);
  for (ptrdiff_t i = 0; i < 2 * part->count; i++) z[i] = 0;
  if (part->k2 < b->lo[2] || part->k2 >= b->lo[2] + b->len[2]) return;
  for (ptrdiff_t i0 = b->lo[0]; i0 < b->lo[0] + b->len[0]; i0++) {
    ptrdiff_t row = opposite(h->p, 0, mirror, i0) * n[1] - part->first; /* in the piece */
    ptrdiff_t from = row < 0 ? -row : 0, to = part->count - row < n[1] ? part->count - row : n[1];
    for (ptrdiff_t t = from; t < to; t++) {
      ptrdiff_t i1 = opposite(h->p, 1, mirror, t);
      if (i1 < b->lo[1] || i1 >= b->lo[1] + b->len[1]) continue;
      ptrdiff_t at = row_at(b, i0, i1) + (part->k2 - b->lo[2]) * b->stride[2];
      double complex value = field_get(type, h->array, at);
      z[2 * (row + t)] = creal(value);
      z[2 * (row + t) + 1] = cimag(value);
    }
  }
}

long double energy_ignored(const app *a, const pfft3d_problem *p, const pfft3d_box *box,
                           const void *array) {
  const half_spectrum h = {p, box, array};
  ptrdiff_t plane = p->n[0] * p->n[1], half = p->n[2] / 2;
  ptrdiff_t most = plane < PIECE ? plane : PIECE;
  double *z = app_malloc(a, (size_t)(4 * most), sizeof *z), *image = z + 2 * most;
  long double sum = 0;
  for (ptrdiff_t k2 = 0; k2 <= half; k2 += half > 0 ? half : 1) {
    if (k2 > 0 && 2 * k2 < p->n[2]) break; /* n2 is odd */
    for (ptrdiff_t first = 0; first < plane; first += most) {
      const piece part = {k2, first, plane - first < most ? plane - first : most};
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
