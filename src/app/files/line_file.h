/* SPDX-License-Identifier: BSD-3-Clause
 * line --input: lines in files. */
#ifndef PF_APP_FILES_LINE_FILE_H
#define PF_APP_FILES_LINE_FILE_H

#include "app/common/app.h"

/** Collective on a->comm. `line` of a file: dataset in, transform, dataset out.  Returns
 *  a->error.status. */
int line_file_run(app *a);

#endif
