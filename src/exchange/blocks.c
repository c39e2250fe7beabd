/* SPDX-License-Identifier: BSD-3-Clause
 * Buffers with a block for (or from) each other rank: the memory of exchanges that send messages,
 * or put into windows.
 *
 * Three buffers rotate: an exchange sends from the buffer in which the exchange before the previous
 * one received, and receives in the buffer from which the previous one sent.  The third buffer is
 * the caller's output, if it is large enough, contains no data that must be kept, and the exchange
 * does not need its own memory.  The last exchange never receives there: the following stage writes
 * the result there.  A rank's own rows are not sent: in the send view they are a part of the
 * receive buffer.
 *
 * If blocks for ranks on the same node are stored (peers.c), all receive buffers are in memory that
 * the ranks of a node share, at the same offsets in each rank's part.  In the send view these
 * blocks are then parts of the receive buffers of their ranks, and the send buffer has blocks for
 * other nodes only.  Other ranks store into a buffer after its rank has begun the same exchange: it
 * has then finished the previous exchange, which sent from this buffer. */
#include "exchange/memory.h"
#include "exchange/peers.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/simulate.h"

/* ---- arithmetic ---- */

/* Natural order returns to the original cut: own rows then stay in the receive buffer of the first
 * exchange, unless the sides of the transform differ in cuts, extents or elements. */
static int returns(const pf_exchange_sequence *q, int k) {
  const pf_redist *first = &q->redist[0], *second = &q->redist[1];
  for (int a = 0; a < 3; a++)
    if (first->len[a] != second->len[a]) return 0;
  return k == 1 && q->count == 2 && q->wire[0] == q->wire[1] && second->from == first->to &&
         second->to == first->from &&
         pf_cuts_same(&second->cuts[second->to], &first->cuts[first->from]);
}

static int receives(const pf_exchange_sequence *q, pf_slot slot) {
  for (int k = 0; k < q->count; k++)
    if (q->recv[k] == slot) return 1;
  return 0;
}

/* Nonzero if any exchange of a plan receives in a buffer. */
static int received_in(const pf_exchange_memory *m, pf_slot slot) {
  return receives(&m->sequence[0], slot) || receives(&m->sequence[1], slot);
}

/* Nonzero if blocks are stored on the node at all; if they are stored in this buffer. */
static int stores(const pf_exchange_memory *m) {
  return m->stores && m->ops->stores && m->node_ranks > 1;
}

static int is_shared(const pf_exchange_memory *m, pf_slot slot) {
  return stores(m) && received_in(m, slot);
}

/* Nonzero if receive buffers are windows: not if nothing is put into them. */
static int has_windows(const pf_exchange_memory *m) {
  return m->ops->windows && !(stores(m) && m->node_ranks >= m->ranks);
}

static void rotate(pf_exchange_sequence *q) {
  static const pf_slot rotation[] = {PF_SLOT_SEND, PF_SLOT_EXTRA, PF_SLOT_RECV};
  for (int k = 0; k < q->count; k++) {
    int swap = k == q->count - 1 && rotation[(k + 2) % 3] == PF_SLOT_EXTRA;
    q->send[k] = rotation[(swap ? k + 2 : k) % 3];
    q->recv[k] = rotation[(swap ? k : k + 2) % 3];
  }
}

static void enlarge(size_t *bytes, size_t needed) {
  if (needed > *bytes) *bytes = needed;
}

/* The bytes of the buffers of exchange k; shared buffers are equally large on all ranks. */
static void measure(const pf_exchange_memory *m, const pf_exchange_sequence *q, int k,
                    size_t bytes[PF_SLOTS]) {
  const pf_redist *r = &q->redist[k], *largest = &q->largest[k];
  size_t send = (size_t)pf_redist_send_elements(r), recv = (size_t)pf_redist_recv_elements(r);
  size_t before = (size_t)r->batch, after = before;
  for (int a = 0; a < 3; a++) {
    before *= (size_t)pf_redist_longest_before(largest, a);
    after *= (size_t)pf_redist_longest_after(largest, a);
  }
  enlarge(&bytes[q->send[k]], (is_shared(m, q->send[k]) ? before : send) * q->wire[k]);
  enlarge(&bytes[q->recv[k]], (is_shared(m, q->recv[k]) ? after : recv) * q->wire[k]);
}

static void assign_slots(const pf_exchange_memory *m, pf_exchange_sequence *q,
                         size_t bytes[PF_SLOTS]) {
  for (int k = 0; k < q->count; k++) measure(m, q, k, bytes);
  int own = m->ops->fixed || ((m->ops->windows || stores(m)) && receives(q, PF_SLOT_EXTRA));
  if (own || bytes[PF_SLOT_EXTRA] > q->output) return;
  bytes[PF_SLOT_EXTRA] = 0;
  for (int k = 0; k < q->count; k++) {
    if (q->send[k] == PF_SLOT_EXTRA) q->send[k] = PF_SLOT_OUT;
    if (q->recv[k] == PF_SLOT_EXTRA) q->recv[k] = PF_SLOT_OUT;
  }
}

static void count(const pf_exchange_memory *m, pf_exchange_sequence *q) {
  for (int k = 0; k < q->count; k++) {
    const pf_redist *r = &q->redist[k];
    pf_redist others = *r;
    others.own_apart = 1;
    q->sent[k] = pf_exchange_count(m->ops, r, q->wire[k], m->cap);
    ptrdiff_t received = pf_redist_recv_elements(&others) - pf_redist_for(r, r->peers, 1);
    q->received[k] = (double)received * (double)q->wire[k];
    q->stored[k] = r->peers.len ? pf_exchange_stored(q, k) : 0;
  }
}

static void lay_out(pf_exchange_memory *m) {
  for (int d = 0; d < 2; d++) {
    pf_exchange_sequence *q = &m->sequence[d];
    rotate(q);
    for (int k = 0; k < q->count; k++) {
      const pf_node_map *map = &q->node_map[k];
      q->redist[k].own_apart = returns(q, k);
      if (stores(m)) q->redist[k].peers = pf_node_map_span(map, map->me, map->me / map->node);
    }
  }
  for (int d = 0; d < 2; d++) {
    size_t bytes[PF_SLOTS] = {0};
    assign_slots(m, &m->sequence[d], bytes);
    count(m, &m->sequence[d]);
    for (int s = 0; s < PF_SLOTS; s++) enlarge(&m->bytes[s], bytes[s]);
  }
  for (int s = 0; s < PF_SLOT_PLANE; s++)
    if (is_shared(m, (pf_slot)s)) m->bytes[s] = (m->bytes[s] + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  if (stores(m)) m->bytes[PF_SLOT_SHARED] = pf_peers_bytes(m->node_ranks);
}

/* Offset in a rank's part of shared memory: its flags, then its buffers; past the last slot the
 * bytes of a part. */
static size_t offset_of(const pf_exchange_memory *m, int slot) {
  size_t offset = m->bytes[PF_SLOT_SHARED];
  for (int s = 0; s < slot; s++)
    if (is_shared(m, (pf_slot)s)) offset += m->bytes[s];
  return offset;
}

/* Where the block for a rank on the same node is stored, relative to this rank's buffer. */
static pf_location store_at(const pf_exchange_memory *m, const pf_exchange_sequence *q, int k,
                            int receiver) {
  pf_redist theirs = q->redist[k];
  const pf_node_map *map = &q->node_map[k];
  ptrdiff_t part = (ptrdiff_t)(pf_shared_part(offset_of(m, PF_SLOT_PLANE)) / q->wire[k]);
  theirs.me = receiver;
  pf_location at = {q->recv[k], pf_redist_recv_spot(&theirs, q->redist[k].me)};
  at.spot.offset += (pf_node_map_rank(map, map->me, receiver) - map->me) * part;
  return at;
}

/* Own rows stay in the receive buffer of the first exchange only if both exchanges cut the same
 * axes at the same indices. */
static pf_location locate(const pf_exchange_memory *m, int direction, int k, int sender,
                          int receiver) {
  const pf_exchange_sequence *q = &m->sequence[direction];
  const pf_redist *r = &q->redist[k];
  if (receiver != r->me && pf_redist_is_peer(r, receiver)) return store_at(m, q, k, receiver);
  if (receiver != r->me) return (pf_location){q->send[k], pf_redist_send_spot(r, receiver)};
  if (sender == r->me && r->own_apart) k = 0;
  return (pf_location){q->recv[k], pf_redist_recv_spot(&q->redist[k], sender)};
}

/* MPI packs and unpacks datatypes: one more pass through memory on both sides. */
static pf_exchange_terms terms(const pf_exchange_memory *m, int direction, int k) {
  const pf_exchange_sequence *q = &m->sequence[direction];
  return (pf_exchange_terms){.barriers = stores(m),
                             .handshakes = has_windows(m) ? 2 : 0,
                             .stored = q->redist[k].peers.len > 0,
                             .serial = m->ops->serial,
                             .copied = m->ops->boxes ? q->sent[k].bytes + q->received[k] : 0};
}

/* ---- windows ---- */

/* A window over all ranks of the plan for each receive buffer of any exchange.  The set of buffers
 * is the same on all ranks; their sizes are not. */

/* The buffer is aligned to a cache line within its window. */
static void set_buffer(pf_exchange_store *s, pf_slot slot, char *base) {
  size_t bytes = s->memory->bytes[slot], over = (uintptr_t)base % PF_ALIGN;
  if (!bytes || !base) return;
  s->buffer[slot] = over ? base + PF_ALIGN - over : base;
  memset(s->buffer[slot], 0, bytes); /* first touch by the rank that reads it */
}

/* Passes store into a window while other ranks put into it: this requires the unified model. */
static void check_model(const pf_exchange_store *s, MPI_Win win, pfft3d_error *e) {
  int *model, there = 0;
  if (PF_SIMULATED) return; /* all ranks are in one process, which this MPI does not report */
  if (pf_mpi(e, MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &there), "MPI_Win_get_attr")) return;
  if (!there || *model != MPI_WIN_UNIFIED)
    pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
            "exchange '%s': this MPI keeps windows apart from memory (MPI_WIN_SEPARATE)",
            s->memory->ops->name);
}

/* A window over an existing buffer in memory of the node. */
static int window_over(char *buffer, size_t bytes, MPI_Comm comm, char **base, MPI_Win *win) {
  *base = buffer;
  return MPI_Win_create(buffer, (MPI_Aint)bytes, 1, MPI_INFO_NULL, comm, win);
}

/* A refused window is expected: the caller's error handler is bypassed. */
static void allocate(pf_exchange_store *s, pf_slot slot, char **base, MPI_Win *win,
                     pfft3d_error *e) {
  size_t bytes = s->memory->bytes[slot], room = bytes ? bytes + PF_ALIGN : 0;
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  char text[MPI_MAX_ERROR_STRING];
  int known = MPI_Comm_get_errhandler(s->comm, &handler);
  pf_mpi(e, known, "MPI_Comm_get_errhandler");
  pf_mpi(e, MPI_Comm_set_errhandler(s->comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  int code = s->buffer[slot]
                 ? window_over(s->buffer[slot], bytes, s->comm, base, win)
                 : MPI_Win_allocate((MPI_Aint)room, 1, MPI_INFO_NULL, s->comm, base, win);
  pf_mpi(e, MPI_Comm_set_errhandler(s->comm, handler), "MPI_Comm_set_errhandler");
  if (known == MPI_SUCCESS) MPI_Errhandler_free(&handler);
  if (code == MPI_SUCCESS) return;
  pf_mpi_text(code, text);
  pf_failed(2, "MPI_Win_allocate", text); /* others may still be in it */
  pf_hint(e, "Open MPI over TCP needs mpirun --mca osc pt2pt,sm; other exchanges need no window");
  pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "exchange '%s': no window: MPI_Win_allocate: %s",
          s->memory->ops->name, text);
}

/* If this fails on some ranks only, the others keep their window until the end of the program:
 * freeing it is collective. */
static int create_window(pf_exchange_store *s, pf_slot slot, pfft3d_error *e) {
  pf_exchange_window *w = &s->window[slot];
  char *base = NULL;
  if (!s->buffer[slot]) { /* MPI makes one file of the windows of all ranks of a node */
    size_t bytes = s->memory->bytes[slot] * (size_t)s->memory->node_ranks;
    if (!pf_shared_allowed(bytes, e)) pf_window_room(bytes, e);
    PF_TRY(pf_agree(s->comm, e));
  }
  allocate(s, slot, &base, &w->win, e);
  PF_TRY(pf_agree(s->comm, e));
  w->made = 1;
  pf_mpi(e, MPI_Win_set_errhandler(w->win, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  if (!e->status) check_model(s, w->win, e);
  if (!e->status) pf_mpi(e, MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win), "MPI_Win_lock_all");
  if (!e->status) set_buffer(s, slot, base);
  w->locked = !e->status;
  return pf_agree(s->comm, e);
}

/* ---- allocated ---- */

/* The buffers of a rank in the memory of its node. */
static int share(pf_exchange_store *s, pfft3d_error *e) {
  const pf_exchange_memory *m = s->memory;
  PF_TRY(pf_exchange_store_share(s, offset_of(m, PF_SLOT_PLANE), e));
  char *mine = s->shared.base + (size_t)(m->rank % m->node_ranks) * s->shared.part;
  for (int slot = 0; slot < PF_SLOT_PLANE; slot++)
    if (is_shared(m, (pf_slot)slot)) s->buffer[slot] = mine + offset_of(m, slot);
  return PFFT3D_OK;
}

/* Nodes with different numbers of ranks are refused like memory that cannot be shared. */
static int create(pf_exchange_store *s, pfft3d_error *e) {
  const pf_exchange_memory *m = s->memory;
  if (stores(m) || (m->stores && m->ops->stores && m->uneven)) share(s, e);
  PF_TRY(pf_agree(s->comm, e));
  for (int slot = 0; slot < PF_SLOTS && has_windows(m); slot++)
    if (received_in(m, (pf_slot)slot)) PF_TRY(create_window(s, (pf_slot)slot, e));
  return PFFT3D_OK;
}

static void connect(pf_exchange_store *s, int direction, int k, pf_exchange *x) {
  const pf_exchange_sequence *q = &s->memory->sequence[direction];
  x->comm = s->grid[q->node_map[k].dim];
  x->send = s->buffer[q->send[k]];
  x->recv = s->buffer[q->recv[k]];
  if (s->window[q->recv[k]].made) x->window = s->window[q->recv[k]].win;
  if (!stores(s->memory)) return;
  const pf_node_map *map = &q->node_map[k];
  int index = map->me % map->node, step = map->dim == 0 ? map->grid[1] : 1;
  x->peers = (pf_peers){.looks = s->shared.looks,
                        .flags = s->shared.base + (size_t)index * s->shared.part,
                        .apart = step * (ptrdiff_t)s->shared.part,
                        .node_index = index,
                        .step = step,
                        .begun = &s->begun};
}

/* Errors go to the error handler of the communicator: the function has no status, and other ranks
 * wait.  Memory of windows goes with MPI. */
static void destroy(pf_exchange_store *s) {
  int ended = pf_mpi_ready(NULL);
  for (int k = 0; k < PF_SLOTS; k++) {
    if (s->window[k].made && !ended) {
      int code = s->window[k].locked ? MPI_Win_unlock_all(s->window[k].win) : MPI_SUCCESS;
      if (code == MPI_SUCCESS) code = MPI_Win_free(&s->window[k].win);
      if (code != MPI_SUCCESS) MPI_Comm_call_errhandler(s->comm, code);
    }
    if (s->window[k].made || is_shared(s->memory, (pf_slot)k)) s->buffer[k] = NULL;
    s->window[k].made = 0;
  }
  pf_exchange_store_unshare(s);
}

const pf_memory_ops pf_memory_blocks = {.lay_out = lay_out,
                                        .locate = locate,
                                        .terms = terms,
                                        .create = create,
                                        .connect = connect,
                                        .destroy = destroy};
