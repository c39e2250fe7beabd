/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks and made-up nodes for test_exchange; see exchange_ranks.h. */
#include "exchange_ranks.h"

MPI_Comm make_ranks(int kind, int *me, int *ranks) {
  MPI_Comm comm;
  int rank, world;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world);
  if (kind == BESIDE && world > 1) {
    MPI_Comm_split(MPI_COMM_WORLD, rank < world - 1 ? 0 : MPI_UNDEFINED, rank, &comm);
    *me = rank;
    *ranks = world - 1;
    return comm;
  }
  comm = make_comm(kind % COMM_KINDS);
  MPI_Comm_rank(comm, me);
  MPI_Comm_size(comm, ranks);
  return comm;
}

void make_node(node *n, int kind, MPI_Comm comm, int ranks, int on_node) {
  pfft3d_error e;
  int me, all;
  pf_error_clear(&e);
  MPI_Comm_dup(kind == BESIDE ? MPI_COMM_WORLD : comm, &n->all);
  MPI_Comm_rank(n->all, &me);
  MPI_Comm_size(n->all, &all);
  n->memory.node_map = (pf_node_map){
      .ranks = all, .me = me, .node = on_node, .grid = {1, ranks}, .dim = 1, .cut = PF_WHOLE};
  MPI_Comm_split(n->all, me / on_node, me, &n->comm);
  CHECK(!pf_shared_create(n->comm, 3 * (AREA + GUARD) + GUARD, &n->window, &e), "%s", e.text);
  n->memory.shared = &n->window;
}

void free_node(node *n) {
  pf_shared_destroy(&n->window);
  MPI_Comm_free(&n->comm);
  MPI_Comm_free(&n->all);
}

pf_exchange_memory lay_out_one(const pf_exchange_ops *ops, const pf_redist *r,
                               const pf_node_map *map, size_t size, ptrdiff_t cap) {
  pf_exchange_memory m = {
      .ops = ops, .ranks = map->ranks, .rank = map->me, .node_ranks = map->node, .cap = cap};
  m.sequence[0] = (pf_exchange_sequence){
      .count = 1, .redist = {*r}, .largest = {*r}, .node_map = {*map}, .wire = {size}};
  pf_exchange_lay_out(&m);
  return m;
}
