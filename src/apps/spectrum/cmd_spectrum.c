/* SPDX-License-Identifier: BSD-3-Clause
 * spectrum: the power of fields, or of particles, in shells of wavenumbers. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/check.h"
#include "app/common/message.h"
#include "app/common/number.h"
#include "app/common/picture.h"
#include "app/common/vector.h"
#include "app/common/vector_file.h"
#include "app/common/watch.h"
#include "app/report/report.h"
#include "app/run/field_run.h"
#include "apps/spectrum/deposit.h"
#include "apps/spectrum/shells.h"

enum { MOST_FIELDS = 8 };

typedef struct job {
  app *a;
  field_input in[MOST_FIELDS]; /* components of a vector; of particles positions and weights */
  int inputs;
  int dims, window;
  ptrdiff_t n[3];
  double length[3];
  pfft3d_numbers numbers;
  run r;
  rows rows;
  void *array[3]; /* of the components that are kept; the first one is the plan's */
  shells s;
  shells compressive; /* of the part without curl, with --parts */
  vector_waves waves;
  deposit d;
  double mean[2];     /* of the first field */
  long double energy; /* sum of |f|^2 */
  double seconds;     /* of the transforms and sums on this rank */
  json_t *check;
} job;

/* ---- options ---- */

static int check_usage(job *j) {
  app *a = j->a;
  const options *o = &a->opt;
  int grid = options_given(o, "grid");
  j->window = options_given(o, "window") ? o->window : o->deposit ? WINDOW_CIC : WINDOW_NONE;
  if (!o->input[0]) {
    app_hint(&a->error, "pfft3d spectrum --input f.h5 --csv power.csv");
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "spectrum: option --input is missing");
  }
  if (grid != o->deposit) {
    if (grid) app_hint(&a->error, "--deposit puts particles on a grid");
    return app_fail(&a->error, PFFT3D_ERR_USAGE,
                    grid ? "--input and --grid: a field has a size"
                         : "spectrum: --deposit needs --grid, the grid for the particles");
  }
  if (options_problems(o) > 1)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "spectrum: --grid: one at a time");
  return PFFT3D_OK;
}

/* ---- particles ---- */

static int check_particles(job *j) {
  app *a = j->a;
  const pfft3d_dataset_info *p = &j->in[0].info, *w = &j->in[1].info;
  memcpy(j->n, a->opt.grid, sizeof j->n);
  j->dims = j->n[0] > 1 ? 3 : j->n[1] > 1 ? 2 : 1;
  j->numbers = PFFT3D_REAL;
  if (j->inputs > 2)
    return app_fail(&a->error, PFFT3D_ERR_USAGE,
                    "--input: particles have positions and weights, not %d datasets", j->inputs);
  if (p->dims != 2 || p->n[2] != j->dims || p->numbers != PFFT3D_REAL)
    return app_fail(&a->error, PFFT3D_ERR_DATA,
                    "'%.100s:%.100s' holds no positions on a grid of %d dimensions: expected real "
                    "numbers, N x %d",
                    p->file, p->path, j->dims, j->dims);
  if (j->inputs == 2 && (w->dims != 1 || w->n[2] != p->n[1] || w->numbers != PFFT3D_REAL))
    return app_fail(&a->error, PFFT3D_ERR_DATA,
                    "'%.100s:%.100s' holds no weights of %td particles: expected as many real "
                    "numbers",
                    w->file, w->path, p->n[1]);
  for (int k = 0; k < j->inputs; k++) j->in[k].precision = PFFT3D_DOUBLE;
  return PFFT3D_OK;
}

static int is_single(const job *j) {
  return j->r.problem.precision == PFFT3D_SINGLE;
}

/* Replaces densities by their contrast, in the array of the plan. */
static void set_contrast(job *j) {
  ptrdiff_t count = rows_points(&j->rows);
  double mean = (double)(j->d.weight / pfft3d_problem_points(&j->s.problem));
  for (ptrdiff_t i = 0; i < count; i++) {
    number_set(j->r.array[0], is_single(j), i, j->d.density[i] / mean - 1);
  }
}

static int make_density(job *j) {
  app *a = j->a;
  deposit *d = &j->d;
  int single = is_single(j);
  size_t count = (size_t)rows_points(&j->rows);
  memcpy(d->n, j->n, sizeof d->n);
  memcpy(d->length, j->length, sizeof d->length);
  d->dims = j->dims;
  d->box = j->rows.part;
  d->density = single ? app_malloc(a, count, sizeof(double)) : j->r.array[0];
  memset(d->density, 0, count * sizeof(double));
  app_progress(a, "putting particles on the grid");
  int status = deposit_run(a, d, j->r.plan, &j->in[0], j->inputs > 1 ? &j->in[1] : NULL);
  if (!status && !(d->weight > 0))
    status =
        app_fail(&a->error, PFFT3D_ERR_DATA, "the weights of the particles sum to %Lg", d->weight);
  if (!status) set_contrast(j);
  if (single) free(d->density);
  return status;
}

/* ---- fields ---- */

static int check_fields(job *j) {
  const pfft3d_dataset_info *first = &j->in[0].info;
  memcpy(j->n, first->n, sizeof j->n);
  j->dims = first->dims;
  if (vector_check(j->a, j->in, j->inputs, &j->numbers)) return j->a->error.status;
  if (!j->a->opt.parts || j->inputs == j->dims) return PFFT3D_OK;
  return app_fail(&j->a->error, PFFT3D_ERR_DATA,
                  "--parts: %d component%s of a field of %d dimensions", j->inputs,
                  j->inputs > 1 ? "s" : "", j->dims);
}

static int probe(job *j) {
  app *a = j->a;
  if (vector_probe(a, 0, j->in, MOST_FIELDS, &j->inputs) ||
      (a->opt.deposit ? check_particles(j) : check_fields(j)))
    return a->error.status;
  for (int k = 0; k < 3; k++) j->length[k] = 1;
  return a->opt.length[0] ? options_lengths(a->opt.length, j->dims, j->length, &a->error)
                          : PFFT3D_OK;
}

/* What the parts of a vector field need: all components at once. */
static int plan_parts(job *j, const pfft3d_problem *p) {
  app *a = j->a;
  ptrdiff_t m[3];
  pfft3d_problem_extents(p, PFFT3D_SPECTRUM, m);
  if (shells_open(a, &j->compressive, p, j->length, j->dims, j->window, &a->error) ||
      vector_open(a, &j->waves, j->dims, j->n, m, j->length, &a->error))
    return a->error.status;
  for (int c = 1; c < j->inputs; c++)
    if (pfft3d_alloc(j->r.plan, &j->array[c], &a->error)) return a->error.status;
  return PFFT3D_OK;
}

static int plan(job *j) {
  app *a = j->a;
  pfft3d_problem p = field_problem(a, j->numbers, j->n);
  if (shells_open(a, &j->s, &p, j->length, j->dims, j->window, &a->error) ||
      (a->opt.png[0] && picture_open(a, a->opt.png)) || field_plan(a, &p, &j->r, &a->error))
    return a->error.status;
  j->rows = field_rows(a, &j->r, j->n);
  j->array[0] = j->r.array[0];
  return a->opt.parts ? plan_parts(j, &p) : PFFT3D_OK;
}

/* Adds to the sum of squares; and, of the first field, sets the mean. */
static void measure(job *j, const void *array, int first) {
  int parts = j->numbers == PFFT3D_REAL ? 1 : 2;
  ptrdiff_t count = rows_points(&j->rows) * parts;
  long double sum[3] = {0};
  for (ptrdiff_t i = 0; i < count; i++) {
    double value = number_get(array, is_single(j), i);
    sum[0] += (long double)value * value;
    sum[1 + i % parts] += value;
  }
  check_sum(j->a, sum, 3);
  j->energy += sum[0];
  for (int k = 0; k < 2 && first; k++)
    j->mean[k] = (double)(sum[1 + k] / (long double)pfft3d_problem_points(&j->s.problem));
}

static int transform(job *j, int number) {
  app *a = j->a;
  pfft3d_box box;
  void *array = j->array[a->opt.parts ? number : 0];
  int status = a->opt.deposit
                   ? make_density(j)
                   : field_read(a, &j->in[number], j->numbers, &j->rows.part, array, NULL);
  if (status) return status;
  app_progress(a, "transforming");
  measure(j, array, number == 0);
  double start = MPI_Wtime();
  rows_spread(&j->rows, array);
  run_execute(a, &j->r, PFFT3D_FORWARD, array, array);
  watch_kick("adding up");
  pfft3d_plan_box(j->r.plan, PFFT3D_SPECTRUM, a->rank, &box);
  shells_add(&j->s, &box, array);
  j->seconds += MPI_Wtime() - start;
  return PFFT3D_OK;
}

/* Collective. Replaces the spectra by those of the part without curl, and adds it up. */
static void add_compressive(job *j) {
  pfft3d_box box;
  double start = MPI_Wtime();
  pfft3d_plan_box(j->r.plan, PFFT3D_SPECTRUM, j->a->rank, &box);
  vector_apply(vector_potential(), &j->waves, &box, is_single(j), j->array);
  for (int c = 0; c < j->inputs; c++) shells_add(&j->compressive, &box, j->array[c]);
  j->seconds += MPI_Wtime() - start;
  shells_collect(j->a, &j->compressive);
}

/* V |F/N|^2, averaged over the modes of a shell. */
static long double power_of(const job *j, const shell *s) {
  long double points = pfft3d_problem_points(&j->s.problem);
  return j->s.volume * s->power / s->modes / points / points;
}

/* Energy of a shell of vectors: half its part of the mean square. */
static long double energy_of(const job *j, const shell *s) {
  return power_of(j, s) * s->modes / j->s.volume / 2;
}

/* Powers are squares, and may overflow a double where the field does not.  Small powers may become
 * 0 if others, including the power of the mean, are in range. */
static int check_range(job *j, long double found) {
  app *a = j->a;
  long double most = 0, mean = power_of(j, &j->s.shell[0]);
  for (int i = 1; i < j->s.count; i++) {
    const shell *s = &j->s.shell[i];
    if (s->modes > 0) most = fmaxl(most, power_of(j, s));
    if (s->modes > 0 && j->s.fields > 1) most = fmaxl(most, energy_of(j, s));
  }
  if (!isfinite(found))
    return app_fail(&a->error, PFFT3D_ERR_CHECK,
                    "the spectrum has values that are not finite; the input has none");
  if (most == 0 || (fmaxl(most, mean) >= DBL_MIN && most <= DBL_MAX)) return PFFT3D_OK;
  app_hint(&a->error, "scale the field; a power is the square of it");
  return app_fail(&a->error, PFFT3D_ERR_CHECK,
                  "powers of up to %.3Lg: double precision has numbers from %.3g to %.3g", most,
                  DBL_MIN, DBL_MAX);
}

static int compute(job *j) {
  app *a = j->a;
  int fields = a->opt.deposit ? 1 : j->inputs;
  for (int k = 0; k < fields; k++)
    if (transform(j, k)) return a->error.status;
  shells_collect(a, &j->s);
  if (a->opt.parts) add_compressive(j);
  long double total = j->energy * pfft3d_problem_points(&j->s.problem);
  long double found = j->s.energy + j->s.shell[0].power;
  long double error = total > 0 ? fabsl(found / total - 1) : found;
  const check_value v = {"parseval", (double)error};
  if (check_range(j, found)) return a->error.status;
  j->check = check_report(a, &v, 1, check_limit(&j->s.problem, run_wire(&j->r)), "the spectrum");
  return a->error.status;
}

/* ---- the results ---- */

/* The columns k_mean, power, modes; of vectors also the energy of the shell, and of its parts. */
static json_t *make_table(const job *j) {
  json_t *list = json_array(), *columns = json_pack("[s,s,s]", "k_mean", "power", "modes");
  int vector = j->s.fields > 1;
  if (vector) json_array_append_new(columns, json_string("energy"));
  if (j->a->opt.parts) {
    json_array_append_new(columns, json_string("solenoidal"));
    json_array_append_new(columns, json_string("compressive"));
  }
  for (int i = 1; i < j->s.count; i++) {
    const shell *s = &j->s.shell[i];
    if (!(s->modes > 0)) continue;
    json_t *row = json_pack("[f,o,o]", (double)(s->k / s->modes) * j->s.unit,
                            report_real((double)power_of(j, s)), report_count((double)s->modes));
    if (vector) json_array_append_new(row, report_real((double)energy_of(j, s)));
    if (j->a->opt.parts) {
      long double part = energy_of(j, &j->compressive.shell[i]);
      json_array_append_new(row, report_real((double)(energy_of(j, s) - part)));
      json_array_append_new(row, report_real((double)part));
    }
    json_array_append_new(list, row);
  }
  return json_pack("{s:o,s:o}", "columns", columns, "rows", list);
}

static double at(const json_t *table, size_t row, size_t column) {
  return json_number_value(json_array_get(json_array_get(report_at(table, "rows"), row), column));
}

/* The wavenumber up to which the cube of modes is complete, from axes of several points; 0 without
 * such an axis. */
static double complete(const job *j) {
  double least = INFINITY;
  for (int k = 3 - j->dims; k < 3; k++) {
    ptrdiff_t last = j->n[k] / 2;
    if (last) least = fmin(least, (double)last / j->s.length[k]);
  }
  return isinf(least) ? 0 : 2 * 3.14159265358979323846 * least;
}

/* Draws complete shells, as far as they are not rounding errors. */
static int draw(job *j, const json_t *table) {
  app *a = j->a;
  int all = (int)json_array_size(report_at(table, "rows")), column = j->s.fields > 1 ? 3 : 1;
  double last = complete(j) > 0 ? complete(j) : INFINITY;
  int count = 0;
  double *x = app_malloc(a, (size_t)all, 2 * sizeof(double)), *y = x + all, most = 0;
  for (int i = 0; i < all; i++) most = fmax(most, at(table, (size_t)i, (size_t)column));
  for (int i = 0; i < all; i++) {
    x[count] = at(table, (size_t)i, 0);
    y[count] = at(table, (size_t)i, (size_t)column);
    count += y[count] > 1e-25 * most && !(x[count] > last);
  }
  const picture p = {.title = a->opt.input,
                     .label = {"wavenumber k", column == 3 ? "energy per shell" : "power"},
                     .logarithmic = {1, 1}};
  const picture_line line = {.x = x, .y = y, .count = count};
  picture_draw_lines(a, &p, &line, 1);
  free(x);
  return a->error.status;
}

static void print_text(const app *a, const json_t *report) {
  enum { SHOWN = 24 };
  const json_t *item = json_array_get(report_at(report, "runs"), 0);
  const json_t *table = report_at(report, "table");
  size_t shown, count = json_array_size(report_at(table, "rows"));
  char time[32];
  report_text_head(a, report);
  printf("%s: mean %.6g", a->opt.input, report_number(item, "mean"));
  if (report_at(item, "mean_imaginary")) printf(" %+.6g i", report_number(item, "mean_imaginary"));
  printf(", variance ");
  if (json_is_null(report_at(item, "variance")))
    printf("beyond double precision");
  else
    printf("%.6g", report_number(item, "variance"));
  if (report_at(item, "shot_noise"))
    printf(", %.0f particles, shot noise %.6g", report_number(item, "particles"),
           report_number(item, "shot_noise"));
  if (report_at(item, "compressive"))
    printf(", %.3g %% of it compressive", 100 * report_number(item, "compressive"));
  printf("\n%zu shells, complete up to k = %.6g; transformed and summed in %s", count,
         report_number(item, "k_complete"),
         report_seconds(report_number(item, "time_s.median"), time));
  field_print_times(item);
  printf("Parseval: relative error %.1e, limit %.1e, %s\n\n", report_number(item, "check.parseval"),
         report_number(item, "check.limit"),
         json_is_true(report_at(item, "check.pass")) ? "PASS" : "FAIL");
  printf("%14s %14s %12s\n", "k_mean", "power", "modes");
  for (shown = 0; shown < count && shown < SHOWN; shown++)
    printf("%14.7g %14.7g %12.0f\n", at(table, shown, 0), at(table, shown, 1), at(table, shown, 2));
  if (count > SHOWN) printf("... and %zu more: --csv FILE has all\n", count - SHOWN);
}

/* The variance; NaN, which is null in reports, if a double cannot represent it. */
static double variance_of(const job *j) {
  long double points = pfft3d_problem_points(&j->s.problem), v = j->s.energy / points / points;
  return v == 0 || (v >= DBL_MIN && v <= DBL_MAX) ? (double)v : NAN;
}

static json_t *make_entry(job *j) {
  app *a = j->a;
  double median;
  json_t *item = run_describe(&j->r.decision, PFFT3D_FORWARD);
  json_object_update_new(
      item,
      json_pack("{s:f,s:o,s:o,s:f,s:i,s:f,s:O}", "plan_s", j->r.plan_s, "mean",
                report_real(j->mean[0]), "variance", report_real(variance_of(j)), "k_complete",
                complete(j), "fields", j->s.fields, "volume", j->s.volume, "check", j->check));
  if (j->numbers == PFFT3D_COMPLEX)
    json_object_set_new(item, "mean_imaginary", report_real(j->mean[1]));
  if (a->opt.deposit)
    json_object_update_new(
        item,
        json_pack("{s:o,s:o}", "particles", report_count(j->d.particles), "shot_noise",
                  report_real((double)(j->s.volume * j->d.square / j->d.weight / j->d.weight))));
  if (a->opt.parts && j->s.energy > 0)
    json_object_set_new(item, "compressive",
                        report_real((double)(j->compressive.energy / j->s.energy)));
  json_object_set_new(item, "time_s", run_times(a, &j->seconds, 1, &median));
  return item;
}

static void print_report(job *j, json_t *table) {
  app *a = j->a;
  json_t *report = report_begin(a), *item = make_entry(j);
  field_input all = j->in[0];
  for (int k = 1; k < j->inputs; k++) all.seconds += j->in[k].seconds;
  field_report(a, &all, NULL, item, report);
  json_object_set(report, "table", table);
  report_problem(a, report, &j->r.problem);
  json_object_del(report, "seed");
  report_add(report, item);
  report_end(a, report, print_text);
}

/* The picture comes last: without it the report is complete. */
static int show(job *j) {
  app *a = j->a;
  json_t *table = make_table(j);
  print_report(j, table);
  if (a->opt.png[0]) draw(j, table);
  json_decref(table);
  return a->error.status;
}

static int spectrum_run(app *a) {
  job j = {.a = a};
  if (!check_usage(&j) && !probe(&j) && !plan(&j) && !compute(&j)) show(&j);
  for (int k = 0; k < j.inputs; k++) field_close(&j.in[k]);
  shells_close(&j.s);
  shells_close(&j.compressive);
  vector_close(&j.waves);
  json_decref(j.check);
  run_close(&j.r);
  return a->error.status;
}

const command cmd_spectrum = {
    .name = "spectrum",
    .summary = "power spectrum of a field, a vector field or particles",
    .options =
        "plan-budget=0 " INPUT_OPTIONS
        "components along parts length bins window deposit grid png precision wire " FIELD_OPTIONS
            RUN_OPTIONS,
    .about =
        "The power V |F/N|^2 of the modes of a dataset of one to three dimensions, real or\n"
        "complex, taken as periodic, averaged over all modes of the spectrum in shells of\n"
        "wavenumbers k = 2 pi |(k0/L0, k1/L1, k2/L2)|: one wide as the smallest wavenumber, "
        "centred\n"
        "on its multiples, or ten per factor of 10 (--bins log).  V is the volume, N the number "
        "of\n"
        "points.  Mode 0, the mean, is in no shell.  --csv has columns k_mean,power,modes; the "
        "sum\n"
        "of power times modes is V times the variance.\n\n"
        "Several datasets of a file (F.h5:/u,/v,/w) are components of a vector: their powers are\n"
        "added, and a column `energy` has half of what a shell contributes to the mean square.\n"
        "--parts adds columns of its parts without divergence and without curl.\n"
        "--deposit puts particles on a grid, and divides by the window of cloud in cell; their\n"
        "shot noise V/N is reported, and not subtracted.\n\n"
        "Examples:\n"
        "  mpirun -n 4 pfft3d spectrum -i head.h5 --csv power.csv --png power.png\n"
        "  mpirun -n 4 pfft3d spectrum -i flow.h5:/u,/v,/w --length 6.283185307179586\n"
        "  mpirun -n 4 pfft3d spectrum -i stars.h5:/positions --deposit --grid 256 --length 1000\n",
    .single = 1,
    .run = spectrum_run,
};
