/* SPDX-License-Identifier: BSD-3-Clause
 * The report as text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/report/fields.h"
#include "app/report/report.h"

/* A value as text, with its unit. */
static void human_text(const json_t *v, unit u, char *out, size_t size) {
  char text[32];
  double x = json_number_value(v);
  switch (u) {
    case SECONDS: snprintf(out, size, "%s", report_seconds(x, text)); break;
    case COLUMN_SECONDS: snprintf(out, size, "%9s", report_seconds(x, text)); break;
    case BYTES: snprintf(out, size, "%s", report_bytes(x, text)); break;
    case GFLOPS: snprintf(out, size, "%.4g GFLOP/s", x); break;
    case FORMULA: /* "(5 N log2 N)" */
      snprintf(out, size, "(%s)", json_string_value(v));
      for (; *out; out++)
        if (*out == 'n') *out = 'N';
      break;
    case GBS: snprintf(out, size, "%.3g GB/s", x); break;
    case SHARE: snprintf(out, size, "%.0f %%", 100 * x); break;
    case ERROR: snprintf(out, size, "%.1e", x); break;
    case VERDICT: snprintf(out, size, "%s", json_is_true(v) ? "PASS" : "FAIL"); break;
    case COUNT:
      if (json_is_real(v) && x != floor(x))
        snprintf(out, size, "%.3g", x);
      else
        snprintf(out, size, "%.0f", x);
      break;
    case WORD: report_plain(v, out, size); break;
  }
}

/* Nonzero if field i is printed. */
static int worth_saying(const json_t *run, int i, int brief) {
  const report_field *f = &report_fields[i];
  const json_t *v = report_at(run, f->path);
  if (!f->line || !v || json_is_null(v) || json_is_object(v) || (brief && !(f->flags & ALWAYS)))
    return 0;
  if (f->flags & MORE && !(json_number_value(v) > 0)) return 0;
  return !(f->flags & NEW) || !json_equal(v, report_at(run, report_fields[i - 1].path));
}

/* The process grid of pencils, "4x2"; else "". */
static const char *pgrid_text(const json_t *run, char out[32]) {
  out[0] = 0;
  if (strcmp(report_word(run, "decomp"), "pencil") == 0)
    report_list_text(report_at(run, "pgrid"), out, 32);
  return out;
}

/* The name of the order: lines call the transposed one scrambled. */
static const char *order_word(const json_t *run) {
  const char *order = report_word(run, "order");
  return report_at(run, "method") && strcmp(order, "transposed") == 0 ? "scrambled" : order;
}

/* "forward: decomp=slab exchange=pencils" */
static void headline(const json_t *run, int brief) {
  const char *method = report_word(run, "method"), *direction = report_word(run, "direction");
  char pgrid[32];
  printf("\n%s: %s=%s", strcmp(direction, "both") ? direction : "forward and backward",
         method ? "method" : "decomp", method ? method : report_word(run, "decomp"));
  if (*pgrid_text(run, pgrid)) printf(" pgrid=%s", pgrid);
  printf(" exchange=%s", report_word(run, "algo"));
  if (brief) printf(" engine=%s order=%s", report_word(run, "engine"), order_word(run));
  printf("\n");
}

void report_text_run(const json_t *run, int brief) {
  char value[64 * PFFT3D_STAGES];
  const char *line = "";
  headline(run, brief);
  for (int i = 0; report_fields[i].path; i++) {
    const report_field *f = &report_fields[i];
    if (!worth_saying(run, i, brief)) continue;
    if (strcmp(f->line, line) != 0)
      printf("%s  %-9s  ", *line ? "\n" : "", f->line);
    else
      printf(strcmp(f->before, "to") == 0 || f->unit == FORMULA ? " " : ", ");
    line = f->line;
    human_text(report_at(run, f->path), f->unit, value, sizeof value);
    int one = strcmp(f->after, "exchanges") == 0 && strcmp(value, "1") == 0; /* without the s */
    printf("%s%s%s%s%.*s", f->before, f->before[0] ? " " : "", value, f->after[0] ? " " : "",
           (int)strlen(f->after) - one, f->after);
  }
  printf("\n");
}

void report_text_head(const app *a, const json_t *report) {
  double nodes = report_number(report, "nodes");
  const json_t *load = report_at(report, "load_average");
  const json_t *problem = report_at(report, "problem");
  if (problem)
    printf("pfft3d %s  %s\n", report_word(report, "command"), json_string_value(problem));
  else
    printf("pfft3d %s  %d problems\n", report_word(report, "command"), options_problems(&a->opt));
  printf("%.0f rank%s on %.0f node%s (%s), load average %.2f %.2f %.2f, %s, %s\n",
         report_number(report, "ranks"), a->ranks > 1 ? "s" : "", nodes, nodes > 1 ? "s" : "",
         report_word(report, "host"), json_number_value(json_array_get(load, 0)),
         json_number_value(json_array_get(load, 1)), json_number_value(json_array_get(load, 2)),
         report_word(report, "mpi"), report_word(report, "fftw"));
}

static int compare_at(const void *x, const void *y, const char *path) {
  double a = report_number(*(json_t *const *)x, path), b = report_number(*(json_t *const *)y, path);
  return (a > b) - (a < b);
}

static int faster_first(const void *x, const void *y) {
  return compare_at(x, y, "time_s.median");
}

static int cheaper_first(const void *x, const void *y) {
  return compare_at(x, y, "predicted_s");
}

static json_t **ranked(const json_t *runs, const char *direction,
                       int (*compare)(const void *, const void *), size_t *count) {
  size_t i;
  json_t *run, **order = calloc(json_array_size(runs) + 1, sizeof *order);
  *count = 0;
  if (!order) return NULL;
  json_array_foreach(runs, i, run) if (strcmp(report_word(run, "direction"), direction) == 0 &&
                                       !report_at(run, "unranked")) order[(*count)++] = run;
  qsort(order, *count, sizeof *order, compare);
  return order;
}

json_t **report_ranked(const json_t *runs, const char *direction, size_t *count) {
  return ranked(runs, direction, faster_first, count);
}

const char *report_cuts(const json_t *run, char out[48]) {
  char pgrid[32];
  const char *method = report_word(run, "method"), *grid = pgrid_text(run, pgrid);
  snprintf(out, 48, "%s%s%s", method ? method : report_word(run, "decomp"), *grid ? " " : "", grid);
  return out;
}

static void widen(int *width, const char *text) {
  int length = (int)strlen(text);
  if (length > *width) *width = length;
}

report_widths report_columns(const json_t *runs) {
  report_widths w = {.decomp = 6, .exchange = 8, .engine = 6};
  char cuts[48];
  size_t i;
  json_t *run;
  json_array_foreach(runs, i, run) {
    widen(&w.decomp, report_cuts(run, cuts));
    widen(&w.exchange, report_word(run, "algo"));
    widen(&w.engine, report_word(run, "engine"));
  }
  return w;
}

/* Prints a table of runs in order; @p path leads to their seconds. */
static void ranking_text(json_t *const *order, size_t count, report_widths w, const char *title,
                         const char *path) {
  int lines = count && report_at(order[0], "method"), dry = strcmp(path, "predicted_s") == 0;
  if (count)
    printf("\n%-9s  %-*s %-*s %-*s %10s  ratio  messages per rank\n", title, w.decomp,
           lines ? "method" : "decomp", w.exchange, "exchange", w.engine, "engine",
           dry ? "predicted" : "median");
  for (size_t i = 0; i < count; i++) {
    char s[32], b[48];
    double best = report_number(order[0], path), t = report_number(order[i], path);
    double each = report_number(order[i], "messages.bytes_each_max");
    printf("%9zu  %-*s %-*s %-*s ", i + 1, w.decomp, report_cuts(order[i], b), w.exchange,
           report_word(order[i], "algo"), w.engine, report_word(order[i], "engine"));
    printf("%10s  %5.2f  %.0f", report_seconds(t, s), best > 0 ? t / best : 1,
           report_number(order[i], "messages.remote_per_rank"));
    printf(each > 0 ? " of %s\n" : "\n", report_bytes(each, b));
  }
}

void report_text_ranking(const json_t *report) {
  static const char *const directions[] = {"forward", "backward"};
  for (int d = 0; d < 2; d++) {
    size_t count;
    const json_t *runs = report_at(report, "runs");
    json_t **order = report_ranked(runs, directions[d], &count);
    ranking_text(order, count, report_columns(runs), directions[d], "time_s.median");
    free(order);
  }
}

void report_text_predicted(const json_t *report) {
  size_t count;
  const json_t *runs = report_at(report, "runs");
  json_t **order = ranked(runs, "forward", cheaper_first, &count);
  if (count > 1) ranking_text(order, count, report_columns(runs), "cheapest", "predicted_s");
  free(order);
}
