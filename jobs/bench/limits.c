/* SPDX-License-Identifier: BSD-3-Clause
 * Limits: the time of pfft3d's passes if only memory traffic and transforms in cache took time.
 *
 * The transforms of engine fftw are timed as FFTW itself on 8 lines in cache, planned with PATIENT,
 * on lines side by side or one after the other, whichever is faster; transforms of other engines,
 * and all in single precision, as the engine's own bare transform of its own tile.
 *
 * A pass over a real field and half a spectrum moves the mean of both.  Axis 2 then transforms real
 * lines, the others those of half a spectrum. */
#include <complex.h> /* before fftw3.h, which then takes C's complex type */
#include <fftw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum {
  LINES = 8,
  CHUNKS = 31, /* number of times, of which the fastest counts, as this is a limit */
  CALLS = 16,  /* transforms of its own result: the numbers stay far below overflow */
  PAD = 4      /* points between lines, so that strides are no powers of two */
};

/* A computation that is repeated in cache: an FFTW plan on data that is restored from `origin`, or
 * a tile. */
typedef struct subject {
  fftw_plan plan;
  double *data, *origin;
  size_t bytes;
  tile *tile;
} subject;

/* Seconds of one call on the slowest rank, all ranks at once. */
static double time_calls(const bench *b, const subject *s) {
  double seconds = INFINITY, slowest;
  MPI_Barrier(b->comm);
  for (int k = 0; k < CHUNKS; k++) {
    if (s->tile)
      tile_reset(s->tile);
    else
      memcpy(s->data, s->origin, s->bytes);
    const double start = MPI_Wtime();
    for (int i = 0; i < CALLS; i++) {
      if (s->tile)
        tile_run(s->tile);
      else
        fftw_execute(s->plan);
    }
    seconds = fmin(seconds, (MPI_Wtime() - start) / CALLS);
  }
  MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, b->comm);
  return slowest;
}

/* FFTW's plan for lines of complex numbers, in place, or from real lines to complex ones after
 * them. */
static fftw_plan make(double *data, ptrdiff_t n, int side_by_side, int real) {
  const int length = (int)n, far = (int)n + PAD;
  const int along = side_by_side ? LINES : 1, across = side_by_side ? 1 : far;
  fftw_complex *t = (fftw_complex *)data, *out = t + far * LINES;
  if (real)
    return fftw_plan_many_dft_r2c(1, &length, LINES, data, NULL, along, across, out, NULL, along,
                                  across, FFTW_PATIENT);
  return fftw_plan_many_dft(1, &length, LINES, t, NULL, along, across, t, NULL, along, across,
                            FFTW_FORWARD, FFTW_PATIENT);
}

/* Seconds per line. */
static double fftw_seconds(const bench *b, ptrdiff_t n, int real) {
  const ptrdiff_t points = (n + PAD) * LINES;
  double best = INFINITY;
  for (int side_by_side = 0; side_by_side < 2; side_by_side++) {
    subject s = {.bytes = (size_t)points * 16};
    s.data = bench_alloc(2 * s.bytes);
    s.origin = bench_alloc(s.bytes);
    s.plan = make(s.data, n, side_by_side, real);
    for (ptrdiff_t i = 0; i < 2 * points; i++) s.origin[i] = (double)(i * 7919 % 1009) / 1009 - 0.5;
    best = fmin(best, time_calls(b, &s));
    fftw_destroy_plan(s.plan);
    free(s.data);
    free(s.origin);
  }
  fftw_forget_wisdom();
  return best / LINES;
}

/* Seconds per line; FFTW's if the engine does not support this length. */
static double engine_seconds(const bench *b, const char *engine, pfft3d_precision precision,
                             ptrdiff_t n, int real) {
  subject s = {.plan = NULL};
  if ((strcmp(engine, "fftw") == 0 && precision == PFFT3D_DOUBLE) ||
      !(s.tile = tile_open(engine, precision, n, real)))
    return fftw_seconds(b, n, real);
  const double seconds = time_calls(b, &s) / (double)tile_lines(s.tile);
  tile_close(s.tile);
  return seconds;
}

void limits_engine(const bench *b, const char *engine, pfft3d_precision precision,
                   double line_s[3]) {
  for (int a = 0; a < 3; a++) {
    const int real = b->kind == PFFT3D_R2C && a == 2;
    int known = -1;
    for (int k = 0; k < a; k++)
      if (b->n[k] == b->n[a] && !real) known = k;
    if (known >= 0)
      line_s[a] = line_s[known];
    else
      line_s[a] = b->n[a] > 1 ? engine_seconds(b, engine, precision, b->n[a], real) : 0;
  }
}

static double share(ptrdiff_t n, int parts) {
  return (double)((n + parts - 1) / parts);
}

void limits_scale(const bench *b, const contender *c, double copy_s, const double line_s[3],
                  limits *l) {
  ptrdiff_t n[3];
  const int rows = c->grid[0], columns = c->grid[1];
  extents(b, PFFT3D_SPECTRUM, n);
  /* Lines of the busiest rank while each axis is complete. */
  const double lines[3] = {share(n[1], rows) * share(n[2], columns),
                           share(n[0], rows) * share(n[2], columns),
                           share(n[0], rows) * share(n[1], columns)};
  for (int a = 0; a < 3; a++) l->fft_s[a] = line_s[a] * lines[a] * c->fields;
  l->copy_s = copy_s * c->fields * (c->precision == PFFT3D_SINGLE ? 0.5 : 1);
}

void limits_combine(limits *l, double passes) {
  /* The first pass has a plane in cache, with axes 2 and 1, or (more memory, less at once) one axis
   * only; the last has axis 0; the other passes only move data. */
  const double c = l->copy_s, *f = l->fft_s, rest = fmax(passes - 2, 0);
  const double plane = fmax(c, f[2] + f[1]) + rest * c;
  const double axis = fmax(c, f[2]) + fmax(c, f[1]) + (rest - 1) * c;
  l->sum_s = passes * c + f[0] + f[1] + f[2];
  l->max_s = fmax(c, f[0]) + (rest >= 1 ? fmin(plane, axis) : plane);
}
