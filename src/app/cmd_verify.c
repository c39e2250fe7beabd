/* SPDX-License-Identifier: BSD-3-Clause
 * verify: checks every combination of exchange, engine, order, direction and place for one grid,
 * against direct sums and formulas; and that all exchanges agree, with --deterministic bit for bit.
 *
 * Linearity, impulse and shift are the properties that Ergun (STOC 1995) showed to be enough to
 * tell a Fourier transform from anything else. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "message.h"
#include "report.h"
#include "run.h"
#include "watch.h"

enum { SAMPLES = 16, WAVES = 4 };
enum { WAVE, PARSEVAL, SAMPLED, LINEARITY, SHIFT, IMPULSE, ROUNDTRIP, MISMATCHES, VALUES };

static const char *const value_names[VALUES] = {"plane_wave", "parseval",  "sampled_dft",
                                                "linearity",  "shift",     "impulse",
                                                "roundtrip",  "mismatches"};

/* The outputs of the first exchange, with which those of the others must agree; per direction and
 * place, of the engine and order at hand. */
typedef struct outputs {
  size_t count;
  double complex *copy;
} outputs;

typedef struct verify {
  app *a;
  json_t *report;
  int prepared[2];
  check_reference reference[2]; /* by direction */
  outputs first[2][2];          /* by direction and place */
} verify;

/* This rank's output without gaps, the caller's to free(). */
static outputs pack_output(const check_target *t) {
  const pfft3d_box *b = &t->out_box;
  size_t count = (size_t)b->len[0] * (size_t)b->len[1] * (size_t)b->len[2], at = 0;
  double complex *to = app_malloc(t->a, count, sizeof *to);
  for (ptrdiff_t i = 0; i < b->len[0]; i++)
    for (ptrdiff_t j = 0; j < b->len[1]; j++)
      for (ptrdiff_t k = 0; k < b->len[2]; k++)
        to[at++] =
            field_get(t->precision, t->out, i * b->stride[0] + j * b->stride[1] + k * b->stride[2]);
  return (outputs){count, to};
}

/* Bits, or sums to the accuracy of two transforms. */
static int agree(const outputs *p, const outputs *q, int exactly, double limit) {
  double d = 0, sum = 0;
  if (p->count != q->count) return 0;
  if (exactly) return memcmp(p->copy, q->copy, p->count * sizeof *p->copy) == 0;
  for (size_t k = 0; k < p->count; k++) {
    double complex z = p->copy[k] - q->copy[k];
    d += creal(z) * creal(z) + cimag(z) * cimag(z);
    sum += creal(q->copy[k]) * creal(q->copy[k]) + cimag(q->copy[k]) * cimag(q->copy[k]);
  }
  return d <= 4 * limit * limit * sum;
}

/* Ranks whose output differs from that of the first exchange. */
static double count_mismatches(const check_target *t, outputs *first) {
  outputs p = pack_output(t);
  long double differ = 0;
  if (!first->copy) {
    *first = p;
    return 0;
  }
  differ = !agree(&p, first, t->a->opt.deterministic, check_limit(&t->r->request.problem));
  check_sum(t->a, &differ, 1);
  free(p.copy);
  return (double)differ;
}

/* sum += factor(k) * out over this rank's output; the factor is c, turned by the wave of shift s
 * where s is given. */
static void accumulate(const check_target *t, double complex *sum, double complex c,
                       const ptrdiff_t *s) {
  const pfft3d_box *b = &t->out_box;
  long double complex *w[3];
  for (int a = 0; a < 3; a++) {
    w[a] = field_factors(t->n[a], s ? s[a] : 0, -t->sign);
    if (!w[a]) app_die(t->a, PFFT3D_ERR_MEMORY, "out of memory: no tables for the checks");
  }
  for (ptrdiff_t i = 0; i < b->len[0]; i++)
    for (ptrdiff_t j = 0; j < b->len[1]; j++)
      for (ptrdiff_t k = 0; k < b->len[2]; k++) {
        ptrdiff_t at = i * b->stride[0] + j * b->stride[1] + k * b->stride[2];
        long double complex f = w[0][b->lo[0] + i] * w[1][b->lo[1] + j] * w[2][b->lo[2] + k];
        sum[at] += (double complex)(c * f * field_get(t->precision, t->out, at));
      }
  for (int a = 0; a < 3; a++) free(w[a]);
}

static void transform(const check_target *t, const field *f) {
  if (field_fill(f, &t->in_box, t->in))
    app_die(t->a, PFFT3D_ERR_MEMORY, "out of memory: no tables for the checks");
  run_execute(t->a, t->r, t->direction, t->in, t->out);
}

/* |sum - out| / |out| over all ranks. */
static double distance(const check_target *t, const double complex *sum) {
  const pfft3d_box *b = &t->out_box;
  long double d[2] = {0, 0};
  for (ptrdiff_t i = 0; i < b->len[0]; i++)
    for (ptrdiff_t j = 0; j < b->len[1]; j++)
      for (ptrdiff_t k = 0; k < b->len[2]; k++) {
        ptrdiff_t at = i * b->stride[0] + j * b->stride[1] + k * b->stride[2];
        double complex out = field_get(t->precision, t->out, at), z = sum[at] - out;
        d[0] += creal(z) * creal(z) + cimag(z) * cimag(z);
        d[1] += creal(out) * creal(out) + cimag(out) * cimag(out);
      }
  check_sum(t->a, d, 2);
  return (double)sqrtl(d[0] / d[1]);
}

/* F(x f + y g) = x F(f) + y F(g), and F(f shifted by s) = F(f) turned by the wave of s. */
static void check_properties(const check_target *t, double *linearity, double *shift) {
  uint64_t seed = (uint64_t)t->a->opt.seed;
  const double complex x = 0.75 - 0.5 * I, y = -0.25 + 1.25 * I;
  size_t elements = pfft3d_plan_elements(t->r->plan, PFFT3D_SPACE) +
                    pfft3d_plan_elements(t->r->plan, PFFT3D_SPECTRUM); /* enough for both */
  double complex *sum = app_malloc(t->a, elements, sizeof *sum);
  const pfft3d_problem *p = &t->r->request.problem;
  field f = field_seeded(p, seed), g = field_seeded(p, seed + 1), both = f;
  both.seed[1] = seed + 1;
  both.times[0] = x;
  both.times[1] = y;
  transform(t, &f);
  accumulate(t, sum, x, NULL);
  transform(t, &g);
  accumulate(t, sum, y, NULL);
  transform(t, &both);
  *linearity = distance(t, sum);

  memset(sum, 0, elements * sizeof *sum);
  transform(t, &f);
  check_index(t->n, seed, 99, f.k);
  accumulate(t, sum, 1, f.k);
  transform(t, &f);
  *shift = distance(t, sum);
  free(sum);
}

/* All checks of one direction and place of a plan; adds its entry to the report. */
static void check_one(verify *v, const run *r, pfft3d_direction d, int in_place) {
  app *a = v->a;
  check_target t = check_aim(a, r, d, r->array[0], r->array[!in_place]);
  check_value values[VALUES];
  char what[128];
  ptrdiff_t k[3] = {0, 0, 0};
  for (int i = 0; i < VALUES; i++) values[i] = (check_value){value_names[i], 0};
  if (!v->prepared[d]) check_prepare(&t, SAMPLES, &v->reference[d]);
  v->prepared[d] = 1;
  check_seeded(&t, &v->reference[d], &values[PARSEVAL].error, &values[SAMPLED].error);
  values[MISMATCHES].error = count_mismatches(&t, &v->first[d][in_place]);
  values[ROUNDTRIP].error = check_roundtrip(&t, &v->reference[d]);
  for (int w = 0; w < WAVES; w++) { /* the first is the constant */
    double wave = check_wave(&t, k), peak = check_impulse(&t, k);
    if (!(wave <= values[WAVE].error)) values[WAVE].error = wave;
    if (!(peak <= values[IMPULSE].error)) values[IMPULSE].error = peak;
    check_index(t.n, (uint64_t)a->opt.seed, 100 + w, k);
  }
  check_properties(&t, &values[LINEARITY].error, &values[SHIFT].error);

  json_t *item = run_describe(&r->decision, d, a->ranks);
  const char *place = in_place ? "in place" : "out of place";
  snprintf(what, sizeof what, "%s, %s, %s", json_string_value(report_at(item, "decision")),
           json_string_value(report_at(item, "direction")), place);
  json_object_set_new(item, "place", json_string(place));
  json_object_set_new(item, "check",
                      check_report(a, values, VALUES, check_limit(&r->request.problem), what));
  report_add(v->report, item);
}

static void forget_outputs(verify *v) {
  for (int d = 0; d < 2; d++)
    for (int p = 0; p < 2; p++) {
      free(v->first[d][p].copy);
      v->first[d][p] = (outputs){0, NULL};
    }
}

/* All exchanges of one engine and order.  An engine or exchange that cannot do this grid is noted
 * and left out. */
static int check_group(verify *v, const char *engine, pfft3d_order order) {
  app *a = v->a;
  for (int i = 0; i < a->opt.algo.count; i++) {
    run r;
    pfft3d_request request = options_request(&a->opt, a->opt.algo.name[i], engine);
    request.decision.order = order;
    pfft3d_error e = {0};
    if (run_open(a, &r, &request, 2, &e) == PFFT3D_ERR_UNAVAILABLE) {
      json_array_append_new(json_object_get(v->report, "skipped"), json_string(e.text));
      continue;
    }
    if (e.status) return app_take(&a->error, &e);
    app_progress(a, "verifying %s %s", r.decision.algo, engine);
    for (int d = 0; d < 2; d++)
      for (int place = 0; place < 2; place++) check_one(v, &r, (pfft3d_direction)d, place);
    run_close(&r);
  }
  return PFFT3D_OK;
}

static void print_row(const json_t *item) {
  static const char *const words[] = {"algo", "engine", "order", "direction"};
  static const int width[] = {9, 7, 10, 9};
  const json_t *check = report_at(item, "check");
  for (int w = 0; w < 4; w++)
    printf("%-*s ", width[w], json_string_value(report_at(item, words[w])));
  printf("%-5s", strncmp(json_string_value(report_at(item, "place")), "in", 2) ? "out" : "in");
  for (int c = 0; c < MISMATCHES; c++)
    printf("%9.1e", json_number_value(report_at(check, value_names[c])));
  int same = !(json_number_value(report_at(check, "mismatches")) > 0);
  printf("  %-4s  %s\n", same ? "same" : "NO",
         json_is_true(report_at(check, "pass")) ? "PASS" : "FAIL");
}

static void verify_text(const app *a, const json_t *report) {
  static const char *const heads[MISMATCHES] = {"wave",  "energy",  "sums",  "linear",
                                                "shift", "impulse", "return"};
  size_t i, failed = 0;
  json_t *item, *skipped;
  report_text_head(a, report);
  printf("\n%-9s %-7s %-10s %-9s %-5s", "algo", "engine", "order", "direction", "place");
  for (int c = 0; c < MISMATCHES; c++) printf("%9s", heads[c]);
  printf("  %s\n", a->opt.deterministic ? "bits" : "all");
  json_array_foreach(report_at(report, "runs"), i, item) {
    print_row(item);
    failed += !json_is_true(report_at(item, "check.pass"));
  }
  json_array_foreach(report_at(report, "skipped"), i, skipped)
      printf("skipped: %s\n", json_string_value(skipped));
  printf("\n%zu combinations, %zu failed, largest error allowed %.1e\n",
         json_array_size(report_at(report, "runs")), failed,
         json_number_value(report_at(report, "limit")));
  if (!failed)
    printf("All exchanges agreed%s.  PASS\n", a->opt.deterministic ? " bit for bit" : "");
}

static int verify_run(app *a) {
  verify *v = app_malloc(a, 1, sizeof *v);
  pfft3d_request request = options_request(&a->opt, "auto", "auto");
  int status = PFFT3D_OK;
  v->a = a;
  v->report = report_begin(a);
  report_problem(a, v->report, &request.problem);
  json_object_set_new(v->report, "limit", json_real(check_limit(&request.problem)));
  json_object_set_new(v->report, "skipped", json_array());
  for (int e = 0; e < a->opt.engine.count && !status; e++)
    for (int order = 0; order < 2 && !status; order++) {
      status = check_group(v, a->opt.engine.name[e], (pfft3d_order)order);
      forget_outputs(v);
    }
  if (!status && json_array_size(json_object_get(v->report, "runs")) == 0)
    status = app_fail(&a->error, PFFT3D_ERR_UNAVAILABLE, "nothing to verify: %s",
                      json_string_value(json_array_get(json_object_get(v->report, "skipped"), 0)));
  if (status)
    json_decref(v->report);
  else
    report_end(a, v->report, verify_text);
  free(v);
  return a->error.status;
}

const command cmd_verify = {
    .name = "verify",
    .summary = "independent checks of every exchange, engine, order and direction",
    .options =
        "grid=24x18x20 algo=all decomp engine=all threads type precision seed deterministic json "
        "csv "
        "watchdog quiet",
    .about =
        "Plane waves, impulses, energy, direct sums, linearity, shifts, round trips, in place\n"
        "and out of place; and that all exchanges agree, with --deterministic bit for bit.\n\n"
        "Examples:\n"
        "  mpirun -n 4 pfft3d verify\n"
        "  mpirun -n 3 pfft3d verify --grid 7x1x13 --engine naive\n",
    .run = verify_run,
};
