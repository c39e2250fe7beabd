/* SPDX-License-Identifier: BSD-3-Clause
 * The report as text and as CSV, both from one table of fields: name, unit, and where it stands in
 * the tree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/report/report.h"

typedef enum unit {
  WORD,
  COUNT,
  SECONDS,
  COLUMN_SECONDS,
  BYTES,
  GFLOPS,
  FORMULA,
  GBS,
  SHARE,
  ERROR,
  VERDICT
} unit;

/* How a field appears in the text of a run: on the line `line` (none: in CSV only), between the
 * words before and after.  ALWAYS: also in the brief text.  MORE: left out when 0.  NEW: left out
 * when it equals the field before it (the end of a range, the maximum of one repeat). */
enum { ALWAYS = 1, MORE = 2, NEW = 4 };
typedef struct report_field {
  const char *path;
  unit unit;
  const char *line, *before, *after;
  int flags;
} report_field;

#define PHASE(name)                                                  \
  {"phases." name ".min", COLUMN_SECONDS, name, "min", "", 0},       \
      {"phases." name ".mean", COLUMN_SECONDS, name, "mean", "", 0}, \
      {"phases." name ".max", COLUMN_SECONDS, name, "max", "", 0}, { \
    "phases." name ".max_rank", COUNT, name, "on rank", "", 0        \
  }
#define CHECK(name) \
  { "check." name, ERROR, "check", name, "", 0 }
#define COLUMN(name) \
  { name, WORD, NULL, "", "", 0 }

/* clang-format off */
static const report_field fields[] = {
  COLUMN("command"), COLUMN("version"), COLUMN("date"), COLUMN("host"), COLUMN("nodes"),
  COLUMN("ranks"), COLUMN("ranks_per_node"), COLUMN("threads"), COLUMN("mpi"), COLUMN("fftw"),
  COLUMN("seed"), COLUMN("n"), COLUMN("problem"), COLUMN("size"), COLUMN("method"), COLUMN("split"),
  COLUMN("algo"), COLUMN("decomp"), COLUMN("pgrid"), COLUMN("wire"), COLUMN("engine"), COLUMN("order"),
  COLUMN("direction"), COLUMN("place"), COLUMN("class"), COLUMN("iterations"), COLUMN("verified"),
  COLUMN("mops"), COLUMN("mops_per_process"), COLUMN("a.file"), COLUMN("b.file"),
  COLUMN("a.n"), COLUMN("b.n"), COLUMN("a.median_s"), COLUMN("b.median_s"),
  COLUMN("a.spread"), COLUMN("b.spread"), COLUMN("ratio"), COLUMN("ratio_low"),
  COLUMN("ratio_high"), COLUMN("p"), COLUMN("p_holm"), COLUMN("verdict"),
  {"decision", WORD, "plan", "", "", 0},
  {"plan_s", SECONDS, "plan", "made in", "", 0},
  {"plan_by", WORD, "plan", "by", "", 0}, /* timing, model or wisdom */
  COLUMN("plan_reason"), COLUMN("measured_s"), COLUMN("repeats"),
  {"layout", WORD, "layout", "", "", 0}, /* of a dry run it is no word */
  {"out_layout", WORD, "layout", "to", "", 0},
  {"time_s.min", SECONDS, "time", "min", "", ALWAYS},
  {"time_s.median", SECONDS, "time", "median", "", ALWAYS | NEW},
  {"time_s.max", SECONDS, "time", "max", "", ALWAYS | NEW},
  {"time_s.mean", SECONDS, NULL, "", "", 0},
  {"gflops", GFLOPS, "rate", "", "", ALWAYS},
  {"flops", FORMULA, "rate", "", "", ALWAYS},
  {"transforms_s", SECONDS, "rate", "in all transforms,", "", ALWAYS},
  {"transforms", COUNT, "rate", "", "of them", ALWAYS},
  PHASE("read"), PHASE("initial"), PHASE("fft"), PHASE("post"), PHASE("wait"), PHASE("checksum"),
  PHASE("sync"), PHASE("write"),
  {"messages.remote_per_rank", COUNT, "messages", "", "remote per rank", ALWAYS},
  {"messages.bytes_each_min", BYTES, "messages", "each", "", ALWAYS | MORE},
  {"messages.bytes_each_max", BYTES, "messages", "to", "", ALWAYS | MORE | NEW},
  {"messages.remote_bytes_per_rank", BYTES, "messages", "", "in all", ALWAYS | MORE},
  {"exchange.seconds", SECONDS, "exchange", "", "", MORE},
  {"exchange.gbs_per_rank", GBS, "exchange", "", "per rank", ALWAYS},
  {"exchange.raw_alltoall_s", SECONDS, "exchange", "raw MPI_Alltoall", "", MORE},
  {"exchange.fft_alone_s", SECONDS, "exchange", "passes alone", "", MORE},
  {"exchange.hidden_share", SHARE, "exchange", "", "hidden", ALWAYS},
  {"exchange.bound_share", SHARE, "exchange", "", "of what overlap can reach", 0},
  {"exchange.bound", COUNT, NULL, "", "", 0},
  {"exchange.wire", WORD, NULL, "", "", 0},
  {"exchange.wire_error", ERROR, "wire", "single: relative error", "", ALWAYS | MORE},
  {"memory.user_bytes", BYTES, "memory", "", "per array", 0},
  {"memory.work_bytes", BYTES, "memory", "", "work per rank", 0},
  {"passes", COUNT, "passes", "", "over memory", ALWAYS},
  {"bandwidth", WORD, "passes", "", "", ALWAYS},
  {"exchanges", COUNT, "passes", "", "exchanges", 0},
  {"idle_ranks", COUNT, "idle", "", "ranks", MORE},
  {"node_ranks", COUNT, "nodes", "ranks on each:", "", 0},
  {"predicted_s", SECONDS, "predicted", "", "in all", 0},
  {"pass_s", SECONDS, "predicted", "passes", "", 0},
  {"exchange_s", SECONDS, "predicted", "exchanges", "", 0},
  {"reason", WORD, "because", "", "", 0},
  CHECK("plane_wave"), CHECK("parseval"), CHECK("sampled_dft"), CHECK("roundtrip"),
  {"hpcc.max_error", ERROR, NULL, "", "", 0}, {"hpcc.residual", ERROR, NULL, "", "", 0},
  {"hpcc.gflops", GFLOPS, NULL, "", "", 0}, {"hpcc.pass", VERDICT, NULL, "", "", 0},
  CHECK("checksum"), CHECK("linearity"), CHECK("shift"), CHECK("impulse"), CHECK("mismatches"),
  {"check.limit", ERROR, "check", "limit", "", 0},
  {"check.pass", VERDICT, "check", "", "", ALWAYS},
};
/* clang-format on */

enum { FIELDS = sizeof fields / sizeof fields[0] };

const json_t *report_at(const json_t *tree, const char *path) {
  char key[64];
  while (tree && *path) {
    size_t length = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    tree = json_object_get(tree, key);
    path += length + (path[length] == '.');
  }
  return tree;
}

double report_number(const json_t *tree, const char *path) {
  return json_number_value(report_at(tree, path));
}

const char *report_word(const json_t *tree, const char *path) {
  return json_string_value(report_at(tree, path));
}

char *report_seconds(double s, char out[32]) {
  if (s >= 1)
    snprintf(out, 32, "%.3f s", s);
  else if (s >= 1e-3)
    snprintf(out, 32, "%.2f ms", s * 1e3);
  else
    snprintf(out, 32, "%.1f us", s * 1e6);
  return out;
}

char *report_bytes(double bytes, char out[32]) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int u = 0;
  while (bytes >= 1024 && u < 6) bytes /= 1024, u++;
  snprintf(out, 32, bytes == floor(bytes) ? "%.0f %s" : "%.1f %s", bytes, units[u]);
  return out;
}

/* A list as "4x1". */
static void list_text(const json_t *list, char *out, size_t size) {
  out[0] = 0;
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%.15g", i ? "x" : "",
             json_number_value(json_array_get(list, i)));
  }
}

void report_plain(const json_t *v, char *out, size_t size) {
  out[0] = 0;
  if (json_is_string(v)) snprintf(out, size, "%s", json_string_value(v));
  if (json_is_integer(v)) snprintf(out, size, "%lld", (long long)json_integer_value(v));
  if (json_is_real(v)) snprintf(out, size, "%.17g", json_real_value(v));
  if (json_is_boolean(v)) snprintf(out, size, "%s", json_is_true(v) ? "true" : "false");
  if (json_is_array(v)) list_text(v, out, size);
}

/* A value for people, with its unit. */
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

/* Whether field i says something new on its line. */
static int worth_saying(const json_t *run, int i, int brief) {
  const report_field *f = &fields[i];
  const json_t *v = report_at(run, f->path);
  if (!f->line || !v || json_is_null(v) || json_is_object(v) || (brief && !(f->flags & ALWAYS)))
    return 0;
  if (f->flags & MORE && !(json_number_value(v) > 0)) return 0;
  return !(f->flags & NEW) || !json_equal(v, report_at(run, fields[i - 1].path));
}

void report_text_run(const json_t *run, int brief) {
  char value[64 * PFFT3D_STAGES];
  const char *line = "", *method = report_word(run, "method");
  const char *order = report_word(run, "order");
  const char *direction = report_word(run, "direction");
  if (method && strcmp(order, "transposed") == 0) order = "scrambled"; /* what it is of lines */
  printf("\n%s%s%s %s, %s order, %s engine", method ? method : "", method ? " " : "",
         report_word(run, "algo"), strcmp(direction, "both") ? direction : "both directions", order,
         report_word(run, "engine"));
  list_text(report_at(run, "pgrid"), value, sizeof value);
  if (strcmp(report_word(run, "decomp"), "pencil") == 0) printf(", ranks as %s", value);
  printf("\n");
  for (int i = 0; i < FIELDS; i++) {
    const report_field *f = &fields[i];
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
  (void)a;
  printf("pfft3d %s  %s\n", report_word(report, "command"),
         problem ? json_string_value(problem) : "");
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

/* "4x2", or "slab" */
static const char *cuts_word(const json_t *run, char out[32]) {
  snprintf(out, 32, "%s", report_word(run, "decomp"));
  if (strcmp(out, "pencil") == 0) list_text(report_at(run, "pgrid"), out, 32);
  return out;
}

/* A table of runs in order; the seconds are at a path. */
static void ranking_text(json_t *const *order, size_t count, const char *title, const char *path) {
  int lines = count && report_at(order[0], "method"), dry = strcmp(path, "predicted_s") == 0;
  if (count)
    printf("\n%-9s  %s%-10s %-8s %s%10s  ratio  messages per rank\n", title,
           lines ? "method     " : "", "algo", "engine", dry && !lines ? "ranks        " : "",
           dry ? "predicted" : "median");
  for (size_t i = 0; i < count; i++) {
    char s[32], b[32];
    double best = report_number(order[0], path), t = report_number(order[i], path);
    double each = report_number(order[i], "messages.bytes_each_max");
    printf("%9zu  ", i + 1);
    if (lines) printf("%-10s ", report_word(order[i], "method"));
    printf("%-10s %-8s ", report_word(order[i], "algo"), report_word(order[i], "engine"));
    if (dry && !lines) printf("%-12s ", cuts_word(order[i], b));
    printf("%10s  %5.2f  %.0f", report_seconds(t, s), best > 0 ? t / best : 1,
           report_number(order[i], "messages.remote_per_rank"));
    printf(each > 0 ? " of %s\n" : "\n", report_bytes(each, b));
  }
}

void report_text_ranking(const json_t *report) {
  static const char *const directions[] = {"forward", "backward"};
  for (int d = 0; d < 2; d++) {
    size_t count;
    json_t **order = report_ranked(report_at(report, "runs"), directions[d], &count);
    ranking_text(order, count, directions[d], "time_s.median");
    free(order);
  }
}

void report_text_predicted(const json_t *report) {
  size_t count;
  json_t **order = ranked(report_at(report, "runs"), "forward", cheaper_first, &count);
  if (count > 1) ranking_text(order, count, "cheapest", "predicted_s");
  free(order);
}

/* ---- CSV ---------------------------------------------------------------------------------- */

/* A field of a run, or of the whole report. */
static const json_t *csv_value(const json_t *report, const json_t *run, const char *path) {
  const json_t *v = report_at(run, path);
  return v ? v : report_at(report, path);
}

/* What has a row each: runs, or pairs of them. */
static const json_t *csv_rows(const json_t *report) {
  const json_t *runs = report_at(report, "runs");
  return runs ? runs : report_at(report, "pairs");
}

static int csv_used(const json_t *report, const char *path) {
  size_t i;
  json_t *run;
  json_array_foreach(csv_rows(report), i, run) if (csv_value(report, run, path)) return 1;
  return 0;
}

/* One cell, quoted where it must be. */
static void csv_cell(FILE *f, const char *text, int first) {
  if (!first) fputc(',', f);
  if (!strpbrk(text, ",\"\n")) {
    fputs(text, f);
    return;
  }
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"') fputc('"', f);
    fputc(*text, f);
  }
  fputc('"', f);
}

void report_csv(const json_t *report, FILE *f) {
  char cell[512];
  size_t r;
  json_t *run;
  int first = 1;
  for (int i = 0; i < FIELDS; i++)
    if (csv_used(report, fields[i].path)) csv_cell(f, fields[i].path, first), first = 0;
  fputc('\n', f);
  json_array_foreach(csv_rows(report), r, run) {
    first = 1;
    for (int i = 0; i < FIELDS; i++) {
      if (!csv_used(report, fields[i].path)) continue;
      report_plain(csv_value(report, run, fields[i].path), cell, sizeof cell);
      csv_cell(f, cell, first), first = 0;
    }
    fputc('\n', f);
  }
}
