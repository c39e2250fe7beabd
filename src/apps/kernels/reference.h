/* SPDX-License-Identifier: BSD-3-Clause
 * The reference for kernels: random lines, and their transform in long double by a separate FFT,
 * which is compared with the definition for some values. */
#ifndef PF_APPS_KERNELS_REFERENCE_H
#define PF_APPS_KERNELS_REFERENCE_H

#include <pfft3d.h>

/* Sizes that are no powers of two are transformed by the definition, up to this one. */
enum { REFERENCE_ANY_SIZE = 8192 };

/* `batch` lines of n points, or matrices of n points in `rows` rows, and their transform.  Line b
 * is line 0 times i^b. */
typedef struct lines {
  size_t n, rows, batch; /* rows 1: lines */
  pfft3d_precision precision;
  void *in, *out;
  long double (*want)[2]; /* the spectrum of line 0; NULL: not needed */
  long double energy;     /* of `want` */
} lines;

/* Errors over all points of all lines. */
typedef struct line_errors {
  double error; /* || result - reference || / || reference || */
  double most;  /* largest difference of a point, over the root mean square of the reference */
  double wrong; /* number of real and imaginary parts with errors over 1e-3 of their value */
} line_errors;

/** Local. Allocates and fills lines of l->n points, and lines_refer() transforms line 0.  Errors:
 *  MEMORY, INTERNAL.  lines_free() frees both, also after an error. */
int lines_make(lines *l, long long seed, pfft3d_error *e);
int lines_refer(lines *l, pfft3d_error *e);
void lines_free(lines *l);

/** Local. Compares l->out; NaN if a result is NaN. */
line_errors lines_compare(const lines *l);

/** Local. The limit of line_errors.error: @p loose times the usual limit of FFTs, or
 * (by_definition) the limit of plain sums; 0 for one point. */
double lines_limit(const lines *l, int by_definition, double loose);

/* line_errors.most may be LINES_MOST times the limit. */
enum { LINES_MOST = 20 };

#endif
