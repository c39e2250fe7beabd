/* SPDX-License-Identifier: BSD-3-Clause
 * Multi-stage: three stages of radix 2 at a time by a transform of 8 points that is written out,
 * then one of 4 or of 2 points for the rest.
 *
 *     16 points = 8 x 2               2048 = 8 x 8 x 8 x 4
 *
 *     kernel of K = 8 points, work item g of n/8:
 *       reads    x[g], x[g + n/8], ..., x[g + 7n/8]       neighbours read neighbours
 *       times    w^0,  w^1,        ..., w^7               w = exp(-2 pi i (g % Ns)/(8 Ns))
 *       8 points in registers
 *       writes   y[d], y[d + Ns],  ..., y[d + 7Ns]        d = (g / Ns) 8 Ns + g % Ns
 *
 * Ns is the product of the kernels so far.  Memory is crossed log8 n times.  Like stockham2.c it
 * sorts as it goes; the order of decimation is the other one.
 * The source computes all seven roots on the fly, by native sine and cosine of a GPU; here three
 * are read from the table, and the others are their products.
 * Source: OpenCL Optimization Case Study: Fast Fourier Transform, part 1 (AMD). */
#include "kernels/number.h"

static inline void fft2(number *v) {
  number a = v[0];
  v[0] = plus(a, v[1]);
  v[1] = minus(a, v[1]);
}

static inline void fft4(number *v, int sign) {
  number a = plus(v[0], v[2]), b = plus(v[1], v[3]);
  number c = minus(v[0], v[2]), d = times_i(minus(v[1], v[3]), sign);
  v[0] = plus(a, b);
  v[1] = plus(c, d);
  v[2] = minus(a, b);
  v[3] = minus(c, d);
}

/* Two of four points, those with even and those with odd index, and a stage of radix 2. */
static inline void fft8(number *v, int sign) {
  const real h = (real)0.70710678118654752440L;
  number e[4] = {v[0], v[2], v[4], v[6]}, o[4] = {v[1], v[3], v[5], v[7]};
  fft4(e, sign);
  fft4(o, sign);
  o[1] = times(o[1], (number){h, (real)sign * h});
  o[2] = times_i(o[2], sign);
  o[3] = times(o[3], (number){-h, (real)sign * h});
  for (int k = 0; k < 4; k++) {
    v[k] = plus(e[k], o[k]);
    v[k + 4] = minus(e[k], o[k]);
  }
}

/* v[k] times w^k, w = exp(sign 2 pi i j/m), m = points * ns.  w^2 and w^4 are roots of earlier
 * stages, so no power takes more than two rounded products. */
static inline void twiddle(number *v, int points, const number *w, size_t ns, size_t j) {
  number power[8];
  for (size_t k = 1, m = ns * (size_t)points; k < (size_t)points; k *= 2)
    power[k] = w[m / k / 2 + j];
  if (points > 2) power[3] = times(power[1], power[2]);
  if (points > 4)
    for (int k = 5; k < 8; k++) power[k] = times(power[k - 4], power[4]);
  for (int k = 1; k < points; k++) v[k] = times(v[k], power[k]);
}

/* Kernels of `points` = 8, 4 or 2 points, a compile-time constant. */
static inline void stage(const pf_kernel_plan *p, const number *x, number *y, size_t ns,
                         int points) {
  const number *w = p->roots;
  size_t n = p->size, step = n / (size_t)points;
  span s = my_share(step, p->team);
  for (size_t g = s.first; g < s.last; g++) {
    number v[8];
    size_t j = g & (ns - 1), to = (g - j) * (size_t)points + j;
    for (int k = 0; k < points; k++) v[k] = x[g + (size_t)k * step];
    if (ns > 1) twiddle(v, points, w, ns, j);
    if (points == 8) fft8(v, p->sign);
    if (points == 4) fft4(v, p->sign);
    if (points == 2) fft2(v);
    for (int k = 0; k < points; k++) y[to + (size_t)k * ns] = v[k];
  }
}

static void stages(const pf_kernel_plan *p, const pf_kernel_line *l) {
  const number *x = l->in;
  int count = (p->bits + 2) / 3;
  for (int k = 0, left = p->bits; k < count; k++, left -= 3) {
    number *y = (count - k) % 2 ? l->out : l->work; /* the last stage writes `out` */
    size_t ns = (size_t)1 << (3 * k);
    if (left >= 3)
      stage(p, x, y, ns, 8);
    else if (left == 2)
      stage(p, x, y, ns, 4);
    else
      stage(p, x, y, ns, 2);
    x = y;
    wait_for_team(p->team);
  }
}

void PF_KERNEL(multistage)(const pf_kernel_plan *p, const pf_kernel_line *l) {
  if (p->bits == 0) *(number *)l->out = *(const number *)l->in;
  RUN_TEAM(p->team, stages(p, l));
}

#ifdef PF_DESCRIBE
const pf_kernel pf_kernel_multistage = {.name = "multistage",
                                        .summary = "kernels of 8, 4 and 2 points, written out",
                                        .device = "cpu",
                                        .work = 1,
                                        .roots = PF_STAGE_ROOTS,
                                        .line = {pf_multistage_double, pf_multistage_single}};
#endif
