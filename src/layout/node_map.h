/* SPDX-License-Identifier: BSD-3-Clause
 * Node map: which ranks share a node, and the elements that nodes exchange in a redistribution
 * along the rows or columns of the process grid.  Arithmetic only, with the same result on every
 * rank: both ends of a message agree on its contents, and so does a dry run. */
#ifndef PF_LAYOUT_NODE_MAP_H
#define PF_LAYOUT_NODE_MAP_H

#include "layout/layout.h"

typedef struct pf_node_map {
  int ranks, me;    /* of the plan */
  int node;         /* ranks on each node, which are consecutive; the last node may have fewer */
  int grid[2], dim; /* process grid as in pf_layout; its dimension that exchanges */
  int cut;          /* axis that is cut along the other dimension; or PF_WHOLE */
  ptrdiff_t n;      /* its global extent */
  pf_cuts cuts;     /* and its parts */
} pf_node_map;

/** Local. The number of nodes, and of ranks on one of them. */
int pf_node_map_nodes(const pf_node_map *m);
int pf_node_map_count(const pf_node_map *m, int node);

/** Local. The redistribution @p r, which is that of any rank, as rank @p rank of the plan sees
 *  it. */
pf_redist pf_node_map_redist(const pf_node_map *m, const pf_redist *r, int rank);

/** Local. The same as a rank would see it that has the longest part of the axis that is cut along
 *  the other dimension. */
pf_redist pf_node_map_largest(const pf_node_map *m, const pf_redist *r);

/** Local. The ranks of a node that exchange with rank @p rank of the plan, as consecutive ranks of
 *  the redistribution; the rank in the plan of one of them. */
pf_range pf_node_map_span(const pf_node_map *m, int rank, int node);
int pf_node_map_rank(const pf_node_map *m, int rank, ptrdiff_t k);

/** Local. The share of the partners of rank m->me that are on its node: 0 to 1. */
double pf_node_map_inside(const pf_node_map *m);

/** Local. The share of the partners of a rank that are on other nodes, as the mean over the ranks
 * of the node that has most of them: what this node sends is what the others wait for. 0 to 1. */
double pf_node_map_outside(const pf_node_map *m);

/** Local. Elements that all ranks of node @p from send to all ranks of node @p to. */
ptrdiff_t pf_node_map_elements(const pf_node_map *m, const pf_redist *r, int from, int to);

/** Local. Offset, in elements, of the block that rank k of the redistribution, on the same node,
 *  receives from rank m->me, in memory with @p part elements for each rank of the node. */
ptrdiff_t pf_node_map_offset(const pf_node_map *m, const pf_redist *r, ptrdiff_t part, int k);

#endif
