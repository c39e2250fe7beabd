/* SPDX-License-Identifier: BSD-3-Clause
 * Test support: counts checks, and one verdict agreed by all ranks. A test's first comment names
 * its rank counts, "ranks: 1 2 3 4 6"; tests/mpirun.sh reads it. */
#ifndef PF_TESTS_CHECK_H
#define PF_TESTS_CHECK_H

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Checks so far, failed checks, and printed failures, which random tests count per case. Functions
 * called by a plan check in its threads, too. */
extern _Atomic long check_done, check_failed, check_shown;

/* Local. Counts a check; the first failures are printed with file, line and the given words. */
#define CHECK(condition, ...)                                                   \
  do {                                                                          \
    check_done++;                                                               \
    if (!(condition) && ++check_failed && check_shown++ < 10) {                 \
      fprintf(stderr, "%s:%d: not true: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                                             \
      fputc('\n', stderr);                                                      \
    }                                                                           \
  } while (0)

/* The larger of two errors; NaN is larger than any number. */
static inline double check_worse(double a, double b) {
  return isnan(a) || a >= b ? a : b;
}

/* Called by check_result() before it counts, if set: checks at the end. */
extern void (*check_at_end)(void);

/* Collective on MPI_COMM_WORLD. Ends a test: finalizes MPI; 0 if every check of every rank held and
 * there was at least one, else 1, on all ranks. */
int check_result(void);

#endif
