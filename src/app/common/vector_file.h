/* SPDX-License-Identifier: BSD-3-Clause
 * Vector fields in files: a dataset for each component, or one with an axis of components. */
#ifndef PF_APP_COMMON_VECTOR_FILE_H
#define PF_APP_COMMON_VECTOR_FILE_H

#include "app/common/field_file.h"

/** Collective on a->comm. Inspects datasets, as --input names them: "FILE:/a,/b,/c" or
 * "FILE:/group/a,b,c", or with --components, or if @p guess is nonzero and no other reading is
 * possible, each component of one dataset.  Of the @p most elements of @p in *count are to be
 * closed, also after an error. Errors, in a->error: those of field_probe(), USAGE. */
int vector_probe(app *a, const char *text, int guess, field_input *in, int most, int *count);

enum { VECTOR_MOST = 3 };

/* The components of a result.  Each has a dataset of its own in an HDF5 file; a file of numpy has
 * one array, whose first axis has the components, or with --components last the last one. */
typedef struct vector_output {
  field_output out;
  const field_input *in; /* paths and attributes come from them */
  int inputs, outputs;
  pfft3d_output_spec wish; /* numbers, dims, n and attributes of each component */
  char path[VECTOR_MOST][FIELD_PATH];
} vector_output;

/** Collective on a->comm. Creates --output.  Results have the paths of the inputs, if each has one
 * of its own; others get a number behind the path.  A single result of several inputs has the path
 *  @p single.  Errors, in a->error: those of field_create(). */
int vector_create(app *a, vector_output *o, const char *single);

/** Collective on a->comm. Writes the components, points that are packed at the beginning of their
 *  arrays, and completes the file.  Errors, in a->error: CHECK if one of them is not finite, before
 * one is written, and those of field_write(). */
int vector_write(app *a, vector_output *o, const rows *r, void *const *array);

/** Local. Fails unless all have the shape of the first one; *numbers: complex if one of them is.
 *  Errors, in a->error: DATA. */
int vector_check(app *a, const field_input *in, int count, pfft3d_numbers *numbers);

#endif
