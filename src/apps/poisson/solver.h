/* SPDX-License-Identifier: BSD-3-Clause
 * A solution of Poisson's equation: what all ways to it share. */
#ifndef PF_APPS_POISSON_SOLVER_H
#define PF_APPS_POISSON_SOLVER_H

#include "app/common/app.h"
#include "app/common/rows.h"
#include "app/run/run.h"
#include "apps/poisson/walls.h"

typedef struct solver {
  const app *a;
  const walls *walls; /* their values; NULL: all are 0 */
  domain d;
  run r;
  rows rows;         /* the points of this rank; packed they are real or complex numbers */
  int numbers;       /* in a point: 1 or 2 */
  double *lambda[3]; /* eigenvalues along each axis of the spectrum */
  double *kernel;    /* in free space: the factors, with the layout of the spectrum */
  struct stretched *stretched; /* where the domain has a grid along an axis */
  pfft3d_box spectrum;
  double least;   /* of all eigenvalues and lambda together, the smallest absolute value */
  double seconds; /* of the last solution, on this rank */
  double mean[2]; /* of its right-hand side, if dropped and larger than rounding; else 0 */
  double size;    /* root of the mean square of the right-hand side */
  int singular;   /* nonzero: the solution is unique up to a constant only */
  int coarse;     /* the right-hand side had single precision at most before it was read */
} solver;

/** Collective. Plans a problem of a solution, with the spectrum in transposed order, a factor of
 * 1/N in the backward transform and so many arrays; as `known` decides, if it is not NULL.  Errors:
 * those of run_open(). */
int solver_plan(const solver *s, run *r, const pfft3d_problem *p, const pfft3d_decision *known,
                int arrays, pfft3d_error *e);

/** Collective. Fails if a rank has a mode for which lambda makes the operator singular: bad has
 * that rank and the mode, or the number of ranks.  Errors: USAGE. */
int solver_refuse(const solver *s, long bad[4], pfft3d_error *e);

/** Local. The array with the packed points s->rows.part, in the precision of the run. */
void *solver_array(const solver *s);

/** Local. Number `at` of that array. */
double solver_get(const solver *s, ptrdiff_t at);
void solver_put(const solver *s, ptrdiff_t at, double value);

/** Local. Numbers in an element of the spectrum: 1 or 2. */
int solver_parts(const solver *s);

/** Local. Nonzero if its numbers are floats. */
int solver_is_narrow(const solver *s);

/** Local. Nonzero if numbers have single precision in the array or in messages. */
int solver_is_single(const solver *s);

/** Local. Nonzero if a mean was dropped that is larger than rounding and finite. */
int solver_dropped(const solver *s);

#endif
