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

/* Constants of a row: the wave number along axis a of number i is k[a] + unit[a] k2[i]; factors of
 * its planes and rows. */
typedef struct scalars {
  REAL k[3], unit[3], e, viscosity, rate, band;
} scalars;

INLINE scalars scalars_of(const flow_modes *m, const flow_decay *d, ptrdiff_t p, ptrdiff_t q) {
  scalars x = {.e = (REAL)(d->factor[0][p] * d->factor[1][q]), .viscosity = (REAL)d->coefficient};
  x.rate = (REAL)m->force->rate;
  x.band = (REAL)m->force->band;
  x.k[m->axis[0]] = (REAL)m->k[0][p];
  x.k[m->axis[1]] = (REAL)m->k[1][q];
  x.unit[m->axis[2]] = 1;
  return x;
}

INLINE void curl_row(const flow_modes *m, scalars x, row u, row w) {
  const REAL *restrict k2 = m->k2;
  const REAL *restrict u0 = u.c[0], *restrict u1 = u.c[1], *restrict u2 = u.c[2];
  REAL *restrict w0 = w.c[0], *restrict w1 = w.c[1], *restrict w2 = w.c[2];
  const REAL kx = x.k[0], ky = x.k[1];
  SIMD for (ptrdiff_t i = 0; i < 2 * m->length; i += 2) {
    REAL kz = k2[i];
    w0[i] = kz * u1[i + 1] - ky * u2[i + 1];
    w0[i + 1] = ky * u2[i] - kz * u1[i];
    w1[i] = kx * u2[i + 1] - kz * u0[i + 1];
    w1[i + 1] = kz * u0[i] - kx * u2[i];
    w2[i] = ky * u0[i + 1] - kx * u1[i + 1];
    w2[i + 1] = kx * u1[i] - ky * u0[i];
  }
}

/* A number after a stage, from those at the beginning of the step and of the stage. */
INLINE REAL stage_value(const int stage, REAL dt, REAL e, REAL old, REAL now, REAL d, REAL *sum) {
  if (stage == 0) return e * (old + dt / 2 * d);
  if (stage == 2) return e * (e * old + dt * d);
  if (stage == 3) return (REAL)1 / 3 * (*sum + now) + dt / 6 * d;
  REAL v = e * old + dt / 2 * d;
  *sum = e * (now + 2 * v - e * old);
  return v;
}

/* A stage over a row of the velocity: n is its change, s and u are the values at the beginning of
 * the step and of the stage, t the sum, `to` gets the new values.  k^2 + TINY equals k^2 except for
 * the mean mode, whose pressure is then 0. */
INLINE void advance_row(const flow_modes *m, scalars x, const int stage, REAL dt, row n, row s,
                        row u, row t, row to) {
  const REAL *restrict k2 = m->k2, *restrict e2 = m->decay->along;
  const REAL *restrict n0 = n.c[0], *restrict n1 = n.c[1], *restrict n2 = n.c[2];
  const REAL *s0 = s.c[0], *s1 = s.c[1], *s2 = s.c[2], *u0 = u.c[0], *u1 = u.c[1], *u2 = u.c[2];
  REAL *restrict t0 = t.c[0], *restrict t1 = t.c[1], *restrict t2 = t.c[2];
  REAL *restrict to0 = to.c[0], *restrict to1 = to.c[1], *restrict to2 = to.c[2];
  const REAL kx = x.k[0], ky = x.k[1], k01 = kx * kx + ky * ky;
  SIMD for (ptrdiff_t i = 0; i < 2 * m->length; i++) {
    REAL kz = k2[i], kk = k01 + kz * kz, e = x.e * e2[i];
    REAL pressure = (kx * n0[i] + ky * n1[i] + kz * n2[i]) / (kk + TINY);
    REAL friction = x.viscosity * kk - (kk > 0 && kk <= x.band ? x.rate : 0);
    REAL d0 = n0[i] - kx * pressure - friction * u0[i];
    REAL d1 = n1[i] - ky * pressure - friction * u1[i];
    REAL d2 = n2[i] - kz * pressure - friction * u2[i];
    to0[i] = stage_value(stage, dt, e, s0[i], u0[i], d0, t0 + i);
    to1[i] = stage_value(stage, dt, e, s1[i], u1[i], d1, t1 + i);
    to2[i] = stage_value(stage, dt, e, s2[i], u2[i], d2, t2 + i);
  }
}

/* Copies a row of the state, with streaming stores if @p past: large arrays are no longer in cache
 * when they are read again. */
INLINE void keep_row(const flow_modes *m, row to, row from, int past) {
  size_t bytes = 2 * (size_t)m->length * sizeof(REAL), done = 0;
  (void)past; /* unused without such stores */
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

/* Row q of a plane that a transform reads, from a field on. */
INLINE row to_row(const flow_modes *m, const pfft3d_plane *p, ptrdiff_t q, int field) {
  return row_at(p->to, 2 * (q * m->to + field * p->to_distance), 2 * p->to_distance);
}

/* ---- quantities that the flow carries ---- */

/* Rows of one quantity c, with d c/dt = -i k.flux - gradient velocity - decay. */
typedef struct carried {
  const REAL *flux[3];   /* u c by axis */
  const REAL *velocity;  /* along x */
  const REAL *old, *now; /* at the beginning of the step, and of the stage */
  REAL *sum, *keep, *to; /* the new value goes to both */
} carried;

INLINE void carry_row(const flow_modes *m, const flow_decay *decay, scalars x, REAL gradient,
                      const int stage, REAL dt, carried c) {
  const REAL *k2 = m->k2, *e2 = decay->along, *f0 = c.flux[0], *f1 = c.flux[1], *f2 = c.flux[2];
  const REAL *velocity = c.velocity, *old = c.old, *now = c.now;
  REAL *sum = c.sum, *keep = c.keep, *to = c.to;
  SIMD for (ptrdiff_t i = 0; i < 2 * m->length; i += 2) {
    REAL k0 = x.k[0] + x.unit[0] * k2[i], k1 = x.k[1] + x.unit[1] * k2[i];
    REAL kz = x.k[2] + x.unit[2] * k2[i], kk = k0 * k0 + k1 * k1 + kz * kz, e = x.e * e2[i];
    REAL friction = x.viscosity * kk - (kk > 0 && kk <= x.band ? x.rate : 0);
    REAL re = k0 * f0[i + 1] + k1 * f1[i + 1] + kz * f2[i + 1];
    REAL im = -(k0 * f0[i] + k1 * f1[i] + kz * f2[i]);
    re -= gradient * velocity[i] + friction * now[i];
    im -= gradient * velocity[i + 1] + friction * now[i + 1];
    re = stage_value(stage, dt, e, old[i], now[i], re, sum + i);
    im = stage_value(stage, dt, e, old[i + 1], now[i + 1], im, sum + i + 1);
    keep[i] = to[i] = re;
    keep[i + 1] = to[i + 1] = im;
  }
}

/* Component number c of a row of the state, whose fluxes are fields of p->from from `flux` on, to
 * field `to` of p->to. */
INLINE void carry(const flow_modes *m, const flow_fields *f, const pfft3d_plane *p, ptrdiff_t q,
                  int stage, REAL dt, int c, int flux, int to, const REAL *velocity) {
  const int solute = c > 0, first = 3 - m->dims;
  const flow_decay *decay = &m->decay[solute];
  scalars x = scalars_of(m, decay, p->index, q);
  REAL *at[3]; /* of the state, the stage, the sum */
  void *const arrays[3] = {f->u, f->stage, f->sum};
  for (int k = 0; k < 3; k++)
    at[k] = (REAL *)arrays[k] + 2 * (p->index * m->stride[0] + q * m->stride[1] + c * m->distance);
  carried r = {.velocity = velocity,
               .old = at[0],
               .now = stage ? at[1] : at[0],
               .sum = at[2],
               .keep = stage == 3 ? at[0] : at[1],
               .to = to_row(m, p, q, to).c[0]};
  for (int a = 0; a < 3; a++) /* of two dimensions, the wave number of axis 0 is 0 */
    r.flux[a] = (const REAL *)p->from +
                2 * (q * m->from + (flux + (a < first ? 0 : a - first)) * p->from_distance);
  if (solute) x.rate = 0;
  REAL g = solute ? (REAL)m->gradient : 0;
  switch (stage) {
    case 0: carry_row(m, decay, x, g, 0, dt, r); break;
    case 1: carry_row(m, decay, x, g, 1, dt, r); break;
    case 2: carry_row(m, decay, x, g, 2, dt, r); break;
    default: carry_row(m, decay, x, g, 3, dt, r);
  }
}

/* The velocity of a row of omega in two dimensions: psi = omega / k^2, u = (d psi/dy, -d psi/dx).
 */
INLINE void plane_velocity(const flow_modes *m, const pfft3d_plane *p, ptrdiff_t q,
                           const REAL *omega) {
  scalars x = scalars_of(m, m->decay, p->index, q);
  const REAL *k2 = m->k2;
  row u = to_row(m, p, q, 0);
  for (ptrdiff_t i = 0; i < 2 * m->length; i += 2) {
    REAL kx = x.k[1] + x.unit[1] * k2[i], ky = x.k[2] + x.unit[2] * k2[i];
    REAL kk = kx * kx + ky * ky + TINY, re = omega[i] / kk, im = omega[i + 1] / kk;
    u.c[0][i] = -ky * im, u.c[0][i + 1] = ky * re;
    u.c[1][i] = kx * im, u.c[1][i + 1] = -kx * re;
  }
}

/* A row in two dimensions: omega is carried as the scalar is.  A gradient needs the velocity of the
 * stage that ends, for a moment where that of the next one will be. */
INLINE void advance_plane(const flow_modes *m, const flow_fields *f, const pfft3d_plane *p,
                          ptrdiff_t q, int stage, REAL dt) {
  const REAL *u = to_row(m, p, q, 0).c[0];
  if (m->scalar) {
    plane_velocity(m, p, q, own_row(m, stage ? f->stage : f->u, p->index, q).c[0]);
    carry(m, f, p, q, stage, dt, 1, 2, 3, u);
  }
  carry(m, f, p, q, stage, dt, 0, 0, 2, p->from);
  plane_velocity(m, p, q, to_row(m, p, q, 2).c[0]);
}

/* ---- planes of modes ---- */

CLONES static void start(const flow_modes *m, const flow_fields *f, const pfft3d_plane *p) {
  const size_t bytes = 2 * (size_t)m->length * sizeof(REAL);
  for (ptrdiff_t q = 0; q < m->rows[1]; q++) {
    row u = own_row(m, f->u, p->index, q), to = to_row(m, p, q, 0);
    if (m->dims == 2) {
      memcpy(to_row(m, p, q, 2).c[0], u.c[0], bytes);
      if (m->scalar) memcpy(to_row(m, p, q, 3).c[0], u.c[1], bytes);
      plane_velocity(m, p, q, u.c[0]);
      continue;
    }
    keep_row(m, to, u, 0);
    if (m->scalar) memcpy(to_row(m, p, q, 6).c[0], u.c[0] + 6 * m->distance, bytes);
    curl_row(m, scalars_of(m, m->decay, p->index, q), to, to_row(m, p, q, 3));
  }
}

/* The row of the vorticity has the sum before it gets the vorticity.  The scalar comes before the
 * velocity, whose old value it may need. */
INLINE void advance_velocity(const flow_modes *m, const flow_fields *f, const pfft3d_plane *p,
                             ptrdiff_t q, int stage, REAL dt) {
  scalars x = scalars_of(m, m->decay, p->index, q);
  row change = row_at(p->from, 2 * q * m->from, 2 * p->from_distance), to = to_row(m, p, q, 0);
  row u = own_row(m, f->u, p->index, q), of = own_row(m, f->stage, p->index, q);
  row sum = own_row(m, f->sum, p->index, q), more = to_row(m, p, q, 3);
  if (m->scalar) carry(m, f, p, q, stage, dt, 3, 3, 6, stage ? of.c[0] : u.c[0]);
  switch (stage) {
    case 0: advance_row(m, x, 0, dt, change, u, u, sum, to); break;
    case 1: advance_row(m, x, 1, dt, change, u, of, more, to); break;
    case 2: advance_row(m, x, 2, dt, change, u, of, sum, to); break;
    default: advance_row(m, x, 3, dt, change, u, of, sum, to);
  }
  if (stage == 1) keep_row(m, sum, more, m->past);
  keep_row(m, stage == 3 ? u : of, to, stage == 1 || stage == 2 ? 0 : m->past);
  curl_row(m, x, to, more);
}

CLONES static void advance(const flow_modes *m, const flow_fields *f, const pfft3d_plane *p,
                           int stage, double dt) {
  for (ptrdiff_t q = 0; q < m->rows[1]; q++)
    if (m->dims == 2)
      advance_plane(m, f, p, q, stage, (REAL)dt);
    else
      advance_velocity(m, f, p, q, stage, (REAL)dt);
}

/* ---- points ---- */

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

/* The same with a scalar, whose fluxes follow. */
INLINE void product_scalar_row(const REAL *u, ptrdiff_t from, REAL *n, ptrdiff_t to,
                               ptrdiff_t length) {
  SIMD for (ptrdiff_t i = 0; i < length; i++) {
    REAL a = u[i], b = u[from + i], c = u[2 * from + i], scalar = u[6 * from + i];
    REAL x = u[3 * from + i], y = u[4 * from + i], z = u[5 * from + i];
    n[i] = b * z - c * y;
    n[to + i] = c * x - a * z;
    n[2 * to + i] = a * y - b * x;
    n[3 * to + i] = a * scalar;
    n[4 * to + i] = b * scalar;
    n[5 * to + i] = c * scalar;
  }
}

/* Fluxes of omega and of the scalar in two dimensions. */
INLINE void product_plane_row(const REAL *u, ptrdiff_t from, REAL *n, ptrdiff_t to,
                              ptrdiff_t length, int scalar) {
  for (ptrdiff_t i = 0; i < length; i++) {
    REAL a = u[i], b = u[from + i], w = u[2 * from + i], c = scalar ? u[3 * from + i] : 0;
    n[i] = a * w;
    n[to + i] = b * w;
    if (!scalar) continue;
    n[2 * to + i] = a * c;
    n[3 * to + i] = b * c;
  }
}

/* Eight sums at a time: the compiler keeps the order of additions, and a single sum would wait for
 * each. */
INLINE void measure_row(const flow_points *p, ptrdiff_t r, const REAL *u, ptrdiff_t distance,
                        const int dims) {
  const int turns = dims == 3 ? 3 : 1; /* components of the vorticity */
  enum { LANES = 8 };
  double energy[LANES] = {0}, enstrophy[LANES] = {0}, speed[LANES] = {0};
  for (ptrdiff_t i = 0; i < p->length; i += LANES) {
    int count = p->length - i < LANES ? (int)(p->length - i) : LANES;
    for (int j = 0; j < count; j++) {
      double a = u[i + j], b = u[distance + i + j], c = dims == 3 ? u[2 * distance + i + j] : 0;
      double x = u[dims * distance + i + j], y = 0, z = 0;
      if (turns == 3) y = u[4 * distance + i + j], z = u[5 * distance + i + j];
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
  for (ptrdiff_t q = 0; q < p->rows; q++) {
    ptrdiff_t r = plane->index * p->number[0] + q * p->number[1];
    const REAL *u = (const REAL *)plane->from + q * p->from;
    if (p->dims == 2)
      measure_row(p, r, u, plane->from_distance, 2);
    else
      measure_row(p, r, u, plane->from_distance, 3);
  }
}

CLONES static void product(const flow_points *p, const pfft3d_plane *plane) {
  const ptrdiff_t from = plane->from_distance, to = plane->to_distance;
  for (ptrdiff_t q = 0; q < p->rows; q++) {
    const REAL *u = (const REAL *)plane->from + q * p->from;
    REAL *n = (REAL *)plane->to + q * p->to;
    if (p->dims == 2)
      product_plane_row(u, from, n, to, p->length, p->scalar);
    else if (p->scalar)
      product_scalar_row(u, from, n, to, p->length);
    else
      product_row(u, from, n, to, p->length);
  }
}

const flow_loops LOOPS = {
    .start = start, .advance = advance, .product = product, .measure = measure};
