/* SPDX-License-Identifier: BSD-3-Clause
 * transform: HDF5 dataset in, transform, HDF5 dataset out.
 *
 * The order is that of the refusals: everything that can be refused cheaply (the input's header,
 * the space for the output, the memory) comes before anything that costs time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "energy.h"
#include "message.h"
#include "report.h"
#include "run.h"
#include "watch.h"

typedef struct job {
  app *a;
  pfft3d_direction direction;
  pfft3d_side from, to;
  pfft3d_dataset input;
  pfft3d_problem problem;
  pfft3d_output *output;
  run r;
  timing t;
  double seconds[2]; /* reading, writing */
  json_t *check;     /* NULL: not checked */
} job;

static int check_usage(app *a) {
  const options *o = &a->opt;
  if (!o->input[0] || !o->output[0]) {
    app_fail(&a->error, PFFT3D_ERR_USAGE, "transform: option --%s is missing",
             o->input[0] ? "output" : "input");
    app_hint(&a->error, "pfft3d transform --input in.h5 --output out.h5");
  }
  if (o->algo.count != 1 || o->engine.count != 1)
    app_fail(&a->error, PFFT3D_ERR_USAGE, "transform: --%s: only one can be used at a time",
             o->algo.count != 1 ? "algo" : "engine");
  if (o->direction == DIRECTION_BOTH)
    app_fail(&a->error, PFFT3D_ERR_USAGE,
             "--direction 'both': transform goes one way: forward or backward");
  return a->error.status;
}

/* ---- What to compute ---------------------------------------------------------------------- */

/* What the input says that it is the spectrum of, in an attribute that this program writes: c2c
 * where it says nothing.  *fits: it is half a spectrum, and its size is the one it should have. */
static int recall(job *j, pfft3d_problem *p, int *fits) {
  char text[128];
  ptrdiff_t n[3];
  p->kind = PFFT3D_C2C;
  *fits = 0;
  if (pfft3d_dataset_attribute(j->a->comm, &j->input, "problem", text, sizeof text, &j->a->error))
    return j->a->error.status;
  if (pfft3d_problem_parse(text, p, NULL) || p->kind != PFFT3D_R2C) return PFFT3D_OK;
  pfft3d_problem_extents(p, PFFT3D_SPECTRUM, n);
  *fits = memcmp(n, j->input.n, sizeof n) == 0;
  return PFFT3D_OK;
}

/* Real fields are transformed as such, to half a spectrum, and half spectra back to real fields,
 * unless --type says otherwise. */
static int choose_kind(job *j, const pfft3d_problem *said) {
  app *a = j->a;
  int forward = j->direction == PFFT3D_FORWARD, is_complex = j->input.is_complex;
  int halves = forward ? !is_complex : is_complex && said->kind == PFFT3D_R2C;
  j->problem.kind = halves ? PFFT3D_R2C : PFFT3D_C2C;
  if (a->opt.type != TYPE_AUTO) j->problem.kind = (pfft3d_kind)a->opt.type;
  if (!forward || !is_complex || j->problem.kind != PFFT3D_R2C) return PFFT3D_OK;
  app_hint(&a->error, "--type c2c transforms complex numbers");
  return app_fail(&a->error, PFFT3D_ERR_DATA,
                  "cannot transform '%.100s' in '%.100s' as real numbers: they are %s",
                  j->input.path, j->input.file, j->input.type);
}

/* The extents of the field.  Half a spectrum of m elements along axis 2 may come from 2 (m-1) of
 * the field, or from one more: the attribute knows, or --grid, else they are even. */
static int choose_extents(job *j, const pfft3d_problem *said, int fits) {
  app *a = j->a;
  ptrdiff_t *n = j->problem.n, m = j->input.n[2];
  const ptrdiff_t *grid = a->opt.grid; /* 0 where it was not given */
  int back = j->direction == PFFT3D_BACKWARD && j->problem.kind == PFFT3D_R2C;
  memcpy(n, j->input.n, sizeof j->problem.n);
  if (back) n[2] = fits ? said->n[2] : grid[2] / 2 + 1 == m && grid[2] ? grid[2] : 2 * (m - 1);
  if (n[2] == 0) n[2] = 1; /* the only one with a spectrum of a single element */
  if (grid[0] && memcmp(grid, n, sizeof j->problem.n) != 0) {
    app_fail(&a->error, PFFT3D_ERR_USAGE,
             "--grid %tdx%tdx%td: does not fit the input, whose field is %tdx%tdx%td", grid[0],
             grid[1], grid[2], n[0], n[1], n[2]);
    if (!back)
      app_hint(&a->error, "leave out --grid: the input has a size");
    else if (fits)
      app_hint(&a->error, "its attribute 'problem' says so; leave out --grid");
    else if (m > 1)
      app_hint(&a->error, "or %tdx%tdx%td: a spectrum of %td along axis 2 leaves the choice", n[0],
               n[1], 2 * m - 1, m);
  } else if (back && !fits && said->kind == PFFT3D_R2C && !grid[0]) {
    app_warn(a, "the attribute 'problem' does not fit '%s:%s': the field is taken as %tdx%tdx%td",
             j->input.file, j->input.path, n[0], n[1], n[2]);
  }
  return a->error.status;
}

static int find_problem(job *j) {
  pfft3d_problem said = {.kind = PFFT3D_C2C};
  int fits = 0, forward = j->direction == PFFT3D_FORWARD;
  j->from = forward ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  j->to = forward ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  j->problem.precision = (pfft3d_precision)j->a->opt.precision;
  j->problem.batch = 1;
  if (!forward && recall(j, &said, &fits)) return j->a->error.status;
  if (choose_kind(j, &said)) return j->a->error.status;
  return choose_extents(j, &said, fits);
}

/* What the arrays and files of a side hold. */
static pfft3d_numbers numbers_on(const job *j, pfft3d_side side) {
  return j->problem.kind == PFFT3D_R2C && side == PFFT3D_SPACE ? PFFT3D_REAL : PFFT3D_COMPLEX;
}

/* ---- The steps ---------------------------------------------------------------------------- */

/* Reserves the output.  Its attributes say what was done, so that a file explains itself. */
static int create_output(job *j) {
  char problem[128], source[1600];
  int forward = j->direction == PFFT3D_FORWARD;
  snprintf(source, sizeof source, "%s:%s", j->input.file, j->input.path);
  const pfft3d_attribute attributes[] = {
      {"pfft3d_version", pfft3d_version()},
      {"problem", pfft3d_problem_print(&j->problem, problem, sizeof problem)},
      {"direction", forward ? "forward" : "backward"},
      {"normalization", forward ? "none" : "1/N"},
      {"axes", "axis 0, axis 1, axis 2 in C order"},
      {"source", source},
      {NULL, NULL},
  };
  pfft3d_output_spec spec = {.name = j->a->opt.output,
                             .path = j->input.path,
                             .precision = j->problem.precision,
                             .numbers = numbers_on(j, j->to),
                             .dims = j->input.dims,
                             .overwrite = j->a->opt.force,
                             .source = &j->input,
                             .attributes = attributes};
  pfft3d_problem_extents(&j->problem, j->to, spec.n);
  watch_kick("reserving the output");
  if (pfft3d_output_create(j->a->comm, &spec, &j->output, &j->a->error)) return j->a->error.status;
  watch_file(pfft3d_output_temporary(j->output));
  return PFFT3D_OK;
}

static int plan(job *j) {
  const options *o = &j->a->opt;
  const ptrdiff_t *n = j->problem.n;
  pfft3d_request request = options_request(o, o->algo.name[0], o->engine.name[0]);
  request.problem = j->problem;
  request.decision.order = PFFT3D_NATURAL; /* files are in natural order */
  if (j->direction == PFFT3D_BACKWARD)     /* so that forward, then backward returns the field */
    request.scale[1] = 1 / ((double)n[0] * (double)n[1] * (double)n[2]);
  return run_open(j->a, &j->r, &request, 1, &j->a->error);
}

static int read_input(job *j) {
  app *a = j->a;
  check_target t = check_aim(a, &j->r, j->direction, j->r.array[0], j->r.array[0]);
  watch_kick("reading the input");
  app_progress(a, "reading %s", j->input.file);
  double start = MPI_Wtime();
  if (pfft3d_dataset_read(a->comm, &j->input, t.precision, numbers_on(j, j->from), &t.in_box, t.in,
                          &a->error))
    return a->error.status;
  j->seconds[0] = MPI_Wtime() - start;
  if (!(j->input.nonfinite > 0)) return PFFT3D_OK;
  /* what a double holds may be too large for a float */
  const char *precision = t.precision == PFFT3D_SINGLE ? " in single precision" : "";
  if (a->opt.strict)
    return app_fail(&a->error, PFFT3D_ERR_DATA, "%.0f elements of '%.100s:%.100s' are not finite%s",
                    j->input.nonfinite, j->input.file, j->input.path, precision);
  app_warn(a, "%.0f elements of '%s:%s' are not finite%s: the whole result will not be either",
           j->input.nonfinite, j->input.file, j->input.path, precision);
  return PFFT3D_OK;
}

/* The energy of the input, without what the transform ignores of it. */
static long double input_energy(job *j, const check_target *t, long double *ignored) {
  long double energy = check_energy_in(t);
  check_sum(j->a, &energy, 1);
  *ignored = 0;
  if (j->problem.kind == PFFT3D_R2C && j->from == PFFT3D_SPECTRUM)
    *ignored = energy_ignored(j->a, &j->problem, &t->in_box, t->in);
  if (*ignored > 1e-8L * energy)
    app_warn(j->a,
             "'%s:%s' is not half the spectrum of a real field: %.2Lg of its energy is ignored",
             j->input.file, j->input.path, *ignored / energy);
  return energy;
}

/* Transforms in place.  Energy is conserved, whatever the field is: that is the check. */
static int compute(job *j) {
  app *a = j->a;
  check_target t = check_aim(a, &j->r, j->direction, j->r.array[0], j->r.array[0]);
  int verify = !a->opt.no_verify && !(j->input.nonfinite > 0);
  long double in = 0, ignored = 0;
  watch_kick("checking");
  if (verify) in = input_energy(j, &t, &ignored);
  app_progress(a, "transforming");
  run_repeat(a, &j->r, &j->t, 0, t.in, t.out);
  if (!verify) return PFFT3D_OK;
  watch_kick("checking");
  long double out = check_energy_out(&t);
  check_sum(a, &out, 1);
  long double factor = t.elements * t.scale * t.scale;
  int zero = !(in > 0) && !(out > 0); /* nothing in, nothing out */
  check_value v = {"parseval",
                   zero ? 0 : (double)fabsl((out - (in - ignored) * factor) / (in * factor))};
  j->check = check_report(a, &v, 1, check_limit(&j->r.request.problem),
                          "the transform; no output was written");
  return a->error.status;
}

static int write_output(job *j) {
  app *a = j->a;
  check_target t = check_aim(a, &j->r, j->direction, j->r.array[0], j->r.array[0]);
  watch_kick("writing the output");
  app_progress(a, "writing %s", a->opt.output);
  double start = MPI_Wtime();
  if (pfft3d_output_write(j->output, &t.out_box, t.out, &a->error)) return a->error.status;
  if (pfft3d_output_commit(&j->output, &a->error)) return a->error.status;
  watch_file(NULL);
  j->seconds[1] = MPI_Wtime() - start;
  return PFFT3D_OK;
}

static void transform_text(const app *a, const json_t *report) {
  const json_t *in = report_at(report, "input");
  report_text_head(a, report);
  printf("%s:%s (%s) -> %s\n", json_string_value(report_at(in, "file")),
         json_string_value(report_at(in, "path")), json_string_value(report_at(in, "type")),
         json_string_value(report_at(report, "output")));
  report_text_run(json_array_get(report_at(report, "runs"), 0), 0);
}

static void print_report(job *j) {
  app *a = j->a;
  json_t *report = report_begin(a), *item = run_report(a, &j->r, &j->t);
  json_t *phases = json_object_get(item, "phases");
  report_problem(a, report, &j->r.request.problem);
  json_object_del(report, "seed");
  json_object_set_new(phases, "read", run_spread(a, j->seconds[0]));
  json_object_set_new(phases, "write", run_spread(a, j->seconds[1]));
  json_object_set_new(item, "check", j->check ? json_incref(j->check) : json_null());
  report_add(report, item);
  json_object_set_new(
      report, "input",
      json_pack("{s:s,s:s,s:s,s:[I,I,I],s:f}", "file", j->input.file, "path", j->input.path, "type",
                j->input.type, "n", (json_int_t)j->input.n[0], (json_int_t)j->input.n[1],
                (json_int_t)j->input.n[2], "nonfinite", j->input.nonfinite));
  json_object_set_new(report, "output", json_string(a->opt.output));
  report_end(a, report, transform_text);
}

static int transform_run(app *a) {
  double seconds = 0;
  job j = {.a = a};
  if (check_usage(a)) return a->error.status;
  j.direction = a->opt.direction == DIRECTION_FORWARD ? PFFT3D_FORWARD : PFFT3D_BACKWARD;
  j.t = (timing){.direction = j.direction, .reps = 1, .seconds = &seconds, .passes = -1, .raw = -1};
  watch_kick("looking at the input");
  if (!pfft3d_dataset_probe(a->comm, a->opt.input, &j.input, &a->error) && !find_problem(&j) &&
      !create_output(&j) && !plan(&j) && !read_input(&j) && !compute(&j) && !write_output(&j))
    print_report(&j);
  pfft3d_output_discard(&j.output);
  watch_file(NULL);
  run_close(&j.r);
  json_decref(j.check);
  return a->error.status;
}

const command cmd_transform = {
    .name = "transform",
    .summary = "transforms an HDF5 dataset into another",
    .options =
        "input output direction=forward type grid algo decomp pgrid engine threads precision "
        "deterministic force strict json csv watchdog no-verify quiet",
    .about =
        "Input: real or complex numbers of any HDF5 type, one to three axes.  Output: at the\n"
        "input's path unless named.  Real input gives half a spectrum, n2/2+1 elements along\n"
        "the last axis, and backward makes a real field of it again; --type c2c gives and takes\n"
        "whole ones.  Backward divides by the number of elements, so that forward, then backward\n"
        "returns the field.  --grid is needed backward only, for half a spectrum of an odd n2\n"
        "that was not written by pfft3d.\n\n"
        "Examples:\n"
        "  mpirun -n 4 pfft3d transform --input head.h5 --output spectrum.h5\n"
        "  pfft3d transform -i spectrum.h5:/head -o back.h5 --direction backward --force\n"
        "  pfft3d transform -i np.h5 -o f.h5 --direction backward --type r2c --grid 64x64x65\n",
    .run = transform_run,
};
