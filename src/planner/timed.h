/* SPDX-License-Identifier: BSD-3-Clause
 * Decisions by earlier timing, kept with the caller's communicator and with its duplicates. */
#ifndef PF_PLANNER_TIMED_H
#define PF_PLANNER_TIMED_H

#include "planner/wisdom.h"

/** Local, on rank 0 of a plan only.  The decisions kept with @p owner, for pf_wisdom_find(), or
 * NULL. @p owner keeps the object. */
const pfft3d_wisdom *pf_timed_known(MPI_Comm owner);

/** Local, on rank 0 of a plan only.  Keeps the decision of a request, and its time.  Without memory
 * for it, the request will be timed again. */
void pf_timed_keep(MPI_Comm owner, const pfft3d_request *r, int ranks, const pfft3d_candidate *c);

#endif
