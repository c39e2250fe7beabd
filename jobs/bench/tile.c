/* SPDX-License-Identifier: BSD-3-Clause
 * The bare transform of a tile in cache by an engine of pfft3d, for the limits.  The one file here
 * that looks into the library: no call of its public header runs an engine without the moves
 * around it, which take several times as long for data in cache.  What is compared with peers is
 * reached through <pfft3d.h> alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "local/engine.h"

struct tile {
  pf_fft fft;
  void *data;
};

static const pf_engine *find(const char *name) {
  for (int k = 0; pf_engine_at(k); k++)
    if (strcmp(pf_engine_at(k)->name, name) == 0) return pf_engine_at(k);
  return NULL;
}

tile *tile_open(const char *engine, ptrdiff_t n) {
  const pf_engine *found = find(engine);
  pfft3d_error e = {.status = 0};
  tile *t;
  if (!found || !found->supports(n)) return NULL;
  t = bench_alloc(sizeof *t);
  if (pf_fft_create(&t->fft, found, n, -1, 0, 0, &e)) {
    free(t);
    return NULL;
  }
  t->data = bench_alloc(t->fft.bytes);
  return t;
}

ptrdiff_t tile_lines(const tile *t) {
  return t->fft.width;
}

void tile_reset(tile *t) {
  double *x = t->data;
  for (size_t i = 0; i < t->fft.bytes / sizeof *x; i++)
    x[i] = (double)(i * 7919 % 1009) / 1009 - 0.5;
}

void tile_run(tile *t) {
  t->fft.engine->run(&t->fft, t->data, 1);
}

void tile_close(tile *t) {
  pf_fft_destroy(&t->fft);
  free(t->data);
  free(t);
}
