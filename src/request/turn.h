/* SPDX-License-Identifier: BSD-3-Clause
 * Fields n0 x n1 x 1, which a plan takes for fields of two dimensions: their memory is the same,
 * but tiles hold neighbours along the last axis, and one of a single point has none.  (4096x4096x1
 * takes an eighth of the time.)  Axes 0, 1, 2 of the caller are axes 1, 2, 0 of such a plan. */
#ifndef PF_REQUEST_TURN_H
#define PF_REQUEST_TURN_H

#include "request/request.h"

/** Local. Turns the axes of a request if it is for such a field, on that many ranks, and nothing in
 *  it needs the axes as they are (pencils, equal bits, lists of cuts, boxes, other padding than of
 * rows). Returns whether it does. */
int pf_turn_request(pfft3d_request *r, int ranks);

/** Local. The following change nothing unless @p turned is set.  The caller's view of a problem of
 *  a plan, of a box of its decomposition, of three numbers along its axes, of its axes as digits,
 * and of one of them. */
pfft3d_problem pf_turn_problem_back(int turned, const pfft3d_problem *p);
void pf_turn_box_back(int turned, pfft3d_box *box);
void pf_turn_sizes_back(int turned, ptrdiff_t n[3]);
void pf_turn_digits_back(int turned, char *axes);
int pf_turn_axis_back(int turned, int axis);

/** Local. A decision of the caller as one of the plan, or the reverse: their grids are reversed. */
void pf_turn_decision(int turned, pfft3d_decision *d);

#endif
