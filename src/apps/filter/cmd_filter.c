/* SPDX-License-Identifier: BSD-3-Clause
 * filter: a forward transform, and a backward one that multiplies by the response; of vectors each
 * component, or all together. */
#include <string.h>

#include "app/common/message.h"
#include "app/common/vector_file.h"
#include "app/report/report.h"
#include "app/run/field_run.h"
#include "apps/filter/response.h"

typedef struct job {
  app *a;
  response response;
  field_input in[VECTOR_MOST];
  int inputs, outputs;
  pfft3d_numbers numbers;
  vector_output output;
  run r;
  void *array[VECTOR_MOST]; /* the first one is the plan's */
  rows rows;
  char path[VECTOR_MOST][FIELD_PATH]; /* of the outputs */
  char length[120], units[160];       /* attributes */
  pfft3d_attribute attributes[5];
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
                                  : "gaussian, --lowpass, --highpass, --bandpass, --derivative, "
                                    "--gradient, --divergence, --curl or --helmholtz");
}

/* The components that the operation takes and gives. */
static int count_components(job *j) {
  app *a = j->a;
  const vector_op *op = j->response.vector;
  int dims = j->in[0].info.dims, wanted = op && op->scalar_in ? 1 : dims;
  j->outputs = j->inputs;
  if (!op) return PFFT3D_OK;
  j->outputs = dims == 1 ? 1 : op->scalar_out[dims - 2] ? 1 : dims;
  if (j->inputs == wanted) return PFFT3D_OK;
  if (!op->scalar_in)
    app_hint(&a->error, "name the components: FILE:/u,/v,/w, or one dataset and --components");
  return app_fail(&a->error, PFFT3D_ERR_DATA, "--%s: %d component%s of a field of %d dimensions%s",
                  op->option, j->inputs, j->inputs > 1 ? "s" : "", dims,
                  op->scalar_in ? "; it takes one field" : "");
}

static int probe(job *j) {
  app *a = j->a;
  response *r = &j->response;
  int guess = r->vector && !r->vector->scalar_in;
  if (vector_probe(a, a->opt.input, guess, j->in, VECTOR_MOST, &j->inputs) ||
      vector_check(a, j->in, j->inputs, &j->numbers) || count_components(j))
    return a->error.status;
  const pfft3d_dataset_info *info = &j->in[0].info;
  pfft3d_problem p = field_problem(a, j->numbers, info->n);
  ptrdiff_t m[3];
  pfft3d_problem_extents(&p, PFFT3D_SPECTRUM, m);
  r->dims = info->dims;
  memcpy(r->n, info->n, sizeof r->n);
  for (int k = 0; k < 3; k++) r->length[k] = (double)info->n[k]; /* a grid point is the unit */
  if (a->opt.length[0] && options_lengths(a->opt.length, r->dims, r->length, &a->error))
    return a->error.status;
  return response_prepare(a, r, m, &a->error);
}

/* ---- The output --------------------------------------------------------------------------- */

/* Appends the units of an axis, to the power of minus @p order; returns nonzero if it has some. */
static int divide_units(const job *j, int axis, int order, char *text, size_t size) {
  const char *units = j->in[0].info.units[axis];
  size_t used = strlen(text);
  int one = !strpbrk(units, " */.^0123456789-");
  if (units[0] && one) snprintf(text + used, size - used, " %s-%d", units, order);
  return units[0] && one;
}

/* Collective. The units of derivatives, where --length is in the units of the coordinates, which
 * have one word each; "" if they are not known.  Vectors need the same along all axes and of all
 * components. */
static int choose_units(job *j) {
  const response *r = &j->response;
  app *a = j->a;
  char units[sizeof j->units], other[sizeof j->units];
  const char *const *axis = j->in[0].info.units;
  if (field_attribute(a, &j->in[0], "units", units, 64)) return a->error.status;
  int known = units[0] && options_given(&a->opt, "length");
  for (int c = 1; c < j->inputs; c++) {
    if (field_attribute(a, &j->in[c], "units", other, 64)) return a->error.status;
    known = known && strcmp(units, other) == 0;
  }
  for (int k = 0; k < r->dims && known; k++) {
    int order = r->vector ? k == 0 : r->order[3 - r->dims + k];
    known = (!r->vector || strcmp(axis[k], axis[0]) == 0) &&
            (order == 0 || divide_units(j, k, order, units, sizeof units));
  }
  snprintf(j->units, sizeof j->units, "%s", known ? units : "");
  return PFFT3D_OK;
}

static int create_output(job *j) {
  const response *r = &j->response;
  app *a = j->a;
  size_t used = 0;
  for (int k = 3 - r->dims; k < 3; k++)
    used += (size_t)snprintf(j->length + used, sizeof j->length - used, "%s%.17g", used ? "," : "",
                             r->length[k]);
  int derives = strcmp(r->name, "derivative") == 0 || (r->vector && !r->vector->value);
  j->attributes[0] = (pfft3d_attribute){"filter", r->name};
  j->attributes[1] = (pfft3d_attribute){"filter_value", r->value};
  j->attributes[2] = (pfft3d_attribute){"length", j->length};
  if (derives) { /* not those of the input */
    if (choose_units(j)) return a->error.status;
    j->attributes[3] = (pfft3d_attribute){"units", j->units[0] ? j->units : NULL};
  }
  j->output.in = j->in;
  j->output.inputs = j->inputs;
  j->output.outputs = j->outputs;
  j->output.wish =
      (pfft3d_output_spec){.numbers = j->numbers, .dims = r->dims, .attributes = j->attributes};
  memcpy(j->output.wish.n, r->n, sizeof j->output.wish.n);
  return vector_create(a, &j->output, r->vector ? r->vector->option : "");
}

static int plan(job *j) {
  pfft3d_problem p = field_problem(j->a, j->numbers, j->in[0].info.n);
  int most = j->inputs > j->outputs ? j->inputs : j->outputs;
  if (field_plan(j->a, &p, &j->r, &j->a->error)) return j->a->error.status;
  j->array[0] = j->r.array[0];
  for (int c = 1; c < most; c++)
    if (pfft3d_alloc(j->r.plan, &j->array[c], &j->a->error)) return j->a->error.status;
  j->rows = field_rows(j->a, &j->r, j->in[0].info.n);
  return PFFT3D_OK;
}

static int read_input(job *j) {
  for (int c = 0; c < j->inputs; c++)
    if (field_read(j->a, &j->in[c], j->numbers, &j->rows.part, j->array[c], NULL))
      return j->a->error.status;
  return PFFT3D_OK;
}

#define TURN(number, array)                 \
  for (ptrdiff_t i = 0; i < modes; i++) {   \
    number re = ((number *)(array))[2 * i]; \
    number *z = (number *)(array) + 2 * i;  \
    z[0] = -z[1];                           \
    z[1] = re;                              \
  }

/* Multiplies a spectrum by i: the factors of a backward transform are real. */
static void turn(const job *j, void *array) {
  ptrdiff_t modes = field_modes(j->a, &j->r);
  if (j->r.problem.precision == PFFT3D_SINGLE)
    TURN(float, array)
  else
    TURN(double, array)
}

/* A field, with factors. */
static void filter_one(job *j, void *array) {
  response *r = &j->response;
  run_execute(j->a, &j->r, PFFT3D_FORWARD, array, array);
  if (r->turn) turn(j, array);
  if (r->separable)
    run_multiplier(j->a, &j->r, (const double *const *)r->factor, array, array);
  else
    run_factors(j->a, &j->r, response_factors, r, array, array);
}

/* All components together. */
static void filter_vector(job *j) {
  pfft3d_box box;
  int single = j->r.problem.precision == PFFT3D_SINGLE;
  pfft3d_plan_box(j->r.plan, PFFT3D_SPECTRUM, j->a->rank, &box);
  for (int c = 0; c < j->inputs; c++)
    run_execute(j->a, &j->r, PFFT3D_FORWARD, j->array[c], j->array[c]);
  vector_apply(j->response.vector, &j->response.waves, &box, single, j->array);
  for (int c = 0; c < j->outputs; c++)
    run_execute(j->a, &j->r, PFFT3D_BACKWARD, j->array[c], j->array[c]);
}

static int compute(job *j) {
  app *a = j->a;
  app_progress(a, "filtering");
  MPI_Barrier(a->comm);
  double start = MPI_Wtime();
  for (int c = 0; c < j->inputs; c++) rows_spread(&j->rows, j->array[c]);
  for (int c = 0; c < j->inputs && !j->response.vector; c++) filter_one(j, j->array[c]);
  if (j->response.vector) filter_vector(j);
  for (int c = 0; c < j->outputs; c++) rows_collect(&j->rows, j->array[c]);
  j->seconds = MPI_Wtime() - start;
  return PFFT3D_OK;
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
  field_input all = j->in[0];
  for (int c = 1; c < j->inputs; c++) all.seconds += j->in[c].seconds;
  field_report(a, &all, &j->output.out, item, report);
  report_problem(a, report, &j->r.problem);
  json_object_del(report, "seed");
  report_add(report, item);
  report_end(a, report, print_text);
}

static int filter_run(app *a) {
  job j = {.a = a};
  if (!check_usage(&j) && !probe(&j) && !create_output(&j) && !plan(&j) && !read_input(&j) &&
      !compute(&j) && !vector_write(a, &j.output, &j.rows, j.array))
    print_report(&j);
  field_discard(&j.output.out);
  for (int c = 0; c < j.inputs; c++) field_close(&j.in[c]);
  response_free(&j.response);
  run_close(&j.r);
  return a->error.status;
}

const command cmd_filter = {
    .name = "filter",
    .summary = "Gaussian, low, high or band pass, derivatives; of vectors, too",
    .options = "plan-budget=0 " INPUT_OPTIONS OUTPUT_OPTIONS
               "gaussian lowpass highpass bandpass derivative curl divergence gradient "
               "helmholtz components along length "
               "precision wire " FIELD_OPTIONS RUN_OPTIONS,
    .about =
        "Filters a dataset of one to three dimensions, real or complex, taken as periodic:\n"
        "  --gaussian SIGMA       blurs; sigma in units of length\n"
        "  --lowpass K            keeps frequencies |f| <= K, cycles per unit of length\n"
        "  --highpass K           keeps |f| > K: both together are the field\n"
        "  --bandpass A:B         keeps A <= |f| <= B\n"
        "  --derivative D0,D1,D2  derivatives of these orders along the axes\n"
        "  --gradient             of a field; --divergence, --curl of a vector field\n"
        "  --helmholtz PART       of a vector field: solenoidal or potential\n"
        "Vectors are several datasets, F.h5:/u,/v,/w, or one with --components first or last;\n"
        "all filters take them, and results have a dataset for each component, in a .npy file an\n"
        "axis, the first one, or the last one with --components last.\n"
        "The unit is the distance of grid points, or that of --length.  Derivatives are those of\n"
        "the trigonometric polynomial through the points; odd orders take the mode of half as "
        "many\n"
        "cycles as points (even numbers of points have it) as 0.\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d filter -i head.h5 -o smooth.h5 --gaussian 2\n"
        "  mpirun -n 2 pfft3d filter -i head.h5 -o edges.h5 --derivative 0,0,1\n"
        "  mpirun -n 2 pfft3d filter -i u.h5 -o large.h5 --lowpass 8 --length 1\n"
        "  mpirun -n 2 pfft3d filter -i flow.h5:/u,/v,/w -o w.h5 --curl --length 2pi\n",
    .single = 1,
    .run = filter_run,
};
