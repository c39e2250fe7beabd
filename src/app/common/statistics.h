/* SPDX-License-Identifier: BSD-3-Clause
 * Whether two samples differ, and by how much, from the order of their values alone: nothing is
 * assumed of how times are distributed, and one outlier counts as one value. */
#ifndef PF_APP_COMMON_STATISTICS_H
#define PF_APP_COMMON_STATISTICS_H

/* Two samples x and y. */
typedef struct rank_result {
  double p;         /* that values in random order would differ as much, two-sided */
  double least_p;   /* the smallest p that so many values can give */
  double shift;     /* of y against x: the median of all differences y - x */
  double low, high; /* its interval of 95 % confidence; NAN where so few values give none */
} rank_result;

/** Local. Compares @p x (m values, ascending) with @p y (n values, ascending).  0, or 1 where there
 *  is no memory. */
int stat_compare(const double *x, int m, const double *y, int n, rank_result *r);

/** Local. p of `count` tests that are done together, raised so that a single wrong verdict among
 * them all is as rare as it would be of one test alone. */
void stat_holm(const double *p, double *adjusted, int count);

/** Local. The value below which the part @p q of the (ascending) values lies. */
double stat_quantile(const double *x, int count, double q);

/** Local. The median of the values, which it sorts. */
double stat_median(double *x, int count);

/** Local. How many values each sample must have, to be found different at the level @p level among
 *  `tests` tests. */
int stat_needed(int tests, double level);

/** Local. Sorts the values, ascending. */
void stat_sort(double *x, int count);

#endif
