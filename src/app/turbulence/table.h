/* SPDX-License-Identifier: BSD-3-Clause
 * A table in CSV that grows while the program runs: a row is in the file as soon as it is known, so
 * that a run that is killed loses none, and one that is restarted goes on in the same file. */
#ifndef PF_APP_TURBULENCE_TABLE_H
#define PF_APP_TURBULENCE_TABLE_H

#include "app/common/app.h"

typedef struct table {
  const char *name;
  FILE *file; /* on rank 0, if there is a table */
} table;

/** Local; rank 0 opens, others do nothing. @p name is "" for no table, "-" for stdout.  A file that
 *  exists is replaced; where @p from is not negative, rows with a first column less than that
 *  remain.  Errors: OUTPUT, IO; DATA for a file with other columns. */
int table_open(const app *a, table *t, const char *name, const char *header, double from,
               pfft3d_error *e);

/** Local. Appends numbers as a row; the file has it on return.  Errors: IO. */
int table_row(table *t, const double *value, int count, pfft3d_error *e);

/** Local. Errors: IO. */
int table_close(table *t, pfft3d_error *e);

#endif
