/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of random cases: their random numbers, and a main() that continues after a failed case,
 * names it, and counts.  A case depends only on the seed, its number and the number of ranks. */
#ifndef PF_TESTS_CASES_H
#define PF_TESTS_CASES_H

#include "support.h"

/* The random numbers of a case: the same on every rank. */
typedef struct dice {
  uint64_t state;
} dice;

/* 0 .. n-1 */
int roll(dice *d, int n);

int percent(dice *d, int chance);

/* Any name of a registry, or "auto". */
const char *roll_name(dice *d, pfft3d_list list);

/* Any engine that "auto" chooses from, or "auto"; the engine PFFT3D_TEST_ENGINE, if that is set,
 * such as a device's. */
const char *roll_engine(dice *d);

/* Input of "auto": machines of all kinds, so that its decisions vary. */
void roll_machine(dice *d, pfft3d_machine *m);

/* Local. One of a few values. */
#define ROLL_ONE(d, list) ((list)[roll(d, (int)(sizeof(list) / sizeof *(list)))])

/* Settings that change no bit of the result: threads, limits, messages, simulated nodes. */
void roll_settings(dice *d, int ranks, pfft3d_request *r);

/* Local. `deterministic` in that share of cases (percent), and nearly always with FFTW, which
 * measures its plans otherwise: most of the time of a test. */
void roll_deterministic(dice *d, int chance, pfft3d_request *r);

/* Local. Names the exchange of a request, and uses messages if the exchange cannot store. */
void name_exchange(pfft3d_request *r, const char *algo);

/* ---- the current case ---- */

extern long case_weight; /* number of cases that one counts for; 1 */

/* Local. Adds to the line that describes and repeats the current case. */
void case_tell(const char *format, ...);

/* ---- cases ---- */

/* One case, collective on MPI_COMM_WORLD; it describes itself with case_tell(). */
typedef void test_case_function(dice *d, uint64_t seed, long number, int ranks);

/* Collective on MPI_COMM_WORLD. The main() of random tests: cases with numbers of a seed, by the
 * arguments [seed [first case [count]]]. */
int run_cases(int argc, char **argv, long usual, const char *name, test_case_function *test);

#endif
