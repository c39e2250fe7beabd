/* SPDX-License-Identifier: BSD-3-Clause
 * Data of lines, and comparison of results.  Elements may be on any rank in any order, so a result
 * is compared with a whole line on every rank, element by element. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { CHUNK = 1 << 26 }; /* numbers in a call of MPI */

/* Nonzero if the order of the spectrum is known: not for FFTW-MPI's scrambled order. */
static int is_order_known(const contender *c) {
  return c->family == PFFT3D || c->dealing != BLOCK_SCRAMBLED;
}

static ptrdiff_t index_of(const bench *b, const contender *c, pfft3d_side side, ptrdiff_t i) {
  return c->family == PFFT3D ? pfft3d_index(b, c, side, i) : c->box[side].lo[2] + i;
}

static ptrdiff_t count_of(const contender *c, pfft3d_side side) {
  const ptrdiff_t *len = c->box[side].len;
  return len[0] * len[1] * len[2];
}

/* First index of a rank if all points are shared evenly. */
static ptrdiff_t share(const bench *b, int rank) {
  const ptrdiff_t q = b->n[2] / b->ranks, rest = b->n[2] % b->ranks;
  return rank * q + (rank < rest ? rank : rest);
}

static void value_of(uint64_t salt, ptrdiff_t index, double value[2]) {
  const uint64_t bits = mix(salt ^ (uint64_t)index);
  value[0] = (double)(int32_t)(bits >> 32) * 0x1p-32;
  value[1] = (double)(int32_t)(bits & 0xffffffffu) * 0x1p-32;
}

void line_fill(const bench *b, uint64_t salt, contender *c, pfft3d_side side) {
  void *array = c->array[side][0];
  for (ptrdiff_t i = 0; i < count_of(c, side); i++) {
    double value[2];
    value_of(salt, index_of(b, c, side, i), value);
    for (int p = 0; p < 2; p++) number_put(c, array, 2 * i + p, value[p]);
  }
}

/* One element of the result from this rank's share of the points. */
static void sum_up(const bench *b, uint64_t salt, int sign, ptrdiff_t k, double sum[2],
                   double *norm) {
  const double step = 2 * acos(-1.0) / (double)b->n[2];
  const ptrdiff_t first = share(b, b->rank), end = share(b, b->rank + 1);
  const uint64_t n = (uint64_t)b->n[2];
  uint64_t turn = (uint64_t)first * (uint64_t)k % n; /* j k mod n: points are fewer than 2^32 */
  long double re = 0, im = 0, squares = 0;
  for (ptrdiff_t j = first; j < end; j++, turn = (turn + (uint64_t)k) % n) {
    const double angle = sign * (step * (double)turn), c = cos(angle), s = sin(angle);
    double x[2];
    value_of(salt, j, x);
    re += x[0] * c - x[1] * s;
    im += x[0] * s + x[1] * c;
    squares += x[0] * x[0] + x[1] * x[1];
  }
  sum[0] = (double)re, sum[1] = (double)im, *norm = (double)squares;
}

void line_sums(const bench *b, uint64_t seed, pfft3d_direction d, sums *s) {
  for (int i = 0; i < SAMPLES; i++) { /* both ends, and anywhere */
    s->k[i] = (ptrdiff_t)(mix((uint64_t)i) % (uint64_t)b->n[2]);
    if (i < 2) s->k[i] = i ? b->n[2] - 1 : b->n[2] > 1;
    sum_up(b, mix(seed), d == PFFT3D_FORWARD ? -1 : 1, s->k[i], s->value[i], &s->norm);
  }
  MPI_Allreduce(MPI_IN_PLACE, s->value, 2 * SAMPLES, MPI_DOUBLE, MPI_SUM, b->comm);
  MPI_Allreduce(MPI_IN_PLACE, &s->norm, 1, MPI_DOUBLE, MPI_SUM, b->comm);
  s->norm = sqrt(s->norm);
}

double line_gather(const bench *b, pfft3d_side side, const contender *c, const sums *s,
                   double *whole) {
  const ptrdiff_t numbers = 2 * b->n[2];
  double worst = 0;
  memset(whole, 0, (size_t)numbers * sizeof *whole);
  for (ptrdiff_t i = 0; i < count_of(c, side); i++)
    for (int p = 0; p < 2; p++)
      whole[2 * index_of(b, c, side, i) + p] = number_get(c, c->array[side][0], 2 * i + p);
  for (ptrdiff_t at = 0; at < numbers; at += CHUNK)
    MPI_Allreduce(MPI_IN_PLACE, whole + at, (int)(numbers - at < CHUNK ? numbers - at : CHUNK),
                  MPI_DOUBLE, MPI_SUM, b->comm);
  for (int i = 0; i < SAMPLES; i++) {
    const double *have = whole + 2 * s->k[i], *want = s->value[i];
    const double error = hypot(have[0] - want[0], have[1] - want[1]) / s->norm;
    if (!(error <= worst))
      worst = isnan(error) ? INFINITY : error; /* the next value would replace a NaN */
  }
  return worst;
}

/* The distance of the sums from the closest elements of the result. */
static double search(const bench *b, pfft3d_side side, const sums *s, const contender *c) {
  double nearest[SAMPLES], worst = 0;
  for (int k = 0; k < SAMPLES; k++) {
    nearest[k] = INFINITY;
    for (ptrdiff_t i = 0; i < count_of(c, side); i++) {
      const double re = number_get(c, c->array[side][0], 2 * i) - s->value[k][0];
      const double im = number_get(c, c->array[side][0], 2 * i + 1) - s->value[k][1];
      nearest[k] = fmin(nearest[k], re * re + im * im);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, nearest, SAMPLES, MPI_DOUBLE, MPI_MIN, b->comm);
  for (int k = 0; k < SAMPLES; k++) worst = fmax(worst, sqrt(nearest[k]) / s->norm);
  return worst;
}

/* Relative L2 difference of an array from the whole reference (or, if that is NULL, from the data
 * of a seed times the number of points). */
static double difference(const bench *b, pfft3d_side side, uint64_t salt, const double *whole,
                         const contender *c) {
  double sum[3] = {0, 0, 0};
  uint64_t seen = 0; /* 0 in the end if each index occurred once */
  for (ptrdiff_t j = share(b, b->rank); j < share(b, b->rank + 1); j++) seen -= mix((uint64_t)j);
  for (ptrdiff_t i = 0; i < count_of(c, side); i++) {
    const ptrdiff_t g = index_of(b, c, side, i);
    double want[2];
    if (g < 0 || g >= b->n[2]) {
      sum[2] = 1;
      break;
    }
    seen += mix((uint64_t)g);
    value_of(salt, g, want);
    for (int p = 0; p < 2; p++) {
      const double w = whole ? whole[2 * g + p] : want[p] * (double)b->n[2];
      const double x = number_get(c, c->array[side][0], 2 * i + p);
      sum[0] += (x - w) * (x - w);
      sum[1] += w * w;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_DOUBLE, MPI_SUM, b->comm);
  MPI_Allreduce(MPI_IN_PLACE, &seen, 1, MPI_UINT64_T, MPI_SUM, b->comm);
  return seen || sum[2] > 0 ? NAN : sqrt(sum[0] / sum[1]);
}

double line_compare(const bench *b, pfft3d_direction d, uint64_t seed, const sums *s,
                    const double *whole, contender *c) {
  const pfft3d_side side = d == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  if (is_order_known(c)) return difference(b, side, 0, whole, c);
  if (d == PFFT3D_FORWARD) return search(b, side, s, c);
  line_fill(b, mix(seed), c, PFFT3D_SPACE);
  if (c->run(c, PFFT3D_FORWARD) || c->run(c, PFFT3D_BACKWARD)) return NAN;
  return difference(b, side, mix(seed), NULL, c);
}
