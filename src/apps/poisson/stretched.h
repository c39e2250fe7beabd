/* SPDX-License-Identifier: BSD-3-Clause
 * The middle of a solution on a domain with a grid along one axis: between the transforms along the
 * other two axes, a tridiagonal system for each of their modes. */
#ifndef PF_APPS_POISSON_STRETCHED_H
#define PF_APPS_POISSON_STRETCHED_H

#include "apps/poisson/solver.h"

/** Collective on a->comm. After s->r has been opened: makes the second plan and the memory of
 * lines. Errors, in @p e: USAGE for a decomposition that cuts the axis, and for a lambda that is
 * minus an eigenvalue; MEMORY; those of run_open(). */
int stretched_open(solver *s, pfft3d_error *e);
void stretched_close(solver *s);

/** Collective. From the field to the solution, in the array of s->r; s->mean is that of this run.
 */
void stretched_run(solver *s);

#endif
