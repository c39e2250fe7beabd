/* SPDX-License-Identifier: BSD-3-Clause
 * The bare transform of a tile in cache by an engine of pfft3d, for the limits.  The only file here
 * that uses internals of the library: no call of its public header runs an engine without the moves
 * around it, which take several times as long for data in cache.  The comparison with peers uses
 * <pfft3d.h> only. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "local/engine.h"

/* Complex lines are side by side and are transformed in place.  Real lines are stored one after
 * another, as engines expect, followed by their half spectra. */
typedef struct tile {
  pf_fft fft;
  char *data;
  size_t bytes; /* bytes of the input */
  char **from, **to;
  void *work;
} tile;

enum { LINE = 64 }; /* bytes of a cache line: rows begin with one, no stride is a power of two */

static const pf_engine *find(const char *name) {
  for (int k = 0; pf_engine_at(k); k++)
    if (strcmp(pf_engine_at(k)->name, name) == 0) return pf_engine_at(k);
  return NULL;
}

static size_t padded(size_t bytes) {
  return (bytes + LINE - 1) / LINE * LINE;
}

/* Addresses of its rows: points of complex lines, or real lines. */
static void lay_out(const bench *b, tile *t, size_t element) {
  const pf_fft *f = &t->fft;
  const size_t n = (size_t)f->n, width = (size_t)f->width;
  const size_t rows = f->real ? width : n;
  const size_t in = f->real ? padded(n * element / 2) + LINE : padded(width * element);
  const size_t out = f->real ? padded((n / 2 + 1) * element) + LINE : 0;
  t->bytes = rows * in;
  t->data = bench_alloc(b, rows * (in + out));
  t->from = bench_alloc(b, rows * sizeof *t->from);
  t->to = bench_alloc(b, rows * sizeof *t->to);
  for (size_t i = 0; i < rows; i++) {
    t->from[i] = t->data + i * in;
    t->to[i] = f->real ? t->data + t->bytes + i * out : t->from[i];
  }
}

static void run(void *with) {
  const tile *t = with;
  const pf_job job = {.from = {t->from, 0, 1}, .to = {t->to, 0, 1}, .scale = 1};
  pf_fft_run(&t->fft, t->work, &job);
}

static void close_tile(void *with) {
  tile *t = with;
  pf_fft_destroy(&t->fft);
  free(t->work);
  free(t->from);
  free(t->to);
  free(t->data);
  free(t);
}

int tile_open(const bench *b, const char *engine, pfft3d_precision precision, ptrdiff_t n, int real,
              subject *s) {
  const pf_fft_spec spec = {.engine = find(engine),
                            .precision = precision,
                            .n = n,
                            .sign = -1,
                            .rows = real,
                            .real = real};
  const size_t number = pf_element(precision) / 2;
  pfft3d_error e = {.status = 0};
  if (!spec.engine || !spec.engine->supports(n, precision)) return 0;
  tile *t = bench_alloc(b, sizeof *t);
  if (pf_fft_create(&t->fft, &spec, 0, &e)) {
    close_tile(t);
    return 0;
  }
  t->work = bench_alloc(b, t->fft.bytes);
  lay_out(b, t, pf_element(precision));
  *s = (subject){.run = run,
                 .with = t,
                 .input = t->data,
                 .single = precision == PFFT3D_SINGLE,
                 .numbers = (ptrdiff_t)(t->bytes / number),
                 .lines = t->fft.width,
                 .close = close_tile};
  return 1;
}
