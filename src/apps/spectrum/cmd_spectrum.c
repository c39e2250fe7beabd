/* SPDX-License-Identifier: BSD-3-Clause
 * spectrum: the power of fields, or of particles, in shells of wavenumbers. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/check.h"
#include "app/common/message.h"
#include "app/common/picture.h"
#include "app/common/watch.h"
#include "app/report/report.h"
#include "apps/spectrum/spectrum.h"

/* ---- options ---- */

/* Options that need another one. */
static int check_needs(job *j) {
  static const struct {
    const char *option, *needs;
  } rules[] = {{"interlace", "deposit"}, {"shot-noise", "deposit"}, {"images", "deposit"},
               {"outside", "deposit"},   {"fold", "deposit"},       {"wedges", "los"},
               {"cylinder", "los"}};
  const options *o = &j->a->opt;
  for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
    if (options_given(o, rules[k].option) && !options_given(o, rules[k].needs))
      return app_fail(&j->a->error, PFFT3D_ERR_USAGE, "--%s: only with --%s", rules[k].option,
                      rules[k].needs);
  if (o->parts && (o->deposit || o->with[0] || o->each || o->correlation))
    return app_fail(&j->a->error, PFFT3D_ERR_USAGE, "--parts is for the power of one vector field");
  return PFFT3D_OK;
}

static int check_usage(job *j) {
  app *a = j->a;
  const options *o = &a->opt;
  int grid = options_given(o, "grid");
  if (!o->input[0]) {
    app_hint(&a->error, "pfft3d spectrum --input f.h5 --csv power.csv");
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "spectrum: option --input is missing");
  }
  if (grid != (o->deposit > 0)) {
    if (grid) app_hint(&a->error, "--deposit puts particles on a grid");
    return app_fail(&a->error, PFFT3D_ERR_USAGE,
                    grid ? "--input and --grid: a field has a size"
                         : "spectrum: --deposit needs --grid, the grid for the particles");
  }
  if (options_problems(o) > 1)
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "spectrum: --grid: one at a time");
  return check_needs(j);
}

/* ---- plans ---- */

static int probe(job *j) {
  app *a = j->a;
  if (samples_probe(a, &j->s)) return a->error.status;
  j->fields = j->s.count;
  if (!options_given(&a->opt, "los") || j->s.dims == 3) return PFFT3D_OK;
  return app_fail(&a->error, PFFT3D_ERR_USAGE,
                  "--los: a line of sight belongs to fields of three dimensions, not of %d",
                  j->s.dims);
}

static int open_tallies(job *j, const pfft3d_problem *p) {
  app *a = j->a;
  const options *o = &a->opt;
  modes_wish w = {.problem = *p,
                  .dims = j->s.dims,
                  .window = options_given(o, "window") ? o->window : o->deposit,
                  .assigned = o->deposit,
                  .interlaced = o->interlace,
                  .flat = o->images == IMAGES_FLAT,
                  .los = options_given(o, "los") ? o->los : -1};
  for (int k = 0; k < 3; k++) w.length[k] = j->s.length[k] / (double)o->fold;
  if (modes_open(a, &j->m, &w, &a->error) ||
      tally_open(a, &j->tally[j->tallies++], TALLY_SHELLS, &j->m, j->fields, 0, &a->error))
    return a->error.status;
  if (o->wedges && tally_open(a, &j->tally[j->tallies++], TALLY_WEDGES, &j->m, j->fields,
                              (int)o->wedges, &a->error))
    return a->error.status;
  if (o->cylinder &&
      tally_open(a, &j->tally[j->tallies++], TALLY_CYLINDER, &j->m, j->fields, 0, &a->error))
    return a->error.status;
  return PFFT3D_OK;
}

/* What the parts of a vector field need: all components at once. */
static int plan_parts(job *j, const pfft3d_problem *p) {
  app *a = j->a;
  ptrdiff_t m[3];
  pfft3d_problem_extents(p, PFFT3D_SPECTRUM, m);
  if (tally_open(a, &j->compressive, TALLY_SHELLS, &j->m, 1, 0, &a->error)) return a->error.status;
  return vector_open(a, &j->waves, j->s.dims, j->s.n, m, j->s.length, &a->error);
}

/* Nonzero if all fields are kept, those of several samples or the components of a vector. */
static int keeps_all(const job *j) {
  return j->fields > 1 || j->a->opt.parts || j->a->opt.correlation;
}

/* The arrays after the first one. */
static int plan_arrays(job *j) {
  app *a = j->a;
  int more = keeps_all(j) ? (j->fields > 1 ? j->fields : j->s.sample[0].components) : 0;
  for (int c = 1; c < more; c++)
    if (pfft3d_alloc(j->r.plan, &j->array[c], &a->error)) return a->error.status;
  return a->opt.interlace || a->opt.correlation ? pfft3d_alloc(j->r.plan, &j->second, &a->error)
                                                : PFFT3D_OK;
}

static int plan(job *j) {
  app *a = j->a;
  pfft3d_problem p = field_problem(a, j->s.numbers, j->s.n);
  if (open_tallies(j, &p) || (a->opt.png[0] && picture_open(a, a->opt.png)) ||
      (a->opt.output[0] && spectrum_create(j)) || field_plan(a, &p, &j->r, &a->error))
    return a->error.status;
  j->rows = field_rows(a, &j->r, j->s.n);
  j->array[0] = j->r.array[0];
  return plan_arrays(j) || (a->opt.parts && plan_parts(j, &p)) ? a->error.status : PFFT3D_OK;
}

/* ---- transforms ---- */

static void transform(job *j, void *array) {
  double start = MPI_Wtime();
  rows_spread(&j->rows, array);
  run_execute(j->a, &j->r, PFFT3D_FORWARD, array, array);
  j->seconds[SPECTRUM_FFT] += MPI_Wtime() - start;
}

/* Collective. Reads a component of a sample, and transforms it. */
static int load(job *j, sample *one, int number, void *array) {
  app *a = j->a;
  int two = a->opt.interlace && !one->components;
  void *const both[2] = {array, two ? j->second : NULL};
  pfft3d_box box;
  if (samples_read(a, &j->s, one, number, &j->r, &j->rows, both)) return a->error.status;
  app_progress(a, "transforming");
  transform(j, array);
  if (!two) return PFFT3D_OK;
  long double energy;
  transform(j, j->second);
  double start = MPI_Wtime();
  pfft3d_plan_box(j->r.plan, PFFT3D_SPECTRUM, a->rank, &box);
  modes_interlace(&j->m, &box, array, j->second, &energy);
  check_sum(a, &energy, 1);
  j->found += energy;
  j->seconds[SPECTRUM_SUM] += MPI_Wtime() - start;
  return PFFT3D_OK;
}

/* Adds up the fields in the arrays from number `first` on. */
static void add_up(job *j, tally *const *t, int count, int first) {
  pfft3d_box box;
  double start = MPI_Wtime();
  watch_kick("adding up");
  pfft3d_plan_box(j->r.plan, PFFT3D_SPECTRUM, j->a->rank, &box);
  for (int f = 0; f < j->fields; f++) j->spectra.array[f] = j->array[first + f];
  modes_add(&j->m, &j->spectra, &box, t, count);
  j->seconds[SPECTRUM_SUM] += MPI_Wtime() - start;
}

static int transform_all(job *j) {
  tally *const all[MOST_TALLIES] = {&j->tally[0], &j->tally[1], &j->tally[2]};
  int keep = keeps_all(j);
  sample *one = j->s.sample;
  j->spectra.fields = j->fields;
  for (int f = 0; f < j->fields; f++) j->spectra.plain[f] = j->a->opt.deposit && one[f].components;
  for (int f = 0; f < j->fields && j->fields > 1; f++)
    if (load(j, &one[f], 0, j->array[f])) return j->a->error.status;
  if (j->fields > 1) add_up(j, all, j->tallies, 0);
  int components = j->fields > 1 ? 0 : one->components ? one->components : 1;
  for (int c = 0; c < components; c++) {
    if (load(j, one, c, j->array[keep ? c : 0])) return j->a->error.status;
    add_up(j, all, j->tallies, keep ? c : 0);
    j->spectra.again = 1;
  }
  for (int i = 0; i < j->tallies; i++) tally_collect(j->a, &j->tally[i]);
  check_sum(j->a, j->spectra.energy, j->fields);
  return PFFT3D_OK;
}

/* Collective. Replaces the spectra by those of the part without curl, and adds it up. */
static void add_compressive(job *j) {
  pfft3d_box box;
  tally *const part[1] = {&j->compressive};
  long double whole = j->spectra.energy[0];
  pfft3d_plan_box(j->r.plan, PFFT3D_SPECTRUM, j->a->rank, &box);
  vector_apply(vector_potential(), &j->waves, &box, j->r.problem.precision == PFFT3D_SINGLE,
               j->array);
  j->spectra.energy[0] = 0;
  for (int c = 0; c < j->s.sample[0].components; c++) {
    j->spectra.again = c > 0;
    add_up(j, part, 1, c);
  }
  tally_collect(j->a, &j->compressive);
  check_sum(j->a, j->spectra.energy, 1);
  j->spectra.energy[1] = j->spectra.energy[0];
  j->spectra.energy[0] = whole;
}

/* Powers are squares, and may overflow a double where the field does not.  Small powers may become
 * 0 if others, including the power of the mean, are in range. */
static int check_range(job *j) {
  app *a = j->a;
  const tally *t = &j->tally[0];
  long double most = 0, mean = 0;
  for (int f = 0; f < j->fields; f++) {
    int pair = modes_pair(j->fields, f, f);
    for (int i = 0; i < t->count; i++) {
      if (!(*tally_at(t, i, SUM_MODES) > 0)) continue;
      long double *worst = i ? &most : &mean;
      *worst = fmaxl(*worst, fabsl(spectrum_power(j, t, i, pair, 0)));
      if (i && j->s.sample[0].components > 1) most = fmaxl(most, spectrum_energy(j, t, i));
    }
  }
  if (!isfinite(j->found))
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
  if (transform_all(j)) return a->error.status;
  for (int f = 0; f < j->fields; f++) {
    const sample *one = &j->s.sample[f];
    const tally *t = &j->tally[0];
    j->energy += one->energy;
    if (!one->components && a->opt.interlace) continue; /* of two grids, already in `found` */
    int column = tally_column(t, modes_pair(j->fields, f, f));
    j->found += j->spectra.energy[f] + *tally_at(t, 0, column);
  }
  if (a->opt.parts) add_compressive(j);
  long double total = j->energy * pfft3d_problem_points(&j->m.wish.problem);
  long double error = total > 0 ? fabsl(j->found / total - 1) : j->found;
  const check_value v = {"parseval", (double)error};
  if (check_range(j)) return a->error.status;
  j->check =
      check_report(a, &v, 1, check_limit(&j->m.wish.problem, run_wire(&j->r)), "the spectrum");
  return a->error.status;
}

/* ---- the results ---- */

/* The variance; NaN, which is null in reports, if a double cannot represent it. */
static double variance_of(const job *j) {
  long double points = pfft3d_problem_points(&j->m.wish.problem);
  long double v = j->spectra.energy[0] / points / points;
  return v == 0 || (v >= DBL_MIN && v <= DBL_MAX) ? (double)v : NAN;
}

/* Figures of the particles of all samples together. */
static void describe_particles(const job *j, json_t *item) {
  double all = 0, strangers = 0;
  for (int f = 0; f < j->fields; f++) {
    all += j->s.sample[f].d.particles;
    strangers += j->s.sample[f].d.strangers;
  }
  json_t *noise = json_array();
  for (int f = 0; f < j->fields; f++)
    json_array_append_new(noise, report_real(samples_noise(&j->s, &j->s.sample[f])));
  json_object_update_new(
      item, json_pack("{s:o,s:o,s:o,s:b}", "particles", report_count(all), "shot_noise",
                      report_real(samples_noise(&j->s, &j->s.sample[0])), "outside",
                      report_count(strangers), "shot_noise_subtracted",
                      j->a->opt.shot_noise == NOISE_SUBTRACT));
  if (j->fields > 1) json_object_set(item, "shot_noises", noise);
  json_decref(noise);
}

static json_t *make_entry(job *j) {
  app *a = j->a;
  double median, transforms = j->seconds[SPECTRUM_FFT] + j->seconds[SPECTRUM_SUM];
  const sample *one = &j->s.sample[0];
  json_t *item = run_describe(&j->r.decision, PFFT3D_FORWARD);
  json_object_update_new(
      item, json_pack("{s:f,s:o,s:o,s:f,s:i,s:f,s:O}", "plan_s", j->r.plan_s, "mean",
                      report_real(one->mean[0]), "variance", report_real(variance_of(j)),
                      "k_complete", spectrum_complete(j), "fields",
                      j->fields > 1     ? j->fields
                      : one->components ? one->components
                                        : 1,
                      "volume", samples_volume(&j->s), "check", j->check));
  if (j->s.numbers == PFFT3D_COMPLEX)
    json_object_set_new(item, "mean_imaginary", report_real(one->mean[1]));
  if (a->opt.deposit) describe_particles(j, item);
  if (a->opt.parts && j->spectra.energy[0] > 0)
    json_object_set_new(item, "compressive",
                        report_real((double)(j->spectra.energy[1] / j->spectra.energy[0])));
  json_object_set_new(item, "time_s", run_times(a, &transforms, 1, &median));
  return item;
}

/* Seconds of the parts of the run. */
static void add_phases(job *j, json_t *item) {
  static const char *const names[] = {"send", "assign", "transform", "sum"};
  json_t *phases = json_object_get(item, "phases");
  for (int f = 0; f < j->fields; f++) {
    for (int k = 0; k < 2; k++) j->seconds[SPECTRUM_SEND + k] += j->s.sample[f].d.seconds[k];
    j->seconds[SPECTRUM_SUM] += j->s.sample[f].seconds;
  }
  for (int k = j->a->opt.deposit ? 0 : SPECTRUM_FFT; k < SPECTRUM_PHASES; k++)
    json_object_set_new(phases, names[k], run_spread(j->a, j->seconds[k]));
}

static void print_report(job *j) {
  app *a = j->a;
  json_t *report = report_begin(a), *item = make_entry(j);
  field_input all = j->s.in[0][0];
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < j->s.inputs[k]; i++)
      if (k || i) all.seconds += j->s.in[k][i].seconds;
  field_report(a, &all, a->opt.output[0] ? &j->out : NULL, item, report);
  add_phases(j, item);
  if (a->opt.with[0]) json_object_set_new(report, "with", report_words(a->opt.with));
  json_object_set(report, "table", j->table);
  if (json_object_size(j->tables)) json_object_set(report, "tables", j->tables);
  report_problem(a, report, &j->r.problem);
  json_object_del(report, "seed");
  report_add(report, item);
  report_end(a, report, spectrum_print);
}

/* The picture comes last: without it the report is complete. */
static int show(job *j) {
  app *a = j->a;
  spectrum_tables(j);
  if ((a->opt.correlation && spectrum_correlate(j)) || (a->opt.output[0] && spectrum_write(j)))
    return a->error.status;
  print_report(j);
  return a->opt.png[0] ? spectrum_draw(j) : a->error.status;
}

static int spectrum_run(app *a) {
  job j = {.a = a};
  if (!check_usage(&j) && !probe(&j) && !plan(&j) && !compute(&j)) show(&j);
  field_discard(&j.out);
  samples_close(&j.s);
  for (int i = 0; i < j.tallies; i++) tally_close(&j.tally[i]);
  tally_close(&j.compressive);
  modes_close(&j.m);
  vector_close(&j.waves);
  json_decref(j.check);
  json_decref(j.table);
  json_decref(j.tables);
  run_close(&j.r);
  return a->error.status;
}

const command cmd_spectrum = {
    .name = "spectrum",
    .summary = "power spectrum of a field, a vector field or particles",
    .options = "plan-budget=0 " INPUT_OPTIONS
               "components along parts each errors with length bins los wedges cylinder "
               "correlation window "
               "deposit grid interlace shot-noise images outside fold png " OUTPUT_OPTIONS
               "precision wire " FIELD_OPTIONS RUN_OPTIONS,
    .about =
        "The power V |F/N|^2 of the modes of a dataset of one to three dimensions, real or\n"
        "complex, taken as periodic, averaged over all modes of the spectrum in shells of\n"
        "wavenumbers k = 2 pi |(k0/L0, k1/L1, k2/L2)|: one wide as the smallest wavenumber, "
        "centred\n"
        "on its multiples, or ten per factor of 10 (--bins log).  V is the volume, N the number "
        "of\n"
        "points.  Mode 0, the mean, is in no shell.  --csv has columns k_mean,power,modes; the\n"
        "sum of power times modes is V times the variance.  --errors adds the error of the "
        "power.\n\n"
        "Several datasets of a file (F.h5:/u,/v,/w) are components of a vector: their powers are\n"
        "added, and a column `energy` has half of what a shell contributes to the mean square.\n"
        "--parts adds columns of its parts without divergence and without curl.  With --each they "
        "are\n"
        "fields of their own, as that of --with is: the table then has cross spectra, too.\n\n"
        "--deposit puts particles on a grid, and divides by the window of its scheme; their shot\n"
        "noise V/N is reported, and subtracted with --shot-noise subtract.  --los adds "
        "multipoles.\n"
        "--output writes all tables to an HDF5 file.\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d spectrum -i head.h5 --csv power.csv --png power.png\n"
        "  mpirun -n 2 pfft3d spectrum -i flow.h5:/u,/v,/w --length 2pi\n"
        "  mpirun -n 2 pfft3d spectrum -i stars.h5:/positions --deposit tsc --interlace \\\n"
        "        --grid 256 --length 1000 --shot-noise subtract --los 2 -o power.h5\n",
    .single = 1,
    .run = spectrum_run,
};
