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
#include <stdlib.h>

#include "exchange/memory.h"

typedef struct {
  ptrdiff_t most;          /* portions of the largest block that is sent or received */
  MPI_Request *request[3]; /* `most` each: receives of even rounds, of odd rounds, and sends */
  MPI_Request *end[3];     /* ends of their used parts */
} state;

/* The rank to send to in round k; the rank to receive from in round -k. */
static int partner(const pf_redist *r, int k) {
  int paired = (r->ranks & (r->ranks - 1)) == 0;
  return paired ? r->me ^ abs(k) : (r->me + k + r->ranks) % r->ranks;
}

/* Elements of a message; peers get none. */
static ptrdiff_t elements_of(const pf_redist *r, int other, int sends) {
  if (pf_redist_is_peer(r, other)) return 0;
  return pf_redist_elements(r, sends ? r->me : other, sends ? other : r->me);
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  const pf_redist *r = &x->redist;
  ptrdiff_t most = 0;
  for (int k = 0; k < r->ranks; k++)
    for (int sends = 0; sends < 2; sends++) {
      ptrdiff_t elements = elements_of(r, k, sends);
      ptrdiff_t portions = pf_counting_portions(&x->counting, elements);
      if (portions > most) most = portions;
    }
  state *s = x->state = malloc(sizeof *s + 3 * (size_t)most * sizeof(MPI_Request));
  if (!s) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %td requests", 3 * most);
  for (int k = 0; k < 3; k++) s->request[k] = (MPI_Request *)(s + 1) + k * most;
  return PFFT3D_OK;
}

/* The message that is received in a round. */
static pf_message received(const pf_exchange *x, int round) {
  const pf_redist *r = &x->redist;
  int from = partner(r, -round);
  return (pf_message){from, pf_redist_recv_offset(r, from), elements_of(r, from, 0), 0};
}

static int receive(pf_exchange *x, int round) {
  state *s = x->state;
  int set = round % 2;
  s->end[set] = s->request[set];
  if (round >= x->redist.ranks) return MPI_SUCCESS;
  pf_message m = received(x, round);
  return pf_exchange_message(x, PF_RECEIVE, &m, &s->end[set]);
}

static int send(pf_exchange *x, int round) {
  const pf_redist *r = &x->redist;
  state *s = x->state;
  int to = partner(r, round);
  pf_message m = {to, pf_redist_send_offset(r, to), elements_of(r, to, 1), 0};
  s->end[2] = s->request[2];
  return pf_exchange_message(x, PF_SEND, &m, &s->end[2]);
}

static int wait_for(const state *s, int set) {
  return pf_exchange_wait_all(s->request[set], s->end[set] - s->request[set]);
}

static int finish(pf_exchange *x) {
  int code = receive(x, 1);
  for (int k = 1; k < x->redist.ranks && code == MPI_SUCCESS; k++) {
    code = receive(x, k + 1);
    if (code == MPI_SUCCESS) code = send(x, k);
    if (code == MPI_SUCCESS) code = wait_for(x->state, k % 2);
    if (code == MPI_SUCCESS && x->timeline) {
      pf_message m = received(x, k);
      pf_exchange_portions(x, &m, pf_clock(), pf_exchange_received);
    }
    if (code == MPI_SUCCESS) code = wait_for(x->state, 2);
  }
  return code;
}

const pf_exchange_ops pf_exchange_pairwise = {
    .name = "pairwise",
    .summary = "a message per destination, one partner after another, after the last row",
    .memory = &pf_memory_blocks,
    .suits = pf_exchange_suits_messages,
    .grain = PF_GRAIN_BLOCK,
    .serial = 1,
    .stores = 1,
    .anywhere = 1,
    .setup = setup,
    .finish = finish};
