/* SPDX-License-Identifier: BSD-3-Clause
 * Reads a possibly hostile report: each field is checked before it is used. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/common/message.h"
#include "app/compare/compare.h"
#include "app/report/report.h"

/* No report of COMPARE_RUNS runs is larger. */
static const size_t most_bytes = (size_t)1 << 30;

/* Figures that may explain a difference, in addition to phases. */
const char *const compare_figures[COMPARE_FIGURES] = {"exchange.gbs_per_rank",
                                                      "exchange.hidden_share",
                                                      "messages.remote_per_rank",
                                                      "messages.bytes_each_max",
                                                      "memory.work_bytes",
                                                      "passes",
                                                      "messages.remote_bytes_per_rank",
                                                      "exchanges",
                                                      "plan_s",
                                                      "memory.user_bytes",
                                                      "idle_ranks",
                                                      "gflops"};

static int load(const char *file, json_t **report, pfft3d_error *e) {
  struct stat is;
  *report = NULL;
  if (report_json_there("read", e)) return e->status;
  report_json j = {.f = fopen(file, "r"), .most = most_bytes};
  if (!j.f)
    return app_fail(e, PFFT3D_ERR_NOINPUT, "cannot open '%.150s': %s", file, strerror(errno));
  int folder = fstat(fileno(j.f), &is) == 0 && S_ISDIR(is.st_mode);
  errno = 0;
  *report = folder ? NULL : report_json_read(&j);
  int failed = ferror(j.f), number = errno;
  fclose(j.f);
  if (folder) return app_fail(e, PFFT3D_ERR_NOINPUT, "cannot open '%.150s': it is a folder", file);
  if (failed)
    return app_fail(e, PFFT3D_ERR_NOINPUT, "cannot read '%.150s': %s", file, strerror(number));
  if (j.bytes > most_bytes)
    return app_fail(e, PFFT3D_ERR_DATA, "'%.150s' is no report: it has more than %zu MiB", file,
                    most_bytes >> 20);
  if (*report) return PFFT3D_OK;
  return app_fail(e, PFFT3D_ERR_DATA, "'%.150s' is no report: line %d is not JSON: %.120s", file,
                  j.line, j.wrong);
}

/* "runs[3].WHAT: expected ..." */
static int wrong_run(const char *file, size_t i, const char *what, const char *expected,
                     pfft3d_error *e) {
  return app_fail(e, PFFT3D_ERR_DATA, "'%.150s' is no report to compare: runs[%zu].%s: expected %s",
                  file, i, what, expected);
}

static int check_times(const char *file, size_t i, const json_t *run, pfft3d_error *e) {
  const json_t *reps = report_at(run, "time_s.reps");
  size_t r;
  json_t *t;
  if (!json_is_array(reps) || json_array_size(reps) == 0) {
    wrong_run(file, i, "time_s.reps", "the times of all repeats", e);
    app_hint(e, "reports of " COMPARE_OF " have them");
    return e->status;
  }
  json_array_foreach(reps, r, t) {
    double s = json_number_value(t); /* 0 if it is no number */
    if (!(s >= 1e-12 && s <= 1e9))
      return wrong_run(file, i, "time_s.reps", "seconds from 1e-12 to 1e9", e);
  }
  return PFFT3D_OK;
}

static int is_key(const json_t *v) {
  size_t i;
  json_t *n;
  if (json_is_array(v)) json_array_foreach(v, i, n) if (!json_is_number(n)) return 0;
  return !v || json_is_string(v) || json_is_number(v) || json_is_array(v);
}

static int check_run(const char *file, size_t i, const json_t *run, pfft3d_error *e) {
  const char *name;
  json_t *phase, *phases = json_object_get(run, "phases");
  if (!json_is_object(run))
    return app_fail(e, PFFT3D_ERR_DATA, "'%.150s' is no report: runs[%zu] is no object", file, i);
  if (check_times(file, i, run, e)) return e->status;
  for (int k = 0; k < COMPARE_KEYS; k++)
    if (!is_key(compare_key_value(run, k)))
      return wrong_run(file, i, compare_key_name(k), "a word or numbers", e);
  for (int k = 0; k < COMPARE_FIGURES; k++) {
    const json_t *v = report_at(run, compare_figures[k]);
    if (v && !json_is_null(v) && !json_is_number(v))
      return wrong_run(file, i, compare_figures[k], "a number", e);
  }
  if (phases && !json_is_object(phases)) return wrong_run(file, i, "phases", "an object", e);
  json_object_foreach(phases, name, phase) {
    const json_t *median = report_at(phase, "median");
    if (!json_is_number(report_at(phase, "mean")) ||
        (median && !json_is_null(median) && !json_is_number(median)))
      return wrong_run(file, i, "phases", "a number \"mean\" in each, and \"median\" a number", e);
  }
  return PFFT3D_OK;
}

/* Nonzero if compare knows the identifying fields of a report's runs: poisson's have algorithms
 * unless it solves a problem with a known solution. */
static int is_known(const json_t *report) {
  static const char *const commands[] = {"bench", "line", "transform", "nas", "poisson"};
  const char *name = report_word(report, "command");
  const json_t *first = json_array_get(report_at(report, "runs"), 0);
  for (size_t i = 0; name && i < sizeof commands / sizeof *commands; i++)
    if (!strcmp(name, commands[i])) return !report_at(first, "algorithm");
  return !name; /* reports without a command, of compare's own tests */
}

static int check_report(const char *file, const json_t *report, pfft3d_error *e) {
  char word[COMPARE_WORD];
  const json_t *schema = report_at(report, "schema"), *runs = report_at(report, "runs");
  if (!json_is_string(schema) || strcmp(json_string_value(schema), REPORT_SCHEMA) != 0)
    return app_fail(e, PFFT3D_ERR_DATA,
                    "'%.150s' is no report: its \"schema\" is '%s', expected '%s'", file,
                    compare_word(schema, word, sizeof word), REPORT_SCHEMA);
  size_t i, count = json_array_size(runs);
  if (count < 1 || count > COMPARE_RUNS) {
    app_fail(e, PFFT3D_ERR_DATA,
             "'%.150s' is no report to compare: it has %zu \"runs\", expected 1 to %d", file, count,
             COMPARE_RUNS);
    app_hint(e, "reports of " COMPARE_OF " have runs with times");
    return e->status;
  }
  json_t *run;
  json_array_foreach(runs, i, run) if (check_run(file, i, run, e)) return e->status;
  if (is_known(report)) return PFFT3D_OK;
  app_hint(e, "reports of " COMPARE_OF " can be compared");
  return app_fail(e, PFFT3D_ERR_DATA, "'%.150s' is no report to compare: it is one of '%s'", file,
                  compare_word(report_at(report, "command"), word, sizeof word));
}

int compare_read(const char *file, json_t **report, pfft3d_error *e) {
  if (load(file, report, e) || check_report(file, *report, e)) {
    json_decref(*report);
    *report = NULL;
  }
  return e->status;
}
