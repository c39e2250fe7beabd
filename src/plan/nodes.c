/* SPDX-License-Identifier: BSD-3-Clause
 * Which ranks share a node.  The rows of a grid of pencils are neighbouring ranks; they exchange
 * inside a node when neighbours are there.  Where a launcher has dealt ranks out to the nodes in
 * turn, the plan works on a communicator in which they are in order; but for a line, of which the
 * caller knows by the numbers of the ranks who has what. */
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
  if (pf_agree(p->comm, e) || !p->order) return e->status;
  int code = MPI_Comm_split(p->comm, 0, first, &ordered); /* equal keys keep their order */
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_split");
  MPI_Comm_rank(ordered, &mine);
  code = MPI_Allgather(&mine, 1, MPI_INT, p->order, 1, MPI_INT, p->comm);
  MPI_Comm_free(&p->comm);
  p->comm = p->line[0] = p->line[1] = ordered;
  return code == MPI_SUCCESS ? PFFT3D_OK : pf_fail_mpi(e, code, "MPI_Allgather");
}

int pf_plan_nodes(pfft3d_plan *p, int given, int keep, pfft3d_error *e) {
  int first, place, count, rank;
  p->node_ranks = given;
  if (given) return PFFT3D_OK;
  int code = find_node(p->comm, &first, &place, &count);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_split_type");
  MPI_Comm_rank(p->comm, &rank);
  /* numbers whose largest values say: the most ranks, and whether some node is no row of ranks */
  int all[2] = {count, rank != first + place};
  code = MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, p->comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  if (all[1] && !keep) PF_TRY(put_in_order(p, first, e));
  MPI_Comm_rank(p->comm, &rank);
  int irregular = rank - place != rank / all[0] * all[0]; /* only the last node may have fewer */
  code = MPI_Allreduce(MPI_IN_PLACE, &irregular, 1, MPI_INT, MPI_MAX, p->comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  p->node_ranks = irregular ? 0 : all[0];
  return PFFT3D_OK;
}

int pf_nodes_find(MPI_Comm comm, int given, int keep, int *node_ranks, pfft3d_error *e) {
  pfft3d_plan *p = calloc(1, sizeof *p); /* as a plan would find them */
  if (!p) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory to find the nodes");
  if (pf_agree(comm, e) || !p) {
    free(p);
    return e->status;
  }
  int code = MPI_Comm_dup(comm, &p->comm);
  if (code != MPI_SUCCESS) {
    free(p);
    return pf_fail_mpi(e, code, "MPI_Comm_dup");
  }
  pf_errors_return(p->comm);
  pf_plan_nodes(p, given, keep, e);
  *node_ranks = p->node_ranks;
  MPI_Comm_free(&p->comm);
  free(p->order);
  free(p);
  return e->status;
}

int pf_plan_node_window(pfft3d_plan *p, pfft3d_error *e) {
  int rank;
  MPI_Comm_rank(p->comm, &rank);
  if (!p->node_ranks) {
    pf_hint(e, "start as many ranks on every node, or take another exchange");
    return pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
                   "exchange 'node': there are nodes with different numbers of ranks");
  }
  int code = MPI_Comm_split(p->comm, rank / p->node_ranks, rank, &p->node);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_split");
  if (pf_shared_create(p->node, p->geometry.bytes[PF_SLOT_SHARED], &p->shared, e) ==
      PFFT3D_ERR_UNAVAILABLE)
    pf_hint(e, "with %d neighbouring ranks for a node; another exchange needs no shared memory",
            p->node_ranks);
  return e->status;
}
