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

/* Dimensions of an output, and the names of those of its input, "" for none. */
typedef struct file_dims {
  int count;
  pfft3d_direction direction;
  int half; /* that of half a spectrum; -1: none */
  const ptrdiff_t *n;
  const pfft3d_axis_kind *kind;
  const char *const *known;
} file_dims;

/* What an output is told of its dimensions; the caller frees the values. */
typedef struct file_names {
  char name[8][80];
  double *values;
  pfft3d_axis axis[8];
} file_names;

/** Local. Names of the dimensions, if those of the input have any, else NULL: with k_ before them
 *  forward, where wave numbers are their coordinates, and without it backward. */
const pfft3d_axis *file_axes(const app *a, const file_dims *d, file_names *made);

/** Local. The name of an output before it is complete: with its path, if there are other datasets.
 */
void file_temporary(const app *a, const pfft3d_output *output, const pfft3d_dataset_info *input,
                    char name[2 * FILE_SIZE]);

/** Collective on a->comm. Fails, with IO, if a rank has found that the output @p differ s from what
 * it wrote.  Returns a->error.status. */
int file_compared(app *a, int differ);

/** Local. Prints the first lines of a report: those of all commands, and both files. */
void file_text_head(const app *a, const json_t *report);

/* What the attribute `problem` of a transform by array_job_run() has before its axes. */
#define ARRAY_AXES " axes="

#endif
