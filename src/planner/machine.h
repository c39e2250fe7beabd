/* SPDX-License-Identifier: BSD-3-Clause
 * Machines as the model sees them: described, measured, and put together from both. */
#ifndef PF_PLANNER_MACHINE_H
#define PF_PLANNER_MACHINE_H

#include "plan/request.h"

/** Local. What is not known of *m, from another one: all four figures of a level, or none. */
void pf_machine_fill(pfft3d_machine *m, const pfft3d_machine *from);

/** Local. Whether nothing of it needs to be measured. */
int pf_machine_whole(const pfft3d_machine *m);

/** Local. Refuses figures that mean nothing.  Errors: USAGE. */
int pf_machine_check(const pfft3d_machine *m, pfft3d_error *e);

/** Local. Completes the machine of a request that nobody will measure, and takes its nodes. */
void pf_machine_resolve(pfft3d_request *r);

/** Collective on comm. Completes *m by what is known of a communicator of the caller's, with the
 * same ranks; where nothing is, measures.  @p node_ranks neighbours are taken for a node, 0: as
 * found. Errors, agreed: MEMORY, INTERNAL. */
int pf_machine_know(MPI_Comm comm, MPI_Comm owner, int node_ranks, pfft3d_machine *m,
                    pfft3d_error *e);

#endif
