/* SPDX-License-Identifier: BSD-3-Clause
 * The loops for numbers of type REAL, as LOOPS.
 *
 * A step is the classical one of fourth order, with factors e = exp(-nu k^2 dt/2) of an integrating
 * factor (Canuto, Hussaini, Quarteroni, Zang, Spectral Methods, D.2); all are 1 without one.
 * With d the change of a stage, s the velocity at the start:
 *     stage 0   u1 = e (s + dt/2 d)
 *     stage 1   u2 = e s + dt/2 d           sum = e (u1 + 2 u2) - e^2 s
 *     stage 2   u3 = e^2 s + dt e d
 *     stage 3   s = (sum + u3)/3 + dt/6 d
 * The last line is s + dt/6 (d0 + 2 d1 + 2 d2 + d3), with changes in terms of velocities: so the
 * sum is written once and read once. Real and imaginary parts are treated equally, so rows are
 * arrays of reals. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "apps/turbulence/loops.h"

/* Loops without dependences; functions that the compiler clones for several instruction sets, with
 * all functions that they call. */
#define SIMD   _Pragma("omp simd")
#define INLINE static inline __attribute__((always_inline))
#if defined __x86_64__ && defined __GLIBC__ && !defined __clang__
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONES
#endif

/* Less than half an ulp of 1. */
#define TINY ((REAL)1e-30)

/* Pointers to a row of the three components. */
typedef struct row {
  REAL *restrict c[3];
} row;

INLINE row row_at(const void *array, ptrdiff_t at, ptrdiff_t distance) {
  REAL *base = (REAL *)(uintptr_t)array + at;
  return (row){{base, base + distance, base + 2 * distance}};
}

/* Rows of the state. */
INLINE row own_row(const flow_modes *m, void *array, ptrdiff_t p, ptrdiff_t q) {
  return row_at(array, 2 * (p * m->stride[0] + q * m->stride[1]), 2 * m->distance);
}

/* Constants of a row: wave numbers and factors along axes 0 and 1. */
typedef struct scalars {
  REAL k0, k1, e, viscosity;
} scalars;

INLINE scalars scalars_of(const flow_modes *m, ptrdiff_t p, ptrdiff_t q) {
  const ptrdiff_t at[2] = {m->first == 0 ? p : q, m->first == 0 ? q : p};
  return (scalars){(REAL)m->k[0][at[0]], (REAL)m->k[1][at[1]],
                   (REAL)(m->factor[0][at[0]] * m->factor[1][at[1]]), (REAL)m->viscosity};
}

INLINE void curl_row(const flow_modes *m, scalars x, row u, row w) {
  const REAL *restrict k2 = m->k2;
  const REAL *restrict u0 = u.c[0], *restrict u1 = u.c[1], *restrict u2 = u.c[2];
  REAL *restrict w0 = w.c[0], *restrict w1 = w.c[1], *restrict w2 = w.c[2];
  SIMD for (ptrdiff_t i = 0; i < 2 * m->length; i += 2) {
    REAL kz = k2[i];
    w0[i] = kz * u1[i + 1] - x.k1 * u2[i + 1];
    w0[i + 1] = x.k1 * u2[i] - kz * u1[i];
    w1[i] = x.k0 * u2[i + 1] - kz * u0[i + 1];
    w1[i + 1] = kz * u0[i] - x.k0 * u2[i];
    w2[i] = x.k1 * u0[i + 1] - x.k0 * u1[i + 1];
    w2[i + 1] = x.k0 * u1[i] - x.k1 * u0[i];
  }
}

/* One number of one component: v is the velocity of the next stage, w the other number that is
 * stored. */
#define STAGE_0(c) REAL v##c = e * (start##c[i] + half * d##c)
#define STAGE_1(c)                           \
  REAL v##c = e * start##c[i] + half * d##c; \
  kept##c[i] = e * (u##c[i] + 2 * v##c - e * start##c[i])
#define STAGE_2(c) REAL v##c = e * (e * start##c[i] + step * d##c)
#define STAGE_3(c) REAL v##c = third * (sum##c[i] + u##c[i]) + sixth * d##c

/* The loop of a stage over a row, with OLD the velocity of the stage.  k^2 + TINY equals k^2 except
 * for the mean mode, whose pressure is then 0. */
#define STAGE(number, OLD)                                                                       \
  INLINE void advance_row_##number(const flow_modes *m, scalars x, REAL dt, row n, row s, row u, \
                                   row t, row to, row w) {                                       \
    const REAL *restrict k2 = m->k2, *restrict e2 = m->factor2;                                  \
    const REAL *restrict n0 = n.c[0], *restrict n1 = n.c[1], *restrict n2 = n.c[2];              \
    const REAL *restrict start0 = s.c[0], *restrict start1 = s.c[1], *restrict start2 = s.c[2];  \
    const REAL *restrict u0 = u.c[0], *restrict u1 = u.c[1], *restrict u2 = u.c[2];              \
    const REAL *restrict sum0 = t.c[0], *restrict sum1 = t.c[1], *restrict sum2 = t.c[2];        \
    REAL *restrict to0 = to.c[0], *restrict to1 = to.c[1], *restrict to2 = to.c[2];              \
    REAL *restrict kept0 = w.c[0], *restrict kept1 = w.c[1], *restrict kept2 = w.c[2];           \
    const REAL step = dt, half = dt / 2, sixth = dt / 6, third = (REAL)1 / 3;                    \
    const REAL k01 = x.k0 * x.k0 + x.k1 * x.k1;                                                  \
    (void)step, (void)half, (void)third, (void)sixth, (void)u0, (void)u1, (void)u2;              \
    (void)start0, (void)start1, (void)start2, (void)sum0, (void)sum1, (void)sum2;                \
    (void)kept0, (void)kept1, (void)kept2;                                                       \
    SIMD for (ptrdiff_t i = 0; i < 2 * m->length; i++) {                                         \
      REAL kz = k2[i], kk = k01 + kz * kz, e = x.e * e2[i];                                      \
      REAL pressure = (x.k0 * n0[i] + x.k1 * n1[i] + kz * n2[i]) / (kk + TINY);                  \
      REAL friction = x.viscosity * kk;                                                          \
      REAL d0 = n0[i] - x.k0 * pressure - friction * OLD##0 [i];                                 \
      REAL d1 = n1[i] - x.k1 * pressure - friction * OLD##1 [i];                                 \
      REAL d2 = n2[i] - kz * pressure - friction * OLD##2 [i];                                   \
      (void)e;                                                                                   \
      STAGE_##number(0);                                                                         \
      STAGE_##number(1);                                                                         \
      STAGE_##number(2);                                                                         \
      to0[i] = v0, to1[i] = v1, to2[i] = v2;                                                     \
    }                                                                                            \
  }
STAGE(0, start)
STAGE(1, u)
STAGE(2, u)
STAGE(3, u)

/* Copies a row of the state, with streaming stores if @p past: large arrays are no longer in cache
 * when they are read again. */
INLINE void keep_row(const flow_modes *m, row to, row from, int past) {
  size_t bytes = 2 * (size_t)m->length * sizeof(REAL), done = 0;
  for (int c = 0; c < 3; c++) {
    char *at = (char *)to.c[c], *source = (char *)from.c[c];
#ifdef __SSE2__
    for (done = 0; past && done + sizeof(__m128i) <= bytes; done += sizeof(__m128i))
      _mm_stream_si128((__m128i *)(void *)(at + done),
                       _mm_loadu_si128((const __m128i *)(const void *)(source + done)));
#endif
    memcpy(at + done, source + done, bytes - done);
  }
}

/* Row q of a plane that a transform reads: the velocity, or the vorticity after it. */
INLINE row to_row(const flow_modes *m, const pfft3d_plane *p, ptrdiff_t q, int vorticity) {
  return row_at(p->to, 2 * (q * m->to + 3 * vorticity * p->to_distance), 2 * p->to_distance);
}

CLONES static void start(const flow_modes *m, const flow_fields *f, const pfft3d_plane *p) {
  for (ptrdiff_t q = 0; q < m->rows[1]; q++) {
    row to = to_row(m, p, q, 0);
    keep_row(m, to, own_row(m, f->u, p->index, q), 0);
    curl_row(m, scalars_of(m, p->index, q), to, to_row(m, p, q, 1));
  }
}

/* The row of the vorticity has the sum before it gets the vorticity. */
CLONES static void advance(const flow_modes *m, const flow_fields *f, const pfft3d_plane *p,
                           int stage, double dt) {
  for (ptrdiff_t q = 0; q < m->rows[1]; q++) {
    scalars x = scalars_of(m, p->index, q);
    row change = row_at(p->from, 2 * q * m->from, 2 * p->from_distance), to = to_row(m, p, q, 0);
    row u = own_row(m, f->u, p->index, q), of = own_row(m, f->stage, p->index, q);
    row sum = own_row(m, f->sum, p->index, q), more = to_row(m, p, q, 1);
    switch (stage) {
      case 0: advance_row_0(m, x, (REAL)dt, change, u, of, sum, to, more); break;
      case 1: advance_row_1(m, x, (REAL)dt, change, u, of, sum, to, more); break;
      case 2: advance_row_2(m, x, (REAL)dt, change, u, of, sum, to, more); break;
      default: advance_row_3(m, x, (REAL)dt, change, u, of, sum, to, more);
    }
    if (stage == 1) keep_row(m, sum, more, m->past);
    keep_row(m, stage == 3 ? u : of, to, stage == 1 || stage == 2 ? 0 : m->past);
    curl_row(m, x, to, more);
  }
}

/* Both may be the same memory: all components of a point are read before the first is written. */
INLINE void product_row(const REAL *u, ptrdiff_t from, REAL *n, ptrdiff_t to, ptrdiff_t length) {
  const REAL *u1 = u + from, *u2 = u1 + from, *w0 = u2 + from, *w1 = w0 + from, *w2 = w1 + from;
  REAL *n1 = n + to, *n2 = n1 + to;
  SIMD for (ptrdiff_t i = 0; i < length; i++) {
    REAL a = u[i], b = u1[i], c = u2[i];
    n[i] = b * w2[i] - c * w1[i];
    n1[i] = c * w0[i] - a * w2[i];
    n2[i] = a * w1[i] - b * w0[i];
  }
}

/* Eight sums at a time: the compiler keeps the order of additions, and a single sum would wait for
 * each. */
INLINE void measure_row(const flow_points *p, ptrdiff_t r, const REAL *u0, ptrdiff_t distance) {
  const REAL *u[3], *w[3];
  for (int c = 0; c < 3; c++) u[c] = u0 + c * distance, w[c] = u0 + (c + 3) * distance;
  enum { LANES = 8 };
  double energy[LANES] = {0}, enstrophy[LANES] = {0}, speed[LANES] = {0};
  for (ptrdiff_t i = 0; i < p->length; i += LANES) {
    int count = p->length - i < LANES ? (int)(p->length - i) : LANES;
    for (int j = 0; j < count; j++) {
      double a = u[0][i + j], b = u[1][i + j], c = u[2][i + j];
      double x = w[0][i + j], y = w[1][i + j], z = w[2][i + j];
      double fast = fabs(a) * p->inverse_step[0] + fabs(b) * p->inverse_step[1] +
                    fabs(c) * p->inverse_step[2];
      energy[j] += a * a + b * b + c * c;
      enstrophy[j] += x * x + y * y + z * z;
      speed[j] = fast > speed[j] ? fast : speed[j];
    }
  }
  p->energy[r] = p->enstrophy[r] = p->speed[r] = 0;
  for (int j = 0; j < LANES; j++) {
    p->energy[r] += energy[j];
    p->enstrophy[r] += enstrophy[j];
    p->speed[r] = speed[j] > p->speed[r] ? speed[j] : p->speed[r];
  }
}

CLONES static void measure(const flow_points *p, const pfft3d_plane *plane) {
  for (ptrdiff_t q = 0; q < p->rows; q++)
    measure_row(p, plane->index * p->number[0] + q * p->number[1],
                (const REAL *)plane->from + q * p->from, plane->from_distance);
}

CLONES static void product(const flow_points *p, const pfft3d_plane *plane) {
  for (ptrdiff_t q = 0; q < p->rows; q++)
    product_row((const REAL *)plane->from + q * p->from, plane->from_distance,
                (REAL *)plane->to + q * p->to, plane->to_distance, p->length);
}

const flow_loops LOOPS = {
    .start = start, .advance = advance, .product = product, .measure = measure};
