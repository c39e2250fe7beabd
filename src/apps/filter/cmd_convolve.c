/* SPDX-License-Identifier: BSD-3-Clause
 * convolve: the product of two spectra.  Phase factors shift the result, so that the part that is
 * stored begins at point 0 of the grid. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/number.h"
#include "app/common/vector_file.h"
#include "app/report/report.h"
#include "app/run/field_run.h"
#include "apps/filter/padding.h"

typedef struct job {
  app *a;
  field_input in[VECTOR_MOST], with;
  char place[1600]; /* of the second one */
  pfft3d_attribute attributes[4];
  int count; /* of the components of the first field */
  vector_output output;
  pfft3d_numbers numbers;
  padding padding;
  run r;
  rows rows[3];    /* of both fields and of the result */
  double *turn[3]; /* phases of the modes along each axis, (re, im) */
  double regular;  /* added to the squares of modes that are divided by */
  void *array[VECTOR_MOST], *kernel;
  int component; /* the one with the peak */
  double peak;   /* the largest absolute value of the result */
  double at[2];  /* its value, (re, im) */
  ptrdiff_t where[3];
  double seconds; /* of the transforms on this rank */
} job;

static int check_usage(job *j) {
  app *a = j->a;
  const options *o = &a->opt;
  const char *wrong = o->mode == MODE_CIRCULAR     ? NULL
                      : o->deconvolve              ? "deconvolve"
                      : options_given(o, "origin") ? "origin"
                                                   : NULL;
  if (wrong) return app_fail(&a->error, PFFT3D_ERR_USAGE, "--%s: with --mode circular only", wrong);
  if (o->deconvolve && o->correlate)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--deconvolve and --correlate: one at a time");
  if (options_given(o, "regularize") && !o->deconvolve)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--regularize: with --deconvolve only");
  if (o->input[0] && o->output[0] && o->with[0]) return PFFT3D_OK;
  app_hint(&a->error, "pfft3d convolve --input a.h5 --with b.h5 --output c.h5");
  return app_fail(&a->error, PFFT3D_ERR_USAGE, "convolve: option --%s is missing",
                  !o->input[0]  ? "input"
                  : !o->with[0] ? "with"
                                : "output");
}

static const char *size_text(const pfft3d_dataset_info *info, char out[80]) {
  size_t used = 0;
  for (int a = 3 - info->dims; a < 3; a++)
    used += (size_t)snprintf(out + used, 80 - used, "%s%td", used ? "x" : "", info->n[a]);
  return out;
}

static int probe(job *j) {
  app *a = j->a;
  const options *o = &a->opt;
  const pfft3d_dataset_info *x = &j->in[0].info, *y = &j->with.info;
  char size[2][80];
  if (vector_probe(a, a->opt.input, 0, j->in, VECTOR_MOST, &j->count) ||
      vector_check(a, j->in, j->count, &j->numbers) || field_probe(a, o->with, &j->with))
    return a->error.status;
  int fits = x->n[0] >= y->n[0] && x->n[1] >= y->n[1] && x->n[2] >= y->n[2];
  if (x->dims != y->dims || (o->mode == MODE_CIRCULAR && !fits)) {
    if (x->dims == y->dims)
      app_hint(&a->error, "--mode full and --mode same take a second field that is larger");
    return app_fail(&a->error, PFFT3D_ERR_DATA, "cannot convolve '%.100s' with '%.100s': %s and %s",
                    x->file, y->file, size_text(x, size[0]), size_text(y, size[1]));
  }
  if (y->numbers == PFFT3D_COMPLEX) j->numbers = PFFT3D_COMPLEX;
  j->padding = padding_make(x->n, y->n, o->mode, o->correlate || o->deconvolve, o->centre);
  return PFFT3D_OK;
}

static const char *const modes[] = {"circular", "full", "same"};

static const char *operation(const options *o) {
  return o->deconvolve ? "deconvolution" : o->correlate ? "correlation" : "convolution";
}

static int create_output(job *j) {
  const pfft3d_dataset_info *y = &j->with.info;
  snprintf(j->place, sizeof j->place, "%s:%s", y->file, y->path);
  j->attributes[0] = (pfft3d_attribute){"operation", operation(&j->a->opt)};
  j->attributes[1] = (pfft3d_attribute){"mode", modes[j->a->opt.mode]};
  j->attributes[2] = (pfft3d_attribute){"with", j->place};
  vector_output *v = &j->output;
  v->in = j->in;
  v->inputs = v->outputs = j->count;
  v->wish = (pfft3d_output_spec){
      .numbers = j->numbers, .dims = j->in[0].info.dims, .attributes = j->attributes};
  memcpy(v->wish.n, j->padding.out, sizeof v->wish.n);
  return vector_create(j->a, v, "");
}

/* exp(2 pi i k offset / n), with an exact angle for large products. */
static int make_phases(job *j) {
  static const double pi = 3.14159265358979323846;
  ptrdiff_t m[3];
  pfft3d_plan_extents(j->r.plan, PFFT3D_SPECTRUM, m);
  for (int a = 0; a < 3; a++) {
    ptrdiff_t n = j->padding.grid[a], step = (j->padding.offset[a] % n + n) % n, turned = 0;
    j->turn[a] = app_malloc(j->a, 2 * (size_t)m[a], sizeof(double));
    for (ptrdiff_t k = 0; k < m[a]; k++, turned = (turned + step) % n) {
      j->turn[a][2 * k] = cos(2 * pi * (double)turned / (double)n);
      j->turn[a][2 * k + 1] = 2 * turned == n ? 0 : sin(2 * pi * (double)turned / (double)n);
    }
  }
  return PFFT3D_OK;
}

static int plan(job *j) {
  app *a = j->a;
  pfft3d_problem p = field_problem(a, j->numbers, j->padding.grid);
  if (field_plan(a, &p, &j->r, &a->error) || pfft3d_alloc(j->r.plan, &j->kernel, &a->error))
    return a->error.status;
  j->array[0] = j->r.array[0];
  for (int c = 1; c < j->count; c++)
    if (pfft3d_alloc(j->r.plan, &j->array[c], &a->error)) return a->error.status;
  j->rows[0] = field_rows(a, &j->r, j->in[0].info.n);
  j->rows[1] = field_rows(a, &j->r, j->with.info.n);
  j->rows[2] = field_rows(a, &j->r, j->padding.out);
  return make_phases(j);
}

static int read_input(job *j) {
  for (int c = 0; c < j->count; c++)
    if (field_read(j->a, &j->in[c], j->numbers, &j->rows[0].part, j->array[c], NULL))
      return j->a->error.status;
  return field_read(j->a, &j->with, j->numbers, &j->rows[1].part, j->kernel, NULL);
}

/* ---- the product ---- */

/* Collective. For a deconvolution: modes of the second field become those of its inverse's
 * conjugate, y / (|y|^2 + E max |y|^2). */
static int invert(job *j) {
  app *a = j->a;
  int single = j->r.problem.precision == PFFT3D_SINGLE;
  pfft3d_box b;
  double range[2] = {0, -INFINITY}; /* the largest square, and minus the smallest one */
  pfft3d_plan_box(j->r.plan, PFFT3D_SPECTRUM, a->rank, &b);
  for (int pass = 0; pass < 2; pass++) {
    for (ptrdiff_t i = 0; i < b.len[0] * b.len[1] * b.len[2]; i++) {
      ptrdiff_t row = i / b.len[2], at = i % b.len[2] * b.stride[2] + b.offset +
                                         row / b.len[1] * b.stride[0] +
                                         row % b.len[1] * b.stride[1];
      double re = number_get(j->kernel, single, 2 * at),
             im = number_get(j->kernel, single, 2 * at + 1), square = re * re + im * im;
      if (pass == 0) {
        range[0] = fmax(range[0], square);
        range[1] = fmax(range[1], -square);
        continue;
      }
      number_set(j->kernel, single, 2 * at, re / (square + j->regular));
      number_set(j->kernel, single, 2 * at + 1, im / (square + j->regular));
    }
    if (pass == 1) break;
    MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_DOUBLE, MPI_MAX, a->comm);
    j->regular = a->opt.regularize * range[0];
    double epsilon = single ? FLT_EPSILON : DBL_EPSILON;
    if (j->regular - range[1] > epsilon * epsilon * range[0]) continue;
    app_hint(&a->error, "--regularize 1e-6, or a larger number, keeps such modes small");
    return app_fail(&a->error, PFFT3D_ERR_DATA,
                    "cannot deconvolve: '%.100s:%.100s' has modes that are 0", j->with.info.file,
                    j->with.info.path);
  }
  return PFFT3D_OK;
}

/* The product of a row of modes: x *= y or its conjugate, with the phase of the row (re, im) and
 * the phases of its modes. */
#define MULTIPLY(number, name)                                                                 \
  static void name(number *x, const number *y, ptrdiff_t count, ptrdiff_t stride, double sign, \
                   const double row[2], const double *turn) {                                  \
    for (ptrdiff_t k = 0; k < count; k++, x += 2 * stride, y += 2 * stride) {                  \
      double c = row[0] * turn[2 * k] - row[1] * turn[2 * k + 1];                              \
      double s = row[0] * turn[2 * k + 1] + row[1] * turn[2 * k];                              \
      double re = (double)x[0] * y[0] - sign * x[1] * y[1];                                    \
      double im = (double)x[1] * y[0] + sign * x[0] * y[1];                                    \
      x[0] = (number)(re * c - im * s);                                                        \
      x[1] = (number)(re * s + im * c);                                                        \
    }                                                                                          \
  }
MULTIPLY(double, multiply_doubles)
MULTIPLY(float, multiply_floats)

static void multiply(const job *j, void *x) {
  int single = j->r.problem.precision == PFFT3D_SINGLE;
  double sign = j->a->opt.correlate || j->a->opt.deconvolve ? -1 : 1;
  pfft3d_box b;
  pfft3d_plan_box(j->r.plan, PFFT3D_SPECTRUM, j->a->rank, &b);
  for (ptrdiff_t i = 0; i < b.len[0]; i++)
    for (ptrdiff_t k = 0; k < b.len[1]; k++) {
      const double *p = &j->turn[0][2 * (b.lo[0] + i)], *q = &j->turn[1][2 * (b.lo[1] + k)];
      const double row[2] = {p[0] * q[0] - p[1] * q[1], p[0] * q[1] + p[1] * q[0]};
      const double *last = &j->turn[2][2 * b.lo[2]];
      ptrdiff_t at = 2 * (b.offset + i * b.stride[0] + k * b.stride[1]);
      if (single)
        multiply_floats((float *)x + at, (float *)j->kernel + at, b.len[2], b.stride[2], sign, row,
                        last);
      else
        multiply_doubles((double *)x + at, (double *)j->kernel + at, b.len[2], b.stride[2], sign,
                         row, last);
    }
}

/* ---- the peak ---- */

static double number_at(const job *j, int c, ptrdiff_t i) {
  return number_get(j->array[c], j->r.problem.precision == PFFT3D_SINGLE, i);
}

/* Finds the largest absolute value of component c, and keeps it if it is larger than the one
 * before; among equal values the one with the lowest index. */
static void find_peak(job *j, int c) {
  const pfft3d_box *b = &j->rows[2].part;
  ptrdiff_t parts = j->numbers == PFFT3D_REAL ? 1 : 2, best = -1;
  struct {
    double value;
    int rank;
  } mine = {-1, j->a->rank}, most;
  for (ptrdiff_t i = 0; i < rows_points(&j->rows[2]); i++) {
    double value = parts == 1 ? fabs(number_at(j, c, i))
                              : hypot(number_at(j, c, 2 * i), number_at(j, c, 2 * i + 1));
    if (value > mine.value) mine.value = value, best = i;
  }
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, j->a->comm);
  if (c > 0 && !(most.value > j->peak)) return;
  j->component = c;
  double found[5] = {0};
  if (most.rank == j->a->rank && best >= 0) {
    ptrdiff_t row = best / b->len[2];
    const ptrdiff_t at[3] = {row / b->len[1], row % b->len[1], best % b->len[2]};
    found[0] = number_at(j, c, parts * best);
    if (parts == 2) found[1] = number_at(j, c, 2 * best + 1);
    for (int k = 0; k < 3; k++) found[2 + k] = (double)(b->lo[k] + at[k]);
  }
  MPI_Bcast(found, 5, MPI_DOUBLE, most.rank, j->a->comm);
  j->peak = most.value;
  memcpy(j->at, found, sizeof j->at);
  for (int k = 0; k < 3; k++) j->where[k] = (ptrdiff_t)found[2 + k];
}

static int compute(job *j) {
  app *a = j->a;
  app_progress(a, "computing the %s", operation(&a->opt));
  MPI_Barrier(a->comm);
  double start = MPI_Wtime();
  rows_spread(&j->rows[1], j->kernel);
  run_execute(a, &j->r, PFFT3D_FORWARD, j->kernel, j->kernel);
  if (a->opt.deconvolve && invert(j)) return a->error.status;
  for (int c = 0; c < j->count; c++) {
    void *x = j->array[c];
    rows_spread(&j->rows[0], x);
    run_execute(a, &j->r, PFFT3D_FORWARD, x, x);
    multiply(j, x);
    run_execute(a, &j->r, PFFT3D_BACKWARD, x, x);
    rows_collect(&j->rows[2], x);
  }
  j->seconds = MPI_Wtime() - start;
  for (int c = 0; c < j->count; c++) find_peak(j, c);
  return PFFT3D_OK;
}

/* ---- the report ---- */

static void print_text(const app *a, const json_t *report) {
  const json_t *item = json_array_get(report_at(report, "runs"), 0);
  const json_t *value = report_at(item, "peak.value");
  char time[32], index[64], shift[64];
  report_text_head(a, report);
  printf("%s, %s: %s:%s with %s -> %s\n", report_word(item, "operation"), report_word(item, "mode"),
         json_string_value(report_at(report, "input.file")),
         json_string_value(report_at(report, "input.path")), report_word(report, "with"),
         report_word(report, "output"));
  report_plain(report_at(item, "peak.index"), index, sizeof index);
  report_plain(report_at(item, "peak.shift"), shift, sizeof shift);
  printf("peak %.9g", json_number_value(json_array_get(value, 0)));
  if (json_array_size(value) > 1) printf(" %+.9gi", json_number_value(json_array_get(value, 1)));
  printf(" at %s", index);
  if (a->opt.correlate) printf(", shift %s", shift);
  printf("\ntransformed in %s", report_seconds(report_number(item, "time_s.median"), time));
  field_print_times(item);
}

/* The index of the peak in the result, and the shift of the second field that it means. */
static json_t *peak_entry(const job *j) {
  json_t *index = json_array(), *shift = json_array(), *value = json_array();
  for (int k = 3 - j->in[0].info.dims; k < 3; k++) {
    json_array_append_new(index, json_integer((json_int_t)j->where[k]));
    json_array_append_new(shift, json_integer((json_int_t)j->where[k] + j->padding.offset[k]));
  }
  json_array_append_new(value, report_real(j->at[0]));
  if (j->numbers == PFFT3D_COMPLEX) json_array_append_new(value, report_real(j->at[1]));
  json_t *peak = json_pack("{s:o,s:o,s:o,s:o}", "absolute", report_real(j->peak), "value", value,
                           "index", index, "shift", shift);
  if (j->count > 1) json_object_set_new(peak, "component", json_integer(j->component));
  return peak;
}

static void print_report(job *j) {
  app *a = j->a;
  double median;
  field_input both = j->in[0];
  json_t *report = report_begin(a), *item = run_describe(&j->r.decision, PFFT3D_BACKWARD);
  for (int c = 1; c < j->count; c++) both.seconds += j->in[c].seconds;
  both.seconds += j->with.seconds;
  json_object_update_new(
      item, json_pack("{s:s,s:s,s:s,s:f,s:o}", "direction", "both", "operation", operation(&a->opt),
                      "mode", modes[a->opt.mode], "plan_s", j->r.plan_s, "peak", peak_entry(j)));
  json_object_set_new(item, "time_s", run_times(a, &j->seconds, 1, &median));
  field_report(a, &both, &j->output.out, item, report);
  json_object_set_new(report, "with", report_words(a->opt.with));
  report_problem(a, report, &j->r.problem);
  json_object_del(report, "seed");
  report_add(report, item);
  report_end(a, report, print_text);
}

static int convolve_run(app *a) {
  job j = {.a = a};
  if (!check_usage(&j) && !probe(&j) && !create_output(&j) && !plan(&j) && !read_input(&j) &&
      !compute(&j) && !vector_write(a, &j.output, &j.rows[2], j.array))
    print_report(&j);
  field_discard(&j.output.out);
  for (int c = 0; c < j.count; c++) field_close(&j.in[c]);
  field_close(&j.with);
  for (int k = 0; k < 3; k++) free(j.turn[k]);
  run_close(&j.r);
  return a->error.status;
}

const command cmd_convolve = {
    .name = "convolve",
    .summary = "convolution, correlation or deconvolution of two fields",
    .options =
        "plan-budget=0 " INPUT_OPTIONS OUTPUT_OPTIONS
        "with components mode origin correlate deconvolve regularize precision wire " FIELD_OPTIONS
            RUN_OPTIONS,
    .about =
        "Convolves two datasets of one to three dimensions, real or complex, each component of a\n"
        "vector field (F.h5:/u,/v,/w) with the same second one; with\n"
        "--correlate sums a[j + shift] conj(b[j]) over j.  --mode says which part is written:\n"
        "  circular  the first one is periodic; the second, no larger, is 0 elsewhere\n"
        "  full      n + m - 1 points along each axis: shifts from 1 - m on, or\n"
        "            points from 0 on\n"
        "  same      of these the middle ones, as many as the first field has\n"
        "as scipy.signal's convolve and correlate.  The largest absolute value is reported with\n"
        "its place; of a correlation with the shift, at which a template lies in the field.\n"
        "--deconvolve finds the field that the second one has blurred.\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d convolve -i a.h5 --with b.h5 -o c.h5\n"
        "  mpirun -n 2 pfft3d convolve -i f.h5 --with template.h5 -o c.h5 --mode full \\\n"
        "    --correlate\n",
    .single = 1,
    .run = convolve_run,
};
