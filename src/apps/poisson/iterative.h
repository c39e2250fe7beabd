/* SPDX-License-Identifier: BSD-3-Clause
 * Iterative solvers of the five-point stencil with u = 0 on the sides, for comparison. */
#ifndef PF_APPS_POISSON_ITERATIVE_H
#define PF_APPS_POISSON_ITERATIVE_H

#include <stddef.h>

/* Arrays of (n0+2) x (n1+2) numbers, with the sides, which are 0. */
typedef struct sheet {
  ptrdiff_t n[2];
  double weight[2]; /* 1/h^2 along each axis */
  double *f, *u;    /* the right-hand side, and the solution, at first 0 */
  double *work[3];
  double seconds; /* a method that prepares for an equation sets it: of the solution alone */
  double sweeps, patience; /* that it is to take, at a guess; seconds that it may take */
  double start, estimate;  /* of a solution; of its seconds */
} sheet;

enum { ITERATIVE_MEMORY = -1, ITERATIVE_FAILED = -2, ITERATIVE_STOPPED = -3 };

/** Local. Solves until the residual is `share` of that of u = 0; returns the number of iterations,
 * ITERATIVE_MEMORY without memory, ITERATIVE_FAILED when the library reports an error, or
 * ITERATIVE_STOPPED, at once where it takes more than s->patience at this rate. */
typedef long iterative_method(sheet *s, double share);
iterative_method iterative_jacobi, iterative_sor, iterative_cg;
iterative_method iterative_multigrid; /* with hypre only; it is not stopped */

/** Local. About how many iterations these need for that, whatever the right-hand side. */
typedef double iterative_count(const sheet *s, double share);
iterative_count iterative_jacobi_count, iterative_sor_count, iterative_cg_count;

/** Local. Elements of an array; and the norm of f - laplacian(u) over that of f. */
ptrdiff_t iterative_elements(const sheet *s);
double iterative_residual(const sheet *s);

#endif
