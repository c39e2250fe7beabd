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

/* The lines lie side by side, and are transformed in place. */
struct tile {
  pf_fft fft;
  double *data;
  char **at;
  void *work;
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
  if (!found || !found->supports(n, PFFT3D_DOUBLE)) return NULL;
  t = bench_alloc(sizeof *t);
  if (pf_fft_create(&t->fft, found, PFFT3D_DOUBLE, n, -1, 0, 0, &e)) {
    free(t);
    return NULL;
  }
  t->work = bench_alloc(t->fft.bytes);
  t->data = bench_alloc((size_t)(n * t->fft.width) * 16);
  t->at = bench_alloc((size_t)n * sizeof *t->at);
  for (ptrdiff_t i = 0; i < n; i++) t->at[i] = (char *)(t->data + 2 * i * t->fft.width);
  return t;
}

ptrdiff_t tile_lines(const tile *t) {
  return t->fft.width;
}

void tile_reset(tile *t) {
  for (ptrdiff_t i = 0; i < 2 * t->fft.n * t->fft.width; i++)
    t->data[i] = (double)(i * 7919 % 1009) / 1009 - 0.5;
}

void tile_run(tile *t) {
  pf_job job = {.from = {t->at, 0, 1}, .to = {t->at, 0, 1}, .scale = 1};
  t->fft.engine->run(&t->fft, t->work, &job);
}

void tile_close(tile *t) {
  pf_fft_destroy(&t->fft);
  free(t->work);
  free(t->at);
  free(t->data);
  free(t);
}
