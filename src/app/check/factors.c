/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of the factors of all kinds of axes, from their definitions; see factors.h. */
#include "app/check/factors.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef long double complex wide;

wide factors_product(wide x, wide y) {
  long double a = creall(x), b = cimagl(x), c = creall(y), d = cimagl(y);
  return (a * c - b * d) + (wide)I * (a * d + b * c);
}

/* j k mod n, exactly, of numbers below n. */
static ptrdiff_t product_mod(ptrdiff_t j, ptrdiff_t k, ptrdiff_t n) {
  if (n <= UINT32_MAX) return (ptrdiff_t)((uint64_t)j * (uint64_t)k % (uint64_t)n);
  return (ptrdiff_t)((unsigned __int128)j * (unsigned __int128)k % (size_t)n);
}

/* exp(sign 2 pi i (j step mod n)/n), j = 0..count-1. */
static wide *factor_table(ptrdiff_t count, ptrdiff_t step, ptrdiff_t n, int sign) {
  const long double two_pi = 2 * acosl(-1.0L);
  wide *w = malloc((size_t)count * sizeof *w);
  if (!w) return NULL;
  for (ptrdiff_t j = 0; j < count; j++) {
    ptrdiff_t m = product_mod(j, step, n);
    if (2 * m > n) m -= n; /* a small angle has more correct digits */
    long double angle = two_pi * (long double)m / (long double)n;
    w[j] = cosl(angle) + (wide)I * (sign * sinl(angle));
  }
  return w;
}

wide *factors_table(ptrdiff_t n, ptrdiff_t k, int sign) {
  return factor_table(n, k, n, sign);
}

enum { LONG_AXIS = 1 << 16 };

/* Contribution of point j to result k of a real DFT. */
static long double half_factor(pfft3d_axis_kind kind, ptrdiff_t n, ptrdiff_t j, ptrdiff_t k) {
  long double angle = 2 * acosl(-1.0L) * (long double)product_mod(j, k, n) / (long double)n;
  ptrdiff_t half = kind == PFFT3D_R2HC ? k : j; /* index on the side of real and imaginary parts */
  if (kind == PFFT3D_DHT) return cosl(angle) + sinl(angle);
  int times = kind == PFFT3D_R2HC || half == 0 || 2 * half == n ? 1 : 2;
  return times * (2 * half <= n ? cosl(angle) : sinl(angle));
}

/* Contribution of point j to result k of a cosine or sine transform; the angle is pi a b/(4 m). */
static long double kind_factor(pfft3d_axis_kind kind, ptrdiff_t n, ptrdiff_t j, ptrdiff_t k) {
  if (kind >= PFFT3D_DHT) return half_factor(kind, n, j, k);
  int sine = kind >= PFFT3D_DST1, type = ((int)kind - PFFT3D_DCT1) % 4 + 1;
  ptrdiff_t m = type > 1 ? n : sine ? n + 1 : n - 1, whole = sine ? 2 : 0;
  ptrdiff_t a = 2 * j + (type == 2 || type == 4 ? 1 : whole);
  ptrdiff_t b = 2 * k + (type == 3 || type == 4 ? 1 : whole);
  long double angle = acosl(-1.0L) * (long double)product_mod(a, b, 8 * m) / (4 * (long double)m);
  int single = sine ? type == 3 && j == n - 1
                    : (type == 1 && (j == 0 || j == n - 1)) || (type == 3 && j == 0);
  return (single ? 1 : 2) * (sine ? sinl(angle) : cosl(angle));
}

/* The factor of result k at point j, or for direct sums of point k at result j. */
static long double real_factor(const factors *w, ptrdiff_t j) {
  ptrdiff_t point = w->by_point ? j : w->k, result = w->by_point ? w->k : j;
  return w->axis == PFFT3D_NONE ? j == w->k : kind_factor(w->axis, w->n, point, result);
}

static wide *real_table(const factors *w) {
  wide *table = malloc((size_t)w->n * sizeof *table);
  for (ptrdiff_t j = 0; table && j < w->n; j++) table[j] = real_factor(w, j);
  return table;
}

/* Returns 1 if there is no memory. */
static int open_axis(factors *w, const factors_spec *s, int a) {
  ptrdiff_t n = s->n[a], k = s->k[a];
  int sign = s->sign;
  int dft = s->axis[a] == PFFT3D_DFT;
  *w = (factors){.n = n, .k = k, .axis = s->axis[a], .by_point = s->by_point};
  if (n <= LONG_AXIS) {
    w->low = dft ? factor_table(n, k, n, sign) : real_table(w);
    return !w->low;
  }
  if (!dft) return 0;
  while ((ptrdiff_t)1 << (2 * w->shift) < n) w->shift++;
  w->low = factor_table((ptrdiff_t)1 << w->shift, 1, n, sign);
  w->high = factor_table(((n - 1) >> w->shift) + 1, (ptrdiff_t)1 << w->shift, n, sign);
  return !w->low || !w->high;
}

wide factors_at(const factors *w, ptrdiff_t j) {
  if (!w->low) return real_factor(w, j);
  if (!w->high) return w->low[j];
  ptrdiff_t m = product_mod(j, w->k, w->n);
  return factors_product(w->low[m & (((ptrdiff_t)1 << w->shift) - 1)], w->high[m >> w->shift]);
}

int factors_open(const factors_spec *s, factors w[3]) {
  int failed = 0;
  for (int a = 0; a < 3; a++) failed |= open_axis(&w[a], s, a);
  return failed;
}

void factors_close(factors w[3]) {
  for (int a = 0; a < 3; a++) {
    free(w[a].low);
    free(w[a].high);
  }
}
