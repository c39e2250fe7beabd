/* SPDX-License-Identifier: BSD-3-Clause
 * Engine fftw: FFTW 3 on a cache-resident tile.
 *
 * FFTW is planned on private tiles of a few lines only, never on user data or on strides through
 * main memory, so measuring costs milliseconds and does not grow with the grid.  Its planner is
 * process-wide and not thread-safe: a lock guards it against this library's own threads.
 * Source: Frigo and Johnson, Proc. IEEE 93(2), 2005. */
#include <complex.h> /* before fftw3.h, which then takes C's complex type */
#include <fftw3.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "local/engine.h"

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static int supports(ptrdiff_t n) {
  return n <= INT_MAX / 64;
}

static fftw_plan make(const pf_fft *f, fftw_complex *tile, unsigned flags) {
  int n = (int)f->n, width = (int)f->width, along = (int)f->along, across = (int)f->across;
  return fftw_plan_many_dft(1, &n, width, tile, NULL, along, across, tile, NULL, along, across,
                            f->sign, flags);
}

static int plan(pf_fft *f, int estimate, pfft3d_error *e) {
  fftw_complex *tile = pf_alloc(f->bytes);
  if (!tile) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a tile of %zu bytes", f->bytes);
  pthread_mutex_lock(&planner);
  if (estimate) { /* what was measured before must not change an estimated choice */
    char *measured = fftw_export_wisdom_to_string();
    fftw_forget_wisdom();
    f->state = make(f, tile, FFTW_ESTIMATE);
    fftw_forget_wisdom();
    if (measured) fftw_import_wisdom_from_string(measured);
    free(measured);
  } else {
    f->state = make(f, tile, FFTW_MEASURE);
  }
  pthread_mutex_unlock(&planner);
  pf_free(tile);
  if (f->state) return PFFT3D_OK;
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "FFTW made no plan for %td points", f->n);
}

static void run(const pf_fft *f, void *tile, double scale, const pf_fetch *fetch) {
  (void)fetch;
  fftw_execute_dft(f->state, tile, tile);
  pf_tile_scale(f, tile, scale);
}

static void destroy(pf_fft *f) {
  pthread_mutex_lock(&planner);
  fftw_destroy_plan(f->state);
  pthread_mutex_unlock(&planner);
}

static char *learnt(void) {
  pthread_mutex_lock(&planner);
  char *text = fftw_export_wisdom_to_string();
  pthread_mutex_unlock(&planner);
  return text;
}

static void learn(const char *text) {
  pthread_mutex_lock(&planner);
  fftw_import_wisdom_from_string(text);
  pthread_mutex_unlock(&planner);
}

const pf_engine pf_engine_fftw = {.name = "fftw",
                                  .summary = "FFTW 3 on cache-resident tiles, any length",
                                  .supports = supports,
                                  .width = pf_tile_width,
                                  .plan = plan,
                                  .gather = pf_tile_gather,
                                  .run = run,
                                  .scatter = pf_tile_scatter,
                                  .destroy = destroy,
                                  .learnt = learnt,
                                  .learn = learn};
