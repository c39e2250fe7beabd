/* SPDX-License-Identifier: BSD-3-Clause
 * FFT1: radix 2 in SPMD style.  Every thread has a chunk of the result and runs the same program on
 * it; only the last stages read beyond the chunk.  A power of two of threads.
 *
 *     16 points, 4 threads           T0          T1          T2          T3
 *     bit reversal: chunk t is the   0 8 4 12    2 10 6 14   1 9 5 13    3 11 7 15
 *     order of chunk 0 plus offset   +0          +2          +1          +3
 *     roots of all stages            one thread, into a table that all read
 *     butterfly1: stages 2, 4        within      within      within      within
 *     butterfly2: stage 8            T0 <-----> T1           T2 <-----> T3
 *                 stage 16           T0 <----------------> T2,  T1 <-----------------> T3
 *
 * In butterfly2 a thread computes its own chunk alone: the lower one of a pair the sums, the upper
 * one the differences, from one array to another, so that no thread overwrites input of another.
 * Each product by a root is computed by both.
 * Phases: all four.  The table of roots is made in each run, by one thread.
 * Source: T.-H. Weng, S.-W. Huang, W. W. Ro, K.-C. Li, Implementing FFT using SPMD style of OpenMP
 * (bit reversal after J. J. Rodriguez, 1988).  There the input is overwritten by the table, w is
 * exp(+2 pi i/n), and the second array is too short (m/2). */
#include "kernels/number.h"

/* The next number in the order of reversed bits, of numbers below `top`, a power of two: a counter
 * whose carry runs from the highest bit down. */
static size_t next_reversed(size_t j, size_t top) {
  size_t k = top / 2;
  while (k && k <= j) {
    j -= k;
    k /= 2;
  }
  return j + k;
}

/* The chunk of a thread, in order: A[j + offset]. */
static void bit_reverse(const number *a, number *chunk, size_t n, size_t points, size_t offset) {
  for (size_t i = 0, j = 0; i < points; i++) {
    chunk[i] = a[j + offset];
    j = next_reversed(j, n);
  }
}

/* A stage within a chunk: groups of m points. */
static void butterfly1(number *y, const number *w, size_t points, size_t m) {
  for (size_t i = 0; i < points; i += m)
    for (size_t j = 0; j < m / 2; j++) {
      number a = y[i + j], wb = times(w[m / 2 + j], y[i + j + m / 2]);
      y[i + j] = plus(a, wb);
      y[i + j + m / 2] = minus(a, wb);
    }
}

/* A stage across chunks: the chunk at `first` of the result, groups of m points. */
static void butterfly2(const number *x, number *y, const number *w, size_t first, size_t points,
                       size_t m) {
  size_t half = m / 2, index = first & (m - 1);
  const number *lower = x + first - (index < half ? 0 : half), *upper = lower + half;
  const number *root = w + half + (index & (half - 1));
  if (index < half)
    for (size_t i = 0; i < points; i++) y[first + i] = plus(lower[i], times(root[i], upper[i]));
  else
    for (size_t i = 0; i < points; i++) y[first + i] = minus(lower[i], times(root[i], upper[i]));
}

/* State shared by all threads. */
typedef struct problem {
  size_t n, chunks, points; /* points: of a chunk */
  number *w;
} problem;

/* Every chunk, by its thread: chunk t by thread t, if as many threads run as requested. */
#define FOR_CHUNKS(p, t) \
  for (size_t t = (size_t)omp_get_thread_num(); t < (p)->chunks; t += (size_t)omp_get_num_threads())

static void sort(const problem *p, const number *x, number *y) {
  size_t offset[64 * 64]; /* one for each possible thread */
  offset[0] = 0;
  for (size_t t = 1; t < p->chunks; t++) offset[t] = next_reversed(offset[t - 1], p->chunks);
#pragma omp parallel num_threads((int)p->chunks)
  FOR_CHUNKS(p, t) bit_reverse(x, y + t * p->points, p->n, p->points, offset[t]);
}

static void stages_within(const problem *p, number *y) {
  for (size_t m = 2; m <= p->points; m *= 2) {
#pragma omp parallel num_threads((int)p->chunks)
    FOR_CHUNKS(p, t) butterfly1(y + t * p->points, p->w, p->points, m);
  }
}

static void stages_across(const problem *p, number *x, number *y) {
  for (size_t m = 2 * p->points; m <= p->n; m *= 2) {
#pragma omp parallel num_threads((int)p->chunks)
    FOR_CHUNKS(p, t) butterfly2(x, y, p->w, t * p->points, p->points, m);
    number *last = x;
    x = y;
    y = last;
  }
}

void PF_KERNEL(spmd1)(const pf_kernel_plan *plan, const pf_kernel_line *l) {
  enum { MOST = 64 * 64 };
  problem p = {.n = plan->size, .chunks = 1, .w = (number *)l->work + plan->size};
  while (2 * p.chunks <= (size_t)plan->team && 2 * p.chunks <= p.n && 2 * p.chunks <= MOST)
    p.chunks *= 2;
  p.points = p.n / p.chunks;
  int swaps =
      __builtin_ctzll(p.chunks); /* number of stages across chunks; the last one writes `out` */
  number *y = swaps % 2 ? l->work : l->out, *z = swaps % 2 ? l->out : l->work;

  double start = start_phases(l);
  sort(&p, l->in, y);
  start = end_phase(l, PF_BIT_REVERSAL, start);
  PF_KERNEL(roots)(p.w, p.n, plan->sign, PF_STAGE_ROOTS);
  start = end_phase(l, PF_ROOTS, start);
  stages_within(&p, y);
  start = end_phase(l, PF_BUTTERFLY1, start);
  stages_across(&p, y, z);
  end_phase(l, PF_BUTTERFLY2, start);
}

#ifdef PF_DESCRIBE
const pf_kernel pf_kernel_spmd1 = {
    .name = "spmd1",
    .summary = "FFT1: radix 2 in SPMD style, a chunk per thread",
    .device = "cpu",
    .work = 2,
    .phases = 1 << PF_BIT_REVERSAL | 1 << PF_ROOTS | 1 << PF_BUTTERFLY1 | 1 << PF_BUTTERFLY2,
    .line = {pf_spmd1_double, pf_spmd1_single}};
#endif
