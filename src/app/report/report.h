/* SPDX-License-Identifier: BSD-3-Clause
 * The report: one JSON tree, made once; JSON, CSV and text are three ways to print it. */
#ifndef PF_APP_REPORT_REPORT_H
#define PF_APP_REPORT_REPORT_H

#include <jansson.h>

#include "app/common/app.h"

#define REPORT_SCHEMA "pfft3d.report/1"

/* ---- Its files (report_file.c) ----------------------------------------------------------------
 */

/** Local, rank 0. Opens the files of --json and --csv, so that a name that cannot be written ends
 *  the run before anything expensive.  Errors: OUTPUT; USAGE for names of what the run reads or
 *  writes. */
int report_open(app *a);

/** Local. Whether two names are the same regular file, or will be once they are there. */
int report_same_file(const char *x, const char *y);

/** Local, rank 0. Writes the report to all of its files, and to stdout where an option says so:
 *  whether stdout is taken by that.  Failures are recorded in a->error (IO). */
int report_write(app *a, const json_t *report);

/* ---- The tree ---------------------------------------------------------------------------------
 */

/** Collective on a->comm. A tree with everything that is the same for all commands: schema,
 *  command, version, date, host, ranks, ...; and an empty array "runs".  The caller owns it. */
json_t *report_begin(const app *a);

/** Local. Adds "seed", and "problem" where the options ask for a single one. */
void report_problem(const app *a, json_t *report, const pfft3d_problem *p);

/** Local. Where the options ask for several problems, adds "problem" to all runs that have none:
 * those of the problem that has just been done. */
void report_sweep(const app *a, json_t *report, const pfft3d_problem *p);

/** Local. A JSON number, null where it is not finite. */
json_t *report_real(double value);

/** Local. A whole number as JSON: an integer where doubles count without gaps, else a real. */
json_t *report_count(double value);

/** Local. Words from outside, such as the name of a file, as JSON: what a terminal or JSON could
 * not take is replaced. */
json_t *report_words(const char *words);

/** Local. Appends to "runs"; takes the reference. */
void report_add(json_t *report, json_t *run);

/** Local. Prints the tree where it was asked for, on rank 0, and frees it.  Text goes to stdout
 *  through @p text unless stdout is taken or --quiet was given.  Failures are recorded in rank 0's
 *  a->error (IO), for main() to share. */
void report_end(app *a, json_t *report, void (*text)(const app *a, const json_t *report));

/* ---- The parts that texts are made of (report_text.c) -----------------------------------------
 */

/** Local. Two lines: what was done, and where. */
void report_text_head(const app *a, const json_t *report);
/** Local. All fields of one run, a line per topic; the most telling ones only where brief != 0. */
void report_text_run(const json_t *run, int brief);
/** Local. The runs of one direction from the fastest to the slowest, an array to free(); NULL
 * without memory, *count is then 0. */
json_t **report_ranked(const json_t *runs, const char *direction, size_t *count);
/** Local. The runs of each direction from the fastest to the slowest. */
void report_text_ranking(const json_t *report);
/** Local. The runs of a dry run from the cheapest to the dearest, where there are several; not
 * those that hold "unranked". */
void report_text_predicted(const json_t *report);
/** Local. The runs of several problems, as a table (report_sweep.c). */
void report_text_sweep(const json_t *report);
/** Local. The method of a line, "slab", or "pencil 4x2", of a run. */
const char *report_cuts(const json_t *run, char out[48]);
/** Local. The CSV table of all runs. */
void report_csv(const json_t *report, FILE *f);
/** Local. The value at a path like "time_s.median"; NULL where there is none. */
const json_t *report_at(const json_t *tree, const char *path);
/** Local. Writes a value as it stands, "8" or "4x1"; nothing where it is none. */
void report_plain(const json_t *v, char *out, size_t size);
/** Local. Writes a list of numbers as "4x1". */
void report_list_text(const json_t *list, char *out, size_t size);
/** Local. The number there, 0 if there is none; the word there, or NULL. */
double report_number(const json_t *tree, const char *path);
const char *report_word(const json_t *tree, const char *path);
/** Local. Writes a time or a size for people, "12.34 ms" or "8 KiB"; returns out. */
char *report_seconds(double s, char out[32]);
char *report_bytes(double bytes, char out[32]);

#endif
