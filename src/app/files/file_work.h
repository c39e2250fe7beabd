/* SPDX-License-Identifier: BSD-3-Clause
 * The transform of one file. */
#ifndef PF_APP_FILES_FILE_WORK_H
#define PF_APP_FILES_FILE_WORK_H

#include "app/common/field_file.h"
#include "app/files/file_job.h"
#include "app/run/run.h"

typedef struct file_work {
  app *a;
  const file_terms *terms;
  pfft3d_direction direction;
  pfft3d_side from, to;
  field_input in;
  int line;           /* nonzero: all ranks transform it as a line */
  ptrdiff_t asked[3]; /* size of the field from the command line; 0: not given */
  pfft3d_problem problem;
  int norm; /* NORM_... */
  int half; /* axis along which the spectrum of a real field is half of one; -1: none */
  pfft3d_output *output;
  run r;
  timing t;
  double seconds[2]; /* writing, reading again */
  json_t *check;     /* NULL: not checked */
} file_work;

/** Collective on a->comm. Finds the problem, the sides and the normalization of an inspected input.
 * Returns a->error.status. */
int file_problem(file_work *j);

/** Local. The factor of a normalization, NORM_..., as text for attributes. */
const char *file_factor(pfft3d_direction direction, int norm);

#endif
