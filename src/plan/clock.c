/* SPDX-License-Identifier: BSD-3-Clause
 * The counter of x86-64 processors (TSC).  It counts at a constant rate, in step on all cores,
 * where the processor says so (Intel's manual, volume 3, 18.17.1, "Invariant TSC"); reading it
 * takes a third of the time of clock_gettime(), which reads it too. */
#include "plan/clock.h"

#include <mpi.h>
#include <stdint.h>

#include "base/simulate.h"

static double rate; /* seconds per count; 0: unknown */

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

double pf_clock(void) {
  return rate > 0 ? (double)count() * rate : MPI_Wtime();
}

void pf_clock_compare(void) {
  static const double least = 1e-4; /* in which readings are good to three digits at least */
  static uint64_t first;
  static double start;
  if (!counts()) return;
  if (!first) {
    first = count();
    start = MPI_Wtime();
    return;
  }
  uint64_t now = count();
  double seconds = MPI_Wtime() - start;
  if (seconds >= least && now > first) rate = seconds / (double)(now - first);
}
