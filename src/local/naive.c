/* SPDX-License-Identifier: BSD-3-Clause
 * Engine naive: the definition of the DFT, n^2 products in long double.  The oracle for all others,
 * and what a reader should look at first. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "local/engine.h"

enum { longest = 4096 }; /* beyond, n^2 is of no use to anybody */

static int supports(ptrdiff_t n) {
  return n <= longest;
}

/* exp(sign 2 pi i k/n) for k = 0 .. n-1, as pairs; and behind the tile room for one line. */
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
  f->bytes += 2 * n * sizeof(double);
  return PFFT3D_OK;
}

static void run(const pf_fft *f, void *tile, double scale, const pf_fetch *fetch) {
  (void)fetch;
  const long double *root = f->state;
  double *data = tile, *line = (double *)((char *)tile + f->bytes) - 2 * f->n;
  for (ptrdiff_t j = 0; j < f->width; j++) {
    for (ptrdiff_t k = 0; k < f->n; k++) {
      long double re = 0, im = 0;
      for (ptrdiff_t i = 0, ik = 0; i < f->n; i++) {
        const double *x = data + 2 * (i * f->along + j * f->across);
        re += x[0] * root[2 * ik] - x[1] * root[2 * ik + 1];
        im += x[0] * root[2 * ik + 1] + x[1] * root[2 * ik];
        ik += k; /* i * k mod n without a product */
        if (ik >= f->n) ik -= f->n;
      }
      line[2 * k] = (double)re;
      line[2 * k + 1] = (double)im;
    }
    for (ptrdiff_t k = 0; k < f->n; k++)
      memcpy(data + 2 * (k * f->along + j * f->across), line + 2 * k, 2 * sizeof *line);
  }
  pf_tile_scale(f, tile, scale);
}

static void destroy(pf_fft *f) {
  pf_free(f->state);
}
static char *learnt(void) {
  return NULL;
}
static void learn(const char *text) {
  (void)text;
}

const pf_engine pf_engine_naive = {.name = "naive",
                                   .summary = "the definition, n^2 products; the oracle",
                                   .supports = supports,
                                   .width = pf_tile_width,
                                   .plan = plan,
                                   .gather = pf_tile_gather,
                                   .run = run,
                                   .scatter = pf_tile_scatter,
                                   .destroy = destroy,
                                   .learnt = learnt,
                                   .learn = learn};
