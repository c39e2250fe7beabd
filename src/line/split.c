/* SPDX-License-Identifier: BSD-3-Clause
 * Factors of a length: n = n1 n2, both about the root of n, with small primes, and at least the
 * number of ranks. */
#include <math.h>
#include <stdint.h>

#include "base/memory.h"
#include "line/line.h"

enum { primes = 64, trial = 1 << 20 };

/* Prime factors in ascending order; the cofactor beyond trial division counts as prime. */
static int factor(ptrdiff_t n, ptrdiff_t prime[primes]) {
  int count = 0;
  for (ptrdiff_t p = 2; p <= trial && p * p <= n; p += p == 2 ? 1 : 2)
    for (; n % p == 0; n /= p) prime[count++] = p;
  if (n > 1 || count == 0) prime[count++] = n;
  return count;
}

/* Relative cost of a point of lines of n points: a sum over primes, as convolution beyond the
 * largest prime that engines implement, and more if a line exceeds the cache. */
static double cost(ptrdiff_t n, const pf_engine *engine, pfft3d_precision precision) {
  enum { largest = 127, fits = 8192 };
  ptrdiff_t prime[primes];
  double sum = 1, bits = log2((double)n);
  if (!engine->supports(n, precision)) return INFINITY;
  for (int k = factor(n, prime) - 1; k >= 0; k--)
    sum += prime[k] > largest ? 4 * bits : prime[k] > 7 ? 0.1 * (double)prime[k] : 0.3;
  return n > fits ? sum + 2 * (bits - 13) : sum;
}

/* Nonzero if a cyclic side needs a redistribution, as the ranks do not divide its rows. */
static int unfit(ptrdiff_t row, int ranks, int cyclic) {
  return cyclic && row % ranks != 0;
}

typedef struct search {
  const pf_split_task *task;
  double least;
  ptrdiff_t *best;
} search;

static void consider(search *s, ptrdiff_t n1) {
  const pf_split_task *t = s->task;
  ptrdiff_t n2 = t->n / n1;
  double sum = cost(n1, t->engine, t->precision) + cost(n2, t->engine, t->precision);
  sum += 20 * (unfit(n2, t->ranks, t->cyclic[0]) + unfit(n1, t->ranks, t->cyclic[1]));
  if (n1 < t->ranks || n2 < t->ranks) sum += 1e3; /* some ranks would be idle */
  /* Prefer rows of results that are aligned to cache lines, forward and backward. */
  ptrdiff_t line = PF_ALIGN / (ptrdiff_t)pf_element(t->precision);
  sum += 0.6 * (n1 % (t->cyclic[1] ? line * t->ranks : line) != 0);
  sum += 0.3 * (n2 % (t->cyclic[0] ? line * t->ranks : line) != 0);
  sum += 0.5 * fabs(log2((double)n1 / (double)n2)); /* squares, else the shorter factor first */
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
    if (k) product *= prime[0]; /* always a divisor: one more factor might overflow */
    divisors(s, prime + same, count - same, product);
  }
}

/* Nonzero if a split is efficient.  A short line may run on one rank.  Longer ones should fill
 * tiles on all ranks, with factors that the engine computes fast. */
static int worth(const search *s) {
  enum { some = 256, long_line = 8192, tile = 7 }; /* nearly 8 lines: 343 is 7 x 49 */
  int ranks = s->task->ranks;
  ptrdiff_t prime[primes], *n = s->best, least = ranks > tile ? ranks : tile;
  for (int k = 0; k < 2; k++) {
    int count = factor(n[k], prime);
    if (n[k] > long_line && prime[count - 1] > 127) return 0;
  }
  return s->task->n <= some || (n[0] >= least && n[1] >= least);
}

int pf_line_split(const pf_split_task *t, ptrdiff_t split[2]) {
  ptrdiff_t prime[primes];
  search s = {t, INFINITY, split};
  int count = factor(t->n, prime);
  divisors(&s, prime, count, 1);
  return s.least < INFINITY && worth(&s);
}

/* ---- lengths for convolutions ---- */

/* The least number >= n that is `multiple` times powers of 2, 3 and 5. */
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
