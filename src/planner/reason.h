/* SPDX-License-Identifier: BSD-3-Clause
 * Why the model prefers a decision, in words for users. */
#ifndef PF_PLANNER_REASON_H
#define PF_PLANNER_REASON_H

#include "planner/candidates.h"

/** Local. What makes the first of @p count candidates, of which the list has as many as it could
 *  hold, better than the others that request @p r allowed: all numbers are the model's, messages
 *  those that a rank sends forward. */
void pf_reason(const pfft3d_request *r, const pf_environment *env, const pfft3d_candidate *list,
               int count, char text[PF_REASON]);

#endif
