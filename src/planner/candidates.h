/* SPDX-License-Identifier: BSD-3-Clause
 * All ways to do what a request leaves open, and the choice among them by the model. */
#ifndef PF_PLANNER_CANDIDATES_H
#define PF_PLANNER_CANDIDATES_H

#include "plan/geometry.h"

enum { PF_CANDIDATES = 1024 };

/** Local. Whether a name of a decision leaves the choice to the planner. */
int pf_name_open(const char *name);

/** Local. Whether names of a request's decision are left to the planner; whether the exchange is.
 *  The grid of a scheme that is named, with an exchange that is named, is the scheme's choice,
 * unless wisdom knows a better one. */
int pf_request_open(const pfft3d_request *r);
int pf_algo_open(const pfft3d_request *r);
int pf_grid_open(const pfft3d_request *r);

/** Local. Puts the cheapest decision into r->decision, and into `reason` why, in words; of a
 * request without zeros in its machine, for ranks that share memory or not.  @p best gets the
 * cheapest candidates, @p most at most (NULL and 0: none); how many there are in all.  Errors: of a
 * request that no candidate can do, those of its first one. */
int pf_choose(pfft3d_request *r, int ranks, int sharing, pfft3d_candidate *best, int most,
              char reason[PF_REASON], pfft3d_error *e);

#endif
