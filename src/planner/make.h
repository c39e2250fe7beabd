/* SPDX-License-Identifier: BSD-3-Clause
 * Making plans of requests that leave nothing open: no model, no wisdom, no clock. */
#ifndef PF_PLANNER_MAKE_H
#define PF_PLANNER_MAKE_H

#include "planner/complete.h"

/** Collective on comm. The beginning of a plan: its communicator, whose ranks follow each other
 * node by node.  Finds out whether all ranks ask for the same.  @p own gets the request, with the
 * ranks of a node (0: nodes have different numbers).  Errors, agreed: UNAVAILABLE, MEMORY,
 * INTERNAL. */
int pf_make_begin(MPI_Comm comm, const pfft3d_request *r, pfft3d_request *own, pfft3d_plan **plan,
                  pfft3d_error *e);

/** Collective on p->comm. The rest of it.  Errors, agreed: MEMORY, UNAVAILABLE, INTERNAL; then
 *  pf_plan_clear() takes it back to its beginning. */
int pf_make_finish(pfft3d_plan *p, const pf_resolved *x, pfft3d_error *e);

/** Collective on comm. All of it, where request @p r names its decomposition and exchange.  Errors,
 *  agreed: those of pfft3d_plan_create(). */
int pf_make_plan(MPI_Comm comm, const pfft3d_request *r, pfft3d_plan **plan, pfft3d_error *e);

/** Collective on comm. The ranks of a node, as a plan on it would find them.  Errors: MEMORY,
 *  INTERNAL. */
int pf_make_node_ranks(MPI_Comm comm, const pfft3d_request *r, int *node_ranks, pfft3d_error *e);

#endif
