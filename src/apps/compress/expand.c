/* SPDX-License-Identifier: BSD-3-Clause
 * compress --expand: components from a file, each sent to the rank that holds its element of the
 * spectrum, and a backward transform.  Files are not trusted: every index is checked before it is
 * used, and indices must ascend, so that none is repeated. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/watch.h"
#include "app/report/report.h"
#include "app/run/field_run.h"
#include "apps/compress/components.h"
#include "apps/compress/compress.h"
#include "apps/compress/owners.h"

typedef struct job {
  app *a;
  field_input indices, values;
  field_output out;
  int dims;
  pfft3d_problem problem;
  run r;
  components c;
  component *item; /* this rank's part of the file */
  ptrdiff_t first, count;
  double seconds;
} job;

static int refuse(job *j, const char *format, const char *text) {
  char why[200];
  snprintf(why, sizeof why, format, text);
  return app_fail(&j->a->error, PFFT3D_ERR_DATA, "cannot expand '%.120s': %s", j->a->opt.input,
                  why);
}

/* ---- attributes of the file ---- */

static int read_shape(job *j, const char *text) {
  const char *at = text;
  ptrdiff_t n[3], total = 1;
  for (j->dims = 0; j->dims < 3;) {
    char *end;
    errno = 0;
    long long v = *at >= '1' && *at <= '9' ? strtoll(at, &end, 10) : 0;
    if (v < 1 || errno || __builtin_mul_overflow(total, (ptrdiff_t)v, &total)) break;
    n[j->dims++] = (ptrdiff_t)v;
    if (*end != 'x') {
      if (*end) break;
      for (int a = 0; a < 3; a++) j->problem.n[a] = a < 3 - j->dims ? 1 : n[a - 3 + j->dims];
      if ((double)total > 0x1p53) break;
      return PFFT3D_OK;
    }
    at = end + 1;
  }
  return refuse(j, "the shape '%.60s' is none", text);
}

/* The attributes of the indices; 65 for a file that compress has not written. */
static int read_head(job *j, char path[FILE_SIZE]) {
  app *a = j->a;
  char schema[40], shape[80], numbers[16], precision[16];
  if (field_attribute(a, &j->indices, "schema", schema, sizeof schema) ||
      field_attribute(a, &j->indices, "shape", shape, sizeof shape) ||
      field_attribute(a, &j->indices, "numbers", numbers, sizeof numbers) ||
      field_attribute(a, &j->indices, "precision", precision, sizeof precision) ||
      field_attribute(a, &j->indices, "path", path, FILE_SIZE))
    return a->error.status;
  if (strcmp(schema, COMPRESS_SCHEMA) != 0)
    return refuse(j, "its schema is '%.40s', not " COMPRESS_SCHEMA, schema);
  if (strcmp(numbers, "real") != 0 && strcmp(numbers, "complex") != 0)
    return refuse(j, "numbers '%.16s': valid: real, complex", numbers);
  if (strcmp(precision, "single") != 0 && strcmp(precision, "double") != 0)
    return refuse(j, "precision '%.16s': valid: double, single", precision);
  size_t length = strlen(path);
  if (length && (path[0] != '/' || strspn(path, "/") == length ||
                 length > 511)) /* of a file: a longer one is refused as an output */
    return refuse(j, "its path '%.40s' is that of no dataset", path);
  if (!options_given(&a->opt, "precision") &&
      options_put(&a->opt, "precision", precision, &a->error))
    return a->error.status;
  ptrdiff_t n[3] = {1, 1, 1};
  j->problem = field_problem(a, strcmp(numbers, "real") == 0 ? PFFT3D_REAL : PFFT3D_COMPLEX, n);
  return read_shape(j, shape);
}

static int check_lists(job *j) {
  const pfft3d_dataset_info *x = &j->indices.info, *y = &j->values.info;
  char counts[80];
  snprintf(counts, sizeof counts, "%td indices, %td values", x->n[2], y->n[2]);
  if (x->dims != 1 || y->dims != 1) return refuse(j, "%s are no lists", "indices or values");
  if (!strstr(x->type, "int")) return refuse(j, "the indices are %.40s, no integers", x->type);
  if (y->numbers != PFFT3D_COMPLEX)
    return refuse(j, "the values are %.40s, not complex numbers", y->type);
  if (x->n[2] != y->n[2]) return refuse(j, "it has %s", counts);
  return PFFT3D_OK;
}

static int probe(job *j) {
  app *a = j->a;
  char name[2][FILE_SIZE], path[FILE_SIZE] = "";
  if (compress_name(a->opt.input, "indices", name[0], FILE_SIZE) ||
      compress_name(a->opt.input, "values", name[1], FILE_SIZE))
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--input: the name is too long");
  if (field_probe(a, name[0], &j->indices) || field_probe(a, name[1], &j->values) ||
      read_head(j, path) || check_lists(j))
    return a->error.status;
  pfft3d_output_spec wish = {
      .path = path[0] ? path : "/data",
      .numbers = j->problem.kind == PFFT3D_R2C ? PFFT3D_REAL : PFFT3D_COMPLEX,
      .dims = j->dims};
  memcpy(wish.n, j->problem.n, sizeof wish.n);
  return field_create(a, &j->values, &wish, &j->out);
}

/* ---- components ---- */

static int plan(job *j) {
  return field_plan(j->a, &j->problem, &j->r, &j->a->error);
}

/* The first index of this rank must be greater than the last index of the ranks before it. */
static int ascending(job *j) {
  const component *x = j->item;
  long long last = j->count ? (long long)x[j->count - 1].index : -1, before = -1;
  int good = 1;
  for (ptrdiff_t i = 1; i < j->count; i++) good &= x[i].index > x[i - 1].index;
  MPI_Exscan(&last, &before, 1, MPI_LONG_LONG, MPI_MAX, j->a->comm);
  if (j->a->rank == 0) before = -1;
  return good && (!j->count || (long long)x[0].index > before);
}

static int check_components(job *j) {
  int wrong[2] = {0, 0};
  for (ptrdiff_t i = 0; i < j->count; i++) wrong[0] |= !components_valid(&j->c, j->item[i].index);
  wrong[1] = !ascending(j);
  MPI_Allreduce(MPI_IN_PLACE, wrong, 2, MPI_INT, MPI_MAX, j->a->comm);
  if (wrong[0]) return refuse(j, "%s", "an index is none of a component of its shape");
  if (wrong[1]) return refuse(j, "%s", "the indices do not ascend");
  return PFFT3D_OK;
}

/* Indices are less than 2^53, so that doubles represent them; others, also negative ones, are not
 * valid. */
static void join(job *j, const double *index, const double *value) {
  for (ptrdiff_t i = 0; i < j->count; i++)
    j->item[i] =
        (component){index[i] >= 0 && index[i] < 0x1p53 ? (uint64_t)index[i] : (uint64_t)1 << 62,
                    {value[2 * i], value[2 * i + 1]}};
}

static int read_components(job *j) {
  app *a = j->a;
  ptrdiff_t all = j->indices.info.n[2], share = all / a->ranks, rest = all % a->ranks;
  j->count = share + (a->rank < rest);
  j->first = share * a->rank + (a->rank < rest ? a->rank : rest);
  j->c = components_of(j->r.plan, &j->problem, a->rank, j->r.array[0]);
  pfft3d_box box = {.lo = {0, 0, j->first}, .len = {1, 1, j->count}};
  double *index = app_malloc(a, (size_t)j->count, sizeof *index);
  double *value = app_malloc(a, (size_t)j->count, 2 * sizeof *value);
  j->item = app_malloc(a, (size_t)j->count, sizeof *j->item);
  j->indices.precision = j->values.precision = PFFT3D_DOUBLE;
  if (!field_read(a, &j->indices, PFFT3D_REAL, &box, index, NULL) &&
      !field_read(a, &j->values, PFFT3D_COMPLEX, &box, value, NULL)) {
    join(j, index, value);
    check_components(j);
  }
  free(value);
  free(index);
  return a->error.status;
}

/* ---- the field ---- */

static int transform(job *j) {
  app *a = j->a;
  app_progress(a, "transforming");
  MPI_Barrier(a->comm);
  double start = MPI_Wtime();
  memset(j->r.array[0], 0, pfft3d_plan_bytes(j->r.plan));
  owners_send(a, j->r.plan, &j->c, j->item, j->count);
  run_execute(a, &j->r, PFFT3D_BACKWARD, j->r.array[0], j->r.array[0]);
  j->seconds = MPI_Wtime() - start;
  return PFFT3D_OK;
}

static int write_output(job *j) {
  rows r = field_rows(j->a, &j->r, j->problem.n);
  rows_collect(&r, j->r.array[0]);
  return field_write_rows(j->a, &j->out, &r, j->r.array[0], 1);
}

static void print_text(const app *a, const json_t *report) {
  const json_t *item = json_array_get(report_at(report, "runs"), 0);
  char time[32];
  report_text_head(a, report);
  printf("%s -> %s\n", json_string_value(report_at(report, "input.file")),
         report_word(report, "output"));
  printf("%.0f components of %.0f\n", report_number(item, "stored"),
         report_number(item, "components"));
  printf("transform %s", report_seconds(report_number(item, "time_s.median"), time));
  field_print_times(item);
}

static void print_report(job *j) {
  app *a = j->a;
  json_t *report = report_begin(a), *item = run_describe(&j->r.decision, PFFT3D_BACKWARD);
  char problem[160];
  double middle, all = 1;
  for (int k = 0; k < 3; k++) all *= (double)j->problem.n[k];
  json_object_update_new(
      item, json_pack("{s:f,s:o,s:o}", "plan_s", j->r.plan_s, "components", report_count(all),
                      "stored", report_count((double)j->indices.info.n[2])));
  json_object_set_new(item, "time_s", run_times(a, &j->seconds, 1, &middle));
  pfft3d_problem_print(&j->problem, problem, sizeof problem);
  json_object_set_new(report, "problem", json_string(problem));
  j->values.seconds += j->indices.seconds;
  field_report(a, &j->values, &j->out, item, report);
  report_add(report, item);
  report_end(a, report, print_text);
}

int compress_expand(app *a) {
  job j = {.a = a};
  if (!probe(&j) && !plan(&j) && !read_components(&j) && !transform(&j) && !write_output(&j))
    print_report(&j);
  field_discard(&j.out);
  field_close(&j.indices);
  field_close(&j.values);
  free(j.item);
  run_close(&j.r);
  return a->error.status;
}
