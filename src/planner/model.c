/* SPDX-License-Identifier: BSD-3-Clause
 * The model: what passes and exchanges cost a rank.
 *
 *   stage      S = bytes / memory + flops / rate: what goes through main memory and the arithmetic
 *              on it in cache, one after the other (T_sum; an upper bound where they overlap)
 *   exchange   m messages with B bytes go to ranks of the own node (0) and to other nodes (1):
 *              E = m0 a0 + m1 a1                the starts, which keep the rank busy
 *                + L                            the way, once; once for each round of `pairwise`
 *                + B0 / w0 and B1 / w1          of these two the longer one, and of the shorter
 *                                               what does not overlap
 *              With one message for each of the P - 1 others this is (P - 1) (a + V/P b), as in
 *              Hockney's model of latency and bandwidth; a node's link is shared by its ranks.
 *   transform  the sum of all S and E, less what is hidden: where messages leave during stage k, or
 *              stage k + 1 begins with what is there, bytes travel while the rank computes:
 *              overlap * min(B / w, those parts of both stages)
 *
 * What it leaves out: contention inside the network beyond the taper, noise, ranks out of step, the
 * caches' help for small fields, and what MPI's collective does for very small messages (Bruck).
 * Sources: Hockney, Parallel Computing 20, 1994; Culler et al., LogP, PPoPP 1993 (the start as the
 * overhead that processors pay, apart from the latency); Bell, Bonachea, Nishtala and Yelick,
 * IPDPS 2006 (overlap of the three granularities). */
#include "planner/model.h"

#include <math.h>

double pf_model_stage(const pf_geometry *o, pfft3d_direction d, int k, const pfft3d_machine *m) {
  const pf_pipeline_geometry *w = &o->pipeline[d];
  double threads = (double)o->threads; /* memory is shared by all of them, as the rate says */
  return w->bytes[k] / m->memory + w->flops[k] / (m->flops * threads);
}

/* Of the ranks that exchange with this one, the part that is on this node. */
static double inside_share(const pf_node_map *m) {
  int others = m->grid[m->dim] - 1;
  if (others < 1) return 0;
  pf_range span = pf_node_map_span(m, m->me, m->me / m->node);
  return (double)(span.len - 1) / (double)others;
}

/* Messages of the rank that sends most of those from node to node, which its ranks take in turn:
 * rank 0 of the first node may have none. */
static double node_messages(const pf_node_map *m) {
  int nodes = pf_node_map_nodes(m);
  int node = m->node < m->ranks ? m->node : m->ranks;
  int with = m->dim == 1 ? (m->grid[1] - 1) / node + 1 : m->grid[1] >= node ? m->grid[0] : nodes;
  if (with > nodes) with = nodes;
  return ceil((double)(with - 1) / node);
}

/* Nodes beyond a group share less than their links. */
static double link_rate(const pf_geometry *o, const pfft3d_machine *m) {
  int nodes = (o->ranks - 1) / o->node_ranks + 1;
  double share = m->group && nodes > m->group && m->taper ? m->taper : 1;
  int sharing = o->node_ranks < o->ranks ? o->node_ranks : o->ranks;
  return m->bandwidth[1] * share / sharing;
}

double pf_model_worth(const pf_geometry *o, const pfft3d_machine *m) {
  if (o->node_ranks >= o->ranks) return m->start[0] * m->bandwidth[0];
  return m->start[1] * link_rate(o, m);
}

/* Bytes for other nodes, where they pass through memory that the node shares. */
static double leaving_bytes(const pf_geometry *o, const pf_pipeline_geometry *w, int k,
                            double inside) {
  double out = inside < 1 ? (double)pf_redist_send_elements(&w->redist[k]) * (double)o->wire : 0;
  return out * (1 - inside);
}

double pf_model_memory(const pf_geometry *o, const pf_pipeline_geometry *w, int k,
                       const pfft3d_machine *m) {
  double bytes = 0;
  if (o->ranks < 2 || w->redist[k].ranks < 2) return 0;
  if (o->exchange->place == PF_PLACE_NODES)
    bytes = leaving_bytes(o, w, k, inside_share(&w->node_map[k]));
  /* datatypes are packed and unpacked by MPI: once more through memory on both sides */
  if (o->exchange->place == PF_PLACE_BOXES) bytes = w->sent[k].bytes + w->received[k];
  return 2 * bytes / m->memory;
}

/* An exchange by itself: what keeps the rank busy, and what travels, inside and between nodes. */
typedef struct travel {
  double busy, way[2];
} travel;

static travel exchange_travel(const pf_geometry *o, const pf_pipeline_geometry *w, int k,
                              const pfft3d_machine *m) {
  const pf_exchange_ops *ops = o->exchange;
  double inside = inside_share(&w->node_map[k]), ranks = w->redist[k].ranks;
  double steps = log2(ranks > 1 ? ranks : 1), count = w->sent[k].messages, bytes = w->sent[k].bytes;
  double barrier = 2 * steps * (m->start[0] + m->latency[0]);
  travel t = {0};
  if (ops->place == PF_PLACE_OWNERS) {
    t.busy = barrier;
  } else if (ops->place == PF_PLACE_NODES) {
    double out = leaving_bytes(o, w, k, inside);
    double most = node_messages(&w->node_map[k]);
    if (out > 0 && most > count) count = most;
    t.busy = 2 * barrier + count * m->start[1];
    t.way[1] = out > 0 ? m->latency[1] + out / link_rate(o, m) : 0;
  } else {
    double part[2] = {inside, 1 - inside}, rate[2] = {m->bandwidth[0], link_rate(o, m)};
    double handshake = ops->windows ? 2 * (ranks - 1) : 0;
    for (int level = 0; level < 2; level++) {
      double rounds = ops->serial ? count * part[level] : part[level] > 0;
      t.busy += (count + handshake) * part[level] * m->start[level];
      if (bytes > 0) t.way[level] = rounds * m->latency[level] + bytes * part[level] / rate[level];
    }
  }
  t.busy += pf_model_memory(o, w, k, m);
  return t;
}

/* Of stages k and k + 1, what can go on while exchange k travels. */
static double window(const pf_geometry *o, const pf_pipeline_geometry *w, int k,
                     const double *stage) {
  const pf_exchange_ops *ops = o->exchange;
  const pf_redist *r = &w->redist[k];
  if (ops->grain <= PF_GRAIN_BLOCK || !ops->progress) return 0;
  double planes = (double)pf_redist_before(r, r->me, r->outer).len;
  double seconds = planes > 1 ? stage[k] * (1 - 1 / planes) : 0;
  pf_cut cut = pf_exchange_cut(ops, r, o->wire, r->me, (r->me + 1) % r->ranks);
  int last = k == w->route.steps - 2; /* others use the memories again, and wait for everything */
  if (cut.part && last && o->matrix.n[0] == 0) {
    double parts = ceil((double)cut.block.lines / (double)cut.part);
    seconds += stage[k + 1] * (1 - 1 / parts);
  }
  return seconds;
}

pf_cost pf_model_pipeline(const pf_geometry *o, pfft3d_direction d, const pfft3d_machine *m) {
  const pf_pipeline_geometry *w = &o->pipeline[d];
  double stage[PF_STEPS] = {0};
  pf_message_count others = w->messages;
  pf_cost c = {0};
  for (int k = 0; k < w->route.steps; k++) c.passes += stage[k] = pf_model_stage(o, d, k, m);
  c.seconds = c.passes;
  for (int k = 0; k < w->route.steps - 1 && o->ranks > 1; k++) {
    if (w->redist[k].ranks < 2) continue;
    travel t = exchange_travel(o, w, k, m);
    int longer = t.way[1] > t.way[0];
    double both = t.way[longer] + (1 - m->overlap[!longer]) * t.way[!longer];
    double open = window(o, w, k, stage);
    double hidden = m->overlap[longer] * (open < both ? open : both);
    c.exchanges += t.busy + both;
    c.seconds += t.busy + both - hidden;
    others.messages -= w->sent[k].messages;
    others.bytes -= w->sent[k].bytes;
  }
  if (others.messages > 0) { /* edges of blocks that are cut inside a row, to neighbours */
    int level = o->node_ranks < o->ranks;
    double rate = level ? link_rate(o, m) : m->bandwidth[0];
    double edges = others.messages * m->start[level] + m->latency[level] + others.bytes / rate;
    c.exchanges += edges;
    c.seconds += edges;
  }
  return c;
}
