/* SPDX-License-Identifier: BSD-3-Clause
 * Checks.  A round trip alone proves little: two transforms that are wrong in the same way pass.
 * So every check but that one compares a single transform with something known otherwise: a direct
 * sum, a plane wave, the conservation of energy.  Fields are made again instead of kept, so that
 * the arrays of the transform are all the memory this needs. */
#include "check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "watch.h"

check_target check_aim(const app *a, const run *r, pfft3d_direction d, void *in, void *out) {
  const ptrdiff_t *n = r->request.problem.n;
  int forward = d == PFFT3D_FORWARD;
  check_target t = {.a = a, .r = r, .direction = d, .in = in, .out = out};
  t.precision = r->request.problem.precision;
  t.sign = forward ? -1 : +1;
  t.scale = r->request.scale[d == PFFT3D_BACKWARD];
  t.elements = (double)n[0] * (double)n[1] * (double)n[2];
  memcpy(t.n, n, sizeof t.n);
  pfft3d_plan_box(r->plan, forward ? PFFT3D_SPACE : PFFT3D_SPECTRUM, a->rank, &t.in_box);
  pfft3d_plan_box(r->plan, forward ? PFFT3D_SPECTRUM : PFFT3D_SPACE, a->rank, &t.out_box);
  return t;
}

double check_limit(const pfft3d_problem *p) {
  double elements = (double)p->n[0] * (double)p->n[1] * (double)p->n[2];
  double epsilon = p->precision == PFFT3D_SINGLE ? FLT_EPSILON : DBL_EPSILON;
  /* The error of an FFT grows with the square root of its log2 N stages, each of which rounds; good
   * ones stay below 1 eps of that, lengths with large primes below 2, and a round trip doubles it.
   * A wrong result is off by far more than 8. */
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

static void no_table(const check_target *t, int failed) {
  if (failed) app_die(t->a, PFFT3D_ERR_MEMORY, "out of memory: no tables for the checks");
}

static void fill(const check_target *t, const field *f) {
  watch_kick("checking");
  no_table(t, field_fill(f, &t->in_box, t->in));
}

static void transform(const check_target *t) {
  run_execute(t->a, t->r, t->direction, t->in, t->out);
}

/* sqrt of the summed squares of array * scale - field. */
static double difference(const check_target *t, const field *f, const pfft3d_box *box,
                         const void *array, double scale) {
  field_sums sums;
  watch_kick("checking");
  no_table(t, field_compare(f, box, array, scale, &sums));
  check_sum(t->a, &sums.difference, 1);
  return (double)sqrtl(sums.difference);
}

void check_prepare(const check_target *t, int samples, check_reference *ref) {
  uint64_t seed = (uint64_t)t->a->opt.seed;
  long double sums[2 * CHECK_SAMPLES_MAX + 1];
  memset(ref, 0, sizeof *ref);
  ref->f = field_seeded(&t->r->request.problem, seed);
  ref->count = 1 + samples; /* k[0] stays 0: the plain sum */
  for (int s = 1; s < ref->count; s++) check_index(t->n, seed, s, ref->k[s]);
  watch_kick("summing directly");
  no_table(t, field_dft(&ref->f, &t->in_box, t->sign, ref->count, ref->k, ref->value,
                        &sums[2 * ref->count]));
  for (int s = 0; s < ref->count; s++) {
    sums[2 * s] = creall(ref->value[s]);
    sums[2 * s + 1] = cimagl(ref->value[s]);
  }
  check_sum(t->a, sums, 2 * ref->count + 1);
  for (int s = 0; s < ref->count; s++)
    ref->value[s] = sums[2 * s] + (long double complex)I * sums[2 * s + 1];
  ref->energy = sums[2 * ref->count];
}

/* The element of index k in t->out, on all ranks: its owner adds it, the others 0. */
static long double complex output_at(const check_target *t, const ptrdiff_t k[3]) {
  const pfft3d_box *b = &t->out_box;
  long double part[2] = {0, 0};
  ptrdiff_t at = 0;
  int mine = 1;
  for (int a = 0; a < 3; a++) {
    mine = mine && k[a] >= b->lo[a] && k[a] < b->lo[a] + b->len[a];
    at += (k[a] - b->lo[a]) * b->stride[a];
  }
  if (mine) {
    double complex z = field_get(t->precision, t->out, at);
    part[0] = creal(z);
    part[1] = cimag(z);
  }
  check_sum(t->a, part, 2);
  return part[0] + (long double complex)I * part[1];
}

void check_seeded(const check_target *t, const check_reference *ref, double *parseval,
                  double *sampled) {
  fill(t, &ref->f);
  transform(t);
  long double energy = field_energy(t->precision, &t->out_box, t->out);
  check_sum(t->a, &energy, 1);
  long double expected = ref->energy * t->elements * t->scale * t->scale;
  *parseval = (double)fabsl(energy / expected - 1);
  *sampled = 0;
  for (int s = 0; s < ref->count; s++) {
    long double complex z = output_at(t, ref->k[s]) / t->scale - ref->value[s];
    double error = (double)(cabsl(z) / sqrtl(ref->energy)); /* sqrt(N) rms of the field */
    if (!(error <= *sampled)) *sampled = error;             /* NaN wins */
  }
}

double check_roundtrip(const check_target *t, const check_reference *ref) {
  pfft3d_direction back = t->direction == PFFT3D_FORWARD ? PFFT3D_BACKWARD : PFFT3D_FORWARD;
  const double *scale = t->r->request.scale;
  run_execute(t->a, t->r, back, t->out, t->in);
  double d = difference(t, &ref->f, &t->in_box, t->in, 1 / (t->elements * scale[0] * scale[1]));
  return d / (double)sqrtl(ref->energy);
}

double check_pair(const check_target *t, const field *f, const field *g, double norm) {
  fill(t, f);
  transform(t);
  return difference(t, g, &t->out_box, t->out, 1 / t->scale) / norm;
}

static field made_of(const check_target *t, field_kind kind, const ptrdiff_t k[3], int sign,
                     double times) {
  field f = {.kind = kind, .sign = sign, .times = {times, 0}, .precision = t->precision};
  memcpy(f.n, t->n, sizeof f.n);
  memcpy(f.k, k, sizeof f.k);
  return f;
}

double check_wave(const check_target *t, const ptrdiff_t k[3]) {
  field wave = made_of(t, FIELD_WAVE, k, -t->sign, 1);
  field peak = made_of(t, FIELD_PEAK, k, 0, t->elements);
  return check_pair(t, &wave, &peak, t->elements);
}

double check_impulse(const check_target *t, const ptrdiff_t j[3]) {
  field peak = made_of(t, FIELD_PEAK, j, 0, 1);
  field wave = made_of(t, FIELD_WAVE, j, t->sign, 1);
  return check_pair(t, &peak, &wave, sqrt(t->elements));
}

json_t *check_report(app *a, const check_value *v, int count, double limit, const char *what) {
  json_t *j = json_object();
  int pass = 1;
  for (int i = 0; i < count; i++) {
    json_object_set_new(j, v[i].name, run_number(v[i].error));
    if (v[i].error <= limit) continue;
    pass = 0; /* NaN comes here too */
    app_fail(&a->error, PFFT3D_ERR_CHECK, "check failed: %s error %.2g exceeds %.2g in %s",
             v[i].name, fabs(v[i].error), limit, what);
  }
  json_object_set_new(j, "limit", json_real(limit));
  json_object_set_new(j, "pass", json_boolean(pass));
  return j;
}
