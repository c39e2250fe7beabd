/* SPDX-License-Identifier: BSD-3-Clause
 * Points along an axis that are not equidistant, and the second derivative there. */
#ifndef PF_APPS_POISSON_GRID_H
#define PF_APPS_POISSON_GRID_H

#include <complex.h>
#include <stddef.h>

/* Flows between neighbours over the lengths of control volumes:
 *     volume[i] u''[i] = (u[i+1] - u[i]) link[i+1] - (u[i] - u[i-1]) link[i]
 * where u[-1] and u[n] are values at walls, or link is 0 where a derivative is given. */
typedef struct grid {
  int axis;
  ptrdiff_t n;     /* points */
  ptrdiff_t edges; /* n + 1 faces of cells; nodes with those on walls */
  double *edge;    /* their coordinates, which ascend */
  double *place;   /* of points, from the low wall */
  double *volume;  /* lengths of control volumes */
  double *link;    /* n + 1 inverse distances */
} grid;

enum { GRID_LANES = 16 };

/** Local. Makes everything of coordinates, which are copied; the conditions at the ends: a value is
 *  given, or a derivative.  grid_free() frees it.  Returns NULL without memory. */
grid *grid_make(int axis, ptrdiff_t n, int cells, const int value_given[2], const double *edge,
                ptrdiff_t edges);
void grid_free(grid *g);

/** Local. The index of the first coordinate that is not larger than the one before, or not finite;
 *  0: all ascend. */
ptrdiff_t grid_check(const double *edge, ptrdiff_t edges);

/** Local. Solves factor u'' + shift u = f for GRID_LANES lines, with a shift of at most 0 for each
 *  but no singular one.  Row i of f has point i of all lines; u replaces it.  pivot: as much
 * memory. */
void grid_solve(const grid *g, double factor, const double shift[GRID_LANES], double *f,
                double *pivot);

/** Local. The same for one line and any shift: by elimination with pivoting.  work: 3 n numbers.
 * Returns the smallest pivot over the largest entry of the matrix. */
double grid_solve_any(const grid *g, double factor, double complex shift, double complex *f,
                      double complex *work);

/** Local. The same for shift 0 and given derivatives at both ends: f less its mean, which is
 *  returned; u has mean 0. */
double complex grid_solve_mean(const grid *g, double factor, double complex *f);

/** Local. The number of eigenvalues of factor u'' that are larger than -shift. */
ptrdiff_t grid_modes(const grid *g, double factor, double shift);

#endif
