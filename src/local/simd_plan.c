/* SPDX-License-Identifier: BSD-3-Clause
 * Plans of engine simd for lengths of small factors: tabulates twiddles in long double and the
 * digit reversal. */
#include "local/simd.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Position p of the tile holds the input point whose mixed-radix digits are p's in reverse. */
static void reverse_digits(pf_simd_plan *p) {
  for (ptrdiff_t at = 0; at < p->n; at++) {
    ptrdiff_t rest = at, m = p->n, weight = 1, input = 0;
    for (int s = p->passes - 1; s >= 0; s--) {
      m /= p->radix[s];
      input += rest / m * weight;
      rest %= m;
      weight *= p->radix[s];
    }
    p->input[at] = (int32_t)input;
    p->position[input] = (int32_t)at;
  }
}

void pf_simd_put(char **table, pfft3d_precision precision, long double re, long double im) {
  if (precision == PFFT3D_DOUBLE) {
    double *at = (double *)(void *)*table;
    at[0] = (double)re;
    at[1] = (double)im;
  } else {
    float *at = (float *)(void *)*table;
    at[0] = (float)re;
    at[1] = (float)im;
  }
  *table += pf_element(precision);
}

/* The tables of a pass on sub-transforms of m points: twiddles, and roots if the radix is large. */
static void fill_pass(pf_simd_plan *p, int s, ptrdiff_t m, pfft3d_precision precision,
                      char **table) {
  long double w[2];
  int radix = p->radix[s];
  p->twiddle[s] = *table;
  for (ptrdiff_t j = 0; j < m; j++)
    for (int q = 1; q < radix; q++) {
      pf_root(q * j, m * radix, w);
      pf_simd_put(table, precision, w[0], w[1]);
    }
  p->roots[s] = *table;
  for (int q = 0; q < radix && radix > PF_SIMD_RADIX; q++) {
    pf_root(q, radix, w);
    pf_simd_put(table, precision, w[0], -w[1]);
  }
}

/* The radix of the first pass of rows that are transposed once; 0 if the length does not suit:
 * blocks of points of two rows, or of pairs of real rows, are read in whole vectors.  (Zen 5, loops
 * for any length: real rows of 128 points would take 1.1 to 1.3 of the time, those of 256 and 512
 * points take 0.9 to 0.6.  Zen 4, loops of one length, unrolled: 0.6, 0.5 and 0.5.) */
static int four_step_radix(const pf_fft_spec *spec) {
  enum { radix = 8 };
  if (!spec->rows || spec->n % (radix * radix / 2)) return 0;
  int few = spec->n == 32 || spec->n == 64 || spec->n == 128; /* supported by simd_whole.h only */
  if (spec->real && !few && (spec->n < PF_FOUR_STEP_REALS || spec->n % (radix * radix))) return 0;
  return pf_simd_cost(spec->n) == INFINITY ? 0 : radix;
}

/* Nonzero if rows that are transposed once have a function for their length.  For 512 points it is
 * one loop of 46 KiB, more than an L1 instruction cache: still 0.8 of the time on Zen 4, but not on
 * Sapphire Rapids. */
static int is_whole(ptrdiff_t n) {
  return (n & (n - 1)) == 0 && n <= (pf_amd() ? 512 : 256);
}

/* The factors of a pass on sub-transforms of m points again, grouped by the points of a block: all
 * real parts, then all imaginary parts. */
static void group_factors(pf_simd_plan *p, int s, ptrdiff_t m, size_t number, char **table) {
  ptrdiff_t factors = p->radix[s] - 1, lanes = p->radix[0];
  const char *from = p->twiddle[s];
  p->grouped[s] = *table;
  for (ptrdiff_t j = 0; j < m; j += lanes)
    for (ptrdiff_t q = 0; q < factors; q++)
      for (ptrdiff_t k = 0; k < 2 * lanes; k++, *table += number)
        memcpy(*table, from + (2 * ((j + k % lanes) * factors + q) + k / lanes) * (ptrdiff_t)number,
               number);
}

/* The positions of all points of rows that interleave several fields: computed from the end, since
 * position[] begins with the positions of one field. */
static void order_fields(pf_simd_plan *p) {
  for (ptrdiff_t k = p->n - 1; k >= 0; k--)
    for (ptrdiff_t c = p->many - 1; c >= 0; c--) {
      ptrdiff_t i = k * p->many + c;
      p->position[i] = (int32_t)(c * p->n + p->position[k]);
      p->order[i] = (int32_t)(c * p->n + k);
      p->mirror[i] = (int32_t)((k ? p->n - k : 0) * p->many + c);
    }
}

/* Rows are read in blocks of one widest vector, so shorter ones do not qualify. */
static int is_short(const pf_fft_spec *spec) {
  ptrdiff_t numbers = pf_simd_width(spec->precision), rows = spec->real ? numbers : numbers / 2;
  if (spec->n < (spec->rows ? rows : 2) || spec->n > PF_SIMD_RADIX) return 0;
  return spec->many <= 1 && !spec->transpose && (spec->rows || !spec->real);
}

/* Complex columns, if their first pass is not pass_any(): a call and its sweep take as long as two
 * butterflies. */
static int takes_several(const pf_simd_plan *p) {
  enum { longest = 256 };
  if (p->n > longest || p->radix[0] > PF_SIMD_RADIX) return 0;
  return p->many == 1 && !p->real && !p->transpose && !p->rows;
}

pf_simd_plan *pf_simd_plan_make(const pf_fft_spec *spec, size_t *bytes) {
  ptrdiff_t n = spec->n, many = spec->many > 1 ? spec->many : 1;
  pfft3d_precision precision = spec->precision;
  int radix[PF_SIMD_PASSES], first = four_step_radix(spec);
  /* rows of several fields have the same radices, and the same results, as rows of one */
  int passes = pf_simd_radices(n, first, radix);
  int four_step = first && many == 1 && !spec->transpose;
  ptrdiff_t numbers = 0, m = 1;
  size_t number = pf_element(precision) / 2;
  for (int s = 0; s < passes; s++, m *= radix[s - 1])
    numbers += 2 * m * (radix[s] - 1) + (radix[s] > PF_SIMD_RADIX ? 2 * radix[s] : 0);
  if (four_step) numbers = 2 * numbers + PF_ALIGN; /* for alignment */
  size_t positions = (size_t)(many > 1 ? n + 3 * n * many : 2 * n);
  positions += positions % 2; /* so that the tables after them are aligned */
  pf_simd_plan *p = pf_alloc(sizeof *p + (size_t)numbers * number + positions * sizeof(int32_t));
  if (!p) return NULL;
  *bytes = (size_t)(n * many * pf_simd_width(precision)) * 2 * number;
  p->n = n;
  p->many = many;
  p->rows = spec->rows;
  p->transpose = spec->transpose;
  p->real = spec->real;
  p->is_short = is_short(spec);
  p->blocks = n / radix[passes - 1];
  p->gathers = spec->rows || (spec->real && spec->sign > 0);
  p->passes = passes;
  p->swap = spec->sign > 0;
  memcpy(p->radix, radix, sizeof radix);
  p->input = (int32_t *)(void *)p->memory;
  p->position = p->input + n;
  p->order = many > 1 ? p->position + n * many : NULL;
  p->mirror = many > 1 ? p->order + n * many : NULL;
  char *table = (char *)(p->input + positions);
  m = 1;
  for (int s = 0; s < passes; s++) {
    p->butterflies += n * many / radix[s];
    fill_pass(p, s, m, precision, &table);
    m *= radix[s];
  }
  p->four_step = four_step;
  p->whole = four_step && is_whole(n);
  p->several = p->is_short || takes_several(p);
  table += (PF_ALIGN - (uintptr_t)table % PF_ALIGN) % PF_ALIGN;
  m = radix[0];
  for (int s = 1; s < passes && four_step; m *= radix[s++]) group_factors(p, s, m, number, &table);
  reverse_digits(p);
  if (many > 1) order_fields(p);
  return p;
}
