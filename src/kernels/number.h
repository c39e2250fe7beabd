/* SPDX-License-Identifier: BSD-3-Clause
 * Common parts of the kernels: complex numbers, the items of a thread, a clock for phases. Every
 * kernel is compiled twice, the second time (PF_SINGLE) in single precision. */
#ifndef PF_KERNELS_NUMBER_H
#define PF_KERNELS_NUMBER_H

#include "kernels/kernel.h"

#ifdef _OPENMP
#include <omp.h>
#else
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
static inline int omp_get_num_threads(void) {
  return 1;
}
static inline int omp_get_thread_num(void) {
  return 0;
}
#endif

#ifdef PF_SINGLE
typedef float real;
#define PF_KERNEL(name) pf_##name##_single
#else
typedef double real;
#define PF_KERNEL(name) pf_##name##_double
/* The description of a kernel is defined once, with its code in double precision. */
#define PF_DESCRIBE
#endif

typedef struct number {
  real re, im;
} number;

static inline number plus(number a, number b) {
  return (number){a.re + b.re, a.im + b.im};
}
static inline number minus(number a, number b) {
  return (number){a.re - b.re, a.im - b.im};
}
static inline number times(number a, number b) {
  return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
/* Times +i or -i. */
static inline number times_i(number a, int sign) {
  return sign > 0 ? (number){-a.im, a.re} : (number){a.im, -a.re};
}

/* The lowest `bits` bits of i in reversed order: neighbours are exchanged, then pairs, nibbles,
 * bytes. */
static inline size_t reverse_bits(size_t i, int bits) {
  unsigned long long x = i;
  x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
  x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
  return bits ? (size_t)(__builtin_bswap64(x) >> (64 - bits)) : 0;
}

/* Calls a function that all threads of a team run together.  A team of one does without OpenMP: a
 * parallel region costs as much as a short line.  The next two macros are for such functions: a
 * team of one may be a thread of another team. */
#define PF_PRAGMA(words) _Pragma(#words)
#define RUN_TEAM(team, call)                    \
  do {                                          \
    if ((team) == 1) {                          \
      call;                                     \
    } else {                                    \
      PF_PRAGMA(omp parallel num_threads(team)) \
      call;                                     \
    }                                           \
  } while (0)

static inline void wait_for_team(int team) {
  if (team == 1) return;
#pragma omp barrier
}

/* Of the items 0 .. total-1, this thread of a team takes first .. last-1. */
typedef struct span {
  size_t first, last;
} span;
static inline span my_share(size_t total, int team) {
  if (team == 1) return (span){0, total};
  size_t threads = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
  size_t each = total / threads, more = total % threads;
  size_t first = each * me + (me < more ? me : more);
  return (span){first, first + each + (me < more)};
}

/* Items are numbered in groups of a power of two: number of items from i to the end of its group,
 * or to `last`.  Loops over groups and loops within a group are both shared this way. */
static inline size_t rest_of_group(size_t i, size_t group, size_t last) {
  size_t rest = group - (i & (group - 1));
  return rest < last - i ? rest : last - i;
}

/* Adds the time since `start` to a phase; returns the time now. */
static inline double end_phase(const pf_kernel_line *line, pf_phase phase, double start) {
  if (!line->phase) return 0;
  double now = pf_kernel_clock();
  line->phase[phase] += now - start;
  return now;
}
static inline double start_phases(const pf_kernel_line *line) {
  return line->phase ? pf_kernel_clock() : 0;
}

#endif
