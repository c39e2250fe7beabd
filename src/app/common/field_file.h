/* SPDX-License-Identifier: BSD-3-Clause
 * The fields that a command reads from HDF5 files and writes to them, with the messages to users.
 * Steps that may fail (the header of an input, space for the output) come before the work.  In a
 * build without HDF5 files of numpy and of numbers only remain. */
#ifndef PF_APP_COMMON_FIELD_FILE_H
#define PF_APP_COMMON_FIELD_FILE_H

#include <pfft3d_hdf5.h>

#include "app/common/app.h"
#include "app/common/rows.h"

/* A dataset to read; all zero: none. */
typedef struct field_input {
  pfft3d_dataset *dataset;
  pfft3d_dataset_info info;
  int aside;                  /* nonzero: --raw and --offset describe another file */
  int dims;                   /* the most dimensions that the command takes; 0: 3 */
  pfft3d_precision precision; /* of the arrays to read into: from the options, else changed */
  double seconds;             /* seconds of reading on this rank */
  int told;                   /* nonzero: there was a warning of values that are not finite */
  double filled;              /* values that --fill has replaced */
} field_input;

/* A dataset to write; all zero: none. */
typedef struct field_output {
  pfft3d_output *output;
  char name[FILE_SIZE];
  double seconds; /* seconds of writing on this rank */
} field_output;

/** Collective on a->comm. Inspects "FILE[:/path]", which --raw describes unless it is --with; the
 *  caller closes it with field_close(), also after an error.  Errors, in a->error: those of
 *  pfft3d_dataset_open(). */
int field_probe(app *a, const char *name, field_input *in);

/** Collective on a->comm. Reads this rank's box.  Non-finite values are replaced with --fill, else
 *  an error; without --strict they cause a warning if @p otherwise, their effect in words, is not
 *  NULL.  Errors, in a->error: those of pfft3d_dataset_read(), DATA. */
int field_read(app *a, field_input *in, pfft3d_numbers numbers, const pfft3d_box *box, void *array,
               const char *otherwise);

/** Collective on a->comm. As field_read(), for this rank's block of a dataset of any dimensions. */
int field_read_block(app *a, field_input *in, pfft3d_numbers numbers, const pfft3d_block *block,
                     void *array, const char *otherwise);

enum { FIELD_PATH = 600 };

/** Local. The path of an input, without its selection; returns path. */
const char *field_path(const pfft3d_dataset_info *info, char path[FIELD_PATH]);

/** Collective on a->comm. A text attribute, "" if there is none.  Errors, in a->error: those of
 *  pfft3d_dataset_attribute(). */
int field_attribute(app *a, const field_input *in, const char *name, char *text, size_t size);

/** Collective on a->comm. Creates the output that @p wish describes: its numbers, dims, n and
 *  attributes, with the path, the attributes and, without wish->axes, the dimensions of @p source
 *  (may be NULL), the version and the name of the source.  The name is --output's if @p wish has
 * none; precision and overwriting are set by the options.  Errors, in a->error: those of
 * pfft3d_output_create(). */
int field_create(app *a, const field_input *source, const pfft3d_output_spec *wish,
                 field_output *out);

/** Local. The error of a result with `count` non-finite values, though the input has none; 0: their
 * number is unknown. */
int field_not_finite(app *a, double count);

/** Collective on a->comm. Writes this rank's box and completes the file.  Errors, in a->error:
 *  those of pfft3d_output_write() and pfft3d_output_commit(). */
int field_write(app *a, field_output *out, const pfft3d_box *box, const void *array);

/** Collective on a->comm. Writes this rank's block of an output of any dimensions, which is not
 *  complete by that.  Errors, in a->error: those of pfft3d_output_write(). */
int field_write_block(app *a, field_output *out, const pfft3d_block *block, const void *array);

/** Collective on a->comm. Completes the file. */
int field_commit(app *a, field_output *out);

/** Collective on a->comm. As field_write() for the points of this rank, which are packed at the
 *  beginning of the array, if they are all finite, or if @p finite is 0, since the input has
 *  non-finite values.  Errors, in a->error: CHECK, and those of field_write(). */
int field_write_rows(app *a, field_output *out, const rows *r, const void *array, int finite);

/** Collective on a->comm. Writes this rank's box, and adds the next dataset in the same file, as
 *  pfft3d_output_add() does, with what field_create() takes from @p source, if it is not NULL;
 *  field_write() then writes the next dataset. */
int field_write_next(app *a, field_output *out, const pfft3d_box *box, const void *array,
                     const field_input *source, const pfft3d_output_spec *next);

/** Collective on a->comm. Frees an input; removes an output that is not complete. */
void field_close(field_input *in);
void field_discard(field_output *out);

#endif
