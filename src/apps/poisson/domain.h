/* SPDX-License-Identifier: BSD-3-Clause
 * The domain of Poisson's equation: grid, lengths and boundary conditions.  Along each axis they
 * say which transform has the eigenvectors of the second derivative, and its eigenvalues. */
#ifndef PF_APPS_POISSON_DOMAIN_H
#define PF_APPS_POISSON_DOMAIN_H

#include <pfft3d_tune.h>

/* The conditions at both ends of an axis, and where its points lie. */
typedef struct boundary {
  const char *name;
  pfft3d_axis_kind kind;
  int first;    /* half waves, or waves, in the first eigenvector */
  int more;     /* intervals minus points */
  double start; /* of the first point, in intervals */
  int regular;  /* the solution does not leave a constant open */
} boundary;

/* Axes are those of a field of three dimensions: one and two dimensions have leading axes of one
 * point, without conditions. */
typedef struct domain {
  int dims;
  ptrdiff_t n[3];
  const boundary *side[3]; /* NULL: no axis of the problem */
  double length[3];
  int second; /* the stencil of three points per axis, else the continuous operator */
  int open;   /* free space: all sides are open */
} domain;

/** Local. Whether all names in "B" or "B,B,..." are known, however many axes there are; empty ones
 *  are left to domain_sides().  Errors: USAGE, with the valid names. */
int domain_check_names(const char *text, pfft3d_error *e);

/** Local. Reads "B", for all axes, or a name for each of the `dims` axes.  Errors: USAGE, with the
 *  valid names. */
int domain_sides(domain *d, const char *text, pfft3d_error *e);

/** Local. Whether the domain has points enough for its conditions.  Errors: @p status. */
int domain_check(const domain *d, int status, pfft3d_error *e);

/** Local. The distance of points along an axis, and where point i is. */
double domain_step(const domain *d, int axis);
double domain_place(const domain *d, int axis, ptrdiff_t i);

/** Local. Eigenvalue k of the second derivative along an axis: of the stencil, or of the continuous
 *  one.  A periodic axis has those of a DFT of n points. */
double domain_eigenvalue(const domain *d, int axis, ptrdiff_t k);

/** Local. Whether the solution is known but for a constant. */
int domain_singular(const domain *d);

/** Local. The weight of point i of an axis in a mean: 1, or 1/2 at walls. */
double domain_weight(const domain *d, int axis, ptrdiff_t i);

/** Local. Writes "periodic,dirichlet", and "64x48". */
char *domain_print_sides(const domain *d, char *out, size_t size);
char *domain_print_size(const domain *d, char *out, size_t size);

#endif
