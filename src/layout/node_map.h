/* SPDX-License-Identifier: BSD-3-Clause
 * Node map: which ranks share a node, and the elements that nodes exchange in a redistribution
 * along the rows or columns of the process grid.  Arithmetic only, with the same result on every
 * rank: both ends of a message agree on its contents, and so does a dry run. */
#ifndef PF_LAYOUT_NODE_MAP_H
#define PF_LAYOUT_NODE_MAP_H

#include "layout/layout.h"

typedef struct pf_node_map {
  int ranks, me;    /* ranks of the plan */
  int node;         /* ranks of each node, with consecutive numbers; the last node may have fewer */
  int grid[2], dim; /* process grid as in pf_layout; the dimension that exchanges */
  int cut;          /* axis that is cut along the other dimension; or PF_WHOLE */
  ptrdiff_t n;      /* global extent of this axis */
  pf_cuts cuts;     /* parts of this axis */
} pf_node_map;

/** Local. The number of nodes, and of ranks on a node. */
int pf_node_map_nodes(const pf_node_map *m);
int pf_node_map_count(const pf_node_map *m, int node);

/** Local. The redistribution @p r, given for any rank, for rank @p rank of the plan. */
pf_redist pf_node_map_redist(const pf_node_map *m, const pf_redist *r, int rank);

/** Local. The redistribution for a rank with the longest part of the axis that is cut along the
 *  other dimension. */
pf_redist pf_node_map_largest(const pf_node_map *m, const pf_redist *r);

/** Local. The ranks of a node that exchange with rank @p rank of the plan, as consecutive ranks of
 *  the redistribution; pf_node_map_rank(): the rank in the plan of one of them. */
pf_range pf_node_map_span(const pf_node_map *m, int rank, int node);
int pf_node_map_rank(const pf_node_map *m, int rank, ptrdiff_t k);

/** Local. The fraction of the partners of rank m->me that are on its node: 0 to 1. */
double pf_node_map_inside(const pf_node_map *m);

/** Local. The fraction of the partners of a rank that are on other nodes, 0 to 1: the mean over the
 * ranks of the node with the highest mean, because the other nodes wait for its messages. */
double pf_node_map_outside(const pf_node_map *m);

/** Local. Elements that all ranks of node @p from send to all ranks of node @p to. */
ptrdiff_t pf_node_map_elements(const pf_node_map *m, const pf_redist *r, int from, int to);

/** Local. Offset, in elements, of the block that rank k of the redistribution, on the same node,
 *  receives from rank m->me, in memory with @p part elements for each rank of the node. */
ptrdiff_t pf_node_map_offset(const pf_node_map *m, const pf_redist *r, ptrdiff_t part, int k);

#endif
