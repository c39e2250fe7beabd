/* SPDX-License-Identifier: BSD-3-Clause
 * Passes: tiles of adjacent lines are read through one view, transformed in cache, scaled and
 * written through another.  A stage applies one or two passes to one plane after another, so that
 * data crosses main memory once. */
#ifndef PF_LOCAL_STAGE_H
#define PF_LOCAL_STAGE_H

#include "layout/view.h"
#include "local/engine.h"
#include "local/move.h"

/* Element (i0, i1, i2) of a local box is multiplied by factor[0][i0] * factor[1][i1] *
 * factor[2][i2], or by the values of a function that takes global indices. */
typedef struct pf_multiplier {
  const double *factor[3];
  pfft3d_factors factors; /* NULL: the product */
  void *context;
  ptrdiff_t lo[3];      /* first indices of the box */
  ptrdiff_t components; /* elements of as many fields lie side by side along axis 2 */
} pf_multiplier;

/* Hermitian reflection in one line, counted over all planes: x[i] = conj(x[sum-i]) for these
 * points; a point that is its own image becomes real.  Points may be beyond the end of a line, if
 * the view has a segment for them. */
typedef struct pf_reflection {
  ptrdiff_t line;
  pf_range points;
  ptrdiff_t sum;
} pf_reflection;
enum { PF_REFLECTIONS = 4 };

/* How a pass uses the caches (pipeline/stores.c).  Results do not depend on it. */
typedef struct pf_tuning {
  int stream;            /* use streaming stores */
  int strip;             /* lines that are first copied into PF_SLOT_STRIP together; 0: none */
  int fetch;             /* lines that are prefetched together, one tile for rows; 0: none */
  int fetch_butterflies; /* without strip and fetch (pf_job.fetch_butterflies) */
  int claim;             /* results may be in other processors' caches (pf_job.claim) */
  int claim_butterflies; /* instead of `claim`: by butterfly (pf_job.claim_butterflies) */
  int late;              /* the last lines of a plane may be written after later planes */
  int ahead;             /* those of later planes may be read before */
} pf_tuning;

/* All lines along axis `line` of a plane, in tiles across axis `tile`. */
typedef struct pf_pass {
  const pf_fft *fft; /* NULL: the data is only moved */
  int line, tile;
  const pf_view *from, *to;
  double scale; /* 1: no multiplication */
  pf_tuning tuning;
  int transpose;       /* columns become rows, by the engine (fft->transpose) or by a copy */
  ptrdiff_t cyclic[2]; /* > 1: axis of `from` or `to` distributed cyclically over `cyclic` parts,
                          stored part after part: point k is index k / cyclic of part k % cyclic */
  pf_range gap[2]; /* points of a line that `from` or `to` does not have: they are read as 0, and
                      not written.  Not with `cyclic`, nor if data is only moved */
  const pf_multiplier *multiplier; /* on the input; NULL: none */
  const pf_roots *roots;           /* results are multiplied by factors (twiddle.h) ... */
  ptrdiff_t number[2];             /* ... of lines number[0], number[0] + number[1], ... */
  int reflections; /* number of reflections.  In memory: before a plane of `from` is read, or after
                      a tile of `to`; in the tile: if `from` lacks some points of the line */
  int reflects;    /* in 0: `from`, 1: `to`, 2: the tile */
  pf_reflection reflection[PF_REFLECTIONS];
} pf_pass;

/* Short runs at large strides reach half of the memory bandwidth: the hardware prefetches only
 * within runs of a KiB or more.  If the lines of a tile are side by side in main memory, the lines
 * of several tiles are therefore read together: some engines prefetch the lines of the next tiles
 * while they compute (pf_tuning.fetch); for others they are first copied into a strip that stays in
 * cache.  If short runs would be written to addresses that are not aligned to cache lines, the
 * lines of several tiles are collected in another strip and written together. */
enum { PF_STRIP = 64 };

enum { PF_PASSES = 2 };

/* Planes, each at one index of axis `outer`; all passes process a plane while it is in cache. A
 * stage is a list of planes * fields items: the fields of a batch are processed plane by plane, or
 * field by field. */
typedef struct pf_stage {
  int outer;
  ptrdiff_t planes, fields;
  ptrdiff_t first_field; /* first field of the batch, in this run */
  int by_field; /* all planes of a field, then the next field; otherwise all fields of a plane */
  int descends; /* the last plane of a field first */
  ptrdiff_t last_lines; /* lines along the tile axis in the last plane; 0: as in the others */
  int entry;            /* index of its cached sweeps and tables: 0 .. pf_worker.entries - 1 */
  int at_once;          /* items processed at the same time, one per thread */
  int passes;
  pf_pass pass[PF_PASSES];
  struct pf_planes *on_device; /* NULL: by tiles */
} pf_stage;

/* The buffers of all slots, and the bytes read from and written to each. */
typedef struct pf_memory {
  char *base[PF_SLOTS];
  double moved[PF_SLOTS];
} pf_memory;

/* Tables of addresses: input and output of each pass, of spare tiles, and of collected lines. */
enum { PF_AT_PASS, PF_AT_SPARE = 2 * PF_PASSES, PF_AT_COLLECT = PF_AT_SPARE + 2, PF_ADDRESSES };

/* The last lines of several planes, collected for a full tile (late.c). */
typedef struct pf_late {
  ptrdiff_t parts;
  ptrdiff_t to[PF_WIDEST]; /* of each part: offset, in bytes, from the output lines in the table */
} pf_late;

/* Private data of a thread. */
typedef struct pf_worker {
  pf_memory memory;        /* with its own plane and strip */
  pf_loss loss;            /* loss by conversions to single precision since the last reset */
  void *tile;              /* the largest tile of all ffts */
  char *spare;             /* lines of a partial tile; size: pf_tile_shape_of() the largest fft */
  char *collect;           /* output lines of several tiles; size: the largest pf_strip_bytes() */
  char **at[PF_ADDRESSES]; /* addresses, one per point of the longest axis or line of a tile */
  size_t addresses;        /* length of a table; tables of passes: `entries` times this */
  int entries;             /* cached sweeps per pass; 1: none is kept between runs */
  struct pf_sweep *sweep;  /* state of each pass, `entries` each, at the end of its last item */
  char *zeros;    /* input of columns with a gap; as long as the contiguous lines of a plane */
  double *factor; /* factors of the points of a line with a gap; NULL: no gap */
  pf_run *run;    /* one per segment of a view; at[1] then has the addresses of a tile in each */
  pf_late late;
  pf_range ahead; /* items whose last lines were transformed into `collect` (pf_tuning.ahead) */
  void *factors; /* size: pf_factors_bytes() of the longest lines with factors */
} pf_worker;

/** Local. Bytes of a strip of lines of n points: as many lines as fit and a partial tile, of
 * tiles of @p width lines. */
size_t pf_strip_bytes(ptrdiff_t n, size_t element, ptrdiff_t width);

/* Called between tiles, if not NULL, after each or after several.  In the last pass lines t ..
 * t+width-1 along its tile axis are complete for this plane; in earlier passes width is 0. */
typedef struct pf_stage_listener {
  void (*tick)(void *context, ptrdiff_t tiles, ptrdiff_t t, ptrdiff_t width);
  void *context;
} pf_stage_listener;

/* The plane of an item, and its field, counted from the first field of this run.  Divisions take as
 * long as butterflies. */
static inline ptrdiff_t pf_stage_plane_of(const pf_stage *s, ptrdiff_t item) {
  ptrdiff_t plane = s->fields == 1 ? item : s->by_field ? item % s->planes : item / s->fields;
  return s->descends ? s->planes - 1 - plane : plane;
}

static inline ptrdiff_t pf_stage_field_of(const pf_stage *s, ptrdiff_t item) {
  if (s->fields == 1) return 0;
  return s->by_field ? item / s->planes : item % s->fields;
}

/** Local. Before the items of a stage: discards cached tables of addresses unless the passes and
 * all buffers are the same as in the last run. */
void pf_stage_begin(const pf_stage *s, pf_worker *w, int count);

/** Local. After the items of a stage: writes the lines collected for a full tile (`late`). */
void pf_stage_end(const pf_stage *s, pf_worker *w, int count);

/** Local. Runs one item and counts the bytes moved.  The last pass starts with the tile that holds
 *  line @p first and wraps around. */
void pf_stage_run(const pf_stage *s, pf_worker *w, ptrdiff_t item, ptrdiff_t first,
                  const pf_stage_listener *listener);

/** Local. Runs items item .. item+count-1, one by each of `count` workers, on as many threads.
 *  Results are the same as with one thread. */
void pf_stage_run_threads(const pf_stage *s, pf_worker *worker, ptrdiff_t item, int count,
                          ptrdiff_t first);

#endif
