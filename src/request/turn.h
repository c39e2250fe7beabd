/* SPDX-License-Identifier: BSD-3-Clause
 * Fields n0 x n1 x 1, which a plan treats as fields of two dimensions with the same memory: tiles
 * hold neighbours along the last axis, and an axis of one point has none.  (4096x4096x1 takes an
 * eighth of the time.)  Axes 0, 1, 2 of the caller are axes 1, 2, 0 of such a plan. */
#ifndef PF_REQUEST_TURN_H
#define PF_REQUEST_TURN_H

#include "request/request.h"

/** Local. Permutes the axes of a request if it is for such a field and depends on the axes in no
 * other way (pencils on @p ranks ranks, equal bits, lists of cuts, boxes, padding within rows).
 * Returns 1 if it does, else 0. */
int pf_turn_request(pfft3d_request *r, int ranks);

/** Local. The following change nothing unless @p turned is set.  They map axes of the plan back to
 * the caller's axes: in a problem, a box, three extents, a string of digits, one axis. */
pfft3d_problem pf_turn_problem_back(int turned, const pfft3d_problem *p);
void pf_turn_box_back(int turned, pfft3d_box *box);
void pf_turn_sizes_back(int turned, ptrdiff_t n[3]);
void pf_turn_digits_back(int turned, char *axes);
int pf_turn_axis_back(int turned, int axis);

/** Local. Converts a decision of the caller to the plan's, or back: reverses its grid. */
void pf_turn_decision(int turned, pfft3d_decision *d);

#endif
