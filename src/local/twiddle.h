/* SPDX-License-Identifier: BSD-3-Clause
 * Roots of unity: single ones, tables of two levels for very long lines, and the factors of a tile
 * between the two transforms of a line that is stored as a matrix. */
#ifndef PF_LOCAL_TWIDDLE_H
#define PF_LOCAL_TWIDDLE_H

#include <stddef.h>

#include "base/status.h"

/** Local. exp(-2 pi i k/n) in full accuracy, k >= 0. */
void pf_root(ptrdiff_t k, ptrdiff_t n, long double w[2]);

/* All n roots, from two tables of about sqrt(n) entries each: w^m = w^(hT) w^l for m = hT + l. The
 * first factor is stored as a sum of two numbers, the second as its distance from 1, which is
 * small: the product is thus accurate to the last bit. */
typedef struct pf_roots {
  ptrdiff_t n;
  int shift;      /* T = 1 << shift */
  double *coarse; /* re, im, and their rounding errors */
  double *fine;   /* re - 1, im */
} pf_roots;

/** Local. Errors: MEMORY. */
int pf_roots_make(pf_roots *r, ptrdiff_t n, pfft3d_error *e);
void pf_roots_free(pf_roots *r);

/** Local. exp(-2 pi i m/n) for 0 <= m < n as the sum of two numbers: hi is the rounded value, with
 *  an error of at most 0.51 units in the last place of 1. */
static inline void pf_roots_at(const pf_roots *r, ptrdiff_t m, double hi[2], double lo[2]) {
  const double *c = r->coarse + 4 * (m >> r->shift);
  const double *f = r->fine + 2 * (m & (((ptrdiff_t)1 << r->shift) - 1));
  double re = c[2] + (c[0] * f[0] - c[1] * f[1]), im = c[3] + (c[0] * f[1] + c[1] * f[0]);
  hi[0] = c[0] + re;
  hi[1] = c[1] + im;
  lo[0] = (c[0] - hi[0]) + re;
  lo[1] = (c[1] - hi[1]) + im;
}

/* Factors of a tile whose line j has the number g_j: exp(-2 pi i g_j k/n) for each point k, again
 * as products, k = a C + c:
 *
 *   coarse[a]   width real parts, width imaginary parts, and the rounding errors of both
 *   fine[c]     width real parts less 1, width imaginary parts */
typedef struct pf_factors {
  void *coarse, *fine; /* of doubles or floats */
  int shift;           /* C = 1 << shift */
  ptrdiff_t points, width;
  pfft3d_precision precision;
} pf_factors;

/** Local. Bytes of both tables for lines of @p points points. */
size_t pf_factors_bytes(ptrdiff_t points, ptrdiff_t width, pfft3d_precision precision);

/* Factors of `width` lines with the numbers first, first + step, ...; `pairs`: tables have the
 * first line of each pair first. */
typedef struct pf_factors_spec {
  ptrdiff_t points, width;
  pfft3d_precision precision;
  ptrdiff_t first, step;
  int pairs;
} pf_factors_spec;

/** Local. Fills tables in @p memory, aligned to PF_ALIGN, which must outlive the result. */
pf_factors pf_factors_make(const pf_roots *r, const pf_factors_spec *s, void *memory);

/** Local. Multiplies a tile of complex numbers (element i of line j at i * along + j * across) by
 *  its factors; sign > 0: by their conjugates. */
void pf_factors_apply(const pf_factors *f, int sign, void *tile, ptrdiff_t along, ptrdiff_t across);

#endif
