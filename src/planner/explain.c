/* SPDX-License-Identifier: BSD-3-Clause
 * Operations and memory of a plan: the maximum of each figure over ranks.  The figures of a rank
 * are sums over the steps of a forward transform, which are those of the plan (plan/steps.c). */
#include <math.h>
#include <stdio.h>

#include "base/hooks.h"
#include "line/work.h"
#include "redist/boxed.h"
#include "geometry/field.h"
#include "planner/planner.h"

/* The steps of a forward transform on one rank, and memory. */
typedef struct sums {
  int ranks, rank;
  int count;
  pf_dry_step step[PF_STEPS];
  double work, buffer; /* buffers in all; the largest array of any pipeline */
  double user, sides;  /* bytes of the caller's arrays: the larger one, and both */
  int shared;          /* arrays are in shared memory */
} sums;

static pf_dry_step *add_step(sums *s, const pf_step_ops *ops) {
  PF_ASSERT(s->count < PF_STEPS);
  s->step[s->count] = (pf_dry_step){.name = ops->name};
  return &s->step[s->count++];
}

/* The maxima of each step. */
static void add_steps_maxima(const sums *s, pf_explained *x) {
  for (int k = 0; k < s->count; k++) {
    const pf_dry_step *from = &s->step[k];
    pfft3d_explained_step *to = &x->step[k];
    snprintf(to->kind, sizeof to->kind, "%s", from->name);
    to->exchanges = from->exchanges;
    to->messages = fmax(to->messages, from->messages.messages);
    to->bytes = fmax(to->bytes, from->messages.bytes);
    to->stored_bytes = fmax(to->stored_bytes, from->stored);
    to->traffic = fmax(to->traffic, from->traffic);
    to->seconds = fmax(to->seconds, from->cost.seconds);
  }
  x->steps = s->count;
}

static void add_maxima(const sums *s, pf_explained *all) {
  pfft3d_explanation *x = &all->sums;
  pf_dry_step sum = {.name = NULL};
  for (int k = 0; k < s->count; k++) pf_dry_step_add(&sum, &s->step[k]);
  const pf_message_count *m = &sum.messages;
  x->messages = fmax(x->messages, m->messages);
  x->bytes = fmax(x->bytes, m->bytes);
  x->stored_bytes = fmax(x->stored_bytes, sum.stored);
  if (m->messages > 0 && (x->bytes_min == 0 || m->bytes_min < x->bytes_min))
    x->bytes_min = m->bytes_min;
  x->bytes_max = fmax(x->bytes_max, m->bytes_max);
  x->seconds = fmax(x->seconds, sum.cost.seconds);
  x->pass_seconds = fmax(x->pass_seconds, sum.cost.passes);
  x->exchange_seconds = fmax(x->exchange_seconds, sum.cost.exchanges);
  x->user_bytes = fmax(x->user_bytes, s->user);
  x->work_bytes = fmax(x->work_bytes, s->work);
  if (s->sides > 0) x->passes = fmax(x->passes, sum.traffic / s->sides);
  x->exchanges = sum.exchanges;
  add_steps_maxima(s, all);
}

void pf_dry_step_add(pf_dry_step *sum, const pf_dry_step *step) {
  pf_message_count_add(&sum->messages, &step->messages);
  sum->cost.seconds += step->cost.seconds;
  sum->cost.passes += step->cost.passes;
  sum->cost.exchanges += step->cost.exchanges;
  sum->stored += step->stored;
  sum->traffic += step->traffic;
  sum->exchanges += step->exchanges;
}

/* ---- redistributions ---- */

static void set_move(const pf_geometry *g, const pf_moves_dry *move, pfft3d_direction direction,
                     const pfft3d_machine *m, pf_dry_step *step) {
  const pf_geometry like = {
      .decision = g->decision, .ranks = g->ranks, .rank = g->rank, .memory = move->memory};
  double seconds = move->copied / m->memory;
  if (g->ranks > 1) seconds += pf_model_exchange(&like, direction, m);
  *step = (pf_dry_step){.name = pf_step_redist.name,
                        .messages = move->memory.sequence[direction].sent[0],
                        .cost = {seconds, 0, seconds},
                        .traffic = move->copied,
                        .exchanges = 1};
}

/* ---- fields ---- */

/* By a rule, rank 0 has the largest part, and the largest cost. */
static int add_field(const pf_resolved *r, int ranks, int rank, pf_explained *x, pfft3d_error *e) {
  pf_geometry g;
  pf_boxed_cost boxed;
  pfft3d_explanation *sum = &x->sums;
  PF_TRY(pf_geometry_make(&r->field, ranks, rank, &g, e));
  PF_TRY(pf_boxed_figures(&g, PFFT3D_FORWARD, &r->request.machine, &boxed, e));
  const pf_pipeline_geometry *w = &g.pipeline[PFFT3D_FORWARD];
  sums s = {.work = (double)g.work_bytes + boxed.work, .user = boxed.user, .sides = boxed.sides};
  double redist_bytes = 0;
  sum->redistributions = 0;
  for (int side = 0; side < 2; side++) {
    pf_dry_step *pipeline = side ? add_step(&s, &pf_step_pipeline) : NULL;
    if (pipeline) {
      pipeline->messages = w->messages;
      pipeline->stored = w->stored;
      pipeline->traffic = w->traffic;
      pipeline->exchanges = w->crossings;
      if (rank == 0 || pf_cut_wish_lists(&r->field.cuts) || r->field.boxes)
        pipeline->cost = pf_model_pipeline(&g, PFFT3D_FORWARD, &r->request.machine);
    }
    if (!boxed.move[side].name) continue;
    *add_step(&s, &pf_step_redist) = boxed.move[side];
    redist_bytes += boxed.move[side].messages.bytes;
    sum->redistributions++;
  }
  sum->redist_bytes = fmax(sum->redist_bytes, redist_bytes);
  add_maxima(&s, x);
  return PFFT3D_OK;
}

static void add_coordinate(int c, int at[], int *count) {
  for (int i = 0; i < *count; i++)
    if (at[i] == c) return;
  at[(*count)++] = c;
}

/* Parts by a rule have two or three lengths: a rank's sends and memory depend only on its length
 * along every axis.  Therefore the coordinates where the length along any axis changes suffice for
 * a dimension of the grid.  Returns their number. */
static int corner_coordinates(const pf_geometry *g, int dim, int at[]) {
  int count = 0, parts = g->decision.names.grid[dim];
  const pf_cuts rule = {g->decision.cuts.rule, NULL};
  add_coordinate(0, at, &count);
  add_coordinate(parts - 1, at, &count);
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) {
      ptrdiff_t n = g->layout[side].n[a];
      for (int c = pf_cuts_next(&rule, n, parts, 0); c < parts;
           c = pf_cuts_next(&rule, n, parts, c)) {
        add_coordinate(c - 1, at, &count);
        add_coordinate(c, at, &count);
      }
    }
  return count;
}

enum { corners = 2 + 2 * 3 * 2 * 2 }; /* the ends, and both sides of at most two changes */

/* The ranks at these coordinates of both dimensions. */
static int corner_ranks(const pf_geometry *g, int rank[corners * corners]) {
  int at[2][corners], count[2], ranks = 0;
  for (int dim = 0; dim < 2; dim++) count[dim] = corner_coordinates(g, dim, at[dim]);
  for (int i = 0; i < count[0]; i++)
    for (int j = 0; j < count[1]; j++)
      rank[ranks++] = at[0][i] * g->decision.names.grid[1] + at[1][j];
  return ranks;
}

/* The nodes of these ranks and their neighbours, and the last two nodes.  Returns their number. */
static int corner_nodes(const int rank[], int count, int each, int nodes,
                        int node[3 * corners * corners + 2]) {
  int found = 0;
  for (int i = 0; i < 3 * count; i++) {
    int n = rank[i / 3] / each + i % 3 - 1;
    if (n >= 0 && n < nodes) add_coordinate(n, node, &found);
  }
  add_coordinate(nodes - 1, node, &found);
  if (nodes > 1) add_coordinate(nodes - 2, node, &found);
  return found;
}

/* Nonzero if ranks send for their nodes, or only to other nodes. */
static int by_node(const pf_geometry *g) {
  if (!g->memory.sequence[PFFT3D_FORWARD].count) return 0;
  pf_exchange_terms terms = pf_exchange_terms_of(&g->memory, PFFT3D_FORWARD, 0);
  return terms.by_node || terms.stored;
}

/* Adds all ranks, as lists of cuts have about as many entries; with boxes, which are compared with
 * those of all ranks, only as many ranks as take about a second. */
static int explain_each(const pf_resolved *r, int ranks, pf_explained *x, pfft3d_error *e) {
  enum { pairs = 1 << 20, least = 16 };
  int most = pairs / ranks > least ? pairs / ranks : least;
  int step = r->field.boxes && ranks > most ? (ranks - 1) / most + 1 : 1;
  for (int k = 0; k < ranks; k += step) PF_TRY(add_field(r, ranks, k, x, e));
  return PFFT3D_OK;
}

/* Number of ranks without elements of the caller's boxes on some side. */
static int idle_boxes(const pf_geometry *g) {
  int idle = 0;
  for (int k = 0; k < g->ranks; k++) {
    int empty = 0;
    for (int side = 0; side < 2; side++) {
      pfft3d_box box;
      pf_field_box(g, (pfft3d_side)side, k, &box);
      if (g->decision.boxes->box[side]) box = g->decision.boxes->box[side][k];
      empty = empty || !pf_box_elements(&box);
    }
    idle += empty;
  }
  return idle;
}

/* Adds the ranks of all coordinates where a length changes.  Ranks that send for their nodes may be
 * anywhere on the grid: then all ranks, or if they are too many, the ranks of the nodes around each
 * change and of the last nodes. */
int pf_explain_field(const pf_resolved *r, int ranks, pf_explained *x, pfft3d_error *e) {
  enum { few = 1 << 18 };
  pf_geometry g;
  int rank[corners * corners], at[3 * corners * corners + 2];
  PF_TRY(pf_geometry_make(&r->field, ranks, 0, &g, e));
  x->sums.decision = r->request.decision;
  x->sums.wire = pf_geometry_wire_precision(&g);
  x->sums.idle_ranks = r->field.boxes ? idle_boxes(&g) : ranks - pf_geometry_busy(&g);
  if (pf_cut_wish_lists(&r->field.cuts) || r->field.boxes) return explain_each(r, ranks, x, e);
  int count = corner_ranks(&g, rank), each = g.memory.node_ranks, nodes = (ranks - 1) / each + 1;
  if (!by_node(&g)) {
    for (int i = 0; i < count; i++) PF_TRY(add_field(r, ranks, rank[i], x, e));
    return PFFT3D_OK;
  }
  int all = (double)ranks * nodes <= few;
  int visited = all ? nodes : corner_nodes(rank, count, each, nodes, at);
  for (int i = 0; i < visited; i++) {
    int first = (all ? i : at[i]) * each;
    for (int k = 0; k < each && k < ranks - first; k++)
      PF_TRY(add_field(r, ranks, first + k, x, e));
  }
  return PFFT3D_OK;
}

/* ---- lines ---- */

/* A line, or the line inside one with a kind. */
typedef struct line_item {
  const pfft3d_request *request;
  const pf_line_choice *choice;
} line_item;

/* Adds pipelines. */
static int add_pipeline(const line_item *l, const pf_line_step *step, sums *s, pf_explained *x,
                        pfft3d_error *e) {
  const pf_line_choice *c = l->choice;
  pf_decision d;
  pf_geometry g;
  int alone = c->butterfly && step->plan == PF_LINE_CORE;
  double times = (double)pf_line_times(c);
  pf_line_part(l->request, c, step->plan, &d);
  PF_TRY(pf_geometry_make(&d, alone ? 1 : s->ranks, alone ? 0 : s->rank, &g, e));
  const pf_pipeline_geometry *w = &g.pipeline[step->direction];
  const pf_cost cost = pf_model_pipeline(&g, step->direction, &l->request->machine);
  pf_dry_step *to = add_step(s, &pf_step_pipeline);
  to->messages = w->messages;
  to->messages.messages *= times;
  to->messages.bytes *= times;
  to->cost = (pf_cost){times * cost.seconds, times * cost.passes, times * cost.exchanges};
  to->stored = times * w->stored;
  to->traffic = times * w->traffic;
  to->exchanges = alone ? 0 : (int)times * w->crossings;
  s->work += (double)g.work_bytes;
  s->buffer = fmax(s->buffer, (double)g.user_bytes);
  if (c->chirp && step->plan == PF_LINE_CORE) /* for the transform of the kernel */
    s->work += (double)pf_vector_count(&g.vector[PFFT3D_SPECTRUM], s->rank) * (double)g.element;
  s->shared |= !alone && pf_geometry_reaches(&g);
  if (step->plan == PF_LINE_CORE) x->sums.wire = pf_geometry_wire_precision(&g);
  return PFFT3D_OK;
}

/* Sets a local step.  An exchange in it, as in a butterfly, reads both halves and writes one,
 * without overlap.  The last exchanges are between nodes, if there are several. */
static void set_local(const line_item *l, const pf_line_step *step, const sums *s,
                      pf_dry_step *to) {
  const pf_line_choice *c = l->choice;
  const pfft3d_request *r = l->request;
  const pfft3d_machine *m = &r->machine;
  size_t element = pf_element(r->problem.precision);
  double bytes =
      (double)(pf_line_together(c) * pf_vector_count(&c->vector[0], s->rank)) * (double)element;
  int level = r->node_ranks < s->ranks;
  to->messages = pf_line_step_count(c, step->action, s->rank, element, pf_hooks.max_count);
  if (pf_half_reads_peers(c, step->action, s->shared)) to->messages = (pf_message_count){0};
  to->exchanges = pf_line_step_exchanges(c, step->action);
  to->traffic = 3 * to->messages.bytes + (pf_line_step_passes(step->action) ? s->sides : 0);
  to->cost.passes = 3 * bytes * to->exchanges / m->memory;
  to->cost.exchanges = to->messages.messages * (m->start[level] + m->latency[level]) +
                       to->messages.bytes / m->bandwidth[level] * (level ? r->node_ranks : 1);
  to->cost.seconds = to->cost.passes + to->cost.exchanges;
}

/* Bytes of the caller's arrays: maximum, and sum. */
static void set_arrays(const line_item *l, sums *s) {
  s->user = s->sides = 0;
  for (int side = 0; side < 2; side++) {
    double bytes = (double)pf_line_elements(l->choice, side, s->rank) *
                   (double)pfft3d_element_bytes(&l->request->problem, (pfft3d_side)side);
    s->user = fmax(s->user, bytes);
    s->sides += bytes;
  }
}

/* Adds all steps of a DFT on one rank. */
static int add_dft(const line_item *l, pfft3d_direction direction, sums *s, pf_explained *x,
                   pfft3d_error *e) {
  const pf_line_choice *c = l->choice;
  const pfft3d_problem *p = &l->request->problem;
  pf_line_step step[PF_LINE_STEPS];
  int steps = pf_line_steps(c, p->kind, direction, step), first = s->count;
  for (int k = 0; k < steps; k++)
    if (step[k].action == PF_LINE_RUN)
      PF_TRY(add_pipeline(l, &step[k], s, x, e));
    else
      add_step(s, &pf_line_local);
  set_arrays(l, s);
  for (int k = 0; k < steps; k++)
    if (step[k].action != PF_LINE_RUN) set_local(l, &step[k], s, &s->step[first + k]);
  double element = (double)pf_element(p->precision);
  double buffer = (double)(pf_line_together(c) * c->inside) * element;
  if (c->half) s->buffer = fmax(s->buffer, buffer);
  if (!pf_line_simple(l->request, c)) s->work += pf_line_works(c) * s->buffer;
  return PFFT3D_OK;
}

/* Adds the steps of a line with a kind: a redistribution, factors, the line inside, factors, a
 * redistribution. */
static int add_kind(const pf_resolved *r, sums *s, pf_explained *x, pfft3d_error *e) {
  const pf_kind_line *k = &r->kind;
  const line_item inside = {&k->inner, &k->inside};
  const pfft3d_machine *m = &r->request.machine;
  const double traffic = pf_kind_traffic(k, PFFT3D_FORWARD, s->rank);
  pf_moves_step move[2];
  pf_dry_step *redist[2] = {NULL, NULL};
  pf_decision d;
  for (int leave = 0; leave < 2; leave++) {
    move[leave] = pf_kind_step(k, PFFT3D_FORWARD, leave);
    if (leave) PF_TRY(add_dft(&inside, pf_kind_inside(k, PFFT3D_FORWARD), s, x, e));
    if (!leave && move[0].which >= 0) redist[0] = add_step(s, &pf_step_redist);
    pf_dry_step *factors = add_step(s, &pf_line_local);
    if (leave && move[1].which >= 0) redist[1] = add_step(s, &pf_step_redist);
    if (leave) continue;
    factors->traffic = traffic;
    factors->cost = (pf_cost){traffic / m->memory, traffic / m->memory, 0};
  }
  pf_line_part(&k->inner, &k->inside, PF_LINE_CORE, &d);
  d.exchange = pf_exchange_find(r->line.decision.algo);
  const pf_geometry g = {
      .decision = d, .ranks = s->ranks, .rank = s->rank, .memory = {.node_ranks = d.node_ranks}};
  s->work += s->sides;
  for (int which = 0; which < PF_KIND_MOVES && !e->status; which++) {
    pf_moves_dry dry;
    if (!pf_kind_moves(k, which)) continue;
    if (!pf_kind_dry(k, &r->line, which, &g, &dry, e)) {
      s->work += dry.buffers;
      for (int leave = 0; leave < 2; leave++)
        if (redist[leave] && move[leave].which == which)
          set_move(&g, &dry, move[leave].way, m, redist[leave]);
    }
    pf_moves_dry_free(&dry);
  }
  return e->status;
}

/* Explains all steps on one rank. */
static int add_line(const pf_resolved *r, int ranks, int rank, pf_explained *x, pfft3d_error *e) {
  const line_item outer = {&r->request, &r->line};
  sums s = {.ranks = ranks, .rank = rank};
  if (pf_is_kind_line(&r->request)) {
    PF_TRY(add_kind(r, &s, x, e));
    set_arrays(&outer, &s);
  } else {
    PF_TRY(add_dft(&outer, PFFT3D_FORWARD, &s, x, e));
  }
  add_maxima(&s, x);
  return PFFT3D_OK;
}

int pf_explain_line(const pf_resolved *r, int ranks, pf_explained *x, pfft3d_error *e) {
  enum { few = 64 };
  const pf_line_choice *c = &r->line;
  x->sums.decision = c->decision;
  x->sums.decision.grid[0] = 1;
  x->sums.decision.grid[1] = ranks;
  for (int rank = 0; ranks <= few && rank < ranks; rank++) PF_TRY(add_line(r, ranks, rank, x, e));
  /* Parts have two lengths each; the ranks where they change cover nearly all cases. */
  const ptrdiff_t n[4] = {c->caller[0].total, c->caller[1].total, c->split[0], c->split[1]};
  for (int k = 0; k < 4 && ranks > few; k++) {
    int more = (int)(n[k] % ranks);
    int second = r->request.node_ranks < ranks ? r->request.node_ranks
                                               : 0; /* leader for one node more than rank 0 */
    int at[5] = {0, ranks - 1, more ? more - 1 : ranks / 2, more, second};
    for (int i = 0; i < 5; i++) PF_TRY(add_line(r, ranks, at[i], x, e));
  }
  ptrdiff_t busy = ranks;
  for (int side = 0; side < 2; side++) {
    const pf_vector *v = &c->caller[side];
    ptrdiff_t most = v->distribution == PF_COLUMNS && v->row < v->total ? v->row : v->total;
    if (most < busy) busy = most;
  }
  x->sums.idle_ranks = ranks - (int)busy;
  return PFFT3D_OK;
}

/* ---- boxes of the caller ---- */

int pf_boxed_figures(const pf_geometry *g, pfft3d_direction direction, const pfft3d_machine *m,
                     pf_boxed_cost *cost, pfft3d_error *e) {
  pf_boxed_geometry b;
  *cost = (pf_boxed_cost){.user = (double)g->user_bytes,
                          .sides = (double)(g->side_bytes[0] + g->side_bytes[1])};
  if (!g->decision.boxes) return PFFT3D_OK;
  pf_boxed_geometry_make(g, &b, e);
  cost->user = (double)b.user_bytes;
  cost->sides = (double)b.side_bytes[0] + (double)b.side_bytes[1];
  cost->work = (double)b.work_bytes;
  for (int side = 0; side < 2 && !e->status; side++) {
    pf_moves_dry move;
    if (!b.moves[side]) continue;
    if (!pf_boxed_move_make(g, &b, side, &move, e))
      set_move(g, &move, side == (int)direction ? PFFT3D_FORWARD : PFFT3D_BACKWARD, m,
               &cost->move[side]);
    cost->work += move.buffers;
    pf_moves_dry_free(&move);
  }
  pf_boxed_geometry_free(&b);
  return e->status;
}
