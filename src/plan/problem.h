/* SPDX-License-Identifier: BSD-3-Clause
 * What follows from a problem alone. */
#ifndef PF_PLAN_PROBLEM_H
#define PF_PLAN_PROBLEM_H

#include "local/kind.h"

/** Local. The first axis that a problem has: 2, 1 or 0 for one, two or three dimensions. */
int pf_problem_first(const pfft3d_problem *p);

/** Local. The kind of an axis: dft for leading axes that the problem has not; where elements are
 * real on both sides, none instead of the dft of one point. */
pfft3d_axis_kind pf_problem_axis(const pfft3d_problem *p, int axis);

/** Local. Whether elements of both sides are real numbers: a real field without a dft axis. */
int pf_problem_scalar(const pfft3d_problem *p);

/** Local. Whether the spectrum is half of one along axis 2: a real field with a dft axis. */
int pf_problem_half(const pfft3d_problem *p);

/** Local. Bytes of an element between the stages of a transform. */
size_t pf_problem_element(const pfft3d_problem *p);

/** Local. Reads "K0,K1,K2", or one kind for all axes, of a problem whose dimensions are known.
 *  Errors: USAGE, with the valid kinds. */
int pf_kinds_parse(const char *text, pfft3d_problem *p, pfft3d_error *e);

/** Local. Writes them, "" if all are dft; at most @p size bytes. */
void pf_kinds_print(const pfft3d_problem *p, char *out, size_t size);

/** Local. Rejects kinds that a problem cannot have.  Errors: USAGE, UNAVAILABLE. */
int pf_kinds_check(const pfft3d_problem *p, pfft3d_error *e);

#endif
