/* SPDX-License-Identifier: BSD-3-Clause
 * The choice among a few candidates by short timing. */
#ifndef PF_PLANNER_CONTEST_H
#define PF_PLANNER_CONTEST_H

#include "planner/planner.h"

/* The time for a contest. */
typedef struct pf_contest_time {
  double start;  /* MPI_Wtime() on rank 0 at the beginning of planning */
  double budget; /* seconds from then to the end of planning: a limit */
  double enough; /* after so many no further candidate is added */
} pf_contest_time;

/** Collective on comm. Times candidates of a list in the order of the model, and sorts it as
 * pfft3d_tune().  None are timed if the budget may be too small for two candidates and the final
 * plan.  Errors, agreed: those of pfft3d_tune(). */
int pf_contest(MPI_Comm comm, const pfft3d_request *request, const pf_contest_time *time,
               pfft3d_candidate *list, int count, pfft3d_error *e);

#endif
