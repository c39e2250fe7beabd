/* SPDX-License-Identifier: BSD-3-Clause
 * Do two samples differ, and by how much?  Computed from the order of their values only: without
 * assumptions on the distribution of times, and one outlier counts as one value. */
#ifndef PF_APP_COMMON_STATISTICS_H
#define PF_APP_COMMON_STATISTICS_H

/* Two samples x and y. */
typedef struct rank_result {
  double p;         /* two-sided probability of such a difference for values in random order */
  double least_p;   /* the smallest p that this number of values can have */
  double shift;     /* of y relative to x: the median of all differences y - x */
  double low, high; /* its interval of 95 % confidence; NAN if there are too few values */
} rank_result;

/** Local. Compares @p x (m values, ascending) with @p y (n values, ascending).  Returns 0, or 1 if
 *  there is no memory. */
int stat_compare(const double *x, int m, const double *y, int n, rank_result *r);

/** Local. Adjusts p of `count` simultaneous tests: the probability of any wrong verdict is then at
 * most that of a single test. */
void stat_holm(const double *p, double *adjusted, int count);

/** Local. The quantile @p q of the (ascending) values. */
double stat_quantile(const double *x, int count, double q);

/** Local. The median of the values, which it sorts. */
double stat_median(double *x, int count);

/** Local. Number of values that each sample needs to be found different at level @p level in one of
 *  `tests` tests. */
int stat_needed(int tests, double level);

/** Local. Sorts the values, ascending. */
void stat_sort(double *x, int count);

#endif
