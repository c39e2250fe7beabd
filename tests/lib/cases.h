/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of random cases: their dice, and a main() that goes on after a failed case, tells which it
 * was, and counts.  A case is made from the seed, its number and the number of ranks alone. */
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

/* Any engine that "auto" chooses from, or "auto"; PFFT3D_TEST_ENGINE in the environment: that one,
 * as of a device. */
const char *roll_engine(dice *d);

/* What "auto" reckons with: machines of all kinds, so that it decides in many ways. */
void roll_machine(dice *d, pfft3d_machine *m);

/* Local. One of a few values. */
#define ROLL_ONE(d, list) ((list)[roll(d, (int)(sizeof(list) / sizeof *(list)))])

/* What changes no bit: threads, limits, messages, made-up nodes. */
void roll_settings(dice *d, int ranks, pfft3d_request *r);

/* Local. Names the exchange of a request, and lets it send what it cannot store. */
void name_exchange(pfft3d_request *r, const char *algo);

/* ---- which case ---- */

extern long case_weight; /* what one case counts for; 1 */

/* Local. Adds to the line that repeats the case under way, which says what it is. */
void case_tell(const char *format, ...);

/* ---- cases ---- */

/* One case, collective on MPI_COMM_WORLD; it says what it is with case_tell(). */
typedef void test_case_function(dice *d, uint64_t seed, long number, int ranks);

/* Collective on MPI_COMM_WORLD. The main() of random tests: cases with numbers of a seed, as the
 * arguments [seed [first case [count]]] say. */
int run_cases(int argc, char **argv, long usual, const char *name, test_case_function *test);

#endif
