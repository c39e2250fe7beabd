/* SPDX-License-Identifier: BSD-3-Clause
 * Kinds of transforms along an axis: the complex DFT, and the real-to-real transforms by FFTW's
 * formulas, of types I to IV (REDFT00, 10, 01, 11 and RODFT00, 10, 01, 11) and those of the real
 * DFT (DHT, R2HC, HC2R), not normalised:
 *
 *   dct1  y_k = x_0 + (-1)^k x_(n-1) + 2 sum_(0<j<n-1) x_j cos(pi j k / (n-1))
 *   dct2  y_k = 2 sum x_j cos(pi (j+1/2) k / n)
 *   dct3  y_k = x_0 + 2 sum_(j>0) x_j cos(pi j (k+1/2) / n)
 *   dct4  y_k = 2 sum x_j cos(pi (j+1/2) (k+1/2) / n)
 *   dst1  y_k = 2 sum x_j sin(pi (j+1) (k+1) / (n+1))
 *   dst2  y_k = 2 sum x_j sin(pi (j+1/2) (k+1) / n)
 *   dst3  y_k = (-1)^k x_(n-1) + 2 sum_(j<n-1) x_j sin(pi (j+1) (k+1/2) / n)
 *   dst4  y_k = 2 sum x_j sin(pi (j+1/2) (k+1/2) / n)
 *   dht   y_k = sum x_j (cos(2 pi j k / n) + sin(2 pi j k / n))
 *   r2hc  y_k = sum x_j cos(2 pi j k / n) for 2 k <= n, else sum x_j sin(2 pi j k / n): the real
 *         parts of the DFT, then the imaginary parts of n - k
 *   hc2r  y_k = x_0 + (-1)^k x_(n/2), if n is even, + 2 sum_(0<2j<n) x_j cos(2 pi j k / n)
 *         + 2 sum_(2j>n) x_j sin(2 pi j k / n)
 *
 * Each becomes one or two complex transforms between two steps of this file.  All of them are
 * linear with real coefficients, so that one complex number carries two real lines. */
#ifndef PF_LOCAL_KIND_H
#define PF_LOCAL_KIND_H

#include <stdint.h>

#include "base/status.h"
#include "pfft3d_tune.h"

enum { PF_KINDS = PFFT3D_HC2R + 1 };

typedef enum pf_kind_type {
  PF_COMPLEX, /* the DFT, or nothing */
  PF_TYPE1,   /* cosine and sine transforms */
  PF_TYPE2,
  PF_TYPE3,
  PF_TYPE4,
  PF_HARTLEY, /* the real DFT in real numbers */
  PF_TO_HALF,
  PF_FROM_HALF
} pf_kind_type;

/** Local. Name and formula of kind @p index; NULL past the last. */
const char *pf_kind_at(int index, const char **summary);

/** Local. Nonzero if the kind is a real-to-real transform; if it is a sine transform; its type;
 *  nonzero if the spectrum is not ordered from low to high modes, so that none can be dropped. */
int pf_kind_is_real(pfft3d_axis_kind kind);
int pf_kind_is_sine(pfft3d_axis_kind kind);
pf_kind_type pf_kind_type_of(pfft3d_axis_kind kind);
int pf_kind_keeps_all(pfft3d_axis_kind kind);

/** Local. The kind of the inverse transform (of dct2: dct3); the factor by which a transform and
 *  its inverse multiply a line of n points: 2 (n-1), 2 (n+1), 2 n, n, or 1; the least n (2 for
 *  dct1). */
pfft3d_axis_kind pf_kind_inverse(pfft3d_axis_kind kind);
double pf_kind_logical(pfft3d_axis_kind kind, ptrdiff_t n);
ptrdiff_t pf_kind_least(pfft3d_axis_kind kind);

/** Local. The points of the complex transforms that an axis needs. */
ptrdiff_t pf_kind_points(pfft3d_axis_kind kind, ptrdiff_t n);

/* One step: points out[0], out[1] of a line are a 2x2 matrix of complex numbers times points in[0],
 * in[1]; out[1] is -1 if there is no second result. */
typedef struct pf_pair {
  int32_t in[2], out[2];
  double m[2][2][2]; /* [result][point][re, im] */
} pf_pair;

/* A real-to-real transform of n points: `runs` complex transforms of m points, whose points are
 * numbered one run after the other.  The steps before and after are either a list of pairs, or a
 * permutation: move[i] is the source of point i of the complex transforms (before), or of point i
 * of the result (after); ~source: negated. */
typedef struct pf_kind_steps {
  ptrdiff_t n, m;
  int runs, sign;
  ptrdiff_t pairs[2]; /* number of pairs before, after; 0: moves */
  pf_pair *pair[2];
  int32_t *move[2];
} pf_kind_steps;

/** Local. Number, length and sign of the complex transforms of a real-to-real kind. */
void pf_kind_shape(pfft3d_axis_kind kind, ptrdiff_t n, pf_kind_steps *s);

/** Local. Makes all tables.  Errors: MEMORY. */
int pf_kind_steps_make(pfft3d_axis_kind kind, ptrdiff_t n, pf_kind_steps *s, pfft3d_error *e);
void pf_kind_steps_free(pf_kind_steps *s);

/* Addresses of points: at[i] + offset, each `bytes` long, all complex numbers in one precision. */
typedef struct pf_points {
  char *const *at;
  ptrdiff_t offset;
} pf_points;

/** Local. Applies pairs to points of @p bytes bytes, a multiple of 32, and at least 32.  @p
 * streams: whole cache lines of results are written by streaming stores; a fence must follow, as
 * after pf_move(). */
void pf_pairs_apply(const pf_pair *pair, ptrdiff_t count, pf_points from, pf_points to,
                    size_t bytes, pfft3d_precision precision, int streams);

#endif
