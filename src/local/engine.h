/* SPDX-License-Identifier: BSD-3-Clause
 * An engine transforms the lines of one tile while they sit in cache, on their way from one place
 * in memory to another.  It knows nothing of layouts or MPI.  To add one: write its file, add a
 * line to engine_list.h. */
#ifndef PF_LOCAL_ENGINE_H
#define PF_LOCAL_ENGINE_H

#include <stddef.h>

#include "base/status.h"
#include "local/twiddle.h"

typedef struct pf_engine pf_engine;

enum { PF_WIDEST = 64 }; /* lines of a tile, at most */

/* A planned transform of tiles of `width` lines of n points.  In memory the lines are rows
 * (their points contiguous) or columns (the lines side by side, equal points contiguous). */
typedef struct pf_fft {
  const pf_engine *engine;
  pfft3d_precision precision;
  ptrdiff_t n;
  int sign; /* -1 forward, +1 backward */
  int rows;
  int transpose; /* columns where they come from, rows where they go */
  int weighs;    /* sees to pf_job.weights by itself */
  int real; /* of n real numbers to n/2+1 complex ones or, backward, the other way; rows only */
  ptrdiff_t width;
  int around;   /* planned by pf_real_plan() */
  size_t bytes; /* of the tile buffer, which is the engine's own: aligned to PF_ALIGN, zero or used
                   before by the same fft */
  void *state;  /* the engine's */
} pf_fft;

/* Points first, first + step, ... of a row, which lie together. */
typedef struct pf_run {
  ptrdiff_t first, step, count;
} pf_run;

/* Where the lines of a tile are: of columns the address of each point, of rows that of each line,
 * all moved by an offset in bytes.  Rows that are turned columns may be in several runs: at[r *
 * width + j] is then the address of run r of line j. */
typedef struct pf_lines {
  char *const *at;
  ptrdiff_t offset;
  int aligned; /* every one is at the border of a cache line */
  int runs;    /* 0: whole rows */
  const pf_run *run;
} pf_lines;

/* What later tiles will need, in rows of whole cache lines: a hint, to be asked for while this tile
 * is computed.  The processor fetches ahead by itself only where it is reading, so memory would
 * rest while it computes. */
typedef struct pf_fetch {
  char *const *at; /* of each row */
  ptrdiff_t offset, rows;
  int lines; /* of PF_ALIGN bytes in each row */
} pf_fetch;

/* Factors on the points of a tile as they come in: point i of line j counts point[i] * line[j]
 * times. */
typedef struct pf_weights {
  const double *point, *line;
} pf_weights;

/* The work on one tile.  from and to may be the same lines. */
typedef struct pf_job {
  pf_lines from, to;
  double scale;
  int stream; /* write around the caches */
  pf_fetch fetch;
  int near; /* butterflies of the first pass whose points are asked for ahead of it; columns only */
  const pf_factors *factors; /* of the results of a turned transform; NULL: none */
  const pf_weights *weights; /* where the engine weighs; NULL: all 1 */
} pf_job;

struct pf_engine {
  const char *name, *summary;
  int fetches; /* run() makes use of job->fetch */

  /* Local. 1 when lines of n points can be transformed. */
  int (*supports)(ptrdiff_t n, pfft3d_precision precision);

  /* Local. Lines per tile for lines of n points: the same for any number of ranks, so that a line
   * always meets the same arithmetic. */
  ptrdiff_t (*width)(ptrdiff_t n, pfft3d_precision precision);

  /* Local. 1 when plan() and run() know what to do with pf_fft.real for lines of n points; else (or
   * NULL) it is done around them (real.c). */
  int (*reals)(ptrdiff_t n);

  /* Local. 1 when plan() and run() know what to do with pf_fft.transpose, runs and factors for
   * lines of n points; else (or NULL) it is done around them (stage.c). */
  int (*transposes)(ptrdiff_t n);

  /* Local. 1 when run() knows what to do with job->weights, for complex lines of n points; else (or
   * NULL) it is done before (stage.c). */
  int (*weighs)(ptrdiff_t n);

  /* Local. Fills f->state and f->bytes; all other fields are set.  `estimate`: choose the same way
   * everywhere and every time, without measuring.  Errors: MEMORY, UNAVAILABLE. */
  int (*plan)(pf_fft *f, int estimate, pfft3d_error *e);

  /* Local. Transforms a tile of f->width lines and multiplies by job->scale.  Lines that hold
   * nothing of interest hold finite numbers. */
  void (*run)(const pf_fft *f, void *tile, const pf_job *job);

  void (*destroy)(pf_fft *f);

  /* Local. What planning has learnt, as text from malloc (NULL when there is nothing), and back, so
   * that all ranks can make the choices of one.  NULL: planning learns nothing. */
  char *(*export_wisdom)(void);
  void (*import_wisdom)(const char *text);
};

/** Local. The registered engines, in order; NULL past the end. */
const pf_engine *pf_engine_at(int index);

/* What to plan. */
typedef struct pf_fft_spec {
  const pf_engine *engine;
  pfft3d_precision precision;
  ptrdiff_t n;
  int sign, rows, real; /* as in pf_fft */
  int alone;     /* lines of real numbers one by one: what is in one does not touch another */
  int transpose; /* as in pf_fft, which tells whether the engine can */
} pf_fft_spec;

/** Local. Plans tiles. */
int pf_fft_create(pf_fft *f, const pf_fft_spec *spec, int estimate, pfft3d_error *e);
void pf_fft_destroy(pf_fft *f);

/** Local. Lines of a tile. */
ptrdiff_t pf_fft_width(const pf_fft_spec *spec);

/** Local. Transforms a tile, as pf_engine.run. */
void pf_fft_run(const pf_fft *f, void *tile, const pf_job *job);

/* Lines of real numbers, for engines that know complex ones only (real.c).  pf_real_plan() as
 * pf_engine.plan, for lines two by two or, if `alone`, one by one. */
typedef struct pf_real pf_real;
int pf_real_plan(pf_fft *f, int alone, int estimate, pfft3d_error *e);
void pf_real_run(const pf_fft *f, void *tile, const pf_job *job);
void pf_real_destroy(pf_fft *f);

/* ---- Tiles (tile.c) ----------------------------------------------------------------------- */

/** Local. Bytes of a complex number. */
size_t pf_element(pfft3d_precision precision);

/* A tile of complex numbers, as some engines and the passes use it: point i of line j is element i
 * * along + j * across, where one of the two is 1 and the other padded so that it is no power of
 * two. */
typedef struct pf_tile_shape {
  ptrdiff_t along, across;
  size_t bytes;
} pf_tile_shape;

pf_tile_shape pf_tile_shape_of(const pf_fft *f);

/** Local. Its shape on the side where lines go: another one if they are turned. */
pf_tile_shape pf_tile_shape_to(const pf_fft *f);

/** Local. So many lines that such a tile fits the second-level cache. */
ptrdiff_t pf_tile_width(ptrdiff_t n, pfft3d_precision precision);

/** Local. Brings the lines into such a tile, and back. */
void pf_tile_gather(const pf_fft *f, void *tile, const pf_lines *from);
void pf_tile_scatter(const pf_fft *f, const void *tile, const pf_lines *to, int stream);

/** Local. Multiplies so many points of each line of such a tile by their weights. */
void pf_tile_weigh(const pf_fft *f, void *tile, ptrdiff_t points, const pf_weights *weights);

/** Local. Multiplies all numbers of such a tile; nothing to do for 1. */
void pf_tile_scale(const pf_fft *f, void *tile, double scale);

#endif
