/* SPDX-License-Identifier: BSD-3-Clause
 * A sweep is one pass over one plane.  Shared by the files that run stages. */
#ifndef PF_LOCAL_SWEEP_H
#define PF_LOCAL_SWEEP_H

#include "local/stage.h"

/* The addresses of lines lo .. hi-1 of a plane, as in pf_lines: of columns, the points of line
 * 0. */
typedef struct pf_table {
  char **at;
  ptrdiff_t lo, hi;
  int direct; /* engines can read or write at these addresses */
  int aligned;
  const pf_range *gap; /* as in pf_lines */
  ptrdiff_t images;    /* as in pf_lines; all images of lines `whole` are in this segment */
  pf_range whole;
  ptrdiff_t shift; /* pf_sweep.shift at the time of the look-up */
} pf_table;

/* Byte offsets from the lines of a plane to the next plane, and to the next field. */
typedef struct pf_steps {
  ptrdiff_t plane, field;
} pf_steps;

typedef struct pf_sweep {
  const pf_stage *s;
  pf_pass pass; /* copy of the pass at the beginning, and of the buffers, if the sweep is cached */
  char *base[PF_SLOTS];
  const pf_pass *p;
  pf_worker *w;
  ptrdiff_t item, plane, field, lines, tiles;
  pf_job job; /* of plain tiles: members common to all tiles are set */
  pf_table from, to;
  int together;             /* columns are collected in a strip, for all tiles of the plane */
  int portions;             /* instead of `together`: streamed tile by tile (pf_move_portions()) */
  ptrdiff_t next, start;    /* of portions: the line after the last tile; the plane's first line */
  int plain;                /* whole tiles are transformed without other steps */
  ptrdiff_t line, there[2]; /* the job's first line, and `shift` at that time */
  pf_range served;          /* first lines of tiles at a constant offset from the job's */
  ptrdiff_t late;           /* number of last lines of a plane, if late.c copies them; else 0 */
  int steady;         /* other items have the same lines at a constant offset: tables serve all */
  pf_steps step[2];   /* of `from` and `to`, if steady */
  ptrdiff_t shift[2]; /* bytes from the item at which the sweep began */
  double moved[PF_SLOTS]; /* bytes of each slot that are read or written */
} pf_sweep;

static inline char *pf_sweep_address(const pf_sweep *x, const pf_view *v, const pf_block *b) {
  return x->w->memory.base[b->slot] + b->offset * (ptrdiff_t)v->element;
}

/* The point at an index of an axis that is distributed cyclically (pf_pass.cyclic). */
static inline ptrdiff_t pf_sweep_point(ptrdiff_t index, ptrdiff_t n, ptrdiff_t cyclic) {
  ptrdiff_t part = n / cyclic, longer = n % cyclic * (part + 1);
  if (index < longer) return index % (part + 1) * cyclic + index / (part + 1);
  index -= longer;
  return index % part * cyclic + n % cyclic + index / part;
}

/* Number of indices from this one on in the same part; parts as in pf_split(). */
static inline ptrdiff_t pf_sweep_left(ptrdiff_t index, ptrdiff_t n, ptrdiff_t cyclic) {
  ptrdiff_t part = n / cyclic, longer = n % cyclic * (part + 1);
  if (index < longer) return part + 1 - index % (part + 1);
  return part - (index - longer) % part;
}

/* The point at an index of an axis without the points of a gap (pf_pass.gap). */
static inline ptrdiff_t pf_sweep_beyond(ptrdiff_t index, pf_range gap) {
  return index < gap.lo ? index : index + gap.len;
}

/* Nonzero if a view has images, which an engine stores directly. */
static inline int pf_sweep_images(const pf_view *v) {
  return v->count > 0 && v->segment[v->count - 1].conjugate;
}

/* Lines t .. t+width-1 with all their points. */
static inline pf_tile pf_sweep_tile(const pf_sweep *x, ptrdiff_t t, ptrdiff_t width) {
  return (pf_tile){x->p->line, x->p->tile, x->field, x->plane, t, width};
}

/** Local. The lines of a whole tile that begins with line @p t; returns 0 if the engine cannot
 *  access them directly. */
int pf_sweep_lines(const pf_sweep *x, const pf_view *v, pf_table *a, ptrdiff_t t, pf_lines *lines);

/** Local. The runs of the output rows of a transposed tile, one in each segment; returns 0 if the
 *  engine cannot write them directly. */
int pf_sweep_runs(const pf_sweep *x, const pf_view *v, const pf_tile *where, pf_lines *lines);

/** Local. The `count` last rows of a plane, from line t on, as a whole tile of the job; returns 0
 *  if the engine cannot access them directly. */
int pf_last_rows(pf_sweep *x, ptrdiff_t t, ptrdiff_t count, pf_job *job);

/** Local. The number of last columns of each plane, less than a tile, if the tables have their
 * addresses; else 0. */
ptrdiff_t pf_late_lines(pf_sweep *x);

/** Local. Transforms these lines of this plane, with those of later planes (pf_tuning.ahead), or
 * adds them to the collected lines (pf_tuning.late); pf_late_finish(): transforms the collected
 * lines. */
void pf_late_add(const pf_sweep *x);
void pf_late_finish(const pf_sweep *x);

/** Local. Nonzero if the columns of all segments begin at cache lines, with strides of whole cache
 *  lines. */
int pf_sweep_columns_aligned(const pf_sweep *x, const pf_view *v);

/** Local. Nonzero if all items of the stage have the same lines in a view, at constant offsets:
 *  whole cache lines if stores are streamed. */
int pf_sweep_steps(const pf_sweep *x, const pf_view *v, pf_steps *steps);

/** Local. Lines of a strip of this pass; stride of its points, in elements; the strip, of strips of
 *  @p width lines, that holds line @p t: a few lines at the end belong to the previous strip. */
ptrdiff_t pf_strip_width(const pf_sweep *x);
ptrdiff_t pf_strip_stride(const pf_sweep *x);
pf_range pf_strip_at(const pf_sweep *x, ptrdiff_t t, ptrdiff_t width);

/** Local. The data to prefetch while the tile from line @p t on is computed: none without
 *  pf_tuning.fetch. */
void pf_sweep_fetch(const pf_sweep *x, ptrdiff_t t, pf_fetch *fetch);

/** Local. Transforms the tile of @p count lines from line @p t on, and up to @p more tiles after
 * it, if the engine can access them directly; returns the number of tiles. */
ptrdiff_t pf_sweep_plain(pf_sweep *x, ptrdiff_t t, ptrdiff_t count, ptrdiff_t more);

/** Local. The sweep of a worker for a pass of a stage. */
static inline pf_sweep *pf_sweep_of(const pf_stage *s, const pf_worker *w, int pass) {
  return &w->sweep[s->entry * PF_PASSES + pass];
}

/** Local. Byte offset from this item to another, in `from` (side 0) or `to` (1), if steady. */
ptrdiff_t pf_sweep_distance(const pf_sweep *x, int side, ptrdiff_t item);

/** Local. Begins a pass over the plane of an item. */
void pf_sweep_begin(pf_sweep *x, const pf_stage *s, const pf_pass *p, pf_worker *w, ptrdiff_t item);

/** Local. Moves a sweep to another item of the same stage in the same run.  A sweep of another
 *  stage, or of none (s == NULL), is begun. */
void pf_sweep_next(pf_sweep *x, const pf_stage *s, const pf_pass *p, pf_worker *w, ptrdiff_t item);

/** Local. Moves lines between a private buffer and a view: reads them (in), or writes them. */
void pf_sweep_move(const pf_sweep *x, const pf_view *v, pf_strided here, const pf_tile *where,
                   int in);

/** Local. Multiplies a tile in private memory by the values of the multiplier's function. */
void pf_sweep_multiply(const pf_sweep *x, const pf_tile *where, void *tile);

/** Local. The reflections of the pass in lines t .. t+width-1 of this plane. */
void pf_sweep_reflect(const pf_sweep *x, const pf_view *v, ptrdiff_t t, ptrdiff_t width);

/** Local. The reflections of the pass in a private tile that holds the lines of @p where. */
void pf_sweep_reflect_tile(const pf_sweep *x, const pf_strided *tile, const pf_tile *where);

/** Local. Moves the lines of a tile directly from view to view. */
void pf_sweep_copy(const pf_sweep *x, const pf_tile *where);

#endif
