/* SPDX-License-Identifier: BSD-3-Clause
 * Which ranks share a node. */
#ifndef PF_BASE_NODES_H
#define PF_BASE_NODES_H

#include "base/status.h"

/* A communicator in which the ranks of a node are consecutive. */
typedef struct pf_nodes {
  MPI_Comm comm;
  int *order;     /* the rank in comm of each rank of the given communicator; NULL: the same; from
                     malloc */
  int node_ranks; /* consecutive ranks of comm on each node, the last node may have fewer; 0: nodes
                     have different numbers */
  int node_index; /* index of this rank on its node */
} pf_nodes;

/** Collective on n->comm. Finds the nodes.  Unless @p keep is set, replaces n->comm by a
 * communicator in which the ranks of each node are consecutive.  If @p given is not 0, that many
 * consecutive ranks count as a node.  Errors: MEMORY, INTERNAL. */
int pf_nodes_find(pf_nodes *n, int given, int keep, pfft3d_error *e);

#endif
