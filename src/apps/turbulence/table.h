/* SPDX-License-Identifier: BSD-3-Clause
 * A table in CSV that grows while the program runs: a row is written at once, so that a run that is
 * killed loses none, and a restarted run continues in the same file. */
#ifndef PF_APPS_TURBULENCE_TABLE_H
#define PF_APPS_TURBULENCE_TABLE_H

#include "app/common/app.h"

typedef struct table {
  const char *name, *header;
  FILE *file;                                       /* on rank 0, if there is a table */
  long end;                                         /* of the rows that remain */
  enum { TABLE_STREAM, TABLE_OLD, TABLE_NEW } kind; /* new: no file had the name */
} table;

/** Local; rank 0 opens the file, others do nothing. @p name is "" for no table, "-" for stdout.  An
 * existing file is unchanged until table_begin(); a new one is empty, and table_close() removes it
 * unless table_begin() has been called.  Errors: OUTPUT; DATA for a file with other columns, if @p
 * from is not negative. */
int table_open(const app *a, table *t, const char *name, const char *header, double from,
               pfft3d_error *e);

/** Local. Removes the rows of a file, or, if `from` was not negative, the rows with a first column
 * of `from` or more; writes the header if no row is left.  Errors: IO. */
int table_begin(table *t, pfft3d_error *e);

/** Local. Appends numbers as a row, which is in the file on return.  Errors: IO. */
int table_row(table *t, const double *value, int count, pfft3d_error *e);

/** Local. Errors: IO. */
int table_close(table *t, pfft3d_error *e);

#endif
