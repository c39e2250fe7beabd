/* SPDX-License-Identifier: BSD-3-Clause
 * Passes: tiles of adjacent lines are read through one view, transformed in cache, scaled and
 * written through another.  A stage does this for one plane after another, with one or two axes
 * of the plane, so that data crosses main memory once. */
#ifndef PF_LOCAL_STAGE_H
#define PF_LOCAL_STAGE_H

#include "layout/view.h"
#include "local/engine.h"
#include "local/move.h"

/* Element (i0, i1, i2) of a local box counts factor[0][i0] * factor[1][i1] * factor[2][i2] times.
 */
typedef struct pf_multiplier {
  const double *factor[3];
} pf_multiplier;

/* All lines along axis `line` of a plane, in tiles across axis `tile`. */
typedef struct pf_pass {
  const pf_fft *fft; /* NULL: the data is only moved */
  int line, tile;
  const pf_view *from, *to;
  double scale;        /* 1: nothing is multiplied */
  int stream;          /* write around the caches */
  int strip;           /* lines that are first brought into PF_SLOT_STRIP together; 0: none are */
  int fetch;           /* lines that are fetched ahead together, of rows a tile; 0: none are */
  int near;            /* neither: some points of columns are asked for ahead (pf_job.near) */
  int transpose;       /* columns become rows, whether the engine can (fft->transpose) or not */
  ptrdiff_t cyclic[2]; /* if > 1: point k is index k / dealt of part k % dealt of the axis in `from`
                         and `to`, whose parts follow each other: as to so many ranks in turn */
  const pf_multiplier *multiplier; /* of what comes in; NULL: none */
  const pf_roots *roots;           /* results are multiplied by factors (twiddle.h) ... */
  ptrdiff_t number[2];             /* of lines number[0], number[0] + number[1], ... */
} pf_pass;

/* Short runs at large strides use half of the memory's rate: the hardware fetches ahead only within
 * runs of a KiB or more.  So where the lines of a tile lie side by side in main memory, the lines
 * of several tiles are read together: an engine that can fetches those of the next tiles while it
 * computes these (pf_pass.fetch); else they are first copied into a strip that stays in cache.  And
 * where short runs would have to be written to places that do not begin with a cache line, the
 * lines of several tiles are collected in another strip and written together. */
enum { PF_STRIP = 64 };

/** Local. Lines of a strip: PF_STRIP, or fewer where n points of each would not fit the cache. */
ptrdiff_t pf_strip_width(ptrdiff_t n, size_t element);

/* Planes at one index of axis `outer` each; the passes of a plane follow each other while it sits
 * in cache.  Of a batch, either the same plane of all fields follows, or all planes of the field:
 * so a stage is a list of items, planes * fields. */
typedef struct pf_stage {
  int outer;
  ptrdiff_t planes, fields;
  ptrdiff_t first_field; /* of the batch, in this run */
  int by_field;          /* fields one after another, else plane by plane */
  ptrdiff_t last_lines;  /* along the tile axis in the last plane; 0: as many as in the others */
  int at_once;           /* items, one by each thread */
  int passes;
  pf_pass pass[2];
} pf_stage;

/* The memories that views name by slot, and the bytes that went in and out of each. */
typedef struct pf_memory {
  char *base[PF_SLOTS];
  double moved[PF_SLOTS];
} pf_memory;

/* What a thread needs of its own. */
typedef struct pf_worker {
  pf_memory memory; /* with its own plane and strip */
  pf_loss loss;     /* of what was narrowed since someone set it to 0 */
  void *tile;       /* the largest of all ffts */
  char *spare;      /* lines of a tile that is not whole, pf_tile_shape_of() the largest fft */
  char *collect;    /* lines of several tiles on their way out, pf_strip_bytes() of the longest */
  char **at[4]; /* addresses: as many as there are points in the longest axis, or lines in a tile */
  pf_run
      *run; /* as many as a view has segments; at[1] then holds the addresses of a tile in each */
  void *factors; /* pf_factors_bytes() of the longest lines that need any */
} pf_worker;

/** Local. Bytes of a strip of lines of n points: pf_strip_width() lines, and a tile that is not
 * whole. */
size_t pf_strip_bytes(ptrdiff_t n, size_t element);

/* Called between tiles (may be NULL).  In the last pass lines t .. t+width-1 along its tile axis
 * are finished for this plane; before, width is 0. */
typedef void pf_tick(void *context, ptrdiff_t t, ptrdiff_t width);

/** Local. The plane of an item, and which of the fields of this run it is. */
ptrdiff_t pf_stage_plane_of(const pf_stage *s, ptrdiff_t item);
ptrdiff_t pf_stage_field_of(const pf_stage *s, ptrdiff_t item);

/** Local. Runs one item and counts what moved.  The last pass starts with the tile that holds line
 *  @p first and wraps around. */
void pf_stage_run(const pf_stage *s, pf_worker *w, ptrdiff_t item, ptrdiff_t first, pf_tick *tick,
                  void *context);

/** Local. Runs items item .. item+count-1, one by each of `count` workers, on as many threads.
 *  Every plane meets the same arithmetic as alone. */
void pf_stage_run_threads(const pf_stage *s, pf_worker *worker, ptrdiff_t item, int count,
                          ptrdiff_t first);

#endif
