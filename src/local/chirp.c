/* SPDX-License-Identifier: BSD-3-Clause
 * Engine simd for lengths with large prime factors: the DFT as a convolution with a chirp, done by
 * transforms of a longer length m that has small factors.
 *
 *   i k = (i^2 + k^2 - (k - i)^2) / 2, so with c_i = exp(sign pi i^2/n), i the imaginary unit,
 *   X_k = c_k sum_i (x_i c_i) conj(c)_(k-i)
 *
 * Source: Bluestein, IEEE Trans. Audio Electroacoust. 18(4), 1970. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "local/simd.h"

struct pf_chirp {
  ptrdiff_t n, m;
  pf_simd_plan *fft[2]; /* of m points, forward and backward */
  size_t tile, lines;   /* bytes of a tile of m points, and of its input lines */
  char *chirp;          /* c: n factors */
  char *kernel;         /* the transform of conj(c) around 0, modulo m: m factors */
};

static ptrdiff_t choose_length(ptrdiff_t n) {
  ptrdiff_t best = 0;
  double least = INFINITY;
  for (ptrdiff_t m = 2 * n - 1; m <= 4 * n; m++) { /* this range contains a power of two */
    double cost = pf_simd_cost(m);
    if (cost < least) best = m, least = cost;
  }
  return best;
}

int pf_simd_spectrum(ptrdiff_t m, const double *points, pfft3d_precision precision, char *out) {
  enum { stride = 2 * PF_LANES_DOUBLE };
  size_t bytes = 0;
  const pf_fft_spec fft = {.n = m, .sign = -1, .precision = PFFT3D_DOUBLE};
  pf_simd_plan *p = pf_simd_plan_make(&fft, &bytes);
  double *line = pf_alloc((size_t)m * stride * sizeof *line);
  char *tile = pf_alloc(bytes), **at = pf_alloc((size_t)m * sizeof *at);
  int failed = !p || !line || !tile || !at;
  if (!failed) {
    for (ptrdiff_t i = 0; i < m; i++) {
      at[i] = (char *)(line + i * stride);
      memcpy(at[i], points + 2 * i, 2 * sizeof *points);
    }
    pf_job job = {.from = {.at = at}, .to = {.at = at}, .scale = 1};
    pf_simd_isa_of(PFFT3D_DOUBLE)->run(p, tile, &job);
    for (ptrdiff_t k = 0; k < m; k++)
      pf_simd_put(&out, precision, line[k * stride], line[k * stride + 1]);
  }
  pf_free(p);
  pf_free(line);
  pf_free(tile);
  pf_free(at);
  return failed;
}

static int make_kernel(pf_chirp *c, const pf_fft *f) {
  double *line = pf_alloc((size_t)c->m * 2 * sizeof *line);
  char *chirp = c->chirp;
  long double w[2];
  for (ptrdiff_t i = 0; line && i < c->n; i++) {
    pf_root(i * i % (2 * c->n), 2 * c->n, w); /* exp(-pi i^2/n) */
    double re = (double)w[0], im = (double)w[1] * -f->sign;
    pf_simd_put(&chirp, f->precision, re, im);
    ptrdiff_t mirror = i ? c->m - i : 0;
    line[2 * i] = line[2 * mirror] = re / (double)c->m;
    line[2 * i + 1] = line[2 * mirror + 1] = -im / (double)c->m;
  }
  int failed = !line || pf_simd_spectrum(c->m, line, f->precision, c->kernel);
  pf_free(line);
  return failed;
}

pf_chirp *pf_chirp_make(const pf_fft *f, size_t *bytes) {
  pf_chirp *c = pf_alloc(sizeof *c);
  size_t element = pf_element(f->precision);
  int failed = !c;
  if (failed) return NULL;
  c->n = f->n;
  c->m = choose_length(f->n);
  for (int d = 0; d < 2; d++) {
    const pf_fft_spec fft = {.n = c->m, .sign = d ? 1 : -1, .precision = f->precision};
    failed |= !(c->fft[d] = pf_simd_plan_make(&fft, &c->tile));
  }
  failed |= !(c->chirp = pf_alloc((size_t)c->n * element));
  failed |= !(c->kernel = pf_alloc((size_t)c->m * element));
  if (failed || make_kernel(c, f)) {
    pf_chirp_free(c);
    return NULL;
  }
  c->lines = (size_t)(c->m * f->width) * element;
  *bytes = c->tile + c->lines + (size_t)c->m * sizeof(char *);
  return c;
}

void pf_chirp_run(const pf_chirp *c, const pf_fft *f, void *tile, const pf_job *job) {
  const pf_simd_isa *isa = pf_simd_isa_of(f->precision);
  char *lines = (char *)tile + c->tile, **at = (char **)(void *)(lines + c->lines);
  size_t point = c->lines / (size_t)c->m;
  for (ptrdiff_t i = 0; i < c->m; i++) at[i] = lines + (size_t)i * point;
  memset(lines + (size_t)c->n * point, 0, c->lines - (size_t)c->n * point);
  pf_simd_side middle = {{.at = at}, 0}, from = {job->from, f->rows}, to = {job->to, f->rows};
  pf_job forward = {.from = middle.lines, .to = middle.lines, .scale = 1, .fetch = job->fetch};
  pf_job backward = {.from = middle.lines, .to = middle.lines, .scale = 1};
  isa->multiply(c->n, &from, &middle, c->chirp, 1);
  isa->run(c->fft[0], tile, &forward);
  isa->multiply(c->m, &middle, &middle, c->kernel, 1);
  isa->run(c->fft[1], tile, &backward);
  isa->multiply(c->n, &middle, &to, c->chirp, job->scale);
}

void pf_chirp_free(pf_chirp *c) {
  if (!c) return;
  for (int d = 0; d < 2; d++) pf_free(c->fft[d]);
  pf_free(c->chirp);
  pf_free(c->kernel);
  pf_free(c);
}
