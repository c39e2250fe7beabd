/* SPDX-License-Identifier: BSD-3-Clause
 * From file to file. Checks that are cheap and may fail (header of the input, space for the
 * output, memory) come before all work that takes time. */
#include "app/files/file_job.h"

#include <math.h>
#include <pfft3d_hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/check.h"
#include "app/check/energy.h"
#include "app/common/message.h"
#include "app/common/request.h"
#include "app/common/watch.h"
#include "app/report/report.h"
#include "app/run/run.h"

typedef struct job {
  app *a;
  const file_terms *terms;
  pfft3d_direction direction;
  pfft3d_side from, to;
  pfft3d_dataset *dataset;
  pfft3d_dataset_info input;
  int line;           /* it is transformed as a line by all ranks */
  ptrdiff_t asked[3]; /* size of the field from the command line; 0: not given */
  pfft3d_problem problem;
  int norm; /* NORM_... */
  int half; /* the axis along which the spectrum is half of one, of a real field; -1: none */
  pfft3d_output *output;
  run r;
  timing t;
  double seconds[3]; /* reading, writing, reading again */
  json_t *check;     /* NULL: not checked */
} job;

static int check_usage(const job *j) {
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
             o->algo.count != 1 ? "algo" : "engine");
  return a->error.status;
}

static int probe_input(job *j) {
  app *a = j->a;
  watch_kick("looking at the input");
  if (pfft3d_dataset_probe(a->comm, a->opt.input, &j->dataset, &a->error)) return a->error.status;
  pfft3d_dataset_get_info(j->dataset, &j->input, sizeof j->input);
  return PFFT3D_OK;
}

/* ---- What to compute ---------------------------------------------------------------------- */

/* The problem whose spectrum the input is, from the attribute that this program writes; c2c
 * without it. *fits: the input is half a spectrum of matching size. */
static int recall(job *j, pfft3d_problem *p, int *fits) {
  char text[160];
  ptrdiff_t n[3];
  p->kind = PFFT3D_C2C;
  *fits = 0;
  if (pfft3d_dataset_attribute(j->dataset, "problem", text, sizeof text, &j->a->error))
    return j->a->error.status;
  if (pfft3d_problem_parse(text, p, NULL)) return PFFT3D_OK;
  pfft3d_problem_extents(p, PFFT3D_SPECTRUM, n);
  *fits = memcmp(n, j->input.n, sizeof n) == 0;
  if (!options_given(&j->a->opt, "sign")) j->problem.sign = p->sign;
  return PFFT3D_OK;
}

/* The kinds that were asked for, else those of the transform that made the input. */
static int choose_axes(job *j, const pfft3d_problem *said) {
  app *a = j->a;
  memcpy(j->problem.n, j->input.n, sizeof j->problem.n);
  memcpy(j->problem.axis, said->axis, sizeof said->axis);
  return options_kinds(a->opt.kind, &j->problem, &a->error);
}

/* The default is r2c for real fields and for their spectra, else c2c. */
static int choose_kind(job *j, const pfft3d_problem *said) {
  app *a = j->a;
  int forward = j->direction == PFFT3D_FORWARD, is_complex = j->input.numbers == PFFT3D_COMPLEX;
  pfft3d_problem p = j->problem; /* of a real field of these kinds */
  p.kind = PFFT3D_R2C;
  int axis = field_half_axis(&p), half = axis >= 0, real = !is_complex && (forward || !half);
  if (!forward && is_complex && half) real = said->kind == PFFT3D_R2C;
  j->problem.kind = real ? PFFT3D_R2C : PFFT3D_C2C;
  if (a->opt.type != TYPE_AUTO) j->problem.kind = (pfft3d_kind)a->opt.type;
  j->half = j->problem.kind == PFFT3D_R2C ? axis : -1;
  int wanted = forward || !half; /* real numbers */
  if (!wanted || !is_complex || j->problem.kind != PFFT3D_R2C) return PFFT3D_OK;
  app_hint(&a->error, "--type c2c transforms complex numbers");
  return app_fail(&a->error, PFFT3D_ERR_DATA,
                  "cannot transform '%.100s' in '%.100s' as real numbers: they are %s",
                  j->input.path, j->input.file, j->input.type);
}

/* A size, or the axis of one, as the input has them: without leading axes that it lacks. */
static const char *size_text(const job *j, const ptrdiff_t n[3], char out[80]) {
  int first = 3 - j->input.dims, used = 0;
  while (first > 0 && n[first - 1] != 1) first--;
  for (int k = first; k < 3; k++)
    used += snprintf(out + used, (size_t)(80 - used), "%s%td", k > first ? "x" : "", n[k]);
  return out;
}

static int axis_of(const job *j, int k) {
  return k - (3 - j->input.dims);
}

/* An option's size for the input: one number, which is read as a cube, is the extent of every axis.
 */
static void take_size(const job *j, const ptrdiff_t asked[3], ptrdiff_t n[3]) {
  int cube = asked[0] == asked[1] && asked[1] == asked[2];
  for (int k = 0; k < 3; k++) n[k] = cube && asked[0] && axis_of(j, k) < 0 ? 1 : asked[k];
}

/* Fails because the size asked for is not that of the field, n. */
static int wrong_size(job *j, int back, int fits) {
  app *a = j->a;
  char asked[80], found[80];
  const ptrdiff_t *n = j->problem.n, m = back ? j->input.n[j->half] : 0;
  ptrdiff_t other[3] = {n[0], n[1], n[2]};
  const char *option = j->terms->option;
  if (back) other[j->half] = 2 * m - 1;
  app_fail(&a->error, PFFT3D_ERR_USAGE, "--%s %s: does not fit the input, whose field is %s",
           option, size_text(j, j->asked, asked), size_text(j, n, found));
  if (a->opt.pad[0])
    app_hint(&a->error, "leave out --%s: --pad is the size of the field", option);
  else if (!back)
    app_hint(&a->error, "leave out --%s: the input has a size", option);
  else if (fits)
    app_hint(&a->error, "its attribute 'problem' says so; leave out --%s", option);
  else if (m > 1)
    app_hint(&a->error, "or %s: a spectrum of %td along axis %d leaves the choice",
             size_text(j, other, found), m, axis_of(j, j->half));
  return a->error.status;
}

/* The input has the modes of a spectrum of the size that was asked for: sets that size. */
static int pad(job *j) {
  app *a = j->a;
  pfft3d_problem *p = &j->problem;
  char text[80];
  take_size(j, a->opt.pad, p->n);
  for (int k = 0; k < 3; k++) { /* half a spectrum of m elements has modes 0 to m-1 */
    ptrdiff_t m = j->input.n[k], modes = k == j->half ? 2 * m - 1 : m;
    if (k == j->half && p->n[k] / 2 + 1 == m) modes = p->n[k];
    if (axis_of(j, k) < 0 && p->n[k] > 1)
      return app_fail(&a->error, PFFT3D_ERR_USAGE, "--pad %s: the input has %d dimension%s",
                      size_text(j, p->n, text), j->input.dims, j->input.dims > 1 ? "s" : "");
    if (modes > p->n[k])
      return app_fail(&a->error, PFFT3D_ERR_USAGE,
                      "--pad %s: smaller than the input, which has %td modes along axis %d%s",
                      size_text(j, p->n, text), m, axis_of(j, k),
                      k == j->half ? ", half of a spectrum" : "");
    p->keep[k] = modes;
  }
  return PFFT3D_OK;
}

/* The modes that the spectrum has: forward by --keep, backward those of the input. */
static int choose_modes(job *j, int *fits) {
  app *a = j->a;
  int forward = j->direction == PFFT3D_FORWARD;
  const char *wrong = forward && a->opt.pad[0] ? "pad" : !forward && a->opt.keep[0] ? "keep" : NULL;
  if (wrong) {
    app_hint(&a->error, "--keep drops modes forward, --pad names the size of the field backward");
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--%s: not with --direction %s", wrong,
                    forward ? "forward" : "backward");
  }
  if (forward) return options_keep(a->opt.keep, &j->problem, &a->error);
  if (!a->opt.pad[0]) return PFFT3D_OK;
  *fits = 1; /* the size is certain */
  return pad(j);
}

/* The extents of the field. Half a spectrum of m elements along an axis may belong to 2 (m-1)
 * points or to one more: the attribute or the option decides, else the number is even. */
static int choose_extents(job *j, const pfft3d_problem *said, int fits) {
  ptrdiff_t *n = j->problem.n;
  const ptrdiff_t *asked = j->asked;
  int h = j->half, back = j->direction == PFFT3D_BACKWARD && h >= 0;
  char text[80];
  memcpy(n, j->input.n, sizeof j->problem.n);
  if (back)
    n[h] = fits ? said->n[h] : asked[h] / 2 + 1 == n[h] && asked[h] ? asked[h] : 2 * (n[h] - 1);
  if (back && n[h] == 0) n[h] = 1; /* a spectrum of one element belongs to one point */
  int known = fits && said->kind == j->problem.kind;
  if (j->direction == PFFT3D_BACKWARD && known) { /* for all axes, if modes were dropped */
    memcpy(n, said->n, sizeof j->problem.n);
    memcpy(j->problem.keep, said->keep, sizeof j->problem.keep);
  }
  if (choose_modes(j, &fits)) return j->a->error.status;
  if (asked[0] && memcmp(asked, n, sizeof j->problem.n) != 0) return wrong_size(j, back, fits);
  if (back && !fits && said->kind == PFFT3D_R2C && !asked[0])
    app_warn(j->a, "the attribute 'problem' does not fit '%s:%s': the field is taken as %s",
             j->input.file, j->input.path, size_text(j, n, text));
  return PFFT3D_OK;
}

/* A dataset of one dimension is a line unless a decomposition was asked for, or modes are dropped:
 * the spectrum of a line has all. */
static int choose_shape(job *j, int dropped) {
  app *a = j->a;
  const options *o = &a->opt;
  int one = j->input.dims == 1, auto_cut = strcmp(o->decomp, "auto") == 0;
  char why[40] = "its spectrum lacks modes";
  dropped |= o->keep[0] || o->pad[0];
  j->line = one && !dropped && (j->terms->lines || auto_cut);
  j->problem.dims = j->line ? 1 : 3;
  take_size(j, j->terms->n, j->asked);
  if (j->line || !j->terms->lines) return PFFT3D_OK;
  if (!one) snprintf(why, sizeof why, "it has %d dimensions", j->input.dims);
  app_hint(&a->error, "'pfft3d transform' takes %s", one ? "it" : "up to three");
  return app_fail(&a->error, PFFT3D_ERR_DATA, "cannot transform '%.100s' in '%.100s' as a line: %s",
                  j->input.path, j->input.file, why);
}

/* The factor of a backward transform by NORM_...; that of a forward transform is found in
 * reverse order. */
static const char *const factors[] = {"1/N", "1/sqrt(N)", "none"};

/* The normalization of the forward transform that has written the input, from its attributes;
 * NORM_NONE if they do not say. */
static int recall_norm(job *j, int *norm) {
  app *a = j->a;
  char text[2][32];
  static const char *const names[2] = {"direction", "normalization"};
  *norm = NORM_NONE;
  for (int k = 0; k < 2; k++)
    if (pfft3d_dataset_attribute(j->dataset, names[k], text[k], sizeof text[k], &a->error))
      return a->error.status;
  for (int k = NORM_BACKWARD; k <= NORM_FORWARD; k++)
    if (strcmp(text[0], "forward") == 0 && strcmp(text[1], factors[NORM_FORWARD - k]) == 0)
      *norm = k;
  return PFFT3D_OK;
}

static int choose_norm(job *j) {
  static const char *const words[] = {"backward", "ortho", "forward"};
  int said = NORM_NONE, asked = j->a->opt.norm;
  if (j->direction == PFFT3D_BACKWARD && recall_norm(j, &said)) return j->a->error.status;
  j->norm = asked != NORM_NONE ? asked : said != NORM_NONE ? said : NORM_BACKWARD;
  if (said != NORM_NONE && said != j->norm)
    app_warn(j->a, "'%s:%s' was made with --norm %s: the result is a multiple of the field",
             j->input.file, j->input.path, words[said]);
  return PFFT3D_OK;
}

static int find_problem(job *j) {
  pfft3d_problem said = {.kind = PFFT3D_C2C};
  int fits = 0, forward = j->direction == PFFT3D_FORWARD;
  j->from = forward ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  j->to = forward ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  j->problem.precision = (pfft3d_precision)j->a->opt.precision;
  j->problem.sign = j->a->opt.sign;
  j->problem.batch = 1;
  if (!forward && recall(j, &said, &fits)) return j->a->error.status;
  if (choose_shape(j, fits && said.keep[2])) return j->a->error.status;
  if (choose_axes(j, &said) || choose_kind(j, &said)) return j->a->error.status;
  return choose_extents(j, &said, fits) || choose_norm(j) ? j->a->error.status : PFFT3D_OK;
}

/* The type of numbers in arrays and files of a side. */
static pfft3d_numbers numbers_on(const job *j, pfft3d_side side) {
  int real = j->problem.kind == PFFT3D_R2C && (side == PFFT3D_SPACE || j->half < 0);
  return real ? PFFT3D_REAL : PFFT3D_COMPLEX;
}

/* ---- The steps ---------------------------------------------------------------------------- */

/* Creates the output and reserves its space. Its attributes describe the transform. */
static int create_output(job *j) {
  pfft3d_problem named = j->problem; /* a dataset of one dimension, however it is cut */
  if (j->input.dims == 1) named.dims = 1;
  char problem[160], source[1600], axes[2];
  int forward = j->direction == PFFT3D_FORWARD;
  snprintf(source, sizeof source, "%s:%s", j->input.file, j->input.path);
  if (pfft3d_dataset_attribute(j->dataset, "axes", axes, sizeof axes, &j->a->error))
    return j->a->error.status;
  const pfft3d_attribute attributes[] = {
      {"pfft3d_version", pfft3d_version()},
      {"problem", pfft3d_problem_print(&named, problem, sizeof problem)},
      {"direction", forward ? "forward" : "backward"},
      {"normalization", factors[forward ? NORM_FORWARD - j->norm : j->norm]},
      {"source", source},
      {axes[0] ? NULL : "axes", "axis 0, axis 1, axis 2 in C order"}, /* those of the input win */
      {NULL, NULL},
  };
  pfft3d_output_spec spec = {.name = j->a->opt.output,
                             .path = j->input.path,
                             .precision = j->problem.precision,
                             .numbers = numbers_on(j, j->to),
                             .dims = j->input.dims,
                             .overwrite = j->a->opt.force,
                             .source = j->dataset,
                             .attributes = attributes};
  pfft3d_problem_extents(&j->problem, j->to, spec.n);
  watch_kick("reserving the output");
  return pfft3d_output_create(j->a->comm, &spec, sizeof spec, &j->output, &j->a->error);
}

static int plan(job *j) {
  const options *o = &j->a->opt;
  run_spec request = options_request(o, o->algo.name[0], o->engine.name[0]);
  request.problem = j->problem;
  request.decision.order = PFFT3D_NATURAL; /* files are in natural order */
  for (int side = 0; side < 2; side++)
    request.layout[side] = PFFT3D_BLOCK; /* each rank holds one contiguous part of the file */
  request_normalize(&request, j->norm);
  return run_open(j->a, &j->r, &request, 1, &j->a->error);
}

static int read_input(job *j) {
  app *a = j->a;
  check_target t = check_aim(a, &j->r, j->direction, j->r.array[0], j->r.array[0]);
  watch_kick("reading the input");
  app_progress(a, "reading %s", j->input.file);
  double start = MPI_Wtime();
  if (pfft3d_dataset_read(j->dataset, t.precision, numbers_on(j, j->from), &t.in_box, t.in,
                          &a->error))
    return a->error.status;
  pfft3d_dataset_get_info(j->dataset, &j->input, sizeof j->input);
  j->seconds[0] = MPI_Wtime() - start;
  if (!(j->input.nonfinite > 0)) return PFFT3D_OK;
  /* finite doubles may overflow in single precision */
  const char *precision = t.precision == PFFT3D_SINGLE ? " in single precision" : "";
  int many = j->input.nonfinite > 1;
  char found[320];
  snprintf(found, sizeof found, "%.0f element%s of '%.100s:%.100s' %s not finite%s",
           j->input.nonfinite, many ? "s" : "", j->input.file, j->input.path, many ? "are" : "is",
           precision);
  if (a->opt.strict) return app_fail(&a->error, PFFT3D_ERR_DATA, "%s", found);
  app_warn(a, "%s: the result will have such values, too", found);
  return PFFT3D_OK;
}

/* The energy of the input; *ignored is the part that the transform ignores. */
static long double input_energy(job *j, const check_target *t, long double *ignored) {
  long double energy = check_energy_in(t);
  check_sum(j->a, &energy, 1);
  *ignored = 0;
  if (j->half >= 0 && j->from == PFFT3D_SPECTRUM)
    *ignored = energy_ignored(j->a, &j->problem, &t->in_box, t->in);
  if (*ignored > 1e-8L * energy)
    app_warn(j->a,
             "'%s:%s' is not half the spectrum of a real field: %.2Lg of its energy is ignored",
             j->input.file, j->input.path, *ignored / energy);
  return energy;
}

/* Transforms in place and checks the conservation of energy, which holds for every field. */
static int compute(job *j) {
  app *a = j->a;
  check_target t = check_aim(a, &j->r, j->direction, j->r.array[0], j->r.array[0]);
  /* of a spectrum without some modes only that of a complex field says what must come out */
  int drops = t.cut && (j->half >= 0 || j->to == PFFT3D_SPECTRUM);
  int verify = !a->opt.no_verify && !(j->input.nonfinite > 0) && !drops;
  long double in = 0, ignored = 0;
  watch_kick("checking");
  if (verify) in = input_energy(j, &t, &ignored);
  app_progress(a, "transforming");
  j->t.in = t.in;
  j->t.out = t.out;
  run_repeat(a, &j->r, &j->t, 0);
  if (!verify) return PFFT3D_OK;
  watch_kick("checking");
  long double out = check_energy_out(&t);
  check_sum(a, &out, 1);
  long double factor = t.elements * t.scale * t.scale;
  int zero = !(in > 0) && !(out > 0); /* input and output are zero */
  check_value v = {"parseval",
                   zero ? 0 : (double)fabsl((out - (in - ignored) * factor) / (in * factor))};
  j->check = check_report(a, &v, 1, check_limit(&j->r.request.problem, run_wire(&j->r)),
                          "the transform; no output was written");
  return a->error.status;
}

/* A checksum of this rank's part of the output. Overwrites the array. */
static uint64_t take_sum(const job *j, const check_target *t) {
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
static int verify_output(job *j, const check_target *t) {
  app *a = j->a;
  pfft3d_dataset *d;
  watch_kick("reading the output again");
  app_progress(a, "reading %s again", a->opt.output);
  double start = MPI_Wtime();
  uint64_t written = take_sum(j, t);
  if (!pfft3d_dataset_probe(a->comm, pfft3d_output_temporary(j->output), &d, &a->error))
    pfft3d_dataset_read(d, t->precision, numbers_on(j, j->to), &t->out_box, t->out, &a->error);
  pfft3d_dataset_free(&d);
  if (a->error.status) return a->error.status;
  int differ = take_sum(j, t) != written;
  MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_SUM, a->comm);
  if (differ)
    app_fail(&a->error, PFFT3D_ERR_IO,
             "cannot write '%.200s': what %d rank%s wrote is not what is read", a->opt.output,
             differ, differ > 1 ? "s" : "");
  j->seconds[2] = MPI_Wtime() - start;
  return a->error.status;
}

static int write_output(job *j) {
  app *a = j->a;
  check_target t = check_aim(a, &j->r, j->direction, j->r.array[0], j->r.array[0]);
  watch_kick("writing the output");
  app_progress(a, "writing %s", a->opt.output);
  double start = MPI_Wtime();
  if (pfft3d_output_write(j->output, &t.out_box, t.out, &a->error)) return a->error.status;
  double written = MPI_Wtime();
  if (a->opt.verify_output && verify_output(j, &t)) return a->error.status;
  start += MPI_Wtime() - written; /* which is a phase of its own */
  if (pfft3d_output_commit(&j->output, &a->error)) return a->error.status;
  j->seconds[1] = MPI_Wtime() - start;
  return PFFT3D_OK;
}

static void print_text(const app *a, const json_t *report) {
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
  if (a->opt.verify_output) json_object_set_new(phases, "verify", run_spread(a, j->seconds[2]));
  json_object_set_new(item, "check", j->check ? json_incref(j->check) : json_null());
  report_add(report, item);
  json_object_set_new(
      report, "input",
      json_pack("{s:o,s:o,s:o,s:[I,I,I],s:f}", "file", report_words(j->input.file), "path",
                report_words(j->input.path), "type", report_words(j->input.type), "n",
                (json_int_t)j->input.n[0], (json_int_t)j->input.n[1], (json_int_t)j->input.n[2],
                "nonfinite", j->input.nonfinite));
  json_object_set_new(report, "output", report_words(a->opt.output));
  report_end(a, report, print_text);
}

int file_job_run(app *a, const file_terms *terms) {
  double seconds = 0, phase[RUN_PHASES] = {0};
  job j = {.a = a, .terms = terms};
  if (check_usage(&j)) return a->error.status;
  j.direction = a->opt.direction == DIRECTION_BACKWARD ? PFFT3D_BACKWARD : PFFT3D_FORWARD;
  j.t = (timing){.direction = j.direction,
                 .reps = 1,
                 .seconds = &seconds,
                 .phase = phase,
                 .passes = -1,
                 .raw = -1};
  if (!probe_input(&j) && !find_problem(&j) && !create_output(&j) && !plan(&j) && !read_input(&j) &&
      !compute(&j) && !write_output(&j))
    print_report(&j);
  pfft3d_output_discard(&j.output);
  pfft3d_dataset_free(&j.dataset);
  run_close(&j.r);
  json_decref(j.check);
  return a->error.status;
}
