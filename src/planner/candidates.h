/* SPDX-License-Identifier: BSD-3-Clause
 * All ways to do what a request leaves open, and the choice among them by the model. */
#ifndef PF_PLANNER_CANDIDATES_H
#define PF_PLANNER_CANDIDATES_H

#include "plan/plan.h"
#include "planner/complete.h"

enum { PF_CANDIDATES = 1024 };

/** Local. Whether names of a request's decision are left to the planner; whether the exchange is.
 *  The grid of a scheme that is named, with an exchange that is named, is the scheme's choice,
 * unless wisdom knows a better one. */
int pf_request_open(const pfft3d_request *r);
int pf_algo_open(const pfft3d_request *r);
int pf_grid_open(const pfft3d_request *r);

/* The ranks that a plan is for, and what was found not to work on them. */
typedef struct pf_environment {
  int ranks;
  int sharing;           /* all of them share memory */
  unsigned long without; /* exchanges, as bits by their index in the registry */
} pf_environment;

/** Local. The cheapest decision, put into r->decision, and in `reason` why, in words; of a request
 *  without zeros in its machine.  @p best gets the cheapest candidates, @p most at most (NULL and
 * 0: none); how many there are in all.  Errors: of a request that no candidate can do, those of its
 *  first one. */
int pf_choose(pfft3d_request *r, const pf_environment *env, pfft3d_candidate *best, int most,
              char reason[PF_REASON], pfft3d_error *e);

/** Local. What a plan for so many ranks would be made from: the request, completed by the model
 * alone where it leaves a choice, with `reason` as above.  Errors: those of pf_choose() and
 *  pf_complete(). */
int pf_dry_run(const pfft3d_request *request, int ranks, pf_resolved *x, char reason[PF_REASON],
               pfft3d_error *e);

#endif
