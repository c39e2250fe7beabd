/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The statistics of compare, against what follows from their definitions: every way to distribute
 * values over two samples, all differences in a sorted table, the recursion of Mann and Whitney,
 * and many samples whose truth is known. */
#include <math.h>

#include "app/compare/statistics.h"
#include "support.h"

static uint64_t state = 1;

/* In (0, 1), the same sequence in every run. */
static double next_uniform(void) {
  return ((double)(mix(state++) >> 11) + 0.5) * 0x1p-53;
}

static void fill_normal(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = sqrt(-2 * log(next_uniform())) * cos(6.283185307179586 * next_uniform());
}

/* Pairs with x > y, equal ones half, twice. */
static int twice_u(const double *x, int m, const double *y, int n) {
  int u = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) u += (x[i] >= y[j]) + (x[i] > y[j]);
  return u;
}

/* The share of all ways to deal x and y out anew that are as far from the middle. */
static double p_by_all_ways(const double *x, int m, const double *y, int n) {
  double v[16], a[16], b[16];
  long far = 0, ways = 0;
  int u = abs(twice_u(x, m, y, n) - m * n);
  memcpy(v, x, (size_t)m * sizeof *v);
  memcpy(v + m, y, (size_t)n * sizeof *v);
  for (unsigned set = 0; set < 1u << (m + n); set++) {
    int in = 0, out = 0;
    for (int k = 0; k < m + n; k++)
      if ((set >> k) & 1)
        a[in++] = v[k];
      else
        b[out++] = v[k];
    if (in != m) continue;
    ways++;
    far += abs(twice_u(a, m, b, n) - m * n) >= u;
  }
  return (double)far / (double)ways;
}

/* With values from few numbers there are ties. */
static void test_all_ways(void) {
  static const int values[] = {2, 4, 9, 1000000};
  double x[8], y[8];
  rank_result r;
  for (int m = 1; m <= 5; m++)
    for (int n = 1; n <= 6; n++)
      for (int k = 0; k < 4 * 5; k++) {
        for (int i = 0; i < m; i++) x[i] = floor(next_uniform() * values[k % 4]);
        for (int i = 0; i < n; i++) y[i] = floor(next_uniform() * values[k % 4]);
        stat_sort(x, m);
        stat_sort(y, n);
        CHECK(!stat_compare(x, m, y, n, &r), "memory");
        double p = p_by_all_ways(x, m, y, n);
        CHECK(fabs(r.p - p) < 1e-12, "%d and %d of %d values: %g, not %g", m, n, values[k % 4], r.p,
              p);
        CHECK(r.least_p <= r.p * (1 + 1e-12) || values[k % 4] < 1000000, "least p %g, p %g",
              r.least_p, r.p);
      }
}

/* P(U < k) for samples without ties, by the recursion of Mann and Whitney: the largest value
 * belongs to the one sample or to the other. */
static double below(int m, int n, int k) {
  size_t most = (size_t)(m * n + 1);
  double *f = get((size_t)(m + 1) * (size_t)(n + 1) * most * sizeof *f), sum = 0, all = 0;
#define WAYS(i, j, u) f[((size_t)(i) * (size_t)(n + 1) + (size_t)(j)) * most + (size_t)(u)]
  for (int i = 0; i <= m; i++)
    for (int j = 0; j <= n; j++)
      for (int u = 0; u <= m * n; u++) {
        if (!i || !j)
          WAYS(i, j, u) = u == 0;
        else
          WAYS(i, j, u) = (u >= j ? WAYS(i - 1, j, u - j) : 0) + WAYS(i, j - 1, u);
      }
  for (int u = 0; u <= m * n; u++) {
    all += WAYS(m, n, u);
    if (u < k) sum += WAYS(m, n, u);
  }
#undef WAYS
  free(f);
  return sum / all;
}

static int ascending(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

/* The median of all differences, and the interval that leaves k - 1 out at either end. */
static void check_interval(int m, int n, int k) {
  double *x = get((size_t)m * sizeof *x), *y = get((size_t)n * sizeof *y);
  double *d = get((size_t)m * (size_t)n * sizeof *d);
  int count = 0;
  rank_result r;
  fill_normal(x, m);
  fill_normal(y, n);
  stat_sort(x, m);
  stat_sort(y, n);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) d[count++] = y[j] - x[i];
  qsort(d, (size_t)count, sizeof *d, ascending);
  CHECK(!stat_compare(x, m, y, n, &r), "memory");
  CHECK(fabs(r.shift - (d[(count - 1) / 2] + d[count / 2]) / 2) < 1e-14, "%d x %d: shift %.17g", m,
        n, r.shift);
  if (k)
    CHECK(fabs(r.low - d[k - 1]) < 1e-14 && fabs(r.high - d[count - k]) < 1e-14,
          "%d x %d: %.17g to %.17g, not %.17g to %.17g", m, n, r.low, r.high, d[k - 1],
          d[count - k]);
  else
    CHECK(isnan(r.low) && isnan(r.high), "%d x %d: an interval", m, n);
  free(x);
  free(y);
  free(d);
}

static void test_intervals(void) {
  /* 1 more than the critical values of U, two-sided at 5 %, of the usual tables */
  static const int table[][3] = {{3, 3, 0},  {3, 5, 1},   {4, 4, 1},    {5, 5, 3},     {5, 8, 7},
                                 {8, 8, 14}, {7, 12, 19}, {10, 10, 24}, {20, 20, 128}, {1, 30, 0}};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    check_interval(table[k][0], table[k][1], table[k][2]);
  for (int m = 1; m <= 9; m++)
    for (int n = 1; n <= 9; n++) {
      int k = 0;
      while (below(m, n, k + 1) <= 0.025) k++;
      check_interval(m, n, k);
    }
  /* many: k by the normal approximation, which differs from its neighbours */
  check_interval(40, 30, (int)(600 - 1.959964 * sqrt(1200 * 71 / 12.0)));
  check_interval(700, 900, (int)(315000 - 1.959964 * sqrt(630000 * 1601 / 12.0)));
}

/* Beyond what is counted: p against the exact one, of samples that are more and more apart. */
static void test_many(void) {
  enum { N = 35 };
  double x[N], y[N];
  rank_result r;
  for (int apart = 0; apart < 12; apart++) {
    for (int i = 0; i < N; i++) x[i] = i, y[i] = i + 1.2 * apart + 0.3;
    CHECK(!stat_compare(x, N, y, N, &r), "memory");
    double exact = fmin(1, 2 * below(N, N, twice_u(x, N, y, N) / 2 + 1));
    CHECK(fabs(r.p - exact) < 0.003, "apart by %d: %g, not %g", apart, r.p, exact);
  }
  for (int i = 0; i < N; i++) x[i] = y[i] = 7; /* nothing but ties */
  CHECK(!stat_compare(x, N, y, N, &r) && r.p == 1 && r.shift == 0 && r.low == 0 && r.high == 0,
        "all alike: p %g, shift %g, %g to %g", r.p, r.shift, r.low, r.high);
}

static void test_both_ways(void) {
  enum { M = 9, N = 12 };
  double x[M], y[N];
  rank_result r, s;
  for (int k = 0; k < 100; k++) {
    fill_normal(x, M);
    fill_normal(y, N);
    stat_sort(x, M);
    stat_sort(y, N);
    CHECK(!stat_compare(x, M, y, N, &r) && !stat_compare(y, N, x, M, &s), "memory");
    CHECK(r.p == s.p && fabs(r.shift + s.shift) < 1e-14 && fabs(r.low + s.high) < 1e-14 &&
              fabs(r.high + s.low) < 1e-14,
          "%g %g %g, and back %g %g %g", r.shift, r.low, r.high, s.shift, s.low, s.high);
  }
}

/* Samples of one distribution with outliers, as times have them: no more than 5 % are found to
 * differ, and intervals hold the truth in 95 %.  2000 samples say so to 0.5 %. */
static void test_rates(int m, int n) {
  enum { SAMPLES = 2000 };
  const double truth = 0.3;
  double x[64], y[64];
  int differ = 0, held = 0;
  rank_result r;
  for (int k = 0; k < SAMPLES; k++) {
    fill_normal(x, m);
    fill_normal(y, n);
    for (int i = 0; i < m; i++) x[i] *= i % 5 ? 1 : 20;
    for (int i = 0; i < n; i++) y[i] *= i % 5 ? 1 : 20;
    stat_sort(x, m);
    stat_sort(y, n);
    CHECK(!stat_compare(x, m, y, n, &r), "memory");
    differ += r.p <= 0.05;
    for (int i = 0; i < n; i++) y[i] += truth;
    CHECK(!stat_compare(x, m, y, n, &r), "memory");
    held += r.low <= truth && truth <= r.high;
  }
  CHECK(differ <= 0.06 * SAMPLES, "%d of %d are found to differ", differ, SAMPLES);
  CHECK(differ >= 0.01 * SAMPLES, "only %d of %d are found to differ", differ, SAMPLES);
  CHECK(held >= 0.94 * SAMPLES, "%d of %d intervals hold the truth", held, SAMPLES);
}

static void test_together(void) {
  static const double p[] = {0.01, 0.04, 0.03, 0.005, 0.9, 0.04};
  static const double want[] = {0.05, 0.12, 0.12, 0.03, 0.9, 0.12};
  double holm[6], x[] = {1, 2, 4, 8};
  stat_holm(p, holm, 6);
  for (int i = 0; i < 6; i++)
    CHECK(fabs(holm[i] - want[i]) < 1e-15, "%g becomes %g, not %g", p[i], holm[i], want[i]);
  stat_holm(p, holm, 1);
  CHECK(holm[0] == p[0], "a single test is changed to %g", holm[0]);
  CHECK(stat_quantile(x, 4, 0) == 1 && stat_quantile(x, 4, 1) == 8 && stat_quantile(x, 1, 0.5) == 1,
        "ends");
  CHECK(stat_quantile(x, 4, 0.25) == 1.75 && stat_quantile(x, 4, 0.75) == 5, "quartiles");
  for (int tests = 1; tests < 200; tests++) { /* samples that lie apart are found to differ */
    double a[32], b[32];
    rank_result r;
    int n = stat_needed(tests, 0.05);
    for (int i = 0; i < n; i++) a[i] = i, b[i] = 100 + i;
    CHECK(n >= 5 && !stat_compare(a, n, b, n, &r) && r.p * tests <= 0.05, "%d of %d tests", n,
          tests);
    CHECK(fabs(r.least_p - r.p) < 1e-12, "least p %g, p %g", r.least_p, r.p);
    if (n > 5)
      CHECK(!stat_compare(a, n - 1, b, n - 1, &r) && r.p * tests > 0.05, "%d do for %d tests",
            n - 1, tests);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  test_all_ways();
  test_intervals();
  test_many();
  test_both_ways();
  test_rates(9, 9);
  test_rates(7, 15);
  test_rates(40, 45);
  test_together();
  return check_result();
}
