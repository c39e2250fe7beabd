/* SPDX-License-Identifier: BSD-3-Clause
 * What the programs bench_solve and bench_dropin have in common: ways that take turns, the first of
 * which does not count, and whose results are compared. */
#ifndef TURNS_H
#define TURNS_H

enum { TURNS_MOST = 99 };

/** Local. The number of turns, which is the first argument; 9 if there is none. */
int turns_of(int argc, char **argv);

/** Collective. Rank 0 prints the load average, after a word such as "before: ". */
void turns_load(const char *when);

/** Collective. Seconds since @p start on the slowest rank. */
double turns_since(double start);

/* The largest difference of two results, and the largest number of the first. */
typedef struct turns_error {
  double difference, number;
} turns_error;

/** Local. Adds a pair of numbers. */
void turns_pair(turns_error *e, double x, double y);

/** Collective. The largest difference of all ranks over the largest number; infinite for NaN, NaN
 *  for 0 everywhere. */
double turns_relative(turns_error e);

#endif
