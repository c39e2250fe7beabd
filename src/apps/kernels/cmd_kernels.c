/* SPDX-License-Identifier: BSD-3-Clause
 * kernels: the FFTs of the textbooks side by side, phase by phase, with engine simd and FFTW. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/columns.h"
#include "app/common/message.h"
#include "app/common/progress.h"
#include "app/common/watch.h"
#include "app/report/report.h"
#include "app/run/run.h"
#include "apps/kernels/contender.h"
#include "device/device.h"

/* The repeats of all contenders of a size alternate if the lines are small; all their tables are
 * kept then. */
enum { TOGETHER = 1 << 22, MOST = 64 };
static const double slow = 1; /* seconds: a first run that takes longer is the only one */

/* ---- options ---- */

/* Devices run only on request, so their errors end the run. */
static int needs_device(const contender *c) {
  return c->kernel && c->kernel->remote;
}

/* Nonzero if a kernel is for the device of --device, or if there is no device with this number. */
static int for_device(const options *o, const contender *c) {
  pf_device_facts facts;
  if (!options_given(o, "device")) return 0;
  return !pf_device_facts_of((int)options_number(o, "device"), &facts) ||
         pf_kernel_api(c->kernel) == (int)facts.api;
}

/* Nonzero if --kernel selects a kernel; `all`: kernels of the processor and of the named device. */
static int wanted(const options *o, const contender *c) {
  char list[sizeof o->kernel + 2], word[NAME_SIZE + 2];
  if (strcmp(o->kernel, "all") == 0) return !needs_device(c) || for_device(o, c);
  snprintf(list, sizeof list, ",%s,", o->kernel);
  snprintf(word, sizeof word, ",%s,", c->name);
  return strstr(list, word) != NULL;
}

/* The names of kernels of the processor: with the names for devices they would not fit into an
 * error. */
static void list_names(char *text, size_t size) {
  contender c;
  snprintf(text, size, "all");
  for (int i = 0; contender_at(i, &c); i++) {
    size_t used = strlen(text);
    if (!needs_device(&c)) snprintf(text + used, size - used, ", %s", c.name);
  }
}

/* Every word of --kernel must be a name. */
static int check_names(app *a) {
  char words[sizeof a->opt.kernel], valid[300], *rest = words;
  contender c;
  snprintf(words, sizeof words, "%s", a->opt.kernel);
  list_names(valid, sizeof valid);
  while (rest) {
    const char *word = strsep(&rest, ",");
    int found = strcmp(word, "all") == 0 && strcmp(a->opt.kernel, "all") == 0;
    for (int i = 0; !found && contender_at(i, &c); i++) found = strcmp(word, c.name) == 0;
    if (found) continue;
    app_hint(&a->error, "'man pfft3d' also names those of devices, as opencl-radix2");
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--kernel '%.24s': valid: %s", word, valid);
  }
  return PFFT3D_OK;
}

static char *size_text(const lines *l, char text[48]) {
  if (l->rows > 1)
    snprintf(text, 48, "%zux%zu", l->rows, l->n / l->rows);
  else
    snprintf(text, 48, "%zu", l->n);
  return text;
}

/* Rejects a size that no selected kernel supports. */
static int check_size(app *a, const ptrdiff_t extent[3]) {
  size_t n, rows = (size_t)extent[1], columns = (size_t)extent[2];
  contender c;
  char size[48];
  if (__builtin_mul_overflow(rows, columns, &n) || n > PTRDIFF_MAX)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--sizes '%zux%zu': too many points", rows,
                    columns);
  lines l = {.n = n, .rows = rows};
  if (rows > 1 && columns == 1)
    return app_fail(&a->error, PFFT3D_ERR_USAGE,
                    "--sizes '%zux1': a matrix has two columns at least; %zu points are a line",
                    rows, rows);
  if (rows > 1 && (n & (n - 1)) != 0)
    return app_fail(&a->error, PFFT3D_ERR_USAGE,
                    "--sizes '%s': rows and columns of a matrix are powers of two",
                    size_text(&l, size));
  if ((n & (n - 1)) != 0 && n > REFERENCE_ANY_SIZE)
    return app_fail(&a->error, PFFT3D_ERR_USAGE,
                    "--sizes '%s': expected powers of two, or a number up to %d",
                    size_text(&l, size), REFERENCE_ANY_SIZE);
  const char *takes = NULL; /* the text of the first kernel */
  for (int i = 0; contender_at(i, &c); i++) {
    if (!wanted(&a->opt, &c)) continue;
    const char *why = contender_takes(&c, &l);
    if (!why) return PFFT3D_OK;
    if (!takes) takes = why;
  }
  return app_fail(&a->error, PFFT3D_ERR_UNAVAILABLE, "--sizes '%s': '%.60s' takes %s",
                  size_text(&l, size), a->opt.kernel, takes);
}

/* Rejects --device without a kernel for devices. */
static int check_device(app *a) {
  contender c;
  int used = !options_given(&a->opt, "device");
  for (int i = 0; !used && contender_at(i, &c); i++) used = wanted(&a->opt, &c) && needs_device(&c);
  if (used) return PFFT3D_OK;
  return app_fail(&a->error, PFFT3D_ERR_USAGE,
                  "--device %lld: --kernel '%.60s' is for the processor",
                  options_number(&a->opt, "device"), a->opt.kernel);
}

static int check_usage(app *a) {
  const extents_list *sizes = &a->opt.kernel_sizes;
  if (a->ranks > 1)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "kernels: runs on one rank, there are %d",
                    a->ranks);
  if (check_names(a) || check_device(a)) return a->error.status;
  for (int i = 0; i < sizes->count; i++)
    if (check_size(a, sizes->n[i])) break;
  return a->error.status;
}

/* The sizes that a selected kernel supports, if this size is none of them; else NULL. */
static const char *unfit(const app *a, const contender *c, const lines *l) {
  return wanted(&a->opt, c) ? contender_takes(c, l) : NULL;
}

/* Warns of kernels that are left out; kernels with the same reason share a warning. */
static void warn_unfit(const app *a, const lines *l) {
  contender c, other;
  for (int i = 0; contender_at(i, &c); i++) {
    const char *takes = unfit(a, &c, l);
    char names[256] = "", size[48];
    int earlier = 0;
    for (int k = 0; takes && contender_at(k, &other); k++) {
      const char *its = unfit(a, &other, l);
      size_t used = strlen(names);
      if (!its || strcmp(its, takes) != 0) continue;
      if (k < i) earlier = 1;
      snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", other.name);
    }
    if (takes && !earlier)
      app_warn(a, "%s points: without %s: %s", size_text(l, size), names, takes);
  }
}

/* Lists the contenders of a size: by kernel, then by number of threads, without unfit kernels. */
static int list_contenders(const app *a, const lines *l, contender *list) {
  const count_list *threads = &a->opt.thread_list;
  int count = 0;
  contender c;
  warn_unfit(a, l);
  for (int i = 0; contender_at(i, &c); i++) {
    double slow_s = contender_patience(&c, l);
    if (!wanted(&a->opt, &c) || contender_takes(&c, l)) continue;
    if (slow_s > 0)
      app_warn(a, "%s with %zu points is left out: it takes n^2 steps, about %.0f s", c.name, l->n,
               slow_s);
    else
      for (int t = 0; t < (needs_device(&c) ? 1 : threads->count); t++) {
        c.threads = (int)threads->at[t];
        list[count++] = c;
      }
  }
  return count;
}

/* ---- measuring ---- */

/* The work: of the sizes before this one, of one run of this size, and of all sizes, in an order of
 * magnitude that is right for all but the slowest kernels; the runs of this size. */
static struct {
  double before, each, all;
  long runs;
} work;

static void show_run(const app *a, const contender *c, const lines *l) {
  app_progress_share(a, (work.before + work.each * (double)work.runs++) / work.all,
                     "%s, %zu points", c->name, l->n);
}

static void note_repeat(contender *c, double seconds) {
  c->seconds[c->reps] = seconds;
  if (c->kernel) memcpy(c->phase + c->reps * PF_PHASES, c->plan.phase, sizeof c->plan.phase);
  c->reps++;
}

/* The first run is the warm-up, and its result is checked: the output has no earlier result then.
 */
static void run_first(const app *a, contender *c, const lines *l, pfft3d_error *e) {
  watch_kick("warming up");
  show_run(a, c, l);
  memset(l->out, 0xff, l->n * l->batch * (l->precision == PFFT3D_DOUBLE ? 16 : 8)); /* NaN */
  double seconds = contender_run(c, l);
  if (l->want) c->errors = lines_compare(l);
  if (c->kernel) pf_kernel_fault(&c->plan, e);
  if (seconds > slow) note_repeat(c, seconds);
}

/* A repeat.  If others ran before it, the caches have their data, and a run without timing comes
 * first. */
static void run_again(const app *a, contender *c, const lines *l, int others) {
  watch_kick("running");
  show_run(a, c, l);
  if (others) contender_run(c, l);
  note_repeat(c, contender_run(c, l));
}

/* Opens, runs and closes `count` contenders with alternating repeats.  A device that fails is a
 * fatal error. */
static void run_group(app *a, contender *list, int count, const lines *l, pfft3d_error *fatal) {
  const int reps = (int)a->opt.reps;
  for (int i = 0; i < count; i++) {
    contender *c = &list[i];
    pfft3d_error e = {0};
    c->seconds = app_malloc(a, (size_t)reps, sizeof(double));
    c->phase = app_malloc(a, (size_t)reps * PF_PHASES, sizeof(double));
    watch_kick("planning");
    if (!contender_open(c, a, l, &e)) run_first(a, c, l, &e);
    if (e.status && needs_device(c)) app_note(fatal, e.status, "%s: %s", c->name, e.text);
    if (e.status) c->reps = 0, contender_close(c);
    if (e.status && !needs_device(c))
      app_warn(a, "%s with %zu points is left out: %s", c->name, l->n, e.text);
  }
  for (int rep = 0; rep < reps; rep++)
    for (int i = 0; i < count; i++)
      if (list[i].is_open && list[i].reps == rep) run_again(a, &list[i], l, count > 1);
  for (int i = 0; i < count; i++) {
    contender *c = &list[i];
    pfft3d_error e = {0};
    if (c->is_open && c->kernel && pf_kernel_fault(&c->plan, &e))
      app_note(fatal, e.status, "%s: %s", c->name, e.text);
    contender_close(c);
  }
}

/* ---- reporting ---- */

static json_t *phases_of(const app *a, const contender *c) {
  timing t = {.reps = c->reps, .seconds = c->seconds, .phase = c->phase};
  const char *names[PF_PHASES];
  for (int k = 0; k < PF_PHASES; k++) names[k] = pf_phase_name((pf_phase)k);
  json_t *phases = run_phases(a, &t, names, PF_PHASES);
  for (int k = 0; k < PF_PHASES; k++)
    if (!(c->kernel && c->kernel->phases >> k & 1)) json_object_del(phases, names[k]);
  return phases;
}

/* The verdict; the first failure is the error of the run. */
static json_t *check_of(app *a, const contender *c, const lines *l) {
  const pf_kernel *k = c->kernel;
  double limit = lines_limit(l, k && k->square, k ? k->loose : 1);
  int pass = c->errors.error <= limit && c->errors.most <= LINES_MOST * limit;
  if (!pass)
    app_note(&a->error, PFFT3D_ERR_CHECK,
             "%s: %zu points, threads: %d: relative error %.3g, allowed are %.3g", c->name, l->n,
             c->threads, c->errors.error, limit);
  return json_pack("{s:f,s:b}", "limit", limit, "pass", pass);
}

static json_t *entry_of(app *a, const contender *c, const lines *l) {
  double middle, n = (double)l->n;
  json_t *times = run_times(a, c->seconds, c->reps, &middle);
  double flops = 5 * n * log2(n) * (double)l->batch;
  json_t *entry =
      json_pack("{s:s,s:s,s:I,s:I,s:i,s:s,s:o,s:o,s:s,s:o}", "kernel", c->name, "device", c->device,
                "size", (json_int_t)l->n, "batch", (json_int_t)l->batch, "threads", c->threads,
                "precision", run_precision_name(l->precision), "time_s", times, "gflops",
                report_real(middle > 0 ? flops / middle / 1e9 : 0), "flops", "5 n log2 n", "phases",
                phases_of(a, c));
  if (l->rows > 1)
    json_object_set_new(entry, "n",
                        json_pack("[I,I]", (json_int_t)l->rows, (json_int_t)(l->n / l->rows)));
  json_object_set_new(entry, "error", l->want ? report_real(c->errors.error) : json_null());
  if (!l->want) return entry;
  json_object_set_new(entry, "max_error", report_real(c->errors.most));
  json_object_set_new(entry, "wrong", report_count(c->errors.wrong));
  json_object_set_new(entry, "check", check_of(a, c, l));
  return entry;
}

/* Columns of a row, and of what it has of the phases. */
enum { ROW = 65, PHASES = 13 * PF_PHASES };

static void print_phases(const json_t *item) {
  char phase[32];
  for (int k = 0; k < PF_PHASES; k++) {
    char path[48];
    snprintf(path, sizeof path, "phases.%s.median", pf_phase_name((pf_phase)k));
    printf(" %12s", report_at(item, path) ? report_seconds(report_number(item, path), phase) : "");
  }
}

static void print_row(const json_t *item) {
  char time[32];
  printf("%-17s %7.0f %11s %9.3f", report_word(item, "kernel"), report_number(item, "threads"),
         report_seconds(report_number(item, "time_s.median"), time), report_number(item, "gflops"));
  if (json_is_number(report_at(item, "error")))
    printf("  %8.1e %8.1e", report_number(item, "error"), report_number(item, "max_error"));
  else
    printf("  %8s %8s", report_at(item, "check") ? "nan" : "-", "-");
  if (columns() >= ROW + PHASES) print_phases(item);
  printf("%s\n", json_is_false(report_at(item, "check.pass")) ? "  FAILED" : "");
}

/* The rows of a matrix; 1 of a line. */
static double matrix_rows(const json_t *item) {
  const json_t *n = report_at(item, "n");
  return n ? json_number_value(json_array_get(n, 0)) : 1;
}

static void print_size(const json_t *item, double n, double rows) {
  double batch = report_number(item, "batch");
  const char *precision = report_word(item, "precision");
  if (rows > 1) {
    printf("\n%.0f x %.0f points, %s precision, %.0f matri%s\n", rows, n / rows, precision, batch,
           batch > 1 ? "ces" : "x");
    return;
  }
  printf("\n%.0f points", n);
  if (n == exp2(floor(log2(n)))) printf(" (2^%.0f)", log2(n));
  printf(", %s precision, %.0f line%s\n", precision, batch, batch > 1 ? "s" : "");
}

static void print_phase_names(void) {
  for (int k = 0; k < PF_PHASES; k++) printf(" %12s", pf_phase_name((pf_phase)k));
  putchar('\n');
}

/* Prints the phases of a size in a table of their own, if they have not fitted the other one. */
static void print_phase_table(const json_t *report, double size, double rows) {
  int none = 1;
  size_t i;
  json_t *item;
  if (columns() >= ROW + PHASES) return;
  json_array_foreach(report_at(report, "runs"), i, item) {
    if (report_number(item, "size") != size || matrix_rows(item) != rows ||
        !json_object_size(report_at(item, "phases")))
      continue;
    if (none) {
      printf("%-17s %7s", "phases", "threads");
      print_phase_names();
    }
    none = 0;
    printf("%-17s %7.0f", report_word(item, "kernel"), report_number(item, "threads"));
    print_phases(item);
    putchar('\n');
  }
}

static void print_text(const app *a, const json_t *report) {
  double size = 0, rows = 0;
  size_t i;
  json_t *item;
  const json_t *load = report_at(report, "load_average");
  (void)a;
  printf("pfft3d kernels  on %s, load average %.2f %.2f %.2f, %s\n", report_word(report, "host"),
         json_number_value(json_array_get(load, 0)), json_number_value(json_array_get(load, 1)),
         json_number_value(json_array_get(load, 2)), report_word(report, "fftw"));
  json_array_foreach(report_at(report, "runs"), i, item) {
    double n = report_number(item, "size"), matrix = matrix_rows(item);
    if (n != size || rows != matrix) {
      print_phase_table(report, size, rows);
      print_size(item, n, matrix);
      printf("%-17s %7s %11s %9s  %8s %8s", "kernel", "threads", "time", "GFLOP/s", "error",
             "largest");
      if (columns() >= ROW + PHASES)
        print_phase_names();
      else
        putchar('\n');
    }
    size = n;
    rows = matrix;
    print_row(item);
  }
  print_phase_table(report, size, rows);
}

/* ---- all ---- */

static double work_of(const ptrdiff_t extent[3]) {
  double n = (double)extent[1] * (double)extent[2];
  return n * log2(n + 1);
}

/* Runs all contenders of a size.  A check that fails is recorded in a->error and the run continues;
 * other errors are in *e. */
static void run_size(app *a, const ptrdiff_t extent[3], contender *list, json_t *report,
                     pfft3d_error *e) {
  size_t rows = (size_t)extent[1], n = rows * (size_t)extent[2];
  lines l = {.n = n,
             .rows = rows,
             .batch = (size_t)options_number(&a->opt, "batch"),
             .precision = options_precision(&a->opt)};
  int count = list_contenders(a, &l, list);
  int together = n * l.batch <= TOGETHER ? count : 1;
  work.each = work_of(extent) / (double)(count ? count * (a->opt.reps + 1) : 1);
  work.runs = 0;
  watch_kick("making lines");
  app_progress(a, "the reference of %zu points", n);
  if (count && !lines_make(&l, a->opt.seed, e) && !a->opt.no_verify) lines_refer(&l, e);
  for (int i = 0; i < count && !e->status; i += together) {
    run_group(a, list + i, together, &l, e);
    for (int k = i; k < i + together; k++)
      if (list[k].reps) report_add(report, entry_of(a, &list[k], &l));
  }
  for (int i = 0; i < count; i++) {
    free(list[i].seconds);
    free(list[i].phase);
  }
  lines_free(&l);
  work.before += work_of(extent);
}

static int kernels_run(app *a) {
  const extents_list *sizes = &a->opt.kernel_sizes;
  pfft3d_error e = {0};
  if (check_usage(a)) return a->error.status;
  contender *list = app_malloc(a, (size_t)MOST * MAX_COUNTS, sizeof *list);
  json_t *report = report_begin(a);
  json_object_set_new(report, "seed", json_integer(a->opt.seed));
  for (int i = 0; i < sizes->count; i++) work.all += work_of(sizes->n[i]);
  for (int i = 0; i < sizes->count && !e.status; i++) run_size(a, sizes->n[i], list, report, &e);
  free(list);
  if (!e.status && !json_array_size(report_at(report, "runs")))
    app_fail(&e, PFFT3D_ERR_UNAVAILABLE, "kernels: nothing is left to run");
  if (e.status) {
    a->error = e; /* replaces a check that failed before */
    json_decref(report);
  } else {
    report_end(a, report, print_text);
  }
  return a->error.status;
}

const command cmd_kernels = {
    .name = "kernels",
    .summary = "local FFT algorithms side by side, with their phases",
    .options =
        "sizes=2^10,2^16,2^20 kernel=all threads batch precision device reps=5 seed no-verify json "
        "csv watchdog quiet",
    .about =
        "The FFTs of the textbooks, one line after the other: the definition, recursion, radix 2\n"
        "with bit reversal, natural order, Stockham, OpenMP loops, two SPMD versions, kernels of\n"
        "8, 4 and 2 points; for comparison engine simd of the library, and FFTW.  With --device\n"
        "also those of a device, whose times include the copies to it and back; these, simd and\n"
        "FFTW take matrices, too.  Runs on one rank.  The repeats of all take turns, each after a "
        "run that is not timed.  Errors are\n"
        "those of the first run of each, which is timed only if it takes more than a second,\n"
        "against a transform in long double: relative in the L2 norm, and the largest of a point\n"
        "over the root mean square.\n\n"
        "Examples:\n"
        "  pfft3d kernels --sizes 2^10,2^20 --threads 1,2\n"
        "  pfft3d kernels --sizes 2^26 --kernel spmd1,spmd2 --threads 1,2,4 --csv p.csv\n"
        "  pfft3d kernels --sizes 1024 --batch 1024 --kernel simd --precision single\n"
        "  pfft3d kernels --sizes 1024 --batch 1024 --device 0\n"
        "  pfft3d kernels --sizes 256x256,1024x1024 --device 0\n",
    .many_threads = 1,
    .run = kernels_run,
};
