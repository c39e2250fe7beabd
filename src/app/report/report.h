/* SPDX-License-Identifier: BSD-3-Clause
 * The report: one JSON tree, made once; JSON, CSV and text are three ways to print it. */
#ifndef PF_APP_REPORT_REPORT_H
#define PF_APP_REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "app/common/app.h"

#define REPORT_SCHEMA "pfft3d.report/1"

/* ---- Its files (report_file.c) ----------------------------------------------------------------
 */

/** Local, rank 0. Opens the files of --json and --csv before any expensive work, so that a name
 *  that cannot be written ends the run. Errors: OUTPUT; USAGE for files that the run reads or
 *  writes. */
int report_open(app *a);

/** Local, rank 0. Fails if a file that an option names for writing is named by another option, too.
 *  Errors, in a->error: USAGE.  report_places.c. */
int report_places(app *a);

/** Local. Nonzero if two names denote the same regular file, or will once it exists. */
int report_same_file(const char *x, const char *y);

/** Local, rank 0. Writes the report to its files, and to stdout if an option says so; returns 1 if
 *  it was written to stdout. Failures are recorded in a->error (IO). */
int report_write(app *a, const json_t *report);

/* ---- JSON: report_json.c with jansson, no_json.c without it ------------------------------------
 */

/* A file of JSON. */
typedef struct report_json {
  FILE *f;
  size_t bytes, most; /* that were read; the limit */
  int line;           /* of the first mistake, which is */
  char wrong[160];
} report_json;

/** Local. Fails in a build that can neither write nor read JSON: "cannot WHAT JSON".  UNAVAILABLE.
 */
int report_json_there(const char *what, pfft3d_error *e);
/** Local. Writes a value as JSON. */
void report_json_print(const json_t *value, FILE *f);
/** Local. Reads a value, which the caller frees; NULL on errors. */
json_t *report_json_read(report_json *j);

/* ---- The tree ---------------------------------------------------------------------------------
 */

/** Collective on a->comm. A tree with the common fields of all commands (schema, command, version,
 *  date, host, ranks, ...) and an empty array "runs". The caller owns it. */
json_t *report_begin(const app *a);

/** Local. The name and version of the MPI of this process, "Open MPI 4.1.4". */
void report_mpi(char *out, size_t size);

/** Local. Adds "seed", and "problem" if the options name a single problem. */
void report_problem(const app *a, json_t *report, const pfft3d_problem *p);

/** Local. Adds options that change the run, if they were given.  report_problem() does so, too. */
void report_given(const app *a, json_t *report);

/** Local. If the options name several problems, adds "problem" to all runs without one: the runs of
 *  the problem that was processed last. */
void report_sweep(const app *a, json_t *report, const pfft3d_problem *p);

/** Local. A JSON number; null if it is not finite. */
json_t *report_real(double value);

/** Local. A whole number as JSON: an integer up to 2^53, else a real. */
json_t *report_count(double value);

/** Local. Text from outside, such as the name of a file, as JSON: control characters and invalid
 *  UTF-8 are replaced. */
json_t *report_words(const char *words);

/** Local. Appends to "runs"; takes the reference. */
void report_add(json_t *report, json_t *run);

/** Local. On rank 0 writes the tree as the options say; frees it on all ranks. @p text prints the
 *  text to stdout unless JSON or CSV goes there or --quiet was given. Failures are recorded in
 *  a->error of rank 0 (IO), for main() to share. */
void report_end(app *a, json_t *report, void (*text)(const app *a, const json_t *report));

/* ---- Parts of texts (report_text.c)
 * ----------------------------------------------------------- */

/** Local. Prints two lines: command and problem, and the machine. */
void report_text_head(const app *a, const json_t *report);
/** Local. Prints the fields of one run, a line per topic; only the most important ones if brief. */
void report_text_run(const json_t *run, int brief);
/** Local. The runs of one direction from the fastest to the slowest, an array for the caller to
 *  free(); without memory NULL with *count = 0. */
json_t **report_ranked(const json_t *runs, const char *direction, size_t *count);
/** Local. Prints the runs of each direction from the fastest to the slowest. */
void report_text_ranking(const json_t *report);
/** Local. Prints the runs of a dry run from the cheapest to the most expensive if there are
 *  several, without runs that have "unranked". */
void report_text_predicted(const json_t *report);
/** Local. Prints the runs of several problems as a table (report_sweep.c). */
void report_text_sweep(const json_t *report);
/** Local. Writes the method of a line, "slab", or "pencil 4x2"; returns out. */
const char *report_cuts(const json_t *run, char out[48]);
/** Local. Writes the CSV table of all runs. */
/* Widths of columns of a table of runs, at least those of their titles. */
typedef struct report_widths {
  int decomp, exchange, engine; /* decomp: what report_cuts() says */
} report_widths;

/** Local. The widths that these runs need. */
report_widths report_columns(const json_t *runs);

void report_csv(const json_t *report, FILE *f);
/** Local. The value at a path like "time_s.median", or NULL. */
const json_t *report_at(const json_t *tree, const char *path);
/** Local. Writes a value without a unit, "8" or "4x1"; "" for objects and NULL. */
void report_plain(const json_t *v, char *out, size_t size);
/** Local. Writes a list of numbers as "4x1". */
void report_list_text(const json_t *list, char *out, size_t size);
/** Local. The number at a path, or 0; the string, or NULL. */
double report_number(const json_t *tree, const char *path);
const char *report_word(const json_t *tree, const char *path);
/** Local. Writes a time or a size with its unit, "12.34 ms" or "8 KiB"; returns out. */
char *report_seconds(double s, char out[32]);
char *report_bytes(double bytes, char out[32]);

#endif
