/* SPDX-License-Identifier: BSD-3-Clause
 * The model: the cost of passes and exchanges on a rank.
 *
 *   stage      S = bytes / memory + flops / rate: traffic of main memory plus arithmetic in cache
 *              (T_sum; an upper bound where they overlap).  Arrays that fit the caches are read and
 *              written at their rate
 *   exchange   m messages with B bytes go to ranks on the same node (0) and to other nodes (1):
 *              E = m0 a0 + m1 a1                the starts, which occupy the rank
 *                + L                            the latency, once (`pairwise`: in each round)
 *                + B0 / w0 and B1 / w1          the longer one, and the part of the shorter one
 *                                               that does not overlap
 *              With one message for each of the P - 1 others this is (P - 1) (a + V/P b), as in
 *              Hockney's model of latency and bandwidth; a node's link is shared by its ranks, and
 *              the node with the most partners elsewhere counts.  Nodes whose messages meet on one
 *              path of the network share that, too
 *   transform  the sum of all S and E, minus the hidden time: if messages are sent during stage k,
 *              or stage k + 1 begins with a part of the data, bytes travel while the rank computes:
 *              overlap * min(B / w, these parts of both stages)
 *
 * The model neglects other jobs on the network, noise, skew between ranks, and the algorithms of
 * MPI for very small messages (Bruck).
 * Sources: Hockney, Parallel Computing 20, 1994; Culler et al., LogP, PPoPP 1993 (the start as the
 * overhead that processors pay, apart from the latency); Bell, Bonachea, Nishtala and Yelick,
 * IPDPS 2006 (overlap of the three granularities); Hoefler, Schneider and Lumsdaine, CLUSTER 2008
 * (static routing loses half of the bisection). */
#include "planner/planner.h"

#include <math.h>

#include "line/work.h"

/* Bytes/s of the passes.  If the arrays of both sides fit a rank's caches, they stay there between
 * passes; of arrays twice as large nothing stays, as the oldest lines are replaced first. */
static double pass_rate(const pf_geometry *g, const pfft3d_machine *m) {
  double bytes = (double)(g->side_bytes[0] + g->side_bytes[1]) / pf_geometry_groups(g);
  double inside = m->cache > 0 && m->cached > 0 ? fmin(1, fmax(0, 2 - bytes / m->cache)) : 0;
  return inside > 0 ? 1 / (inside / m->cached + (1 - inside) / m->memory) : m->memory;
}

/* Seconds of stage k of a direction alone, on the rank of the geometry. */
static double stage_seconds(const pf_geometry *g, pfft3d_direction d, int k,
                            const pfft3d_machine *m) {
  const pf_pipeline_geometry *w = &g->pipeline[d];
  double threads = (double)g->decision.threads; /* the memory rate is of all threads together */
  return w->bytes[k] / pass_rate(g, m) + w->flops[k] / (m->flops * threads);
}

/* The maximum number of messages between nodes that a rank sends; the ranks of a node share them,
 * and rank 0 of the first node may have none. */
static double node_messages(const pf_node_map *m) {
  int nodes = pf_node_map_nodes(m);
  int node = m->node < m->ranks ? m->node : m->ranks;
  int with = m->dim == 1 ? (m->grid[1] - 1) / node + 1 : m->grid[1] >= node ? m->grid[0] : nodes;
  if (with > nodes) with = nodes;
  return ceil((double)(with - 1) / node);
}

/* The mean number of nodes on the busiest path.  The route of each message is fixed, independent of
 * other messages: nodes that all send at once choose paths up and down like balls in bins, and
 * exchanges wait for the slowest.  The number on one path has a Poisson distribution: the maximum
 * over paths is certainly above the mean less 10 deviations, and below the mean plus 10, or plus 31
 * if that is more.  The sum runs downwards, as the small probabilities of many nodes keep their
 * digits, in steps of a small part of a deviation. */
static double meeting(double nodes, double paths) {
  double each = nodes / paths, deviation = sqrt(each), step = 1 + floor(deviation / 32);
  double m = floor(each + 10 * deviation) + 31, above = 0, mean = 0;
  int sign;
  while (m > 0 && m > each - 10 * deviation) { /* m or more on one path, and on any */
    double possible = fmax(0, fmin(step, nodes - m + step));
    above = fmin(1, above + step * exp(m * log(each) - each - lgamma_r(m + 1, &sign)));
    mean += possible * -expm1(2 * paths * log1p(-above));
    m -= step;
  }
  return fmax(1, mean + m);
}

/* Between groups, nodes share less bandwidth than their links have. */
static double link_rate(const pf_geometry *g, const pfft3d_machine *m) {
  int nodes = (g->ranks - 1) / g->memory.node_ranks + 1;
  double share = m->group && nodes > m->group && m->taper ? m->taper : 1;
  if (m->paths > 0) share /= meeting(nodes, m->paths);
  int sharing = g->memory.node_ranks < g->ranks ? g->memory.node_ranks : g->ranks;
  return m->bandwidth[1] * share / sharing;
}

double pf_model_worth(const pf_geometry *g, const pfft3d_machine *m) {
  if (g->memory.node_ranks >= g->ranks) return m->start[0] * m->bandwidth[0];
  return m->start[1] * link_rate(g, m);
}

/* The terms of exchange k of all groups of fields, which exchange one after another. */
static pf_exchange_terms terms_of(const pf_geometry *g, pfft3d_direction d, int k) {
  const pf_exchange_sequence *q = &g->memory.sequence[d];
  pf_exchange_terms terms = pf_exchange_terms_of(&g->memory, (int)d, k);
  double groups = pf_geometry_groups(g);
  if (terms.by_node) /* for the busiest node */
    terms.copied = (double)pf_redist_send_elements(&q->redist[k]) * (double)q->wire[k] *
                   pf_node_map_outside(&q->node_map[k]);
  terms.copied *= groups;
  terms.handshakes *= groups;
  terms.barriers *= groups;
  return terms;
}

/* Seconds of additional copies in exchange k of a direction: MPI packs datatypes, or a node sends
 * from shared memory. */
static double copy_seconds(const pf_geometry *g, pfft3d_direction d, int k,
                           const pfft3d_machine *m) {
  if (g->ranks < 2 || g->memory.sequence[d].redist[k].ranks < 2) return 0;
  return 2 * terms_of(g, d, k).copied / m->memory;
}

/* An exchange by itself: seconds that keep the rank busy, and transfer times inside and between
 * nodes. */
typedef struct travel {
  pf_exchange_terms terms;
  double busy, way[2];
} travel;

/* Adds the messages of each rank to others, on its node and elsewhere. */
static void add_messages(const pf_geometry *g, const pf_exchange_sequence *q, int k,
                         const pfft3d_machine *m, travel *t) {
  double outside = t->terms.stored ? 1 : pf_node_map_outside(&q->node_map[k]);
  double ranks = q->redist[k].ranks;
  double count = q->sent[k].messages, bytes = q->sent[k].bytes;
  double part[2] = {1 - outside, outside}, rate[2] = {m->bandwidth[0], link_rate(g, m)};
  double handshakes = t->terms.handshakes * (ranks - 1);
  for (int level = 0; level < 2; level++) {
    double rounds = t->terms.serial ? count * part[level] : part[level] > 0;
    t->busy += (count + handshakes) * part[level] * m->start[level];
    if (bytes > 0) t->way[level] = rounds * m->latency[level] + bytes * part[level] / rate[level];
  }
}

/* Adds the messages of each node to others, for all of its ranks. */
static void add_node_messages(const pf_geometry *g, const pf_exchange_sequence *q, int k,
                              const pfft3d_machine *m, travel *t) {
  double count = q->sent[k].messages, most = node_messages(&q->node_map[k]);
  if (t->terms.copied > 0 && most > count) count = most;
  t->busy += count * m->start[1];
  if (t->terms.copied > 0) t->way[1] = m->latency[1] + t->terms.copied / link_rate(g, m);
}

/* A barrier takes log2 P rounds; in each a flag in shared memory takes at most as long as a
 * message. */
static travel exchange_travel(const pf_geometry *g, pfft3d_direction d, int k,
                              const pfft3d_machine *m) {
  const pf_exchange_sequence *q = &g->memory.sequence[d];
  pf_exchange_terms terms = terms_of(g, d, k);
  double ranks = q->redist[k].ranks, steps = log2(ranks > 1 ? ranks : 1);
  travel t = {.terms = terms, .busy = terms.barriers * steps * (m->start[0] + m->latency[0])};
  (terms.by_node ? add_node_messages : add_messages)(g, q, k, m, &t);
  t.busy += copy_seconds(g, d, k, m);
  return t;
}

/* The longer transfer, and the part of the shorter one that does not overlap. */
static double way_seconds(const travel *t, const pfft3d_machine *m) {
  int longer = t->way[1] > t->way[0];
  return t->way[longer] + (1 - m->overlap[!longer]) * t->way[!longer];
}

/* Seconds of stages k and k + 1 that can overlap exchange k. */
static double overlapping(const pf_geometry *g, pfft3d_direction d, int k, const double *stage) {
  const pf_exchange_ops *ops = g->decision.exchange;
  const pf_exchange_sequence *q = &g->memory.sequence[d];
  const pf_redist *r = &q->redist[k];
  if (!pf_exchange_early(ops) || !ops->progress) return 0;
  double planes = (double)pf_redist_before(r, r->me, r->outer).len;
  double seconds = planes > 1 ? stage[k] * (1 - 1 / planes) : 0;
  pf_cut cut = pf_exchange_cut(ops, r, q->wire[k], r->me, (r->me + 1) % r->ranks);
  int last = k == q->count - 1; /* earlier ones reuse the buffers, and wait for all messages */
  if (cut.part && last && !g->vector[0].ranks) {
    double parts = ceil((double)cut.block.lines / (double)cut.part);
    seconds += stage[k + 1] * (1 - 1 / parts);
  }
  return seconds;
}

/* Seconds of the messages to neighbours for the edges of blocks that are cut inside a row. */
static double edge_seconds(const pf_geometry *g, pfft3d_direction d, const pfft3d_machine *m) {
  const pf_exchange_sequence *q = &g->memory.sequence[d];
  pf_message_count others = g->pipeline[d].messages;
  for (int k = 0; k < q->count; k++) {
    if (g->ranks < 2 || q->redist[k].ranks < 2) continue;
    others.messages -= q->sent[k].messages;
    others.bytes -= q->sent[k].bytes;
  }
  if (!(others.messages > 0)) return 0;
  int level = g->memory.node_ranks < g->ranks;
  double rate = level ? link_rate(g, m) : m->bandwidth[0];
  return others.messages * m->start[level] + m->latency[level] + others.bytes / rate;
}

pf_cost pf_model_pipeline(const pf_geometry *g, pfft3d_direction d, const pfft3d_machine *m) {
  const pf_exchange_sequence *q = &g->memory.sequence[d];
  double stage[PF_STAGES] = {0}, edges = edge_seconds(g, d, m);
  pf_cost c = {0};
  for (int k = 0; k <= q->count; k++) c.passes += stage[k] = stage_seconds(g, d, k, m);
  c.seconds = c.passes;
  for (int k = 0; k < q->count && g->ranks > 1; k++) {
    if (q->redist[k].ranks < 2) continue;
    travel t = exchange_travel(g, d, k, m);
    int longer = t.way[1] > t.way[0];
    double both = way_seconds(&t, m);
    double open = overlapping(g, d, k, stage);
    double hidden = m->overlap[longer] * (open < both ? open : both);
    c.exchanges += t.busy + both;
    c.seconds += t.busy + both - hidden;
  }
  c.exchanges += edges;
  c.seconds += edges;
  return c;
}

double pf_model_exchange(const pf_geometry *g, pfft3d_direction d, const pfft3d_machine *m) {
  travel t = exchange_travel(g, d, 0, m);
  return t.busy + way_seconds(&t, m);
}

void pf_model_simulate(pfft3d_plan *plan, const pfft3d_machine *m) {
  pf_pipelines *p;
  if (!PF_SIMULATED || !(m->flops > 0) || !(m->memory > 0)) return;
  for (int number = 0; (p = pf_plan_pipelines_at(plan, number)); number++) {
    p->flops = m->flops;
    for (int d = 0; d < 2; d++)
      for (int k = 0; k < p->pipeline[d].stages; k++) {
        pf_pipeline *w = &p->pipeline[d];
        w->stage_s[k] = stage_seconds(&p->geometry, (pfft3d_direction)d, k, m);
        if (k < w->sequence->count)
          w->memory_s[k] = copy_seconds(&p->geometry, (pfft3d_direction)d, k, m);
      }
  }
}
