/* SPDX-License-Identifier: BSD-3-Clause
 * Machines as the model sees them: described, measured, and put together from both. */
#ifndef PF_PLAN_MACHINE_H
#define PF_PLAN_MACHINE_H

#include "base/status.h"

/** Local. What is not known of *m, from another one: all four figures of a level, or none. */
void pf_machine_fill(pfft3d_machine *m, const pfft3d_machine *from);

/** Local. Whether nothing of it needs to be measured. */
int pf_machine_whole(const pfft3d_machine *m);

/** Local. Refuses figures that mean nothing.  Errors: USAGE. */
int pf_machine_check(const pfft3d_machine *m, pfft3d_error *e);

/** Local. Completes the machine of a request that nobody will measure, and takes its nodes. */
void pf_machine_settle(pfft3d_request *r);

/** Local. What was measured on a communicator before; whether anything was.  And puts it there. */
int pf_machine_known(MPI_Comm owner, pfft3d_machine *m);
void pf_machine_remember(MPI_Comm owner, const pfft3d_machine *m);

/** Collective on comm. Measures; @p node_ranks neighbours are taken for a node, 0: as found.
 *  Errors, agreed: MEMORY, INTERNAL. */
int pf_machine_probe(MPI_Comm comm, int node_ranks, pfft3d_machine *m, pfft3d_error *e);

#endif
