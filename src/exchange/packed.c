/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange packed: one MPI_Alltoallv of everything, after the last plane is done.
 *
 * What moves: one block per pair of ranks, V/P bytes of the V that each holds.  Nothing overlaps,
 * but no other strategy sends fewer or larger messages: it wins where the start of a message is
 * dear, and inside a node.  Where a rank's part exceeds the int counts and displacements of
 * MPI_Alltoallv, the blocks go as single messages in portions.
 * Source: "packed slabs" of Bell, Bonachea, Nishtala and Yelick, IPDPS 2006. */
#include <limits.h>
#include <stdlib.h>

#include "exchange/exchange.h"

/* Counts and displacements in units, as MPI wants them; or requests. */
typedef struct {
  int arrived;
  int *send_count, *send_at, *recv_count, *recv_at;
  MPI_Request *request; /* NULL: one collective call does it */
  ptrdiff_t requests;
} state;

/* Asked alike by all ranks, so of the largest part of any. */
static int fits(const pf_exchange *x) {
  const pf_redist *r = &x->redist;
  ptrdiff_t before = r->batch, after = r->batch;
  for (int a = 0; a < 3; a++) {
    before *= pf_redist_before(r, 0, a).len;
    after *= pf_redist_after(r, 0, a).len;
  }
  return (before > after ? before : after) / x->counting.unit <= x->counting.cap;
}

static ptrdiff_t block_elements(const pf_redist *r, int sender, int receiver) {
  pf_piece b = pf_redist_piece(r, sender, receiver);
  return pf_piece_elements(&b);
}

static int setup_requests(pf_exchange *x, state *s, pfft3d_error *e) {
  const pf_redist *r = &x->redist;
  for (int k = 0; k < r->ranks; k++)
    if (k != r->me)
      s->requests += pf_counting_portions(&x->counting, block_elements(r, r->me, k)) +
                     pf_counting_portions(&x->counting, block_elements(r, k, r->me));
  s->request = malloc((size_t)(s->requests + 1) * sizeof *s->request);
  if (s->request) return PFFT3D_OK;
  return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %td requests", s->requests);
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  const pf_redist *r = &x->redist;
  size_t ranks = (size_t)r->ranks;
  ptrdiff_t unit = x->counting.unit;
  state *s = x->state = calloc(1, sizeof *s + 4 * ranks * sizeof(int));
  if (!s) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the counts of %zu ranks", ranks);
  if (!fits(x)) return setup_requests(x, s, e);
  s->send_count = (int *)(s + 1);
  s->send_at = s->send_count + ranks;
  s->recv_count = s->send_at + ranks;
  s->recv_at = s->recv_count + ranks;
  for (int k = 0; k < r->ranks; k++) {
    if (k == r->me) continue; /* own lines are where they belong already */
    s->send_count[k] = (int)(block_elements(r, r->me, k) / unit);
    s->send_at[k] = (int)(pf_redist_send_offset(r, k) / unit);
    s->recv_count[k] = (int)(block_elements(r, k, r->me) / unit);
    s->recv_at[k] = (int)(pf_redist_recv_offset(r, k) / unit);
  }
  return PFFT3D_OK;
}

static int start(pf_exchange *x) {
  state *s = x->state;
  s->arrived = 0;
  return MPI_SUCCESS;
}

/* Partners at the same distance in each round. */
static int send_singly(pf_exchange *x, state *s) {
  const pf_redist *r = &x->redist;
  MPI_Request *request = s->request;
  int code = MPI_SUCCESS;
  for (int k = 1; k < r->ranks && code == MPI_SUCCESS; k++) {
    int from = (r->me - k + r->ranks) % r->ranks;
    code = pf_exchange_receive(x, from, pf_redist_recv_offset(r, from),
                               block_elements(r, from, r->me), &request);
  }
  for (int k = 1; k < r->ranks && code == MPI_SUCCESS; k++) {
    int to = (r->me + k) % r->ranks;
    code = pf_exchange_send(x, to, pf_redist_send_offset(r, to), block_elements(r, r->me, to),
                            &request);
  }
  return code == MPI_SUCCESS ? pf_exchange_wait_all(s->request, s->requests) : code;
}

static int finish(pf_exchange *x) {
  state *s = x->state;
  if (s->arrived || x->comm == MPI_COMM_NULL) return MPI_SUCCESS;
  s->arrived = 1;
  if (s->request) return send_singly(x, s);
  for (int k = 0; k < x->redist.ranks; k++)
    if (s->send_count[k])
      pf_exchange_sent(&x->sent,
                       (double)s->send_count[k] * (double)x->counting.unit * (double)x->size);
  return MPI_Alltoallv(x->send, s->send_count, s->send_at, x->unit, x->recv, s->recv_count,
                       s->recv_at, x->unit, x->comm);
}

static int wait_plane(pf_exchange *x, ptrdiff_t plane) {
  (void)plane;
  return finish(x);
}

static void teardown(pf_exchange *x) {
  free(((state *)x->state)->request);
  free(x->state);
}

const pf_exchange_ops pf_exchange_packed = {
    .name = "packed",
    .summary = "one Alltoall of everything, after the last row",
    .place = PF_PLACE_BLOCKS,
    .grain = PF_GRAIN_BLOCK,
    .setup = setup,
    .start = start,
    .wait = wait_plane,
    .finish = finish,
    .teardown = teardown};
