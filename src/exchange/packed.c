/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange packed: one MPI_Alltoallv of all data, after the last plane is complete.
 *
 * What moves: one block per pair of ranks, V/P bytes of the V bytes on each rank.  There is no
 * overlap, but no other exchange sends fewer or larger messages: it wins if starting a message is
 * expensive, and inside a node.  If a rank's part exceeds the counts and displacements of
 * MPI_Alltoallv, where these are ints, the blocks are sent in the rounds of exchange pairwise.
 * Source: "packed slabs" of Bell, Bonachea, Nishtala and Yelick, IPDPS 2006. */
#include <stdlib.h>

#include "exchange/memory.h"

/* Counts and displacements in units, as MPI expects them. */
typedef struct {
  pf_count *send_count, *recv_count;
  pf_displacement *send_at, *recv_at;
} state;

/* All ranks must agree, so this checks the largest part of any rank. */
static int fits(const pf_exchange *x) {
  const pf_redist *r = &x->redist;
  ptrdiff_t before = r->batch, after = r->batch;
  for (int a = 0; a < 3; a++) {
    before *= pf_redist_longest_before(r, a);
    after *= pf_redist_longest_after(r, a);
  }
  return (before > after ? before : after) / x->counting.unit <= x->counting.cap;
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  const pf_redist *r = &x->redist;
  size_t ranks = (size_t)r->ranks;
  ptrdiff_t unit = x->counting.unit;
  if (!fits(x)) {
    x->ops = &pf_exchange_pairwise;
    return x->ops->setup(x, e);
  }
  state *s = x->state =
      calloc(1, sizeof *s + 2 * ranks * (sizeof(pf_count) + sizeof(pf_displacement)));
  if (!s) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the counts of %zu ranks", ranks);
  s->send_count = (pf_count *)(s + 1);
  s->recv_count = s->send_count + ranks;
  s->send_at = (pf_displacement *)(s->recv_count + ranks);
  s->recv_at = s->send_at + ranks;
  for (int k = 0; k < r->ranks; k++) {
    if (pf_redist_is_peer(r, k)) continue; /* these lines are already in the receive buffer */
    s->send_count[k] = (pf_count)(pf_redist_elements(r, r->me, k) / unit);
    s->send_at[k] = (pf_displacement)(pf_redist_send_offset(r, k) / unit);
    s->recv_count[k] = (pf_count)(pf_redist_elements(r, k, r->me) / unit);
    s->recv_at[k] = (pf_displacement)(pf_redist_recv_offset(r, k) / unit);
  }
  return PFFT3D_OK;
}

static int finish(pf_exchange *x) {
  state *s = x->state;
  if (pf_redist_peers(&x->redist).len == x->redist.ranks) return MPI_SUCCESS; /* on all ranks */
  double start = pf_timeline_now(x->timeline);
  for (int k = 0; k < x->redist.ranks; k++)
    if (s->send_count[k])
      pf_exchange_sent(
          x, &(pf_message){k, 0, (ptrdiff_t)s->send_count[k] * x->counting.unit, 0}, start);
  int code = PF_LARGE(MPI_Alltoallv)(x->send, s->send_count, s->send_at, x->unit, x->recv,
                                     s->recv_count, s->recv_at, x->unit, x->comm);
  double end = pf_timeline_now(x->timeline);
  for (int k = 0; k < x->redist.ranks && x->timeline; k++)
    pf_exchange_received(
        x, &(pf_message){k, 0, (ptrdiff_t)s->recv_count[k] * x->counting.unit, 0}, end);
  return code;
}

const pf_exchange_ops pf_exchange_packed = {
    .name = "packed",
    .summary = "one Alltoall of everything, after the last row",
    .memory = &pf_memory_blocks,
    .suits = pf_exchange_suits_messages,
    .grain = PF_GRAIN_BLOCK,
    .stores = 1,
    .anywhere = 1,
    .setup = setup,
    .finish = finish};
