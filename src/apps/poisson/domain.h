/* SPDX-License-Identifier: BSD-3-Clause
 * The domain of Poisson's equation: grid, lengths and boundary conditions.  Along each axis the
 * conditions determine the transform with the eigenvectors of the second derivative, and its
 * eigenvalues. */
#ifndef PF_APPS_POISSON_DOMAIN_H
#define PF_APPS_POISSON_DOMAIN_H

#include <pfft3d_tune.h>

#include "apps/poisson/grid.h"

/* What holds at an end of an axis. */
typedef enum end_kind { END_PERIODIC, END_DIRICHLET, END_NEUMANN, END_OPEN } end_kind;

/* The conditions at both ends of an axis, and the positions of its points. */
typedef struct boundary {
  const char *name;
  end_kind end[2]; /* low, high */
  pfft3d_axis_kind kind;
  double first; /* half waves, or waves, in the first eigenvector */
  int more;     /* intervals minus points */
  double start; /* of the first point, in intervals */
} boundary;

/* Domains always have three axes: with one and two dimensions the leading axes have one point and
 * no conditions. */
typedef struct domain {
  int dims;
  ptrdiff_t n[3];
  const boundary *side[3]; /* NULL: no axis of the problem */
  double length[3];
  double factor[3]; /* of the second derivative along each axis; 0: 1 */
  double
      shift[2]; /* lambda, real and imaginary part: the equation is laplacian(u) + lambda u = f */
  grid *grid;   /* of the axis whose points are not equidistant; NULL: all are */
  int second;   /* nonzero: the stencil of three points per axis; 0: the continuous operator */
  int open;     /* number of open axes: free space */
} domain;

/** Local. Checks that all names in "B" or "B,B,..." are known, for any number of axes;
 * domain_sides() rejects empty ones.  Errors: USAGE, with the valid names. */
int domain_check_names(const char *text, pfft3d_error *e);

/** Local. Reads "B", for all axes, or a name for each of the `dims` axes.  Errors: USAGE, with the
 *  valid names. */
int domain_sides(domain *d, const char *text, pfft3d_error *e);

/** Local. Checks that the domain has enough points for its conditions.  Errors: @p status. */
int domain_check(const domain *d, int status, pfft3d_error *e);

/** Local. The distance of points along an axis, the mean one of a grid, and the coordinate of point
 *  i. */
double domain_step(const domain *d, int axis);
double domain_place(const domain *d, int axis, ptrdiff_t i);

/** Local. The coefficient of the second derivative along an axis. */
double domain_factor(const domain *d, int axis);

/** Local. Nonzero if there is a term lambda u. */
int domain_shifted(const domain *d);

/** Local. Nonzero if the axis has a grid. */
int domain_stretched(const domain *d, int axis);

/** Local. Nonzero if derivatives are exact for all that points resolve, along all axes. */
int domain_spectral(const domain *d);

/** Local. Eigenvalue k of the second derivative along an axis, with its coefficient: of the
 *  stencil, or of the continuous one.  A periodic axis has the eigenvalues of a DFT of n points. */
double domain_eigenvalue(const domain *d, int axis, ptrdiff_t k);

/** Local. Nonzero if the conditions of an axis determine the constant of the solution. */
int domain_regular(const boundary *b);

/** Local. Nonzero if the axis is open. */
int domain_open(const domain *d, int axis);

/** Local. Nonzero if points of an axis are centres of cells, not nodes. */
int domain_cells(const boundary *b);

/** Local. The coefficient of the value that is given at a wall in the right-hand side of the
 * stencil at the point next to it. */
double domain_wall(const domain *d, int axis, int side);

/** Local. Nonzero if the solution is unique up to a constant only. */
int domain_singular(const domain *d);

/** Local. The weight of point i of an axis in a mean: 1, or 1/2 at walls; of a grid its volume. */
double domain_weight(const domain *d, int axis, ptrdiff_t i);

/** Local. Writes "periodic,dirichlet", and "64x48". */
char *domain_print_sides(const domain *d, char *out, size_t size);
char *domain_print_size(const domain *d, char *out, size_t size);

#endif
