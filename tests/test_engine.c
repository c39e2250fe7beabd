/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Every registered engine on one tile, from lines to lines, against the definition of the DFT in
 * long double, which is this test's own and not the naive engine's. */
#include "local/engine.h"

#include "base/memory.h"
#include "local/move.h"
#include "support.h"

enum { GUARD = 64 };                  /* bytes behind the tile */
static const double poison = -777.25; /* in memory that nobody may write to */

/* One tile: lines at irregular distances, of which none may touch what lies between. */
typedef struct {
  const pf_fft *f;
  double scale;
  int stream, in_place, aligned;
  const char *name;
  size_t element, run; /* bytes of a number pair, and of what is contiguous: a row, or a point */
  ptrdiff_t runs;
  char *memory[2], **at[2]; /* of the input and of the output */
  size_t bytes;
} tile_case;

static double read_number(const tile_case *c, const char *at, int part) {
  if (c->f->precision == PFFT3D_DOUBLE) return ((const double *)(const void *)at)[part];
  return ((const float *)(const void *)at)[part];
}

static void write_number(const tile_case *c, char *at, int part, double x) {
  if (c->f->precision == PFFT3D_DOUBLE)
    ((double *)(void *)at)[part] = x;
  else
    ((float *)(void *)at)[part] = (float)x;
}

static char *address(const tile_case *c, int side, ptrdiff_t point, ptrdiff_t line) {
  ptrdiff_t run = c->f->rows ? line : point, inside = c->f->rows ? point : line;
  return c->at[side][run] + inside * (ptrdiff_t)c->element;
}

/* A number that both precisions can hold. */
static double sample(const tile_case *c, ptrdiff_t point, ptrdiff_t line, int part) {
  double x = value_of((uint64_t)(2 * (point * 16 + line) + part + 1000 * c->f->n));
  return c->f->precision == PFFT3D_DOUBLE ? x : (float)x;
}

static void make_lines(tile_case *c, int side) {
  size_t gap = c->aligned ? 0 : c->element, at = c->aligned ? 0 : c->element;
  c->memory[side] = pf_alloc(c->bytes);
  c->at[side] = get((size_t)c->runs * sizeof(char *));
  for (size_t i = 0; i < c->bytes / c->element; i++)
    for (int part = 0; part < 2; part++)
      write_number(c, c->memory[side] + i * c->element, part, poison);
  for (ptrdiff_t k = 0; k < c->runs; k++) {
    c->at[side][k] = c->memory[side] + at;
    at += (c->run + gap + 63) / 64 * 64 + (c->aligned ? 64 * (size_t)(k % 3) : gap);
  }
  for (ptrdiff_t j = 0; j < c->f->width && !side; j++)
    for (ptrdiff_t i = 0; i < c->f->n; i++)
      for (int part = 0; part < 2; part++)
        write_number(c, address(c, 0, i, j), part, sample(c, i, j, part));
}

/* Adds || result - definition ||^2 and || definition ||^2 of line j; wipes its result. */
static void line_error(const tile_case *c, ptrdiff_t j, wide *x, long double sum[2]) {
  for (ptrdiff_t i = 0; i < c->f->n; i++) x[i] = (wide){sample(c, i, j, 0), sample(c, i, j, 1)};
  dft_lines(x, c->f->n, 1, 1, 1, c->f->sign);
  for (ptrdiff_t i = 0; i < c->f->n; i++) {
    char *y = address(c, !c->in_place, i, j);
    long double want[2] = {x[i].re * c->scale, x[i].im * c->scale};
    for (int part = 0; part < 2; part++) {
      long double d = read_number(c, y, part) - want[part];
      sum[0] += d * d;
      sum[1] += want[part] * want[part];
      write_number(c, y, part, poison);
    }
  }
}

/* All lines of short tiles; of long ones the first and the last.  The limit is for random numbers
 * on the average: one line of three points may exceed it, the whole tile may not. */
static void check_lines(const tile_case *c) {
  const pf_fft *f = c->f;
  wide *x = get((size_t)f->n * sizeof *x);
  long double sum[2] = {0, 0};
  int all = f->n <= 128, side = !c->in_place;
  for (ptrdiff_t j = 0; j < f->width; j++)
    if (all || j == 0 || j == f->width - 1) line_error(c, j, x, sum);
  double limit = error_limit(f->n, is_smooth(f->n)), error = (double)sqrtl(sum[0] / sum[1]);
  if (f->precision == PFFT3D_SINGLE) limit *= 0x1p29; /* 2^-24 for 2^-53 */
  CHECK(error <= limit, "%s: n %td, scale %g: error %.3g, allowed %.3g", c->name, f->n, c->scale,
        error, limit);
  ptrdiff_t touched = 0;
  for (size_t i = 0; i < c->bytes / c->element && all; i++)
    for (int part = 0; part < 2; part++)
      touched += read_number(c, c->memory[side] + i * c->element, part) != poison;
  CHECK(!touched, "%s: n %td: %td numbers written between the lines", c->name, f->n, touched);
  free(x);
}

static void test_tile(tile_case *c) {
  const pf_fft *f = c->f;
  unsigned char *tile = pf_alloc(f->bytes + GUARD);
  c->element = pf_element(f->precision);
  c->runs = f->rows ? f->width : f->n;
  c->run = (size_t)(f->rows ? f->n : f->width) * c->element;
  c->bytes = (size_t)c->runs * (c->run + 256) + 64;
  for (int side = 0; side < 2; side++) make_lines(c, side);
  memset(tile + f->bytes, 0x5a, GUARD);
  pf_job job = {.from = {c->at[0], 0, c->aligned},
                .to = {c->at[!c->in_place], 0, c->aligned},
                .scale = c->scale,
                .stream = c->stream};
  job.fetch = (pf_fetch){.at = c->at[0], .rows = c->runs, .lines = 2};
  f->engine->run(f, tile, &job);
  pf_move_fence();
  for (int k = 0; k < GUARD; k++)
    CHECK(tile[f->bytes + (size_t)k] == 0x5a, "%s: n %td: written behind the tile", c->name, f->n);
  check_lines(c);
  for (int side = 0; side < 2; side++) {
    free(c->at[side]);
    pf_free(c->memory[side]);
  }
  pf_free(tile);
}

static void test_tiles(const pf_fft *f, const char *name) {
  for (int k = 0; k < 4; k++) {
    tile_case c = {.f = f, .scale = 1, .name = name};
    c.stream = k == 1 || k == 2;
    c.aligned = k >= 2;
    c.in_place = k == 3;
    if (k >= 2) c.scale = 0.25; /* exact, so that n 1 stays exact */
    if (f->n > 128 && k != 2) continue;
    test_tile(&c);
  }
}

static void test_length(const pf_engine *engine, ptrdiff_t n, int estimate) {
  char name[120];
  for (int k = 0; k < 8; k++) {
    pf_fft f;
    pfft3d_error e;
    pf_error_clear(&e);
    int sign = k & 1 ? 1 : -1, rows = k >> 1 & 1;
    pfft3d_precision precision = k >> 2 ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
    if (!engine->supports(n, precision)) continue;
    if (n > 128 && k % 3) continue; /* each sign, orientation and precision */
    snprintf(name, sizeof name, "%s sign %d rows %d single %d estimate %d", engine->name, sign,
             rows, k >> 2, estimate);
    int status = pf_fft_create(&f, engine, precision, n, sign, rows, estimate, &e);
    CHECK(!status, "%s: n %td: %s", name, n, e.text);
    if (status) continue;
    CHECK(f.width >= 1 && f.n == n && f.sign == sign && f.rows == rows, "%s: n %td", name, n);
    test_tiles(&f, name);
    pf_fft_destroy(&f);
  }
}

int main(int argc, char **argv) {
  static const ptrdiff_t longer[] = {243, 256, 343, 512, 625, 1000, 1009, 1024, 2048};
  MPI_Init(&argc, &argv);
  for (int i = 0; pf_engine_at(i); i++) {
    const pf_engine *engine = pf_engine_at(i);
    int every = !strcmp(engine->name, "simd"); /* our own, which no other tests */
    CHECK(engine->name && engine->summary, "engine %d has no name", i);
    for (ptrdiff_t n = 1; n <= 128; n++) test_length(engine, n, 1);
    for (ptrdiff_t n = 1; n <= 128; n += n < 17 ? 1 : 37) test_length(engine, n, 0);
    for (ptrdiff_t n = 129; n <= 2048 && every; n++) test_length(engine, n, 1);
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++) test_length(engine, longer[k], 1);
    char *text = engine->learnt(); /* what was measured can be learnt again */
    if (text) engine->learn(text);
    free(text);
  }
  /* n 1 is exact: error_limit() is 0. */
  CHECK(error_limit(1, 1) == 0 && is_smooth(2 * 3 * 5 * 7) && !is_smooth(22), "support.h");
  return check_result();
}
