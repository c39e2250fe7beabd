/* SPDX-License-Identifier: BSD-3-Clause
 * Fields n0 x n1 x 1, which a plan treats as fields of two dimensions with the same memory: tiles
 * hold neighbours along the last axis, and an axis of one point has none.  (4096x4096x1 takes an
 * eighth of the time.)  Axes 0, 1, 2 of the caller are axes 1, 2, 0 of such a plan. */
#ifndef PF_REQUEST_AXES_H
#define PF_REQUEST_AXES_H

#include "request/request.h"

/** Local. Permutes the axes of a request if it is for such a field and depends on the axes in no
 * other way (pencils on @p ranks ranks, equal bits, lists of cuts, boxes, padding within rows).
 * Returns 1 if it does, else 0. */
int pf_axes_request(pfft3d_request *r, int ranks);

/** Local. The following change nothing unless @p permuted is set.  They map axes of the plan back
 * to the caller's axes: in a problem, a box, three extents, a string of digits, one axis. */
pfft3d_problem pf_axes_problem_back(int permuted, const pfft3d_problem *p);
void pf_axes_box_back(int permuted, pfft3d_box *box);
void pf_axes_sizes_back(int permuted, ptrdiff_t n[3]);
void pf_axes_digits_back(int permuted, char *axes);
int pf_axes_axis_back(int permuted, int axis);

/** Local. Converts a decision of the caller to the plan's, or back: reverses its grid. */
void pf_axes_decision(int permuted, pfft3d_decision *d);

#endif
