/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of compare: two reports are read, their runs matched, the pairs judged, and what was
 * found printed. */
#ifndef PF_APP_COMPARE_COMPARE_H
#define PF_APP_COMPARE_COMPARE_H

#include <jansson.h>

#include "app/common/app.h"

enum { COMPARE_RUNS = 512, COMPARE_KEYS = 12, COMPARE_WORD = 48, COMPARE_FIGURES = 12 };
enum { COMPARE_DIRECTION = COMPARE_KEYS - 1 }; /* the key that must be the same */
enum { COMPARE_LABEL = COMPARE_KEYS * COMPARE_WORD };
#define COMPARE_ARROW " -> " /* between a word of A and another one of B */

/* Numbers of the run of A and of that of B. */
typedef struct run_pair {
  int run[2];
} run_pair;

/* What says of a run what it is, in words; "" where it is not said. */
typedef struct run_key {
  char word[COMPARE_KEYS][COMPARE_WORD];
} run_key;

/** Local. Reads the report in @p file and makes sure that all that compare uses is what it should
 *  be: runs with times, and numbers where numbers are expected.  The caller owns *report.  Errors:
 *  NOINPUT, DATA. */
int compare_read(const char *file, json_t **report, pfft3d_error *e);

/** Local. A value of a report for people and for other reports: whatever could upset a terminal is
 *  replaced.  Returns out. */
char *compare_word(const json_t *value, char *out, size_t size);

/* Paths of what may explain a difference, besides phases. */
extern const char *const compare_figures[COMPARE_FIGURES];

/** Local. The name of key k, its value in a run, and what a run without that value is taken for. */
const char *compare_key_name(int k);
const json_t *compare_key_value(const json_t *run, int k);
const char *compare_key_none(int k);

/** Local. The keys of a run. */
void compare_key(const json_t *run, run_key *key);

/** Local. All words of a key, for messages; returns out. */
char *compare_label(const run_key *key, char out[COMPARE_LABEL]);

/** Local. Matches runs, of each report count[i] with these keys, into @p pairs, which holds as many
 *  as the shorter list; how many. */
int compare_match(const run_key *const key[2], const int count[2], run_pair *pairs);

/** Local. Judges the matched runs: the array that the report has of all pairs. */
json_t *compare_judge(const app *a, json_t *const report[2], const run_key *const key[2],
                      const run_pair *pairs, int count);

/** Local. Adds to `warnings` what speaks against believing times of report `side`: a busy machine,
 *  times that drift, failed checks. */
void compare_doubt(const app *a, const json_t *report, int side, const run_key *key,
                   json_t *warnings);

/** Local. Prints the comparison. */
void compare_text(const app *a, const json_t *report);

#endif
