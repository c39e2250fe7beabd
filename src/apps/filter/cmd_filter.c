/* SPDX-License-Identifier: BSD-3-Clause
 * filter: a forward transform, and a backward one that multiplies by the response. */
#include <string.h>

#include "app/common/message.h"
#include "app/report/report.h"
#include "app/run/field_run.h"
#include "apps/filter/response.h"

typedef struct job {
  app *a;
  response response;
  field_input in;
  field_output out;
  run r;
  rows rows;
  double seconds; /* of the transforms on this rank */
} job;

static int check_usage(job *j) {
  app *a = j->a;
  const options *o = &a->opt;
  if (response_choose(&j->response, o, &a->error)) return a->error.status;
  if (o->input[0] && o->output[0] && j->response.name) return PFFT3D_OK;
  app_hint(&a->error, "pfft3d filter --input f.h5 --output g.h5 --gaussian 2");
  return app_fail(&a->error, PFFT3D_ERR_USAGE, "filter: option --%s is missing",
                  !o->input[0]    ? "input"
                  : !o->output[0] ? "output"
                                  : "gaussian, --lowpass, --highpass, --bandpass or --derivative");
}

static int probe(job *j) {
  app *a = j->a;
  response *r = &j->response;
  if (field_probe(a, a->opt.input, &j->in)) return a->error.status;
  const pfft3d_dataset_info *info = &j->in.info;
  pfft3d_problem p = field_problem(a, info->numbers, info->n);
  ptrdiff_t m[3];
  pfft3d_problem_extents(&p, PFFT3D_SPECTRUM, m);
  r->dims = info->dims;
  memcpy(r->n, info->n, sizeof r->n);
  for (int k = 0; k < 3; k++) r->length[k] = (double)info->n[k]; /* a grid point is the unit */
  if (a->opt.length[0] && options_lengths(a->opt.length, r->dims, r->length, &a->error))
    return a->error.status;
  return response_prepare(a, r, m, &a->error);
}

static int create_output(job *j) {
  const response *r = &j->response;
  char lengths[120];
  size_t used = 0;
  for (int k = 3 - r->dims; k < 3; k++)
    used += (size_t)snprintf(lengths + used, sizeof lengths - used, "%s%.17g", used ? "," : "",
                             r->length[k]);
  const pfft3d_attribute attributes[] = {
      {"filter", r->name}, {"filter_value", r->value}, {"length", lengths}, {NULL, NULL}};
  pfft3d_output_spec wish = {
      .numbers = j->in.info.numbers, .dims = r->dims, .attributes = attributes};
  memcpy(wish.n, r->n, sizeof wish.n);
  return field_create(j->a, &j->in, &wish, &j->out);
}

static int plan(job *j) {
  pfft3d_problem p = field_problem(j->a, j->in.info.numbers, j->in.info.n);
  if (field_plan(j->a, &p, &j->r, &j->a->error)) return j->a->error.status;
  j->rows = field_rows(j->a, &j->r, j->in.info.n);
  return PFFT3D_OK;
}

static int read_input(job *j) {
  return field_read(j->a, &j->in, j->in.info.numbers, &j->rows.part, j->r.array[0], NULL);
}

#define TURN(number, array)                 \
  for (ptrdiff_t i = 0; i < modes; i++) {   \
    number re = ((number *)(array))[2 * i]; \
    number *z = (number *)(array) + 2 * i;  \
    z[0] = -z[1];                           \
    z[1] = re;                              \
  }

/* Multiplies the spectrum by i: the factors of a backward transform are real. */
static void turn(job *j) {
  ptrdiff_t modes = field_modes(j->a, &j->r);
  if (j->r.problem.precision == PFFT3D_SINGLE)
    TURN(float, j->r.array[0])
  else
    TURN(double, j->r.array[0])
}

static int compute(job *j) {
  app *a = j->a;
  response *r = &j->response;
  void *array = j->r.array[0];
  app_progress(a, "filtering");
  MPI_Barrier(a->comm);
  double start = MPI_Wtime();
  rows_spread(&j->rows, array);
  run_execute(a, &j->r, PFFT3D_FORWARD, array, array);
  if (r->turn) turn(j);
  if (r->separable)
    run_multiplier(a, &j->r, (const double *const *)r->factor, array, array);
  else
    run_factors(a, &j->r, response_factors, r, array, array);
  rows_collect(&j->rows, array);
  j->seconds = MPI_Wtime() - start;
  return PFFT3D_OK;
}

static int write_output(job *j) {
  return field_write_rows(j->a, &j->out, &j->rows, j->r.array[0], 1);
}

static void print_text(const app *a, const json_t *report) {
  const json_t *item = json_array_get(report_at(report, "runs"), 0);
  char time[32];
  report_text_head(a, report);
  printf("%s:%s -> %s\n", json_string_value(report_at(report, "input.file")),
         json_string_value(report_at(report, "input.path")), report_word(report, "output"));
  printf("%s %s, transformed in %s", report_word(item, "filter"), report_word(item, "filter_value"),
         report_seconds(report_number(item, "time_s.median"), time));
  field_print_times(item);
}

static void print_report(job *j) {
  app *a = j->a;
  double median;
  json_t *report = report_begin(a), *item = run_describe(&j->r.decision, PFFT3D_BACKWARD);
  json_object_update_new(
      item, json_pack("{s:s,s:s,s:s,s:f}", "direction", "both", "filter", j->response.name,
                      "filter_value", j->response.value, "plan_s", j->r.plan_s));
  json_object_set_new(item, "time_s", run_times(a, &j->seconds, 1, &median));
  field_report(a, &j->in, &j->out, item, report);
  report_problem(a, report, &j->r.problem);
  json_object_del(report, "seed");
  report_add(report, item);
  report_end(a, report, print_text);
}

static int filter_run(app *a) {
  job j = {.a = a};
  if (!check_usage(&j) && !probe(&j) && !create_output(&j) && !plan(&j) && !read_input(&j) &&
      !compute(&j) && !write_output(&j))
    print_report(&j);
  field_discard(&j.out);
  field_close(&j.in);
  response_free(&j.response);
  run_close(&j.r);
  return a->error.status;
}

const command cmd_filter = {
    .name = "filter",
    .summary = "Gaussian, low, high or band pass, and derivatives, of a field",
    .options =
        "plan-budget=0 " INPUT_OPTIONS "output gaussian lowpass highpass bandpass derivative length force "
        "precision wire " FIELD_OPTIONS RUN_OPTIONS,
    .about =
        "Filters an HDF5 dataset of one to three dimensions, real or complex, taken as periodic:\n"
        "  --gaussian SIGMA       blurs; sigma in units of length\n"
        "  --lowpass K            keeps frequencies |f| <= K, in cycles per unit of length\n"
        "  --highpass K           keeps |f| > K: both together are the field\n"
        "  --bandpass A:B         keeps A <= |f| <= B\n"
        "  --derivative D0,D1,D2  derivatives of these orders along the axes\n"
        "The unit is the distance of grid points, or that of --length.  Derivatives are those of\n"
        "the trigonometric polynomial through the points; odd orders take the mode of half as "
        "many\n"
        "cycles as points (even numbers of points have it) as 0.\n\n"
        "Examples:\n"
        "  mpirun -n 4 pfft3d filter -i head.h5 -o smooth.h5 --gaussian 2\n"
        "  mpirun -n 4 pfft3d filter -i head.h5 -o edges.h5 --derivative 0,0,1\n"
        "  mpirun -n 4 pfft3d filter -i u.h5 -o large.h5 --lowpass 8 --length 1\n",
    .single = 1,
    .run = filter_run,
};
