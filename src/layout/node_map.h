/* SPDX-License-Identifier: BSD-3-Clause
 * The ranks of a plan as nodes of neighbours, and what goes from node to node in a redistribution
 * among the rows, or columns, of their grid.  Pure arithmetic, the same for any rank: so both ends
 * of a message know what is in it, and a dry run knows it too. */
#ifndef PF_LAYOUT_NODE_MAP_H
#define PF_LAYOUT_NODE_MAP_H

#include "layout/layout.h"

typedef struct pf_node_map {
  int ranks, me;    /* of the plan */
  int node;         /* ranks on each node, one node after another; the last one may have fewer */
  int grid[2], dim; /* the ranks as in pf_layout; which dimension of the grid exchanges */
  int cut;          /* the axis that is cut along the other one, before and after; or PF_WHOLE */
  ptrdiff_t n;      /* its global extent */
} pf_node_map;

/** Local. The number of nodes, and of ranks on one of them. */
int pf_node_map_nodes(const pf_node_map *m);
int pf_node_map_count(const pf_node_map *m, int node);

/** Local. The redistribution @p r of any rank of the plan as @p rank, another one, sees it. */
pf_redist pf_node_map_redist(const pf_node_map *m, const pf_redist *r, int rank);

/** Local. Which ranks of a node, in the numbers of the redistribution, exchange with the rank
 *  @p rank of the plan; those are neighbours.  The number in the plan of one of them. */
pf_range pf_node_map_span(const pf_node_map *m, int rank, int node);
int pf_node_map_rank(const pf_node_map *m, int rank, ptrdiff_t k);

/** Local. Of the ranks that exchange with rank m->me, the share that is on its node: 0 to 1. */
double pf_node_map_inside(const pf_node_map *m);

/** Local. Elements that all ranks of node @p from have for all of node @p to. */
ptrdiff_t pf_node_map_elements(const pf_node_map *m, const pf_redist *r, int from, int to);

/** Local. Where rank k of the redistribution, on the same node, has its block from rank m->me: in
 *  elements from the beginning of memory with a part of so many for each rank of the node. */
ptrdiff_t pf_node_map_offset(const pf_node_map *m, const pf_redist *r, ptrdiff_t part, int k);

#endif
