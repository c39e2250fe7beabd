/* SPDX-License-Identifier: BSD-3-Clause
 * Natural order: decimation in frequency whose halves are put into order one by one, instead of a
 * bit reversal.
 *
 *     down: butterflies, groups of n, n/2, ..., 2       up: composition, groups of 4, 8, ..., n
 *
 *       q            q+m                                  q            q+m
 *       | a a a a a a | b b b b b b |                     | e0 e1 e2 .. | o0 o1 o2 .. |
 *         \             /                                    |    \        /
 *       | a + b       | (a - b) w   |                     | e0 o0 e1 o1 e2 o2 ..      |
 *
 * After the butterflies of a group its first half becomes the results with even index, its second
 * half those with odd index.  Once both are in order, x[q + 2p] = y[q + p] and x[q + 2p + 1] =
 * y[q + m + p] put the group into order, which passes over all points as a stage does: about twice
 * the memory traffic of dif.c, for accesses without jumps.  A group of 2 needs no composition.
 * stockham2.c does both in one pass.
 * Threads share the butterflies of a stage, and its points; a barrier ends each.
 * Source: T. Okahisa, OTFFT; Mota, 4.1.2, equations 10 and 11. */
#include "kernels/number.h"

/* Butterflies in groups of 2m points; x and y may be the same. */
static void butterflies(const number *x, number *y, size_t n, size_t m, const number *w, int team) {
  span s = my_share(n / 2, team);
  for (size_t i = s.first, count; i < s.last; i += count) {
    size_t p = i & (m - 1), q = 2 * (i - p);
    count = rest_of_group(i, m, s.last);
    for (size_t j = p; j < p + count; j++) {
      number a = x[q + j], b = x[q + j + m];
      y[q + j] = plus(a, b);
      y[q + j + m] = times(minus(a, b), w[m + j]);
    }
  }
}

/* Interleaves both halves of groups of 2m points. */
static void compose(const number *y, number *x, size_t n, size_t m, int team) {
  span s = my_share(n / 2, team);
  for (size_t i = s.first, count; i < s.last; i += count) {
    size_t p = i & (m - 1), q = 2 * (i - p);
    count = rest_of_group(i, m, s.last);
    for (size_t j = p; j < p + count; j++) {
      x[q + 2 * j] = y[q + j];
      x[q + 2 * j + 1] = y[q + j + m];
    }
  }
}

static void stages(const pf_kernel_plan *p, const pf_kernel_line *l) {
  int swaps = p->bits - 1; /* number of compositions; the last one writes `out` */
  const number *x = l->in;
  number *y = swaps % 2 ? l->work : l->out, *z = swaps % 2 ? l->out : l->work;
  for (size_t m = p->size / 2; m >= 1; m /= 2) {
    butterflies(x, y, p->size, m, p->roots, p->team);
    x = y;
    wait_for_team(p->team);
  }
  for (size_t m = 2; m < p->size; m *= 2) {
    compose(y, z, p->size, m, p->team);
    number *last = y;
    y = z;
    z = last;
    wait_for_team(p->team);
  }
}

void PF_KERNEL(natural)(const pf_kernel_plan *p, const pf_kernel_line *l) {
  if (p->size == 1)
    *(number *)l->out = *(const number *)l->in;
  else
    RUN_TEAM(p->team, stages(p, l));
}

#ifdef PF_DESCRIBE
const pf_kernel pf_kernel_natural = {.name = "natural",
                                     .summary = "natural order by composition, no bit reversal",
                                     .device = "cpu",
                                     .work = 1,
                                     .roots = PF_STAGE_ROOTS,
                                     .line = {pf_natural_double, pf_natural_single}};
#endif
