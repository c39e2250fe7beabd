/* SPDX-License-Identifier: BSD-3-Clause
 * Plans between boxes of the caller: a plan between the boxes of its decomposition, and on each
 * side where these are others, or lie in memory otherwise, one redistribution.
 *
 *   caller's box --redistribution--> box of the plan --transform--> box of the plan --> ...
 *
 * The boxes of the plan lie in the caller's output, if all ranks have room there in both
 * directions, else in a buffer.  What is said about a rank without MPI, sizes and messages, is
 * in boxed_geometry.c. */
#ifndef PF_REDIST_BOXED_H
#define PF_REDIST_BOXED_H

#include "request/boxes.h"
#include "redist/moves.h"

/* What differs between the boxes of the caller and those of a geometry. */
typedef struct pf_boxed_geometry {
  int moves[2];         /* by side: a redistribution is needed */
  int in_output;        /* the caller's output has room for the boxes of the plan */
  pfft3d_box *box[2];   /* the caller's, of all ranks, with all distances; NULL: the plan's */
  size_t side_bytes[2]; /* of this rank's arrays */
  size_t user_bytes, work_bytes;
  size_t shared_array; /* the largest user_bytes of all ranks */
} pf_boxed_geometry;

/** Local. Whether redistributions round numbers to single precision: where the plan does, unless
 *  the exchange reads the arrays themselves. */
int pf_boxed_narrow(const pf_geometry *g);

/** Local. Compares the boxes of a decision with the geometry that it has without them; the caller
 *  frees it, also after an error.  Errors: MEMORY. */
int pf_boxed_geometry_make(const pf_geometry *g, pf_boxed_geometry *b, pfft3d_error *e);
void pf_boxed_geometry_free(pf_boxed_geometry *b);

/** Local. Whether a side of a decision has boxes of the caller that this geometry has too. */
int pf_boxed_fit(const pf_geometry *g, int side);

/** Local. The redistribution of a side of a dry run, from the caller's boxes to those of the plan:
 *  its figures for one rank; freed by pf_moves_dry_free(), also after an error.  Errors: MEMORY. */
int pf_boxed_move_make(const pf_geometry *g, const pf_boxed_geometry *b, int side,
                       pf_moves_dry *move, pfft3d_error *e);

#endif
