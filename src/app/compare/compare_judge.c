/* SPDX-License-Identifier: BSD-3-Clause
 * Do matched runs differ beyond noise, and why? Logarithms of times are compared: their difference
 * is a ratio of times, and comparing B with A gives the same result as A with B. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/statistics.h"
#include "app/compare/compare.h"
#include "app/report/report.h"

static const double level = 0.05;

/* Logarithms of the repeats first .. first + count - 1, ascending. */
static double *sorted_logs(const app *a, const json_t *run, int first, int count) {
  const json_t *reps = report_at(run, "time_s.reps");
  double *x = app_malloc(a, (size_t)count, sizeof *x);
  for (int i = 0; i < count; i++)
    x[i] = log(json_number_value(json_array_get(reps, (size_t)first + (size_t)i)));
  stat_sort(x, count);
  return x;
}

static int repeats(const json_t *run) {
  return (int)json_array_size(report_at(run, "time_s.reps"));
}

static double mean_of(const json_t *run) {
  const json_t *reps = report_at(run, "time_s.reps");
  size_t i;
  json_t *t;
  double sum = 0;
  json_array_foreach(reps, i, t) sum += json_number_value(t);
  return sum / (double)json_array_size(reps);
}

/* ---- One pair ----------------------------------------------------------------------------- */

/* The times of one side; the spread is the interquartile range relative to the median. */
static json_t *side_json(const json_t *run, int index, const double *x, int n) {
  double q1 = exp(stat_quantile(x, n, 0.25)), q3 = exp(stat_quantile(x, n, 0.75));
  double median = (exp(x[(n - 1) / 2]) + exp(x[n / 2])) / 2;
  return json_pack("{s:i,s:i,s:f,s:f,s:f,s:f,s:f,s:f,s:f}", "run", index, "n", n, "median_s",
                   median, "mean_s", mean_of(run), "min_s", exp(x[0]), "max_s", exp(x[n - 1]),
                   "spread", (q3 - q1) / median, "q1_s", q1, "q3_s", q3);
}

/* {"a", "b"}, and b - a under the name `difference`. */
static json_t *two_numbers(const json_t *a, const json_t *b, const char *difference) {
  double x = json_number_value(a), y = json_number_value(b);
  json_t *j = json_pack("{s:f,s:f}", "a", x, "b", y);
  if (difference) json_object_set_new(j, difference, report_real(y - x));
  return j;
}

/* Nonzero if all phases of a run have this value; reports of older versions have no medians. */
static int phases_have(const json_t *run, const char *value) {
  const char *name;
  json_t *phase;
  json_object_foreach(json_object_get(run, "phases"), name,
                      phase) if (!json_is_number(report_at(phase, value))) return 0;
  return 1;
}

/* All phases of both runs; a missing phase takes no time. Those of the median repeats explain
 * the difference of medians, on which the verdict is based. */
static json_t *phases_json(const json_t *const run[2], const char *value) {
  json_t *all = json_object(), *phase;
  const char *name;
  char clean[COMPARE_WORD];
  for (int side = 0; side < 2; side++)
    json_object_foreach(json_object_get(run[side], "phases"), name, phase) {
      const json_t *v[2];
      for (int s = 0; s < 2; s++)
        v[s] = report_at(json_object_get(report_at(run[s], "phases"), name), value);
      json_t *key = json_string(name);
      json_object_set_new(all, compare_word(key, clean, sizeof clean),
                          two_numbers(v[0], v[1], "difference_s"));
      json_decref(key);
    }
  return all;
}

static json_t *figures_json(const json_t *const run[2]) {
  json_t *all = json_object();
  for (int f = 0; f < COMPARE_FIGURES; f++) {
    const json_t *v[2] = {report_at(run[0], compare_figures[f]),
                          report_at(run[1], compare_figures[f])};
    if (json_is_number(v[0]) && json_is_number(v[1]))
      json_object_set_new(all, compare_figures[f], two_numbers(v[0], v[1], NULL));
  }
  return all;
}

/* The word of key k for a run: `word`, or the value in the report if the key leaves it out, as
 * for the process grid of slabs. */
static const char *word_of(const json_t *run, int k, const char *word, char out[COMPARE_WORD]) {
  snprintf(out, COMPARE_WORD, "%s", word);
  if (!*out) compare_word(compare_key_value(run, k), out, COMPARE_WORD);
  if (!*out) snprintf(out, COMPARE_WORD, "%s", compare_key_none(k));
  return out;
}

/* Adds the words of a pair, "packed" or "packed -> pencils" by key, and the names of keys that
 * differ. */
static void add_keys(json_t *item, const json_t *const run[2], const run_key *const key[2]) {
  json_t *differs = json_array();
  for (int k = 0; k < COMPARE_KEYS; k++) {
    const char *x = key[0]->word[k], *y = key[1]->word[k], *name = compare_key_name(k);
    char word[2][COMPARE_WORD], both[2 * COMPARE_WORD + 8];
    int same = strcmp(x, y) == 0;
    if (same && !*x) continue;
    snprintf(both, sizeof both, "%s%s%s", word_of(run[0], k, x, word[0]), same ? "" : COMPARE_ARROW,
             same ? "" : word_of(run[1], k, y, word[1]));
    json_object_set_new(item, name, json_string(both));
    if (!same) json_array_append_new(differs, json_string(name));
  }
  json_object_set_new(item, "differs", differs);
}

static json_t *pair_json(const app *a, const json_t *const run[2], const run_pair *p,
                         rank_result *r) {
  double *x[2];
  int n[2];
  for (int s = 0; s < 2; s++) {
    n[s] = repeats(run[s]);
    x[s] = sorted_logs(a, run[s], 0, n[s]);
  }
  if (stat_compare(x[0], n[0], x[1], n[1], r))
    app_die(a, PFFT3D_ERR_MEMORY, "out of memory: cannot compare %d repeats with %d", n[0], n[1]);
  json_t *item = json_object();
  json_object_set_new(item, "a", side_json(run[0], p->run[0], x[0], n[0]));
  json_object_set_new(item, "b", side_json(run[1], p->run[1], x[1], n[1]));
  json_object_set_new(item, "ratio", json_real(exp(r->shift)));
  json_object_set_new(item, "ratio_low", report_real(exp(r->low)));
  json_object_set_new(item, "ratio_high", report_real(exp(r->high)));
  json_object_set_new(item, "p", json_real(r->p));
  const char *value =
      phases_have(run[0], "median") && phases_have(run[1], "median") ? "median" : "mean";
  json_object_set_new(item, "phases", phases_json(run, value));
  json_object_set_new(item, "phases_of", json_string(value));
  json_object_set_new(item, "figures", figures_json(run));
  for (int s = 0; s < 2; s++) free(x[s]);
  return item;
}

/* ---- Verdicts ----------------------------------------------------------------------------- */

/* "7.1" or "12", "+7.1" */
static char *percent(double part, int sign, char out[16]) {
  double x = 100 * part;
  int digits = fabs(x) < 9.95;
  snprintf(out, 16, sign ? "%+.*f" : "%.*f", digits, x);
  return out;
}

/* "by 12 % (10 to 14 %)" of A's time */
static char *by_percent(const rank_result *r, char *out, size_t size) {
  char by[16], low[16], high[16];
  int faster = r->shift < 0;
  double part[3] = {expm1(r->shift), expm1(r->low), expm1(r->high)};
  snprintf(out, size, "%s by %s %% (%s to %s %%)", faster ? "faster" : "slower",
           percent(fabs(part[0]), 0, by), percent(faster ? -part[2] : part[1], 0, low),
           percent(faster ? -part[1] : part[2], 0, high));
  return out;
}

/* Adds "verdict" and its words; `pairs` were judged together. */
static void add_verdict(json_t *item, const rank_result *r, double p_holm, int pairs,
                        double threshold) {
  int n[2] = {(int)json_integer_value(report_at(item, "a.n")),
              (int)json_integer_value(report_at(item, "b.n"))};
  int needed = stat_needed(pairs, level), few = n[0] < 5 || n[1] < 5;
  const char *verdict;
  char text[128], by[96], low[16], high[16];
  if (few || (p_holm > level && r->least_p * pairs > level)) {
    verdict = "too few repeats";
    snprintf(text, sizeof text, "too few repeats to say (%d and %d, needed are %d each)", n[0],
             n[1], needed);
  } else if (p_holm > level) {
    verdict = "no difference";
    char among[40] = "";
    if (r->p <= level) snprintf(among, sizeof among, " of %d pairs", pairs);
    snprintf(text, sizeof text, "no difference beyond noise%s (%s to %s %%)", among,
             percent(expm1(r->low), 1, low), percent(expm1(r->high), 1, high));
  } else if (fabs(r->shift) < log1p(threshold / 100)) {
    verdict = "below threshold";
    snprintf(text, sizeof text, "no difference of %.3g %%: %s", threshold,
             by_percent(r, by, sizeof by));
  } else {
    verdict = r->shift < 0 ? "faster" : "slower";
    by_percent(r, text, sizeof text);
  }
  json_object_set_new(item, "p_holm", json_real(p_holm));
  json_object_set_new(item, "verdict", json_string(verdict));
  json_object_set_new(item, "text", json_string(text));
}

json_t *compare_judge(const app *a, json_t *const report[2], const run_key *const key[2],
                      const run_pair *pairs, int count) {
  json_t *list = json_array();
  rank_result *r = app_malloc(a, (size_t)count, sizeof *r);
  double *p = app_malloc(a, 2 * (size_t)count, sizeof *p), *p_holm = p + count;
  for (int i = 0; i < count; i++) {
    const json_t *run[2];
    for (int s = 0; s < 2; s++)
      run[s] = json_array_get(report_at(report[s], "runs"), (size_t)pairs[i].run[s]);
    json_t *item = pair_json(a, run, &pairs[i], &r[i]);
    const run_key *const keys[2] = {&key[0][pairs[i].run[0]], &key[1][pairs[i].run[1]]};
    add_keys(item, run, keys);
    json_array_append_new(list, item);
    p[i] = r[i].p;
  }
  stat_holm(p, p_holm, count);
  for (int i = 0; i < count; i++)
    add_verdict(json_array_get(list, (size_t)i), &r[i], p_holm[i], count, a->opt.threshold);
  free(p);
  free(r);
  return list;
}

/* ---- Doubts ------------------------------------------------------------------------------- */

/* Nonzero if the second half of the repeats differs significantly from the first, among `runs`
 * runs; and the factor. */
static int drifts(const app *a, const json_t *run, size_t runs, double *factor) {
  int n = repeats(run), half = n / 2;
  rank_result r;
  if (half < 2) return 0;
  double *early = sorted_logs(a, run, 0, half), *late = sorted_logs(a, run, n - half, half);
  int failed = stat_compare(early, half, late, half, &r);
  free(early);
  free(late);
  *factor = exp(r.shift);
  return !failed && r.p * (double)runs <= level && fabs(r.shift) >= log1p(a->opt.threshold / 100);
}

/* Warns of the largest drift of all runs: the machine changed during the job. */
static void doubt_drift(const app *a, const json_t *report, int side, const run_key *key,
                        json_t *warnings) {
  const json_t *runs = report_at(report, "runs");
  double factor, most = 1;
  size_t i, worst = 0, count = 0;
  json_t *run;
  char label[COMPARE_LABEL], by[16];
  json_array_foreach(runs, i, run) {
    if (!drifts(a, run, json_array_size(runs), &factor)) continue;
    if (!count++ || fabs(log(factor)) > fabs(log(most))) most = factor, worst = i;
  }
  if (count)
    json_array_append_new(
        warnings,
        json_sprintf("%c was not steady: %s takes %s %% %s time in the second half of its repeats "
                     "than in the first (%zu of %zu runs drift)",
                     "AB"[side], compare_label(&key[worst], label), percent(fabs(most - 1), 0, by),
                     most > 1 ? "more" : "less", count, json_array_size(runs)));
}

/* Warns of other work on the machine, if the load is higher than the ranks and threads of a
 * previous run explain. */
static void doubt_load(const json_t *report, int side, json_t *warnings) {
  double ranks = json_number_value(report_at(report, "ranks_per_node"));
  double threads = json_number_value(report_at(report, "threads"));
  double load = json_number_value(json_array_get(report_at(report, "load_average"), 0));
  if (ranks * threads >= 1 && load > 1.1 * ranks * threads + 0.5)
    json_array_append_new(
        warnings, json_sprintf("%c began at a load average of %.4g, and has %.4g rank%s of %.4g "
                               "thread%s on a node: other work was running",
                               "AB"[side], load, ranks, ranks > 1 ? "s" : "", threads,
                               threads > 1 ? "s" : ""));
}

static void doubt_checks(const json_t *report, int side, const run_key *key, json_t *warnings) {
  size_t i;
  json_t *run;
  char label[COMPARE_LABEL];
  json_array_foreach(report_at(report, "runs"), i,
                     run) if (json_is_false(report_at(run, "check.pass")))
      json_array_append_new(
          warnings, json_sprintf("a check of %c failed: its times of %s mean nothing", "AB"[side],
                                 compare_label(&key[i], label)));
}

void compare_doubt(const app *a, const json_t *report, int side, const run_key *key,
                   json_t *warnings) {
  doubt_load(report, side, warnings);
  doubt_drift(a, report, side, key, warnings);
  doubt_checks(report, side, key, warnings);
}
