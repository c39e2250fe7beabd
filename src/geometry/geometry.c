/* SPDX-License-Identifier: BSD-3-Clause
 * The geometry of a decision, for any rank of any number of ranks, without MPI: the part common to
 * all schemes. */
#include "geometry/geometry.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/hooks.h"
#include "base/shared.h"
#include "request/problem.h"

/* ---- sums ---- */

void pf_stats_add_messages(pfft3d_stats *s, const pf_message_count *c) {
  pf_message_count sum = {s->messages, s->bytes, s->bytes_min, s->bytes_max};
  pf_message_count_add(&sum, c);
  s->messages = sum.messages;
  s->bytes = sum.bytes;
  s->bytes_min = sum.bytes_min;
  s->bytes_max = sum.bytes_max;
}

void pf_stats_add_part(pfft3d_stats *sum, const pfft3d_stats *part) {
  pf_message_count sent = {part->messages, part->bytes, part->bytes_min, part->bytes_max};
  pf_stats_add_messages(sum, &sent);
  sum->post_s += part->post_s;
  sum->wait_s += part->wait_s;
  sum->traffic += part->traffic;
  sum->stored += part->stored;
}

/* By the convention 5 n log2 n. */
void pf_geometry_add_flops(pf_pipeline_geometry *w, int k, double points, ptrdiff_t n) {
  w->flops[k] += 5 * points * log2((double)n);
}

void pf_geometry_add_bytes(pf_pipeline_geometry *w, int k, double bytes) {
  w->bytes[k] += bytes;
  w->traffic += bytes;
}

double pf_geometry_groups(const pf_geometry *g) {
  return g->group > 0 ? (double)g->fields / (double)g->group
                      : 1; /* 0: a redistribution between boxes */
}

/* An exchange reads the data sent and writes the data received, for each group of a batch. */
static void add_exchanges(pf_geometry *g, int direction) {
  pf_pipeline_geometry *w = &g->pipeline[direction];
  pf_exchange_sequence *q = &g->memory.sequence[direction];
  double groups = pf_geometry_groups(g);
  for (int k = 0; k < q->count; k++) {
    q->sent[k].messages *= groups;
    q->sent[k].bytes *= groups;
    q->received[k] *= groups;
    q->stored[k] *= groups;
    w->stored += q->stored[k];
    w->traffic += q->sent[k].bytes + q->received[k];
    pf_message_count_add(&w->messages, &q->sent[k]);
  }
}

/* ---- the precision between ranks ---- */

/* Direct exchanges store data unconverted. */
pfft3d_precision pf_geometry_wire_precision(const pf_geometry *g) {
  const pf_decision *d = &g->decision;
  int narrow = d->wire == PFFT3D_SINGLE && g->ranks > 1 && !d->exchange->direct;
  return narrow ? PFFT3D_SINGLE : d->problem.precision;
}

size_t pf_geometry_wire(const pf_geometry *g, size_t element) {
  return pf_geometry_wire_precision(g) == g->decision.problem.precision ? element : element / 2;
}

/* ---- components ---- */

pfft3d_box pf_geometry_rows(const pf_geometry *g, const pfft3d_box *given) {
  pfft3d_box box = *given;
  if (g->components == 1) return box;
  box.len[2] *= g->components;
  box.stride[2] = 1;
  return box;
}

/* ---- all of it ---- */

int pf_geometry_make(const pf_decision *d, int ranks, int rank, pf_geometry *g, pfft3d_error *e) {
  *g = (pf_geometry){.decision = *d,
                     .ranks = ranks,
                     .rank = rank,
                     .components = 1,
                     .fields = d->problem.batch,
                     .group = 1,
                     .shared_array = d->shared_array};
  g->element = pf_problem_element(&d->problem);
  g->memory.ops = d->exchange;
  g->memory.ranks = ranks;
  g->memory.rank = rank;
  int node = d->node_ranks > 0 ? d->node_ranks : 1;
  g->memory.node_ranks = node < ranks ? node : ranks;
  g->memory.cap = pf_hooks.max_count;
  g->memory.stores = d->names.local == PFFT3D_LOCAL_STORES;
  PF_TRY(d->scheme->geometry(g, e));
  for (int side = 0; side < 2; side++)
    if (g->side_bytes[side] > g->user_bytes) g->user_bytes = g->side_bytes[side];
  g->shared_array = pf_shared_bytes(g->shared_array);
  for (int k = 0; k < 2; k++)
    if (g->pipeline[k].pull || (g->pipeline[k].push && !g->pipeline[k].fits))
      g->memory.staged = g->shared_array;
  pf_exchange_lay_out(&g->memory);
  for (int direction = 0; direction < 2; direction++) add_exchanges(g, direction);
  for (int s = 0; s < PF_SLOTS; s++)
    g->work_bytes += g->memory.bytes[s] * (s < PF_SLOT_PLANE ? 1 : (size_t)d->threads);
  g->work_bytes += g->copy_bytes;
  return PFFT3D_OK;
}

int pf_geometry_reaches(const pf_geometry *g) {
  return g->pipeline[0].pull || g->pipeline[0].push || g->pipeline[1].pull || g->pipeline[1].push;
}

/* The number of coordinates along a dimension of the grid at which no axis has an empty part.
 * Coordinates with parts of the same lengths are counted together. */
static int busy_along(const pf_geometry *g, int dim) {
  int parts = g->decision.names.grid[dim], busy = 0;
  for (int c = 0, next; c < parts; c = next) {
    int holds = 1;
    next = parts;
    for (int k = 0; k < 2 * 3; k++) {
      const pf_layout *l = &g->layout[k / 3];
      int a = k % 3;
      if (l->dim[a] != dim) continue;
      int same = pf_cuts_next(&l->cuts[a], l->n[a], parts, c);
      if (same < next) next = same;
      holds = holds && pf_cuts_part(&l->cuts[a], l->n[a], parts, c).len;
    }
    if (holds) busy += next - c;
  }
  return busy;
}

int pf_geometry_busy(const pf_geometry *g) {
  return busy_along(g, 0) * busy_along(g, 1);
}

static unsigned long long hash_text(unsigned long long hash, const char *text) {
  return pf_hash(hash, text, strlen(text));
}

#define HASH(member) hash = pf_hash(hash, &(member), sizeof(member))

unsigned long long pf_geometry_hash(const pf_geometry *g) {
  const pfft3d_problem *p = &g->decision.problem;
  const pfft3d_decision *names = &g->decision.names;
  char text[512];
  unsigned long long hash = hash_text(PF_HASH_START, pfft3d_problem_print(p, text, sizeof text));
  hash = hash_text(hash, pfft3d_decision_print(names, text, sizeof text));
  unsigned long long cuts = pf_cut_wish_hash(&g->decision.cuts);
  HASH(cuts);
  pfft3d_precision wire = pf_geometry_wire_precision(g);
  HASH(wire);
  HASH(g->group);
  HASH(g->memory.node_ranks);
  for (int d = 0; d < 2; d++) {
    HASH(g->pipeline[d].route.stage);
    HASH(g->pipeline[d].route.exchange);
  }
  return hash;
}
