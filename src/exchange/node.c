/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange node: rows for ranks of the own node are stored straight into their memory; all that the
 * ranks of one node have for those of another travels as one message.
 *
 * What moves: with R ranks on each of N nodes, N - 1 messages per node instead of R (P - R), each
 * R^2 times as large as those of packed; the rank with number b mod R of a node sends the one for
 * node b, and receives the one from there.  So a node starts as few messages as possible, all its
 * ranks share the work of starting them, and nothing is copied inside a node: the message gathers
 * the blocks of all ranks from where their passes have stored them, and scatters them to where the
 * passes of the receivers read them (datatypes over the window of the node).  Nothing overlaps.  It
 * should win where many ranks share a network card and blocks of single ranks are small.  With one
 * rank on each node it is packed; on one node alone, shared with blocks.
 *
 * A part of the window has an area to send from and two to receive in, used in turn.  What makes
 * that safe are the two barriers of the node in finish(), between which all messages come and go,
 * and that a stage k + 1 begins behind the finish() of exchange k:
 *   - behind the first barrier all ranks are done with stage k: what it stored is complete, and
 *     nobody reads what it read, the area in turn before this one: so both can be sent from and
 *     received in;
 *   - behind the second one everything of the node has left and arrived: the area to send from can
 *     be written again, and the other area to receive in too, as nobody has read it since stage k.
 * Sources: node-aware exchanges, e.g. Kumar, Mamidala and Panda, IPDPS 2008; direct stores between
 * processes, e.g. Hoefler et al., Computing 95, 2013. */
#include <stdlib.h>

#include "exchange/exchange.h"

/* A portion of what goes to, or comes from, a rank that speaks for another node. */
typedef struct {
  int other, sends;
  ptrdiff_t elements;
  MPI_Datatype type; /* over the parts of the whole node */
} message;

typedef struct {
  int count;
  message *list; /* to be received, and behind them to be sent */
  MPI_Request *request;
} state;

/* Blocks of the message that is being put together; those that touch are one. */
typedef struct {
  pf_exchange *x;
  int sends, other;
  int count, *length;
  MPI_Aint *at;
  ptrdiff_t elements;
} gathering;

/* ---- set-up ---- */

static int my_node(const pf_exchange *x) {
  return x->node.node_map.me / x->node.node_map.node;
}

/* The rank that speaks with node @p b on this one, and the one that does for this one there. */
static int speaks_here(const pf_exchange *x, int b) {
  return b % pf_node_map_count(&x->node.node_map, my_node(x)) ==
         x->node.node_map.me % x->node.node_map.node;
}

static int speaks_there(const pf_exchange *x, int b) {
  return b * x->node.node_map.node + my_node(x) % pf_node_map_count(&x->node.node_map, b);
}

static ptrdiff_t elements_of(const pf_exchange *x, int b, int sends) {
  int mine = my_node(x);
  return pf_node_map_elements(&x->node.node_map, &x->redist, sends ? mine : b, sends ? b : mine);
}

/* What has been gathered becomes a message. */
static int end_message(gathering *g) {
  state *s = g->x->state;
  message *m = &s->list[s->count];
  if (!g->elements) return MPI_SUCCESS;
  *m = (message){g->other, g->sends, g->elements, MPI_DATATYPE_NULL};
  int code = MPI_Type_create_hindexed(g->count, g->length, g->at, g->x->unit, &m->type);
  if (code != MPI_SUCCESS) return code;
  s->count++; /* from now on it is freed in the end */
  g->count = 0;
  g->elements = 0;
  return MPI_Type_commit(&m->type);
}

/* A block that begins at byte `at` of the window, cut where a message is full. */
static int add_block(gathering *g, ptrdiff_t at, ptrdiff_t elements) {
  ptrdiff_t size = (ptrdiff_t)g->x->size, cap = g->x->counting.cap;
  int code = MPI_SUCCESS;
  while (elements > 0 && code == MPI_SUCCESS) {
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
    if (g->elements == cap) code = end_message(g);
  }
  return code;
}

/* All blocks from node @p from to node @p to, in the same order at both ends: by senders, and by
 * receivers of each. */
static int gather(gathering *g, int from, int to) {
  const pf_exchange *x = g->x;
  const pf_node_map *m = &x->node.node_map;
  ptrdiff_t part = (ptrdiff_t)x->node.part, size = (ptrdiff_t)x->size;
  int code = MPI_SUCCESS, first = from * m->node, end = first + pf_node_map_count(m, from);
  for (int s = first; s < end; s++) {
    pf_redist of_s = pf_node_map_redist(m, &x->redist, s);
    pf_range others = pf_node_map_span(m, s, to);
    for (int k = (int)others.lo; k < others.lo + others.len && code == MPI_SUCCESS; k++) {
      pf_piece block = pf_redist_piece(&of_s, of_s.me, k);
      int d = pf_node_map_rank(m, s, k);
      pf_redist of_d = pf_node_map_redist(m, &x->redist, d);
      ptrdiff_t at =
          g->sends ? pf_redist_send_offset(&of_s, k) : pf_redist_recv_offset(&of_d, of_s.me);
      ptrdiff_t place = (g->sends ? s : d) % m->node * part + at * size;
      code = add_block(g, place, pf_piece_elements(&block));
    }
  }
  return code == MPI_SUCCESS ? end_message(g) : code;
}

/* The messages of this rank in one direction. */
static int gather_all(gathering *g) {
  int nodes = pf_node_map_nodes(&g->x->node.node_map), mine = my_node(g->x), code = MPI_SUCCESS;
  for (int k = 1; k < nodes && code == MPI_SUCCESS; k++) {
    int b = (g->sends ? mine + k : mine - k + nodes) % nodes; /* not all to the same one at once */
    if (!speaks_here(g->x, b)) continue;
    g->other = speaks_there(g->x, b);
    code = g->sends ? gather(g, mine, b) : gather(g, b, mine);
  }
  return code;
}

/* Messages of this rank at most, and blocks of one of them. */
static void most(const pf_exchange *x, size_t *messages, size_t *blocks) {
  size_t here = (size_t)pf_node_map_count(&x->node.node_map, my_node(x)), largest = 1;
  *messages = 1;
  for (int b = 0; b < pf_node_map_nodes(&x->node.node_map); b++) {
    size_t there = (size_t)pf_node_map_count(&x->node.node_map, b);
    if (b == my_node(x) || !speaks_here(x, b)) continue;
    for (int sends = 0; sends < 2; sends++)
      *messages += (size_t)pf_counting_portions(&x->counting, elements_of(x, b, sends));
    if (there > largest) largest = there;
  }
  *blocks = here * largest + 1;
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  size_t messages, blocks;
  most(x, &messages, &blocks);
  state *s = x->state = calloc(1, sizeof *s);
  gathering g = {.x = x};
  g.length = malloc(blocks * sizeof *g.length);
  g.at = malloc(blocks * sizeof *g.at);
  if (s) s->list = malloc(messages * sizeof *s->list);
  if (s) s->request = malloc(messages * sizeof *s->request);
  if (!s || !s->list || !s->request || !g.length || !g.at)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu messages of %zu blocks", messages, blocks);
  for (; g.sends < 2 && !e->status; g.sends++) {
    int code = gather_all(&g);
    if (code != MPI_SUCCESS) pf_fail_mpi(e, code, "MPI_Type_create_hindexed");
  }
  free(g.length);
  free(g.at);
  return e->status;
}

/* ---- runs ---- */

/* All messages of this rank. */
static int transfer(pf_exchange *x, state *s) {
  char *send = x->send - (size_t)(x->node.node_map.me % x->node.node_map.node) * x->node.part;
  int code = MPI_SUCCESS;
  for (int k = 0; k < s->count && code == MPI_SUCCESS; k++) {
    const message *m = &s->list[k];
    if (m->sends)
      code = MPI_Isend(send, 1, m->type, m->other, x->tag, x->comm, &s->request[k]);
    else
      code = MPI_Irecv(x->recv, 1, m->type, m->other, x->tag, x->comm, &s->request[k]);
    if (m->sends) pf_exchange_sent(&x->sent, (double)m->elements * (double)x->size);
  }
  return code == MPI_SUCCESS ? pf_exchange_wait_all(s->request, s->count) : code;
}

static int finish(pf_exchange *x) {
  int code = MPI_Barrier(x->node.comm);
  if (pf_node_map_nodes(&x->node.node_map) == 1) return code;
  if (code == MPI_SUCCESS) code = transfer(x, x->state);
  return code == MPI_SUCCESS ? MPI_Barrier(x->node.comm) : code;
}

static void teardown(pf_exchange *x) {
  state *s = x->state;
  for (int k = 0; k < s->count; k++) MPI_Type_free(&s->list[k].type);
  free(s->list);
  free(s->request);
  free(s);
}

const pf_exchange_ops pf_exchange_node = {
    .name = "node",
    .summary = "a message per pair of nodes, of all their ranks; stores inside a node",
    .place = PF_PLACE_NODES,
    .grain = PF_GRAIN_BLOCK,
    .setup = setup,
    .finish = finish,
    .teardown = teardown};
