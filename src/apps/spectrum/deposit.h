/* SPDX-License-Identifier: BSD-3-Clause
 * The density of particles on a distributed grid. */
#ifndef PF_APPS_SPECTRUM_DEPOSIT_H
#define PF_APPS_SPECTRUM_DEPOSIT_H

#include "app/common/field_file.h"

/* Where particles go: cell (i, j, k) of the grid belongs to one rank. */
typedef struct deposit {
  ptrdiff_t n[3];
  int dims; /* coordinates of a particle: those of the last axes */
  double length[3];
  pfft3d_box box;             /* of this rank */
  double *density;            /* of its cells, in C order */
  long double weight, square; /* sums of the weights of all particles, and of their squares, which
                                 are beyond a double where weights are not */
  double particles;
} deposit;

/** Collective on a->comm. Reads positions and weights (NULL: all 1) in parts, and adds each
 * particle to the cells around it, of all ranks (cloud in cell, periodic).  @p plan says which rank
 * has which cells.  Errors, in a->error: those of field_read(). */
int deposit_run(app *a, deposit *d, const pfft3d_plan *plan, field_input *positions,
                field_input *weights);

#endif
