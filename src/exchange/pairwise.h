/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks to all partners and from all partners, one after another; for pairwise, and for packed
 * where MPI_Alltoallv cannot count them. */
#ifndef PF_EXCHANGE_PAIRWISE_H
#define PF_EXCHANGE_PAIRWISE_H

#include "exchange/exchange.h"

typedef struct pf_rounds {
  ptrdiff_t most;       /* portions of the largest block, sent or received */
  MPI_Request *request; /* [3][most]: receives of even rounds, of odd ones, and sends */
} pf_rounds;

/** Local. Room for the requests, which the caller frees.  Errors: MEMORY. */
int pf_rounds_make(const pf_exchange *x, pf_rounds *rounds, pfft3d_error *e);

/** Collective on x->comm. Sends everything and receives everything; returns an MPI error code. */
int pf_rounds_run(pf_exchange *x, const pf_rounds *rounds);

#endif
