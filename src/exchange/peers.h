/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks for ranks on the same node are stored directly into their receive buffers, while blocks
 * for other nodes are sent.  These functions tell when a buffer may be written, and when data has
 * been stored. */
#ifndef PF_EXCHANGE_PEERS_H
#define PF_EXCHANGE_PEERS_H

#include "exchange/exchange.h"

/** Local. Bytes of the flags of a rank on a node with so many ranks. */
size_t pf_peers_bytes(int node_ranks);

/** Local. Prepares the blocks of an exchange whose x->peers and x->redist.peers are set.  Errors:
 *  MEMORY. */
int pf_peers_create(pf_exchange *x, pfft3d_error *e);
void pf_peers_destroy(pf_exchange *x);

/** Local. Begins an exchange: the receive buffer of this rank may be written. */
void pf_peers_begin(pf_exchange *x);

/** Local. Waits until every peer has opened its receive buffer.  Returns an MPI error code,
 *  as do the functions below. */
int pf_peers_ready(pf_exchange *x);

/** Local. Tells peer @p other that lines of a plane of its block are stored;
 *  pf_peers_stored_all(): tells all peers that all blocks are. */
void pf_peers_stored(pf_exchange *x, int other, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count);
void pf_peers_stored_all(pf_exchange *x);

/** Local. Waits for part @p index (see pf_cut) of the blocks of all peers.  Without parts:
 *  for plane @p index, if sender and receiver have the same planes, else for all.
 *  pf_peers_wait_all(): for all blocks.  Drives messages meanwhile. */
int pf_peers_wait(pf_exchange *x, ptrdiff_t index);
int pf_peers_wait_all(pf_exchange *x);

#endif
