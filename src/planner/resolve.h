/* SPDX-License-Identifier: BSD-3-Clause
 * Deciding what a request leaves to "auto", for all ranks alike. */
#ifndef PF_PLANNER_RESOLVE_H
#define PF_PLANNER_RESOLVE_H

#include "planner/candidates.h"

/* Whose plan it is, and who decided what. */
typedef struct pf_resolution {
  MPI_Comm comm;  /* of the plan */
  MPI_Comm owner; /* the caller's, which keeps what was measured */
  pf_environment env;
  /* results: */
  pfft3d_decided_by by;
  char reason[PF_REASON]; /* "" where nothing was open */
} pf_resolution;

/** Collective on w->comm. Completes the machine of a request, and its decision where something of
 * it is left open: from its wisdom, else by the model, else by timing the candidates that the model
 *  finds close.  Rank 0 decides for all.  Errors, agreed: those of pfft3d_plan_create(). */
int pf_resolve(pf_resolution *w, pfft3d_request *r, pfft3d_error *e);

#endif
