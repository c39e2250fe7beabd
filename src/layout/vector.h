/* SPDX-License-Identifier: BSD-3-Clause
 * A vector on several ranks, and as the rows of a matrix. */
#ifndef PF_LAYOUT_VECTOR_H
#define PF_LAYOUT_VECTOR_H

#include "layout/layout.h"

/* How its elements are cyclic out:
 *   PF_BLOCK   neighbours, cut evenly
 *   PF_CYCLIC    element j to rank j mod ranks; a row has as many from each rank
 *   PF_COLUMNS  columns of the matrix, cut evenly, rows one behind the other */
typedef enum pf_distribution { PF_BLOCK, PF_CYCLIC, PF_COLUMNS } pf_distribution;

typedef struct pf_vector {
  pf_distribution distribution;
  int ranks;
  ptrdiff_t total; /* elements */
  ptrdiff_t row;   /* elements in a row of the matrix; the last row may not be full */
  int reversed;    /* ranks, a power of two of them, in the order of their reversed bits */
} pf_vector;

/** Local. The bits of a rank among a power of two of ranks, in reverse. */
int pf_reversed_rank(int ranks, int rank);

/** Local. Elements of a rank; the global index of one of them. */
ptrdiff_t pf_vector_count(const pf_vector *v, int rank);
ptrdiff_t pf_vector_index(const pf_vector *v, int rank, ptrdiff_t i);

/** Local. Its elements of a rank as a box of one dimension. */
void pf_vector_box(const pf_vector *v, int rank, pfft3d_box *box);

/** Local. Rows, the last one perhaps not full. */
ptrdiff_t pf_vector_rows(const pf_vector *v);

/** Local. Of blocks: the elements of a rank, and the rows that belong to it: those that begin in
 *  its block. */
pf_range pf_vector_block(const pf_vector *v, int rank);
pf_range pf_vector_block_rows(const pf_vector *v, int rank);

/** Local. Of blocks: the elements of a rank's last row where it does not end with its block, as far
 *  as the vector goes; those at the beginning of a block whose row begins before it.  Empty where
 *  there are none. */
pf_range pf_vector_last(const pf_vector *v, int rank);
pf_range pf_vector_head(const pf_vector *v, int rank);

/** Local. Else: elements of a full row that a rank has, and of the last one, which may not be full.
 */
ptrdiff_t pf_vector_width(const pf_vector *v, int rank);
ptrdiff_t pf_vector_rest(const pf_vector *v, int rank);

#endif
