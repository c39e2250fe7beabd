/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange pairwise: one partner after another, after the last plane is complete.
 *
 * What moves: the blocks of packed, P-1 messages of V/P^2 bytes from each rank, in P-1 rounds.  If
 * P is a power of two, ranks exchange in pairs (me xor k); otherwise each rank sends to rank me + k
 * and receives from rank me - k.  In each round every rank receives from one sender only, so no
 * port of the network carries two messages at once; packed leaves the order to MPI, which may start
 * all messages together.  One send is active at a time.  Receives are posted one round ahead, so
 * that early messages are expected.
 *
 * It can win with large blocks if many senders to one receiver slow each other down.  It pays for
 * P-1 message starts in sequence, each round waits for the slower partner, and there is no overlap:
 * packed is better for small blocks and for ranks of unequal speed.
 * Source: pairwise exchange in Thakur, Rabenseifner and Gropp, "Optimization of collective
 * communication operations in MPICH", IJHPCA 19(1), 2005. */
#include "exchange/pairwise.h"

#include <stdlib.h>

#include "exchange/memory.h"

/* ---- rounds ---- */

static int power_of_two(int n) {
  return (n & (n - 1)) == 0;
}

static int receiver_of(const pf_redist *r, int round) {
  return power_of_two(r->ranks) ? r->me ^ round : (r->me + round) % r->ranks;
}

static int sender_of(const pf_redist *r, int round) {
  return power_of_two(r->ranks) ? r->me ^ round : (r->me - round + r->ranks) % r->ranks;
}

int pf_rounds_make(const pf_exchange *x, pf_rounds *rounds, pfft3d_error *e) {
  const pf_redist *r = &x->redist;
  ptrdiff_t most = 0;
  for (int k = 0; k < r->ranks; k++) {
    ptrdiff_t to = pf_counting_portions(&x->counting, pf_redist_elements(r, r->me, k));
    ptrdiff_t from = pf_counting_portions(&x->counting, pf_redist_elements(r, k, r->me));
    if (k != r->me && to > most) most = to;
    if (k != r->me && from > most) most = from;
  }
  rounds->most = most;
  rounds->request = malloc(3 * (size_t)(most + 1) * sizeof *rounds->request);
  if (rounds->request) return PFFT3D_OK;
  return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %td requests", 3 * most);
}

/* Requests of a round. */
typedef struct {
  MPI_Request *first, *next;
} batch;

static int receive_round(pf_exchange *x, int round, batch *b) {
  const pf_redist *r = &x->redist;
  int from = sender_of(r, round);
  b->next = b->first;
  if (round >= r->ranks) return MPI_SUCCESS;
  return pf_exchange_receive(x, from, pf_redist_recv_offset(r, from),
                             pf_redist_elements(r, from, r->me), &b->next);
}

static int send_round(pf_exchange *x, int round, batch *b) {
  const pf_redist *r = &x->redist;
  int to = receiver_of(r, round);
  b->next = b->first;
  return pf_exchange_send(x, to, pf_redist_send_offset(r, to), pf_redist_elements(r, r->me, to),
                          &b->next);
}

static int wait_batch(const batch *b) {
  return pf_exchange_wait_all(b->first, b->next - b->first);
}

int pf_rounds_run(pf_exchange *x, const pf_rounds *rounds) {
  batch send = {.first = rounds->request}, recv[2];
  for (int k = 0; k < 2; k++) recv[k].first = rounds->request + (k + 1) * rounds->most;
  int code = receive_round(x, 1, &recv[1]);
  for (int k = 1; k < x->redist.ranks && code == MPI_SUCCESS; k++) {
    code = receive_round(x, k + 1, &recv[(k + 1) % 2]);
    if (code == MPI_SUCCESS) code = send_round(x, k, &send);
    if (code == MPI_SUCCESS) code = wait_batch(&recv[k % 2]);
    if (code == MPI_SUCCESS) code = wait_batch(&send);
  }
  return code;
}

/* ---- the exchange ---- */

static int setup(pf_exchange *x, pfft3d_error *e) {
  x->state = calloc(1, sizeof(pf_rounds));
  if (!x->state) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for an exchange");
  return pf_rounds_make(x, x->state, e);
}

static int finish(pf_exchange *x) {
  return pf_rounds_run(x, x->state);
}

static void teardown(pf_exchange *x) {
  free(((pf_rounds *)x->state)->request);
  free(x->state);
}

const pf_exchange_ops pf_exchange_pairwise = {
    .name = "pairwise",
    .summary = "a message per destination, one partner after another, after the last row",
    .memory = &pf_memory_blocks,
    .suits = pf_exchange_suits_messages,
    .grain = PF_GRAIN_BLOCK,
    .serial = 1,
    .setup = setup,
    .finish = finish,
    .teardown = teardown};
