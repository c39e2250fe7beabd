/* SPDX-License-Identifier: BSD-3-Clause
 * Radix 2, decimation in frequency, iterative: stages, then bit reversal.  The picture of dit.c
 * from right to left.
 *
 *     x0 --o-------o-------o-- y0 -- y0         a ---------o--- a + b
 *     x1  -|      -|      -o-- y4 \- y1                 \ /
 *     x2  -|      -o-------o-- y2 -- y2                 / \
 *     x3  -|       |      -o-- y6 \- y3         b ---------o--- (a - b) * w
 *     x4  -o-------o-------o-- y1 /- y4
 *     x5          -|      -o-- y5 -- y5         Stage m = n, n/2, ..., 2: sums are the points of
 *     x6          -o-------o-- y3 /- y6         the results with even index, differences times w
 *     x7           |      -o-- y7 -- y7         those of the ones with odd index, each half as
 * long.
 *
 * The first stage reads the input, so that it stays as it is.  Serial, as in the source.
 * Source: W. M. Gentleman and G. Sande, 1966; Mota, algorithm 2. */
#include "kernels/number.h"

/* Groups of m points; x and y may be the same. */
static void stage(const number *x, number *y, size_t n, size_t m, const number *w) {
  for (size_t k = 0; k < n; k += m)
    for (size_t j = 0; j < m / 2; j++) {
      number a = x[k + j], b = x[k + j + m / 2];
      y[k + j] = plus(a, b);
      y[k + j + m / 2] = times(minus(a, b), w[m / 2 + j]);
    }
}

void PF_KERNEL(dif)(const pf_kernel_plan *p, const pf_kernel_line *l) {
  const number *x = l->in;
  number *work = l->work, *y = l->out;
  double start = start_phases(l);
  for (size_t m = p->size; m >= 2; m /= 2) {
    stage(x, work, p->size, m, p->roots);
    x = work;
  }
  start = end_phase(l, PF_BUTTERFLY1, start);
  for (size_t i = 0; i < p->size; i++) y[reverse_bits(i, p->bits)] = x[i];
  end_phase(l, PF_BIT_REVERSAL, start);
}

#ifdef PF_DESCRIBE
const pf_kernel pf_kernel_dif = {.name = "dif",
                                 .summary = "radix 2, decimation in frequency, bit reversal last",
                                 .device = "cpu",
                                 .serial = 1,
                                 .work = 1,
                                 .roots = PF_STAGE_ROOTS,
                                 .phases = 1 << PF_BIT_REVERSAL | 1 << PF_BUTTERFLY1,
                                 .line = {pf_dif_double, pf_dif_single}};
#endif
