/* SPDX-License-Identifier: BSD-3-Clause
 * Which ranks share a node.  A process row consists of consecutive ranks, which exchange inside a
 * node if they share one.  If a launcher has distributed ranks over the nodes round-robin, the plan
 * uses a communicator in node order; except for one dimension, where the caller's rank numbers
 * determine the distribution. */
#include <stdlib.h>

#include "base/nodes.h"

/* The first rank of this rank's node, its index there, and the number of ranks there. */
static int find_node(MPI_Comm comm, int *first, int *node_index, int *count) {
  MPI_Comm node;
  int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (code != MPI_SUCCESS) return code;
  MPI_Comm_rank(comm, first);
  MPI_Comm_rank(node, node_index);
  MPI_Comm_size(node, count);
  code = MPI_Bcast(first, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  return code;
}

/* Reorders the ranks node by node, nodes ordered by their first rank. */
static int put_in_order(pf_nodes *n, int first, pfft3d_error *e) {
  MPI_Comm ordered;
  int ranks, mine;
  MPI_Comm_size(n->comm, &ranks);
  n->order = malloc((size_t)ranks * sizeof *n->order);
  if (!n->order) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the order of %d ranks", ranks);
  if (pf_agree(n->comm, e) || !n->order) return e->status;
  int code = MPI_Comm_split(n->comm, 0, first, &ordered); /* equal keys keep their order */
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_split");
  MPI_Comm_rank(ordered, &mine);
  code = MPI_Allgather(&mine, 1, MPI_INT, n->order, 1, MPI_INT, n->comm);
  MPI_Comm_free(&n->comm);
  n->comm = ordered;
  return code == MPI_SUCCESS ? PFFT3D_OK : pf_fail_mpi(e, code, "MPI_Allgather");
}

int pf_nodes_find(pf_nodes *n, int given, int keep, pfft3d_error *e) {
  int first, node_index, count, rank, ranks;
  MPI_Comm_rank(n->comm, &rank);
  MPI_Comm_size(n->comm, &ranks);
  if (given > ranks) given = ranks; /* one node */
  n->node_ranks = given;
  n->node_index = given ? rank % given : 0;
  if (given) return PFFT3D_OK;
  int code = find_node(n->comm, &first, &node_index, &count);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_split_type");
  n->node_index = node_index;
  /* Maxima over all ranks: ranks of a node; 1 if the ranks of any node are not consecutive. */
  int all[2] = {count, rank != first + node_index};
  code = MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, n->comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  if (all[1] && !keep) PF_TRY(put_in_order(n, first, e));
  MPI_Comm_rank(n->comm, &rank);
  int irregular =
      rank - node_index != rank / all[0] * all[0]; /* only the last node may have fewer */
  code = MPI_Allreduce(MPI_IN_PLACE, &irregular, 1, MPI_INT, MPI_MAX, n->comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  n->node_ranks = irregular ? 0 : all[0];
  return PFFT3D_OK;
}
