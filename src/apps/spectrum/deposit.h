/* SPDX-License-Identifier: BSD-3-Clause
 * The density of particles on a distributed grid. */
#ifndef PF_APPS_SPECTRUM_DEPOSIT_H
#define PF_APPS_SPECTRUM_DEPOSIT_H

#include "app/common/field_file.h"

/* The grid of particles: cell (i, j, k) belongs to one rank. */
typedef struct deposit {
  ptrdiff_t n[3];
  int dims; /* coordinates of a particle, along the last axes */
  double length[3];
  pfft3d_box box;             /* of this rank */
  double *density;            /* of its cells, in C order */
  long double weight, square; /* sums of the weights of all particles, and of their squares, which
                                 may overflow a double */
  double particles;
} deposit;

/** Collective on a->comm. Reads positions and weights (NULL: all 1) in parts, and adds each
 * particle to the cells around it on any rank (cloud in cell, periodic).  @p plan determines the
 * ranks of the cells.  Errors, in a->error: as field_read(). */
int deposit_run(app *a, deposit *d, const pfft3d_plan *plan, field_input *positions,
                field_input *weights);

#endif
