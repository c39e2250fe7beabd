/* SPDX-License-Identifier: BSD-3-Clause
 * Stockham, radix 2: each stage writes its results in the order that the next stage reads, to the
 * other of two arrays.
 *
 *     stage 0, stride 1          stage 1, stride 2          stage 2, stride 4
 *
 *     x0 x1 x2 x3 x4 x5 x6 x7    pairs side by side          y0 .. y7 in order
 *      \           /             (even, odd results)
 *       a         b   distance n/2, in every stage
 *        \       /
 *       a+b  (a-b)w   side by side, `stride` apart
 *
 * With gs = n / stride points in a group, butterfly (p, q), p < gs/2, q < stride, reads points
 * q + stride p and q + stride (p + gs/2), and writes q + stride 2p and q + stride (2p + 1); w is
 * exp(-2 pi i p/gs).  No bit reversal, no strides but 1 along q: from the third stage on, accesses
 * of a vector unit or a GPU are contiguous.
 * Threads share the n/2 butterflies of a stage; a barrier ends it.
 * Source: W. T. Cochran et al., 1967 (Stockham's autosort); Mota, algorithm 3. */
#include "kernels/number.h"

static void stage(const number *x, number *y, size_t n, size_t stride, const number *w, int team) {
  span s = my_share(n / 2, team);
  size_t pairs = n / 2 / stride; /* gs/2 */
  int shift = __builtin_ctzll(stride);
  for (size_t i = s.first, count; i < s.last; i += count) {
    size_t p = i >> shift;
    const number *a = x + i, *b = x + i + n / 2;
    number *to = y + i + stride * p, root = w[pairs + p];
    count = rest_of_group(i, stride, s.last);
    for (size_t q = 0; q < count; q++) {
      number u = a[q], v = b[q];
      to[q] = plus(u, v);
      to[q + stride] = times(minus(u, v), root);
    }
  }
}

static void stages(const pf_kernel_plan *p, const pf_kernel_line *l) {
  const number *x = l->in;
  for (int k = 0; k < p->bits; k++) {
    number *y = (p->bits - k) % 2 ? l->out : l->work; /* the last stage writes `out` */
    stage(x, y, p->size, (size_t)1 << k, p->roots, p->team);
    x = y;
    wait_for_team(p->team);
  }
}

void PF_KERNEL(stockham2)(const pf_kernel_plan *p, const pf_kernel_line *l) {
  if (p->size == 1) *(number *)l->out = *(const number *)l->in;
  RUN_TEAM(p->team, stages(p, l));
}

#ifdef PF_DESCRIBE
const pf_kernel pf_kernel_stockham2 = {.name = "stockham2",
                                       .summary = "Stockham, radix 2, sorts in each stage",
                                       .device = "cpu",
                                       .work = 1,
                                       .roots = PF_STAGE_ROOTS,
                                       .line = {pf_stockham2_double, pf_stockham2_single}};
#endif
