/* SPDX-License-Identifier: BSD-3-Clause
 * FFT2: radix 2 in SPMD style where each stage stores its results at the permuted index: no bit
 * reversal, but every stage reads beyond the chunk of a thread.
 *
 *     stage     reads             writes                            16 points, 4 threads
 *     1  (s=1)  i and i + n/2     2i           and 2i + 1           T0 reads 0 1 and 8 9,
 *     2  (s=2)  i and i + n/2     (i/2)4 + i%2 and that + 2         writes 0 1 2 3
 *     3  (s=4)  i and i + n/2     (i/4)8 + i%4 and that + 4
 *     4  (s=8)  i and i + n/2     i            and that + 8
 *
 *     a = x[i], b = x[i + n/2]:   a + w b, a - w b;   w = exp(-2 pi i (i % s)/2s)
 *
 * The network is the omega network of switches: the same wires in each stage.  A thread has the
 * butterflies i of its chunk.
 * Phases: roots (one thread, in each run) and butterfly2, since no stage stays within a chunk.
 * Source: D. A. Bader and V. Agarwal, FFTC, 2007, rewritten in SPMD style by Weng et al. (see
 * spmd1.c). */
#include "kernels/number.h"

static void stage(const number *x, number *y, size_t n, size_t s, const number *w, int team) {
  span chunk = my_share(n / 2, team);
  for (size_t i = chunk.first, count; i < chunk.last; i += count) {
    size_t j = i & (s - 1);
    const number *a = x + i, *b = x + i + n / 2, *root = w + s + j;
    number *to = y + 2 * (i - j) + j;
    count = rest_of_group(i, s, chunk.last);
    for (size_t k = 0; k < count; k++) {
      number wb = times(root[k], b[k]);
      to[k] = plus(a[k], wb);
      to[k + s] = minus(a[k], wb);
    }
  }
}

static void stages(const pf_kernel_plan *p, const pf_kernel_line *l, const number *w) {
  const number *x = l->in;
  for (int k = 0; k < p->bits; k++) {
    number *y = (p->bits - k) % 2 ? l->out : l->work; /* the last stage writes `out` */
    stage(x, y, p->size, (size_t)1 << k, w, p->team);
    x = y;
    wait_for_team(p->team);
  }
}

void PF_KERNEL(spmd2)(const pf_kernel_plan *p, const pf_kernel_line *l) {
  number *w = (number *)l->work + p->size;
  double start = start_phases(l);
  PF_KERNEL(roots)(w, p->size, p->sign, PF_STAGE_ROOTS);
  start = end_phase(l, PF_ROOTS, start);
  if (p->size == 1) *(number *)l->out = *(const number *)l->in;
  RUN_TEAM(p->team, stages(p, l, w));
  end_phase(l, PF_BUTTERFLY2, start);
}

#ifdef PF_DESCRIBE
const pf_kernel pf_kernel_spmd2 = {.name = "spmd2",
                                   .summary = "FFT2: radix 2 in SPMD style, sorts in each stage",
                                   .device = "cpu",
                                   .work = 2,
                                   .phases = 1 << PF_ROOTS | 1 << PF_BUTTERFLY2,
                                   .line = {pf_spmd2_double, pf_spmd2_single}};
#endif
