/* SPDX-License-Identifier: BSD-3-Clause
 * An engine transforms the lines of one tile while they sit in cache.  It knows nothing of layouts
 * or MPI.  To add one: write its file, add a line to engine_list.h. */
#ifndef PF_LOCAL_ENGINE_H
#define PF_LOCAL_ENGINE_H

#include <stddef.h>

#include "base/status.h"
#include "local/move.h"

typedef struct pf_engine pf_engine;

/* A planned transform of `width` lines of n points in a tile buffer of `bytes` bytes, in place.
 * How a tile is laid out is the engine's business: it does its own gather and scatter.  Engines
 * that share pf_tile_gather() and pf_tile_scatter() keep point i of line j at element i * along + j
 * * across, where exactly one of the two is 1. */
typedef struct pf_fft {
  const pf_engine *engine;
  ptrdiff_t n;
  int sign; /* -1 forward, +1 backward */
  ptrdiff_t width;
  ptrdiff_t along, across;
  size_t bytes;
  void *state; /* the engine's */
} pf_fft;

/* Some points of some lines of a tile, and where they lie in memory. */
typedef struct pf_piece {
  ptrdiff_t first_point, points, first_line, lines;
  pf_strided at;
} pf_piece;

/* What later tiles will need, in rows of whole cache lines: a hint, to be asked for while this tile
 * is computed.  The processor fetches ahead by itself only where it is reading, so memory would
 * rest while it computes. */
enum { PF_FETCH_BLOCKS = 4 };
typedef struct pf_fetch {
  int lines;  /* of PF_ALIGN bytes in each row */
  int blocks; /* of rows at equal distances; 0: nothing to fetch */
  struct {
    const char *first;
    ptrdiff_t rows, stride; /* in bytes */
  } block[PF_FETCH_BLOCKS];
} pf_fetch;

struct pf_engine {
  const char *name, *summary;
  int fetches; /* run() makes use of its last argument */

  /* Local. 1 when lines of n points can be transformed. */
  int (*supports)(ptrdiff_t n);

  /* Local. Lines per tile for lines of n points: the same for any number of ranks, so that a line
   * always meets the same arithmetic. */
  ptrdiff_t (*width)(ptrdiff_t n);

  /* Local. Fills f->state (and enlarges f->bytes for scratch behind the tile, if it needs any); all
   * other fields are set.  `estimate`: choose the same way everywhere and every time, without
   * measuring.  Errors: MEMORY, UNAVAILABLE. */
  int (*plan)(pf_fft *f, int estimate, pfft3d_error *e);

  /* Local. Copies a piece of the lines from memory into the tile, or back.  The tile is aligned to
   * PF_ALIGN.  stream: write around the caches. */
  void (*gather)(const pf_fft *f, void *tile, const pf_piece *piece);
  void (*scatter)(const pf_fft *f, void *tile, const pf_piece *piece, int stream);

  /* Local. Transforms the tile and multiplies by scale.  Lines that hold nothing of interest hold
   * finite numbers. */
  void (*run)(const pf_fft *f, void *tile, double scale, const pf_fetch *fetch);

  void (*destroy)(pf_fft *f);

  /* Local. What planning has learnt, as text from malloc (NULL when there is nothing), and back, so
   * that all ranks can make the choices of one. */
  char *(*learnt)(void);
  void (*learn)(const char *text);
};

/** Local. The registered engines, in order; NULL past the end. */
const pf_engine *pf_engine_at(int index);

/** Local. Plans tiles of lines of n points, whose points (contiguous != 0) or whose lines (0) lie
 *  side by side.  Rows are padded so that strides are no powers of two. */
int pf_fft_create(pf_fft *f, const pf_engine *engine, ptrdiff_t n, int sign, int contiguous,
                  int estimate, pfft3d_error *e);
void pf_fft_destroy(pf_fft *f);

/** Local. For engines whose tile holds (re, im) pairs at i * along + j * across: so many lines that
 *  the tile fits the second-level cache. */
ptrdiff_t pf_tile_width(ptrdiff_t n);
void pf_tile_gather(const pf_fft *f, void *tile, const pf_piece *piece);
void pf_tile_scatter(const pf_fft *f, void *tile, const pf_piece *piece, int stream);

/** Local. Multiplies all numbers of a tile; nothing to do for 1. */
void pf_tile_scale(const pf_fft *f, void *tile, double scale);

#endif
