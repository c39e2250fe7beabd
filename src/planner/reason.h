/* SPDX-License-Identifier: BSD-3-Clause
 * Why the model prefers a decision, in words for users. */
#ifndef PF_PLANNER_REASON_H
#define PF_PLANNER_REASON_H

#include <pfft3d_tune.h>

/** Local. What makes the first of @p count candidates, of which the list has as many as it could
 *  hold, better than the others that request @p r allowed: all numbers are the model's, messages
 *  those that a rank sends forward.  Says less where `size` is short. */
void pf_reason(const pfft3d_request *r, int ranks, int sharing, const pfft3d_candidate *list,
               int count, char *text, size_t size);

#endif
