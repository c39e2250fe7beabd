/* SPDX-License-Identifier: BSD-3-Clause
 * One pass over one plane: shared by the files that run stages. */
#ifndef PF_LOCAL_SWEEP_H
#define PF_LOCAL_SWEEP_H

#include "local/stage.h"

/* The addresses of lines lo .. hi-1 of a plane, as in pf_lines: for columns those of line 0. */
typedef struct pf_table {
  char **at;
  ptrdiff_t lo, hi;
  int direct; /* engines can read or write at these addresses */
  int aligned;
  const pf_range *gap; /* as in pf_lines */
  ptrdiff_t images;    /* likewise: lines whole.lo .. of the plane have all of them there */
  pf_range whole;
  ptrdiff_t shift; /* pf_sweep.shift when they were looked up */
} pf_table;

/* Bytes from the lines of a plane to those of the next one, and of a field. */
typedef struct pf_steps {
  ptrdiff_t plane, field;
} pf_steps;

typedef struct pf_sweep {
  const pf_stage *s;
  pf_pass pass; /* as it was when the sweep began, and the buffers, if it may stay */
  char *base[PF_SLOTS];
  const pf_pass *p;
  pf_worker *w;
  ptrdiff_t item, plane, field, lines, tiles;
  pf_job job; /* of plain tiles: what all have in common is set */
  pf_table from, to;
  int together;             /* columns are collected in a strip, for all tiles of the plane */
  int portions;             /* instead they are streamed tile by tile (pf_move_portions()) */
  ptrdiff_t next, start;    /* then, the line after the last tile, and the first of this plane */
  int plain;                /* whole tiles are transformed from lines to lines, and nothing else */
  ptrdiff_t line, there[2]; /* where the lines of the job are: of which tile, at which shifts */
  pf_range served;          /* first lines of other tiles that are at a distance from there */
  ptrdiff_t late;           /* the last lines of planes, if late.c copies them; else 0 */
  int steady;         /* other items have the same lines at a distance: tables serve all of them */
  pf_steps step[2];   /* then, of `from` and `to` */
  ptrdiff_t shift[2]; /* bytes from the item where the sweep began */
  double moved[PF_SLOTS]; /* bytes of each slot that are read or written */
} pf_sweep;

static inline char *pf_sweep_place(const pf_sweep *x, const pf_view *v, const pf_block *b) {
  return x->w->memory.base[b->slot] + b->offset * (ptrdiff_t)v->element;
}

/* The point at an index of an axis that is distributed cyclically (pf_pass.cyclic). */
static inline ptrdiff_t pf_sweep_point(ptrdiff_t index, ptrdiff_t n, ptrdiff_t cyclic) {
  ptrdiff_t part = n / cyclic, longer = n % cyclic * (part + 1);
  if (index < longer) return index % (part + 1) * cyclic + index / (part + 1);
  index -= longer;
  return index % part * cyclic + n % cyclic + index / part;
}

/* Indices from one on that are in the same part; parts are as those of pf_split(). */
static inline ptrdiff_t pf_sweep_left(ptrdiff_t index, ptrdiff_t n, ptrdiff_t cyclic) {
  ptrdiff_t part = n / cyclic, longer = n % cyclic * (part + 1);
  if (index < longer) return part + 1 - index % (part + 1);
  return part - (index - longer) % part;
}

/* The point at an index of an axis of which some points are left out (pf_pass.gap). */
static inline ptrdiff_t pf_sweep_beyond(ptrdiff_t index, pf_range gap) {
  return index < gap.lo ? index : index + gap.len;
}

/* Whether a view has images, which an engine stores as they are. */
static inline int pf_sweep_images(const pf_view *v) {
  return v->count > 0 && v->segment[v->count - 1].conjugate;
}

/* Lines t .. t+width-1 with all their points. */
static inline pf_tile pf_sweep_tile(const pf_sweep *x, ptrdiff_t t, ptrdiff_t width) {
  return (pf_tile){x->p->line, x->p->tile, x->field, x->plane, t, width};
}

/** Local. The lines of a whole tile that begins with line @p t, if the engine can access them
 *  directly; otherwise returns 0. */
int pf_sweep_lines(const pf_sweep *x, const pf_view *v, pf_table *a, ptrdiff_t t, pf_lines *lines);

/** Local. The runs of the output rows of a transposed tile, one in each segment; 0 if the engine
 *  cannot write them directly. */
int pf_sweep_runs(const pf_sweep *x, const pf_view *v, const pf_tile *where, pf_lines *lines);

/** Local. The `count` last rows of a plane, from line t on, as a whole tile of the job; 0 if the
 *  engine cannot access them directly. */
int pf_last_rows(pf_sweep *x, ptrdiff_t t, ptrdiff_t count, pf_job *job);

/** Local. The number of last columns of each plane, which are no whole tile, if the tables have
 * them; else 0. */
ptrdiff_t pf_late_lines(pf_sweep *x);

/** Local. Transforms these lines of this plane, or adds them to those that wait (pf_pass.late);
 *  transforms those that wait. */
void pf_late_add(const pf_sweep *x);
void pf_late_finish(const pf_sweep *x);

/** Local. Whether the columns of all segments begin at cache lines, and have strides of whole cache
 *  lines. */
int pf_sweep_columns_aligned(const pf_sweep *x, const pf_view *v);

/** Local. Whether all items of the stage have the same lines in a view, at distances that are whole
 *  cache lines where stores are streamed. */
int pf_sweep_steps(const pf_sweep *x, const pf_view *v, pf_steps *steps);

/** Local. Lines of a strip of this pass, and elements from point to point of it; the strip, of
 *  strips of @p width lines, that holds line @p t: a few lines at the end belong to the one before.
 */
ptrdiff_t pf_strip_width(const pf_sweep *x);
ptrdiff_t pf_strip_stride(const pf_sweep *x);
pf_range pf_strip_at(const pf_sweep *x, ptrdiff_t t, ptrdiff_t width);

/** Local. The data to prefetch while the tile from line @p t on is computed: none without
 *  pf_pass.fetch. */
void pf_sweep_fetch(const pf_sweep *x, ptrdiff_t t, pf_fetch *fetch);

/** Local. Transforms the tile of @p count lines from line @p t on, and up to @p more tiles after
 * it, where the engine can access them directly: returns how many. */
ptrdiff_t pf_sweep_plain(pf_sweep *x, ptrdiff_t t, ptrdiff_t count, ptrdiff_t more);

/** Local. The sweep of a worker for a pass of a stage. */
static inline pf_sweep *pf_sweep_of(const pf_stage *s, const pf_worker *w, int pass) {
  return &w->sweep[s->place * PF_PASSES + pass];
}

/** Local. A pass over the plane of an item. */
void pf_sweep_begin(pf_sweep *x, const pf_stage *s, const pf_pass *p, pf_worker *w, ptrdiff_t item);

/** Local. Moves a sweep to another item of the same stage in the same run; one of another stage, or
 *  of none (s == NULL), begins. */
void pf_sweep_next(pf_sweep *x, const pf_stage *s, const pf_pass *p, pf_worker *w, ptrdiff_t item);

/** Local. Moves lines between a private buffer and a view: reads them (in), or writes them. */
void pf_sweep_move(const pf_sweep *x, const pf_view *v, pf_strided here, const pf_tile *where,
                   int in);

/** Local. Multiplies a tile in private memory by the factors that the function of the pass's
 *  multiplier gives. */
void pf_sweep_multiply(const pf_sweep *x, const pf_tile *where, void *tile);

/** Local. The reflections of the pass in lines t .. t+width-1 of this plane. */
void pf_sweep_reflect(const pf_sweep *x, const pf_view *v, ptrdiff_t t, ptrdiff_t width);

/** Local. The same in a private tile of the lines of where. */
void pf_sweep_reflect_tile(const pf_sweep *x, const pf_strided *tile, const pf_tile *where);

/** Local. Moves the lines of a tile directly from view to view. */
void pf_sweep_copy(const pf_sweep *x, const pf_tile *where);

#endif
