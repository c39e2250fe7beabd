/* SPDX-License-Identifier: BSD-3-Clause
 * Synthetic fields and sums over them.  All functions walk a box row by row along axis 2: a row of
 * the field is made in a small buffer, then stored, compared or summed.  In single precision the
 * numbers of the row are those that a float can hold: so sums are over what the transform is given,
 * and the error of the transform is not hidden behind that of rounding its input. */
#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double complex wide;

/* x y, written out: C's own product tests every result for NaN, which costs more than it does. */
static wide product(wide x, wide y) {
  long double a = creall(x), b = cimagl(x), c = creall(y), d = cimagl(y);
  return (a * c - b * d) + (wide)I * (a * d + b * c);
}

/* ---- Arrays ------------------------------------------------------------------------------- */

field_type field_type_of(const pfft3d_problem *p, pfft3d_side side) {
  field_form form = p->kind == PFFT3D_C2C  ? FIELD_COMPLEX
                    : side == PFFT3D_SPACE ? FIELD_REAL
                                           : FIELD_HALF;
  return (field_type){form, p->precision, p->n[2]};
}

double complex field_get(field_type type, const void *array, ptrdiff_t at) {
  if (type.form == FIELD_REAL)
    return type.precision == PFFT3D_SINGLE ? (double)((const float *)array)[at]
                                           : ((const double *)array)[at];
  return type.precision == PFFT3D_SINGLE ? (double complex)((const float complex *)array)[at]
                                         : ((const double complex *)array)[at];
}

static void put(field_type type, void *array, ptrdiff_t at, double complex value) {
  int single = type.precision == PFFT3D_SINGLE;
  if (type.form == FIELD_REAL && single)
    ((float *)array)[at] = (float)creal(value);
  else if (type.form == FIELD_REAL)
    ((double *)array)[at] = creal(value);
  else if (single)
    ((float complex *)array)[at] = (float complex)value;
  else
    ((double complex *)array)[at] = value;
}

/* How many elements of the whole field an element at i2 stands for. */
static int weight(field_type type, ptrdiff_t i2) {
  return type.form == FIELD_HALF && i2 != 0 && 2 * i2 != type.n2 ? 2 : 1;
}

pfft3d_box field_box(const pfft3d_box *box, ptrdiff_t number) {
  pfft3d_box b = *box;
  b.offset += number * b.distance;
  return b;
}

/* ---- Fields ------------------------------------------------------------------------------- */

field field_seeded(const pfft3d_problem *p, pfft3d_side side, uint64_t seed) {
  field f = {.kind = FIELD_SEEDED, .seed = {seed, 0}, .times = {1, 0}};
  f.type = field_type_of(p, side);
  memcpy(f.n, p->n, sizeof f.n);
  return f;
}

field field_of_batch(const field *f, ptrdiff_t number) {
  field g = *f;
  if (f->kind == FIELD_SEEDED) {
    uint64_t far = (uint64_t)number * 0x9e3779b97f4a7c15u; /* from seeds that users count up */
    g.seed[0] += far;
    if (g.seed[1]) g.seed[1] += far;
    return g;
  }
  for (int a = 0; a < 3; a++) g.k[a] = (f->k[a] + number % f->n[a]) % f->n[a];
  g.times[0] *= 1 + (double)(number % 7);
  return g;
}

wide *field_factors(ptrdiff_t n, ptrdiff_t k, int sign) {
  const long double two_pi = 2 * acosl(-1.0L);
  wide *w = malloc((size_t)n * sizeof *w);
  if (!w) return NULL;
  for (ptrdiff_t j = 0; j < n; j++) {
    ptrdiff_t m = (ptrdiff_t)((unsigned __int128)j * (unsigned __int128)k % (size_t)n);
    if (2 * m > n) m -= n; /* a small angle has more correct digits */
    long double angle = two_pi * (long double)m / (long double)n;
    w[j] = cosl(angle) + (wide)I * (sign * sinl(angle));
  }
  return w;
}

/* The factors along the three axes; 1 when there is no memory. */
static int factors3(const ptrdiff_t n[3], const ptrdiff_t k[3], int sign, wide *w[3]) {
  for (int a = 0; a < 3; a++) w[a] = field_factors(n[a], k[a], sign);
  return !w[0] || !w[1] || !w[2];
}

static void free3(wide *w[3]) {
  for (int a = 0; a < 3; a++) free(w[a]);
}

/* Sebastiano Vigna's splitmix64: a counter mixed so well that neighbours look unrelated. */
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* A number in (-0.5, 0.5) from the upper 53 bits. */
static double centred(uint64_t bits) {
  return ((double)(int64_t)(bits >> 11) + 0.5) * 0x1p-53 - 0.5;
}

/* Of one seeded field, whose seed is mixed already. */
static double complex seeded_value(uint64_t mixed, uint64_t index) {
  uint64_t x = mix(mixed ^ index);
  return CMPLX(centred(x), centred(mix(x)));
}

/* Tables of a field that needs some, and a row buffer. */
typedef struct maker {
  const field *f;
  wide *wave[3];
  uint64_t seed[2];                   /* mixed */
  double complex *row, *opposite_row; /* n[2] elements each */
} maker;

static void maker_close(maker *m) {
  free(m->row);
  free(m->opposite_row);
  free3(m->wave);
}

static int maker_open(maker *m, const field *f) {
  memset(m, 0, sizeof *m);
  m->f = f;
  for (int i = 0; i < 2; i++) m->seed[i] = mix(f->seed[i]);
  m->row = malloc((size_t)f->n[2] * sizeof *m->row);
  m->opposite_row = malloc((size_t)f->n[2] * sizeof *m->row);
  if (m->row && m->opposite_row &&
      (f->kind != FIELD_WAVE || !factors3(f->n, f->k, f->sign, m->wave)))
    return 0;
  maker_close(m);
  return 1;
}

/* Makes `len` elements of the complex field in double precision, from (i0, i1, i2) on, upwards or,
 * with step -1, downwards, around the end. */
static void make_complex_row(const maker *m, double complex *row, const ptrdiff_t at[3], int step,
                             ptrdiff_t len) {
  const field *f = m->f;
  const ptrdiff_t *n = f->n;
  int wave = f->kind == FIELD_WAVE, peak = f->kind == FIELD_PEAK, two = f->seed[1] != 0;
  ptrdiff_t shift[3], j[3];
  for (int a = 0; a < 3; a++) shift[a] = wave || peak ? 0 : f->k[a];
  for (int a = 0; a < 3; a++) j[a] = (at[a] + shift[a]) % n[a];
  wide w = wave ? (wide)f->times[0] * m->wave[0][j[0]] * m->wave[1][j[1]] : 0;
  uint64_t base = (uint64_t)(j[0] * n[1] + j[1]) * (uint64_t)n[2];
  for (ptrdiff_t i = 0; i < len; i++) {
    uint64_t index = base + (uint64_t)j[2];
    if (wave) {
      row[i] = (double complex)product(w, m->wave[2][j[2]]);
    } else if (peak) {
      row[i] = j[0] == f->k[0] && j[1] == f->k[1] && j[2] == f->k[2] ? f->times[0] : 0;
    } else {
      row[i] = seeded_value(m->seed[0], index);
      if (two) /* products only where they are needed: they cost more than the numbers */
        row[i] = f->times[0] * row[i] + f->times[1] * seeded_value(m->seed[1], index);
    }
    j[2] += step;
    if (j[2] == n[2]) j[2] = 0;
    if (j[2] < 0) j[2] = n[2] - 1;
  }
}

/* Makes elements lo..lo+len-1 of the row (i0, i1, :) as arrays hold it: its real or Hermitian part,
 * rounded to the precision of the arrays. */
static void make_row(const maker *m, ptrdiff_t i0, ptrdiff_t i1, ptrdiff_t lo, ptrdiff_t len) {
  const field_type type = m->f->type;
  const ptrdiff_t at[3] = {i0, i1, lo}, *n = m->f->n;
  make_complex_row(m, m->row, at, 1, len);
  if (type.form == FIELD_REAL)
    for (ptrdiff_t i = 0; i < len; i++) m->row[i] = creal(m->row[i]);
  if (type.form == FIELD_HALF) {
    const ptrdiff_t opposite[3] = {(n[0] - i0) % n[0], (n[1] - i1) % n[1], (n[2] - lo) % n[2]};
    make_complex_row(m, m->opposite_row, opposite, -1, len);
    for (ptrdiff_t i = 0; i < len; i++) m->row[i] = (m->row[i] + conj(m->opposite_row[i])) / 2;
  }
  if (type.precision == PFFT3D_SINGLE)
    for (ptrdiff_t i = 0; i < len; i++) m->row[i] = (float complex)m->row[i];
}

/* Where row (i0, i1, :) of a box begins in its array. */
static ptrdiff_t row_offset(const pfft3d_box *b, ptrdiff_t i0, ptrdiff_t i1) {
  return b->offset + (i0 - b->lo[0]) * b->stride[0] + (i1 - b->lo[1]) * b->stride[1];
}

/* All rows of a box. */
#define FOR_ROWS(b, i0, i1)                                            \
  for (ptrdiff_t i0 = (b)->lo[0]; i0 < (b)->lo[0] + (b)->len[0]; i0++) \
    for (ptrdiff_t i1 = (b)->lo[1]; i1 < (b)->lo[1] + (b)->len[1]; i1++)

static long double square(double complex z) {
  long double re = creal(z), im = cimag(z);
  return re * re + im * im;
}

int field_fill(const field *f, const pfft3d_box *box, void *array) {
  maker m;
  if (maker_open(&m, f)) return 1;
  FOR_ROWS(box, i0, i1) {
    ptrdiff_t at = row_offset(box, i0, i1);
    make_row(&m, i0, i1, box->lo[2], box->len[2]);
    for (ptrdiff_t i = 0; i < box->len[2]; i++)
      put(f->type, array, at + i * box->stride[2], m.row[i]);
  }
  maker_close(&m);
  return 0;
}

int field_compare(const field *f, const pfft3d_box *box, const void *array, double scale,
                  field_sums *sums) {
  maker m;
  sums->difference = sums->energy = 0;
  if (maker_open(&m, f)) return 1;
  FOR_ROWS(box, i0, i1) {
    ptrdiff_t at = row_offset(box, i0, i1);
    make_row(&m, i0, i1, box->lo[2], box->len[2]);
    for (ptrdiff_t i = 0; i < box->len[2]; i++) {
      double complex z = field_get(f->type, array, at + i * box->stride[2]);
      int times = weight(f->type, box->lo[2] + i);
      sums->energy += times * square(m.row[i]);
      sums->difference += times * square(z * scale - m.row[i]);
    }
  }
  maker_close(&m);
  return 0;
}

/* William Kahan's sum over rows, which keeps what each addition loses: much of a field may be empty
 * but for noise, each element too small beside the sum of the rest, all too much to be left out. */
long double field_energy(field_type type, const pfft3d_box *box, const void *array) {
  long double sum = 0, lost = 0;
  FOR_ROWS(box, i0, i1) {
    ptrdiff_t at = row_offset(box, i0, i1);
    long double row = lost, before = sum;
    for (ptrdiff_t i = 0; i < box->len[2]; i++)
      row += weight(type, box->lo[2] + i) * square(field_get(type, array, at + i * box->stride[2]));
    sum += row;
    lost = row - (sum - before);
  }
  return sum;
}

/* Adds the rows of a box to the direct sum of one index, whose factors are w. */
static void dft_row(const maker *m, const pfft3d_box *box, wide *const w[3], ptrdiff_t i0,
                    ptrdiff_t i1, wide *sum) {
  const wide *along = w[2] + box->lo[2];
  long double re = 0, im = 0;
  for (ptrdiff_t i = 0; i < box->len[2]; i++) {
    long double x = creal(m->row[i]), y = cimag(m->row[i]);
    long double c = creall(along[i]), s = cimagl(along[i]);
    re += x * c - y * s;
    im += x * s + y * c;
  }
  *sum += (re + (wide)I * im) * w[0][i0] * w[1][i1];
}

int field_dft(const field *f, const pfft3d_box *box, int sign, int count, ptrdiff_t (*k)[3],
              wide *sum, long double *energy) {
  maker m;
  if (maker_open(&m, f)) return 1;
  wide *(*w)[3] = calloc((size_t)count, sizeof *w);
  int failed = !w;
  *energy = 0;
  for (int s = 0; w && s < count; s++) {
    failed |= factors3(f->n, k[s], sign, w[s]);
    sum[s] = 0;
  }
  if (!failed) FOR_ROWS(box, i0, i1) {
      make_row(&m, i0, i1, box->lo[2], box->len[2]);
      for (ptrdiff_t i = 0; i < box->len[2]; i++) {
        int times = weight(f->type, box->lo[2] + i);
        *energy += times * square(m.row[i]);
        m.row[i] *= times;
      }
      for (int s = 0; s < count; s++) dft_row(&m, box, w[s], i0, i1, &sum[s]);
    }
  for (int s = 0; w && s < count; s++) {
    if (f->type.form == FIELD_HALF)
      sum[s] = creall(sum[s]); /* the rest is that of the other half */
    free3(w[s]);
  }
  free(w);
  maker_close(&m);
  return failed;
}
