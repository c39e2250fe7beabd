/* SPDX-License-Identifier: BSD-3-Clause
 * The contribution of one point to one result of a transform, along each axis, in extended
 * precision.  All functions are local. */
#ifndef PF_APP_CHECK_FACTORS_H
#define PF_APP_CHECK_FACTORS_H

#include <complex.h>
#include <pfft3d_tune.h>

/* Input of the factors of three axes: extents; one result for each axis, or with by_point one
 * point; the sign of a dft. */
typedef struct factors_spec {
  const ptrdiff_t *n, *k;
  const pfft3d_axis_kind *axis;
  int sign, by_point;
} factors_spec;

/* The factors exp(sign 2 pi i (j k mod n)/n), or the factors of another kind, along one axis: in a
 * table; or, if it would be too large, as products of two tables for a dft, and without a table for
 * another kind. */
typedef struct factors {
  ptrdiff_t n, k;
  pfft3d_axis_kind axis;
  int by_point;
  int shift; /* of the two tables, the first has the 2^shift smallest angles */
  long double complex *low, *high; /* high: NULL with one table; both: NULL without a table */
} factors;

/** Local. The factors along the three axes; returns 1 if there is no memory.  factors_close() frees
 *  them in both cases. */
int factors_open(const factors_spec *s, factors w[3]);
void factors_close(factors w[3]);

/** Local. Factor j. */
long double complex factors_at(const factors *w, ptrdiff_t j);

/** Local. x y, written out: C's own product tests every result for NaN, which costs more than the
 *  product. */
long double complex factors_product(long double complex x, long double complex y);

/** Local. A table of the n factors exp(sign 2 pi i (j k mod n)/n), j = 0..n-1, in extended
 *  precision; the caller frees it with free(); NULL if there is no memory.  The reduction of j k is
 *  exact: rounding j k/n instead would lose all digits for large n. */
long double complex *factors_table(ptrdiff_t n, ptrdiff_t k, int sign);

#endif
