/* SPDX-License-Identifier: BSD-3-Clause
 * Plans between boxes of the caller: pipelines between the boxes of the decomposition, and a
 * redistribution on each side where the caller's boxes or their strides differ from them.
 *
 *   caller's box --redistribution--> box of the plan --pipeline--> box of the plan --> ...
 *
 * The boxes of the plan are stored in the caller's output if they fit into it on all ranks in both
 * directions, else in a buffer.  boxed.c computes sizes and messages of a rank without MPI; the
 * steps are in plan/boxed.c. */
#ifndef PF_REDIST_BOXED_H
#define PF_REDIST_BOXED_H

#include "request/boxes.h"
#include "redist/moves.h"

/* Differences between the boxes of the caller and the boxes of a geometry. */
typedef struct pf_boxed_geometry {
  int moves[2];         /* by side: a redistribution is needed */
  int in_output;        /* the boxes of the plan fit into the caller's output */
  pfft3d_box *box[2];   /* the caller's, of all ranks, with all distances; NULL: as the plan */
  size_t side_bytes[2]; /* of this rank's arrays */
  size_t user_bytes, work_bytes;
  size_t shared_array; /* the largest user_bytes of all ranks */
} pf_boxed_geometry;

/** Local. Nonzero if redistributions round numbers to single precision: as the pipelines do, unless
 * the exchange reads the arrays themselves. */
int pf_boxed_narrow(const pf_geometry *g);

/** Local. Compares the boxes of a decision with its geometry without these boxes; the caller frees
 * it, also after an error.  Errors: MEMORY. */
int pf_boxed_geometry_make(const pf_geometry *g, pf_boxed_geometry *b, pfft3d_error *e);
void pf_boxed_geometry_free(pf_boxed_geometry *b);

/** Local. Nonzero if a side of a decision has boxes of the caller that equal the boxes of this
 * geometry. */
int pf_boxed_fit(const pf_geometry *g, int side);

/** Local. The redistribution of a side in a dry run, from the caller's boxes to the boxes of the
 * plan: its figures for one rank; freed by pf_moves_dry_free(), also after an error.  Errors:
 * MEMORY. */
int pf_boxed_move_make(const pf_geometry *g, const pf_boxed_geometry *b, int side,
                       pf_moves_dry *move, pfft3d_error *e);

#endif
