/* SPDX-License-Identifier: BSD-3-Clause
 * The definition: every result is a sum over all points.
 *
 *     y[0]   | 1  1   1   1  | x[0]          n^2 products.  The exponent i k is taken mod n, so a
 *     y[1] = | 1  w   w^2 w^3| x[1]          table of n roots is enough, and grows by k with each
 *     y[2]   | 1  w^2 1   w^2| x[2]          step: no product of indices, no division.
 *     y[3]   | 1  w^3 w^2 w  | x[3]
 *
 * Any size.  Rounding errors grow like sqrt(n), those of the FFTs like sqrt(log n).  Rows are
 * independent of each other: threads share them.
 * Source: J. Mota, High Performance Fourier Transforms on GPUs, Universidade do Minho, 2.2. */
#include "kernels/number.h"

void PF_KERNEL(dft)(const pf_kernel_plan *p, const pf_kernel_line *l) {
  const number *x = l->in, *w = p->roots;
  number *y = l->out;
  size_t n = p->size;
#pragma omp parallel for num_threads(p->team) schedule(static)
  for (size_t k = 0; k < n; k++) {
    number sum = {0, 0};
    for (size_t i = 0, ik = 0; i < n; i++) {
      sum = plus(sum, times(x[i], w[ik]));
      ik += k;
      if (ik >= n) ik -= n;
    }
    y[k] = sum;
  }
}

#ifdef PF_DESCRIBE
const pf_kernel pf_kernel_dft = {.name = "dft",
                                 .summary = "the definition, n^2 products",
                                 .device = "cpu",
                                 .any_size = 1,
                                 .square = 1,
                                 .roots = PF_ALL_ROOTS,
                                 .line = {pf_dft_double, pf_dft_single}};
#endif
