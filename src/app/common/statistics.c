/* SPDX-License-Identifier: BSD-3-Clause
 * Statistics of ranks.
 *
 *   Test:      H. B. Mann and D. R. Whitney, On a test of whether one of two random variables is
 *              stochastically larger than the other, Ann. Math. Statist. 18 (1947) 50-60.
 *   Interval:  J. L. Hodges and E. L. Lehmann, Estimates of location based on rank tests, Ann.
 * Math. Statist. 34 (1963) 598-611. Together:  S. Holm, A simple sequentially rejective multiple
 * test procedure, Scand. J. Statist. 6 (1979) 65-70.
 *
 * Up to EXACT values in both samples the distribution of the rank sum is counted over all
 * assignments of ranks to samples, so that ties need no correction; above it is taken as normal.
 * All ranks are doubled: equal values share the mean of their ranks, which may be half an integer.
 */
#include "app/common/statistics.h"

#include <math.h>
#include <stdlib.h>

enum { EXACT = 60, FEWEST = 5 };

static int ascending(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

void stat_sort(double *x, int count) {
  qsort(x, (size_t)count, sizeof *x, ascending);
}

double stat_quantile(const double *x, int count, double q) {
  double at = q * (count - 1);
  int below = (int)at;
  if (below + 1 >= count) return x[count - 1];
  return x[below] + (at - below) * (x[below + 1] - x[below]);
}

double stat_median(double *x, int count) {
  stat_sort(x, count);
  return stat_quantile(x, count, 0.5);
}

/* ---- The test ----------------------------------------------------------------------------- */

typedef struct sample {
  const double *v; /* ascending */
  int n;
} sample;

/* Twice the sum of the ranks of x among both samples.  `doubled` (unless NULL) returns twice the
 * ranks of all values, *ties the sum of t^3 - t over all groups of t equal values. */
static double rank_sum(const sample *of_x, const sample *of_y, int *doubled, double *ties) {
  const double *x = of_x->v, *y = of_y->v;
  double sum = 0;
  int i = 0, j = 0, m = of_x->n, n = of_y->n;
  *ties = 0;
  while (i < m || j < n) {
    double value = j >= n || (i < m && x[i] <= y[j]) ? x[i] : y[j];
    int first = i + j, before = i;
    while (i < m && x[i] <= value) i++;
    while (j < n && y[j] <= value) j++;
    int equal = i + j - first, twice = first + 1 + i + j;
    double t = equal;
    sum += (double)(i - before) * twice;
    *ties += t * t * t - t;
    for (int k = first; doubled && k < i + j; k++) doubled[k] = twice;
  }
  return sum;
}

/* In how many ways `take` of `all` ranks add up to each sum 0 .. all (all + 1), all doubled (the
 * shift algorithm of Streitberg and Roehmel, 1986).  The caller frees it; NULL without memory. */
static double *count_sums(const int *doubled, int all, int take) {
  size_t sums = (size_t)all * ((size_t)all + 1) + 1, last = (size_t)take * sums;
  double *ways = calloc(last + sums, sizeof *ways);
  if (!ways) return NULL;
  ways[0] = 1;
  for (int k = 0; k < all; k++)
    for (int t = k < take ? k : take - 1; t >= 0; t--) {
      double *from = ways + (size_t)t * sums, *to = from + sums + doubled[k];
      for (size_t s = 0; s + (size_t)doubled[k] < sums; s++) to[s] += from[s];
    }
  for (size_t s = 0; s < sums; s++) ways[s] = ways[last + s];
  return ways;
}

static double sum_of(const double *v, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += v[i];
  return sum;
}

/* The fraction of assignments of ranks to the samples whose sum is at least as far from the mean; <
 * 0 without memory. */
static double exact_p(const int *doubled, int m, int n, double sum_x) {
  int all = m + n, take = m < n ? m : n, sums = all * (all + 1) + 1, mean = take * (all + 1);
  double far = fabs(sum_x - (double)m * (all + 1)), more = 0;
  double *ways = count_sums(doubled, all, take);
  if (!ways) return -1;
  for (int s = 0; s < sums; s++)
    if (abs(s - mean) >= far) more += ways[s];
  double p = more / sum_of(ways, sums);
  free(ways);
  return fmin(p, 1);
}

static double normal_p(double m, double n, double sum_x, double ties) {
  double all = m + n;
  double variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
  double far = fabs(sum_x - m * (all + 1)) / 2 - 0.5; /* corrected for the steps of the sum */
  if (!(variance > 0) || far <= 0) return 1;
  return erfc(far / sqrt(2 * variance));
}

/* ---- The interval ------------------------------------------------------------------------- */

/* Number of differences y - x that are at most d. */
static long long count_differences(const double *x, int m, const double *y, int n, double d) {
  long long count = 0;
  for (int i = 0, j = 0; i < m; i++) {
    while (j < n && y[j] - x[i] <= d) j++;
    count += j;
  }
  return count;
}

/* The k-th smallest of all m n differences y - x, k from 1, found by bisection, since a table may
 * be too large. */
static double difference(const double *x, int m, const double *y, int n, long long k) {
  double low = y[0] - x[m - 1], high = y[n - 1] - x[0];
  if (count_differences(x, m, y, n, low) >= k) return low;
  while (high - low > 1e-16) { /* of logarithms, so a relative precision */
    double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (count_differences(x, m, y, n, middle) >= k)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* The interval is from the k-th smallest difference to the k-th largest: k is the largest number
 * with P(U < k) <= 2.5 % for equal distributions; 0 if there is none, < 0 without memory. */
static long long interval_end(int m, int n) {
  int all = m + n, take = m < n ? m : n, doubled[EXACT] = {0};
  if (all > EXACT) {
    double pairs = (double)m * n, end = pairs / 2 - 1.959964 * sqrt(pairs * (all + 1) / 12);
    return end < 1 ? 0 : (long long)end;
  }
  for (int k = 0; k < all; k++) doubled[k] = 2 * (k + 1);
  double *ways = count_sums(doubled, all, take);
  if (!ways) return -1;
  double total = sum_of(ways, all * (all + 1) + 1), below = 0;
  int least = take * (take + 1); /* the sum for U = 0; U increases by 1 if the sum increases by 2 */
  long long k = 0;
  while (k <= (long long)m * n && (below += ways[least + 2 * k]) <= 0.025 * total) k++;
  free(ways);
  return k;
}

int stat_compare(const double *x, int m, const double *y, int n, rank_result *r) {
  int doubled[EXACT] = {0}, exact = m + n <= EXACT;
  double ties, ways = 1;
  const sample of_x = {x, m}, of_y = {y, n};
  double sum = rank_sum(&of_x, &of_y, exact ? doubled : NULL, &ties);
  long long pairs = (long long)m * n, k = interval_end(m, n);
  r->p = exact ? exact_p(doubled, m, n, sum) : normal_p(m, n, sum, ties);
  if (r->p < 0 || k < 0) return 1;
  for (int i = 1; i <= (m < n ? m : n); i++) ways *= (double)(m + n + 1 - i) / i;
  r->least_p = fmin(2 / ways, 1);
  r->shift = (difference(x, m, y, n, (pairs + 1) / 2) + difference(x, m, y, n, pairs / 2 + 1)) / 2;
  r->low = k ? difference(x, m, y, n, k) : NAN;
  r->high = k ? difference(x, m, y, n, pairs + 1 - k) : NAN;
  return 0;
}

/* ---- Several tests ------------------------------------------------------------------------ */

void stat_holm(const double *p, double *adjusted, int count) {
  double least = 0;
  for (int i = 0; i < count; i++) adjusted[i] = -1; /* not yet computed */
  for (int left = count; left > 0; left--) {
    int next = -1;
    for (int i = 0; i < count; i++)
      if (adjusted[i] < 0 && (next < 0 || p[i] < p[next])) next = i;
    least = adjusted[next] = fmax(least, fmin(left * p[next], 1));
  }
}

int stat_needed(int tests, double level) {
  int n = FEWEST;
  for (double ways = 252; 2 / ways > level / tests; n++) /* (2n choose n) */
    ways *= 4 - 2.0 / (n + 1);
  return n;
}
