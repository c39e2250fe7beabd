/* SPDX-License-Identifier: BSD-3-Clause
 * One pass over one plane: shared by stage.c and copy.c. */
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
} pf_table;

typedef struct pf_sweep {
  const pf_stage *s;
  const pf_pass *p;
  pf_worker *w;
  ptrdiff_t item, plane, field, lines;
  pf_table from, to;
  int together; /* columns are collected in a strip, for all tiles of the plane */
} pf_sweep;

static inline char *pf_sweep_place(const pf_sweep *x, const pf_view *v, const pf_block *b) {
  return x->w->memory.base[b->slot] + b->offset * (ptrdiff_t)v->element;
}

/* The point at an index of an axis that is distributed cyclically (pf_pass.cyclic). */
static inline ptrdiff_t pf_sweep_point(ptrdiff_t index, ptrdiff_t n, ptrdiff_t cyclic) {
  ptrdiff_t part = n / cyclic;
  return index % part * cyclic + index / part;
}

/* The point at an index of an axis of which some points are left out (pf_pass.gap). */
static inline ptrdiff_t pf_sweep_beyond(ptrdiff_t index, pf_range gap) {
  return index < gap.lo ? index : index + gap.len;
}

/** Local. A pass over the plane of an item. */
pf_sweep pf_sweep_begin(const pf_stage *s, const pf_pass *p, pf_worker *w, ptrdiff_t item);

/** Local. Moves lines between a private buffer and a view: reads them (in), or writes them. */
void pf_sweep_move(const pf_sweep *x, const pf_view *v, pf_strided here, const pf_tile *where,
                   int in);

/** Local. Multiplies a tile in private memory by the factors that the function of the pass's
 *  multiplier gives. */
void pf_sweep_multiply(const pf_sweep *x, const pf_tile *where, void *tile);

/** Local. The reflections of the pass in lines t .. t+width-1 of this plane. */
void pf_sweep_reflect(const pf_sweep *x, const pf_view *v, ptrdiff_t t, ptrdiff_t width);

/** Local. Moves the lines of a tile directly from view to view. */
void pf_sweep_copy(const pf_sweep *x, const pf_tile *where);

#endif
