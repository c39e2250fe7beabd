/* SPDX-License-Identifier: BSD-3-Clause
 * The loops for numbers of type REAL, as LOOPS.
 *
 * A step is the classical one of fourth order, with factors e = exp(-nu k^2 dt/2) of an integrating
 * factor (Canuto, Hussaini, Quarteroni, Zang, Spectral Methods, D.2); all are 1 without one.
 * With d the change of a stage, s the velocity at the start:
 *     stage 0   sum = e^2 (s + dt/6 d)    u = e (s + dt/2 d)
 *     stage 1   sum += dt/3 e d           u = e s + dt/2 d
 *     stage 2   sum += dt/3 e d           u = e^2 s + dt e d
 *     stage 3                             u = sum + dt/6 d
 * Real and imaginary parts are treated alike, so rows are taken as reals. */
#include <math.h>

#include "app/turbulence/loops.h"

/* Pointers to a row of the three components. */
typedef struct row {
  REAL *restrict c[3];
} row;

static row plan_row(const flow_modes *m, void *array, ptrdiff_t p, ptrdiff_t q) {
  REAL *base = (REAL *)array + 2 * (m->offset + p * m->stride[0] + q * m->stride[1]);
  return (row){{base, base + 2 * m->distance, base + 4 * m->distance}};
}

static row own_row(const flow_modes *m, void *array, ptrdiff_t p, ptrdiff_t q) {
  REAL *base = (REAL *)array + (p * m->rows[1] + q) * 6 * m->length;
  return (row){{base, base + 2 * m->length, base + 4 * m->length}};
}

/* What is the same for a row: wave numbers and factors along axes 0 and 1. */
typedef struct scalars {
  REAL k0, k1, e, viscosity;
} scalars;

static scalars scalars_of(const flow_modes *m, ptrdiff_t p, ptrdiff_t q) {
  const ptrdiff_t at[2] = {m->first == 0 ? p : q, m->first == 0 ? q : p};
  return (scalars){(REAL)m->k[0][at[0]], (REAL)m->k[1][at[1]],
                   (REAL)(m->factor[0][at[0]] * m->factor[1][at[1]]), (REAL)m->viscosity};
}

static void curl_row(const flow_modes *m, scalars x, row u, row w) {
  const REAL *restrict k2 = m->k2;
  const REAL *restrict u0 = u.c[0], *restrict u1 = u.c[1], *restrict u2 = u.c[2];
  REAL *restrict w0 = w.c[0], *restrict w1 = w.c[1], *restrict w2 = w.c[2];
  for (ptrdiff_t i = 0; i < 2 * m->length; i += 2) {
    REAL kz = k2[i];
    w0[i] = kz * u1[i + 1] - x.k1 * u2[i + 1];
    w0[i + 1] = x.k1 * u2[i] - kz * u1[i];
    w1[i] = x.k0 * u2[i + 1] - kz * u0[i + 1];
    w1[i + 1] = kz * u0[i] - x.k0 * u2[i];
    w2[i] = x.k1 * u0[i + 1] - x.k0 * u1[i + 1];
    w2[i + 1] = x.k0 * u1[i] - x.k1 * u0[i];
  }
}

/* One number of one component. */
#define STAGE_0(c)                                                      \
  (start##c[i] = u##c[i], sum##c[i] = e * e * (u##c[i] + sixth * d##c), \
   u##c[i] = e * (u##c[i] + half * d##c))
#define STAGE_1(c) (sum##c[i] += third * e * d##c, u##c[i] = e * start##c[i] + half * d##c)
#define STAGE_2(c) (sum##c[i] += third * e * d##c, u##c[i] = e * (e * start##c[i] + step * d##c))
#define STAGE_3(c) (u##c[i] = sum##c[i] + sixth * d##c)

/* The loop of a stage over a row.  1/k^2 is that of the mean mode, 1, where k is 0. */
#define STAGE(number)                                                                            \
  static void advance_row_##number(const flow_modes *m, scalars x, REAL dt, row n, row u, row s, \
                                   row t) {                                                      \
    const REAL *restrict k2 = m->k2, *restrict e2 = m->factor2;                                  \
    const REAL *restrict n0 = n.c[0], *restrict n1 = n.c[1], *restrict n2 = n.c[2];              \
    REAL *restrict u0 = u.c[0], *restrict u1 = u.c[1], *restrict u2 = u.c[2];                    \
    REAL *restrict start0 = s.c[0], *restrict start1 = s.c[1], *restrict start2 = s.c[2];        \
    REAL *restrict sum0 = t.c[0], *restrict sum1 = t.c[1], *restrict sum2 = t.c[2];              \
    const REAL step = dt, half = dt / 2, third = dt / 3, sixth = dt / 6;                         \
    const REAL k01 = x.k0 * x.k0 + x.k1 * x.k1;                                                  \
    (void)step, (void)half, (void)third, (void)sixth;                                            \
    (void)start0, (void)start1, (void)start2, (void)sum0, (void)sum1, (void)sum2;                \
    for (ptrdiff_t i = 0; i < 2 * m->length; i++) {                                              \
      REAL kz = k2[i], kk = k01 + kz * kz, e = x.e * e2[i];                                      \
      REAL pressure = (x.k0 * n0[i] + x.k1 * n1[i] + kz * n2[i]) / (kk > 0 ? kk : 1);            \
      REAL friction = x.viscosity * kk;                                                          \
      REAL d0 = n0[i] - x.k0 * pressure - friction * u0[i];                                      \
      REAL d1 = n1[i] - x.k1 * pressure - friction * u1[i];                                      \
      REAL d2 = n2[i] - kz * pressure - friction * u2[i];                                        \
      (void)e;                                                                                   \
      STAGE_##number(0);                                                                         \
      STAGE_##number(1);                                                                         \
      STAGE_##number(2);                                                                         \
    }                                                                                            \
  }
STAGE(0)
STAGE(1)
STAGE(2)
STAGE(3)

static void curl(const flow_modes *m, const flow_fields *f) {
#pragma omp parallel for collapse(2) schedule(static) num_threads(m->threads)
  for (ptrdiff_t p = 0; p < m->rows[0]; p++)
    for (ptrdiff_t q = 0; q < m->rows[1]; q++)
      curl_row(m, scalars_of(m, p, q), plan_row(m, f->u, p, q), plan_row(m, f->curl, p, q));
}

static void advance(const flow_modes *m, const flow_fields *f, int stage, double dt) {
  static void (*const of_stage[])(const flow_modes *, scalars, REAL, row, row, row, row) = {
      advance_row_0, advance_row_1, advance_row_2, advance_row_3};
#pragma omp parallel for collapse(2) schedule(static) num_threads(m->threads)
  for (ptrdiff_t p = 0; p < m->rows[0]; p++)
    for (ptrdiff_t q = 0; q < m->rows[1]; q++) {
      scalars x = scalars_of(m, p, q);
      row u = plan_row(m, f->u, p, q);
      of_stage[stage](m, x, (REAL)dt, plan_row(m, f->change, p, q), u, own_row(m, f->start, p, q),
                      own_row(m, f->sum, p, q));
      curl_row(m, x, u, plan_row(m, f->curl, p, q));
    }
}

static void product_row(REAL *restrict u0, REAL *restrict u1, REAL *restrict u2,
                        const REAL *restrict w0, const REAL *restrict w1, const REAL *restrict w2,
                        ptrdiff_t length) {
  for (ptrdiff_t i = 0; i < length; i++) {
    REAL a = u0[i], b = u1[i], c = u2[i];
    u0[i] = b * w2[i] - c * w1[i];
    u1[i] = c * w0[i] - a * w2[i];
    u2[i] = a * w1[i] - b * w0[i];
  }
}

/* Eight sums at a time: the compiler keeps the order of additions, so that a single one would wait
 * for each. */
static void measure_row(const flow_points *p, ptrdiff_t r, const REAL *const u[3],
                        const REAL *const w[3]) {
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

static void measure(const flow_points *p, void *u, const void *omega, int too) {
#pragma omp parallel for schedule(static) num_threads(p->threads)
  for (ptrdiff_t r = 0; r < p->rows; r++) {
    REAL *a = (REAL *)u + r * p->stride;
    const REAL *w = (const REAL *)omega + r * p->stride;
    measure_row(p, r, (const REAL *const[]){a, a + p->distance, a + 2 * p->distance},
                (const REAL *const[]){w, w + p->distance, w + 2 * p->distance});
    if (too)
      product_row(a, a + p->distance, a + 2 * p->distance, w, w + p->distance, w + 2 * p->distance,
                  p->length);
  }
}

static void product(const flow_points *p, void *u, const void *omega) {
#pragma omp parallel for schedule(static) num_threads(p->threads)
  for (ptrdiff_t r = 0; r < p->rows; r++) {
    REAL *a = (REAL *)u + r * p->stride;
    const REAL *w = (const REAL *)omega + r * p->stride;
    product_row(a, a + p->distance, a + 2 * p->distance, w, w + p->distance, w + 2 * p->distance,
                p->length);
  }
}

const flow_loops LOOPS = {.curl = curl, .advance = advance, .product = product, .measure = measure};
