/* SPDX-License-Identifier: BSD-3-Clause
 * Messages by puts into the memory of their receivers, for exchange rma (rows.c).
 *
 * All calls are local but the first; all but the first return an MPI error code. */
#ifndef PFFT3D_EXCHANGE_PUTS_H
#define PFFT3D_EXCHANGE_PUTS_H

#include "exchange/exchange.h"

typedef struct pf_puts pf_puts;

/** Collective on x->comm. The windows of all ranks, if x has one; the caller frees it with free(),
 *  also after an error.  Errors: MEMORY, INTERNAL. */
int pf_puts_create(pf_puts **puts, pf_exchange *x, pfft3d_error *e);

/* At the beginning of an exchange: tells a sender that this rank's memory may be written; expects
 * the same message of a receiver. */
int pf_puts_tell_open(pf_exchange *x, pf_puts *puts, int sender);
int pf_puts_expect_open(pf_exchange *x, pf_puts *puts, int receiver);
int pf_puts_is_open(pf_puts *puts, int receiver, int *open);

/** Puts a message, in portions; when its requests are complete, the send buffer is free. */
int pf_puts_message(pf_exchange *x, const pf_puts *puts, const pf_message *m, MPI_Request *request);

/** Waits until all puts are in the memory of their receivers, which need to call MPI at some
 *  time. */
int pf_puts_complete(const pf_exchange *x);

/* Tells a receiver that a part has arrived; expects this message. */
int pf_puts_tell_arrived(pf_exchange *x, pf_puts *puts, int receiver, int part);
int pf_puts_expect_arrived(pf_exchange *x, int sender, int part, MPI_Request *request);

/** To be called before this rank reads the result of puts. */
int pf_puts_synchronize(const pf_exchange *x);

/** At the end: waits until this rank's empty messages have left. */
int pf_puts_finish(pf_puts *puts);

#endif
