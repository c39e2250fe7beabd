/* SPDX-License-Identifier: BSD-3-Clause
 * Values of u, or of its derivative, that are given at the walls of a domain: --wall-values. */
#ifndef PF_APPS_POISSON_WALLS_H
#define PF_APPS_POISSON_WALLS_H

#include "app/common/field_file.h"
#include "apps/poisson/domain.h"

typedef struct wall {
  int given;
  double number[2];     /* of all points, unless there is a dataset */
  char name[FILE_SIZE]; /* of the dataset; "": none */
  field_input in;
  double
      *value; /* of a dataset: of the points of this rank that are next to the wall, in C order */
} wall;

typedef struct walls {
  int given;       /* number of walls with values; 0: the others do not count */
  int is_complex;  /* nonzero: some of the values are */
  wall side[3][2]; /* by the axis in the options, low and high */
} walls;

/** Local. Reads "0low=1,1high=FILE:/path", or "".  Errors: USAGE. */
int walls_parse(walls *w, const char *text, pfft3d_error *e);

/** Local. Moves the values to the axes of a domain, whose conditions are known.  Errors: USAGE for
 *  an axis that it does not have, or without a wall there. */
int walls_place(walls *w, const domain *d, pfft3d_error *e);

/** Collective on a->comm. Inspects the datasets.  Errors, in a->error: those of field_probe(); DATA
 *  for shapes that are not those of the sides. */
int walls_probe(app *a, walls *w, const domain *d);

/** Collective on a->comm. Reads the values next to the points of this rank, of 1 or 2 @p numbers
 * each.  Errors, in a->error: those of field_read(). */
int walls_read(app *a, walls *w, const domain *d, const pfft3d_box *part, int numbers);

/** Local. Adds to a right-hand side, packed points of @p part, what the stencils of points next to
 *  walls multiply by the given values. */
void walls_apply(const walls *w, const domain *d, const pfft3d_box *part, int numbers, int single,
                 void *array);

/** Collective on a->comm. Frees everything; *w may be all zero. */
void walls_close(walls *w);

#endif
