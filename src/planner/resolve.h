/* SPDX-License-Identifier: BSD-3-Clause
 * Decides what a request leaves to "auto", equally on all ranks. */
#ifndef PF_PLANNER_RESOLVE_H
#define PF_PLANNER_RESOLVE_H

#include "planner/candidates.h"

/* Communicators of a plan, and how its decision was made. */
typedef struct pf_resolution {
  MPI_Comm comm;  /* of the plan */
  MPI_Comm owner; /* that of the caller, which keeps measured figures */
  pf_environment env;
  /* results */
  pfft3d_decided_by by;
  char reason[PF_REASON]; /* "" if nothing was open */
} pf_resolution;

/** Collective on w->comm. Completes the machine of a request, and its decision if it is left open:
 * from wisdom, else by the model, else by timing the candidates that the model finds close.  Rank 0
 * decides for all.  Errors, agreed: those of pfft3d_plan_create(). */
int pf_resolve(pf_resolution *w, pfft3d_request *r, pfft3d_error *e);

#endif
