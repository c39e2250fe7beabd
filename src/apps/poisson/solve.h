/* SPDX-License-Identifier: BSD-3-Clause
 * Solves Poisson's equation on a domain: a forward transform, and a backward one with the inverse
 * of the eigenvalues as factors. */
#ifndef PF_APPS_POISSON_SOLVE_H
#define PF_APPS_POISSON_SOLVE_H

#include "apps/poisson/solver.h"

/** Collective on a->comm. Makes plans for a complex or real right-hand side.  solver_close() frees
 * them, also after an error.  Errors, in @p e: as run_open(); USAGE for a lambda
 * that is minus an eigenvalue. */
int solver_open(const app *a, solver *s, const domain *d, int is_complex, pfft3d_error *e);
void solver_close(solver *s);

/** Collective. Replaces the right-hand side in the array by the solution.  If it is not unique, the
 * mean of the right-hand side is dropped, and the solution gets the mean 0. */
void solver_run(solver *s);

#endif
