/* SPDX-License-Identifier: BSD-3-Clause
 * Makes plans from requests that leave nothing open: no model, no wisdom, no timing. */
#ifndef PF_PLANNER_MAKE_H
#define PF_PLANNER_MAKE_H

#include "planner/complete.h"

/** Collective on comm. Begins a plan: creates its communicator, in node order, and checks that all
 * ranks make the same request.  @p own receives the request with the ranks of a node (0: nodes have
 * different numbers).  Errors, agreed: UNAVAILABLE, MEMORY, INTERNAL. */
int pf_make_begin(MPI_Comm comm, const pfft3d_request *r, pfft3d_request *own, pfft3d_plan **plan,
                  pfft3d_error *e);

/** Collective on p->comm. Builds the plan.  Errors, agreed: MEMORY, UNAVAILABLE, INTERNAL; after a
 * failure, pf_plan_clear() restores its beginning. */
int pf_make_finish(pfft3d_plan *p, const pf_resolved *x, pfft3d_error *e);

/** Collective on comm. Makes a plan of request @p r, which names its decomposition and exchange.
 * Errors, agreed: those of pfft3d_plan_create(). */
int pf_make_plan(MPI_Comm comm, const pfft3d_request *r, pfft3d_plan **plan, pfft3d_error *e);

/** Collective on comm. Finds the ranks of a node, as a plan on comm would.  Errors: MEMORY,
 * INTERNAL. */
int pf_make_node_ranks(MPI_Comm comm, const pfft3d_request *r, int *node_ranks, pfft3d_error *e);

#endif
