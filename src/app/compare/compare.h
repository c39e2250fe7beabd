/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of compare: reads two reports, matches their runs, judges the pairs, and prints the
 * result. */
#ifndef PF_APP_COMPARE_COMPARE_H
#define PF_APP_COMPARE_COMPARE_H

#include <jansson.h>

#include "app/common/app.h"

enum { COMPARE_RUNS = 512, COMPARE_KEYS = 12, COMPARE_WORD = 48, COMPARE_FIGURES = 12 };
enum {
  COMPARE_PROBLEM = 0,
  COMPARE_DIRECTION = COMPARE_KEYS - 1
}; /* the latter must be the same */
enum { COMPARE_LABEL = COMPARE_KEYS * COMPARE_WORD };
#define COMPARE_OF    "bench, line, transform, nas or poisson --manufactured" /* commands */
#define COMPARE_ARROW " -> " /* between different words of A and B */

/* The indices of two matched runs, in A and in B. */
typedef struct run_pair {
  int run[2];
} run_pair;

/* The words that identify a run; "" if the report lacks one. */
typedef struct run_key {
  char word[COMPARE_KEYS][COMPARE_WORD];
} run_key;

/** Local. Reads the report in @p file and checks all fields that compare uses: runs with times,
 *  and numbers where numbers are expected. The caller owns *report. Errors: NOINPUT, DATA. */
int compare_read(const char *file, json_t **report, pfft3d_error *e);

/** Local. Writes a value of a report as text without control characters; returns out. */
char *compare_word(const json_t *value, char *out, size_t size);

/* Paths of figures that may explain a difference, in addition to phases. */
extern const char *const compare_figures[COMPARE_FIGURES];

/** Local. The name of key k, its value in a run, and the word for a missing value. */
const char *compare_key_name(int k);
const json_t *compare_key_value(const json_t *run, int k);
const char *compare_key_none(int k);

/** Local. The keys of a run; @p problem is its report's problem if only the other report's runs
 * have problems of their own, or NULL. */
void compare_key(const json_t *run, const json_t *problem, run_key *key);

/** Local. All words of a key, for messages; returns out. */
char *compare_label(const run_key *key, char out[COMPARE_LABEL]);

/** Local. Matches the runs of two reports, count[i] with these keys; @p pairs has memory for the
 *  shorter list; returns the number of pairs. */
int compare_match(const run_key *const key[2], const int count[2], run_pair *pairs);

/** Local. Judges the matched runs; returns the array "pairs" of the report. */
json_t *compare_judge(const app *a, json_t *const report[2], const run_key *const key[2],
                      const run_pair *pairs, int count);

/** Local. Adds reasons to doubt the times of report `side` to `warnings`: a busy machine, times
 *  that drift, failed checks. */
void compare_doubt(const app *a, const json_t *report, int side, const run_key *key,
                   json_t *warnings);

/** Local. Prints the comparison. */
void compare_text(const app *a, const json_t *report);

#endif
