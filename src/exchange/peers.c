/* SPDX-License-Identifier: BSD-3-Clause
 * Flags of blocks that ranks of a node store into each other's receive buffers.
 *
 * All ranks begin the exchanges of a plan in the same order; this numbers them.  Each rank has
 * flags in memory that its node shares: a cache line with the number of the exchange that it has
 * begun, and one for each rank of the node, written by that rank when it has stored data here.  So
 * every line has one writer, numbers only grow, and nothing is ever reset.
 *
 * A rank stores for another one after the other one has begun the same exchange: it has then read
 * its receive buffer, and all messages from this buffer have left.  A rank reads the lines of
 * another one when the flag of their part shows that all are stored.  If the receiver waits for
 * parts of a block (pf_cut), each has its own flag; otherwise there is one that counts planes.
 *
 * Sources: flags in shared memory instead of messages, e.g. Graham and Shipman, "MPI support for
 * multi-core architectures: optimized shared memory collectives", EuroPVM/MPI 2008. */
#include "exchange/peers.h"

#include <stdlib.h>

#include "base/flags.h"
#include "base/memory.h"

enum { WORDS = PF_ALIGN / sizeof(uint64_t), PLANE_BITS = 32 };

/* State of a pair of ranks, this one and another, that store for each other. */
struct pf_peer_block {
  pf_cut to, from;
  ptrdiff_t left[PF_EXCHANGE_PARTS]; /* lines of each part, or of the current plane in left[0] */
};

size_t pf_peers_bytes(int node_ranks) {
  return (size_t)(1 + node_ranks) * PF_ALIGN;
}

/* ---- flags ---- */

static uint64_t *line_of(const pf_exchange *x, int owner, int writer) {
  const pf_peers *n = &x->peers;
  char *flags = n->flags + (owner - x->redist.me) * n->apart;
  int index = n->node_index + (writer - x->redist.me) * n->step;
  return (uint64_t *)(void *)flags + (1 + index) * WORDS;
}

static uint64_t *begun(const pf_exchange *x, int owner) {
  return (uint64_t *)(void *)(x->peers.flags + (owner - x->redist.me) * x->peers.apart);
}

static uint64_t value_of(const pf_exchange *x, ptrdiff_t planes) {
  return (x->peers.now << PLANE_BITS) + (uint64_t)planes;
}

static int progress(void *data) {
  pf_exchange *x = data;
  int code = pf_exchange_poll(x);
  return code == MPI_SUCCESS && x->ops->progress ? x->ops->progress(x) : code;
}

static int await(pf_exchange *x, const uint64_t *flag, uint64_t value) {
  return pf_flag_wait(flag, value, x->peers.looks, progress, x);
}

/* ---- blocks ---- */

static int first_of(const pf_exchange *x) {
  return (int)x->redist.peers.lo;
}

static int end_of(const pf_exchange *x) {
  return (int)(x->redist.peers.lo + x->redist.peers.len);
}

static struct pf_peer_block *block_of(const pf_exchange *x, int other) {
  return &x->peers.block[other - first_of(x)];
}

static ptrdiff_t lines_of_part(const pf_cut *c, ptrdiff_t part) {
  ptrdiff_t left = c->block.lines - part * c->part;
  return left < c->part ? left : c->part;
}

int pf_peers_create(pf_exchange *x, pfft3d_error *e) {
  const pf_redist *r = &x->redist;
  if (!x->peers.flags || !r->peers.len) return PFFT3D_OK;
  x->peers.block = calloc((size_t)r->peers.len, sizeof *x->peers.block);
  if (!x->peers.block) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the blocks of a node");
  for (int k = first_of(x); k < end_of(x); k++) {
    if (k == r->me) continue; /* its own block stays empty */
    block_of(x, k)->to = pf_exchange_cut(x->ops, r, x->size, r->me, k);
    block_of(x, k)->from = pf_exchange_cut(x->ops, r, x->size, k, r->me);
  }
  return PFFT3D_OK;
}

void pf_peers_destroy(pf_exchange *x) {
  free(x->peers.block);
  x->peers.block = NULL;
}

/* ---- a run ---- */

void pf_peers_begin(pf_exchange *x) {
  if (!x->peers.flags) return;
  x->peers.now = ++*x->peers.begun;
  pf_flag_set(begun(x, x->redist.me), value_of(x, 0));
}

int pf_peers_ready(pf_exchange *x) {
  int code = MPI_SUCCESS;
  for (int k = first_of(x); k < end_of(x) && code == MPI_SUCCESS; k++) {
    struct pf_peer_block *b = block_of(x, k);
    if (!b->to.block.planes) continue;
    b->left[0] = pf_block_shape_plane(&b->to.block, 0);
    for (ptrdiff_t p = 0; p < pf_cut_parts(&b->to); p++)
      b->left[p] = lines_of_part(&b->to, p) * b->to.block.planes;
    code = await(x, begun(x, k), value_of(x, 0));
  }
  return code;
}

void pf_peers_stored(pf_exchange *x, int other, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count) {
  struct pf_peer_block *b = block_of(x, other);
  uint64_t *flag = line_of(x, other, x->redist.me);
  ptrdiff_t part = b->to.part;
  if (!b->to.block.planes) return;
  for (ptrdiff_t q = first, end = first + count, n; part && q < end; q += n) {
    ptrdiff_t p = q / part;
    n = (p + 1) * part < end ? (p + 1) * part - q : end - q;
    b->left[p] -= n;
    if (!b->left[p]) pf_flag_set(&flag[p], value_of(x, 1));
  }
  if (part) return;
  b->left[0] -= count;
  if (b->left[0]) return;
  b->left[0] = pf_block_shape_plane(&b->to.block, plane + 1);
  pf_flag_set(flag, value_of(x, plane + 1));
}

void pf_peers_stored_all(pf_exchange *x) {
  for (int k = first_of(x); k < end_of(x); k++) {
    const pf_cut *c = &block_of(x, k)->to;
    uint64_t *flag = line_of(x, k, x->redist.me);
    if (!c->block.planes) continue;
    for (ptrdiff_t p = 0; p < pf_cut_parts(c); p++) pf_flag_set(&flag[p], value_of(x, 1));
    if (!c->part) pf_flag_set(flag, value_of(x, c->block.planes));
  }
}

/* Waits for one part, or so many planes, of the block of another rank. */
static int wait_block(pf_exchange *x, int other, ptrdiff_t index) {
  const pf_cut *c = &block_of(x, other)->from;
  const uint64_t *flag = line_of(x, x->redist.me, other);
  if (!c->block.planes) return MPI_SUCCESS;
  if (!c->part) return await(x, flag, value_of(x, index + 1));
  return index < pf_cut_parts(c) ? await(x, &flag[index], value_of(x, 1)) : MPI_SUCCESS;
}

int pf_peers_wait(pf_exchange *x, ptrdiff_t index) {
  int code = MPI_SUCCESS, by_plane = pf_redist_by_plane(&x->redist);
  for (int k = first_of(x); k < end_of(x) && code == MPI_SUCCESS; k++) {
    const pf_cut *c = &block_of(x, k)->from;
    code = wait_block(x, k, c->part || by_plane ? index : c->block.planes - 1);
  }
  return code;
}

int pf_peers_wait_all(pf_exchange *x) {
  int code = MPI_SUCCESS;
  for (int k = first_of(x); k < end_of(x) && code == MPI_SUCCESS; k++) {
    const pf_cut *c = &block_of(x, k)->from;
    for (ptrdiff_t p = 0; p < pf_cut_parts(c) && code == MPI_SUCCESS; p++)
      code = wait_block(x, k, p);
    if (code == MPI_SUCCESS && !c->part) code = wait_block(x, k, c->block.planes - 1);
  }
  return code;
}
