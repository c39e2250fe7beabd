/* SPDX-License-Identifier: BSD-3-Clause
 * An exchange redistributes data from one layout to another.  It provides the view that a pass
 * writes to and the view that the next pass reads from, and transfers the data between them.  It
 * knows nothing of FFTs.  To add one: write its file, add a line to exchange_list.h.
 *
 * The calls of one run, on every rank of the communicator, including idle ones:
 *
 *   start                      receives are posted
 *
 *   post(plane, first, count)  lines of a plane are in the send view; planes ascend, the lines of a
 *                              plane are in the order of pf_redist_first_line()
 *
 *   progress                   between tiles, of this stage and of the next one: sends complete
 *                              messages (Open MPI progresses only inside MPI calls)
 *
 *   wait(plane)                all of this plane of the receiver has arrived
 *
 *   finish                     everything has arrived and everything sent has left */
#ifndef PF_EXCHANGE_EXCHANGE_H
#define PF_EXCHANGE_EXCHANGE_H

#include "base/shared.h"
#include "base/status.h"
#include "base/timeline.h"
#include "exchange/large.h"
#include "layout/node_map.h"
#include "layout/view.h"

typedef struct pf_exchange pf_exchange;

/* Messages to other ranks: their number, total bytes, and the bytes of the smallest and the
 * largest. */
typedef struct pf_message_count {
  double messages, bytes, bytes_min, bytes_max;
} pf_message_count;

/** Local. Adds messages to a sum. */
void pf_message_count_add(pf_message_count *sum, const pf_message_count *c);

/* The contents of a message. */
typedef enum pf_grain {
  PF_GRAIN_NONE,  /* no messages */
  PF_GRAIN_BLOCK, /* all data from one rank to another */
  PF_GRAIN_PART,  /* several lines of a plane, or all (pf_cut), as soon as complete */
  PF_GRAIN_LINE   /* one line, or a few where a message costs more (pf_cut) */
} pf_grain;

/* The ranks for which a planner chooses an exchange. */
typedef struct pf_ranks {
  int ranks, node_ranks; /* in total; on each node */
  int sharing;           /* nonzero: all ranks share memory */
} pf_ranks;

typedef struct pf_memory_ops pf_memory_ops; /* memory.h */

typedef struct pf_exchange_ops {
  const char *name, *summary;
  const char *reason; /* why a planner prefers it, if its costs do not show it; or NULL */
  const pf_memory_ops *memory;
  pf_grain grain;
  int direct;   /* passes store into the memory of other ranks, including their arrays */
  int boxes;    /* all blocks of a buffer are parts of one box (pf_redist.boxes) */
  int fixed;    /* buffers are the plan's own, both for sending and receiving, and known at setup */
  int windows;  /* receive buffers are MPI windows over all ranks of the plan */
  int serial;   /* each message waits for the previous one */
  int stores;   /* can store blocks for ranks on the same node directly into their buffers */
  int anywhere; /* blocks may be at other addresses in each run */

  /* Local. Nonzero if an automatic choice should consider it for these ranks. */
  int (*suits)(const pf_ranks *ranks);

  /* Collective on x->comm; the caller agrees on the status.  Allocates x->state, which is freed
   * after teardown().  Errors: MEMORY, INTERNAL. */
  int (*setup)(pf_exchange *x, pfft3d_error *e);

  /* The steps described above.  All return an MPI error code.  NULL: nothing to do; wait = NULL:
   * planes do not arrive one by one, and waiting for the first one calls finish. finish is called
   * once in a run, and not on a rank without a communicator. */
  int (*start)(pf_exchange *x);
  int (*post)(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count);
  int (*progress)(pf_exchange *x);
  int (*wait)(pf_exchange *x, ptrdiff_t plane);
  int (*finish)(pf_exchange *x);

  void (*teardown)(pf_exchange *x);
} pf_exchange_ops;

/* Counts in MPI calls may be ints.  Messages are therefore counted in units of several elements,
 * and larger ones are split into portions. */
typedef struct pf_counting {
  ptrdiff_t unit; /* elements */
  ptrdiff_t cap;  /* largest number of units in one call */
} pf_counting;

/* For exchanges `shared` and `node`: memory that ranks share, with a part for each: all ranks, or,
 * for `node`, the ranks of a node, with the blocks of all ranks in each part.  In a run of `node`,
 * `send` points into this rank's part, `recv` to the first part. */
typedef struct pf_node_memory {
  pf_shared *shared;
  pf_node_map node_map; /* for `node` */
} pf_node_memory;

/* For exchanges that store blocks for ranks on the same node (peers.h). */
typedef struct pf_peers {
  char *flags;     /* flags of this rank; NULL: nothing is stored */
  ptrdiff_t apart; /* bytes from the flags of a rank of the redistribution to the next rank's */
  unsigned looks;  /* pf_flag_looks() */
  int node_index;  /* of this rank */
  int step;        /* in node_index, from one rank of the redistribution to the next */
  unsigned long long *begun, now; /* number of exchanges begun by the plan; of this exchange */
  struct pf_peer_block *block;    /* one for each rank of redist.peers */
} pf_peers;

enum { PF_EXCHANGE_PARTS = 8 }; /* at most: see pf_cut */
enum { PF_TAGS = 16 };          /* between the tags of one exchange; a plan has fewer exchanges */

struct pf_exchange {
  const pf_exchange_ops *ops;
  pf_redist redist;
  size_t size;   /* bytes of an element */
  MPI_Comm comm; /* ranks of the redistribution, or all ranks (memory.h); MPI_COMM_NULL on ranks
                    outside it */
  int tag;       /* also tag + PF_TAGS, tag + 2 PF_TAGS ... */
  pf_counting counting;
  char *send, *recv;   /* buffers of this run, set before start; if ops->fixed or ops->windows, of
                          all runs */
  MPI_Win window;      /* contains recv, if ops->windows */
  pf_node_memory node; /* for exchanges `shared` and `node` */
  int again;           /* exchange `shared`: this run stores to memory that others may still read */
  pf_peers peers;      /* blocks that are stored on the node, if any */

  MPI_Comm lane[PF_EXCHANGE_PARTS]; /* communicators for the messages of each part, ... */
  int lanes;                        /* ... and their number; 0: comm is used */

  MPI_Datatype unit;     /* counting.unit elements */
  pf_message_count sent; /* messages, counted as they are sent */
  pf_timeline *timeline; /* where they are recorded; NULL: nowhere */
  int number;            /* of this exchange in the timeline */
  int plain;             /* of pf_exchange_create_plain(): receives are recorded when they are
                            posted, and completed by pf_exchange_arrived() ... */
  ptrdiff_t posted;      /* ... from this event on */
  int finished;          /* this run has finished */
  void *state;
};

#define PF_EXCHANGE(name) extern const pf_exchange_ops pf_exchange_##name;
#include "exchange/exchange_list.h"
#undef PF_EXCHANGE

/** Local. The registered exchanges, in order; NULL past the end.  By name: NULL when unknown. */
const pf_exchange_ops *pf_exchange_at(int index);
const pf_exchange_ops *pf_exchange_find(const char *name);

/** Local. Units are rows if all rows have the same length and are short enough, else single
 *  elements. @p cap: largest count of one call, 0 for that of MPI. */
pf_counting pf_exchange_counting(const pf_redist *r, ptrdiff_t cap);

/** Local. Number of portions of a message of @p elements. */
ptrdiff_t pf_counting_portions(const pf_counting *c, ptrdiff_t elements);

/** Local. Adds `times` messages of @p elements elements of @p size bytes, in portions. */
void pf_counting_add(pf_message_count *m, const pf_counting *c, double times, ptrdiff_t elements,
                     size_t size);

/* How a block is cut into messages, the same on both sides: each has `each` lines of a plane, the
 * last one may have fewer.  If the planes of the receiver are lines of the sender, the receiver
 * waits for parts of `part` lines one by one, and no message spans two parts.  Otherwise `part` is
 * 0. */
typedef struct pf_cut {
  pf_block_shape block; /* planes = 0 if it is empty */
  ptrdiff_t each, part;
} pf_cut;
pf_cut pf_exchange_cut(const pf_exchange_ops *ops, const pf_redist *r, size_t size, int sender,
                       int receiver);

/** Local. Number of parts of a block that arrives part by part, else 0. */
ptrdiff_t pf_cut_parts(const pf_cut *c);

/** Local. Nonzero if the receiver has the same planes as the sender, and they arrive one by one. */
int pf_redist_by_plane(const pf_redist *r);

/** Local. The messages that rank r->me would send itself; arithmetic only. */
pf_message_count pf_exchange_count(const pf_exchange_ops *ops, const pf_redist *r, size_t size,
                                   ptrdiff_t cap);

/** Local. Nonzero if messages are sent before a stage is complete. */
int pf_exchange_early(const pf_exchange_ops *ops);

/** Local. Nonzero if a rank with @p planes planes should transform rows one after another, the
 *  contiguous axis last, so that they can be sent early. */
int pf_exchange_wants_rows(const pf_exchange_ops *ops, ptrdiff_t planes);

/** Local. Approximate size of a message in bytes if a rank has @p block bytes for another one in
 *  @p planes planes, with rows of @p row bytes; infinite if there are no messages. */
double pf_exchange_message_bytes(const pf_exchange_ops *ops, double block, double planes,
                                 double row);

/** Local. For pf_exchange_ops.suits: nonzero if there are other ranks. */
int pf_exchange_suits_messages(const pf_ranks *ranks);

/** Collective on x->comm.  The steps of a run, for any exchange.  After pf_exchange_start(), the
 *  others may be called any number of times.  Return an MPI error code. */
int pf_exchange_start(pf_exchange *x);
int pf_exchange_wait(pf_exchange *x, ptrdiff_t plane);
int pf_exchange_finish(pf_exchange *x);

/** Collective on x->comm. Prepares an exchange whose fields above `unit` are set; x->comm is
 *  borrowed.  Errors: MEMORY, INTERNAL, UNAVAILABLE. */
int pf_exchange_create(pf_exchange *x, pfft3d_error *e);
void pf_exchange_destroy(pf_exchange *x);

/** Local. An exchange for single messages without a redistribution; size, counting.cap, comm and
 *  tag are set.  Errors: INTERNAL. */
int pf_exchange_create_plain(pf_exchange *x, pfft3d_error *e);

/* A message to (from) another rank: `elements` elements of the send (receive) buffer, from element
 * `offset` on. */
typedef struct pf_message {
  int other;
  ptrdiff_t offset, elements;
  int part; /* each part has its own tag */
} pf_message;

/* Operation on a message: start it, or create persistent requests. */
typedef enum pf_operation { PF_SEND, PF_RECEIVE, PF_PREPARE_SEND, PF_PREPARE_RECEIVE } pf_operation;

/** Local. Performs the operation, in portions; *request is advanced past the requests used.  Sent
 *  messages are counted.  Returns an MPI error code. */
int pf_exchange_message(pf_exchange *x, pf_operation operation, const pf_message *m,
                        MPI_Request **request);

/** Local. The number of units that one call takes from @p elements elements. */
pf_count pf_exchange_portion(const pf_exchange *x, ptrdiff_t elements);

/** Local. Splits the lines of a call of post() by receiver: calls @p done for the lines in the
 *  block of each other rank, counted from its first line, until a call returns an error. */
typedef int pf_block_done(pf_exchange *x, int other, ptrdiff_t plane, ptrdiff_t first,
                          ptrdiff_t count);
int pf_exchange_for_blocks(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count,
                           pf_block_done *done);

/** Local. Waits for any number of requests. */
int pf_exchange_wait_all(MPI_Request *request, ptrdiff_t count);

/** Local. Counts a message that is sent, and records that it was started at @p start, a
 *  pf_timeline_now(x->timeline).  The second one records that it has been received.
 *  pf_exchange_portions() calls one of them for each portion of a message. */
typedef void pf_message_note(pf_exchange *x, const pf_message *m, double start);
pf_message_note pf_exchange_sent, pf_exchange_received;
void pf_exchange_portions(pf_exchange *x, const pf_message *m, double start, pf_message_note *note);

/** Local. All messages have arrived whose receives pf_exchange_message() has posted since the last
 *  call: for exchanges of pf_exchange_create_plain(), which record them. */
void pf_exchange_arrived(pf_exchange *x);

/** Local. Records messages in a timeline from now on; NULL: no more.  Errors: those of
 *  pf_timeline_add_exchange(). */
int pf_exchange_record(pf_exchange *x, pf_timeline *t, pfft3d_error *e);

/** Local. One inexpensive poll that progresses all pending messages of x (testing all requests is
 *  slow). */
int pf_exchange_poll(pf_exchange *x);

#endif
