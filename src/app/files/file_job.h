/* SPDX-License-Identifier: BSD-3-Clause
 * From file to file: an HDF5 dataset in, its transform out, for every command that does so. */
#ifndef PF_APP_FILES_FILE_JOB_H
#define PF_APP_FILES_FILE_JOB_H

#include "app/common/app.h"

/* Differences between commands. */
typedef struct file_terms {
  int lines;           /* nonzero: datasets of one dimension only */
  const char *option;  /* option with the size of the field: "grid" */
  const ptrdiff_t *n;  /* its value; n[0] = 0: not given */
  const char *example; /* for the hint if --input or --output is missing */
} file_terms;

/** Collective on a->comm. Transforms --input into --output, in the direction of the options, by
 *  default forward, and prints the report. Returns a->error.status. */
int file_job_run(app *a, const file_terms *terms);

#endif
