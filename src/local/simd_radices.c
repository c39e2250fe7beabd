/* SPDX-License-Identifier: BSD-3-Clause
 * The radices of engine simd for a length.  Nothing is measured: a length always has the same ones,
 * so that processors with and without wide vectors agree to the last bit. */
#include <math.h>
#include <string.h>

#include "local/simd.h"

/* The largest radix of later passes over rows that are transposed once (simd_four_step.h). */
enum { largest_of_rows = 13 };

/* The first pass reads columns and has no twiddles, the last one writes columns. */
enum { first_pass, inner_pass, last_pass };

/* The cost of a pass of each radix, from 2 on, on a point, relative to that of radix 8 as the last
 * one; plans of several passes are compared, so that a constant for each role does not matter.
 * (Sapphire Rapids, 2,900 sets of radices for 215 lengths of 18 to 2048 points, AVX-512 and AVX2,
 * both precisions, least squares: the cheapest set takes on average 1.02 of the time of the fastest
 * one, on the usual lengths 1.01; separate costs for each instruction set would take 1.01
 * to 1.015.) */
static const double cost_of[][PF_SIMD_RADIX + 1] = {
    [first_pass] = {0, 0, 0.14, 0.28, 0.36, 0.50, 0.52, 0.75, 0.67, 0.79, 0.81, 1.19, 0.88, 1.51,
                    1.09, 1.10, 1.15},
    [inner_pass] = {0, 0, 0.84, 1.05, 1.23, 1.33, 1.37, 1.66, 1.57, 1.80, 1.92, 2.52, 2.00, 2.87,
                    2.33, 2.40, 2.45},
    [last_pass] = {0, 0, 0.23, 0.55, 0.65, 0.91, 0.85, 1.24, 1.00, 1.23, 1.35, 1.89, 1.37, 2.16,
                   1.55, 1.73, 1.62}};

/* The cheapest radices whose product is n, from a pass of this role on: inner ones in descending
 * order, at most `most`, and none beyond `largest`.  Returns their cost, or INFINITY if there are
 * none. */
static double cheapest(ptrdiff_t n, int role, int most, int largest, int *radix, int *count) {
  double best = n == 1 ? 0 : INFINITY;
  *count = 0;
  if (n > 1 && n <= largest) best = cost_of[last_pass][radix[(*count)++] = (int)n];
  if (n <= largest && role == first_pass) return best;
  for (int r = most; r > 1; r--) {
    int rest[PF_SIMD_PASSES], more, next = role == first_pass ? largest : r;
    if (n % r || n == r) continue;
    double cost = cost_of[role][r] + cheapest(n / r, inner_pass, next, largest, rest, &more);
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
  if (!is_smooth(n)) return INFINITY;
  return (double)n * cheapest(n, first_pass, PF_SIMD_RADIX, PF_SIMD_RADIX, radix, &count);
}

int pf_simd_radices(ptrdiff_t n, int first, int radix[PF_SIMD_PASSES]) {
  int passes = large_primes(&n, radix), most = first ? largest_of_rows : PF_SIMD_RADIX, count;
  if (first) radix[passes++] = first, n /= first;
  cheapest(n, passes ? inner_pass : first_pass, most, most, radix + passes, &count);
  passes += count;
  while (passes < 2 || radix[passes - 1] > PF_SIMD_RADIX) radix[passes++] = 1;
  return passes;
}
