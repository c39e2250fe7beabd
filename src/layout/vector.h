/* SPDX-License-Identifier: BSD-3-Clause
 * A vector that is distributed over ranks, and its storage as the rows of a matrix. */
#ifndef PF_LAYOUT_VECTOR_H
#define PF_LAYOUT_VECTOR_H

#include "layout/layout.h"

/* How its elements are distributed: PF_BLOCK    contiguous blocks: of an even split, or given by
 *   cuts PF_CYCLIC   element j on rank j mod ranks; each rank has the same number of elements of a
 *   row PF_COLUMNS  columns of the matrix, split evenly; on a rank, row after row */
typedef enum pf_distribution { PF_BLOCK, PF_CYCLIC, PF_COLUMNS } pf_distribution;

typedef struct pf_vector {
  pf_distribution distribution;
  int ranks;
  ptrdiff_t total; /* elements */
  ptrdiff_t row;   /* elements of a row of the matrix; the last row may be incomplete */
  int reversed;    /* the order of ranks, a power of two, is bit-reversed */
  pf_cuts cuts;    /* cuts of blocks, in the order of ranks */
} pf_vector;

/** Local. The bit-reversed number of a rank; the number of ranks is a power of two. */
int pf_reversed_rank(int ranks, int rank);

/** Local. Number of elements of a rank; maximum over the ranks; global index of an element. */
ptrdiff_t pf_vector_count(const pf_vector *v, int rank);
ptrdiff_t pf_vector_longest(const pf_vector *v);
ptrdiff_t pf_vector_index(const pf_vector *v, int rank, ptrdiff_t i);

/** Local. The elements of a rank as a box of one dimension. */
void pf_vector_box(const pf_vector *v, int rank, pfft3d_box *box);

/** Local. Number of rows, including an incomplete last one. */
ptrdiff_t pf_vector_rows(const pf_vector *v);

/** Local. Block layout: the elements of a rank, and its rows: they begin in its block. */
pf_range pf_vector_block(const pf_vector *v, int rank);
pf_range pf_vector_block_rows(const pf_vector *v, int rank);

/** Local. Block layout: the elements of the last row of a rank, up to the end of the vector, if the
 *  row continues beyond the rank's block; the elements of a block that belong to a row of the
 *  previous rank.  Empty if there are none. */
pf_range pf_vector_last(const pf_vector *v, int rank);
pf_range pf_vector_head(const pf_vector *v, int rank);

/** Local. Other layouts: the elements of a complete row that a rank holds, and of the last row,
 * which may be incomplete. */
ptrdiff_t pf_vector_width(const pf_vector *v, int rank);
ptrdiff_t pf_vector_rest(const pf_vector *v, int rank);

#endif
