/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of the command compress, and the file that it writes: datasets "indices", in ascending
 * order, whose attributes describe the spectrum, and "values", with the attributes of the field. */
#ifndef PF_APPS_COMPRESS_COMPRESS_H
#define PF_APPS_COMPRESS_COMPRESS_H

#include "app/common/app.h"

#define COMPRESS_SCHEMA "pfft3d.compressed/1"

/** Collective on a->comm. Keeps the largest components of the dataset of --input.  Returns
 *  a->error.status. */
int compress_file(app *a);

/** Collective on a->comm. Writes the field that the components of --input define. */
int compress_expand(app *a);

/** Local. The name of a dataset of a file "FILE" or "FILE:/group"; returns 1 if it is too long,
 * else 0. */
int compress_name(const char *file, const char *dataset, char *out, size_t size);

#endif
