/* SPDX-License-Identifier: BSD-3-Clause
 * Data distribution: boxes on a grid of ranks, and the tables of a
 * redistribution from one layout to the next.  Arithmetic only: no MPI, no memory, no FFT. */
#ifndef PF_LAYOUT_LAYOUT_H
#define PF_LAYOUT_LAYOUT_H

#include "layout/cuts.h"
#include "layout/pieces.h"
#include "pfft3d_tune.h"

/* A global array on a grid of ranks: axis a is distributed over grid dimension dim[a] (PF_WHOLE:
 * not distributed).  Ranks are numbered in row-major order; there may be more ranks than the grid
 * has. storage[] lists the axes from slowest to fastest. */
enum { PF_WHOLE = -1, PF_LARGEST = -1 };
typedef struct pf_layout {
  ptrdiff_t n[3];
  int grid[2];
  int dim[3];
  int storage[3];
  pf_cuts cuts[3]; /* cuts of the distributed axes */
} pf_layout;

/** Local. The box of @p rank, contiguous; empty for ranks beyond the grid.  PF_LARGEST: a box with
 *  the longest part of each axis; the rank at these parts holds it. */
void pf_layout_box(const pf_layout *l, int rank, pfft3d_box *box);

/** Local. Elements of a box; the caller has checked that the number fits (pf_layout_fits). */
ptrdiff_t pf_box_elements(const pfft3d_box *box);

/** Local. 1 if the bytes of the largest box, with elements of @p size bytes, fit ptrdiff_t. */
int pf_layout_fits(const pf_layout *l, size_t size);

/** Local. The coordinates of a rank on the grid; returns 0 if the rank is beyond the grid. */
int pf_layout_coordinates(const pf_layout *l, int rank, int coordinate[2]);

/* The rows of a matrix that stores a vector of `total` elements, `row` in each row.  The vector is
 * in blocks; a row belongs to the rank of its first element.  row = 0: no such matrix. */
typedef struct pf_rows {
  ptrdiff_t row, total;
  pf_cuts cuts;
} pf_rows;

/** Local. The rows of a part. */
pf_range pf_rows_part(const pf_rows *r, int parts, int part);

/* The shape of a block: lines of `run` elements, the number of elements of all fields along axis
 * 2. */
typedef struct pf_block_shape {
  ptrdiff_t planes, lines, run;
  ptrdiff_t last; /* lines of the last plane */
} pf_block_shape;

/* What depends on the type of a redistribution, as the functions pf_redist_... that call it say.
 * `received`: of the blocks that this rank receives; 0: of the blocks that it sends. */
struct pf_redist;
typedef struct pf_redist_ops {
  pf_block_shape (*shape)(const struct pf_redist *r, int sender, int receiver);
  pf_block_shape (*largest_shape)(const struct pf_redist *r, int receiver);
  ptrdiff_t (*longest)(const struct pf_redist *r, int axis, int after);
  int (*next_after)(const struct pf_redist *r, int rank);
  ptrdiff_t (*sum)(const struct pf_redist *r, pf_range ranks, int received);
  ptrdiff_t (*offset)(const struct pf_redist *r, int other, int received);
  ptrdiff_t (*elements)(const struct pf_redist *r, int received);
} pf_redist_ops;

/* From parts of an axis to parts of another one: fields and matrices.  (Of pieces:
 * pf_redist_of_pieces().) */
extern const pf_redist_ops pf_redist_axes;

/* A redistribution among `ranks` ranks, which are a row or a column of the grid: axis `from` is
 * distributed before it, axis `to` after it; the third axis is unchanged.  On the sender, a plane
 * is an index of axis `outer`, and a line of the plane is an index of the other of axes 0 and 1; it
 * runs along axis 2.  Planes are completed one after another, and so are the lines of a plane.  The
 * data of one rank for another is a block,
 *
 *   [plane][line][field of a batch][axis 2]
 *
 * both in the sender's buffer and in the receiver's; planes are the sender's, or the receiver's
 * (by_next).  If `to` is axis 0 or 1, each line goes to the
 * owner of its index; otherwise every rank gets a part of every line.
 *
 * Lines are completed in groups of `group`.  If each goes to one owner, rank s starts with the
 * group of the first line of rank s+1 and wraps around, so that not all ranks send to the same one
 * at once. */
typedef struct pf_redist {
  const pf_redist_ops *ops;
  int ranks, me; /* me == ranks: this rank does not take part */
  int from, to;
  int outer;        /* axis of the sender's planes, 0 or 1 */
  int next;         /* axis of the receiver's planes, 0 or 1 */
  ptrdiff_t len[3]; /* extents of the array of these ranks: global along `from` and `to` */
  pf_cuts cuts[3];  /* cuts of axis `from` before, of axis `to` after it */
  ptrdiff_t batch;  /* fields that are exchanged together */
  ptrdiff_t group;
  ptrdiff_t message; /* minimum bytes of a message, for exchanges with a choice; 0: no limit */
  int one_node;      /* all ranks of the plan are on one node */
  int by_next;       /* blocks have planes of the receiver, not of the sender */
  int own_apart;  /* this rank's own block is stored in another buffer, not in the receive buffer */
  pf_range peers; /* ranks, with this one, whose blocks are stored directly into their receive
                    buffers; len 0: only this one */
  int boxes;      /* blocks are interleaved in memory: see pf_spot */

  /* Matrix: axis 0 has length 1, axis 1 the lines, axis 2 their points.  The lines of a rank form
   * planes of `chunk` lines; the last plane can have fewer.  0: not a matrix. */
  ptrdiff_t chunk;
  pf_rows rows[2]; /* how lines and points are split, if not by cuts[] */

  /* Between any boxes: their pieces.  NULL: as above. */
  const pf_pieces *pieces;
} pf_redist;

/** Local. A redistribution of pieces for rank @p me: an element is a byte, and a block is one line
 * of them.  If r->boxes, nothing is stored in blocks: the exchange reads and writes the arrays of
 * the pieces, and the buffers are empty. */
pf_redist pf_redist_of_pieces(const pf_pieces *pieces, int me);

/** Local. The part of an axis that a rank holds before and after the redistribution. */
pf_range pf_redist_before(const pf_redist *r, int rank, int axis);
pf_range pf_redist_after(const pf_redist *r, int rank, int axis);

/** Local. The longest part of an axis that any rank holds before and after it. */
ptrdiff_t pf_redist_longest_before(const pf_redist *r, int axis);
ptrdiff_t pf_redist_longest_after(const pf_redist *r, int axis);

/** Local. The first rank after @p rank whose part of axis `to` has another length; r->ranks if
 *  there is none. */
int pf_redist_next_after(const pf_redist *r, int rank);

/** Local. The shape of a block. */
pf_block_shape pf_redist_shape(const pf_redist *r, int sender, int receiver);

/** Local. An upper bound of the blocks for a receiver: the most planes, and the most and longest
 *  lines of all senders. */
pf_block_shape pf_redist_largest_shape(const pf_redist *r, int receiver);

/** Local. Lines and elements of a block; lines of one of its planes. */
static inline ptrdiff_t pf_block_shape_lines(const pf_block_shape *b) {
  return b->planes ? (b->planes - 1) * b->lines + b->last : 0;
}
static inline ptrdiff_t pf_block_shape_elements(const pf_block_shape *b) {
  return pf_block_shape_lines(b) * b->run;
}
static inline ptrdiff_t pf_block_shape_plane(const pf_block_shape *b, ptrdiff_t plane) {
  return plane < b->planes - 1 ? b->lines : b->last;
}

/** Local. Elements of the block of a sender for a receiver. */
ptrdiff_t pf_redist_elements(const pf_redist *r, int sender, int receiver);

/** Local. 1 if each line goes to one owner, 0 if every rank gets a part of it. */
int pf_redist_by_owner(const pf_redist *r);

/** Local. The ranks whose blocks are stored into their receive buffers, including this one.
 *  pf_redist_is_peer(): nonzero if a rank is one of them. */
pf_range pf_redist_peers(const pf_redist *r);
int pf_redist_is_peer(const pf_redist *r, int other);

/** Local. Indices of axis `from` that neighbouring ranks hold together before the redistribution,
 * or of axis `to` after it. */
ptrdiff_t pf_redist_together(const pf_redist *r, pf_range ranks, int after);

/** Local. Elements that this rank has for those ranks, or gets from them, except its own. */
ptrdiff_t pf_redist_for(const pf_redist *r, pf_range ranks, int received);

/** Local. Offset, in elements, of the block for rank @p other in the send buffer, and of the block
 *  from it in the receive buffer.  The send buffer has no blocks for this rank itself and for the
 *  ranks of pf_redist_peers(): their lines are written directly to the receive side. */
ptrdiff_t pf_redist_send_offset(const pf_redist *r, int other);
ptrdiff_t pf_redist_recv_offset(const pf_redist *r, int other);

/* The location of a block in the send or the receive buffer, in elements.  A block is contiguous,
 * or, if r->boxes, a part of the box [plane][line][field of a batch][axis 2] that this rank holds
 * before the redistribution (with the planes and lines of the sender) or after it (with those of
 * the receiver).  This rank's own block is omitted in both cases, so that the buffers are equally
 * large. */
typedef struct pf_spot {
  ptrdiff_t offset, stride[3], field;
} pf_spot;
pf_spot pf_redist_send_spot(const pf_redist *r, int other);
pf_spot pf_redist_recv_spot(const pf_redist *r, int other);

/** Local. Elements of the send buffer (without blocks for the ranks of pf_redist_peers()) and of
 * the receive buffer (without this rank's own if r->own_apart). */
ptrdiff_t pf_redist_send_elements(const pf_redist *r);
ptrdiff_t pf_redist_recv_elements(const pf_redist *r);

/** Local. Lines of a plane of this rank before the exchange; the first line of each plane that @p
 *  rank completes: line k in time is (first + k) mod lines. */
ptrdiff_t pf_redist_lines(const pf_redist *r, ptrdiff_t plane);
ptrdiff_t pf_redist_first_line(const pf_redist *r, int rank);

#endif
