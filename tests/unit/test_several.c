/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Tiles side by side that an engine transforms at once have the bits of single ones, and nothing
 * around them is touched.  Lengths that engine mkl takes. */
#include "local/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "local/simd.h"
#include "support.h"

enum { MORE = 2, TILES = MORE + 1, BEYOND = 1 }; /* tiles at once; tiles that stay as they are */

typedef struct lines {
  char *memory, **at;
  size_t bytes;
} lines;

/* Lines of TILES + BEYOND tiles, side by side or one after another. */
static lines make_lines(const pf_fft *f) {
  ptrdiff_t all = (TILES + BEYOND) * f->width, addresses = f->rows ? all : f->n;
  ptrdiff_t row = f->n + 2; /* real points, and n/2+1 modes, fit */
  size_t element = pf_element(f->precision), bytes = (size_t)(all * row) * element;
  lines x = {pf_alloc(bytes), malloc((size_t)addresses * sizeof *x.at), bytes};
  if (!x.memory || !x.at) abort();
  for (ptrdiff_t i = 0; i < addresses; i++)
    x.at[i] = x.memory + (size_t)(i * (f->rows ? row : all)) * element;
  return x;
}

static void run(const pf_fft *f, const lines *from, const lines *to, int tile, int more) {
  void *work = pf_alloc(f->bytes);
  ptrdiff_t line = tile * f->width, rows = f->rows ? line : 0;
  ptrdiff_t offset = f->rows ? 0 : line * (ptrdiff_t)pf_element(f->precision);
  pf_job job = {.from = {.at = from->at + rows, .offset = offset},
                .to = {.at = to->at + rows, .offset = offset},
                .scale = 0.5,
                .more = more};
  pf_fft_run(f, work, &job);
  pf_free(work);
}

static int test_length(const pf_fft_spec *spec) {
  pf_fft f;
  if (pf_fft_create(&f, spec, 1, NULL)) abort();
  int several = f.several;
  if (several) {
    lines from = make_lines(&f), once = make_lines(&f), single = make_lines(&f);
    for (size_t i = 0; i < from.bytes; i++) from.memory[i] = (char)(i * 37 % 61);
    memset(once.memory, 5, once.bytes);
    memset(single.memory, 5, single.bytes);
    run(&f, &from, &once, 0, MORE);
    for (int k = 0; k < TILES; k++) run(&f, &from, &single, k, 0);
    CHECK(!memcmp(once.memory, single.memory, once.bytes),
          "%td points, %s, real %d, sign %d, precision %d", f.n, f.rows ? "rows" : "columns",
          f.real, f.sign, (int)f.precision);
    lines *all[] = {&from, &once, &single};
    for (int k = 0; k < 3; k++) pf_free(all[k]->memory), free(all[k]->at);
  }
  pf_fft_destroy(&f);
  return several;
}

static int test_lengths(const pf_engine *engine) {
  int several = 0;
  for (ptrdiff_t n = 1; n <= 40; n++)
    for (int way = 0; way < 16; way++) {
      pf_fft_spec spec = {.engine = engine,
                          .n = n,
                          .precision = way & 1 ? PFFT3D_SINGLE : PFFT3D_DOUBLE,
                          .rows = way >> 1 & 1,
                          .real = way >> 3,
                          .sign = way & 4 ? 1 : -1};
      if (spec.real && !spec.rows) continue;
      if (engine->supports(n, spec.precision)) several += test_length(&spec);
    }
  return several;
}

/* Engine mkl refuses what it would transform with large errors; single precision has none. */
static void test_mkl(const pf_engine *engine) {
  static const ptrdiff_t exact[] = {1, 2, 8, 17, 30, 1001, 1009, 4096, 65537, 1 << 20};
  static const ptrdiff_t refused[] = {34, 51, 146, 289, 1003, 2018};
  pfft3d_error e = {0};
  for (size_t k = 0; k < sizeof exact / sizeof *exact; k++)
    CHECK(!pf_engine_check(engine, exact[k], PFFT3D_DOUBLE, &e) &&
              engine->supports(exact[k], PFFT3D_SINGLE),
          "mkl: %td points refused", exact[k]);
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
    CHECK(engine->supports(refused[k], PFFT3D_SINGLE), "mkl: %td points refused", refused[k]);
    CHECK(pf_engine_check(engine, refused[k], PFFT3D_DOUBLE, &e) == PFFT3D_ERR_UNAVAILABLE &&
              strstr(e.text, "primes and products of primes up to 13"),
          "mkl: %td points: %s", refused[k], e.text);
  }
  CHECK(!engine->supports(engine->longest + 1, PFFT3D_SINGLE), "mkl: any length");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; pf_engine_at(i); i++)
    if (!strcmp(pf_engine_at(i)->name, "mkl")) test_mkl(pf_engine_at(i));
  for (int i = 0; pf_engine_at(i); i++) {
    const pf_engine *engine = pf_engine_at(i);
    if (engine->device) continue;
    int several = test_lengths(engine);
    if (strcmp(engine->name, "simd")) continue;
    CHECK(several > 0, "no lines take several tiles");
    for (int k = 1; pf_simd_leave_out(k); k++) test_lengths(engine); /* of other machines */
  }
  return check_result();
}
