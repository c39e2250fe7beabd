/* SPDX-License-Identifier: BSD-3-Clause
 * The memory that exchanges work on.
 *
 * An exchange decides which type of memory it uses; no other module depends on the type.  A plan
 * describes all its exchanges in a pf_exchange_memory and calls pf_exchange_lay_out(), which
 * computes the bytes of each buffer, the views that passes write to and read from, and the
 * messages; no memory is needed for that.  A pf_exchange_store is the same memory, allocated;
 * before a run it gives the address of each slot. */
#ifndef PF_EXCHANGE_MEMORY_H
#define PF_EXCHANGE_MEMORY_H

#include "exchange/exchange.h"
#include "layout/node_map.h"
#include "layout/view.h"

enum { PF_EXCHANGES = 4 }; /* maximum number of exchanges per direction */

/* The exchanges of one direction, in order. */
typedef struct pf_exchange_sequence {
  int count;
  pf_redist redist[PF_EXCHANGES];  /* for this rank */
  pf_redist largest[PF_EXCHANGES]; /* for the ranks with the largest parts */
  pf_node_map node_map[PF_EXCHANGES];
  size_t wire[PF_EXCHANGES]; /* bytes of an element in a message */
  size_t output; /* bytes of the caller's output that can serve as a buffer until the last stage
                    writes its results there; 0: none */
  /* laid out: */
  pf_slot send[PF_EXCHANGES], recv[PF_EXCHANGES];
  pf_message_count sent[PF_EXCHANGES]; /* by this rank, for a group of fields */
  double received[PF_EXCHANGES];       /* bytes, per group of fields */
  double stored[PF_EXCHANGES]; /* bytes stored in, or read by, other ranks' memory, per group of
                                  fields */
} pf_exchange_sequence;

typedef struct pf_exchange_memory {
  const pf_exchange_ops *ops;
  int ranks, rank;
  int node_ranks; /* ranks of each node, with consecutive numbers */
  int uneven;     /* nodes have different numbers of ranks; node_ranks is then not usable */
  int stores;     /* blocks for ranks on the same node are stored, if ops->stores */
  ptrdiff_t cap;  /* largest count of an MPI call */
  size_t staged;  /* bytes of each rank's array that may be staged in shared memory; 0: none */
  size_t edges;   /* bytes that each rank needs in PF_SLOT_EDGES; 0: none */
  pf_exchange_sequence sequence[2]; /* indexed by pfft3d_direction */
  /* laid out: */
  size_t bytes[PF_SLOTS]; /* bytes of a plan's buffers */
  size_t half;            /* bytes of one half of a rank's part of shared memory */
  size_t send_area;       /* bytes of the send area after the halves */
} pf_exchange_memory;

/** Local. Fills in the fields marked "laid out": slots, sizes, counts, and the storage of blocks in
 *  the redistributions.  Also for a single rank. */
void pf_exchange_lay_out(pf_exchange_memory *m);

/** Local. The view of exchange @p k that a stage writes to (the box before, cut along redist.to),
 *  and the view that the next stage reads from (the box after, cut along redist.from). @p segment
 *  has an entry for each rank of the redistribution; parts of a receive view that are adjacent in
 *  memory are one segment. */
pf_view pf_exchange_send_view(const pf_exchange_memory *m, int direction, int k,
                              pf_segment *segment);
pf_view pf_exchange_recv_view(const pf_exchange_memory *m, int direction, int k,
                              pf_segment *segment);

/** Local. Nonzero if blocks stay in memory of their senders, to be read there by receivers. */
int pf_exchange_pulls(const pf_exchange_ops *ops, const pf_redist *r);

/** Local. Offset in bytes of the part of @p rank in PF_SLOT_EDGES: the parts of other ranks are
 *  accessible if the exchange is direct. */
ptrdiff_t pf_exchange_edges_at(const pf_exchange_memory *m, int rank);

/** Local. Number of halves of each part of shared memory, between which exchanges alternate; 1 if a
 *  direction has a single exchange and it is direct. */
int pf_exchange_halves(const pf_exchange_memory *m);

/** Local. The half that the last exchange of a direction does not read from: the slot where arrays
 *  of all ranks are staged. */
pf_slot pf_exchange_staged_slot(const pf_exchange_memory *m, int direction);

/* Costs of an exchange in addition to its messages, for the model. */
typedef struct pf_exchange_terms {
  double barriers;   /* barriers of all ranks, or of a node */
  double handshakes; /* empty messages to and from each other rank */
  int serial;        /* each message waits for the previous one */
  int stored;        /* messages go to other nodes only */
  int by_node;       /* messages go to other nodes only, shared between the ranks of a node */
  double copied;     /* bytes that MPI or the ranks of a node copy in addition */
} pf_exchange_terms;
pf_exchange_terms pf_exchange_terms_of(const pf_exchange_memory *m, int direction, int k);

/* ---- allocated ---- */

/* Window of an exchange with puts. */
typedef struct pf_exchange_window {
  MPI_Win win;
  int made, locked;
} pf_exchange_window;

typedef struct pf_exchange_store {
  const pf_exchange_memory *memory;
  MPI_Comm comm;                       /* all ranks of the plan; borrowed */
  MPI_Comm grid[2];                    /* the ranks along each dimension of the grid; borrowed */
  MPI_Comm node;                       /* the ranks of this node, or MPI_COMM_NULL */
  char *buffer[PF_SLOTS];              /* private to this rank */
  pf_exchange_window window[PF_SLOTS]; /* buffers that other ranks put into */
  pf_shared shared;                    /* parts of all ranks, or of the ranks of a node */
  int next_half;
  unsigned long long begun; /* number of exchanges begun (peers.c) */
} pf_exchange_store;

/** Collective on comm.  Allocates the memory that @p m describes; @p m must not move afterwards.
 *  Errors, agreed: MEMORY, UNAVAILABLE, INTERNAL. */
int pf_exchange_store_create(pf_exchange_store *s, const pf_exchange_memory *m, MPI_Comm comm,
                             pfft3d_error *e);

/** Collective on comm.  Frees it; a zeroed or partly created store is allowed. */
void pf_exchange_store_destroy(pf_exchange_store *s);

/** Collective on comm. Prepares exchange @p k of a direction; s->grid is set.  Errors: MEMORY,
 *  INTERNAL, UNAVAILABLE; the caller agrees on them. */
int pf_exchange_store_connect(pf_exchange_store *s, int direction, int k, pf_exchange *x,
                              pfft3d_error *e);

/** Local. Before a run: stores the addresses of all slots of the store in base[], and leaves other
 *  slots unchanged.  Halves of shared memory alternate from run to run. */
void pf_exchange_store_bind(pf_exchange_store *s, int direction, char *base[PF_SLOTS]);

/** Local. This rank's bytes of PF_SLOT_EDGES. */
char *pf_exchange_store_edges(const pf_exchange_store *s);

/** Local. Two integers of a rank that all ranks can read, if the exchange is direct. */
int *pf_exchange_store_note(const pf_exchange_store *s, int rank);

/* ---- types of memory ---- */

/* Location of the elements that a rank of a redistribution sends to, or receives from, another; one
 * of them is this rank.  Own elements are stored directly on the receive side. */
typedef struct pf_location {
  pf_slot slot;
  pf_spot spot;
} pf_location;

/** Local. Appends a part to a view, as a separate segment.  Elements of the view: @p times the
 * number in @p at. */
void pf_exchange_add_part(pf_view *v, pf_range part, const pf_location *at, ptrdiff_t times);

/* A type of memory: pf_exchange_ops.memory.  NULL: nothing to do. */
struct pf_memory_ops {
  void (*lay_out)(pf_exchange_memory *m);
  pf_location (*locate)(const pf_exchange_memory *m, int direction, int k, int sender,
                        int receiver);
  int (*pulls)(const pf_redist *r); /* nonzero: blocks stay in memory of their senders, to be read
                                       there; NULL: never */
  pf_exchange_terms (*terms)(const pf_exchange_memory *m, int direction, int k);
  int (*create)(pf_exchange_store *s, pfft3d_error *e);
  void (*connect)(pf_exchange_store *s, int direction, int k, pf_exchange *x);
  void (*bind)(pf_exchange_store *s, int direction, char *base[PF_SLOTS]); /* slots in `shared` */
  void (*destroy)(pf_exchange_store *s);
};

/** Collective on s->comm.  For types of memory: creates the communicator of the ranks of this node,
 *  and shared memory with so many bytes for each.  Errors, agreed: UNAVAILABLE, MEMORY. */
int pf_exchange_store_share(pf_exchange_store *s, size_t bytes, pfft3d_error *e);
void pf_exchange_store_unshare(pf_exchange_store *s);

/** Local. For types of memory: bytes for other ranks of its node that this rank has in exchange @p
 *  k. */
double pf_exchange_stored(const pf_exchange_sequence *q, int k);

/** Local. For types of memory in two halves: binds the halves, which alternate from run to run. */
void pf_exchange_bind_halves(pf_exchange_store *s, int direction, char *base[PF_SLOTS]);

/* Buffers with a block for each other rank: private, in MPI windows if ops->windows, or, if blocks
 * are stored on the node, receive buffers in memory shared by its ranks (blocks.c); memory shared
 * by all ranks (shared.c); memory shared by the ranks of each node (node.c). */
extern const pf_memory_ops pf_memory_blocks, pf_memory_shared, pf_memory_node;

#endif
