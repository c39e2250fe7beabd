/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange of blocks with all partners in rounds; for pairwise, and for packed if the blocks exceed
 * the counts of MPI_Alltoallv. */
#ifndef PF_EXCHANGE_PAIRWISE_H
#define PF_EXCHANGE_PAIRWISE_H

#include "exchange/exchange.h"

typedef struct pf_rounds {
  ptrdiff_t most;       /* portions of the largest block that is sent or received */
  MPI_Request *request; /* [3][most]: receives of even rounds, of odd ones, and sends */
} pf_rounds;

/** Local. Allocates the requests, which the caller frees.  Errors: MEMORY. */
int pf_rounds_make(const pf_exchange *x, pf_rounds *rounds, pfft3d_error *e);

/** Collective on x->comm.  Sends and receives all blocks; returns an MPI error code. */
int pf_rounds_run(pf_exchange *x, const pf_rounds *rounds);

#endif
