/* SPDX-License-Identifier: BSD-3-Clause
 * The comparison as text: differences between the reports, then a row for each pair and, if times
 * differ, the causes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/columns.h"
#include "app/compare/compare.h"
#include "app/report/report.h"

static const char *text_at(const json_t *tree, const char *path) {
  const char *s = json_string_value(report_at(tree, path));
  return s ? s : "none";
}

/* ---- The head ----------------------------------------------------------------------------- */

static char *load_text(const json_t *side, char out[64]) {
  const json_t *load = report_at(side, "load_average");
  size_t i, used = 0;
  json_t *v;
  snprintf(out, 64, "not known");
  json_array_foreach(load, i, v) used +=
      (size_t)snprintf(out + used, 64 - used, "%s%.4g", i ? " " : "", json_number_value(v));
  return out;
}

static int is_named(const json_t *list, const char *name) {
  size_t i;
  json_t *word;
  json_array_foreach(list, i, word) if (strcmp(json_string_value(word), name) == 0) return 1;
  return 0;
}

/* Prints the settings that do not differ. */
static void print_same(const json_t *settings, const json_t *differs) {
  const char *name;
  json_t *value;
  int any = 0;
  printf("\nThe same in both:");
  json_object_foreach((json_t *)settings, name, value) {
    if (is_named(differs, name)) continue;
    printf("%s %s %s", any++ ? "," : "", name, json_string_value(value));
  }
  printf("%s\n", any ? "" : " nothing");
}

static void print_head(const json_t *report) {
  const json_t *a = report_at(report, "a"), *b = report_at(report, "b");
  const json_t *differs = report_at(report, "differs"), *same = report_at(a, "settings");
  char load[2][64];
  const char *name;
  size_t i;
  json_t *value;
  printf("pfft3d compare  A is %s\n                B is %s\n\n", text_at(a, "file"),
         text_at(b, "file"));
  printf("  %-14s  %-32s  %s\n", "", "A", "B");
  printf("  %-14s  %-32s  %s\n", "date", text_at(a, "date"), text_at(b, "date"));
  printf("  %-14s  %-32s  %s\n", "load average", load_text(a, load[0]), load_text(b, load[1]));
  json_array_foreach(differs, i, value) {
    name = json_string_value(value);
    printf("  %-14s  %-32s  %s\n", name, text_at(json_object_get(same, name), ""),
           text_at(json_object_get(report_at(b, "settings"), name), ""));
  }
  print_same(same, differs);
}

/* Prints words that all pairs share once; *said gets a bit for each other word, and for the
 * direction. */
static void print_common(const json_t *pairs, unsigned *said) {
  int any = 0;
  *said = 0;
  for (int k = 0; k < COMPARE_KEYS; k++) {
    const char *name = compare_key_name(k);
    const json_t *first = json_object_get(json_array_get(pairs, 0), name);
    size_t i;
    json_t *pair;
    int alike = strcmp(name, "direction") != 0;
    json_array_foreach(pairs, i, pair) {
      const json_t *word = json_object_get(pair, name);
      alike &= word == first || (word && first && json_equal(word, first));
    }
    if (!alike)
      *said |= 1u << k;
    else if (first)
      printf("%s %s %s", any++ ? "," : "All runs:", strcmp(name, "algo") ? name : "exchange",
             json_string_value(first));
  }
  printf("%s\n", any ? "\n" : "");
}

/* ---- Pairs -------------------------------------------------------------------------------- */

/* The words that distinguish this pair from the others. */
static char *pair_name(const json_t *pair, unsigned said, char *out, size_t size) {
  size_t used = 0;
  snprintf(out, size, "%s", "run");
  for (int k = 0; k < COMPARE_KEYS; k++) {
    const char *word = json_string_value(json_object_get(pair, compare_key_name(k)));
    if ((said >> k) & 1 && word && used < size)
      used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "", word);
  }
  return out;
}

static char *signed_seconds(double s, char out[40]) {
  char text[32];
  snprintf(out, 40, "%c%s", s < 0 ? '-' : '+', report_seconds(fabs(s), text));
  return out;
}

typedef struct phase_change {
  const char *name;
  double seconds;
} phase_change;

static int larger_first(const void *x, const void *y) {
  double a = fabs(((const phase_change *)x)->seconds);
  double b = fabs(((const phase_change *)y)->seconds);
  return (a < b) - (a > b);
}

/* "wait +3.10 ms, fft +0.20 ms of +3.35 ms": phases are means over ranks and add up to the time of
 * a repeat: the median, or for older reports the mean. Reading and writing files is not
 * included. */
static void print_phases(const json_t *pair) {
  enum { MOST = 16, SAID = 4 };
  phase_change change[MOST] = {{NULL, 0}};
  const json_t *phases = report_at(pair, "phases");
  const char *of = report_word(pair, "phases_of");
  int medians = strcmp(of, "median") == 0;
  double all = medians ? report_number(pair, "b.median_s") - report_number(pair, "a.median_s")
                       : report_number(pair, "b.mean_s") - report_number(pair, "a.mean_s");
  size_t count = 0;
  const char *name;
  char text[40];
  json_t *phase;
  json_object_foreach((json_t *)phases, name, phase) {
    int of_file = strcmp(name, "read") == 0 || strcmp(name, "write") == 0;
    if (!of_file && count < MOST)
      change[count++] = (phase_change){name, report_number(phase, "difference_s")};
  }
  qsort(change, count, sizeof *change, larger_first);
  if (!count || change[0].seconds == 0) return;
  for (size_t i = 0; i < count && i < SAID; i++)
    if (i == 0 || fabs(change[i].seconds) >= 0.05 * fabs(change[0].seconds))
      printf("%s%s %s", i ? ", " : "    ", change[i].name, signed_seconds(change[i].seconds, text));
  printf(" of %s (%ss)\n", signed_seconds(all, text), of);
}

/* Figures that are printed if the larger is more than `factor` times the smaller. */
static const struct figure_name {
  const char *path, *name;
  double factor;
  char unit; /* g: GB/s, n: a number, b: bytes, s: seconds */
} figure_names[] = {
    {"exchange.gbs_per_rank", "exchange", 1.1, 'g'},
    {"messages.remote_per_rank", "messages", 1, 'n'},
    {"messages.bytes_each_max", "each", 1, 'b'},
    {"passes", "passes", 1, 'n'},
    {"exchanges", "exchanges", 1, 'n'},
    {"memory.work_bytes", "work memory", 1.01, 'b'},
    {"idle_ranks", "idle ranks", 1, 'n'},
    {"plan_s", "planning", 2, 's'},
};

static char *figure_text(double x, char unit, char out[32]) {
  switch (unit) {
    case 'b': return report_bytes(x, out);
    case 's': return report_seconds(x, out);
    case 'g': snprintf(out, 32, "%.3g GB/s", x); return out;
    default: snprintf(out, 32, "%.5g", x); return out;
  }
}

static void print_figures(const json_t *pair) {
  const json_t *figures = report_at(pair, "figures");
  char text[2][32];
  int any = 0;
  for (size_t f = 0; f < sizeof figure_names / sizeof *figure_names; f++) {
    const struct figure_name *n = &figure_names[f];
    const json_t *figure = json_object_get(figures, n->path);
    double a = report_number(figure, "a"), b = report_number(figure, "b");
    if (!figure || !(fmax(a, b) > n->factor * fmin(a, b))) continue;
    printf("%s%s %s%s%s", any++ ? ", " : "    ", n->name, figure_text(a, n->unit, text[0]),
           COMPARE_ARROW, figure_text(b, n->unit, text[1]));
  }
  if (any) printf("\n");
}

/* Columns of a row behind its name, with a verdict; narrower windows have name and verdict in a
 * line above. */
enum { ROW = 69, VERDICT = 36 };

static void print_pair(const json_t *pair, const char *name, int width, int verbose) {
  char a[32], b[32], repeats[32];
  const char *verdict = text_at(pair, "verdict");
  int differ = strcmp(verdict, "faster") == 0 || strcmp(verdict, "slower") == 0;
  snprintf(repeats, sizeof repeats, "%.0f, %.0f", report_number(pair, "a.n"),
           report_number(pair, "b.n"));
  if (!width) printf("%s: B is %s\n", name, text_at(pair, "text"));
  printf("%-*s  %10s %5.1f %%  %10s %5.1f %%  %8s  %6.3f  %7.2g  %s\n", width, width ? name : "",
         report_seconds(report_number(pair, "a.median_s"), a),
         100 * report_number(pair, "a.spread"),
         report_seconds(report_number(pair, "b.median_s"), b),
         100 * report_number(pair, "b.spread"), repeats, report_number(pair, "ratio"),
         report_number(pair, "p_holm"), width ? text_at(pair, "text") : "");
  if (!differ && !verbose) return;
  print_phases(pair);
  print_figures(pair);
}

static void print_pairs(const app *a, const json_t *pairs) {
  char name[2 * COMPARE_LABEL];
  unsigned said;
  int width = 3;
  size_t i;
  json_t *pair;
  print_common(pairs, &said);
  json_array_foreach(pairs, i, pair) {
    int length = (int)strlen(pair_name(pair, said, name, sizeof name));
    if (length > width) width = length;
  }
  if (width + ROW + VERDICT > columns()) width = 0;
  printf("%-*s  %10s %7s  %10s %7s  %8s  %6s  %7s  %s\n", width, "", "A median", "spread",
         "B median", "spread", "repeats", "B/A", "p", width ? "B is" : "");
  json_array_foreach(pairs, i, pair)
      print_pair(pair, pair_name(pair, said, name, sizeof name), width, a->opt.verbose);
}

/* ---- Below -------------------------------------------------------------------------------- */

static void print_lists(const json_t *report) {
  static const char *const path[2] = {"unmatched.a", "unmatched.b"};
  size_t i;
  json_t *word;
  for (int s = 0; s < 2; s++) {
    const json_t *rest = report_at(report, path[s]);
    if (json_array_size(rest)) printf("\nOnly in %c, or with a choice of partners:\n", "AB"[s]);
    json_array_foreach(rest, i, word) printf("  %s\n", json_string_value(word));
  }
  json_array_foreach(report_at(report, "warnings"), i, word)
      printf("%s  warning: %s\n", i ? "" : "\n", json_string_value(word));
}

void compare_text(const app *a, const json_t *report) {
  const json_t *pairs = report_at(report, "pairs");
  size_t count = json_array_size(pairs);
  print_head(report);
  print_pairs(a, pairs);
  print_lists(report);
  printf(
      "\nPercentages are of A's time, with 95 %% confidence; spread is that of the middle half of "
      "the repeats.\n");
  printf(
      "p: Mann and Whitney's test, two-sided, with Holm's correction for %zu pair%s. A difference "
      "has p <= 0.05 and %.3g %% at least (--threshold).\n",
      count, count > 1 ? "s" : "", a->opt.threshold);
  printf(
      "Repeats say how times vary within a job; from job to job the machine changes too. Run both "
      "again, in turn (A B A B), and compare A with A: what differs there is noise as well.\n");
}
