/* SPDX-License-Identifier: BSD-3-Clause
 * Who holds what: splits of an axis, boxes on a rank grid, and the tables of a redistribution from
 * one layout to the next.  Pure arithmetic: no MPI, no memory, no FFT. */
#ifndef PF_LAYOUT_LAYOUT_H
#define PF_LAYOUT_LAYOUT_H

#include <stddef.h>

#include "pfft3d_tune.h"

/* Part of an axis: indices lo .. lo+len-1. */
typedef struct pf_range {
  ptrdiff_t lo, len;
} pf_range;

/** Local. Part @p part of n indices cut into @p parts: q = n / parts, r = n % parts, the first r
 *  parts hold q+1.  Parts may be empty (then lo is n); part number @p parts is.  Never the
 * ceil-blocks that leave ranks idle while others hold two. */
pf_range pf_split(ptrdiff_t n, int parts, int part);

/** Local. The part that holds @p index, 0 <= index < n. */
int pf_split_owner(ptrdiff_t n, int parts, ptrdiff_t index);

/** Local. The number of parts that hold anything: min(n, parts). */
int pf_split_used(ptrdiff_t n, int parts);

/* A global array on a grid of ranks: axis a is cut along grid dimension dim[a] (PF_WHOLE: not cut).
 * Ranks number the grid in row-major order; there may be more ranks.  storage[] names the axes from
 * slowest to fastest. */
enum { PF_WHOLE = -1 };
typedef struct pf_layout {
  ptrdiff_t n[3];
  int grid[2];
  int dim[3];
  int storage[3];
} pf_layout;

/** Local. The box of @p rank, its elements without anything between them; ranks beyond the grid
 * hold nothing. */
void pf_layout_box(const pf_layout *l, int rank, pfft3d_box *box);

/** Local. Elements of a box; the caller has checked that they fit (pf_layout_fits). */
ptrdiff_t pf_box_elements(const pfft3d_box *box);

/** Local. 1 when the largest box, in bytes of elements of @p size, fits ptrdiff_t. */
int pf_layout_fits(const pf_layout *l, size_t size);

/** Local. The coordinates of a rank on the grid; 0 when it is beyond. */
int pf_layout_coordinates(const pf_layout *l, int rank, int coordinate[2]);

/* The rows of a matrix that holds a vector of `total` elements, `row` in each: cut where the vector
 * is cut evenly, a row belonging to the rank of its first element.  row 0: no such matrix. */
typedef struct pf_rows {
  ptrdiff_t row, total;
} pf_rows;

/** Local. The rows of a part. */
pf_range pf_rows_part(const pf_rows *r, int parts, int part);

/* A redistribution among `ranks` ranks, a row or column of the grid: before, axis `from` is cut;
 * after, axis `to` is; the third stays as it is.  In the words of the sender, an index along
 * `outer` is a plane, and one along the other of axes 0 and 1 a line of it, which runs along axis
 * 2.  Planes are finished one after another, and lines in them.  What one rank has for another is a
 * block,
 *
 *   [plane][line][field of a batch][axis 2]
 *
 * in the sender's buffer and, just so, in the receiver's.  Where axis 1 or 0 is `to`, a line goes
 * to the owner of its index; else every rank gets a piece of every line.
 *
 * Lines become ready in groups of `group`; where they go to one owner each, rank s starts with the
 * group that holds the first line of rank s+1 and wraps around, so that not all send to the same
 * one at once. */
typedef struct pf_redist {
  int ranks, me; /* me == ranks: not one of them, and nothing to do */
  int from, to;
  int outer;        /* the planes of the sender, 0 or 1 */
  int next;         /* of the receiver, 0 or 1 */
  ptrdiff_t len[3]; /* extents that these ranks share: along `from` and `to` the global ones */
  ptrdiff_t batch;  /* fields that go together */
  ptrdiff_t group;
  ptrdiff_t
      message;   /* bytes wished for in each message of an exchange that has a choice; 0: none */
  int own_apart; /* the own block rests elsewhere: the receive buffer has no place for it */
  int boxes;     /* blocks are not apart in memory: see pf_spot */

  /* Of a matrix, where axis 0 is 1, axis 1 the lines and axis 2 their points: the lines of a rank
   * are taken by `chunk`, a plane each, and the last one can be short.  0 elsewhere. */
  ptrdiff_t chunk;
  pf_rows rows[2]; /* how lines and points are cut, where not evenly */
} pf_redist;

/** Local. The part of an axis that a rank has before (`from` is cut) and after (`to` is). */
pf_range pf_redist_before(const pf_redist *r, int rank, int axis);
pf_range pf_redist_after(const pf_redist *r, int rank, int axis);

/* The shape of a block, and its length in elements along axis 2 for all fields together. */
typedef struct pf_piece {
  ptrdiff_t planes, lines, run;
  ptrdiff_t last; /* lines of the last plane */
} pf_piece;
pf_piece pf_redist_piece(const pf_redist *r, int sender, int receiver);

/** Local. All elements of a block; the lines in it, or those of one of its planes. */
static inline ptrdiff_t pf_piece_lines(const pf_piece *b) {
  return b->planes ? (b->planes - 1) * b->lines + b->last : 0;
}
static inline ptrdiff_t pf_piece_elements(const pf_piece *b) {
  return pf_piece_lines(b) * b->run;
}
static inline ptrdiff_t pf_piece_plane(const pf_piece *b, ptrdiff_t plane) {
  return plane < b->planes - 1 ? b->lines : b->last;
}

/** Local. Elements of the block of a sender for a receiver. */
ptrdiff_t pf_redist_elements(const pf_redist *r, int sender, int receiver);

/** Local. 1 when every line goes to one owner, 0 when to all. */
int pf_redist_by_owner(const pf_redist *r);

/** Local. Where the block for rank @p other starts in the send (from it, in the receive) buffer, in
 * elements.  The send buffer has no block for this rank itself: its own lines go straight to the
 * receive side. */
ptrdiff_t pf_redist_send_offset(const pf_redist *r, int other);
ptrdiff_t pf_redist_recv_offset(const pf_redist *r, int other);

/* Where a block lies in the send or the receive buffer, in elements: by itself, or where there are
 * boxes as a part of one, [plane][line][field of a batch][axis 2] of all that this rank has before
 * (with its own planes and lines) or after (with those of the receiver).  The own block is left
 * out of them as it is out of the buffers, so that these are as large with boxes as without. */
typedef struct pf_spot {
  ptrdiff_t offset, stride[3], field;
} pf_spot;
pf_spot pf_redist_send_spot(const pf_redist *r, int other);
pf_spot pf_redist_recv_spot(const pf_redist *r, int other);

/** Local. Elements of the send buffer (own block left out) and of the receive buffer (own block
 * left out if it rests elsewhere). */
ptrdiff_t pf_redist_send_elements(const pf_redist *r);
ptrdiff_t pf_redist_recv_elements(const pf_redist *r);

/** Local. Lines of this rank's plane, before the exchange; the first one that @p rank has ready in
 * each plane: the k-th is (first + k) mod lines. */
ptrdiff_t pf_redist_lines(const pf_redist *r, ptrdiff_t plane);
ptrdiff_t pf_redist_first_line(const pf_redist *r, int rank);

#endif
