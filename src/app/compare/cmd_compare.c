/* SPDX-License-Identifier: BSD-3-Clause
 * compare: finds differences between the times of two reports that exceed noise, for two machines,
 * versions or settings.  One process reads and prints; other processes wait. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/compare/compare.h"
#include "app/report/report.h"

/* Settings of reports; all different ones are listed. */
static const char *const settings[] = {
    "command",     "version", "problem",        "class",      "iterations", "seed", "host",
    "nodes",       "ranks",   "ranks_per_node", "node_ranks", "threads",    "mpi",  "fftw",
    "interleaved", "cuts",    "bricks",         "chunk",      "local",      "norm", "deterministic",
    "bc",          "stencil", "equation",       "wall_values", "coordinates"};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

typedef struct comparison {
  json_t *report[2];
  run_key *key[2];
  int count[2]; /* runs */
} comparison;

static const char *const sides[2] = {"a", "b"};

/* ---- The head of the report --------------------------------------------------------------- */

static json_t *word_json(const json_t *value, char out[COMPARE_LABEL]) {
  return value ? json_string(compare_word(value, out, COMPARE_LABEL)) : json_null();
}

/* "file", "date", "load_average" and "settings" of a side. */
static json_t *head_of(const char *file, const json_t *report) {
  char word[COMPARE_LABEL];
  json_t *j = json_object(), *set = json_object(), *load = json_array();
  for (int i = 0; i < SETTINGS; i++) {
    const json_t *v = report_at(report, settings[i]);
    if (v) json_object_set_new(set, settings[i], word_json(v, word));
  }
  for (size_t i = 0; i < 3; i++) {
    const json_t *v = json_array_get(report_at(report, "load_average"), i);
    if (v) json_array_append_new(load, json_real(json_number_value(v)));
  }
  json_object_set_new(j, "file", report_words(file));
  json_object_set_new(j, "date", word_json(report_at(report, "date"), word));
  json_object_set_new(j, "load_average", load);
  json_object_set_new(j, "settings", set);
  return j;
}

/* Names of the settings that differ. */
static json_t *differing(const json_t *report) {
  json_t *list = json_array();
  for (int i = 0; i < SETTINGS; i++) {
    const json_t *a = json_object_get(report_at(report, "a.settings"), settings[i]);
    const json_t *b = json_object_get(report_at(report, "b.settings"), settings[i]);
    if ((a || b) && !(a && b && json_equal(a, b)))
      json_array_append_new(list, json_string(settings[i]));
  }
  return list;
}

/* Warns once of two different problems. */
static void warn_work(const char *const problem[2], json_t *list) {
  if (json_array_size(list) || !problem[0] || !problem[1] || !strcmp(problem[0], problem[1]))
    return;
  json_array_append_new(list, json_sprintf("A and B did different work, %s and %s: the ratio of "
                                           "their times is not one of speed",
                                           problem[0], problem[1]));
}

static json_t *warnings_json(const app *a, const comparison *c, const json_t *report,
                             const run_pair *pairs, int count) {
  json_t *list = json_array();
  const char *whole[2] = {report_word(report, "a.settings.problem"),
                          report_word(report, "b.settings.problem")};
  warn_work(whole, list);
  for (int i = 0; i < count; i++) {
    const char *words[2];
    for (int s = 0; s < 2; s++) words[s] = c->key[s][pairs[i].run[s]].word[COMPARE_PROBLEM];
    if (words[0][0] && words[1][0]) warn_work(words, list);
  }
  for (int s = 0; s < 2; s++) compare_doubt(a, c->report[s], s, c->key[s], list);
  return list;
}

/* ---- Runs --------------------------------------------------------------------------------- */

/* Labels of runs without a partner. */
static json_t *unmatched(const comparison *c, int side, const run_pair *pairs, int count) {
  char label[COMPARE_LABEL];
  json_t *list = json_array();
  for (int i = 0; i < c->count[side]; i++) {
    int matched = 0;
    for (int p = 0; p < count; p++) matched |= pairs[p].run[side] == i;
    if (!matched) json_array_append_new(list, json_string(compare_label(&c->key[side][i], label)));
  }
  return list;
}

static int nothing_to_compare(app *a, const comparison *c) {
  char label[2][COMPARE_LABEL];
  for (int s = 0; s < 2; s++) compare_label(&c->key[s][0], label[s]);
  app_fail(&a->error, PFFT3D_ERR_DATA,
           "no run of '%.80s' (%d, as %.100s) belongs to one of '%.80s' (%d, as %.100s)",
           a->opt.argument[0], c->count[0], label[0], a->opt.argument[1], c->count[1], label[1]);
  app_hint(&a->error,
           "runs belong together that differ least, if there is no choice; give both "
           "commands the same --direction, and fewer of --exchange and --engine");
  return a->error.status;
}

static int add_pairs(app *a, comparison *c, json_t *report) {
  int least = c->count[0] < c->count[1] ? c->count[0] : c->count[1];
  run_pair *pairs = app_malloc(a, (size_t)least, sizeof *pairs);
  int count = compare_match((const run_key *const *)c->key, c->count, pairs);
  if (count == 0) {
    nothing_to_compare(a, c);
  } else {
    json_object_set_new(report, "pairs",
                        compare_judge(a, c->report, (const run_key *const *)c->key, pairs, count));
    json_t *rest = json_object();
    for (int s = 0; s < 2; s++) json_object_set_new(rest, sides[s], unmatched(c, s, pairs, count));
    json_object_set_new(report, "unmatched", rest);
    json_object_set_new(report, "warnings", warnings_json(a, c, report, pairs, count));
  }
  free(pairs);
  return a->error.status;
}

/* ---- The command -------------------------------------------------------------------------- */

/* Adds the report's problem to keys of its runs if the runs of the other report have one each. */
static void take_keys(const app *a, comparison *c, int s) {
  const json_t *runs = report_at(c->report[s], "runs");
  const json_t *other = json_array_get(report_at(c->report[!s], "runs"), 0);
  const json_t *problem = report_at(other, "problem") ? report_at(c->report[s], "problem") : NULL;
  c->count[s] = (int)json_array_size(runs);
  c->key[s] = app_malloc(a, (size_t)c->count[s], sizeof *c->key[s]);
  for (int i = 0; i < c->count[s]; i++)
    compare_key(json_array_get(runs, (size_t)i), problem, &c->key[s][i]);
}

/* Local, rank 0. */
static int compare_files(app *a, json_t *report) {
  comparison c = {0};
  int failed = 0;
  for (int s = 0; s < 2; s++) {
    const char *file = a->opt.argument[s];
    if ((failed = compare_read(file, &c.report[s], &a->error))) break;
    json_object_set_new(report, sides[s], head_of(file, c.report[s]));
  }
  for (int s = 0; s < 2 && !failed; s++) take_keys(a, &c, s);
  if (!failed) {
    json_object_set_new(report, "threshold_percent", json_real(a->opt.threshold));
    json_object_set_new(report, "differs", differing(report));
    add_pairs(a, &c, report);
  }
  for (int s = 0; s < 2; s++) {
    json_decref(c.report[s]);
    free(c.key[s]);
  }
  return a->error.status;
}

static int compare_run(app *a) {
  /* the machine of this process is of no interest */
  static const char *const elsewhere[] = {"host", "nodes", "ranks", "ranks_per_node", "threads",
                                          "mpi",  "fftw",  "runs",  "load_average"};
  json_t *report = report_begin(a);
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
    json_object_del(report, elsewhere[i]);
  if (a->rank == 0 && compare_files(a, report))
    json_decref(report);
  else
    report_end(a, report, compare_text);
  return a->error.status;
}

const command cmd_compare = {
    .name = "compare",
    .summary = "shows which differences between two reports exceed noise",
    .arguments = "A.json B.json",
    .options = "threshold json csv watchdog quiet verbose",
    .about =
        "A and B are reports (--json) of " COMPARE_OF
        ",\n"
        "from two machines, versions or settings.  Prints for each run of both: medians, their\n"
        "ratio with its 95 % confidence interval, and a verdict (Mann-Whitney test on the "
        "repeats,\n"
        "Holm's correction for the number of pairs).  Use at least 9 repeats.\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d --grid 256 --exchange packed --reps 15 --json a.json\n"
        "  mpirun -n 2 pfft3d --grid 256 --exchange pencils --reps 15 --json b.json\n"
        "  pfft3d compare a.json b.json\n"
        "  pfft3d compare old.json new.json --threshold 3 --json -\n",
    .run = compare_run,
};
