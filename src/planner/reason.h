/* SPDX-License-Identifier: BSD-3-Clause
 * Explanation of the model's preference, for users. */
#ifndef PF_PLANNER_REASON_H
#define PF_PLANNER_REASON_H

#include "planner/candidates.h"

/** Local. Explains why the first of @p count candidates is better than the others that request @p r
 * allowed; the list may be truncated.  All figures are those of the model, with the messages that a
 * rank sends in a forward transform. */
void pf_reason(const pfft3d_request *r, const pf_environment *env, const pfft3d_candidate *list,
               int count, char text[PF_REASON]);

#endif
