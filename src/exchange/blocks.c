/* SPDX-License-Identifier: BSD-3-Clause
 * Private buffers with a block for (or from) each other rank: the memory of exchanges that send
 * messages, or put into windows.
 *
 * Three buffers rotate: an exchange sends from the buffer in which the exchange before the previous
 * one received, and receives in the buffer from which the previous one sent.  The third buffer is
 * the caller's output, if it is large enough, contains no data that must be kept, and the exchange
 * does not need its own memory.  The last exchange never receives there: the following stage writes
 * the result there.  A rank's own rows are not sent: in the send view they are a part of the
 * receive buffer. */
#include "exchange/memory.h"
#include "exchange/windows.h"

/* ---- arithmetic ---- */

/* Natural order returns to the original cut: own rows then stay where the first exchange has stored
 * them. */
static int returns(const pf_exchange_sequence *q, int k) {
  return k == 1 && q->count == 2 && q->redist[1].from == q->redist[0].to &&
         q->redist[1].to == q->redist[0].from;
}

static int receives(const pf_exchange_sequence *q, pf_slot slot) {
  for (int k = 0; k < q->count; k++)
    if (q->recv[k] == slot) return 1;
  return 0;
}

static void assign_slots(const pf_exchange_memory *m, pf_exchange_sequence *q,
                         size_t bytes[PF_SLOTS]) {
  static const pf_slot rotation[] = {PF_SLOT_SEND, PF_SLOT_EXTRA, PF_SLOT_RECV};
  for (int k = 0; k < q->count; k++) {
    const pf_redist *r = &q->redist[k];
    size_t send = (size_t)pf_redist_send_elements(r) * m->wire;
    size_t recv = (size_t)pf_redist_recv_elements(r) * m->wire;
    int swap = k == q->count - 1 && rotation[(k + 2) % 3] == PF_SLOT_EXTRA;
    q->send[k] = rotation[(swap ? k + 2 : k) % 3];
    q->recv[k] = rotation[(swap ? k : k + 2) % 3];
    if (send > bytes[q->send[k]]) bytes[q->send[k]] = send;
    if (recv > bytes[q->recv[k]]) bytes[q->recv[k]] = recv;
  }
  int own = m->ops->fixed || (m->ops->windows && receives(q, PF_SLOT_EXTRA));
  if (own || bytes[PF_SLOT_EXTRA] > q->output) return;
  bytes[PF_SLOT_EXTRA] = 0;
  for (int k = 0; k < q->count; k++) {
    if (q->send[k] == PF_SLOT_EXTRA) q->send[k] = PF_SLOT_OUT;
    if (q->recv[k] == PF_SLOT_EXTRA) q->recv[k] = PF_SLOT_OUT;
  }
}

static void count(const pf_exchange_memory *m, pf_exchange_sequence *q) {
  for (int k = 0; k < q->count; k++) {
    pf_redist others = q->redist[k];
    others.own_apart = 1;
    q->sent[k] = pf_exchange_count(m->ops, &q->redist[k], m->wire, m->cap);
    q->received[k] = (double)pf_redist_recv_elements(&others) * (double)m->wire;
  }
}

static void lay_out(pf_exchange_memory *m) {
  for (int d = 0; d < 2; d++) {
    pf_exchange_sequence *q = &m->sequence[d];
    size_t bytes[PF_SLOTS] = {0};
    for (int k = 0; k < q->count; k++) q->redist[k].own_apart = returns(q, k);
    assign_slots(m, q, bytes);
    count(m, q);
    for (int s = 0; s < PF_SLOTS; s++)
      if (bytes[s] > m->bytes[s]) m->bytes[s] = bytes[s];
  }
}

/* The location of own rows between both exchanges, which cut the same axes at the same indices. */
static pf_placement own_rows(const pf_exchange_sequence *q) {
  return (pf_placement){q->recv[0], pf_redist_recv_spot(&q->redist[0], q->redist[0].me)};
}

static pf_placement place_sent(const pf_exchange_memory *m, int direction, int k, int to) {
  const pf_exchange_sequence *q = &m->sequence[direction];
  const pf_redist *r = &q->redist[k];
  if (to != r->me) return (pf_placement){q->send[k], pf_redist_send_spot(r, to)};
  if (r->own_apart) return own_rows(q);
  return (pf_placement){q->recv[k], pf_redist_recv_spot(r, to)};
}

static pf_placement place_received(const pf_exchange_memory *m, int direction, int k, int from) {
  const pf_exchange_sequence *q = &m->sequence[direction];
  const pf_redist *r = &q->redist[k];
  if (from == r->me && r->own_apart) return own_rows(q);
  return (pf_placement){q->recv[k], pf_redist_recv_spot(r, from)};
}

/* MPI packs and unpacks datatypes: one more pass through memory on both sides. */
static pf_exchange_terms terms(const pf_exchange_memory *m, int direction, int k) {
  const pf_exchange_sequence *q = &m->sequence[direction];
  return (pf_exchange_terms){.handshakes = m->ops->windows ? 2 : 0,
                             .serial = m->ops->serial,
                             .copied = m->ops->boxes ? q->sent[k].bytes + q->received[k] : 0};
}

static pf_counting counting(const pf_redist *r, size_t size, ptrdiff_t cap) {
  (void)size;
  return pf_exchange_counting(r, cap);
}

/* ---- allocated ---- */

static int create(pf_exchange_store *s, pfft3d_error *e) {
  if (!s->memory->ops->windows) return PFFT3D_OK;
  for (int slot = 0; slot < PF_SLOTS; slot++)
    if (receives(&s->memory->sequence[0], (pf_slot)slot) ||
        receives(&s->memory->sequence[1], (pf_slot)slot))
      PF_TRY(pf_exchange_window_create(s, (pf_slot)slot, e));
  return PFFT3D_OK;
}

static void connect(pf_exchange_store *s, int direction, int k, pf_exchange_spec *spec) {
  const pf_exchange_sequence *q = &s->memory->sequence[direction];
  spec->comm = s->grid[q->node_map[k].dim];
  spec->send = s->buffer[q->send[k]];
  spec->recv = s->buffer[q->recv[k]];
  if (s->window[q->recv[k]].made) spec->window = s->window[q->recv[k]].win;
}

static void bind(pf_exchange_store *s, int direction, char *base[PF_SLOTS]) {
  (void)s, (void)direction, (void)base; /* buffers do not move */
}

const pf_memory_kind pf_memory_blocks = {.lay_out = lay_out,
                                         .send = place_sent,
                                         .recv = place_received,
                                         .terms = terms,
                                         .counting = counting,
                                         .create = create,
                                         .connect = connect,
                                         .bind = bind,
                                         .destroy = pf_exchange_windows_destroy};
