/* SPDX-License-Identifier: BSD-3-Clause
 * Checks. A round trip alone proves little: two transforms that are wrong in the same way pass.
 * Every other check therefore compares a single transform with an independent result: a direct sum,
 * a plane wave, the conservation of energy. Fields are generated again instead of stored, so that
 * no memory is needed in addition to the arrays of the transform. */
#include "app/check/check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/watch.h"
#include "app/report/report.h"

/* The kind whose unnormalised transform is the inverse of @p kind. */
static pfft3d_axis_kind opposite(pfft3d_axis_kind kind) {
  static const pfft3d_axis_kind pairs[][2] = {
      {PFFT3D_DCT2, PFFT3D_DCT3}, {PFFT3D_DST2, PFFT3D_DST3}, {PFFT3D_R2HC, PFFT3D_HC2R}};
  for (int i = 0; i < 3; i++)
    for (int side = 0; side < 2; side++)
      if (kind == pairs[i][side]) return pairs[i][!side];
  return kind;
}

check_target check_aim_at(const app *a, const pfft3d_problem *p, pfft3d_direction d,
                          const pfft3d_box box[2]) {
  int forward = d == PFFT3D_FORWARD;
  check_target t = {.a = a, .problem = p, .direction = d, .scale = 1, .round = 1};
  t.in_side = forward ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  t.out_side = forward ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  t.precision = t.wire = p->precision;
  t.sign = forward == (p->sign < 1) ? -1 : +1;
  t.elements = pfft3d_problem_points(p);
  for (int k = 0; k < 3; k++) {
    t.axis[!forward][k] = p->axis[k];
    t.axis[forward][k] = opposite(p->axis[k]);
  }
  t.batch = p->batch ? p->batch : 1;
  memcpy(t.n, p->n, sizeof t.n);
  memcpy(t.span, p->n, sizeof t.span);
  for (int k = 0; k < 3; k++) {
    if (!p->keep[k] || p->keep[k] == p->n[k]) continue;
    t.cut = p;
    t.span[k] = p->axis[k] == PFFT3D_DFT ? (p->keep[k] + 1) / 2 : p->keep[k];
  }
  pfft3d_problem_extents(p, t.out_side, t.out_n);
  t.in_type = field_type_of(p, t.in_side);
  t.out_type = field_type_of(p, t.out_side);
  t.in_box = box[t.in_side];
  t.out_box = box[t.out_side];
  return t;
}

static void execute_run(const check_target *t, pfft3d_direction d, const void *in, void *out) {
  run_execute(t->a, t->with, d, in, out);
}

check_target check_aim(const app *a, const run *r, pfft3d_direction d, void *in, void *out) {
  pfft3d_box box[2];
  for (int side = 0; side < 2; side++)
    pfft3d_plan_box(r->plan, (pfft3d_side)side, a->rank, &box[side]);
  check_target t = check_aim_at(a, &r->problem, d, box);
  t.in = in;
  t.out = out;
  t.execute = execute_run;
  t.with = r;
  t.line = r->problem.dims == 1 ? r->plan : NULL;
  t.wire = run_wire(r);
  t.scale = r->scale[d == PFFT3D_BACKWARD];
  t.round = r->scale[0] * r->scale[1];
  return t;
}

double check_limit(const pfft3d_problem *p, pfft3d_precision wire) {
  double elements = pfft3d_problem_points(p);
  int single = p->precision == PFFT3D_SINGLE || wire == PFFT3D_SINGLE;
  double epsilon = single ? FLT_EPSILON : DBL_EPSILON;
  /* The error of an FFT grows with the square root of its log2 N stages, each of which rounds; good
   * ones stay below 1 eps times that, lengths with large primes below 2, and a round trip doubles
   * it. A wrong result is off by much more than 8. */
  return 8 * epsilon * sqrt(log2(fmax(elements, 2)));
}

void check_sum(const app *a, long double *v, int count) {
  MPI_Allreduce(MPI_IN_PLACE, v, count, MPI_LONG_DOUBLE, MPI_SUM, a->comm);
}

void check_index(const ptrdiff_t n[3], uint64_t seed, int number, ptrdiff_t k[3]) {
  uint64_t x = seed * 0x9e3779b97f4a7c15u + (uint64_t)number;
  for (int a = 0; a < 3; a++) {
    x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9u + 0x94d049bb133111ebu;
    k[a] = (ptrdiff_t)((x >> 20) % (uint64_t)n[a]);
  }
}

void check_worse(double *worst, double error) {
  if (!isnan(*worst) && !(error <= *worst)) *worst = error;
}

double check_worst(const app *a, long double (*pair)[2], ptrdiff_t count) {
  double worst = 0;
  check_sum(a, pair[0], (int)(2 * count));
  for (ptrdiff_t i = 0; i < count; i++) check_worse(&worst, (double)sqrtl(pair[i][0] / pair[i][1]));
  return worst;
}

static void no_table(const check_target *t, int failed) {
  if (failed) app_die(t->a, PFFT3D_ERR_MEMORY, "out of memory: no tables for the checks");
}

/* The elements of field `number` of the batch on this rank, on a side. */
static field_place place_of(const check_target *t, pfft3d_side side, ptrdiff_t number) {
  const field_place first = {.box = side == t->in_side ? t->in_box : t->out_box,
                             .line = t->line,
                             .side = side,
                             .rank = t->a->rank,
                             .cut = side == PFFT3D_SPECTRUM ? t->cut : NULL,
                             .paired = t->cut && side == PFFT3D_SPECTRUM && side == t->in_side};
  return field_place_of(&first, t->apart[side] ? 0 : number);
}

/* The array that place_of() describes. */
static void *array_of(const check_target *t, pfft3d_side side, ptrdiff_t number) {
  if (t->apart[side]) return t->apart[side][number];
  return side == t->in_side ? t->in : t->out;
}

static long double energy(const check_target *t, pfft3d_side side, field_type type) {
  long double sum = 0;
  for (ptrdiff_t i = 0; i < t->batch; i++) {
    field_place place = place_of(t, side, i);
    sum += field_energy(type, &place, array_of(t, side, i));
  }
  return sum;
}

long double check_energy_in(const check_target *t) {
  return energy(t, t->in_side, t->in_type);
}

long double check_energy_out(const check_target *t) {
  return energy(t, t->out_side, t->out_type);
}

void check_fill(const check_target *t, const field *f) {
  for (ptrdiff_t i = 0; i < t->batch; i++) {
    field g = field_of_batch(f, i);
    field_place place = place_of(t, t->in_side, i);
    watch_kick("filling the field");
    no_table(t, field_fill(&g, &place, array_of(t, t->in_side, i)));
  }
}

void check_transform(const check_target *t, const field *f) {
  check_fill(t, f);
  t->execute(t, t->direction, t->in, t->out);
}

/* Errors of a batch: maximum over all fields in the L2 norm, and maximum over all elements. */
typedef struct deviation {
  double error, largest;
} deviation;

/* Compares the array of a side, times scale, with the batch whose first field is f. */
static deviation compare_batch(const check_target *t, const field *f, pfft3d_side side,
                               double scale) {
  long double(*pair)[2] = app_malloc(t->a, (size_t)t->batch, sizeof *pair);
  deviation d = {0, 0};
  for (ptrdiff_t i = 0; i < t->batch; i++) {
    field g = field_of_batch(f, i);
    field_place place = place_of(t, side, i);
    field_sums sums;
    watch_kick("checking");
    no_table(t, field_compare(&g, &place, array_of(t, side, i), scale, &sums));
    pair[i][0] = sums.difference;
    pair[i][1] = sums.energy;
    d.largest = fmax(d.largest, (double)sums.largest);
  }
  d.largest = run_max(t->a, d.largest);
  d.error = check_worst(t->a, pair, t->batch);
  free(pair);
  return d;
}

/* Nonzero if the transform drops modes, or has kept modes as its input. */
static int drops(const check_target *t) {
  return t->cut && t->direction == PFFT3D_FORWARD;
}

static int lacks(const check_target *t) {
  return t->cut && t->direction == PFFT3D_BACKWARD;
}

/* Direct sums and energy of one field. */
static void sum_field(const check_target *t, const field *f, ptrdiff_t number,
                      check_reference *ref) {
  field g = field_of_batch(f, number);
  field_place place = place_of(t, t->in_side, number);
  check_known *known = &ref->known[number];
  long double sums[2 * CHECK_SAMPLES_MAX + 1];
  field_dft_sums direct = {
      .sign = t->sign, .axis = t->axis[0], .count = ref->count, .k = ref->k, .sum = known->value};
  watch_kick("summing directly");
  no_table(t, field_dft(&g, &place, &direct));
  for (int s = 0; s < ref->count; s++) {
    sums[2 * s] = creall(known->value[s]);
    sums[2 * s + 1] = cimagl(known->value[s]);
  }
  sums[2 * ref->count] = direct.energy;
  check_sum(t->a, sums, 2 * ref->count + 1);
  for (int s = 0; s < ref->count; s++)
    known->value[s] = sums[2 * s] + (long double complex)I * sums[2 * s + 1];
  known->energy = sums[2 * ref->count];
}

void check_prepare(const check_target *t, int samples, check_reference *ref) {
  uint64_t seed = (uint64_t)t->a->opt.seed;
  memset(ref, 0, sizeof *ref);
  ref->f = field_seeded(t->problem, t->in_side, seed);
  ref->count = 1 + samples; /* k[0] remains 0: the sum of all elements */
  ref->known = app_malloc(t->a, (size_t)t->batch, sizeof *ref->known);
  for (int s = 1; s < ref->count; s++) {
    check_index(t->out_n, seed, s, ref->k[s]);
    for (int a = 0; a < 3 && drops(t); a++) ref->k[s][a] = field_mode(t->cut, a, ref->k[s][a]);
  }
  for (ptrdiff_t i = 0; i < t->batch; i++) sum_field(t, &ref->f, i, ref);
}

void check_forget(check_reference *ref) {
  free(ref->known);
  memset(ref, 0, sizeof *ref);
}

/* Collective. The elements of one field of t->out at all indices of ref, on all ranks: owners
 * contribute them, other ranks 0. */
static void outputs_at(const check_target *t, ptrdiff_t number, const check_reference *ref,
                       long double value[][2]) {
  const field_place place = place_of(t, t->out_side, number);
  const void *array = array_of(t, t->out_side, number);
  for (int s = 0; s < ref->count; s++) {
    ptrdiff_t at = field_find(&place, ref->k[s]);
    double complex z = at < 0 ? 0 : field_get(t->out_type, array, at);
    value[s][0] = creal(z);
    value[s][1] = cimag(z);
  }
  check_sum(t->a, value[0], 2 * ref->count);
}

void check_seeded(const check_target *t, const check_reference *ref, double *parseval,
                  double *sampled) {
  check_transform(t, &ref->f);
  *parseval = *sampled = 0;
  for (ptrdiff_t i = 0; i < t->batch; i++) {
    const check_known *known = &ref->known[i];
    field_place place = place_of(t, t->out_side, i);
    long double sum = field_energy(t->out_type, &place, array_of(t, t->out_side, i));
    long double value[CHECK_SAMPLES_MAX][2];
    check_sum(t->a, &sum, 1);
    long double expected = known->energy * t->elements * t->scale * t->scale;
    check_worse(parseval, (double)fabsl(sum / expected - 1));
    outputs_at(t, i, ref, value);
    for (int s = 0; s < ref->count; s++) {
      long double complex z = value[s][0] + (long double complex)I * value[s][1];
      long double off = cabsl(z / t->scale - known->value[s]);
      check_worse(sampled, (double)(off / sqrtl(known->energy))); /* sqrt(N) rms of the field */
    }
  }
  if (drops(t)) *parseval = CHECK_NOTHING;
}

double check_roundtrip(const check_target *t, const check_reference *ref, double *largest) {
  pfft3d_direction back = t->direction == PFFT3D_FORWARD ? PFFT3D_BACKWARD : PFFT3D_FORWARD;
  if (drops(t)) return CHECK_NOTHING;
  t->execute(t, back, t->out, t->in);
  deviation d = compare_batch(t, &ref->f, t->in_side, 1 / (t->elements * t->round));
  if (largest) *largest = d.largest;
  return d.error;
}

/* Transforms the batch whose first field is f, and compares the result with the batch of g. */
static double check_pair(const check_target *t, const field *f, const field *g) {
  check_transform(t, f);
  return compare_batch(t, g, t->out_side, 1 / t->scale).error;
}

/* A factor that gives waves of real fields cosine and sine parts. */
static double complex turn(const check_target *t) {
  return t->in_type.form == FIELD_COMPLEX ? 1 : 0.6 + 0.8 * I;
}

/* The field @p like with the extents of the target and the index k; waves have the kinds of the
 * direction, or of the opposite direction. */
static field field_at(const check_target *t, field like, const ptrdiff_t k[3], int back) {
  memcpy(like.axis, t->axis[back], sizeof like.axis);
  memcpy(like.n, t->n, sizeof like.n);
  memcpy(like.span, t->span, sizeof like.span);
  memcpy(like.k, k, sizeof like.k);
  return like;
}

double check_wave(const check_target *t, const ptrdiff_t k[3]) {
  double complex times = turn(t);
  if (lacks(t)) return CHECK_NOTHING;
  const field wave = {
      .kind = FIELD_WAVE, .type = t->in_type, .sign = -t->sign, .times = {times, 0}};
  const field peak = {.kind = FIELD_PEAK, .type = t->out_type, .times = {t->elements * times, 0}};
  field in = field_at(t, wave, k, 1), out = field_at(t, peak, k, 1);
  return check_pair(t, &in, &out);
}

double check_impulse(const check_target *t, const ptrdiff_t j[3]) {
  double complex times = turn(t);
  const field peak = {.kind = FIELD_PEAK, .type = t->in_type, .times = {times, 0}};
  const field wave = {
      .kind = FIELD_WAVE, .type = t->out_type, .sign = t->sign, .times = {times, 0}};
  field in = field_at(t, peak, j, 0), out = field_at(t, wave, j, 0);
  return check_pair(t, &in, &out);
}

json_t *check_report(app *a, const check_value *v, int count, double limit, const char *what) {
  json_t *j = json_object();
  int pass = 1;
  for (int i = 0; i < count; i++) {
    if (v[i].error < 0) continue;
    json_object_set_new(j, v[i].name, report_real(v[i].error));
    if (v[i].error <= limit) continue;
    pass = 0; /* also for NaN */
    app_fail(&a->error, PFFT3D_ERR_CHECK, "check failed: %s error %.2g exceeds %.2g in %s",
             v[i].name, fabs(v[i].error), limit, what);
  }
  json_object_set_new(j, "limit", json_real(limit));
  json_object_set_new(j, "pass", json_boolean(pass));
  return j;
}

json_t *check_conserved(app *a, const check_energy *e, double limit, const char *what) {
  long double expected = e->in * e->factor, least = e->single ? FLT_MIN : DBL_MIN;
  check_value v = {"parseval", 0};
  if (e->in > 0 || !(e->out <= 0)) { /* not all zero */
    long double few = least * (sqrtl(e->points / e->in) + sqrtl(e->points / expected));
    v.error = (double)fabsl((e->out - (e->in - e->ignored) * e->factor) / expected);
    if (few > 1) {
      limit = fmin(limit * (double)few, 0.1); /* a digit must be right */
      app_warn(a, "values near or below %.2Lg, the smallest normal number, have lost digits",
               least);
    }
  }
  return check_report(a, &v, 1, limit, what);
}
