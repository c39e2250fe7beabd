/* SPDX-License-Identifier: BSD-3-Clause
 * turbulence: incompressible flow in a periodic box.  Everything that may fail (options, the
 * snapshot to start from, gnuplot, memory, files) comes before the first step. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/picture.h"
#include "app/common/watch.h"
#include "app/report/report.h"
#include "apps/turbulence/march.h"
#include "apps/turbulence/slice.h"
#include "apps/turbulence/statistics.h"

static const char *const cases[] = {"taylor-green", "decay"};
static const char *const dealiasing[] = {"2/3", "3/2", "none"};
static const char *const forcings[] = {"none", "linear", "shells"};
static const double default_re = 1600;

/* ---- options ---- */

/* The strength of a force is that option which its kind takes. */
static int check_force(const options *o, pfft3d_error *e) {
  static const char *const strengths[] = {"forcing-rate", "forcing-power", "forcing-shells"};
  static const int of[] = {FORCING_LINEAR, FORCING_SHELLS, FORCING_SHELLS};
  for (int k = 0; k < 3; k++)
    if (options_given(o, strengths[k]) && o->forcing != of[k])
      return app_fail(e, PFFT3D_ERR_USAGE, "--%s is an option of --forcing %s", strengths[k],
                      forcings[of[k]]);
  for (int k = 0; k < 2; k++)
    if (o->forcing == of[k] && !((k ? o->forcing_power : o->forcing_rate) > 0))
      return app_fail(e, PFFT3D_ERR_USAGE, "--forcing %s: needs a positive --%s", forcings[of[k]],
                      strengths[k]);
  return PFFT3D_OK;
}

static int check_scalar(const options *o, pfft3d_error *e) {
  static const char *const more[] = {"schmidt", "scalar-gradient"};
  if (options_given(o, "schmidt") && !(o->schmidt > 0))
    return app_fail(e, PFFT3D_ERR_USAGE, "--schmidt 0: must be positive");
  for (int k = 0; k < 2; k++)
    if (options_given(o, more[k]) && !options_given(o, "scalar") && !o->restart[0])
      return app_fail(e, PFFT3D_ERR_USAGE, "--%s without --scalar: the flow carries none", more[k]);
  if (options_given(o, "scalar") && o->scalar == SCALAR_ZERO && !(o->scalar_gradient > 0))
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--scalar zero without --scalar-gradient: it would stay zero");
  return PFFT3D_OK;
}

static int check_usage(app *a) {
  const options *o = &a->opt;
  pfft3d_error *e = &a->error;
  if (options_problems(o) > 1)
    return app_fail(e, PFFT3D_ERR_USAGE, "--grid: turbulence takes one grid");
  if (options_given(o, "nu") && options_given(o, "re"))
    return app_fail(e, PFFT3D_ERR_USAGE, "--nu and --re: one of them says what the viscosity is");
  if (options_given(o, "re") && !(o->re > 0))
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--re 0: must be positive; --nu 0 is a flow without "
                    "viscosity");
  if (!(o->end_time > 0)) return app_fail(e, PFFT3D_ERR_USAGE, "--time 0: must be positive");
  if (options_given(o, "every") && !(o->every > 0))
    return app_fail(e, PFFT3D_ERR_USAGE, "--every 0: must be positive");
  if (options_given(o, "every") && !o->output[0] && !o->spectra[0])
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--every without --output or --spectra: nothing would be "
                    "written");
  if (check_force(o, e) || check_scalar(o, e)) return e->status;
  if (strstr(o->output, ":/"))
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--output '%.100s': a snapshot is a whole file, without "
                    "the path of a dataset",
                    o->output);
  if (o->restart[0] && options_given(o, "case"))
    return app_fail(e, PFFT3D_ERR_USAGE, "--restart and --case: one of them says how it begins");
  return PFFT3D_OK;
}

/* A description of `file` if --output writes it, else NULL: the list of snapshots, or a snapshot;
 * --output itself and the file of --restart are allowed. */
static const char *written_beside(const options *o, const char *file) {
  const snapshots s = {.name = o->output};
  char list[PATH_MAX];
  if (!o->output[0]) return NULL;
  if (report_same_file(snapshot_list(&s, list), file)) return "the list of snapshots of --output";
  if (strcmp(file, o->output) == 0 || strcmp(file, o->restart) == 0) return NULL;
  return snapshot_is(&s, file) ? "a snapshot of --output" : NULL;
}

/* "N0xN1xN2", of two dimensions "N0xN1". */
static const char *grid_text(const ptrdiff_t n[3], char out[64]) {
  if (n[0] == 1)
    snprintf(out, 64, "%tdx%td", n[1], n[2]);
  else
    snprintf(out, 64, "%tdx%tdx%td", n[0], n[1], n[2]);
  return out;
}

static int check_grid(app *a, const ptrdiff_t n[3]) {
  char text[64];
  if ((n[0] == 1 || n[0] >= 4) && n[1] >= 4 && n[2] >= 4) return PFFT3D_OK;
  return app_fail(&a->error, PFFT3D_ERR_USAGE, "--grid %s: needs 4 points at least along each axis",
                  grid_text(n, text));
}

/* What the options say about the force and the scalar; the rest stays. */
static void choose_more(const options *o, flow_terms *t) {
  if (options_given(o, "forcing"))
    t->force =
        (flow_force){.kind = o->forcing,
                     .shells = (int)o->forcing_shells,
                     .strength = o->forcing == FORCING_LINEAR ? o->forcing_rate : o->forcing_power};
  if (options_given(o, "scalar")) t->scalar.present = 1;
  if (options_given(o, "schmidt") || !(t->scalar.schmidt > 0)) t->scalar.schmidt = o->schmidt;
  if (options_given(o, "scalar-gradient")) t->scalar.gradient = o->scalar_gradient;
}

/* A snapshot must fit the options that say the same. */
static int check_snapshot(app *a, const flow_terms *t, const snapshot_info *info) {
  const options *o = &a->opt;
  const flow_terms *was = &info->terms;
  char there[64], asked[64];
  if (options_given(o, "grid") && memcmp(t->n, was->n, sizeof t->n) != 0)
    return app_fail(&a->error, PFFT3D_ERR_DATA, "'%.150s' has %s points, --grid asks for %s",
                    o->restart, grid_text(was->n, there), grid_text(t->n, asked));
  if (options_given(o, "dealias") && t->dealias != was->dealias)
    return app_fail(&a->error, PFFT3D_ERR_DATA, "'%.150s' was made with --dealias %s, not %s",
                    o->restart, dealiasing[was->dealias], dealiasing[t->dealias]);
  if (options_given(o, "scalar") && was->scalar.present)
    return app_fail(&a->error, PFFT3D_ERR_DATA,
                    "--scalar: '%.150s' has a scalar, which goes on without this option",
                    o->restart);
  for (int k = 0; k < 2; k++) {
    const char *name = k ? "scalar-gradient" : "schmidt";
    if (options_given(o, name) && !options_given(o, "scalar") && !was->scalar.present)
      return app_fail(&a->error, PFFT3D_ERR_DATA, "--%s: '%.150s' has no scalar", name, o->restart);
  }
  if (!(info->t < o->end_time))
    return app_fail(&a->error, PFFT3D_ERR_USAGE, "--time %.6g: the snapshot is of t = %.6g",
                    o->end_time, info->t);
  return PFFT3D_OK;
}

/* The terms of the options; with a restart the terms of the snapshot, which must have the same
 * modes, unless options say something else. */
static int choose_terms(app *a, flow_terms *t, snapshot_info *info) {
  const options *o = &a->opt;
  int given = options_given(o, "nu") || options_given(o, "re");
  memcpy(t->n, o->grid, sizeof t->n);
  t->dealias = o->dealias;
  t->nu = options_given(o, "nu") ? o->nu : 1 / (options_given(o, "re") ? o->re : default_re);
  if (o->restart[0]) {
    double nu = t->nu;
    if (snapshot_look(a, o->restart, info) || check_snapshot(a, t, info)) return a->error.status;
    *t = info->terms;
    if (given) t->nu = nu;
  }
  choose_more(o, t);
  return check_grid(a, t->n);
}

/* A force in shells needs modes with energy, which it multiplies. */
static int check_band(app *a, flow *f) {
  const flow_force *force = &f->terms.force;
  if (force->kind != FORCING_SHELLS || flow_band(f, f->fields.u, 1, force->shells) > 0)
    return PFFT3D_OK;
  return app_fail(&a->error, PFFT3D_ERR_USAGE,
                  "--forcing shells: the flow has no energy in 0 < |k| <= %d, which the force "
                  "multiplies",
                  force->shells);
}

/* ---- report ---- */

/* Collective. The numbers of --statistics at the end, by their names. */
static json_t *statistics(const flow *f) {
  double value[STATISTICS];
  json_t *j = json_object();
  const char *name = statistics_header(f);
  int count = statistics_take(f, value);
  for (int k = 0; k < count; k++) {
    char key[32];
    size_t length = strcspn(name, ",");
    snprintf(key, sizeof key, "%.*s", (int)length, name);
    json_object_set_new(j, key, report_real(value[k]));
    name += length + (name[length] != 0);
  }
  return j;
}

static void add_terms(const flow_terms *t, json_t *j) {
  const char *strength = t->force.kind == FORCING_LINEAR ? "rate" : "power";
  if (t->force.kind)
    json_object_set_new(
        j, "forcing",
        json_pack("{s:s,s:f}", "kind", forcings[t->force.kind], strength, t->force.strength));
  if (t->force.kind == FORCING_SHELLS)
    json_object_set_new(json_object_get(j, "forcing"), "shells", json_integer(t->force.shells));
  if (t->scalar.present)
    json_object_set_new(
        j, "scalar",
        json_pack("{s:f,s:f}", "schmidt", t->scalar.schmidt, "gradient", t->scalar.gradient));
}

static json_t *figures(const march *m) {
  const flow *f = &m->f;
  const app *a = m->a;
  const flow_state *s = &f->now;
  json_t *j = run_describe(&f->r.decision, PFFT3D_BACKWARD), *n = json_array();
  for (int k = 3 - f->dims; k < 3; k++)
    json_array_append_new(n, json_integer((json_int_t)f->terms.n[k]));
  json_object_update_new(
      j, json_pack("{s:s,s:s,s:o,s:s,s:f,s:I,s:f,s:f,s:o,s:o,s:o,s:o,s:{s:f,s:f},s:i,s:f}",
                   "direction", "both", "case",
                   a->opt.restart[0] ? "restart" : cases[a->opt.flow_case], "n", n, "dealias",
                   dealiasing[f->terms.dealias], "nu", f->terms.nu, "steps", (json_int_t)m->steps,
                   "t", s->t, "dt", m->dt, "energy", report_real(s->energy), "enstrophy",
                   report_real(s->enstrophy), "dissipation",
                   report_real(2 * f->terms.nu * s->enstrophy), "cfl", report_real(m->cfl),
                   "peak_dissipation", "value", m->peak[0], "t", m->peak[1], "snapshots",
                   m->shots.written, "plan_s", f->r.plan_s + f->back.plan_s));
  add_terms(&f->terms, j);
  json_object_set_new(j, "statistics", statistics(f));
  return j;
}

/* Collective. Times of steps, without files; the share of the transforms. */
static void add_times(const march *m, json_t *j) {
  static const char *const names[] = {"fft", "product", "update"};
  const app *a = m->a;
  int count = m->steps < MARCH_TIMES ? (int)m->steps : MARCH_TIMES;
  double middle, both[2] = {m->total[0], m->total[1]};
  const timing t = {.reps = count, .seconds = m->seconds, .phase = m->phase};
  if (!count) return;
  json_object_set_new(j, "time_s", run_times(a, m->seconds, count, &middle));
  json_object_set_new(j, "phases", run_phases(a, &t, names, FLOW_PHASES));
  MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_SUM, a->comm);
  json_object_set_new(j, "fft_share", report_real(both[0] / both[1]));
}

/* The plural ending of a word. */
static const char *ending(double count) {
  return count == 1 ? "" : "s";
}

static void print_more(const json_t *r) {
  const json_t *s = report_at(r, "statistics");
  printf("Taylor Reynolds number %.4g, Kolmogorov scale times k_max %.3g, integral scale %.4g\n",
         report_number(s, "taylor_reynolds"), report_number(s, "kmax_eta"),
         report_number(s, "integral_scale"));
  if (report_at(r, "forcing"))
    printf("forcing %s: power %.6e\n", report_word(r, "forcing.kind"), report_number(s, "input"));
  if (report_at(r, "scalar"))
    printf("scalar: variance %.6e, dissipation %.6e, flux %.6e\n",
           report_number(s, "scalar_variance"), report_number(s, "scalar_dissipation"),
           report_number(s, "scalar_flux"));
}

static void print_text(const app *a, const json_t *report) {
  const json_t *r = json_array_get(report_at(report, "runs"), 0);
  char time[32], size[64];
  report_text_head(a, report);
  report_list_text(report_at(r, "n"), size, sizeof size);
  printf("%s, %s, dealiasing %s, nu %.6g\n", report_word(r, "case"), size,
         report_word(r, "dealias"), report_number(r, "nu"));
  printf("t = %.6g after %.0f step%s: energy %.12f, dissipation %.6e, enstrophy %.6e, CFL %.3f\n",
         report_number(r, "t"), report_number(r, "steps"), ending(report_number(r, "steps")),
         report_number(r, "energy"), report_number(r, "dissipation"), report_number(r, "enstrophy"),
         report_number(r, "cfl"));
  print_more(r);
  printf("largest dissipation %.6e at t = %.4g\n", report_number(r, "peak_dissipation.value"),
         report_number(r, "peak_dissipation.t"));
  if (report_at(r, "time_s"))
    printf("a step in %s (median), %.0f %% of it in transforms\n",
           report_seconds(report_number(r, "time_s.median"), time),
           100 * report_number(r, "fft_share"));
  if (a->opt.output[0])
    printf("%.0f snapshot%s: %s\n", report_number(r, "snapshots"),
           ending(report_number(r, "snapshots")), a->opt.output);
}

static void print_report(march *m) {
  app *a = m->a;
  char problem[160];
  json_t *report = report_begin(a), *j = figures(m);
  add_times(m, j);
  json_object_set_new(j, "check", json_pack("{s:b}", "pass", a->error.status != PFFT3D_ERR_CHECK));
  json_object_set_new(report, "seed", json_integer(a->opt.seed));
  json_object_set_new(report, "problem",
                      json_string(pfft3d_problem_print(&m->f.r.problem, problem, sizeof problem)));
  report_add(report, j);
  report_end(a, report, print_text);
}

/* ---- the run ---- */

/* All tables are checked before one is changed: a run that is refused changes no file. */
static int open_tables(march *m) {
  enum { TABLES = 3 };
  app *a = m->a;
  double from = a->opt.restart[0] ? m->from : -1;
  const struct {
    table *t;
    const char *name, *header;
  } list[TABLES] = {{&m->series, a->opt.csv, "t,energy,dissipation,enstrophy,cfl"},
                    {&m->spectra, a->opt.spectra, "t,k,energy"},
                    {&m->scales, a->opt.statistics, statistics_header(&m->f)}};
  for (int k = 0; k < TABLES && !a->error.status; k++)
    table_open(a, list[k].t, list[k].name, list[k].header, from, &a->error);
  for (int k = 0; k < TABLES && !a->error.status; k++) table_begin(list[k].t, &a->error);
  MPI_Bcast(&a->error, (int)sizeof a->error, MPI_BYTE, 0, a->comm);
  return a->error.status;
}

static int begin(march *m, const snapshot_info *info) {
  app *a = m->a;
  const options *o = &a->opt;
  m->shots = (snapshots){.name = o->output, .replace = o->force};
  m->from = info->t;
  m->f.now = (flow_state){.t = info->t, .step = info->step};
  m->seconds = app_malloc(a, MARCH_TIMES, sizeof *m->seconds);
  m->phase = app_malloc(a, MARCH_TIMES * FLOW_PHASES, sizeof *m->phase);
  if (options_given(o, "scalar")) flow_initial_scalar(&m->f);
  if (!o->restart[0]) {
    flow_initial(&m->f);
  } else {
    char last[FILE_SIZE];
    int there = m->f.components - options_given(o, "scalar");
    if (snapshot_read(a, o->restart, &m->f, there)) return a->error.status;
    /* a restart from the last snapshot continues the series, for any spelling of the name */
    int same =
        a->rank == 0 && report_same_file(snapshot_name(&m->shots, info->number, last), o->restart);
    MPI_Bcast(&same, 1, MPI_INT, 0, a->comm);
    if (same) {
      m->shots.number = info->number + snapshot_series(&m->shots);
      m->shots.replace = m->there = 1;
    }
  }
  if (check_band(a, &m->f) || snapshot_try(a, &m->shots, &m->f)) return a->error.status;
  return open_tables(m);
}

static int turbulence_run(app *a) {
  march m = {.a = a};
  flow_terms terms = {.dealias = 0};
  snapshot_info info = {.t = 0};
  if (check_usage(a) || choose_terms(a, &terms, &info)) return a->error.status;
  if (a->opt.png[0] && picture_open(a, a->opt.png)) return a->error.status;
  if (!flow_open(a, &m.f, &terms, &a->error) && !begin(&m, &info)) {
    int status = march_run(&m); /* the same on all ranks */
    if (status == PFFT3D_OK || status == PFFT3D_ERR_CHECK) print_report(&m);
    if (status == PFFT3D_OK) slice_draw(a, &m.f); /* last: if it fails, the rest is complete */
  }
  table_close(&m.series, &a->error);
  table_close(&m.spectra, &a->error);
  table_close(&m.scales, &a->error);
  MPI_Bcast(&a->error, (int)sizeof a->error, MPI_BYTE, 0, a->comm);
  free(m.seconds);
  free(m.phase);
  flow_close(&m.f);
  return a->error.status;
}

const command cmd_turbulence = {
    .name = "turbulence",
    .summary = "pseudospectral Navier-Stokes in a periodic box",
    .options =
        "grid=64 case nu re time dt dealias integrating-factor forcing forcing-rate forcing-power "
        "forcing-shells scalar schmidt scalar-gradient output every restart spectra statistics png "
        "seed force machine precision wire " FIELD_OPTIONS RUN_OPTIONS TIMELINE_OPTIONS,
    .about =
        "Solves the incompressible Navier-Stokes equations in the periodic box (2 pi)^3, with\n"
        "--grid N0xN1 in (2 pi)^2, from a Taylor-Green vortex or a random field: Fourier modes,\n"
        "rotational form, steps of fourth order (Runge-Kutta).  --forcing keeps the flow going,\n"
        "--scalar is carried by it, --statistics has the scales of the turbulence.  --csv has a "
        "row per step: t, energy <u.u>/2, dissipation, "
        "enstrophy\n"
        "<w.w>/2, and the CFL number of the step from there.  --output writes snapshots, HDF5 "
        "files\n"
        "with /u, /v, /w on the grid and the modes, beside a file for ParaView (.xdmf).  A name\n"
        "with #### numbers them, any other name is that of the last one.  --restart goes on from\n"
        "any of them, on any number of ranks; with --deterministic bit for bit.  A flow that\n"
        "blows up ends the run with 76; its last good snapshot stays.  --png draws the\n"
        "vorticity in the plane x = pi at the end.\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d turbulence --grid 64 --re 1600 --time 10 --csv energy.csv\n"
        "  mpirun -n 2 pfft3d turbulence --time 10 --csv tg.csv --output tg.h5 --every 1\n"
        "  mpirun -n 2 pfft3d turbulence --time 20 --csv tg.csv --output tg.h5 \\\n        "
        "--restart "
        "tg.h5\n"
        "  mpirun -n 2 pfft3d turbulence --case decay --nu 2e-3 --grid 96 --png w.png\n"
        "  mpirun -n 2 pfft3d turbulence --case decay --forcing linear \\\n"
        "        --forcing-rate 0.2 --nu 5e-3 --time 20\n"
        "  mpirun -n 2 pfft3d turbulence --grid 256x256 --case decay --png w.png\n",
    .single = 1,
    .own_csv = 1,
    .beside = written_beside,
    .run = turbulence_run,
};
