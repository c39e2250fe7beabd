/* SPDX-License-Identifier: BSD-3-Clause
 * Radix 2, decimation in time, iterative: bit reversal, then stages in place.
 *
 *     x0 -- x0 --o-------o-------o--- y0        a ---------o--- a + w b
 *     x1 -\ x4 --o-      |-      |-   y1                \ /
 *     x2 -- x2 --o-------o-      |-   y2                / \
 *     x3 -\ x6 --o-      |       |-   y3        b - * w ---o--- a - w b
 *     x4 -/ x1 --o-------o-------o-   y4
 *     x5 -- x5 --o-      |-           y5        Stage m = 2, 4, ..., n combines groups of m points:
 *     x6 -/ x3 --o-------o-           y6        point j with point j + m/2, w = exp(-2 pi i j/m).
 *     x7 -- x7 --o-      |            y7
 *
 * The recursion of recursive.c, one level after the other from the bottom: a stage passes over all
 * points, so a line that does not fit a cache crosses it log2 n times; and the bit reversal jumps
 * through memory.  Serial, as in the source.
 * Source: J. W. Cooley and J. W. Tukey, Math. Comp. 19, 1965; Mota, algorithm 1; Rao, listing 1.
 * These multiply w by w_m from one butterfly to the next; here w comes from a table (roots.c). */
#include "kernels/number.h"

void PF_KERNEL(dit)(const pf_kernel_plan *p, const pf_kernel_line *l) {
  const number *x = l->in, *w = p->roots;
  number *y = l->out;
  size_t n = p->size;
  double start = start_phases(l);
  for (size_t i = 0; i < n; i++) y[reverse_bits(i, p->bits)] = x[i];
  start = end_phase(l, PF_BIT_REVERSAL, start);
  for (size_t m = 2; m <= n; m *= 2)
    for (size_t k = 0; k < n; k += m)
      for (size_t j = 0; j < m / 2; j++) {
        number a = y[k + j], wb = times(w[m / 2 + j], y[k + j + m / 2]);
        y[k + j] = plus(a, wb);
        y[k + j + m / 2] = minus(a, wb);
      }
  end_phase(l, PF_BUTTERFLY1, start);
}

#ifdef PF_DESCRIBE
const pf_kernel pf_kernel_dit = {.name = "dit",
                                 .summary = "radix 2, decimation in time, bit reversal first",
                                 .device = "cpu",
                                 .serial = 1,
                                 .roots = PF_STAGE_ROOTS,
                                 .phases = 1 << PF_BIT_REVERSAL | 1 << PF_BUTTERFLY1,
                                 .line = {pf_dit_double, pf_dit_single}};
#endif
