/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange shared: inside a node, a pass stores its rows straight into the memory of their owners.
 *
 * What moves: nothing.  Both sides of the exchange are the same memory, so the data crosses the
 * border of the caches twice in a transform: once in each stage.  What is left to do is one
 * barrier, behind which every rank reads what the others have stored.  The plan takes two windows
 * in turn, so that the next exchange never overwrites what a slower rank still reads; for that the
 * barrier is one of all ranks, also where only those of a row or column exchange anything.  In
 * natural order the last stage stores into the output arrays of all ranks in the same way. Source:
 * direct stores between processes, e.g. Hoefler et al., Computing 95, 2013 (MPI-3 shared memory
 * windows). */
#include "exchange/exchange.h"

/* Behind it, every rank reads what the others have stored. */
static int finish(pf_exchange *x) {
  return MPI_Barrier(x->comm);
}

const pf_exchange_ops pf_exchange_shared = {
    .name = "shared",
    .summary = "inside a node: stores into the owners' memory, no messages",
    .place = PF_PLACE_OWNERS,
    .grain = PF_GRAIN_NONE,
    .finish = finish};
