/* SPDX-License-Identifier: BSD-3-Clause
 * The counter of x86-64 processors (TSC).  It counts at a constant rate, synchronously on all
 * cores, if the processor reports that (Intel's manual, volume 3, 18.17.1, "Invariant TSC");
 * reading it takes a third of the time of clock_gettime(), which reads it too. */
#include "base/clock.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/simulate.h"

/* Conversion of counts to seconds, from a count on.  Each is written once, before other threads
 * read it. */
typedef struct scale {
  uint64_t from;
  double seconds, rate; /* at that count; per count */
} scale;
enum { SCALES = 12 };
static scale scales[SCALES];
static atomic_int known;     /* number of scales; the last one is valid */
static _Atomic double start; /* of the comparison, by MPI_Wtime() */

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <x86intrin.h>

static int counts(void) {
  unsigned a, b, c, d;
  return !PF_SIMULATED && __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
}
static uint64_t count(void) {
  return __rdtsc();
}
#else
static int counts(void) {
  return 0;
}
static uint64_t count(void) {
  return 0;
}
#endif

static double seconds_at(const scale *s, uint64_t now) {
  return s->seconds + (double)(int64_t)(now - s->from) * s->rate;
}

double pf_wtime(void) {
  return PF_SIMULATED ? pf_simulated_time() : MPI_Wtime();
}

double pf_clock(void) {
  int k = known;
  return k ? seconds_at(&scales[k - 1], count()) : pf_wtime() - start;
}

/* Each scale continues the last one without a step, for runs of other threads. */
void pf_clock_compare(void) {
  static atomic_flag busy = ATOMIC_FLAG_INIT;
  static uint64_t first;
  static double least = 1e-4; /* long enough for readings with three digits */
  if (!counts() || atomic_flag_test_and_set(&busy)) return;
  uint64_t now = count();
  double time = MPI_Wtime(), seconds = time - start;
  int k = known;
  if (!first) {
    first = now;
    start = time;
  } else if (seconds >= least && now > first && k < SCALES) {
    scales[k] = (scale){now, k ? seconds_at(&scales[k - 1], now) : seconds,
                        seconds / (double)(now - first)};
    known = k + 1;
    while (least <= seconds) least *= 10;
  }
  atomic_flag_clear(&busy);
}
