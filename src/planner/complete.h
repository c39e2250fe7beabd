/* SPDX-License-Identifier: BSD-3-Clause
 * Completes requests whose names are all given. */
#ifndef PF_PLANNER_COMPLETE_H
#define PF_PLANNER_COMPLETE_H

#include "line/line.h"

/* A request with nothing left open, and its decision for a field or choice for one dimension. */
typedef struct pf_resolved {
  pfft3d_request request;
  pf_decision field;
  pf_line_choice line;
} pf_resolved;

/** Local. Whether names of a request's decision are left to the planner; whether the exchange is.
 * If scheme and exchange are named, the scheme chooses the grid, unless wisdom has a better one. */
int pf_request_open(const pfft3d_request *r);
int pf_algo_open(const pfft3d_request *r);
int pf_grid_open(const pfft3d_request *r);

/** Local. Rejects invalid values of a request.  Errors: USAGE, UNAVAILABLE. */
int pf_check(const pfft3d_request *r, int ranks, pfft3d_error *e);

/** Local. Completes a request that names its decomposition and exchange: chooses engine, grid and
 * split without the model.  Errors: USAGE, UNAVAILABLE. */
int pf_complete(const pfft3d_request *r, int ranks, pf_resolved *x, pfft3d_error *e);

/** Local. The geometry of a field for such a request.  Errors: those of pf_complete() and
 * pf_geometry_make(). */
int pf_complete_geometry(const pfft3d_request *r, int ranks, int rank, pf_geometry *g,
                         pfft3d_error *e);

#endif
