/* SPDX-License-Identifier: BSD-3-Clause
 * A redistribution between any boxes: what one rank sends to another is the intersections of the
 * boxes that the first holds with the boxes that the second wants.  All ranks know the boxes of
 * all, so both ends of a message agree on its contents.  Arithmetic only. */
#ifndef PF_LAYOUT_PIECES_H
#define PF_LAYOUT_PIECES_H

#include <stddef.h>

enum { PF_AXES = 4 };

/* A box of the global array, and its addresses in the array of its rank: element i is at offset +
 * sum of (i[a] - lo[a]) * stride[a], in bytes.  Arrays of fewer dimensions have leading axes of
 * length 1. */
typedef struct pf_part {
  ptrdiff_t lo[PF_AXES], len[PF_AXES];
  ptrdiff_t offset, stride[PF_AXES];
} pf_part;

/* The boxes of all ranks: rank k has part[first[k]] .. part[first[k+1] - 1]. */
typedef struct pf_parts {
  int ranks;
  int *first;
  pf_part *part;
} pf_parts;

/* One direction.  A block is the pieces of a pair of ranks one after another, each in C order; it
 * is measured in bytes.  Data that stays on a rank is in no block. */
typedef struct pf_pieces {
  int ranks;
  ptrdiff_t size; /* bytes of an element */
  const pf_parts *before, *after;
  ptrdiff_t most_sent, most_received; /* bytes, of any rank */
  int rank;                           /* the rank of these sums: bytes to all ranks below each
                                         one, */
  const ptrdiff_t *sent, *received;   /* and from them, ranks + 1 numbers; NULL: not known */
  const ptrdiff_t *offset[2]; /* offsets of that rank's blocks for and from each other rank in its
                                arrays, if blocks lie there as they are sent; NULL: blocks are in
                                buffers */
} pf_pieces;

/** Local. Elements of a box. */
ptrdiff_t pf_part_elements(const pf_part *p);

/** Local. Offset of the first element of a box inside a part, in bytes. */
ptrdiff_t pf_part_at(const pf_part *p, const ptrdiff_t lo[PF_AXES]);

/** Local. The number of pieces of a pair of ranks, some of which may be empty; the box of one of
 *  them (lo and len), and its bytes. */
int pf_pieces_count(const pf_pieces *p, int sender, int receiver);
ptrdiff_t pf_pieces_box(const pf_pieces *p, int sender, int receiver, int k, pf_part *box);

/** Local. The parts of a piece in the array of the sender and of the receiver. */
const pf_part *pf_pieces_from(const pf_pieces *p, int sender, int receiver, int k);
const pf_part *pf_pieces_to(const pf_pieces *p, int sender, int receiver, int k);

/** Local. Bytes of a block; 0 from a rank to itself. */
ptrdiff_t pf_pieces_bytes(const pf_pieces *p, int sender, int receiver);

/** Local. Bytes that a rank sends to all ranks below another, and receives from them. */
ptrdiff_t pf_pieces_sent(const pf_pieces *p, int rank, int below);
ptrdiff_t pf_pieces_received(const pf_pieces *p, int rank, int below);

/** Local. Nonzero if the block of a pair of ranks is contiguous in the array of the sender (or the
 *  receiver), so that it can be sent from there: then *at is its offset.  An empty block is. */
int pf_pieces_offset(const pf_pieces *p, int sender, int receiver, int received, ptrdiff_t *at);

/** Local. Bytes that stay on a rank, all pieces together. */
ptrdiff_t pf_pieces_own(const pf_pieces *p, int rank);

/** Local. Computes the sums of a rank; each array has ranks + 1 numbers. */
void pf_pieces_add_up(const pf_pieces *p, int rank, ptrdiff_t *sent, ptrdiff_t *received);

/** Local. Sets the largest sums of all ranks. */
void pf_pieces_measure(pf_pieces *p);

/** Local. Nonzero if a box of @p rank intersects another box, of rank *other: *both is the
 *  intersection. */
int pf_parts_overlap(const pf_parts *p, int rank, int *other, pf_part *both);

/** Local. Nonzero if elements of an array with these extents are in no box: *gap are some of
 *  them. */
int pf_parts_gap(const pf_parts *p, const ptrdiff_t n[PF_AXES], pf_part *gap);

/** Local. The rank that holds an element, or -1. */
int pf_parts_owner(const pf_parts *p, const ptrdiff_t i[PF_AXES]);

#endif
