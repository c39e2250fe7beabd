/* SPDX-License-Identifier: BSD-3-Clause
 * Boxes of the caller: the parts of the field or of the spectrum that ranks hold, if a request
 * names them instead of leaving them to the decomposition.  Each rank names its own box, or bricks
 * define the boxes of all ranks, which dry runs then know too. */
#ifndef PF_REQUEST_BOXES_H
#define PF_REQUEST_BOXES_H

#include "layout/pieces.h"
#include "request/request.h"

/* The boxes of all ranks, in the order of the plan's communicator, by side; NULL: the boxes of the
 * decomposition.  All strides are set; a distance of 0 is left to the plan. */
struct pf_boxes {
  int ranks;
  pfft3d_box *box[2];
};

/** Local. Nonzero if a request has boxes on a side. */
int pf_boxes_wanted(const pfft3d_request *r, int side);

/** Local. Nonzero if 64 bits can count the bytes of an array: elements of `element` bytes, `len`
 * along each axis, `stride` apart, @p offset elements from the beginning, positive or negative. */
int pf_array_countable(ptrdiff_t offset, int axes, const ptrdiff_t len[], const ptrdiff_t stride[],
                       ptrdiff_t element);

/** Local. Rejects boxes that a request cannot have.  Errors: USAGE, UNAVAILABLE. */
int pf_boxes_check(const pfft3d_request *r, int ranks, pfft3d_error *e);

/** Local. The boxes of a dry run; the caller frees them, also after an error.  Errors: USAGE (the
 *  boxes of other ranks are not known), MEMORY. */
int pf_boxes_dry(const pfft3d_request *r, int ranks, pf_boxes *b, pfft3d_error *e);

/** Collective on comm. The boxes of all ranks, which tile the array, of a request that is checked
 *  or has failed (*e); the caller frees them, also after an error.  Errors, agreed: USAGE, MEMORY,
 * INTERNAL. */
int pf_boxes_gather(MPI_Comm comm, const pfft3d_request *r, pf_boxes *b, pfft3d_error *e);

/** Local. Puts the box of rank k at order[k]; NULL: nothing to do.  Errors: MEMORY. */
int pf_boxes_order(pf_boxes *b, const int *order, pfft3d_error *e);

void pf_boxes_free(pf_boxes *b);

/** Local. A hash of all boxes. */
unsigned long long pf_boxes_hash(const pf_boxes *b);

/** Local. Elements from the first one of a field to the last one, both included; and bytes of an
 *  array that holds the box for all fields of a batch, 0 if it has no elements. */
ptrdiff_t pf_box_span(const pfft3d_box *box);
size_t pf_box_bytes(const pfft3d_problem *p, pfft3d_side side, const pfft3d_box *box);

/** Local. A box as a part of the array batch x n0 x n1 x n2 with elements of a side. */
pf_part pf_box_part(const pfft3d_problem *p, pfft3d_side side, const pfft3d_box *box);

/** Local. Nonzero if a box of the caller holds the same elements as the box of a plan, at the same
 * addresses of the array. */
int pf_box_fits(const pfft3d_problem *p, const pfft3d_box *mine, const pfft3d_box *planned);

#endif
