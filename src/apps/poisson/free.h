/* SPDX-License-Identifier: BSD-3-Clause
 * Free space along one, two or three axes: the factors of a solution. */
#ifndef PF_APPS_POISSON_FREE_H
#define PF_APPS_POISSON_FREE_H

#include "apps/poisson/solver.h"

/** Collective on a->comm. After the plan and the eigenvalues of the other axes: makes the kernel of
 *  two or three open axes.  Errors, in @p e: MEMORY; those of run_open(). */
int free_open(solver *s, pfft3d_error *e);

/** Local. The factors of a backward transform, for pfft3d_execute_factors(); context is the solver.
 */
void free_factors(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3], double *factor);

#endif
