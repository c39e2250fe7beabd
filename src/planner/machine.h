/* SPDX-License-Identifier: BSD-3-Clause
 * Machines as the model sees them: described, measured, or combined from both. */
#ifndef PF_PLANNER_MACHINE_H
#define PF_PLANNER_MACHINE_H

#include "plan/request.h"

/** Local. Fills unknown figures of *m from another machine: all four of a level, or none. */
void pf_machine_fill(pfft3d_machine *m, const pfft3d_machine *from);

/** Local. Whether no figure needs to be measured. */
int pf_machine_whole(const pfft3d_machine *m);

/** Local. Rejects invalid figures.  Errors: USAGE. */
int pf_machine_check(const pfft3d_machine *m, pfft3d_error *e);

/** Local. Completes the machine of a request by defaults, and sets the ranks of its nodes. */
void pf_machine_resolve(pfft3d_request *r);

/** Collective on comm. Completes *m by the figures kept with the caller's communicator @p owner,
 * which has the same ranks; measures them if there are none.  @p node_ranks neighbours count as a
 * node; 0: detect. Errors, agreed: MEMORY, INTERNAL. */
int pf_machine_know(MPI_Comm comm, MPI_Comm owner, int node_ranks, pfft3d_machine *m,
                    pfft3d_error *e);

#endif
