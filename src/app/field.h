/* SPDX-License-Identifier: BSD-3-Clause
 * Synthetic fields: functions of the global index, so that every rank can make its part, and make
 * it again instead of keeping a copy. */
#ifndef PFFT3D_APP_FIELD_H
#define PFFT3D_APP_FIELD_H

#include <complex.h>
#include <pfft3d.h>
#include <stdint.h>

typedef enum field_kind {
  FIELD_SEEDED, /* pseudo-random, both parts in (-0.5, 0.5), by (seed, global index) alone */
  FIELD_PEAK,   /* 1 at index k, 0 elsewhere */
  FIELD_WAVE    /* exp(sign 2 pi i j.k/n) */
} field_kind;

typedef struct field {
  field_kind kind;
  ptrdiff_t n[3];
  ptrdiff_t k[3];   /* of a peak or wave; element j of a seeded field is that of j + k mod n */
  int sign;         /* of a wave */
  uint64_t seed[2]; /* seed[1] != 0: times[0] * one seeded field + times[1] * the other */
  pfft3d_precision precision; /* of the numbers, and of the arrays that hold them */
  double complex times[2];    /* a peak or wave is multiplied by times[0] */
} field;

/* Sums over all elements of a box. */
typedef struct field_sums {
  long double difference; /* |array * scale - field|^2 */
  long double energy;     /* |array|^2 */
} field_sums;

/* Element `at` of an array of complex numbers, read and written.  Everything is computed in double
 * precision at least, whatever the arrays hold. */
static inline double complex field_get(pfft3d_precision precision, const void *array,
                                       ptrdiff_t at) {
  return precision == PFFT3D_SINGLE ? (double complex)((const float complex *)array)[at]
                                    : ((const double complex *)array)[at];
}
static inline void field_put(pfft3d_precision precision, void *array, ptrdiff_t at,
                             double complex value) {
  if (precision == PFFT3D_SINGLE)
    ((float complex *)array)[at] = (float complex)value;
  else
    ((double complex *)array)[at] = value;
}

/** Local. The seeded field of this seed, of a problem's extents and precision. */
field field_seeded(const pfft3d_problem *p, uint64_t seed);

/** Local. A table of the n factors exp(sign 2 pi i (j k mod n)/n), j = 0..n-1, in extended
 *  precision, the caller's to free(); NULL when there is no memory.  The reduction of j k is exact:
 *  rounding j k/n instead would cost all digits for large n. */
long double complex *field_factors(ptrdiff_t n, ptrdiff_t k, int sign);

/** Local. Puts the field into this rank's array, laid out as @p box says; `array` may be NULL where
 *  the box is empty.  0, or 1 when there was no memory for a table. */
int field_fill(const field *f, const pfft3d_box *box, void *array);

/** Local. Compares this rank's array, times @p scale, with the field; sums over this rank only.
 *  0, or 1 when there was no memory for a table. */
int field_compare(const field *f, const pfft3d_box *box, const void *array, double scale,
                  field_sums *sums);

/** Local. |array|^2 over this rank's box. */
long double field_energy(pfft3d_precision precision, const pfft3d_box *box, const void *array);

/** Local. This rank's part of the direct sums sum_j f[j] exp(sign 2 pi i j.k/n) for `count` indices
 *  k, over the elements of @p box, and of the energy sum |f[j]|^2.
 *  0, or 1 when there was no memory for a table. */
int field_dft(const field *f, const pfft3d_box *box, int sign, int count, ptrdiff_t (*k)[3],
              long double complex *sum, long double *energy);

#endif
