/* SPDX-License-Identifier: BSD-3-Clause
 * Engine fftw: FFTW 3 on a cache-resident tile.
 *
 * FFTW plans are made on private tiles of a few lines only, never on user data or on large strides
 * in main memory, so measuring takes a second or two at most, independent of the grid.  Lines too
 * long for the cache are planned by estimate.  FFTW's planner is process-wide and not thread-safe:
 * a lock protects it from this library's own threads.
 * Source: Frigo and Johnson, Proc. IEEE 93(2), 2005. */
#include <complex.h> /* before fftw3.h, which then takes C's complex type */
#include <fftw3.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "local/engine.h"

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

enum { MEASURED = 4096 }; /* maximum points: 6006 take 5 s, 30030 take 43 s, 2^21 an hour */

enum { longest = INT_MAX / 64 };

static int supports(ptrdiff_t n, pfft3d_precision precision) {
  (void)precision;
  return n <= longest;
}

/* FFTW's libraries for the two precisions differ only in names.  Earlier measurements must not
 * affect an estimated plan. */
#define FFTW_OF(fftw)                                                                       \
  static fftw##_plan fftw##_make(const pf_fft *f, void *tile, unsigned flags) {             \
    pf_tile_shape s = pf_tile_shape_of(f);                                                  \
    int n = (int)f->n, width = (int)f->width, along = (int)s.along, across = (int)s.across; \
    return fftw##_plan_many_dft(1, &n, width, tile, NULL, along, across, tile, NULL, along, \
                                across, f->sign, flags);                                    \
  }                                                                                         \
  static void *fftw##_planned(const pf_fft *f, void *tile, int estimate) {                  \
    if (!estimate && f->n <= MEASURED) return fftw##_make(f, tile, FFTW_MEASURE);           \
    char *measured = fftw##_export_wisdom_to_string();                                      \
    fftw##_forget_wisdom();                                                                 \
    void *state = fftw##_make(f, tile, FFTW_ESTIMATE);                                      \
    fftw##_forget_wisdom();                                                                 \
    if (measured) fftw##_import_wisdom_from_string(measured);                               \
    free(measured);                                                                         \
    return state;                                                                           \
  }

FFTW_OF(fftw)
FFTW_OF(fftwf)

static int always(ptrdiff_t n) {
  (void)n;
  return 1;
}

static int plan(pf_fft *f, int estimate, pfft3d_error *e) {
  f->bytes = pf_tile_shape_of(f).bytes;
  void *tile = pf_alloc(f->bytes);
  if (!tile) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a tile of %zu bytes", f->bytes);
  pthread_mutex_lock(&planner);
  f->state = f->precision == PFFT3D_DOUBLE ? fftw_planned(f, tile, estimate)
                                           : fftwf_planned(f, tile, estimate);
  pthread_mutex_unlock(&planner);
  pf_free(tile);
  if (f->state) return PFFT3D_OK;
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "FFTW made no plan for %td points", f->n);
}

static void run(const pf_fft *f, void *tile, const pf_job *job) {
  pf_tile_read(f, tile, job);
  if (f->precision == PFFT3D_DOUBLE)
    fftw_execute_dft(f->state, tile, tile);
  else
    fftwf_execute_dft(f->state, tile, tile);
  pf_tile_write(f, tile, job);
}

static void destroy(pf_fft *f) {
  pthread_mutex_lock(&planner);
  if (f->precision == PFFT3D_DOUBLE)
    fftw_destroy_plan(f->state);
  else
    fftwf_destroy_plan(f->state);
  pthread_mutex_unlock(&planner);
}

/* The wisdom of both libraries, one after the other. */
static char *export_wisdom(void) {
  pthread_mutex_lock(&planner);
  char *a = fftw_export_wisdom_to_string(), *b = fftwf_export_wisdom_to_string();
  pthread_mutex_unlock(&planner);
  size_t first = a ? strlen(a) : 0;
  char *both = a && b ? realloc(a, first + strlen(b) + 1) : NULL;
  if (both)
    memcpy(both + first, b, strlen(b) + 1);
  else
    free(a);
  free(b);
  return both;
}

static void import_wisdom(const char *text) {
  const char *second = strstr(text, "fftwf_wisdom");
  while (second && second > text && *second != '(') second--;
  char *first = second ? strndup(text, (size_t)(second - text)) : strdup(text);
  pthread_mutex_lock(&planner);
  if (first) fftw_import_wisdom_from_string(first);
  if (second) fftwf_import_wisdom_from_string(second);
  pthread_mutex_unlock(&planner);
  free(first);
}

const pf_engine pf_engine_fftw = {.name = "fftw",
                                  .summary = "FFTW 3 on cache-resident tiles, any length",
                                  .longest = longest,
                                  .supports = supports,
                                  .width = pf_tile_width,
                                  .weighs = always,
                                  .skips = always,
                                  .plan = plan,
                                  .run = run,
                                  .destroy = destroy,
                                  .export_wisdom = export_wisdom,
                                  .import_wisdom = import_wisdom};
