/* SPDX-License-Identifier: BSD-3-Clause
 * The transforms of all kinds of axes by their definitions; see kinds.h. */
#include "kinds.h"

#include "reference.h"

/* Those of the real DFT. */
static void fill_half_factors(long double *table, pfft3d_axis_kind kind, ptrdiff_t n) {
  const wide *root = roots(n);
  for (ptrdiff_t k = 0; k < n; k++)
    for (ptrdiff_t j = 0; j < n; j++) {
      long double re = root[j * k % n].re, im = root[j * k % n].im, *to = &table[k * n + j];
      if (kind == PFFT3D_DHT) *to = re + im;
      if (kind == PFFT3D_R2HC) *to = 2 * k <= n ? re : im;
      if (kind == PFFT3D_HC2R) *to = (j && 2 * j != n ? 2 : 1) * (2 * j <= n ? re : im);
    }
}

/* The factors of point j in result k, table[k * n + j]; their angles are pi a b/(4 N). */
static void fill_factors(long double *table, pfft3d_axis_kind kind, ptrdiff_t n) {
  if (kind >= PFFT3D_DHT) {
    fill_half_factors(table, kind, n);
    return;
  }
  int sine = kind >= PFFT3D_DST1, type = ((int)kind - PFFT3D_DCT1) % 4 + 1;
  ptrdiff_t N = type > 1 ? n : sine ? n + 1 : n - 1, first = sine ? 2 : 0;
  long double *wave = get((size_t)(8 * N) * sizeof *wave);
  for (ptrdiff_t m = 0; m < 8 * N; m++) {
    long double angle = acosl(-1) * (long double)m / (4 * (long double)N);
    wave[m] = sine ? sinl(angle) : cosl(angle);
  }
  for (ptrdiff_t k = 0; k < n; k++)
    for (ptrdiff_t j = 0; j < n; j++) {
      ptrdiff_t a = 2 * j + (type == 2 || type == 4 ? 1 : first);
      ptrdiff_t b = 2 * k + (type == 3 || type == 4 ? 1 : first);
      int single = (type == 1 && !sine && (j == 0 || j == n - 1)) ||
                   (type == 3 && !sine && j == 0) || (type == 3 && sine && j == n - 1);
      table[k * n + j] = (single ? 1 : 2) * wave[a * b % (8 * N)];
    }
  free(wave);
}

/* The table of a kind and a length, until the next call. */
static const long double *factors(pfft3d_axis_kind kind, ptrdiff_t n) {
  static long double *table;
  static pfft3d_axis_kind last_kind;
  static ptrdiff_t last;
  if (n == last && kind == last_kind) return table;
  free(table);
  table = get((size_t)(n * n) * sizeof *table);
  fill_factors(table, kind, n);
  last = n, last_kind = kind;
  return table;
}

void kind_lines(wide *x, pfft3d_axis_kind kind, ptrdiff_t n, ptrdiff_t along, ptrdiff_t lines,
                ptrdiff_t across) {
  const long double *table = factors(kind, n);
  wide *y = get((size_t)n * sizeof *y);
  for (ptrdiff_t line = 0; line < lines; line++) {
    wide *at = x + line * across;
    for (ptrdiff_t k = 0; k < n; k++) {
      wide sum = {0, 0};
      for (ptrdiff_t j = 0; j < n; j++) {
        sum.re += table[k * n + j] * at[j * along].re;
        sum.im += table[k * n + j] * at[j * along].im;
      }
      y[k] = sum;
    }
    for (ptrdiff_t k = 0; k < n; k++) at[k * along] = y[k];
  }
  free(y);
}

pfft3d_axis_kind kind_back(pfft3d_axis_kind kind) {
  switch (kind) {
    case PFFT3D_DCT2: return PFFT3D_DCT3;
    case PFFT3D_DCT3: return PFFT3D_DCT2;
    case PFFT3D_DST2: return PFFT3D_DST3;
    case PFFT3D_DST3: return PFFT3D_DST2;
    case PFFT3D_R2HC: return PFFT3D_HC2R;
    case PFFT3D_HC2R: return PFFT3D_R2HC;
    default: return kind;
  }
}

static int sign_of(const pfft3d_problem *p, int direction) {
  return (direction ? 1 : -1) * (p->sign > 0 ? -1 : 1);
}

/* All lines of a direction along an axis. */
static void any_lines(wide *x, const pfft3d_problem *p, int direction, int axis, ptrdiff_t lines) {
  const ptrdiff_t *n = p->n;
  ptrdiff_t along = axis == 2 ? 1 : axis == 1 ? n[2] : n[1] * n[2], across = axis == 2 ? n[2] : 1;
  pfft3d_axis_kind kind = p->axis[axis];
  if (kind == PFFT3D_DFT)
    reference_lines(x, n[axis], along, lines, across, sign_of(p, direction));
  else if (kind != PFFT3D_NONE)
    kind_lines(x, direction ? kind_back(kind) : kind, n[axis], along, lines, across);
}

void kind_field(wide *x, const pfft3d_problem *p, int direction) {
  const ptrdiff_t *n = p->n;
  if (!p->axis[0] && !p->axis[1] && !p->axis[2]) {
    reference_field(x, n, sign_of(p, direction));
    return;
  }
  for (ptrdiff_t i = 0; i < n[0]; i++) any_lines(x + i * n[1] * n[2], p, direction, 1, n[2]);
  any_lines(x, p, direction, 0, n[1] * n[2]);
  any_lines(x, p, direction, 2, n[0] * n[1]);
}

int has_half(const pfft3d_problem *p) {
  int long_ones = 0, points = 0, others = 0; /* a dft of one point counts beside none alone */
  for (int a = 0; a < 3; a++) {
    long_ones += p->axis[a] == PFFT3D_DFT && p->n[a] > 1;
    points += p->axis[a] == PFFT3D_DFT;
    others += p->axis[a] > PFFT3D_NONE;
  }
  return p->kind == PFFT3D_R2C && (long_ones || (points && !others));
}

int half_axis(const pfft3d_problem *p) {
  int axis = 2;
  while (axis > 0 && p->axis[axis] != PFFT3D_DFT) axis--;
  return has_half(p) ? axis : -1;
}
