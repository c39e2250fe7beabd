/* SPDX-License-Identifier: BSD-3-Clause
 * From a request whose names are all given to a decision in full. */
#ifndef PF_PLANNER_COMPLETE_H
#define PF_PLANNER_COMPLETE_H

#include "line/line.h"

/* A request with nothing left open, and what it says: the decision of a field, or the choice for
 * one dimension. */
typedef struct pf_resolved {
  pfft3d_request request;
  pf_decision field;
  pf_line_choice line;
} pf_resolved;

/** Local. Refuses values of a request that mean nothing.  Errors: USAGE, UNAVAILABLE. */
int pf_check(const pfft3d_request *r, int ranks, pfft3d_error *e);

/** Local. Completes a request that names its decomposition and exchange: engine, grid and split are
 *  chosen, by rules that need no model.  Errors: USAGE, UNAVAILABLE. */
int pf_complete(const pfft3d_request *r, int ranks, pf_resolved *x, pfft3d_error *e);

/** Local. The geometry of a field that such a request leads to.  Errors: as those of pf_complete()
 *  and pf_geometry_make(). */
int pf_complete_geometry(const pfft3d_request *r, int ranks, int rank, pf_geometry *g,
                         pfft3d_error *e);

#endif
