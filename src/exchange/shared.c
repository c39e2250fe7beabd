/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange shared: inside a node, a pass stores its rows straight into the memory of their owners.
 *
 * What moves: nothing.  Both sides of the exchange are the same memory, so the data crosses the
 * border of the caches twice in a transform: once in each stage.  What is left to do is one
 * barrier, behind which every rank reads what the others have stored.  The plan takes two windows
 * in turn, so that the next transform never overwrites what a slower rank still reads.  In natural
 * order the last stage stores into the output arrays of all ranks in the same way. Source: direct
 * stores between processes, e.g. Hoefler et al., Computing 95, 2013 (MPI-3 shared memory windows).
 */
#include <stdlib.h>

#include "exchange/exchange.h"

typedef struct {
  int met; /* the barrier of this run is behind us */
} state;

static int supports(const pf_redist *r, size_t size, pfft3d_error *e) {
  (void)r, (void)size, (void)e; /* whether memory can be shared is found when a plan is made */
  return 1;
}

static pf_message_count count(const pf_redist *r, size_t size) {
  (void)r, (void)size;
  return (pf_message_count){0};
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  x->state = calloc(1, sizeof(state));
  return x->state ? PFFT3D_OK : pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for an exchange");
}

static int start(pf_exchange *x) {
  ((state *)x->state)->met = 0;
  return MPI_SUCCESS;
}

static int post(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t rows) {
  (void)x, (void)plane, (void)first, (void)rows;
  return MPI_SUCCESS;
}

static int progress(pf_exchange *x) {
  (void)x;
  return MPI_SUCCESS;
}

static int finish(pf_exchange *x) {
  state *s = x->state;
  if (s->met) return MPI_SUCCESS;
  s->met = 1;
  return MPI_Barrier(x->comm);
}

static int wait_row(pf_exchange *x, ptrdiff_t row) {
  (void)row;
  return finish(x);
}

static void teardown(pf_exchange *x) {
  free(x->state);
}

const pf_exchange_ops pf_exchange_shared = {
    .name = "shared",
    .summary = "inside a node: stores into the owners' memory, no messages",
    .direct = 1,
    .supports = supports,
    .count = count,
    .setup = setup,
    .start = start,
    .post = post,
    .progress = progress,
    .wait = wait_row,
    .finish = finish,
    .teardown = teardown};
