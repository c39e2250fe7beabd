/* SPDX-License-Identifier: BSD-3-Clause
 * Radix 2 with OpenMP loops: dit.c, where each loop whose iterations are independent is shared
 * among the threads by the compiler.
 *
 *     bit reversal   for i            shared: it is a permutation
 *     stages         for m            one after the other
 *       groups         for k            shared: n/m groups
 *         butterflies    for j            one after the other
 *
 *     m = 2    [01][23][45][67]  4 groups: enough for 4 threads
 *     m = 4    [0123][4567]      2 groups: two threads work
 *     m = 8    [01234567]        1 group: one thread works
 *
 * In the last log2(threads) stages threads are idle, and a thread of the stage before may be on the
 * other side of the machine.  The shared loop begins and ends a parallel region in each stage.
 * Source: Y. Rao, High Performance Computing Implementation of FFT, New York University, 2019. */
#include "kernels/number.h"

void PF_KERNEL(radix2)(const pf_kernel_plan *p, const pf_kernel_line *l) {
  const number *x = l->in, *w = p->roots;
  number *y = l->out;
  size_t n = p->size;
  double start = start_phases(l);
#pragma omp parallel for num_threads(p->team) schedule(static)
  for (size_t i = 0; i < n; i++) y[i] = x[reverse_bits(i, p->bits)];
  start = end_phase(l, PF_BIT_REVERSAL, start);
  for (size_t m = 2; m <= n; m *= 2) {
#pragma omp parallel for num_threads(p->team) schedule(static)
    for (size_t k = 0; k < n; k += m)
      for (size_t j = 0; j < m / 2; j++) {
        number t = times(w[m / 2 + j], y[k + j + m / 2]), u = y[k + j];
        y[k + j] = plus(u, t);
        y[k + j + m / 2] = minus(u, t);
      }
  }
  end_phase(l, PF_BUTTERFLY1, start);
}

#ifdef PF_DESCRIBE
const pf_kernel pf_kernel_radix2 = {.name = "radix2",
                                    .summary = "radix 2, OpenMP loops over groups",
                                    .device = "cpu",
                                    .roots = PF_STAGE_ROOTS,
                                    .phases = 1 << PF_BIT_REVERSAL | 1 << PF_BUTTERFLY1,
                                    .line = {pf_radix2_double, pf_radix2_single}};
#endif
