/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Every registered engine on one tile, with its gather and scatter, against the definition of the
 * DFT in long double, which is this test's own and not the naive engine's. */
#include "local/engine.h"

#include "base/memory.h"
#include "local/move.h"
#include "support.h"

enum { GUARD = 8 };                   /* doubles behind the tile */
static const double poison = -777.25; /* in memory that nobody may write to */

/* A tile of which `lines` lines are used, and where the lines lie in memory. */
typedef struct {
  const pf_fft *f;
  ptrdiff_t lines, along, across;
  double scale;
  int stream, pieces; /* the lines come and go in pieces x pieces rectangles */
  const char *name;
} tile_case;

static size_t memory_pairs(const tile_case *c) {
  return (size_t)((c->f->n - 1) * c->along + (c->lines - 1) * c->across + 1);
}

static uint64_t index_of(const tile_case *c, ptrdiff_t i, ptrdiff_t j) {
  return (uint64_t)(2 * (i * 8 + j) + 1000 * c->f->n);
}

/* Gathers from, or scatters to, memory in rectangles. */
static void move_pieces(const tile_case *c, void *tile, double *memory, int gather) {
  const pf_fft *f = c->f;
  for (ptrdiff_t a = 0; a < c->pieces; a++)
    for (ptrdiff_t b = 0; b < c->pieces; b++) {
      ptrdiff_t i = f->n * a / c->pieces, j = c->lines * b / c->pieces;
      pf_piece piece = {.first_point = i, .points = f->n * (a + 1) / c->pieces - i};
      piece.first_line = j;
      piece.lines = c->lines * (b + 1) / c->pieces - j;
      piece.at = (pf_strided){memory + 2 * (i * c->along + j * c->across), c->along, c->across};
      if (!piece.points || !piece.lines) continue;
      if (gather)
        f->engine->gather(f, tile, &piece);
      else
        f->engine->scatter(f, tile, &piece, c->stream);
    }
  pf_move_fence();
}

/* Adds || result - definition ||^2 and || definition ||^2 of line j; wipes its result. */
static void line_error(const tile_case *c, double *memory, ptrdiff_t j, wide *x,
                       long double sum[2]) {
  const pf_fft *f = c->f;
  for (ptrdiff_t i = 0; i < f->n; i++)
    x[i] = (wide){value_of(index_of(c, i, j)), value_of(index_of(c, i, j) + 1)};
  dft_lines(x, f->n, 1, 1, 1, f->sign);
  for (ptrdiff_t i = 0; i < f->n; i++) {
    double *y = memory + 2 * (i * c->along + j * c->across);
    long double re = x[i].re * c->scale, im = x[i].im * c->scale;
    sum[0] += (y[0] - re) * (y[0] - re) + (y[1] - im) * (y[1] - im);
    sum[1] += re * re + im * im;
    y[0] = y[1] = poison;
  }
}

/* All lines of short tiles; of long ones the first and the last.  The limit is for random numbers
 * on the average: one line of three points may exceed it, the whole tile may not. */
static void check_lines(const tile_case *c, double *memory) {
  const pf_fft *f = c->f;
  wide *x = get((size_t)f->n * sizeof *x);
  long double sum[2] = {0, 0};
  int all = f->n <= 128;
  for (ptrdiff_t j = 0; j < c->lines; j++)
    if (all || j == 0 || j == c->lines - 1) line_error(c, memory, j, x, sum);
  double limit = error_limit(f->n, is_smooth(f->n)), error = (double)sqrtl(sum[0] / sum[1]);
  CHECK(error <= limit, "%s: n %td, %td lines, pieces %d, scale %g: error %.3g, allowed %.3g",
        c->name, f->n, c->lines, c->pieces, c->scale, error, limit);
  ptrdiff_t touched = 0;
  for (size_t i = 0; i < 2 * memory_pairs(c) && all; i++) touched += memory[i] != poison;
  CHECK(!touched, "%s: n %td: %td numbers written between the lines", c->name, f->n, touched);
  free(x);
}

static void test_tile(const tile_case *c) {
  const pf_fft *f = c->f;
  size_t bytes = 2 * memory_pairs(c) * sizeof(double);
  double *tile = pf_alloc(f->bytes + GUARD * sizeof(double)), *guard;
  double *from = pf_alloc(bytes + 16), *to = pf_alloc(bytes + 16);
  guard = tile + f->bytes / sizeof(double);
  for (size_t i = 0; i < bytes / sizeof(double); i++) from[i] = NAN, to[i] = poison;
  for (ptrdiff_t j = 0; j < c->lines; j++)
    for (ptrdiff_t i = 0; i < f->n; i++)
      for (int k = 0; k < 2; k++)
        from[2 * (i * c->along + j * c->across) + k] = value_of(index_of(c, i, j) + (uint64_t)k);
  for (int again = f->n > 128; again < 2; again++) { /* a plan serves many tiles */
    for (int k = 0; k < GUARD; k++) guard[k] = k + 0.5;
    move_pieces(c, tile, from, 1);
    f->engine->run(f, tile, c->scale, NULL);
    move_pieces(c, tile, to, 0);
    for (int k = 0; k < GUARD; k++)
      CHECK(guard[k] == k + 0.5, "%s: n %td: written behind the tile", c->name, f->n);
  }
  check_lines(c, to);
  pf_free(tile);
  pf_free(from);
  pf_free(to);
}

/* Whole and partial tiles; lines in memory side by side or one after the other. */
static void test_tiles(const pf_fft *f, const char *name) {
  for (int k = 0; k < 4; k++) {
    tile_case c = {.f = f, .lines = f->width, .scale = 1, .name = name};
    int points_together = (k & 1) == (f->along == 1);
    c.along = points_together ? 1 : f->width + 3;
    c.across = points_together ? f->n + 5 : 1;
    c.stream = k == 1 || k == 2;
    c.pieces = k == 0 ? 1 : 3;
    if (k >= 2) c.scale = 0.25; /* exact, so that n 1 stays exact */
    if (k == 3 && c.lines > 1) c.lines = (c.lines + 1) / 3;
    if (f->n > 128 && k != 2) continue;
    test_tile(&c);
  }
}

static void test_length(const pf_engine *engine, ptrdiff_t n, int estimate) {
  char name[100];
  if (!engine->supports(n)) return;
  for (int k = 0; k < 4; k++) {
    pf_fft f;
    pfft3d_error e;
    pf_error_clear(&e);
    int sign = k & 1 ? 1 : -1, contiguous = k >> 1;
    if (n > 128 && k % 3) continue; /* each sign and each orientation once */
    snprintf(name, sizeof name, "%s sign %d contiguous %d estimate %d", engine->name, sign,
             contiguous, estimate);
    int status = pf_fft_create(&f, engine, n, sign, contiguous, estimate, &e);
    CHECK(!status, "%s: n %td: %s", name, n, e.text);
    if (status) continue;
    CHECK(f.width >= 1 && f.n == n && f.sign == sign, "%s: n %td", name, n);
    test_tiles(&f, name);
    pf_fft_destroy(&f);
  }
}

int main(int argc, char **argv) {
  static const ptrdiff_t longer[] = {243, 256, 343, 512, 625, 1000, 1009, 1024, 2048};
  MPI_Init(&argc, &argv);
  for (int i = 0; pf_engine_at(i); i++) {
    const pf_engine *engine = pf_engine_at(i);
    CHECK(engine->name && engine->summary, "engine %d has no name", i);
    for (ptrdiff_t n = 1; n <= 128; n++) test_length(engine, n, 1);
    for (ptrdiff_t n = 1; n <= 128; n += n < 17 ? 1 : 37) test_length(engine, n, 0);
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++) test_length(engine, longer[k], 1);
    char *text = engine->learnt(); /* what was measured can be learnt again */
    if (text) engine->learn(text);
    free(text);
  }
  /* n 1 is exact: error_limit() is 0. */
  CHECK(error_limit(1, 1) == 0 && is_smooth(2 * 3 * 5 * 7) && !is_smooth(22), "support.h");
  return check_result();
}
