/* SPDX-License-Identifier: BSD-3-Clause
 * The memory that exchanges work on.
 *
 * An exchange decides what kind of memory its data crosses: buffers with a block for each other
 * rank, boxes, windows of MPI, memory that the ranks of a node share.  Nobody else asks which it
 * is.  A plan describes all its exchanges in a pf_exchange_memory, lets it be laid out, and gets
 * from it, by arithmetic alone, the bytes of each buffer, the view that a pass writes to and the
 * view that the next pass reads from, and what is sent.  A pf_exchange_store is the same memory
 * allocated; before a run it says at which addresses everything lies. */
#ifndef PF_EXCHANGE_MEMORY_H
#define PF_EXCHANGE_MEMORY_H

#include "base/shared.h"
#include "exchange/exchange.h"
#include "layout/node_map.h"
#include "layout/view.h"

enum { PF_EXCHANGES = 4 }; /* of a direction, at most */

/* The exchanges of one direction, in order. */
typedef struct pf_exchange_sequence {
  int count;
  pf_redist redist[PF_EXCHANGES];  /* as this rank sees them */
  pf_redist largest[PF_EXCHANGES]; /* as rank 0 does, whose part is the largest */
  pf_node_map node_map[PF_EXCHANGES];
  size_t output; /* bytes of the caller's output that may serve as a buffer before the last stage
                    writes its results there; 0: none */
  /* laid out: */
  pf_slot send[PF_EXCHANGES], recv[PF_EXCHANGES];
  pf_message_count sent[PF_EXCHANGES]; /* by this rank, of a group of fields */
  double received[PF_EXCHANGES];       /* bytes, likewise */
} pf_exchange_sequence;

typedef struct pf_exchange_memory {
  const pf_exchange_ops *ops;
  int ranks, rank;
  int node_ranks; /* ranks on each node, one node after another */
  int uneven;     /* nodes have different numbers of ranks, so that there are none to use */
  size_t wire;    /* bytes of an element on its way */
  ptrdiff_t cap;  /* counts of MPI calls */
  size_t staged;  /* bytes of each rank's array that shared memory may have to hold; 0: none */
  size_t edges;   /* bytes that each rank needs in PF_SLOT_EDGES; 0: none */
  pf_exchange_sequence sequence[2]; /* by pfft3d_direction */
  /* laid out: */
  size_t bytes[PF_SLOTS]; /* of the buffers of a plan */
  size_t half;            /* of a rank's part of shared memory: bytes of one of its halves */
  size_t send_area;       /* and of the area behind them that is sent from */
} pf_exchange_memory;

/** Local. Fills in what is laid out: slots, sizes, counts, and in the redistributions how blocks
 *  lie.  On a communicator of one rank too. */
void pf_exchange_lay_out(pf_exchange_memory *m);

/** Local. The view of exchange @p k of a direction that a stage writes to (the box before, cut
 *  along redist.to) and that the next one reads from (the box after, cut along redist.from), with a
 *  segment for each rank of the redistribution, in an array of as many; the parts of a receive view
 *  that follow each other in memory are one segment. */
pf_view pf_exchange_send_view(const pf_exchange_memory *m, int direction, int k,
                              pf_segment *segment);
pf_view pf_exchange_recv_view(const pf_exchange_memory *m, int direction, int k,
                              pf_segment *segment);

/** Local. Where @p rank has its bytes of PF_SLOT_EDGES, in bytes from the beginning of that slot:
 *  those of other ranks can be reached where the exchange is direct. */
ptrdiff_t pf_exchange_edges_at(const pf_exchange_memory *m, int rank);

/** Local. Halves of each part of shared memory: exchanges take them in turn. */
int pf_exchange_halves(const pf_exchange_memory *m);

/** Local. The half that the last exchange of a direction does not read from: the slot where arrays
 *  of all ranks are staged. */
pf_slot pf_exchange_staged_slot(const pf_exchange_memory *m, int direction);

/* What an exchange costs beside its messages, for a model. */
typedef struct pf_exchange_terms {
  double barriers;   /* of all ranks, or of a node */
  double handshakes; /* empty messages to and from each other rank */
  int serial;        /* a message waits for the one before */
  int by_node;       /* messages go to other nodes only, the ranks of a node share them */
  double copied;     /* bytes that MPI, or a node, moves through memory besides */
} pf_exchange_terms;
pf_exchange_terms pf_exchange_terms_of(const pf_exchange_memory *m, int direction, int k);

/* ---- allocated ---- */

/* Memory of an exchange that works with windows of MPI. */
typedef struct pf_exchange_window {
  MPI_Win win;
  int made, locked;
} pf_exchange_window;

typedef struct pf_exchange_store {
  const pf_exchange_memory *memory;
  MPI_Comm comm;                       /* of all ranks of the plan; borrowed */
  MPI_Comm grid[2];                    /* of the ranks along each dimension of the grid; borrowed */
  MPI_Comm node;                       /* of the ranks of this node, or MPI_COMM_NULL */
  char *buffer[PF_SLOTS];              /* of this rank alone */
  pf_exchange_window window[PF_SLOTS]; /* buffers that other ranks put into */
  pf_shared shared;                    /* parts of all ranks, or of those of a node */
  int next_half;
} pf_exchange_store;

/** Collective on comm. Allocates what @p m needs; it must stay where it is.  Errors, agreed:
 * MEMORY, UNAVAILABLE, INTERNAL. */
int pf_exchange_store_create(pf_exchange_store *s, const pf_exchange_memory *m, MPI_Comm comm,
                             pfft3d_error *e);

/** Collective on comm. Frees it; a store that is all zero, or half made, is allowed. */
void pf_exchange_store_destroy(pf_exchange_store *s);

/** Collective on comm. Prepares exchange @p k of a direction; s->grid is set.  Errors: MEMORY,
 *  INTERNAL, UNAVAILABLE; the caller agrees on them. */
int pf_exchange_store_connect(pf_exchange_store *s, int direction, int k, pf_exchange *x,
                              pfft3d_error *e);

/** Local. Before a run: the addresses of all slots of the store, in base[]; those that are not its
 *  own stay as they are.  Halves of shared memory take turns from run to run. */
void pf_exchange_store_bind(pf_exchange_store *s, int direction, char *base[PF_SLOTS]);

/** Local. This rank's bytes of PF_SLOT_EDGES. */
char *pf_exchange_store_edges(const pf_exchange_store *s);

/** Local. Two numbers of a rank that all can read, where the exchange is direct. */
int *pf_exchange_store_note(const pf_exchange_store *s, int rank);

/* ---- kinds of memory ---- */

/* Where the elements that go to, or come from, another rank of a redistribution lie. */
typedef struct pf_placement {
  pf_slot slot;
  pf_spot spot;
} pf_placement;

/* A kind of memory: exchanges name theirs in pf_exchange_ops.memory. */
struct pf_memory_kind {
  void (*lay_out)(pf_exchange_memory *m);
  pf_placement (*send)(const pf_exchange_memory *m, int direction, int k, int to);
  pf_placement (*recv)(const pf_exchange_memory *m, int direction, int k, int from);
  pf_exchange_terms (*terms)(const pf_exchange_memory *m, int direction, int k);
  pf_counting (*counting)(const pf_redist *r, size_t size, ptrdiff_t cap);
  int (*create)(pf_exchange_store *s, pfft3d_error *e);
  void (*connect)(pf_exchange_store *s, int direction, int k, pf_exchange_spec *spec);
  void (*bind)(pf_exchange_store *s, int direction, char *base[PF_SLOTS]);
  void (*destroy)(pf_exchange_store *s);
};

/* Buffers of each rank with a block for each other one; windows of MPI where the exchange wants
 * them (blocks.c).  Memory that all ranks share (shared.c); that the ranks of each node share
 * (node.c). */
extern const pf_memory_kind pf_memory_blocks, pf_memory_shared, pf_memory_node;

#endif
