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

#include "app/common/number.h"
#include "app/run/run.h"
#include "bench.h"

enum {
  LINES = 8,
  CHUNKS = 31, /* number of times, of which the fastest counts, as this is a limit */
  CALLS = 16,  /* transforms of its own result: the numbers stay far below overflow */
  PAD = 4      /* points between lines, so that strides are no powers of two */
};

/* Seconds per line on the slowest rank, all ranks at once; closes the subject.  The input is set to
 * moderate numbers again and again: repeated transforms make them grow. */
static double time_lines(const bench *b, const subject *s) {
  double seconds = INFINITY;
  MPI_Barrier(b->a.comm);
  for (int k = 0; k < CHUNKS; k++) {
    for (ptrdiff_t i = 0; i < s->numbers; i++)
      number_set(s->input, s->single, i, (double)(i * 7919 % 1009) / 1009 - 0.5);
    const double start = MPI_Wtime();
    for (int i = 0; i < CALLS; i++) s->run(s->with);
    seconds = fmin(seconds, (MPI_Wtime() - start) / CALLS);
  }
  s->close(s->with);
  return run_max(&b->a, seconds) / (double)s->lines;
}

static void run_fftw(void *with) {
  fftw_execute(with);
}

static void close_fftw(void *with) {
  fftw_destroy_plan(with);
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
    double *data = bench_alloc(b, (size_t)points * 32);
    const subject s = {run_fftw,  make(data, n, side_by_side, real), data, 0, 2 * points, LINES,
                       close_fftw};
    best = fmin(best, time_lines(b, &s));
    free(data);
  }
  fftw_forget_wisdom();
  return best;
}

/* Seconds per line; FFTW's if the engine does not support this length. */
static double engine_seconds(const bench *b, const line_times *t, ptrdiff_t n, int real) {
  const int fftw = strcmp(t->engine, "fftw") == 0 && t->precision == PFFT3D_DOUBLE;
  subject s;
  if (fftw || !tile_open(b, t->engine, t->precision, n, real, &s)) return fftw_seconds(b, n, real);
  return time_lines(b, &s);
}

/* Measures the lines of an array of these extents, unless they are known; NULL without room. */
static const double *times_of(const bench *b, known_times *known, const contender *c,
                              const ptrdiff_t n[3]) {
  line_times *t = known->all;
  const line_times *end = known->all + sizeof known->all / sizeof *known->all;
  for (; t < known->all + known->count; t++)
    if (strcmp(t->engine, c->engine) == 0 && t->precision == c->problem.precision &&
        memcmp(t->n, n, sizeof t->n) == 0)
      return t->line_s;
  if (t == end) return known->all[0].line_s;
  known->count++;
  snprintf(t->engine, sizeof t->engine, "%s", c->engine);
  t->precision = c->problem.precision;
  memcpy(t->n, n, sizeof t->n);
  for (int a = 0; a < 3; a++) {
    const int real = b->problem.kind == PFFT3D_R2C && a == 2;
    int same = 0;
    while (same < a && (n[same] != n[a] || real)) same++;
    if (same < a)
      t->line_s[a] = t->line_s[same];
    else
      t->line_s[a] = n[a] > 1 ? engine_seconds(b, t, n[a], real) : 0;
  }
  return t->line_s;
}

static double share(ptrdiff_t n, int parts) {
  return (double)((n + parts - 1) / parts);
}

/* Sets the limits of a result from copy_s, fft_s and passes. */
static void combine(const contender *c, result *r) {
  /* The first pass has a plane in cache, with axes 2 and 1, or (more memory, less at once) one axis
   * only; the last has axis 0; the other passes only move data. */
  const double s = c->copy_s, *f = c->fft_s, rest = fmax(r->passes - 2, 0);
  const double plane = fmax(s, f[2] + f[1]) + rest * s;
  const double axis = fmax(s, f[2]) + fmax(s, f[1]) + (rest - 1) * s;
  r->sum_s = r->passes * s + f[0] + f[1] + f[2];
  r->max_s = fmax(s, f[0]) + (rest >= 1 ? fmin(plane, axis) : plane);
}

void limits_find(const bench *b, known_times *known, double copy_s, contender *c) {
  const int rows = c->grid[0], columns = c->grid[1];
  /* A line as the array in which it is transformed: the lines of the array have the lengths of the
   * split.  A convolution transforms twice. */
  pfft3d_problem p = c->problem;
  if (is_line(b) && is_ours(c))
    for (int a = 0; a < 3; a++) p.n[a] = a < 2 && c->split[a] > 0 ? c->split[a] : 1;
  const int times = p.n[0] * p.n[1] * p.n[2] != c->problem.n[2] && is_line(b) ? 2 : 1;
  ptrdiff_t n[3];
  pfft3d_problem_extents(&p, PFFT3D_SPECTRUM, n);
  c->copy_s = copy_s * c->fields * (p.precision == PFFT3D_SINGLE ? 0.5 : 1);
  if (!is_ours(c)) return;
  /* Lines of the busiest rank while each axis is complete. */
  const double lines[3] = {share(n[1], rows) * share(n[2], columns),
                           share(n[0], rows) * share(n[2], columns),
                           share(n[0], rows) * share(n[1], columns)};
  const double *line_s = times_of(b, known, c, p.n);
  for (int a = 0; a < 3; a++) c->fft_s[a] = line_s[a] * lines[a] * c->fields * times;
  for (int d = 0; d < 2; d++) combine(c, &c->result[d]);
}
