/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange node: rows for ranks on the same node are stored directly into their memory; all data
 * from the ranks of one node to those of another is sent as one message.
 *
 * What moves: with R ranks on each of N nodes, N - 1 messages per node instead of R (P - R), each
 * R^2 times as large as those of packed; rank b mod R of a node sends the message to node b and
 * receives the one from it.  A node thus starts the minimum number of messages, its ranks share the
 * work of starting them, and nothing is copied inside a node: datatypes over the node's window
 * gather the blocks of all ranks at the addresses to which their passes store, and scatter them to
 * the addresses from which the passes of the receivers read.  There is no overlap.  It should win
 * if many ranks share a network card and the blocks of single ranks are small. With one rank per
 * node it equals packed; on a single node it equals shared, with blocks.
 *
 * A part of the window has one area for sending and two for receiving, which alternate.  Two
 * barriers of the node in finish() make that safe: all messages are sent and received between them,
 * and stage k + 1 begins after the finish() of exchange k:
 *   - after the first barrier all ranks have completed stage k: the data that it stored is
 *     complete, and no rank reads its input, the other receive area, any more;
 *   - after the second one all messages of the node are complete: the send area can be written
 *     again, and so can the other receive area, which no rank has read since stage k.
 * Sources: node-aware exchanges, e.g. Kumar, Mamidala and Panda, IPDPS 2008; direct stores between
 * processes, e.g. Hoefler et al., Computing 95, 2013. */
#include <stdlib.h>

#include "base/memory.h"
#include "exchange/memory.h"

/* A portion of the data to, or from, the leader of another node. */
typedef struct {
  int other, sends;
  ptrdiff_t elements;
  MPI_Datatype type; /* over the parts of all ranks of the node */
} message;

typedef struct {
  int count;
  message *list; /* messages to be received, then those to be sent */
  MPI_Request *request;
} state;

/* Blocks of the message that is being assembled; adjacent blocks are merged. */
typedef struct {
  pf_exchange *x;
  pfft3d_error *e;
  int sends, other;
  int count, *length;
  MPI_Aint *at;
  ptrdiff_t elements;
} gathering;

static int my_node(const pf_node_map *m) {
  return m->me / m->node;
}

/* The index of this rank among the ranks of its node. */
static int my_index(const pf_node_map *m) {
  return m->me % m->node;
}

/* ---- memory ---- */

/* Row lengths differ between process rows, hence single elements.  Messages are limited, because
 * datatypes of an MPI library fail beyond some size. */
static pf_counting counting(size_t size, ptrdiff_t cap) {
  ptrdiff_t most = ((ptrdiff_t)1 << 30) / (ptrdiff_t)size;
  return (pf_counting){.unit = 1, .cap = cap > 0 && cap < most ? cap : most};
}

/* The messages that this rank sends and receives for its node. */
static void count(const pf_exchange_memory *m, pf_exchange_sequence *q, int k) {
  const pf_redist *r = &q->redist[k];
  const pf_node_map *map = &q->node_map[k];
  pf_counting c = counting(q->wire[k], m->cap);
  int nodes = pf_node_map_nodes(map), mine = my_node(map);
  int ranks = pf_node_map_count(map, mine);
  q->stored[k] = pf_exchange_stored(q, k);
  for (int b = my_index(map); b < nodes; b += ranks) {
    if (b == mine) continue;
    pf_counting_add(&q->sent[k], &c, 1, pf_node_map_elements(map, r, mine, b), q->wire[k]);
    q->received[k] += (double)pf_node_map_elements(map, r, b, mine) * (double)q->wire[k];
  }
}

/* All parts are as large as the largest box needs.  The send area covers the whole box before the
 * exchange, because ranks with fewer blocks on their own node send more. */
static void add_areas(pf_exchange_memory *m, const pf_redist *r, size_t wire) {
  size_t before = (size_t)r->batch * wire, after = before;
  for (int a = 0; a < 3; a++) {
    before *= (size_t)pf_redist_longest_before(r, a);
    after *= (size_t)pf_redist_longest_after(r, a);
  }
  if (before > m->send_area && m->ranks > m->node_ranks) m->send_area = before;
  if (after > m->half) m->half = after;
}

static void lay_out(pf_exchange_memory *m) {
  for (int d = 0; d < 2; d++)
    for (int k = 0; k < m->sequence[d].count; k++) {
      pf_exchange_sequence *q = &m->sequence[d];
      add_areas(m, &q->largest[k], q->wire[k]);
      q->send[k] = PF_SLOT_SEND;
      q->recv[k] = k % 2 ? PF_SLOT_STAGED : PF_SLOT_SHARED;
      count(m, q, k);
    }
  m->half = (m->half + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  size_t halves = (size_t)pf_exchange_halves(m) * m->half;
  m->bytes[PF_SLOT_SHARED] = pf_shared_bytes(halves + m->send_area);
}

/* Elements of `wire` bytes from the part of one rank to the next. */
static ptrdiff_t part_of(const pf_exchange_memory *m, size_t wire) {
  return (ptrdiff_t)(pf_shared_part(m->bytes[PF_SLOT_SHARED]) / wire);
}

/* Blocks for ranks on the same node are stored directly on the receive side. */
static pf_location locate(const pf_exchange_memory *m, int direction, int k, int sender,
                          int receiver) {
  const pf_exchange_sequence *q = &m->sequence[direction];
  const pf_redist *r = &q->redist[k];
  const pf_node_map *map = &q->node_map[k];
  if (receiver == r->me) {
    pf_location at = {q->recv[k], pf_redist_recv_spot(r, sender)};
    at.spot.offset += my_index(map) * part_of(m, q->wire[k]);
    return at;
  }
  pf_range peers = pf_node_map_span(map, map->me, my_node(map));
  pf_location at = {q->send[k], pf_redist_send_spot(r, receiver)};
  if (receiver < peers.lo || receiver >= peers.lo + peers.len) return at;
  at.slot = q->recv[k];
  at.spot.offset = pf_node_map_offset(map, r, part_of(m, q->wire[k]), receiver);
  return at;
}

/* Data for other nodes passes through the shared memory of the node. */
static pf_exchange_terms terms(const pf_exchange_memory *m, int direction, int k) {
  const pf_exchange_sequence *q = &m->sequence[direction];
  double inside = pf_node_map_inside(&q->node_map[k]);
  double out = inside < 1 ? (double)pf_redist_send_elements(&q->redist[k]) * (double)q->wire[k] : 0;
  return (pf_exchange_terms){.barriers = 2, .by_node = 1, .copied = out * (1 - inside)};
}

static int create(pf_exchange_store *s, pfft3d_error *e) {
  return pf_exchange_store_share(s, s->memory->bytes[PF_SLOT_SHARED], e);
}

/* The send area follows the receive areas. */
static void bind(pf_exchange_store *s, int direction, char *base[PF_SLOTS]) {
  const pf_exchange_memory *m = s->memory;
  pf_exchange_bind_halves(s, direction, base);
  base[PF_SLOT_SEND] = s->shared.base + (size_t)(m->rank % m->node_ranks) * s->shared.part +
                       (size_t)pf_exchange_halves(m) * m->half;
}

static void connect(pf_exchange_store *s, int direction, int k, pf_exchange *x) {
  x->counting = counting(x->size, s->memory->cap);
  x->node = (pf_node_memory){&s->shared, s->memory->sequence[direction].node_map[k]};
}

const pf_memory_ops pf_memory_node = {.lay_out = lay_out,
                                      .locate = locate,
                                      .terms = terms,
                                      .create = create,
                                      .connect = connect,
                                      .bind = bind,
                                      .destroy = pf_exchange_store_unshare};

/* ---- the exchange ---- */

/* With one rank per node there is nothing to gather, on a single node nothing to send. */
static int suits(const pf_ranks *ranks) {
  return ranks->node_ranks > 1 && ranks->node_ranks < ranks->ranks;
}

/* ---- setup ---- */

/* Leader for node @p b on this node; its counterpart on node @p b. */
static int leads_here(const pf_node_map *m, int b) {
  return b % pf_node_map_count(m, my_node(m)) == my_index(m);
}

static int leader_there(const pf_node_map *m, int b) {
  return b * m->node + my_node(m) % pf_node_map_count(m, b);
}

/* Makes a message of the gathered blocks. */
static int end_message(gathering *g) {
  state *s = g->x->state;
  if (!g->elements) return PFFT3D_OK;
  message *list = realloc(s->list, (size_t)(s->count + 1) * sizeof *list);
  if (!list) return pf_fail(g->e, PFFT3D_ERR_MEMORY, "no memory for %d messages", s->count + 1);
  s->list = list;
  message *m = &list[s->count];
  *m = (message){g->other, g->sends, g->elements, MPI_DATATYPE_NULL};
  int code = MPI_Type_create_hindexed(g->count, g->length, g->at, g->x->unit, &m->type);
  PF_TRY(pf_mpi(g->e, code, "MPI_Type_create_hindexed"));
  s->count++; /* teardown frees it from now on */
  g->count = 0;
  g->elements = 0;
  return pf_mpi(g->e, MPI_Type_commit(&m->type), "MPI_Type_commit");
}

/* Adds a block that begins at byte `at` of the window; begins a new message if the last one is
 * full. */
static int add_block(gathering *g, ptrdiff_t at, ptrdiff_t elements) {
  ptrdiff_t size = (ptrdiff_t)g->x->size, cap = g->x->counting.cap;
  while (elements > 0) {
    ptrdiff_t room = cap - g->elements, part = elements < room ? elements : room;
    int touches = g->count && g->at[g->count - 1] + g->length[g->count - 1] * size == at;
    if (touches) {
      g->length[g->count - 1] += (int)part;
    } else {
      g->at[g->count] = at;
      g->length[g->count++] = (int)part;
    }
    g->elements += part;
    elements -= part;
    at += part * size;
    if (g->elements == cap) PF_TRY(end_message(g));
  }
  return PFFT3D_OK;
}

/* Gathers all blocks from node @p from to node @p to, in the same order at both ends: by senders,
 * then by receivers. */
static int gather(gathering *g, int from, int to) {
  const pf_exchange *x = g->x;
  const pf_node_map *m = &x->node.node_map;
  ptrdiff_t part = (ptrdiff_t)x->node.shared->part, size = (ptrdiff_t)x->size;
  int first = from * m->node, end = first + pf_node_map_count(m, from);
  for (int s = first; s < end; s++) {
    pf_redist of_s = pf_node_map_redist(m, &x->redist, s);
    pf_range others = pf_node_map_span(m, s, to);
    for (int k = (int)others.lo; k < others.lo + others.len; k++) {
      int d = pf_node_map_rank(m, s, k);
      pf_redist of_d = pf_node_map_redist(m, &x->redist, d);
      ptrdiff_t at =
          g->sends ? pf_redist_send_offset(&of_s, k) : pf_redist_recv_offset(&of_d, of_s.me);
      ptrdiff_t offset = (g->sends ? s : d) % m->node * part + at * size;
      PF_TRY(add_block(g, offset, pf_redist_elements(&of_s, of_s.me, k)));
    }
  }
  return end_message(g);
}

/* The messages of this rank in one direction. */
static int gather_all(gathering *g) {
  const pf_node_map *m = &g->x->node.node_map;
  int nodes = pf_node_map_nodes(m), mine = my_node(m);
  for (int k = 1; k < nodes; k++) {
    int b = (g->sends ? mine + k : mine - k + nodes) % nodes; /* nodes start with different ones */
    if (!leads_here(m, b)) continue;
    g->other = leader_there(m, b);
    PF_TRY(g->sends ? gather(g, mine, b) : gather(g, b, mine));
  }
  return PFFT3D_OK;
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  size_t node = (size_t)x->node.node_map.node, blocks = node * node + 1;
  state *s = x->state = calloc(1, sizeof *s);
  gathering g = {.x = x, .e = e};
  g.length = malloc(blocks * sizeof *g.length);
  g.at = malloc(blocks * sizeof *g.at);
  if (!s || !g.length || !g.at)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for messages of %zu blocks", blocks);
  for (; g.sends < 2 && !e->status; g.sends++) gather_all(&g);
  free(g.length);
  free(g.at);
  if (e->status || !s->count) return e->status;
  s->request = malloc((size_t)s->count * sizeof *s->request);
  if (s->request) return PFFT3D_OK;
  return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %d messages", s->count);
}

/* ---- runs ---- */

/* Transfers all messages of this rank. */
static int transfer(pf_exchange *x, state *s) {
  char *send = x->send - (size_t)my_index(&x->node.node_map) * x->node.shared->part;
  int code = MPI_SUCCESS;
  for (int k = 0; k < s->count && code == MPI_SUCCESS; k++) {
    const message *m = &s->list[k];
    double start = pf_timeline_now(x->timeline);
    if (m->sends)
      code = MPI_Isend(send, 1, m->type, m->other, x->tag, x->comm, &s->request[k]);
    else
      code = MPI_Irecv(x->recv, 1, m->type, m->other, x->tag, x->comm, &s->request[k]);
    if (m->sends) pf_exchange_sent(x, &(pf_message){m->other, 0, m->elements, 0}, start);
  }
  if (code == MPI_SUCCESS) code = pf_exchange_wait_all(s->request, s->count);
  double end = pf_timeline_now(x->timeline);
  for (int k = 0; k < s->count && x->timeline; k++)
    if (!s->list[k].sends)
      pf_exchange_received(x, &(pf_message){s->list[k].other, 0, s->list[k].elements, 0}, end);
  return code;
}

static int finish(pf_exchange *x) {
  int code = pf_shared_barrier(x->node.shared);
  if (pf_node_map_nodes(&x->node.node_map) == 1) return code;
  if (code == MPI_SUCCESS) code = transfer(x, x->state);
  return code == MPI_SUCCESS ? pf_shared_barrier(x->node.shared) : code;
}

static void teardown(pf_exchange *x) {
  state *s = x->state;
  for (int k = 0; k < s->count; k++) pf_type_free(&s->list[k].type);
  free(s->list);
  free(s->request);
}

const pf_exchange_ops pf_exchange_node = {
    .name = "node",
    .summary = "a message per pair of nodes, of all their ranks; stores inside a node",
    .reason = "the ranks of a node share memory, and one sends for all of them to each other node",
    .memory = &pf_memory_node,
    .suits = suits,
    .grain = PF_GRAIN_BLOCK,
    .setup = setup,
    .finish = finish,
    .teardown = teardown};
