/* SPDX-License-Identifier: BSD-3-Clause
 * The reference, in long double: radix 2, recursive and in place on points in the order of reversed
 * bits.  Roots are products of two tables of about sqrt(n) entries, in long double too. */
#include "apps/kernels/reference.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/watch.h"
#include "kernels/kernel.h"

typedef struct wide {
  long double re, im;
} wide;

static wide product(wide a, wide b) {
  return (wide){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* exp(-2 pi i k/n) = coarse[k / fine] fine[k % fine]. */
typedef struct root_tables {
  size_t n, steps;
  wide *coarse, *fine;
} root_tables;

static wide angle(size_t k, size_t n) {
  long double t = 6.283185307179586476925286766559005768L * ((long double)k / (long double)n);
  return (wide){cosl(t), -sinl(t)};
}

static int make_tables(root_tables *t, size_t n, pfft3d_error *e) {
  t->n = n;
  for (t->steps = 1; t->steps * t->steps < n;) t->steps *= 2;
  size_t most = n / t->steps + 1;
  t->coarse = malloc(most * sizeof(wide));
  t->fine = malloc(t->steps * sizeof(wide));
  if (!t->coarse || !t->fine)
    return app_fail(e, PFFT3D_ERR_MEMORY, "no memory for roots of %zu points", n);
  for (size_t k = 0; k < most; k++) t->coarse[k] = angle(k * t->steps, n);
  for (size_t k = 0; k < t->steps; k++) t->fine[k] = angle(k, n);
  return PFFT3D_OK;
}

static wide root(const root_tables *t, size_t k) {
  return product(t->coarse[k / t->steps], t->fine[k & (t->steps - 1)]);
}

/* ---- the transform ---- */

/* Exchanges points whose numbers have reversed bits: j counts with the carry to the right. */
static void reverse(wide *x, size_t n) {
  for (size_t i = 0, j = 0; i < n; i++) {
    if (i < j) {
      wide last = x[i];
      x[i] = x[j];
      x[j] = last;
    }
    size_t bit = n / 2;
    for (; bit && j & bit; bit /= 2) j &= ~bit;
    j |= bit;
  }
}

static void transform(const root_tables *t, wide *x, size_t n) {
  if (n <= 1) return;
  size_t half = n / 2, step = t->n / n;
  transform(t, x, half);
  transform(t, x + half, half);
  if (n >= (size_t)1 << 20) watch_kick("computing the reference");
  for (size_t k = 0; k < half; k++) {
    wide a = x[k], b = product(x[half + k], root(t, k * step));
    x[k] = (wide){a.re + b.re, a.im + b.im};
    x[half + k] = (wide){a.re - b.re, a.im - b.im};
  }
}

static double read_part(const lines *l, const void *array, size_t at) {
  return l->precision == PFFT3D_DOUBLE ? ((const double *)array)[at] : ((const float *)array)[at];
}

/* Value k of the spectrum of line 0 by its definition: in a matrix, of row k0 and column k1. */
static wide definition(const lines *l, const root_tables *t, size_t k) {
  size_t columns = l->n / l->rows, k0 = k / columns, k1 = k % columns;
  wide sum = {0, 0};
  for (size_t i0 = 0; i0 < l->rows; i0++)
    for (size_t i1 = 0, ik = i0 * k0 * columns % l->n; i1 < columns; i1++) {
      size_t i = i0 * columns + i1;
      wide x = {read_part(l, l->in, 2 * i), read_part(l, l->in, 2 * i + 1)};
      wide term = product(x, root(t, ik));
      sum.re += term.re;
      sum.im += term.im;
      ik = (ik + k1 * l->rows) % l->n;
    }
  return sum;
}

/* Rows, then columns, each copied to `column`. */
static void transform_all(const lines *l, const root_tables *t, wide *x, wide *column) {
  size_t columns = l->n / l->rows;
  for (size_t r = 0; r < l->rows; r++) {
    reverse(x + r * columns, columns);
    transform(t, x + r * columns, columns);
  }
  for (size_t c = 0; c < columns && l->rows > 1; c++) {
    for (size_t r = 0; r < l->rows; r++) column[r] = x[r * columns + c];
    reverse(column, l->rows);
    transform(t, column, l->rows);
    for (size_t r = 0; r < l->rows; r++) x[r * columns + c] = column[r];
  }
}

/* Compares some values of the FFT with the definition. */
static int check_reference(const lines *l, const root_tables *t, pfft3d_error *e) {
  enum { SAMPLES = 2 };
  const wide *x = (const wide *)l->want;
  long double allowed = 64 * LDBL_EPSILON * sqrtl(l->energy);
  for (size_t s = 0; s < SAMPLES; s++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): lines have points */
    size_t k = (s * 1000003 + 1) % l->n;
    wide d = definition(l, t, k);
    watch_kick("checking the reference");
    if (!(fabsl(d.re - x[k].re) + fabsl(d.im - x[k].im) <= allowed))
      return app_fail(e, PFFT3D_ERR_INTERNAL, "the reference of %zu points is wrong at %zu", l->n,
                      k);
  }
  return PFFT3D_OK;
}

static int compute(lines *l, pfft3d_error *e) {
  root_tables t = {0};
  wide *x = (wide *)l->want, *column = malloc(l->rows * sizeof *column);
  int status = make_tables(&t, l->n, e), fast = !(l->n & (l->n - 1));
  if (!column)
    status = app_fail(e, PFFT3D_ERR_MEMORY, "no memory for a column of %zu points", l->rows);
  if (!status) {
    for (size_t k = 0; k < l->n; k++)
      x[k] = fast ? (wide){read_part(l, l->in, 2 * k), read_part(l, l->in, 2 * k + 1)}
                  : definition(l, &t, k);
    if (fast) transform_all(l, &t, x, column);
    l->energy = 0;
    for (size_t k = 0; k < l->n; k++) l->energy += x[k].re * x[k].re + x[k].im * x[k].im;
    status = check_reference(l, &t, e);
  }
  free(column);
  free(t.coarse);
  free(t.fine);
  return status;
}

/* ---- lines ---- */

/* A multiple of 2^-23 in [-1, 1), which both precisions hold (the mixing of splitmix64). */
static double random_part(uint64_t index) {
  uint64_t x = (index + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)((x ^ (x >> 31)) >> 40) * 0x1p-23 - 1;
}

/* A number times i^turns. */
static wide turn(wide x, size_t turns) {
  if (turns & 1) x = (wide){-x.im, x.re};
  if (turns & 2) x = (wide){-x.re, -x.im};
  return x;
}

static void fill(lines *l, long long seed) {
  for (size_t b = 0; b < l->batch; b++)
    for (size_t i = 0; i < l->n; i++) {
      uint64_t index = 2 * (uint64_t)i + ((uint64_t)seed << 44);
      wide x = turn((wide){random_part(index), random_part(index + 1)}, b);
      size_t at = 2 * (b * l->n + i);
      for (size_t c = 0; c < 2; c++)
        if (l->precision == PFFT3D_DOUBLE)
          ((double *)l->in)[at + c] = (double)(c ? x.im : x.re);
        else
          ((float *)l->in)[at + c] = (float)(c ? x.im : x.re);
    }
}

int lines_make(lines *l, long long seed, pfft3d_error *e) {
  size_t bytes;
  if (__builtin_mul_overflow(l->n, l->batch, &bytes) || bytes > SIZE_MAX / 64)
    return app_fail(e, PFFT3D_ERR_MEMORY, "%zu lines of %zu points: too many", l->batch, l->n);
  bytes *= l->precision == PFFT3D_DOUBLE ? 2 * sizeof(double) : 2 * sizeof(float);
  l->in = pf_kernel_take(bytes, e);
  if (l->in) l->out = pf_kernel_take(bytes, e);
  if (l->in && l->out) fill(l, seed);
  return e->status;
}

int lines_refer(lines *l, pfft3d_error *e) {
  l->want = pf_kernel_take(l->n * sizeof(wide), e);
  return l->want ? compute(l, e) : e->status;
}

void lines_free(lines *l) {
  pf_kernel_drop(l->in);
  pf_kernel_drop(l->out);
  pf_kernel_drop(l->want);
  *l = (lines){0};
}

line_errors lines_compare(const lines *l) {
  line_errors worst = {0, 0, 0};
  long double sum = 0, most = 0;
  for (size_t b = 0; b < l->batch; b++)
    for (size_t k = 0; k < l->n; k++) {
      wide w = turn((wide){l->want[k][0], l->want[k][1]}, b);
      size_t at = 2 * (b * l->n + k);
      long double re = read_part(l, l->out, at) - w.re, im = read_part(l, l->out, at + 1) - w.im;
      long double square = re * re + im * im;
      sum += square;
      if (!isnan(most) && !(square <= most)) most = square; /* NaN stays */
      worst.wrong += !(fabsl(re) <= 1e-3L * fabsl(w.re)) + !(fabsl(im) <= 1e-3L * fabsl(w.im));
    }
  long double all = l->energy * (long double)l->batch;
  if (sum == 0) return worst; /* the reference is 0 */
  worst.error = (double)sqrtl(sum / all);
  worst.most = (double)sqrtl(most / (l->energy / (long double)l->n));
  return worst;
}

/* Nonzero if a prime factor has no butterfly: such lengths are computed by the definition or as
 * convolutions, which are several transforms in sequence. */
static int has_large_prime(size_t n) {
  for (size_t p = 2; p <= 13; p++)
    while (n % p == 0) n /= p;
  return n > 1;
}

/* Rounding errors of an FFT grow like u sqrt(log2 n) (Gentleman and Sande 1966), of sums like
 * u sqrt(n); u is half of the distance of 1 to the next number.  With large primes 1.5 times as
 * much was measured. */
double lines_limit(const lines *l, int by_definition, double loose) {
  double u = l->precision == PFFT3D_DOUBLE ? 0x1p-53 : 0x1p-24, n = (double)l->n;
  if (l->n == 1) return 0;
  if (by_definition) return u * sqrt(n);
  return u * sqrt(log2(n)) * fmax(loose, has_large_prime(l->n) ? 2 : 1);
}
