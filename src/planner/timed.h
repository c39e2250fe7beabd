/* SPDX-License-Identifier: BSD-3-Clause
 * Decisions that were timed before, kept with the caller's communicator and with its duplicates. */
#ifndef PF_PLANNER_TIMED_H
#define PF_PLANNER_TIMED_H

#include "planner/wisdom.h"

/** Local, on rank 0 of a plan only.  What was timed for such requests, or NULL: to be looked up
 * with pf_wisdom_find().  @p owner keeps it. */
const pfft3d_wisdom *pf_timed_known(MPI_Comm owner);

/** Local, on rank 0 of a plan only.  Keeps the decision of a request, and its time.  Without memory
 * for it, it will be timed again. */
void pf_timed_keep(MPI_Comm owner, const pfft3d_request *r, int ranks, const pfft3d_candidate *c);

#endif
