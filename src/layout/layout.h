/* SPDX-License-Identifier: BSD-3-Clause
 * Who holds what: splits of an axis, boxes on a rank grid, and the tables of a redistribution from
 * one layout to the next.  Pure arithmetic: no MPI, no memory, no FFT. */
#ifndef PF_LAYOUT_LAYOUT_H
#define PF_LAYOUT_LAYOUT_H

#include <stddef.h>

#include "pfft3d.h"

/* Part of an axis: indices lo .. lo+len-1. */
typedef struct pf_range {
  ptrdiff_t lo, len;
} pf_range;

/** Local. Part @p part of n indices cut into @p parts: q = n / parts, r = n % parts, the first r
 *  parts hold q+1.  Parts may be empty (then lo is n).  Never the ceil-blocks that leave ranks idle
 *  while others hold two. */
pf_range pf_split(ptrdiff_t n, int parts, int part);

/** Local. The part that holds @p index, 0 <= index < n. */
int pf_split_owner(ptrdiff_t n, int parts, ptrdiff_t index);

/** Local. The number of parts that hold anything: min(n, parts). */
int pf_split_used(ptrdiff_t n, int parts);

/* A global array on a grid of ranks: axis a is cut along grid dimension dim[a] (PF_WHOLE: not cut).
 * Ranks number the grid in row-major order.  storage[] names the axes from slowest to fastest. */
enum { PF_WHOLE = -1 };
typedef struct pf_layout {
  ptrdiff_t n[3];
  int grid[2];
  int dim[3];
  int storage[3];
} pf_layout;

/** Local. The box of @p rank. */
void pf_layout_box(const pf_layout *l, int rank, pfft3d_box *box);

/** Local. Elements of a box; the caller has checked that they fit (pf_layout_fits). */
ptrdiff_t pf_box_elements(const pfft3d_box *box);

/** Local. 1 when the largest box, in bytes of elements of @p size, fits ptrdiff_t. */
int pf_layout_fits(const pf_layout *l, size_t size);

/* A redistribution among `ranks` ranks: before, axis `from` is cut; after, axis `to` is.  In the
 * words of the sender, index p along `from` is a plane, and row (p, q) has index q along `to`;
 * it is `row` contiguous elements and goes to the owner of q.
 *
 *   send block for rank d   [p mine][q of d][row]
 *   receive block from s    [p of s][q mine][row]
 *
 * Rows of a plane become ready in groups of `group`; rank s starts with the group that holds the
 * first row of rank s+1 and wraps around, so that not all ranks send to the same one at once. */
typedef struct pf_redist {
  int ranks, me;
  int from, to;
  ptrdiff_t n_from, n_to, row;
  ptrdiff_t group;
  int own_apart; /* the own block rests elsewhere: the receive buffer has no place for it */
} pf_redist;

/** Local. Planes (axis from) and rows (axis to) of a rank. */
pf_range pf_redist_planes(const pf_redist *r, int rank);
pf_range pf_redist_rows(const pf_redist *r, int rank);

/** Local. Where the block for (from) rank @p other starts in the send (receive) buffer, in
 * elements. The send buffer has no block for this rank itself: its own rows go straight to the
 * receive side.
 */
ptrdiff_t pf_redist_send_offset(const pf_redist *r, int other);
ptrdiff_t pf_redist_recv_offset(const pf_redist *r, int other);

/** Local. Elements of the send buffer (own block left out) and of the receive buffer (own block
 * left out if it rests elsewhere). */
ptrdiff_t pf_redist_send_elements(const pf_redist *r);
ptrdiff_t pf_redist_recv_elements(const pf_redist *r);

/** Local. The first row that @p rank has ready in each plane; the k-th is (first + k) mod n_to. */
ptrdiff_t pf_redist_first_row(const pf_redist *r, int rank);

#endif
