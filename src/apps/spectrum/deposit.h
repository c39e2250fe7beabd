/* SPDX-License-Identifier: BSD-3-Clause
 * The density of particles on a distributed grid. */
#ifndef PF_APPS_SPECTRUM_DEPOSIT_H
#define PF_APPS_SPECTRUM_DEPOSIT_H

#include "app/common/field_file.h"

/* Datasets of particles. */
typedef struct particles {
  field_input *position; /* one of N x dims, or `columns` of N */
  int columns;
  field_input *weight; /* NULL: all 1 */
  ptrdiff_t count;
} particles;

/* The grid of particles: cell (i, j, k) belongs to one rank. */
typedef struct deposit {
  ptrdiff_t n[3];
  int dims; /* coordinates of a particle, along the last axes */
  double length[3];
  int order;          /* of the spline by which a particle is assigned: a WINDOW_... */
  int fold;           /* the box is folded into one of length / fold; 1: it is not */
  int outside;        /* an OUTSIDE_...: what becomes of particles that are not in the box */
  pfft3d_box box;     /* of this rank */
  double *density[2]; /* of its cells, in C order; the second one, of a grid that lies half a cell
                         further along each axis, may be NULL */
  long double weight, square; /* sums of the weights of all particles, and of their squares, which
                                 may overflow a double */
  double particles;           /* that were assigned */
  double strangers;           /* that are not in the box */
  double seconds[2];          /* of this rank: sending, assigning */
} deposit;

/** Collective on a->comm. Reads the particles in parts, and adds each to the cells around it on any
 *  rank, periodic.  @p plan determines the ranks of the cells.  Errors, in a->error: as
 * field_read(); DATA for particles outside the box, if these are errors. */
int deposit_run(app *a, deposit *d, const pfft3d_plan *plan, const particles *p);

#endif
