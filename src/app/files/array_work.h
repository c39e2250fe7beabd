/* SPDX-License-Identifier: BSD-3-Clause
 * The transform of a dataset of any dimensions along some of them. */
#ifndef PF_APP_FILES_ARRAY_WORK_H
#define PF_APP_FILES_ARRAY_WORK_H

#include <pfft3d_nd.h>

#include "app/files/file_work.h"

enum { ARRAY_DIMS = 8 };

typedef struct array_work {
  app *a;
  field_input *in;
  pfft3d_direction direction;
  int from, to; /* sides */
  int dims;
  ptrdiff_t n[2][ARRAY_DIMS];        /* lengths of the whole array, by side */
  int axis[ARRAY_DIMS], axes;        /* transformed axes, as they were listed */
  pfft3d_axis_kind kind[ARRAY_DIMS]; /* of all dimensions */
  int real;                          /* nonzero: of real fields */
  int half;                          /* dimension of half a spectrum; -1: none */
  int norm;                          /* NORM_... */
  double scale[2], points;           /* factors, and what they divide by */
  char problem[240], listed[40];     /* as texts */
} array_work;

/** Collective on a->comm. Finds the axes, kinds, lengths and factors, from the options and from
 * what the transform that wrote the input said.  Returns a->error.status. */
int array_problem(array_work *j);

/** Collective on a->comm. Transforms an input of any dimensions along --axes into --output, and
 * prints the report.  Returns a->error.status. */
int array_job_run(app *a, field_input *in, pfft3d_direction direction);

#endif
