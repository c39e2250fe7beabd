/* SPDX-License-Identifier: BSD-3-Clause
 * An exchange carries data from one layout to another.  It hands out the view that a pass writes to
 * and the view that the next pass reads from, and moves what lies between.  It knows nothing of
 * FFTs.  To add one: write its file, add a line to exchange_list.h.
 *
 * Life of one run, on every rank of the communicator, idle ones included:
 *
 *   start                       receives are posted
 *   post(plane, first, count)   rows of a plane are in the send view; planes ascend, the rows of a
 *                               plane come in the order that pf_redist_first_row() tells
 *   progress                    between tiles: Open MPI moves nothing unless it is called
 *   wait(row)                   row of every plane of every rank has arrived
 *   finish                      everything has arrived and everything sent has left
 */
#ifndef PF_EXCHANGE_EXCHANGE_H
#define PF_EXCHANGE_EXCHANGE_H

#include "base/status.h"
#include "layout/view.h"

typedef struct pf_exchange pf_exchange;

/* What is sent to other ranks: number of messages, bytes in all, in the smallest and the largest.
 */
typedef struct pf_message_count {
  double messages, bytes, bytes_min, bytes_max;
} pf_message_count;

typedef struct pf_exchange_ops {
  const char *name, *summary;

  /* 1: rows are stored straight into memory of their receivers (pf_parts), there are no messages
   * and no send and receive buffers. */
  int direct;

  /* 1: rows leave while later ones are being transformed: the sooner they are done, the better. */
  int early;

  /* Local. 1 when this exchange can do r for elements of `size` bytes, else 0 with the reason in e
   * (status UNAVAILABLE). */
  int (*supports)(const pf_redist *r, size_t size, pfft3d_error *e);

  /* Local. What rank r->me would send, by arithmetic alone. */
  pf_message_count (*count)(const pf_redist *r, size_t size);

  /* Local. Allocates x->state.  Errors: MEMORY, INTERNAL. */
  int (*setup)(pf_exchange *x, pfft3d_error *e);

  /* As above.  All return an MPI error code. */
  int (*start)(pf_exchange *x);
  int (*post)(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count);
  int (*progress)(pf_exchange *x);
  int (*wait)(pf_exchange *x, ptrdiff_t row);
  int (*finish)(pf_exchange *x);

  void (*teardown)(pf_exchange *x);
} pf_exchange_ops;

struct pf_exchange {
  const pf_exchange_ops *ops;
  pf_redist redist;
  size_t size; /* bytes of an element */
  MPI_Comm comm;
  int tag;
  MPI_Datatype row_type; /* redist.row elements: counts of rows stay small */
  char *send, *recv;     /* buffers of this run, set before start */
  pf_message_count sent; /* counted as it is sent */
  void *state;
};

/** Local. The registered exchanges, in order; NULL past the end.  By name: NULL when unknown. */
const pf_exchange_ops *pf_exchange_at(int index);
const pf_exchange_ops *pf_exchange_find(const char *name);

/** Local. Prepares an exchange; x is cleared first.  comm is borrowed.  Errors: MEMORY, INTERNAL,
 *  UNAVAILABLE. */
int pf_exchange_create(pf_exchange *x, const pf_exchange_ops *ops, const pf_redist *r, size_t size,
                       MPI_Comm comm, int tag, pfft3d_error *e);
void pf_exchange_destroy(pf_exchange *x);

/** Local. Adds one message to the counters. */
void pf_exchange_sent(pf_message_count *c, double bytes);

/** Local. One cheap poll that drives all pending messages of x (testing all requests is slow). */
int pf_exchange_poll(pf_exchange *x);

#endif
