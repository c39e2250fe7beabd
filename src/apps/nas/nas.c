/* SPDX-License-Identifier: BSD-3-Clause
 * NAS FT: solves a diffusion equation in Fourier space.  A pseudo-random field is transformed once;
 * for t = 1, 2, ... its spectrum is multiplied by exp(-4 alpha pi^2 |k|^2 t) and transformed back,
 * and 1024 points of the result are summed.
 *
 * The factor is a product of one factor per axis, and is applied while the first pass of the
 * inverse transform reads the spectrum; the sum reads its points only.  Neither needs a pass over
 * memory.  The field of every iteration is computed and stored in full.
 *
 * Timed, as in the original: the random field, all factors, the transforms, the sums; everything
 * has run once before.  The repeats of several plans alternate; each plan is made again for its
 * repeat, so that only one is in memory.  Source: Bailey et al., The NAS Parallel Benchmarks,
 * RNR-94-007, section 2.8 (3-D FFT PDE). */
#include "apps/nas/nas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/request.h"
#include "app/report/advice.h"
#include "app/report/report.h"
#include "app/run/run.h"
#include "apps/nas/nas_field.h"

enum { MAX_ENTRIES = 256, POINTS = 1024 };
static const double alpha = 1e-6, limit = 1e-12;

/* The phases of the timed part; FFT, POST and WAIT come from the plan. */
enum { INITIAL, FFT, POST, WAIT, CHECKSUM, SYNC, PHASES };
static const char *const phase_names[PHASES] = {"initial", "fft",      "post",
                                                "wait",    "checksum", "sync"};

/* One plan and its results. */
typedef struct entry {
  pfft3d_request *request; /* after planning, with the decision of the plan */
  run r;
  int left_out;        /* unavailable */
  int idle;            /* ranks without elements */
  double *seconds;     /* of each repeat, on this rank */
  double *phase;       /* PHASES of each repeat */
  double transforms_s; /* of all repeats */
  double sum[NAS_ITERATIONS][2];
  pfft3d_stats inverse; /* of the last repeat */
  json_t *result;
} entry;

typedef struct nas {
  app *a;
  const nas_class *c;
  int plans; /* that are available */
  double *multiplier[3];
} nas;

/* ---- the parts of an iteration ---- */

/* Factors too small to change a sum are 0: denormal numbers are slow. */
static double factor_of(double exponent) {
  static const double negligible = -230; /* 1e-100, three times over */
  return exponent < negligible ? 0 : exp(exponent);
}

/* The factors of time t along each axis, by signed wave number. */
static void make_multiplier(const nas *b, int t) {
  const double pi = 3.14159265358979323846;
  for (int x = 0; x < 3; x++) {
    ptrdiff_t n = b->c->n[x];
    for (ptrdiff_t i = 0; i < n; i++) {
      double k = (double)(i < n - i ? i : i - n);
      b->multiplier[x][i] = factor_of(-4 * alpha * pi * pi * k * k * t);
    }
  }
}

/* This rank's part of the sum over u(j mod nx, 3j mod ny, 5j mod nz), j = 1 .. 1024. */
static void add_points(const nas *b, const pfft3d_box *box, const double *field, double sum[2]) {
  static const ptrdiff_t step[3] = {5, 3, 1};
  for (ptrdiff_t j = 1; j <= POINTS; j++) {
    ptrdiff_t at = box->offset;
    int inside = 1;
    for (int x = 0; x < 3; x++) {
      ptrdiff_t i = step[x] * j % b->c->n[x] - box->lo[x];
      inside = inside && i >= 0 && i < box->len[x];
      at += i * box->stride[x];
    }
    if (!inside) continue;
    sum[0] += field[2 * at];
    sum[1] += field[2 * at + 1];
  }
}

/* Adds the time since *since, which becomes now. */
static void add_time(double *phase, double *since) {
  double now = MPI_Wtime();
  *phase += now - *since;
  *since = now;
}

/* ---- a run ---- */

static void warm_up(const nas *b, entry *e, const pfft3d_box *space) {
  const app *a = b->a;
  app_progress(a, "warming up %s", e->r.decision.algo);
  for (int w = 0; w < a->opt.warmup; w++) {
    nas_fill(b->c->n, space, (int)options_number(&a->opt, "threads"), e->r.array[0]);
    run_execute(a, &e->r, PFFT3D_FORWARD, e->r.array[0], e->r.array[1]);
    make_multiplier(b, 1);
    run_multiplier(a, &e->r, (const double *const *)b->multiplier, e->r.array[1], e->r.array[0]);
  }
}

/* The timed part of the benchmark; the sums over all ranks in e->sum. */
static double run_timed(const nas *b, entry *e, const pfft3d_box *space, double phase[PHASES]) {
  const app *a = b->a;
  double *field = e->r.array[0], *spectrum = e->r.array[1], apart = 0;
  double points = (double)b->c->n[0] * (double)b->c->n[1] * (double)b->c->n[2];
  memset(e->sum, 0, sizeof e->sum);
  MPI_Barrier(a->comm);
  double start = MPI_Wtime(), since = start;
  nas_fill(b->c->n, space, (int)options_number(&a->opt, "threads"), field);
  add_time(&phase[INITIAL], &since);
  run_execute(a, &e->r, PFFT3D_FORWARD, field, spectrum);
  for (int t = 1; t <= b->c->iterations; t++) {
    add_time(&apart, &since);
    make_multiplier(b, t);
    add_time(&phase[CHECKSUM], &since);
    run_multiplier(a, &e->r, (const double *const *)b->multiplier, spectrum, field);
    add_time(&apart, &since);
    add_points(b, space, field, e->sum[t - 1]);
    add_time(&phase[CHECKSUM], &since);
  }
  MPI_Allreduce(MPI_IN_PLACE, &e->sum[0][0], 2 * b->c->iterations, MPI_DOUBLE, MPI_SUM, a->comm);
  add_time(&phase[SYNC], &since);
  for (int t = 0; t < b->c->iterations; t++)
    for (int k = 0; k < 2; k++) e->sum[t][k] /= points;
  return since - start;
}

static void run_repeat_of(const nas *b, entry *e, int rep, int cold) {
  pfft3d_box space;
  pfft3d_stats s;
  pfft3d_plan_box(e->r.plan, PFFT3D_SPACE, b->a->rank, &space);
  if (cold) warm_up(b, e, &space);
  for (int d = 0; d < 2; d++) pfft3d_plan_stats(e->r.plan, (pfft3d_direction)d, 1, &s, sizeof s);
  app_progress(b->a, "%s: repeat %d of %lld", e->r.decision.algo, rep + 1, b->a->opt.reps);
  double *phase = &e->phase[rep * PHASES];
  e->seconds[rep] = run_timed(b, e, &space, phase);
  for (int d = 0; d < 2; d++) {
    pfft3d_plan_stats(e->r.plan, (pfft3d_direction)d, 1, &s, sizeof s);
    phase[FFT] += s.fft_s;
    phase[POST] += s.post_s;
    phase[WAIT] += s.wait_s;
    e->transforms_s += s.total_s;
  }
  e->inverse = s;
}

/* ---- reporting ---- */

/* Reports the sums, and their check. */
static void report_sums(const nas *b, const entry *e, json_t *j) {
  int worst;
  double error = nas_error(b->c, (const double(*)[2])e->sum, &worst);
  int verified = error <= limit; /* false for NaN */
  json_t *sums = json_array();
  char text[160];
  for (int t = 0; t < b->c->iterations; t++)
    json_array_append_new(sums,
                          json_pack("[o,o]", report_real(e->sum[t][0]), report_real(e->sum[t][1])));
  json_object_update_new(
      j, json_pack("{s:b,s:o,s:{s:o,s:f,s:b}}", "verified", verified, "checksums", sums, "check",
                   "checksum", report_real(error), "limit", limit, "pass", verified));
  if (!verified)
    app_fail(&b->a->error, PFFT3D_ERR_CHECK,
             "check failed: class %c, checksum of iteration %d is off by %.2g, limit %.0g, in %s",
             b->c->letter, worst, error, limit,
             pfft3d_decision_print(&e->r.decision, text, sizeof text));
}

/* Must be called while the plan of the last repeat exists. */
static json_t *report_entry(const nas *b, const entry *e) {
  const app *a = b->a;
  const pfft3d_problem *p = &e->r.problem;
  int reps = (int)a->opt.reps, count = b->c->iterations + 1;
  double seconds, transforms_s = run_max(a, e->transforms_s / reps);
  char letter[2] = {b->c->letter, 0};
  json_t *j = run_describe(&e->r.decision, PFFT3D_BACKWARD);
  json_object_set_new(j, "direction", json_string("both"));
  json_object_set_new(j, "plan_s", json_real(e->r.plan_s));
  json_object_set_new(j, "time_s", run_times(a, e->seconds, reps, &seconds));
  double mops = nas_mops(b->c, seconds);
  json_object_update_new(
      j, json_pack("{s:s,s:i,s:f,s:f,s:i,s:f,s:f,s:s}", "class", letter, "iterations",
                   b->c->iterations, "mops", mops, "mops_per_process", mops / a->ranks,
                   "transforms", count, "transforms_s", transforms_s, "gflops",
                   count * run_flops(p) / transforms_s / 1e9, "flops", run_flops_name(p)));
  timing t = {.direction = PFFT3D_BACKWARD,
              .reps = reps,
              .seconds = e->seconds,
              .phase = e->phase,
              .in = e->r.array[1],
              .out = e->r.array[0]};
  json_object_set_new(j, "phases", run_phases(a, &t, phase_names, PHASES));
  double inverse_s = run_max(a, e->inverse.total_s / (double)e->inverse.executions);
  app_progress(a, "measuring the parts of %s", e->r.decision.algo);
  t.raw = run_measure(a, &e->r, &t, PFFT3D_PART_RAW_ALLTOALL);
  t.passes = run_measure(a, &e->r, &t, PFFT3D_PART_PASSES);
  json_object_update_new(j, run_figures(a, &e->r, &t, &e->inverse, inverse_s));
  report_sums(b, e, j);
  return j;
}

/* ---- all plans ---- */

/* Plans an entry. If there are several, an unavailable one, or one that lacks memory, is left out
 * with a warning. */
static int open_entry(nas *b, entry *e, pfft3d_error *error) {
  char name[2 * NAME_SIZE];
  int status = run_open(b->a, &e->r, e->request, NORM_NONE, 2, error);
  if (!status) {
    request_decide(e->request, &e->r.decision);
    e->idle = e->r.idle;
  }
  int unfit = status == PFFT3D_ERR_UNAVAILABLE || status == PFFT3D_ERR_MEMORY;
  if (!unfit || b->plans == 1) return status;
  app_warn(b->a, "%s is left out: %s", request_label(e->request, name), error->text);
  memset(error, 0, sizeof *error);
  e->left_out = 1;
  b->plans--;
  return PFFT3D_OK;
}

static int run_rounds(nas *b, entry *entries, int count, pfft3d_error *error) {
  int reps = (int)b->a->opt.reps, status;
  for (int rep = 0; rep < reps; rep++)
    for (int i = 0; i < count; i++) {
      entry *e = &entries[i];
      int opened = rep == 0 || count > 1;
      if (e->left_out) continue;
      if (opened && (status = open_entry(b, e, error))) return status;
      if (e->left_out) continue;
      run_repeat_of(b, e, rep, opened);
      if (rep == reps - 1) e->result = report_entry(b, e);
      if (rep == reps - 1 || count > 1) run_close(&e->r);
    }
  return PFFT3D_OK;
}

static void warn_idle(const nas *b, const entry *e) {
  char text[ADVICE_SIZE];
  if (!e->idle) return;
  advice_idle(e->request, b->a->ranks, e->idle, text);
  app_warn(b->a, "%s", text);
}

int nas_run_all(app *a, const nas_class *c, json_t *report, pfft3d_error *error) {
  nas b = {.a = a, .c = c};
  pfft3d_request *requests[MAX_ENTRIES];
  entry *entries = app_malloc(a, MAX_ENTRIES, sizeof *entries);
  int count = options_requests(a, requests, MAX_ENTRIES);
  b.plans = count;
  for (int i = 0; i < count; i++) {
    entries[i].request = requests[i];
    entries[i].seconds = app_malloc(a, (size_t)a->opt.reps, sizeof(double));
    entries[i].phase = app_malloc(a, (size_t)a->opt.reps * PHASES, sizeof(double));
  }
  for (int x = 0; x < 3; x++) b.multiplier[x] = app_malloc(a, (size_t)c->n[x], sizeof(double));
  int status = run_rounds(&b, entries, count, error), warned = 0;
  for (int i = 0; i < count; i++) {
    if (entries[i].result && !warned++) warn_idle(&b, &entries[i]);
    if (entries[i].result && !status)
      json_array_append_new(json_object_get(report, "runs"), entries[i].result);
    else
      json_decref(entries[i].result);
    free(entries[i].seconds);
    free(entries[i].phase);
  }
  for (int x = 0; x < 3; x++) free(b.multiplier[x]);
  free(entries);
  requests_destroy(requests, count);
  return status;
}
