/* SPDX-License-Identifier: BSD-3-Clause
 * The ranks among which test_exchange lets exchanges run, and nodes that are made up of them. */
#ifndef PF_TESTS_EXCHANGE_RANKS_H
#define PF_TESTS_EXCHANGE_RANKS_H

#include "base/shared.h"
#include "exchange/memory.h"
#include "support.h"

enum { GUARD = 64 }; /* bytes around buffers */

/* Kinds of communicators: those of make_comm(), and all ranks but the last, which is beside the
 * grid. */
enum { BESIDE = COMM_KINDS };

/* Collective on MPI_COMM_WORLD. A communicator of a kind, MPI_COMM_NULL on a rank beside; the
 * caller frees it.  *me is the number of this rank, *ranks the number of those in the grid. */
MPI_Comm make_ranks(int kind, int *me, int *ranks);

/* A made-up node: its memory has two areas to receive in and one to send from in each part. */
enum { NODE_KINDS = 3, AREA = 1 << 16 };
typedef struct node {
  MPI_Comm all, comm; /* of all nodes; of this one */
  pf_shared window;
  pf_node_memory memory;
} node;

/* Collective. Nodes of so many ranks; for kind BESIDE they include the rank beside the grid. */
void make_node(node *n, int kind, MPI_Comm comm, int ranks, int on_node);
void free_node(node *n);

/* Local. The memory of a plan that has one exchange alone, of elements of @p size bytes. */
pf_exchange_memory lay_out_one(const pf_exchange_ops *ops, const pf_redist *r,
                               const pf_node_map *map, size_t size, ptrdiff_t cap);

#endif
