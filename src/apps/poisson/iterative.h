/* SPDX-License-Identifier: BSD-3-Clause
 * Iterative solvers of the five-point stencil with u = 0 on the sides, for comparison. */
#ifndef PF_APPS_POISSON_ITERATIVE_H
#define PF_APPS_POISSON_ITERATIVE_H

#include <stddef.h>

/* Arrays of (n0+2) x (n1+2) numbers, including the sides, which are 0. */
typedef struct sheet {
  ptrdiff_t n[2];
  double weight[2]; /* 1/h^2 along each axis */
  double *f, *u;    /* the right-hand side, and the solution, at first 0 */
  double *work[3];
  double seconds;          /* set by methods with preparations: time of the solution alone */
  double sweeps, patience; /* expected number of sweeps; seconds that it may take */
  double start, estimate;  /* time when a solution began; its expected seconds */
} sheet;

enum { ITERATIVE_MEMORY = -1, ITERATIVE_FAILED = -2, ITERATIVE_STOPPED = -3 };

/** Local. Solves until the residual is `share` of the residual of u = 0; returns the number of
 * iterations, ITERATIVE_MEMORY without memory, ITERATIVE_FAILED when the library reports an error,
 * or ITERATIVE_STOPPED as soon as the rate shows that it takes more than s->patience. */
typedef long iterative_method(sheet *s, double share);
iterative_method iterative_jacobi, iterative_sor, iterative_cg;
iterative_method iterative_multigrid; /* with hypre only; it is not stopped */

/** Local. Approximate number of iterations of these methods, for any right-hand side. */
typedef double iterative_count(const sheet *s, double share);
iterative_count iterative_jacobi_count, iterative_sor_count, iterative_cg_count;

/** Local. Elements of an array; the norm of f - laplacian(u) over the norm of f. */
ptrdiff_t iterative_elements(const sheet *s);
double iterative_residual(const sheet *s);

#endif
