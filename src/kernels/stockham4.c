/* SPDX-License-Identifier: BSD-3-Clause
 * Stockham, radix 4: half as many stages as stockham2.c, so half of its memory traffic, and three
 * products for four points where two stages of radix 2 take four.
 *
 *     a --+---- a+c --+---- (a+c) + (b+d)               four points at distance n/4
 *     b --|-+-- b+d --|-+-- (a-c) - i(b-d)   * w        become four side by side,
 *     c --+-|-- a-c --+-|-- (a+c) - (b+d)    * w^2      `stride` apart
 *     d ----+-- b-d ----+-- (a-c) + i(b-d)   * w^3
 *
 * A product by i exchanges two numbers and costs nothing.  If log2 n is odd, the last stage is one
 * of radix 2, whose roots are all 1.
 * Threads share the n/4 butterflies of a stage; a barrier ends it.
 * Source: Mota, 4.1.4 (radix 4 instead of radix 2). */
#include "kernels/number.h"

static void stage4(const pf_kernel_plan *plan, const number *x, number *y, size_t stride) {
  const number *w = plan->roots;
  size_t n = plan->size;
  span s = my_share(n / 4, plan->team);
  size_t quarter = n / 4 / stride; /* quarter of the points in a group */
  int shift = __builtin_ctzll(stride);
  for (size_t i = s.first, count; i < s.last; i += count) {
    size_t p = i >> shift;
    const number *from = x + i;
    number *to = y + i + 3 * stride * p;
    number w1 = w[2 * quarter + p], w2 = w[quarter + p], w3 = times(w1, w2);
    count = rest_of_group(i, stride, s.last);
    for (size_t q = 0; q < count; q++) {
      number a = from[q], b = from[q + n / 4], c = from[q + n / 2], d = from[q + n / 2 + n / 4];
      number sum = plus(a, c), difference = minus(a, c);
      number other = plus(b, d), rotated = times_i(minus(b, d), plan->sign);
      to[q] = plus(sum, other);
      to[q + stride] = times(plus(difference, rotated), w1);
      to[q + 2 * stride] = times(minus(sum, other), w2);
      to[q + 3 * stride] = times(minus(difference, rotated), w3);
    }
  }
}

/* The last stage of radix 2. */
static void stage2(const number *x, number *y, size_t n, int team) {
  span s = my_share(n / 2, team);
  for (size_t q = s.first; q < s.last; q++) {
    number a = x[q], b = x[q + n / 2];
    y[q] = plus(a, b);
    y[q + n / 2] = minus(a, b);
  }
}

static void stages(const pf_kernel_plan *p, const pf_kernel_line *l) {
  const number *x = l->in;
  int count = (p->bits + 1) / 2;
  for (int k = 0; k < count; k++) {
    number *y = (count - k) % 2 ? l->out : l->work; /* the last stage writes `out` */
    if (2 * k + 1 < p->bits)
      stage4(p, x, y, (size_t)1 << (2 * k));
    else
      stage2(x, y, p->size, p->team);
    x = y;
    wait_for_team(p->team);
  }
}

void PF_KERNEL(stockham4)(const pf_kernel_plan *p, const pf_kernel_line *l) {
  if (p->size == 1) *(number *)l->out = *(const number *)l->in;
  RUN_TEAM(p->team, stages(p, l));
}

#ifdef PF_DESCRIBE
const pf_kernel pf_kernel_stockham4 = {.name = "stockham4",
                                       .summary = "Stockham, radix 4, half as many stages",
                                       .device = "cpu",
                                       .work = 1,
                                       .roots = PF_STAGE_ROOTS,
                                       .line = {pf_stockham4_double, pf_stockham4_single}};
#endif
