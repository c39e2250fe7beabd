/* SPDX-License-Identifier: BSD-3-Clause
 * From file to file. Cheap checks that may fail (header of the input, space for the output, memory)
 * come before all work that takes time. */
#include "app/files/array_work.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/check.h"
#include "app/check/energy.h"
#include "app/common/field_file.h"
#include "app/common/message.h"
#include "app/common/progress.h"
#include "app/common/request.h"
#include "app/common/timeline.h"
#include "app/common/watch.h"
#include "app/report/report.h"

static int check_usage(const file_work *j) {
  app *a = j->a;
  const options *o = &a->opt;
  const char *name = a->command->name;
  if (!o->input[0] || !o->output[0]) {
    app_fail(&a->error, PFFT3D_ERR_USAGE, "%s: option --%s is missing", name,
             o->input[0] ? "output" : "input");
    app_hint(&a->error, "%s", j->terms->example);
  }
  if (options_problems(o) > 1)
    app_fail(&a->error, PFFT3D_ERR_USAGE, "%s: --%s: a file has one size", name, j->terms->option);
  if (o->algo.count != 1 || o->engine.count != 1)
    app_fail(&a->error, PFFT3D_ERR_USAGE, "%s: --%s: only one can be used at a time", name,
             o->algo.count != 1 ? "exchange" : "engine");
  return a->error.status;
}

/* The type of numbers in arrays and files of a side. */
static pfft3d_numbers numbers_on(const file_work *j, pfft3d_side side) {
  int real = j->problem.kind == PFFT3D_R2C && (side == PFFT3D_SPACE || j->half < 0);
  return real ? PFFT3D_REAL : PFFT3D_COMPLEX;
}

/* ---- The steps ---------------------------------------------------------------------------- */

/* Creates the output and reserves its space. Its attributes describe the transform. */
static int create_output(file_work *j) {
  pfft3d_problem named = j->problem; /* a dataset of one dimension, for any cuts */
  if (j->in.info.dims == 1) named.dims = 1;
  char problem[160], source[1600], axes[2];
  int forward = j->direction == PFFT3D_FORWARD;
  snprintf(source, sizeof source, "%s:%s", j->in.info.file, j->in.info.path);
  if (pfft3d_dataset_attribute(j->in.dataset, "axes", axes, sizeof axes, &j->a->error))
    return j->a->error.status;
  const pfft3d_attribute attributes[] = {
      {"pfft3d_version", pfft3d_version()},
      {"problem", pfft3d_problem_print(&named, problem, sizeof problem)},
      {"direction", forward ? "forward" : "backward"},
      {"normalization", file_factor(j->direction, j->norm)},
      {"source", source},
      {axes[0] ? NULL : "axes", "axis 0, axis 1, axis 2 in C order"}, /* a text of the input wins */
      {NULL, NULL},
  };
  pfft3d_output_spec spec = {.name = j->a->opt.output,
                             .precision = j->problem.precision,
                             .numbers = numbers_on(j, j->to),
                             .dims = j->in.info.dims,
                             .overwrite = j->a->opt.force,
                             .into = j->a->opt.into,
                             .store = j->a->opt.store[0] ? j->a->opt.store : NULL,
                             .source = j->in.dataset,
                             .attributes = attributes};
  file_names names;
  pfft3d_problem_extents(&j->problem, j->to, spec.n);
  const file_dims dims = {3, j->direction, j->half, spec.n, j->problem.axis, j->in.info.axis};
  spec.axes = file_axes(j->a, &dims, &names);
  watch_kick("reserving the output");
  pfft3d_output_create(j->a->comm, &spec, sizeof spec, &j->output, &j->a->error);
  free(names.values);
  return j->a->error.status;
}

static int plan(file_work *j) {
  pfft3d_request *request = options_request(j->a, &j->problem);
  /* files are in natural order, and each rank holds one contiguous part of them */
  pfft3d_request_parse(request, "order=natural layout=block out-layout=block", NULL);
  run_open(j->a, &j->r, request, j->norm, 1, &j->a->error);
  pfft3d_request_destroy(&request);
  return j->a->error.status;
}

static int read_input(file_work *j) {
  check_target t = check_aim(j->a, &j->r, j->direction, j->r.array[0], j->r.array[0]);
  return field_read(j->a, &j->in, numbers_on(j, j->from), &t.in_box, t.in,
                    "the result will have such values, too");
}

/* The energy of the input; *ignored is the part that the transform ignores. */
static long double input_energy(file_work *j, const check_target *t, long double *ignored) {
  long double energy = check_energy_in(t);
  check_sum(j->a, &energy, 1);
  *ignored = 0;
  if (j->half >= 0 && j->from == PFFT3D_SPECTRUM)
    *ignored = energy_ignored(j->a, &j->problem, &t->in_box, t->in);
  if (*ignored > 1e-8L * energy)
    app_warn(j->a,
             "'%s:%s' is not half the spectrum of a real field: %.2Lg of its energy is ignored",
             j->in.info.file, j->in.info.path, *ignored / energy);
  return energy;
}

/* Transforms in place and checks the conservation of energy, which holds for every field, and that
 * the result of a finite input is finite. */
static int compute(file_work *j) {
  app *a = j->a;
  check_target t = check_aim(a, &j->r, j->direction, j->r.array[0], j->r.array[0]);
  /* with dropped modes the input predicts the output only for complex fields */
  int drops = t.cut && (j->half >= 0 || j->to == PFFT3D_SPECTRUM);
  int finite = !(j->in.info.nonfinite > 0), verify = !a->opt.no_verify && finite && !drops;
  long double in = 0, ignored = 0;
  watch_kick("checking");
  if (verify) in = input_energy(j, &t, &ignored);
  app_progress(a, "transforming");
  j->t.in = t.in;
  j->t.out = t.out;
  timeline_record(a, j->r.plan, 1);
  run_repeat(a, &j->r, &j->t, 0);
  if (!finite) return PFFT3D_OK;
  watch_kick("checking");
  long double out = check_energy_out(&t);
  check_sum(a, &out, 1);
  if (!isfinite(out)) return field_not_finite(a, 0);
  if (!verify) return PFFT3D_OK;
  pfft3d_precision wire = run_wire(&j->r);
  const check_energy e = {.in = in,
                          .ignored = ignored,
                          .out = out,
                          .factor = t.elements * t.scale * t.scale,
                          .points = t.elements,
                          .single = t.precision == PFFT3D_SINGLE || wire == PFFT3D_SINGLE};
  j->check = check_conserved(a, &e, check_limit(&j->r.problem, wire),
                             "the transform; no output was written");
  return a->error.status;
}

/* A checksum of this rank's part of the output. Overwrites the array. */
static uint64_t take_sum(const file_work *j, const check_target *t) {
  const pfft3d_box *b = &t->out_box;
  size_t parts = numbers_on(j, j->to) == PFFT3D_REAL ? 1 : 2;
  size_t size = parts * (t->precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double));
  uint64_t sum = 0xcbf29ce484222325u;
  uint32_t word;
  for (ptrdiff_t i = 0; i < b->len[0]; i++)
    for (ptrdiff_t k = 0; k < b->len[1]; k++) {
      ptrdiff_t at = b->offset + i * b->stride[0] + k * b->stride[1];
      for (ptrdiff_t l = 0; l < b->len[2]; l++, at += b->stride[2]) {
        char *element = (char *)t->out + (size_t)at * size;
        for (size_t w = 0; w < size; w += sizeof word) {
          memcpy(&word, element + w, sizeof word);
          sum = (sum ^ word) * 0x100000001b3u; /* FNV-1a, by words */
        }
        memset(element, 0xff, size);
      }
    }
  return sum;
}

/* Reads the output back, before it gets its final name, and compares checksums. Layers below
 * have been seen to lose data and report success. */
static int verify_output(file_work *j, const check_target *t) {
  app *a = j->a;
  pfft3d_dataset *d;
  watch_kick("reading the output again");
  progress_enter(a, 0, "reading %.80s again", a->opt.output);
  double start = MPI_Wtime();
  uint64_t written = take_sum(j, t);
  char name[2 * FILE_SIZE];
  file_temporary(a, j->output, &j->in.info, name);
  if (!pfft3d_dataset_probe(a->comm, name, &d, &a->error))
    pfft3d_dataset_read(d, t->precision, numbers_on(j, j->to), &t->out_box, t->out, &a->error);
  pfft3d_dataset_free(&d);
  progress_leave(a);
  if (a->error.status) return a->error.status;
  file_compared(a, take_sum(j, t) != written);
  j->seconds[1] = MPI_Wtime() - start;
  return a->error.status;
}

static int write_output(file_work *j) {
  app *a = j->a;
  check_target t = check_aim(a, &j->r, j->direction, j->r.array[0], j->r.array[0]);
  watch_kick("writing the output");
  progress_enter(a, 0, "writing %.80s", a->opt.output);
  double start = MPI_Wtime();
  pfft3d_output_write(j->output, &t.out_box, t.out, &a->error);
  progress_leave(a);
  if (a->error.status) return a->error.status;
  double written = MPI_Wtime();
  if (a->opt.verify_output && verify_output(j, &t)) return a->error.status;
  start += MPI_Wtime() - written; /* writing is a separate phase */
  if (pfft3d_output_commit(&j->output, &a->error)) return a->error.status;
  j->seconds[0] = MPI_Wtime() - start;
  return PFFT3D_OK;
}

static void print_text(const app *a, const json_t *report) {
  file_text_head(a, report);
  report_text_run(json_array_get(report_at(report, "runs"), 0), 0);
}

static void print_report(file_work *j) {
  app *a = j->a;
  json_t *report = report_begin(a), *item = run_report(a, &j->r, &j->t);
  json_t *phases = json_object_get(item, "phases");
  report_problem(a, report, &j->r.problem);
  json_object_del(report, "seed");
  json_object_set_new(phases, "read", run_spread(a, j->in.seconds));
  json_object_set_new(phases, "write", run_spread(a, j->seconds[0]));
  if (a->opt.verify_output) json_object_set_new(phases, "verify", run_spread(a, j->seconds[1]));
  json_object_set_new(item, "check", j->check ? json_incref(j->check) : json_null());
  report_add(report, item);
  json_object_set_new(
      report, "input",
      json_pack("{s:o,s:o,s:o,s:[I,I,I],s:f}", "file", report_words(j->in.info.file), "path",
                report_words(j->in.info.path), "type", report_words(j->in.info.type), "n",
                (json_int_t)j->in.info.n[0], (json_int_t)j->in.info.n[1],
                (json_int_t)j->in.info.n[2], "nonfinite", j->in.info.nonfinite + j->in.filled));
  json_object_set_new(report, "output", report_words(a->opt.output));
  report_end(a, report, print_text);
}

/* Collective. Nonzero if array_job_run() transforms the input, or its forward transform has written
 * it. */
static int is_array(file_work *j) {
  char problem[240] = "";
  if (j->a->opt.axes[0] || j->in.info.dims > 3) return 1;
  if (j->direction == PFFT3D_BACKWARD)
    field_attribute(j->a, &j->in, "problem", problem, sizeof problem);
  return strstr(problem, ARRAY_AXES) != NULL;
}

int file_job_run(app *a, const file_terms *terms) {
  double seconds = 0, phase[RUN_PHASES] = {0};
  file_work j = {.a = a, .terms = terms, .in.dims = terms->lines ? 3 : 8};
  if (check_usage(&j)) return a->error.status;
  j.direction = a->opt.direction == DIRECTION_BACKWARD ? PFFT3D_BACKWARD : PFFT3D_FORWARD;
  j.t = (timing){.direction = j.direction,
                 .reps = 1,
                 .seconds = &seconds,
                 .phase = phase,
                 .passes = -1,
                 .raw = -1};
  if (!field_probe(a, a->opt.input, &j.in) && is_array(&j))
    array_job_run(a, &j.in, j.direction);
  else if (!a->error.status && !file_problem(&j) && !create_output(&j) && !plan(&j) &&
           !read_input(&j) && !compute(&j) && !write_output(&j))
    print_report(&j);
  pfft3d_output_discard(&j.output);
  field_close(&j.in);
  run_close(&j.r);
  json_decref(j.check);
  return a->error.status;
}
