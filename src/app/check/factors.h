/* SPDX-License-Identifier: BSD-3-Clause
 * What one point adds to one result of a transform, along each axis, in extended precision.  All
 * functions are local. */
#ifndef PF_APP_CHECK_FACTORS_H
#define PF_APP_CHECK_FACTORS_H

#include <complex.h>
#include <pfft3d_tune.h>

/* What the factors of three axes are made from: the extents, and of each axis one result, or with
 * by_point one point; the sign of a dft. */
typedef struct factors_spec {
  const ptrdiff_t *n, *k;
  const pfft3d_axis_kind *axis;
  int sign, by_point;
} factors_spec;

/* The factors exp(sign 2 pi i (j k mod n)/n), or those of another kind, along one axis: a table of
 * all of them, or, where it would be too large, for a dft two, whose products they are, and for
 * another kind none: each is computed when it is asked for. */
typedef struct factors {
  ptrdiff_t n, k;
  pfft3d_axis_kind axis;
  int by_point;
  int shift; /* of the two tables, the first has the 2^shift smallest angles */
  long double complex *low, *high; /* high: NULL where there is one table; both: where none is */
} factors;

/** Local. The factors along the three axes; 1 when there is no memory.  factors_close() frees them
 *  in both cases. */
int factors_open(const factors_spec *s, factors w[3]);
void factors_close(factors w[3]);

/** Local. Factor j. */
long double complex factors_at(const factors *w, ptrdiff_t j);

/** Local. x y, written out: C's own product tests every result for NaN, which costs more than it
 *  does. */
long double complex factors_product(long double complex x, long double complex y);

/** Local. A table of the n factors exp(sign 2 pi i (j k mod n)/n), j = 0..n-1, in extended
 *  precision, the caller's to free(); NULL when there is no memory.  The reduction of j k is exact:
 *  rounding j k/n instead would cost all digits for large n. */
long double complex *factors_table(ptrdiff_t n, ptrdiff_t k, int sign);

#endif
