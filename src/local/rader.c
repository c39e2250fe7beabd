/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd for prime lengths n whose n-1 has small factors: with a primitive root g of n and
 * w = exp(sign 2 pi i/n), i the imaginary unit, the DFT is a cyclic convolution of n-1 points,
 *
 *   X_0 = sum x_j,   X_(g^p) = x_0 + sum_q x_(g^-q) w^(g^(p-q)).
 *
 * This takes half of the arithmetic of a convolution with a chirp; if lines are columns, the
 * permutations are addresses.
 * Source: Rader, Proc. IEEE 56(6), 1968. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "local/simd.h"

struct pf_rader {
  ptrdiff_t n, m;       /* m = n-1 */
  pf_simd_plan *fft[2]; /* of m points, forward and backward */
  size_t tile, point;   /* bytes of a tile of m points, and of a point of all lines */
  char *kernel;         /* the transform of w^(g^r), divided by m: m factors */
  char *ones;           /* n factors */
  int32_t *power;       /* g^0, g^1, ..., g^(m-1) modulo n */
};

int pf_is_prime(ptrdiff_t n) {
  for (ptrdiff_t d = 2; d * d <= n; d++)
    if (n % d == 0) return 0;
  return n > 1;
}

int pf_rader_fits(ptrdiff_t n) {
  return pf_is_prime(n) && pf_simd_factors(n - 1);
}

/* Fills in the powers of g; returns 0 if they repeat too early. */
static int powers_of(ptrdiff_t g, ptrdiff_t n, int32_t *power) {
  ptrdiff_t x = 1;
  for (ptrdiff_t k = 0; k < n - 1; k++, x = x * g % n) {
    if (k && x == 1) return 0;
    power[k] = (int32_t)x;
  }
  return 1;
}

static int make_kernel(pf_rader *c, const pf_fft *f) {
  double *line = pf_alloc((size_t)c->m * 2 * sizeof *line);
  long double w[2];
  for (ptrdiff_t k = 0; line && k < c->m; k++) {
    pf_root(c->power[k], c->n, w);
    line[2 * k] = (double)(w[0] / (long double)c->m);
    line[2 * k + 1] = (double)(w[1] / (long double)c->m) * -f->sign;
  }
  int failed = !line || pf_simd_spectrum(c->m, line, f->precision, c->kernel);
  pf_free(line);
  return failed;
}

pf_rader *pf_rader_make(const pf_fft *f, size_t *bytes) {
  pf_rader *c = pf_alloc(sizeof *c);
  size_t element = pf_element(f->precision);
  if (!c) return NULL;
  *c = (pf_rader){.n = f->n, .m = f->n - 1, .point = (size_t)f->width * element};
  int failed = 0;
  for (int d = 0; d < 2; d++) {
    const pf_fft_spec fft = {.n = c->m, .sign = d ? 1 : -1, .precision = f->precision};
    failed |= !(c->fft[d] = pf_simd_plan_make(&fft, &c->tile));
  }
  failed |= !(c->kernel = pf_alloc((size_t)c->m * element));
  failed |= !(c->ones = pf_alloc((size_t)c->n * element));
  failed |= !(c->power = pf_alloc((size_t)c->n * sizeof *c->power));
  ptrdiff_t g = 1;
  while (!failed && !powers_of(g, c->n, c->power)) g++;
  if (failed || make_kernel(c, f)) {
    pf_rader_free(c);
    return NULL;
  }
  char *ones = c->ones;
  for (ptrdiff_t i = 0; i < c->n; i++) pf_simd_put(&ones, f->precision, 1, 0);
  *bytes = c->tile + 2 * (size_t)c->n * c->point + 3 * (size_t)c->n * sizeof(char *);
  return c;
}

/* to = (a + b) scale, for one point of all lines; to may be one of them. */
static void add_point(const pf_rader *c, const pf_fft *f, char *to, const char *a, const char *b,
                      double scale) {
  if (f->precision == PFFT3D_DOUBLE) {
    const double *x = (const double *)(const void *)a, *y = (const double *)(const void *)b;
    for (size_t i = 0; i < c->point / sizeof *x; i++)
      ((double *)(void *)to)[i] = (x[i] + y[i]) * scale;
  } else {
    const float *x = (const float *)(const void *)a, *y = (const float *)(const void *)b;
    for (size_t i = 0; i < c->point / sizeof *x; i++)
      ((float *)(void *)to)[i] = (x[i] + y[i]) * (float)scale;
  }
}

void pf_rader_run(const pf_rader *c, const pf_fft *f, void *tile, const pf_job *job) {
  const pf_simd_isa *isa = pf_simd_isa_of(f->precision);
  char *rows = (char *)tile + c->tile, *middle = rows + (size_t)c->n * c->point;
  char **at = (char **)(void *)(middle + (size_t)c->n * c->point), **row = at + c->n;
  char **permuted = row + c->n, *first = middle + (size_t)c->m * c->point;
  for (ptrdiff_t k = 0; k < c->n; k++) {
    at[k] = middle + (size_t)k * c->point;
    row[k] = rows + (size_t)k * c->point;
  }
  pf_simd_side from = {job->from, f->rows}, to = {job->to, f->rows};
  pf_simd_side columns = {{.at = row}, 0}, center = {{.at = at}, 0};
  if (f->rows) isa->multiply(c->n, &from, &columns, c->ones, 1);
  pf_lines in = f->rows ? columns.lines : job->from, out = f->rows ? columns.lines : job->to;
  memcpy(first, in.at[0] + in.offset, c->point);
  for (ptrdiff_t k = 0; k < c->m; k++) permuted[k] = in.at[c->power[(c->m - k) % c->m]];
  pf_job forward = {.from = {.at = permuted, .offset = in.offset, .aligned = in.aligned},
                    .to = center.lines,
                    .scale = 1,
                    .fetch = job->fetch};
  isa->run(c->fft[0], tile, &forward);
  double scale = f->rows ? 1 : job->scale;
  add_point(c, f, out.at[0] + out.offset, first, middle, scale);
  isa->multiply(c->m, &center, &center, c->kernel, 1);
  add_point(c, f, middle, middle, first, 1);
  for (ptrdiff_t k = 0; k < c->m; k++) permuted[k] = out.at[c->power[k]];
  pf_job backward = {.from = center.lines,
                     .to = {.at = permuted, .offset = out.offset, .aligned = out.aligned},
                     .scale = scale,
                     .stream = job->stream && !f->rows};
  isa->run(c->fft[1], tile, &backward);
  if (f->rows) isa->multiply(c->n, &columns, &to, c->ones, job->scale);
}

void pf_rader_free(pf_rader *c) {
  if (!c) return;
  for (int d = 0; d < 2; d++) pf_free(c->fft[d]);
  pf_free(c->kernel);
  pf_free(c->ones);
  pf_free(c->power);
  pf_free(c);
}
