/* SPDX-License-Identifier: BSD-3-Clause
 * Divide and conquer: the transforms of the points with even and with odd index are combined.
 *
 *     x0 x1 x2 x3 x4 x5 x6 x7                  every second point, then every fourth, ...:
 *       /              \                       a stride, nothing is copied
 *     x0 x2 x4 x6      x1 x3 x5 x7
 *      /    \           /    \
 *     x0 x4  x2 x6    x1 x5  x3 x7             of one point the transform is the point
 *      \    /           \    /
 *     even[0..3]       odd[0..3]               y[k]       = even[k] + w^k odd[k]
 *        \               /                     y[k + n/2] = even[k] - w^k odd[k]
 *         y[0..3] y[4..7]
 *
 * Both halves are finished in y before they are combined, so whatever fits a cache stays there: no
 * other kernel of this folder has this, however large the caches are.  The price is a call for each
 * point, and gathering points of a large stride at the bottom.
 * Threads: the halves are tasks while they are large; the combination of the largest is serial, a
 * share of 2 / log2 n of all work.
 * Source: Lecture 9, The Fast Fourier Transform (after J. Demmel), divide and conquer; Mota, 3. */
#include "kernels/number.h"

enum { TASK = 4096 }; /* number of points from which on halves are tasks */

static void transform(const number *x, size_t stride, number *y, size_t n, const number *w,
                      int tasks) {
  if (n == 1) {
    y[0] = x[0];
    return;
  }
  size_t half = n / 2;
  if (tasks && n >= TASK) {
#pragma omp task
    transform(x, 2 * stride, y, half, w, tasks);
    transform(x + stride, 2 * stride, y + half, half, w, tasks);
#pragma omp taskwait
  } else {
    transform(x, 2 * stride, y, half, w, 0);
    transform(x + stride, 2 * stride, y + half, half, w, 0);
  }
  for (size_t k = 0; k < half; k++) {
    number even = y[k], odd = times(w[half + k], y[half + k]);
    y[k] = plus(even, odd);
    y[half + k] = minus(even, odd);
  }
}

void PF_KERNEL(recursive)(const pf_kernel_plan *p, const pf_kernel_line *l) {
  if (p->team == 1) {
    transform(l->in, 1, l->out, p->size, p->roots, 0);
    return;
  }
#pragma omp parallel num_threads(p->team)
#pragma omp single
  transform(l->in, 1, l->out, p->size, p->roots, 1);
}

#ifdef PF_DESCRIBE
const pf_kernel pf_kernel_recursive = {.name = "recursive",
                                       .summary = "divide and conquer, even and odd points",
                                       .device = "cpu",
                                       .roots = PF_STAGE_ROOTS,
                                       .line = {pf_recursive_double, pf_recursive_single}};
#endif
