/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks for ranks of the own node that are stored straight into their receive buffers, while those
 * for other nodes are sent: who may store, and what has been stored. */
#ifndef PF_EXCHANGE_NEAR_H
#define PF_EXCHANGE_NEAR_H

#include "exchange/exchange.h"

/** Local. Bytes of the flags of a rank on a node of so many. */
size_t pf_near_bytes(int node_ranks);

/** Local. Prepares the blocks of an exchange whose x->near and x->redist.near are set.  Errors:
 *  MEMORY. */
int pf_near_create(pf_exchange *x, pfft3d_error *e);
void pf_near_destroy(pf_exchange *x);

/** Local. Begins an exchange: the receive buffer of this rank may be written. */
void pf_near_begin(pf_exchange *x);

/** Local. Returns when the receive buffers of all that are near may be written.  Returns an MPI
 *  error code, as the following. */
int pf_near_ready(pf_exchange *x);

/** Local. Lines of a plane of the block for rank @p other, which is near, are stored; or all blocks
 *  for all of them. */
void pf_near_stored(pf_exchange *x, int other, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count);
void pf_near_stored_all(pf_exchange *x);

/** Local. Waits for a part of the blocks of all that are near, as numbered by pf_cut; without parts
 *  for plane @p index of the receiver, or, where these are no planes of the senders, for all; or
 *  for all in any case.  Drives messages meanwhile. */
int pf_near_wait(pf_exchange *x, ptrdiff_t index);
int pf_near_wait_all(pf_exchange *x);

#endif
