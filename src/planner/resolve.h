/* SPDX-License-Identifier: BSD-3-Clause
 * Settling what a request leaves to "auto", for all ranks alike. */
#ifndef PF_PLANNER_RESOLVE_H
#define PF_PLANNER_RESOLVE_H

#include "planner/decide.h"

/** Collective on comm. Completes the machine of a request, and its decision where something of it
 * is left open: from its wisdom, else by the model, else by timing the candidates that the model
 * finds close.  Rank 0 decides for all; @p owner keeps what was measured; `reason` says why, and
 * stays empty where nothing was open. `sharing`: all ranks share memory, and an exchange in it may
 * be taken.  Errors, agreed: those of pfft3d_plan_create(). */
int pf_resolve(MPI_Comm comm, MPI_Comm owner, pfft3d_request *r, int sharing,
               char reason[PF_REASON], pfft3d_error *e);

/** Collective on comm. Whether all ranks hold the same number, INTERNAL where not: what they are
 *  about to do together must be the same.  `what` names it. */
int pf_agree_hash(MPI_Comm comm, unsigned long long hash, const char *what, pfft3d_error *e);

#endif
