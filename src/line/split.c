/* SPDX-License-Identifier: BSD-3-Clause
 * Factors of a length: n = n1 n2, both about the root of n, both of small primes, both at least as
 * many as there are ranks. */
#include <math.h>
#include <stdint.h>

#include "base/memory.h"
#include "line/line.h"

enum { primes = 64, trial = 1 << 20 };

/* Prime factors in ascending order; what is left beyond the trial division counts as one. */
static int factor(ptrdiff_t n, ptrdiff_t prime[primes]) {
  int count = 0;
  for (ptrdiff_t p = 2; p <= trial && p * p <= n; p += p == 2 ? 1 : 2)
    for (; n % p == 0; n /= p) prime[count++] = p;
  if (n > 1 || count == 0) prime[count++] = n;
  return count;
}

/* Seconds for a point of lines of n points, in some unit: by the sum of primes; by convolution
 * beyond the largest that an engine does itself; and longer lines take more than a cache. */
static double cost(ptrdiff_t n, const pf_engine *engine, pfft3d_precision precision) {
  enum { largest = 127, fits = 8192 };
  ptrdiff_t prime[primes];
  double sum = 1, bits = log2((double)n);
  if (!engine->supports(n, precision)) return INFINITY;
  for (int k = factor(n, prime) - 1; k >= 0; k--)
    sum += prime[k] > largest ? 4 * bits : prime[k] > 7 ? 0.1 * (double)prime[k] : 0.3;
  return n > fits ? sum + 2 * (bits - 13) : sum;
}

/* Whether a side can be cyclic out cyclically as it is. */
static int unfit(ptrdiff_t row, int ranks, int cyclic) {
  return cyclic && row % ranks != 0;
}

typedef struct search {
  ptrdiff_t n;
  int ranks;
  const int *cyclic;
  const pf_engine *engine;
  pfft3d_precision precision;
  double least;
  ptrdiff_t *best;
} search;

static void consider(search *s, ptrdiff_t n1) {
  ptrdiff_t n2 = s->n / n1;
  double sum = cost(n1, s->engine, s->precision) + cost(n2, s->engine, s->precision);
  sum += 20 * (unfit(n2, s->ranks, s->cyclic[0]) + unfit(n1, s->ranks, s->cyclic[1]));
  if (n1 < s->ranks || n2 < s->ranks) sum += 1e3; /* some would have nothing to do */
  /* Rows of results that begin with cache lines, forward and backward. */
  ptrdiff_t line = PF_ALIGN / (ptrdiff_t)pf_element(s->precision);
  sum += 0.6 * (n1 % (s->cyclic[1] ? line * s->ranks : line) != 0);
  sum += 0.3 * (n2 % (s->cyclic[0] ? line * s->ranks : line) != 0);
  sum += 0.5 * fabs(log2((double)n1 / (double)n2)); /* squares, else the shorter one first */
  if (n1 > n2) sum += 1e-6;
  if (sum >= s->least) return;
  s->least = sum;
  s->best[0] = n1;
  s->best[1] = n2;
}

static void divisors(search *s, const ptrdiff_t *prime, int count, ptrdiff_t product) {
  if (count == 0) {
    consider(s, product);
    return;
  }
  int same = 1;
  while (same < count && prime[same] == prime[0]) same++;
  for (int k = 0; k <= same; k++) {
    if (k) product *= prime[0]; /* a divisor always: one more factor might not fit */
    divisors(s, prime + same, count - same, product);
  }
}

/* A short line may be done by one rank.  Longer ones should fill tiles on all ranks, and be left to
 * the engine only where it does not take long. */
static int worth(const search *s) {
  enum { some = 256, long_line = 8192, tile = 7 }; /* of 8 lines: 343 is 7 x 49 */
  ptrdiff_t prime[primes], *n = s->best, least = s->ranks > tile ? s->ranks : tile;
  for (int k = 0; k < 2; k++) {
    int count = factor(n[k], prime);
    if (n[k] > long_line && prime[count - 1] > 127) return 0;
  }
  return s->n <= some || (n[0] >= least && n[1] >= least);
}

int pf_line_split(ptrdiff_t n, int ranks, const int cyclic[2], const pf_engine *engine,
                  pfft3d_precision precision, ptrdiff_t split[2]) {
  ptrdiff_t prime[primes];
  search s = {n, ranks, cyclic, engine, precision, INFINITY, split};
  int count = factor(n, prime);
  divisors(&s, prime, count, 1);
  return s.least < INFINITY && worth(&s);
}

/* ---- lengths for convolutions ---- */

/* The least number >= n of no other factors than 2, 3, 5 and, if it has to be divided by them,
 * those of `multiple`. */
static ptrdiff_t smooth_above(ptrdiff_t n, ptrdiff_t multiple) {
  ptrdiff_t need = (n + multiple - 1) / multiple, best = 1;
  while (best < need) best *= 2;
  for (ptrdiff_t five = 1; five < best; five *= 5)
    for (ptrdiff_t three = five; three < best; three *= 3) {
      ptrdiff_t m = three;
      while (m < need) m *= 2;
      if (m < best) best = m;
    }
  return best * multiple;
}

void pf_line_split_above(ptrdiff_t n, int ranks, const int cyclic[2], ptrdiff_t split[2]) {
  ptrdiff_t root = (ptrdiff_t)sqrt((double)n), least = PTRDIFF_MAX;
  ptrdiff_t multiple = cyclic[0] || cyclic[1] || ranks <= 64 ? ranks : 1;
  for (ptrdiff_t row = smooth_above(root / 2 + 1, multiple); row <= 2 * root + multiple;
       row = smooth_above(row + 1, multiple)) {
    ptrdiff_t other = smooth_above((n + row - 1) / row, 1);
    if (row * other >= least) continue;
    least = row * other;
    split[0] = other;
    split[1] = row;
  }
}
