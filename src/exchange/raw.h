/* SPDX-License-Identifier: BSD-3-Clause
 * The time of a plain all-to-all that moves the bytes of an exchange. */
#ifndef PF_EXCHANGE_RAW_H
#define PF_EXCHANGE_RAW_H

#include "exchange/exchange.h"

/* An exchange that is measured, and its communicator. */
typedef struct pf_raw {
  const pf_exchange *exchange;
  MPI_Comm comm;
} pf_raw;

/** Collective on comm. The seconds of these exchanges, one after another.  Returns MEMORY,
 * UNAVAILABLE (a count does not fit) or INTERNAL on failure. */
int pf_raw_alltoalls(MPI_Comm comm, const pf_raw *list, int count, double *seconds);

#endif
