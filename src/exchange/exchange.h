/* SPDX-License-Identifier: BSD-3-Clause
 * An exchange carries data from one layout to another.  It hands out the view that a pass writes to
 * and the view that the next pass reads from, and moves what lies between.  It knows nothing of
 * FFTs.  To add one: write its file, add a line to exchange_list.h.
 *
 * Life of one run, on every rank of the communicator, idle ones included:
 *
 *   start                      receives are posted
 *
 *   post(plane, first, count)  lines of a plane are in the send view; planes ascend, the lines of a
 *                              plane come in the order that pf_redist_first_line() tells
 *
 *   progress                   between tiles, of this stage and of the next one: sends what is done
 *                              (Open MPI moves nothing unless it is called)
 *
 *   wait(plane)                all of this plane of the receiver has arrived
 *
 *   finish                     everything has arrived and everything sent has left
 */
#ifndef PF_EXCHANGE_EXCHANGE_H
#define PF_EXCHANGE_EXCHANGE_H

#include "base/status.h"
#include "layout/node_map.h"
#include "layout/view.h"

typedef struct pf_exchange pf_exchange;

/* What is sent to other ranks: number of messages, bytes in all, in the smallest and the largest.
 */
typedef struct pf_message_count {
  double messages, bytes, bytes_min, bytes_max;
} pf_message_count;

/* What a message holds. */
typedef enum pf_grain {
  PF_GRAIN_NONE,  /* there are none */
  PF_GRAIN_BLOCK, /* all that one rank has for another */
  PF_GRAIN_PLANE, /* what it has of one plane, as soon as that is done */
  PF_GRAIN_PART,  /* several lines of a plane, or all (pf_cut), likewise */
  PF_GRAIN_LINE   /* of one line */
} pf_grain;

/* The ranks that an exchange may be chosen for. */
typedef struct pf_ranks {
  int ranks, node_ranks; /* in all; on each node */
  int sharing;           /* all of them share memory */
} pf_ranks;

typedef struct pf_memory_kind pf_memory_kind; /* memory.h */

typedef struct pf_exchange_ops {
  const char *name, *summary;
  const char *reason; /* why a planner prefers it, where more is to be said than its costs; or NULL
                       */
  const pf_memory_kind *memory;
  pf_grain grain;
  int direct;  /* passes store into the memory of other ranks, and can reach arrays there too */
  int boxes;   /* all blocks of a buffer are parts of one box (pf_redist.boxes) */
  int fixed;   /* memory is the plan's own, sending and receiving, and known at setup */
  int windows; /* memory to receive in is a window of MPI over all ranks of the plan */
  int serial;  /* a message waits for the one before */

  /* Local. Whether a planner that may choose should consider it for these ranks. */
  int (*suits)(const pf_ranks *ranks);

  /* Collective on x->comm; the caller agrees on the status.  Allocates x->state.  Errors: MEMORY,
   * INTERNAL. */
  int (*setup)(pf_exchange *x, pfft3d_error *e);

  /* As above.  All return an MPI error code.  NULL: nothing to do; of wait: planes do not come one
   * by one, so that waiting for the first is finish.  finish is called once in a run, and not on a
   * rank without a communicator. */
  int (*start)(pf_exchange *x);
  int (*post)(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count);
  int (*progress)(pf_exchange *x);
  int (*wait)(pf_exchange *x, ptrdiff_t plane);
  int (*finish)(pf_exchange *x);

  void (*teardown)(pf_exchange *x);
} pf_exchange_ops;

/* Counts of MPI calls are ints.  So messages are counted in units of several elements, and larger
 * ones cut into portions. */
typedef struct pf_counting {
  ptrdiff_t unit; /* elements */
  ptrdiff_t cap;  /* units that one call takes */
} pf_counting;

/* Of exchange `node`: memory that the ranks of a node share, with a part for each, and in it the
 * blocks of all.  The buffers of a run are in it: `send` is in the own part, `recv` in the first
 * one of the node. */
typedef struct pf_node_memory {
  pf_node_map node_map;
  MPI_Comm comm; /* of the ranks of this node */
  size_t part;   /* bytes from part to part */
} pf_node_memory;

enum { PF_TAGS = 16 }; /* beyond the first tags of all exchanges of a plan */

struct pf_exchange {
  const pf_exchange_ops *ops;
  pf_redist redist;
  size_t size;   /* bytes of an element */
  MPI_Comm comm; /* of the ranks of the redistribution; or of all (memory.h) */
  int tag;       /* and those that are PF_TAGS, 2 PF_TAGS ... more */
  pf_counting counting;
  MPI_Datatype unit;     /* counting.unit elements */
  char *send, *recv;     /* buffers of this run, set before start (with ops->fixed, before setup) */
  MPI_Win window;        /* that recv is in, where there are windows */
  pf_message_count sent; /* counted as it is sent */
  pf_node_memory node;   /* of exchange `node` */
  int finished;          /* this run is */
  void *state;
};

/** Local. The registered exchanges, in order; NULL past the end.  By name: NULL when unknown. */
const pf_exchange_ops *pf_exchange_at(int index);
const pf_exchange_ops *pf_exchange_find(const char *name);

/** Local. Rows as units where all of them are alike and short enough, else single elements. @p cap:
 *  what one call takes, 0 for INT_MAX. */
pf_counting pf_exchange_counting(const pf_redist *r, ptrdiff_t cap);

/** Local. Portions of a message of so many elements. */
ptrdiff_t pf_counting_portions(const pf_counting *c, ptrdiff_t elements);

/** Local. Adds `times` messages of so many elements of @p size bytes, in portions. */
void pf_counting_add(pf_message_count *m, const pf_counting *c, double times, ptrdiff_t elements,
                     size_t size);

/* How a block is cut into messages, alike on both sides: `each` lines of a plane make one, fewer at
 * its end.  Where the planes of the receiver are lines of the sender, they are taken in parts of so
 * many lines, which the receiver can wait for one by one: messages end where parts do.  Else
 * `part` is 0. */
enum { PF_EXCHANGE_PARTS = 8 };
typedef struct pf_cut {
  pf_piece block; /* no planes where it is empty */
  ptrdiff_t each, part;
} pf_cut;
pf_cut pf_exchange_cut(const pf_exchange_ops *ops, const pf_redist *r, size_t size, int sender,
                       int receiver);

/** Local. What rank r->me would send in messages of its own, by arithmetic alone. */
pf_message_count pf_exchange_count(const pf_exchange_ops *ops, const pf_redist *r, size_t size,
                                   ptrdiff_t cap);

/** Local. Whether messages leave before a stage is done. */
int pf_exchange_early(const pf_exchange_ops *ops);

/** Local. Whether rows are better done one after another, the contiguous axis last, so that they
 *  can leave: of a rank with so many planes. */
int pf_exchange_wants_rows(const pf_exchange_ops *ops, ptrdiff_t planes);

/** Local. Bytes of a message, about, where a rank has @p block bytes for another one in so many
 *  planes, with rows of @p row bytes; infinite where there are no messages. */
double pf_exchange_message_bytes(const pf_exchange_ops *ops, double block, double planes,
                                 double row);

/** Local. For pf_exchange_ops.suits: there is somebody to send messages to. */
int pf_exchange_suits_messages(const pf_ranks *ranks);

/** Collective on x->comm. These steps of a run, whatever the exchange makes of them; after
 *  pf_exchange_start(), the others can be called as often as is convenient.  Return an MPI error
 *  code. */
int pf_exchange_start(pf_exchange *x);
int pf_exchange_wait(pf_exchange *x, ptrdiff_t plane);
int pf_exchange_finish(pf_exchange *x);

/* What an exchange is made from. */
typedef struct pf_exchange_spec {
  const pf_exchange_ops *ops;
  pf_redist redist;
  size_t size;          /* bytes of an element */
  pf_counting counting; /* pf_exchange_counting(), or what the kind of memory says */
  MPI_Comm comm;        /* borrowed; MPI_COMM_NULL on a rank that is not one of those of redist */
  int tag;
  char *send, *recv; /* of all runs, for exchanges with ops->fixed or ->windows */
  MPI_Win window;    /* that recv is in, for those with ops->windows */
  pf_node_memory node;
} pf_exchange_spec;

/** Collective on s->comm. Prepares an exchange; x is cleared first.  Errors: MEMORY, INTERNAL,
 *  UNAVAILABLE. */
int pf_exchange_create(pf_exchange *x, const pf_exchange_spec *s, pfft3d_error *e);
void pf_exchange_destroy(pf_exchange *x);

/** Local. One for messages of elements that belong to no redistribution.  Errors: INTERNAL. */
int pf_exchange_create_plain(pf_exchange *x, size_t size, ptrdiff_t cap, MPI_Comm comm, int tag,
                             pfft3d_error *e);

/* `elements` elements from element `offset` of the send (receive) buffer on, to (from) another
 * rank. */
typedef struct pf_message {
  int other;
  int part; /* they have tags of their own */
  ptrdiff_t offset, elements;
} pf_message;

/* What to do about a message: start it, or make requests that can be started again and again. */
typedef enum pf_operation { PF_SEND, PF_RECEIVE, PF_PREPARE_SEND, PF_PREPARE_RECEIVE } pf_operation;

/** Local. Does it, in portions; *request moves on behind the requests used.  What is sent is
 *  counted.  Returns an MPI error code. */
int pf_exchange_message(pf_exchange *x, pf_operation operation, const pf_message *m,
                        MPI_Request **request);

/** Local. The same for one of part 0. */
int pf_exchange_send(pf_exchange *x, int other, ptrdiff_t offset, ptrdiff_t elements,
                     MPI_Request **request);
int pf_exchange_receive(pf_exchange *x, int other, ptrdiff_t offset, ptrdiff_t elements,
                        MPI_Request **request);

/** Local. What one call takes of so many elements, in units. */
int pf_exchange_portion(const pf_exchange *x, ptrdiff_t elements);

/** Local. Lines of a plane, as post() gets them: calls @p done for what of them is in the block for
 *  each other rank, counted from its first line, until one returns an error. */
typedef int pf_block_done(pf_exchange *x, int other, ptrdiff_t plane, ptrdiff_t first,
                          ptrdiff_t count);
int pf_exchange_for_blocks(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count,
                           pf_block_done *done);

/** Local. Waits for any number of requests. */
int pf_exchange_wait_all(MPI_Request *request, ptrdiff_t count);

/** Local. Adds one message to the counters. */
void pf_exchange_sent(pf_message_count *c, double bytes);

/** Local. One cheap poll that drives all pending messages of x (testing all requests is slow). */
int pf_exchange_poll(pf_exchange *x);

#endif
