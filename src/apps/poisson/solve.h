/* SPDX-License-Identifier: BSD-3-Clause
 * Solves Poisson's equation on a domain: a forward transform, and a backward one with the inverse
 * of the eigenvalues as factors. */
#ifndef PF_APPS_POISSON_SOLVE_H
#define PF_APPS_POISSON_SOLVE_H

#include "app/common/app.h"
#include "app/common/rows.h"
#include "app/run/run.h"
#include "apps/poisson/domain.h"

typedef struct solver {
  const app *a;
  domain d;
  run r;
  rows rows;         /* the points of this rank; alone they are real or complex numbers */
  int numbers;       /* in a point: 1 or 2 */
  double *lambda[3]; /* eigenvalues along each axis of the spectrum */
  double *kernel;    /* in free space: the transform of 1/r, as the spectrum lies */
  pfft3d_box spectrum;
  double seconds; /* of the last solution, on this rank */
  double mean[2]; /* of its right-hand side, if it was dropped and is more than rounding; else 0 */
  double size;    /* root of the mean square of the right-hand side */
  int coarse;     /* the right-hand side had single precision at most before it was read */
} solver;

/** Collective on a->comm. Plans; the right-hand side has complex numbers or real ones.  To be
 * closed with solver_close(), also after an error.  Errors, in @p e: those of run_open(). */
int solver_open(const app *a, solver *s, const domain *d, int is_complex, pfft3d_error *e);
void solver_close(solver *s);

/** Local. The array in which the points s->rows.part stand alone, in the precision of the run. */
void *solver_array(const solver *s);

/** Collective. Replaces the right-hand side in the array by the solution.  One that is not unique
 *  has the mean 0, and the mean of its right-hand side is dropped. */
void solver_run(solver *s);

/** Local. Whether numbers are single in the array or between ranks. */
int solver_is_single(const solver *s);

/** Local. Whether a mean was dropped: not one that is rounding, or not finite. */
int solver_dropped(const solver *s);

#endif
