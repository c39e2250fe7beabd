/* SPDX-License-Identifier: BSD-3-Clause
 * The radices of engine simd for a length.  Nothing is measured: a length always has the same ones,
 * so that processors with and without wide vectors agree to the last bit. */
#include <math.h>
#include <string.h>

#include "local/simd.h"

/* The largest radix of several passes, a prime; 14, 15 and 16 points do not fit into 16 vectors.
 * (With AVX-512 8 16 would take 0.82 of the time of 8 4 4; with AVX2 it takes 1.0 to 1.15.) */
enum { largest = 13 };

/* The cost of a pass of each radix on a point, relative to that of radix 8.  (Zen 5, double
 * precision, lines of 18 to 512 points in 95 sets of radices: these costs and two constants give
 * the times within 4 %.) */
static const double cost_of[largest + 1] = {
    [2] = 0.75, [3] = 0.95, [4] = 1.05, [5] = 1.02,  [6] = 0.98,  [7] = 1.17,
    [8] = 1,    [9] = 1.2,  [10] = 1.1, [11] = 2.05, [12] = 0.83, [13] = 2.7};

/* The cheapest radices, at most `most`, in descending order, whose product is n; returns their
 * cost, or INFINITY if there are none. */
static double cheapest(ptrdiff_t n, int most, int *radix, int *count) {
  double best = n == 1 ? 0 : INFINITY;
  *count = 0;
  for (int r = most; r > 1 && n > 1; r--) {
    int rest[PF_SIMD_PASSES], more;
    if (n % r) continue;
    double cost = cost_of[r] + cheapest(n / r, r, rest, &more);
    if (cost >= best) continue;
    best = cost;
    radix[0] = r;
    memcpy(radix + 1, rest, (size_t)more * sizeof *rest);
    *count = 1 + more;
  }
  return best;
}

/* Divides n by its prime factors beyond the radices, and notes these. */
static int large_primes(ptrdiff_t *n, int radix[PF_SIMD_PASSES]) {
  int count = 0;
  for (int r = PF_SIMD_PRIME; r > PF_SIMD_RADIX; r--) {
    if (r % 2 == 0 || r % 3 == 0 || r % 5 == 0 || r % 7 == 0 || r % 11 == 0) continue;
    for (; *n % r == 0; *n /= r) radix[count++] = r;
  }
  return count;
}

/* Nonzero if the radices divide n without remainder. */
static int is_smooth(ptrdiff_t n) {
  for (int r = 2; r <= PF_SIMD_RADIX; r++)
    while (n % r == 0) n /= r;
  return n == 1;
}

int pf_simd_factors(ptrdiff_t n) {
  int radix[PF_SIMD_PASSES];
  large_primes(&n, radix);
  return is_smooth(n);
}

double pf_simd_cost(ptrdiff_t n) {
  int radix[PF_SIMD_PASSES], count;
  return is_smooth(n) ? (double)n * cheapest(n, largest, radix, &count) : INFINITY;
}

int pf_simd_radices(ptrdiff_t n, int first, int radix[PF_SIMD_PASSES]) {
  int passes = large_primes(&n, radix), count = 1;
  if (first) radix[passes++] = first, n /= first;
  if (!passes && n <= PF_SIMD_RADIX)
    radix[0] = (int)n;
  else
    cheapest(n, largest, radix + passes, &count);
  passes += count;
  while (passes < 2 || radix[passes - 1] > PF_SIMD_RADIX) radix[passes++] = 1;
  return passes;
}
