/* SPDX-License-Identifier: BSD-3-Clause
 * Vector fields in files: a dataset for each component, or one with an axis of components. */
#ifndef PF_APP_COMMON_VECTOR_FILE_H
#define PF_APP_COMMON_VECTOR_FILE_H

#include "app/common/field_file.h"

/** Collective on a->comm. Inspects the datasets of --input: "FILE:/a,/b,/c" or "FILE:/group/a,b,c",
 *  or with --components, or if @p guess is nonzero and no other reading is possible, each component
 *  of one dataset.  Of the @p most elements of @p in *count are to be closed, also after an error.
 *  Errors, in a->error: those of field_probe(), USAGE. */
int vector_probe(app *a, int guess, field_input *in, int most, int *count);

/** Local. Fails unless all have the shape of the first one; *numbers: complex if one of them is.
 *  Errors, in a->error: DATA. */
int vector_check(app *a, const field_input *in, int count, pfft3d_numbers *numbers);

#endif
