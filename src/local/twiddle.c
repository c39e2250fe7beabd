/* SPDX-License-Identifier: BSD-3-Clause
 * Roots of unity by angles in the first eighth, tables of two levels, factors of tiles.
 *
 * The factors of a tile cost two complex products per point.  They are computed from tables that
 * stay in the L1 cache: about 2 sqrt(n) numbers per line for n points.
 * Source: the two levels, e.g. Bailey, J. Supercomputing 4(1), 1990; the distance from 1 as in
 * Singleton's recurrences. */
#include "local/twiddle.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* The angle is first reduced to the first eighth. */
void pf_root(ptrdiff_t k, ptrdiff_t n, long double w[2]) {
  const long double two_pi = 6.283185307179586476925286766559005768L;
  k %= n;
  int eighth = (int)(8 * k / n);
  ptrdiff_t rest = 8 * k - (ptrdiff_t)eighth * n; /* the angle is (eighth + rest/n) / 8 */
  long double t = two_pi / 8 * (long double)(eighth % 2 ? n - rest : rest) / (long double)n;
  long double c = cosl(t), s = sinl(t);
  if ((eighth + 1) / 2 % 2) { /* reflected at the diagonal */
    long double x = c;
    c = s, s = x;
  }
  w[0] = eighth >= 2 && eighth <= 5 ? -c : c;
  w[1] = eighth >= 4 ? s : -s;
}

/* About half of the bits of n, but few enough that the fine angles, 2 pi 2^shift / n at most, are
 * small: their errors are then small too. */
static int fine_bits(ptrdiff_t n, ptrdiff_t least) {
  int shift = 0;
  while ((ptrdiff_t)1 << (2 * shift) < n) shift++;
  while (shift > 0 && least << shift > n) shift--;
  return shift;
}

/* Minimum numbers of coarse entries; the tables of a tile must stay in the L1 cache. */
enum { few = 64, many = 1024 };

int pf_roots_make(pf_roots *r, ptrdiff_t n, pfft3d_error *e) {
  *r = (pf_roots){.n = n, .shift = fine_bits(n, many)};
  ptrdiff_t fine = (ptrdiff_t)1 << r->shift, coarse = (n >> r->shift) + 1;
  long double w[2];
  r->coarse = pf_alloc((size_t)coarse * 4 * sizeof(double));
  r->fine = pf_alloc((size_t)fine * 2 * sizeof(double));
  if (!r->coarse || !r->fine) {
    pf_roots_free(r);
    return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %td roots of unity", coarse + fine);
  }
  for (ptrdiff_t h = 0; h < coarse; h++) {
    pf_root(h << r->shift, n, w);
    for (int c = 0; c < 2; c++) {
      r->coarse[4 * h + c] = (double)w[c];
      r->coarse[4 * h + 2 + c] = (double)(w[c] - (long double)(double)w[c]);
    }
  }
  for (ptrdiff_t l = 0; l < fine; l++) {
    pf_root(l, n, w);
    r->fine[2 * l] = (double)(w[0] - 1);
    r->fine[2 * l + 1] = (double)w[1];
  }
  return PFFT3D_OK;
}

void pf_roots_free(pf_roots *r) {
  pf_free(r->coarse);
  pf_free(r->fine);
  r->coarse = r->fine = NULL;
}

/* ---- factors of a tile ---- */

static size_t number_bytes(pfft3d_precision precision) {
  return precision == PFFT3D_DOUBLE ? sizeof(double) : sizeof(float);
}

static ptrdiff_t coarse_entries(ptrdiff_t points, int shift) {
  return (points - 1) / ((ptrdiff_t)1 << shift) + 1;
}

size_t pf_factors_bytes(ptrdiff_t points, ptrdiff_t width, pfft3d_precision precision) {
  int shift = fine_bits(points, few);
  ptrdiff_t numbers = 4 * coarse_entries(points, shift) + 2 * ((ptrdiff_t)1 << shift);
  return (size_t)(numbers * width) * number_bytes(precision);
}

/* Fills both tables for one line. */
#define FILL(type)                                                                               \
  static void fill_##type(const pf_roots *r, const pf_factors *f, ptrdiff_t coarse, ptrdiff_t j, \
                          ptrdiff_t g) {                                                         \
    ptrdiff_t m = 0, width = f->width, step = (ptrdiff_t)(((__int128)g << f->shift) % r->n);     \
    double hi[2], lo[2];                                                                         \
    type *at = (type *)f->coarse + j;                                                            \
    for (ptrdiff_t a = 0; a < coarse; a++, at += 4 * width) {                                    \
      pf_roots_at(r, m, hi, lo);                                                                 \
      at[0] = (type)hi[0];                                                                       \
      at[width] = (type)hi[1];                                                                   \
      at[2 * width] = (type)(hi[0] - (double)at[0] + lo[0]);                                     \
      at[3 * width] = (type)(hi[1] - (double)at[width] + lo[1]);                                 \
      m = m >= r->n - step ? m - (r->n - step) : m + step;                                       \
    }                                                                                            \
    at = (type *)f->fine + j;                                                                    \
    m = 0;                                                                                       \
    for (ptrdiff_t c = 0; c < (ptrdiff_t)1 << f->shift; c++, at += 2 * width) {                  \
      pf_roots_at(r, m, hi, lo);                                                                 \
      at[0] = (type)(hi[0] - 1 + lo[0]);                                                         \
      at[width] = (type)hi[1];                                                                   \
      m = m >= r->n - g ? m - (r->n - g) : m + g;                                                \
    }                                                                                            \
  }

FILL(double)
FILL(float)

pf_factors pf_factors_make(const pf_roots *r, const pf_factors_spec *s, void *memory) {
  pf_factors f = {.coarse = memory,
                  .shift = fine_bits(s->points, few),
                  .points = s->points,
                  .width = s->width,
                  .precision = s->precision};
  ptrdiff_t coarse = coarse_entries(s->points, f.shift);
  f.fine = (char *)memory + (size_t)(4 * coarse * s->width) * number_bytes(s->precision);
  for (ptrdiff_t j = 0; j < s->width; j++) {
    ptrdiff_t half = s->width / 2, line = s->pairs ? j % half * 2 + j / half : j;
    ptrdiff_t g = (s->first + line * s->step) % r->n; /* missing lines have any number */
    if (s->precision == PFFT3D_DOUBLE)
      fill_double(r, &f, coarse, j, g);
    else
      fill_float(r, &f, coarse, j, g);
  }
  return f;
}

#define APPLY(type)                                                                    \
  static void apply_##type(const pf_factors *f, int sign, type *tile, ptrdiff_t along, \
                           ptrdiff_t across) {                                         \
    ptrdiff_t width = f->width, mask = ((ptrdiff_t)1 << f->shift) - 1;                 \
    for (ptrdiff_t k = 0; k < f->points; k++)                                          \
      for (ptrdiff_t j = 0; j < width; j++) {                                          \
        const type *c = (const type *)f->coarse + (k >> f->shift) * 4 * width + j;     \
        const type *s = (const type *)f->fine + (k & mask) * 2 * width + j;            \
        type re = c[0] + (c[2 * width] + (c[0] * s[0] - c[width] * s[width]));         \
        type im = c[width] + (c[3 * width] + (c[0] * s[width] + c[width] * s[0]));     \
        type *x = tile + 2 * (k * along + j * across), old = x[0];                     \
        if (sign > 0) im = -im;                                                        \
        x[0] = old * re - x[1] * im;                                                   \
        x[1] = old * im + x[1] * re;                                                   \
      }                                                                                \
  }

APPLY(double)
APPLY(float)

void pf_factors_apply(const pf_factors *f, int sign, void *tile, ptrdiff_t along,
                      ptrdiff_t across) {
  if (f->precision == PFFT3D_DOUBLE)
    apply_double(f, sign, tile, along, across);
  else
    apply_float(f, sign, tile, along, across);
}
