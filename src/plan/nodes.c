/* SPDX-License-Identifier: BSD-3-Clause
 * Which ranks share a node.  The rows of a grid of pencils are neighbouring ranks; they exchange
 * inside a node when neighbours are there.  Where a launcher has dealt ranks out to the nodes in
 * turn, the plan works on a communicator in which they are in order. */
#include <stdlib.h>

#include "plan/plan.h"

/* The first rank of this rank's node, its place there, and the number of ranks there. */
static int find_node(MPI_Comm comm, int *first, int *place, int *count) {
  MPI_Comm node;
  int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (code != MPI_SUCCESS) return code;
  MPI_Comm_rank(comm, first);
  MPI_Comm_rank(node, place);
  MPI_Comm_size(node, count);
  code = MPI_Bcast(first, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  return code;
}

/* Ranks in the order of the nodes, by which of them comes first. */
static int put_in_order(pfft3d_plan *p, int first, pfft3d_error *e) {
  MPI_Comm ordered;
  int ranks, mine;
  MPI_Comm_size(p->comm, &ranks);
  p->order = malloc((size_t)ranks * sizeof *p->order);
  if (!p->order) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the order of %d ranks", ranks);
  PF_TRY(pf_agree(p->comm, e));
  int code = MPI_Comm_split(p->comm, 0, first, &ordered); /* equal keys keep their order */
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_split");
  MPI_Comm_rank(ordered, &mine);
  code = MPI_Allgather(&mine, 1, MPI_INT, p->order, 1, MPI_INT, p->comm);
  MPI_Comm_free(&p->comm);
  p->comm = p->line[0] = p->line[1] = ordered;
  return code == MPI_SUCCESS ? PFFT3D_OK : pf_fail_mpi(e, code, "MPI_Allgather");
}

int pf_plan_nodes(pfft3d_plan *p, pfft3d_error *e) {
  int first, place, count, rank;
  int code = find_node(p->comm, &first, &place, &count);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_split_type");
  MPI_Comm_rank(p->comm, &rank);
  /* numbers whose largest values say: count, -count, and whether some node is no row of ranks */
  int all[3] = {count, -count, rank != first + place};
  code = MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_INT, MPI_MAX, p->comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  p->node_ranks = all[0] == -all[1] ? count : 0;
  return all[2] ? put_in_order(p, first, e) : PFFT3D_OK;
}
