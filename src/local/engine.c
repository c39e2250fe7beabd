/* SPDX-License-Identifier: BSD-3-Clause
 * The registry of engines and the shape of a tile. */
#include "local/engine.h"

#include "base/memory.h"

#define PF_ENGINE(name) extern const pf_engine pf_engine_##name;
#include "local/engine_list.h"
#undef PF_ENGINE

static const pf_engine *const engines[] = {
#define PF_ENGINE(name) &pf_engine_##name,
#include "local/engine_list.h"
#undef PF_ENGINE
};

const pf_engine *pf_engine_at(int index) {
  int count = (int)(sizeof engines / sizeof *engines);
  return index >= 0 && index < count ? engines[index] : NULL;
}

/* Eight complex doubles are two cache lines: enough to use what a strided access brings in, and
 * with lines of up to some thousand points the tile stays in the second-level cache.  Long lines
 * take fewer. */
ptrdiff_t pf_tile_width(ptrdiff_t n) {
  return n <= 8192 ? 8 : n <= 32768 ? 4 : 2;
}

int pf_fft_create(pf_fft *f, const pf_engine *engine, ptrdiff_t n, int sign, int contiguous,
                  int estimate, pfft3d_error *e) {
  enum { element = 16, pad = 4 };
  size_t lines, bytes;
  *f = (pf_fft){.engine = engine, .n = n, .sign = sign, .width = engine->width(n)};
  f->along = contiguous ? 1 : f->width;
  f->across = contiguous ? (n + 3) / 4 * 4 + pad : 1;
  lines = (size_t)(contiguous ? f->width : n);
  if (pf_mul(lines, (size_t)(contiguous ? f->across : f->along) * element, &bytes))
    return pf_fail(e, PFFT3D_ERR_MEMORY, "a line of %td points is too long", n);
  f->bytes = bytes;
  return engine->plan(f, estimate, e);
}

enum { pair_bytes = 16 };

static pf_strided in_tile(const pf_fft *f, void *tile, const pf_piece *piece) {
  ptrdiff_t offset = piece->first_point * f->along + piece->first_line * f->across;
  return (pf_strided){(char *)tile + offset * pair_bytes, f->along, f->across};
}

void pf_tile_gather(const pf_fft *f, void *tile, const pf_piece *piece) {
  pf_move(in_tile(f, tile, piece), piece->at, piece->points, piece->lines, 0);
}

void pf_tile_scatter(const pf_fft *f, void *tile, const pf_piece *piece, int stream) {
  pf_move(piece->at, in_tile(f, tile, piece), piece->points, piece->lines, stream);
}

void pf_tile_scale(const pf_fft *f, void *tile, double scale) {
  double *x = tile;
  ptrdiff_t count = f->along == 1 ? f->width * f->across : f->n * f->along;
  for (ptrdiff_t i = 0; scale != 1 && i < 2 * count; i++) x[i] *= scale;
}

void pf_fft_destroy(pf_fft *f) {
  if (f->engine && f->state) f->engine->destroy(f);
  f->state = NULL;
}
