/* SPDX-License-Identifier: BSD-3-Clause
 * Engine naive: the definition of the DFT, n^2 products in long double.  The reference for all
 * other engines, and the best starting point for readers. */
#include <math.h>

#include "base/memory.h"
#include "local/engine.h"

enum { longest = 4096 }; /* larger n are too slow to be useful */

static int supports(ptrdiff_t n, pfft3d_precision precision) {
  (void)precision;
  return n <= longest;
}

/* exp(sign 2 pi i k/n) for k = 0 .. n-1, as pairs.  The tile buffer holds one line. */
static int plan(pf_fft *f, int estimate, pfft3d_error *e) {
  (void)estimate;
  size_t n = (size_t)f->n;
  long double *root = pf_alloc(2 * n * sizeof *root);
  if (!root) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu roots of unity", n);
  for (size_t k = 0; k < n; k++) {
    long double angle =
        2 * 3.141592653589793238462643383279502884L * (long double)k / (long double)n;
    root[2 * k] = cosl(angle);
    root[2 * k + 1] = (long double)f->sign * sinl(angle);
  }
  f->state = root;
  f->bytes = 2 * n * sizeof(double);
  return PFFT3D_OK;
}

static char *address(const pf_fft *f, const pf_lines *l, ptrdiff_t point, ptrdiff_t line) {
  ptrdiff_t element = (ptrdiff_t)pf_element(f->precision);
  return l->at[f->rows ? line : point] + l->offset + (f->rows ? point : line) * element;
}

static void read_point(const pf_fft *f, const pf_lines *from, ptrdiff_t point, ptrdiff_t line,
                       long double x[2]) {
  const void *at = address(f, from, point, line);
  for (int c = 0; c < 2; c++)
    x[c] = f->precision == PFFT3D_DOUBLE ? (long double)((const double *)at)[c]
                                         : (long double)((const float *)at)[c];
}

static void write_point(const pf_fft *f, const pf_lines *to, ptrdiff_t point, ptrdiff_t line,
                        const double x[2]) {
  void *at = address(f, to, point, line);
  for (int c = 0; c < 2; c++)
    if (f->precision == PFFT3D_DOUBLE)
      ((double *)at)[c] = x[c];
    else
      ((float *)at)[c] = (float)x[c];
}

static void run(const pf_fft *f, void *tile, const pf_job *job) {
  const long double *root = f->state;
  double *sum = tile;
  for (ptrdiff_t j = 0; j < f->width; j++) {
    for (ptrdiff_t k = 0; k < f->n; k++) {
      long double re = 0, im = 0, x[2];
      for (ptrdiff_t i = 0, ik = 0; i < f->n; i++) {
        read_point(f, &job->from, i, j, x);
        re += x[0] * root[2 * ik] - x[1] * root[2 * ik + 1];
        im += x[0] * root[2 * ik + 1] + x[1] * root[2 * ik];
        ik += k; /* i * k mod n without a product */
        if (ik >= f->n) ik -= f->n;
      }
      sum[2 * k] = (double)re * job->scale;
      sum[2 * k + 1] = (double)im * job->scale;
    }
    for (ptrdiff_t k = 0; k < f->n; k++) write_point(f, &job->to, k, j, sum + 2 * k);
  }
}

static void destroy(pf_fft *f) {
  pf_free(f->state);
}

const pf_engine pf_engine_naive = {.name = "naive",
                                   .summary = "the definition, n^2 products; the oracle",
                                   .longest = longest,
                                   .supports = supports,
                                   .width = pf_tile_width,
                                   .plan = plan,
                                   .run = run,
                                   .destroy = destroy};
