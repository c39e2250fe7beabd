/* SPDX-License-Identifier: BSD-3-Clause
 * compress: writes the largest components of a forward transform.  The loss follows from the
 * dropped components by Parseval's theorem, without a transform back. */
#include "apps/compress/compress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/check/check.h"
#include "app/common/message.h"
#include "app/common/number.h"
#include "app/common/watch.h"
#include "app/report/report.h"
#include "app/run/field_run.h"
#include "apps/compress/select.h"

typedef struct job {
  app *a;
  field_input in;
  field_output out;
  pfft3d_problem problem;
  run r;
  components c;
  selection s;
  double wanted, all; /* numbers of components: to be kept, of the field */
  double energy;      /* sum of squares of the field */
  double range;       /* its largest minus its smallest value; complex: the largest modulus */
  double seconds[2];  /* transform, selection; on this rank */
  double bytes[2];    /* of both files; on rank 0 */
  json_t *check;
  char indices[FILE_SIZE], values[FILE_SIZE];
} job;

int compress_name(const char *file, const char *dataset, char *out, size_t size) {
  size_t length = strlen(file);
  const char *joint = !options_path(file) ? ":/" : file[length - 1] == '/' ? "" : "/";
  return (size_t)snprintf(out, size, "%s%s%s", file, joint, dataset) >= size;
}

/* ---- before the work ---- */

static int probe(job *j) {
  app *a = j->a;
  if (compress_name(a->opt.output, "indices", j->indices, sizeof j->indices) ||
      compress_name(a->opt.output, "values", j->values, sizeof j->values))
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--output: the name is too long");
  if (field_probe(a, a->opt.input, &j->in)) return a->error.status;
  j->problem = field_problem(a, j->in.info.numbers, j->in.info.n);
  j->all = 1;
  for (int k = 0; k < 3; k++) j->all *= (double)j->problem.n[k];
  if (j->all > 0x1p53)
    return app_fail(&a->error, PFFT3D_ERR_DATA,
                    "'%s': more than 2^53 components cannot be numbered", a->opt.input);
  /* long double: 2.5 % of a number of 53 bits */
  j->wanted = (double)roundl((long double)a->opt.share * (long double)j->all / 100);
  return PFFT3D_OK;
}

static int create_output(job *j, double count) {
  const pfft3d_output_spec values = {
      .name = j->values, .dims = 1, .n = {1, 1, count >= 1 ? (ptrdiff_t)count : 1}};
  return field_create(j->a, &j->in, &values, &j->out);
}

/* Shows, before any work, that the output can be written and that there is space for values and
 * indices.  8 components at most have no mirror image. */
static int try_output(job *j) {
  int real = j->in.info.numbers == PFFT3D_REAL;
  double stored = real ? fmin(j->wanted, floor(j->wanted / 2) + 8) : j->wanted;
  double value = j->problem.precision == PFFT3D_SINGLE ? 8 : 16, index = j->all <= 0x1p32 ? 4 : 8;
  if (create_output(j, ceil(stored * (value + index) / value))) return j->a->error.status;
  field_discard(&j->out);
  return PFFT3D_OK;
}

static int plan(job *j) {
  return field_plan(j->a, &j->problem, &j->r, &j->a->error);
}

/* ---- the work ---- */

static double number(const job *j, ptrdiff_t i) {
  return number_get(j->r.array[0], j->c.single, i);
}

/* Value i of the field, or its modulus. */
static double value(const job *j, ptrdiff_t i) {
  return j->c.half ? number(j, i) : hypot(number(j, 2 * i), number(j, 2 * i + 1));
}

/* The range of the field, and a scale with which no square in field or spectrum overflows: moduli
 * of the spectrum are at most N times the largest of the field. */
static void find_range(job *j, ptrdiff_t count) {
  double ends[2] = {-INFINITY, -INFINITY}, largest; /* minus the smallest, the largest */
  int power;
  for (ptrdiff_t i = 0; i < count; i++) {
    double x = value(j, i);
    ends[0] = fmax(ends[0], j->c.half ? -x : 0);
    ends[1] = fmax(ends[1], x);
  }
  MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_DOUBLE, MPI_MAX, j->a->comm);
  j->range = ends[0] + ends[1];
  largest = fmax(fabs(ends[0]), fabs(ends[1]));
  frexp(largest, &power);
  power += (int)log2(j->all) + 1;
  j->c.scale = largest > 0 ? ldexp(1, power > 1000 ? -1000 : power < -1000 ? 1000 : -power) : 1;
}

/* The energy of the field.  The sums of Parseval's theorem are in long double: a sum of 1e8 doubles
 * would have a larger error than a transform. */
static void find_energy(job *j, ptrdiff_t count) {
  long double sum = 0;
  for (ptrdiff_t i = 0; i < count; i++) {
    double x = j->c.scale * value(j, i);
    sum += x * x;
  }
  check_sum(j->a, &sum, 1);
  j->energy = (double)sum;
}

static int read_input(job *j) {
  pfft3d_box box;
  pfft3d_plan_box(j->r.plan, PFFT3D_SPACE, j->a->rank, &box);
  j->c = components_of(j->r.plan, &j->problem, j->a->rank, j->r.array[0]);
  if (field_read(j->a, &j->in, j->in.info.numbers, &box, j->r.array[0], NULL))
    return j->a->error.status;
  find_range(j, box.len[0] * box.len[1] * box.len[2]);
  find_energy(j, box.len[0] * box.len[1] * box.len[2]);
  return PFFT3D_OK;
}

static int transform(job *j) {
  app *a = j->a;
  app_progress(a, "transforming");
  MPI_Barrier(a->comm);
  double start = MPI_Wtime();
  run_execute(a, &j->r, PFFT3D_FORWARD, j->r.array[0], j->r.array[0]);
  double middle = MPI_Wtime();
  select_largest(a, &j->c, j->wanted, &j->s);
  j->seconds[0] = middle - start;
  j->seconds[1] = MPI_Wtime() - middle;
  return PFFT3D_OK;
}

/* Parseval: the sum of squares of the spectrum is N times the sum of squares of the field. */
static int check(job *j) {
  long double spectrum = (long double)j->s.energy + j->s.dropped, scale = j->c.scale;
  pfft3d_precision wire = run_wire(&j->r);
  const check_energy e = {
      .in = j->energy / scale / scale,
      .out = spectrum / scale / scale,
      .factor = j->all,
      .points = j->all,
      .single = options_precision(&j->a->opt) == PFFT3D_SINGLE || wire == PFFT3D_SINGLE};
  if (!isfinite(spectrum)) return field_not_finite(j->a, 0);
  j->check = check_conserved(j->a, &e, check_limit(&j->r.problem, wire), "the spectrum");
  return j->a->error.status;
}

/* Converts the kept components to the numbers of the file: values, and indices. */
static void fill(const job *j, int narrow, void *values, void *indices) {
  for (ptrdiff_t i = 0; i < j->s.count; i++) {
    const component *x = &j->s.item[i];
    if (narrow)
      ((uint32_t *)indices)[i] = (uint32_t)x->index;
    else
      ((uint64_t *)indices)[i] = x->index;
    for (int k = 0; k < 2; k++) number_set(values, j->c.single, 2 * i + k, x->value[k]);
  }
}

/* Writes both lists; the attributes of the indices describe them. */
static int write_lists(job *j, const pfft3d_box *box, const void *values, const void *indices,
                       int narrow) {
  char shape[80] = "", kept[32], share[32];
  for (int k = 3 - j->in.info.dims; k < 3; k++) {
    size_t used = strlen(shape);
    snprintf(shape + used, sizeof shape - used, "%s%td", used ? "x" : "", j->in.info.n[k]);
  }
  char own[FIELD_PATH];
  snprintf(kept, sizeof kept, "%.0f", j->s.kept);
  snprintf(share, sizeof share, "%.15g%%", j->a->opt.share);
  const pfft3d_attribute attributes[] = {
      {"schema", COMPRESS_SCHEMA},
      {"pfft3d_version", pfft3d_version()},
      {"shape", shape},
      {"numbers", j->in.info.numbers == PFFT3D_REAL ? "real" : "complex"},
      {"precision", run_precision_name(j->problem.precision)},
      {"path", field_path(&j->in.info, own)},
      {"share", share},
      {"kept", kept},
      {NULL, NULL},
  };
  const pfft3d_output_spec list = {.path = options_path(j->indices),
                                   .precision = narrow ? PFFT3D_SINGLE : PFFT3D_DOUBLE,
                                   .numbers = PFFT3D_INDICES,
                                   .dims = 1,
                                   .n = {1, 1, j->s.stored > 0 ? (ptrdiff_t)j->s.stored : 1},
                                   .attributes = attributes};
  if (!create_output(j, j->s.stored) && !field_write_next(j->a, &j->out, box, values, NULL, &list))
    field_write(j->a, &j->out, box, indices);
  return j->a->error.status;
}

/* A list has at least one element: if no component is kept, one with value 0. */
static int write_output(job *j) {
  app *a = j->a;
  int narrow = j->all <= 0x1p32;
  ptrdiff_t count = j->s.count + (!(j->s.stored > 0) && a->rank == 0);
  pfft3d_box box = {.lo = {0, 0, j->s.before}, .len = {1, 1, count}};
  void *values = app_malloc(a, 2 * (size_t)count, sizeof(double));
  void *indices = app_malloc(a, (size_t)count, sizeof(uint64_t));
  fill(j, narrow, values, indices);
  write_lists(j, &box, values, indices, narrow);
  free(indices);
  free(values);
  return a->error.status;
}

/* ---- the report ---- */

/* Bytes of "FILE:/path" on this rank's file system; 0 if unknown. */
static double file_bytes(const char *name) {
  char file[FILE_SIZE];
  struct stat s;
  const char *path = options_path(name);
  snprintf(file, sizeof file, "%.*s", path ? (int)(path - 1 - name) : (int)strlen(name), name);
  return stat(file, &s) ? 0 : (double)s.st_size;
}

static void print_text(const app *a, const json_t *report) {
  const json_t *item = json_array_get(report_at(report, "runs"), 0);
  const json_t *psnr = report_at(item, "psnr");
  char text[2][32];
  report_text_head(a, report);
  printf("%s:%s -> %s\n", json_string_value(report_at(report, "input.file")),
         json_string_value(report_at(report, "input.path")), report_word(report, "output"));
  printf("kept %.0f of %.0f components", report_number(item, "kept"),
         report_number(item, "components"));
  if (report_number(item, "stored") < report_number(item, "kept"))
    printf(", %.0f of them stored, mirror images once", report_number(item, "stored"));
  printf("\nenergy kept %.6f %%, PSNR ", 100 * report_number(item, "energy_kept"));
  if (json_is_number(psnr))
    printf("%.2f dB (rms error %.4g, range %.6g)\n", json_number_value(psnr),
           report_number(item, "rms_error"), report_number(item, "range"));
  else if (report_number(item, "rms_error") > 0)
    printf("undefined (rms error %.4g, range 0)\n", report_number(item, "rms_error"));
  else
    printf("infinite\n");
  printf("%s -> %s: 1/%.4g\n", report_bytes(report_number(item, "bytes.input"), text[0]),
         report_bytes(report_number(item, "bytes.output"), text[1]),
         report_number(item, "bytes.ratio"));
  printf("Parseval: error %.1e, limit %.0e: %s\n", report_number(item, "check.parseval"),
         report_number(item, "check.limit"),
         json_is_true(report_at(item, "check.pass")) ? "PASS" : "FAIL");
  printf("transform %s, selection %s",
         report_seconds(report_number(item, "phases.transform.max"), text[0]),
         report_seconds(report_number(item, "phases.select.max"), text[1]));
  field_print_times(item);
}

static json_t *entry(job *j) {
  app *a = j->a;
  const selection *s = &j->s;
  double all = s->energy + s->dropped, both = j->seconds[0] + j->seconds[1], middle;
  double error = sqrt(s->dropped) / j->c.scale / j->all; /* sqrt of the mean square */
  json_t *item = run_describe(&j->r.decision, PFFT3D_FORWARD);
  json_object_update_new(
      item, json_pack("{s:f,s:f,s:o,s:o,s:o,s:f,s:f,s:f,s:o}", "plan_s", j->r.plan_s, "share",
                      a->opt.share, "components", report_count(j->all), "kept",
                      report_count(s->kept), "stored", report_count(s->stored), "energy_kept",
                      all > 0 ? s->energy / all : 1.0, "rms_error", error, "range", j->range,
                      "psnr", report_real(20 * log10(j->range / error))));
  json_object_set_new(item, "time_s", run_times(a, &both, 1, &middle));
  json_object_set_new(
      item, "bytes",
      json_pack("{s:o,s:o,s:o}", "input", report_count(j->bytes[0]), "output",
                report_count(j->bytes[1]), "ratio", report_real(j->bytes[0] / j->bytes[1])));
  json_object_set(item, "check", j->check);
  return item;
}

static void print_report(job *j) {
  app *a = j->a;
  json_t *report = report_begin(a), *item;
  char problem[160];
  j->bytes[0] = file_bytes(j->in.info.file);
  j->bytes[1] = file_bytes(a->opt.output);
  item = entry(j);
  snprintf(j->out.name, sizeof j->out.name, "%s", a->opt.output);
  pfft3d_problem_print(&j->problem, problem, sizeof problem);
  json_object_set_new(report, "problem", json_string(problem));
  field_report(a, &j->in, &j->out, item, report);
  json_t *phases = json_object_get(item, "phases");
  json_object_set_new(phases, "transform", run_spread(a, j->seconds[0]));
  json_object_set_new(phases, "select", run_spread(a, j->seconds[1]));
  report_add(report, item);
  report_end(a, report, print_text);
}

int compress_file(app *a) {
  job j = {.a = a};
  if (!probe(&j) && !try_output(&j) && !plan(&j) && !read_input(&j) && !transform(&j) &&
      !check(&j) && !write_output(&j))
    print_report(&j);
  field_discard(&j.out);
  field_close(&j.in);
  json_decref(j.check);
  select_free(&j.s);
  run_close(&j.r);
  return a->error.status;
}
