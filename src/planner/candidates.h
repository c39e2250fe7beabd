/* SPDX-License-Identifier: BSD-3-Clause
 * All decisions that a request allows, and the choice among them by the model. */
#ifndef PF_PLANNER_CANDIDATES_H
#define PF_PLANNER_CANDIDATES_H

#include "plan/plan.h"
#include "planner/complete.h"

enum { PF_CANDIDATES = 1024 };

/* The ranks of a plan, and the exchanges that failed on them. */
typedef struct pf_environment {
  int ranks;
  int sharing;           /* all of them share memory */
  unsigned long without; /* excluded exchanges, as bits by their index in the registry */
} pf_environment;

/** Local. Stores the cheapest decision in r->decision and the explanation in `reason`; the machine
 * of the request must be complete.  @p best receives up to @p most of the cheapest candidates (NULL
 * and 0: none).  Returns the number of candidates.  Errors: if there is none, the error of the
 * first one that was refused. */
int pf_choose(pfft3d_request *r, const pf_environment *env, pfft3d_candidate *best, int most,
              char reason[PF_REASON], pfft3d_error *e);

/** Local. Completes the request of a plan for that many ranks by the model alone, with `reason` as
 * above.  Errors: those of pf_choose() and pf_complete(). */
int pf_dry_run(const pfft3d_request *request, int ranks, pf_resolved *x, char reason[PF_REASON],
               pfft3d_error *e);

#endif
