/* SPDX-License-Identifier: BSD-3-Clause
 * Cost and memory of a line: the maximum over ranks of the sums over all its plans. */

#include "line/work.h"
#include "planner/planner.h"

static double larger(double a, double b) {
  return a > b ? a : b;
}

static void add_cost(pf_cost *sum, pf_cost c) {
  sum->seconds += c.seconds;
  sum->passes += c.passes;
  sum->exchanges += c.exchanges;
}

/* Steps of the butterfly: each reads both halves and writes one, without overlap. */
static pf_cost butterfly_cost(const pfft3d_request *r, int ranks, int steps,
                              const pf_message_count *sent, double bytes) {
  const pfft3d_machine *m = &r->machine;
  int level = r->node_ranks < ranks; /* the last steps are between nodes, if there are several */
  double seconds = sent->messages * (m->start[level] + m->latency[level]) +
                   sent->bytes / m->bandwidth[level] * (level ? r->node_ranks : 1);
  pf_cost c = {.passes = 3 * bytes * steps / m->memory, .exchanges = seconds};
  c.seconds = c.passes + c.exchanges;
  return c;
}

/* Sums over all plans of a forward transform, of one rank. */
typedef struct sums {
  int ranks, rank;
  pf_message_count messages;
  pf_cost cost;
  double traffic, work, buffer; /* the largest array of any plan */
  int exchanges;
} sums;

/* Adds one of the plans. */
static int add_plan(const pf_resolved *r, const pf_line_step *step, sums *s, pfft3d_explanation *x,
                    pfft3d_error *e) {
  const pf_line_choice *c = &r->line;
  pf_decision d;
  pf_geometry g;
  int alone = c->butterfly && step->plan == PF_LINE_CORE;
  pf_line_part(&r->request, c, step->plan, &d);
  PF_TRY(pf_geometry_make(&d, alone ? 1 : s->ranks, alone ? 0 : s->rank, &g, e));
  const pf_pipeline_geometry *w = &g.pipeline[step->direction];
  add_cost(&s->cost, pf_model_pipeline(&g, step->direction, &r->request.machine));
  pf_geometry_add_messages(&s->messages, &w->messages);
  s->traffic += w->traffic;
  s->work += (double)g.work_bytes;
  s->buffer = larger(s->buffer, (double)g.user_bytes);
  if (c->chirp && step->plan == PF_LINE_CORE) /* the kernel */
    s->work += (double)pf_vector_count(&g.vector[PFFT3D_SPECTRUM], s->rank) * (double)g.element;
  if (!alone) s->exchanges += w->crossings;
  if (step->plan == PF_LINE_CORE) x->wire = pf_geometry_wire_precision(&g);
  return PFFT3D_OK;
}

/* Adds the exchanges of a butterfly. */
static void add_halves(const pf_resolved *r, const pf_line_step *step, int steps, sums *s) {
  const pf_line_choice *c = &r->line;
  size_t element = pf_element(r->request.problem.precision);
  pf_message_count halves = {0};
  int swaps = 0;
  for (int k = 0; k < steps; k++)
    if (step[k].action == PF_LINE_HALVES || step[k].action == PF_LINE_SWAP) {
      pf_message_count m =
          pf_butterfly_count(c, step[k].action, s->rank, element, r->request.max_count);
      pf_geometry_add_messages(&halves, &m);
      swaps += pf_butterfly_exchanges(c, step[k].action);
    }
  if (!swaps) return;
  double bytes = (double)pf_vector_count(&c->vector[0], s->rank) * (double)element;
  s->exchanges += swaps;
  pf_geometry_add_messages(&s->messages, &halves);
  add_cost(&s->cost, butterfly_cost(&r->request, s->ranks, swaps, &halves, bytes));
}

/* Explains all plans for one rank. */
static int explain_rank(const pf_resolved *r, int ranks, int rank, pfft3d_explanation *x,
                        pfft3d_error *e) {
  const pf_line_choice *c = &r->line;
  const pfft3d_problem *p = &r->request.problem;
  pf_line_step step[PF_LINE_STEPS];
  sums s = {.ranks = ranks, .rank = rank};
  double user = 0, sides = 0;
  int steps = pf_line_steps(c, p->kind, PFFT3D_FORWARD, step);
  for (int k = 0; k < steps; k++)
    if (step[k].action == PF_LINE_RUN) PF_TRY(add_plan(r, &step[k], &s, x, e));
  add_halves(r, step, steps, &s);
  for (int side = 0; side < 2; side++) {
    double bytes = (double)pf_vector_count(&c->vector[side], rank) *
                   (double)pfft3d_element_bytes(p, (pfft3d_side)side);
    user = larger(user, bytes);
    sides += bytes;
  }
  if (!pf_line_simple(&r->request, c)) s.work += (c->butterfly ? 3 : 2) * s.buffer;
  x->messages = larger(x->messages, s.messages.messages);
  x->bytes = larger(x->bytes, s.messages.bytes);
  if (s.messages.messages > 0 && (x->bytes_min == 0 || s.messages.bytes_min < x->bytes_min))
    x->bytes_min = s.messages.bytes_min;
  x->bytes_max = larger(x->bytes_max, s.messages.bytes_max);
  x->seconds = larger(x->seconds, s.cost.seconds);
  x->pass_seconds = larger(x->pass_seconds, s.cost.passes);
  x->exchange_seconds = larger(x->exchange_seconds, s.cost.exchanges);
  x->user_bytes = larger(x->user_bytes, user);
  x->work_bytes = larger(x->work_bytes, s.work);
  if (sides > 0) x->passes = larger(x->passes, s.traffic / sides);
  x->exchanges = s.exchanges;
  return PFFT3D_OK;
}

int pf_line_explain(const pf_resolved *r, int ranks, pfft3d_explanation *x, pfft3d_error *e) {
  enum { few = 64 };
  const pf_line_choice *c = &r->line;
  x->decision = c->decision;
  x->decision.grid[0] = 1;
  x->decision.grid[1] = ranks;
  for (int rank = 0; ranks <= few && rank < ranks; rank++)
    PF_TRY(explain_rank(r, ranks, rank, x, e));
  /* Parts have two lengths each; the ranks where they change cover nearly all cases. */
  const ptrdiff_t n[4] = {c->vector[0].total, c->vector[1].total, c->split[0], c->split[1]};
  for (int k = 0; k < 4 && ranks > few; k++) {
    int more = (int)(n[k] % ranks);
    int second = r->request.node_ranks < ranks ? r->request.node_ranks
                                               : 0; /* leader for one node more than rank 0 */
    int at[5] = {0, ranks - 1, more ? more - 1 : ranks / 2, more, second};
    for (int i = 0; i < 5; i++) PF_TRY(explain_rank(r, ranks, at[i], x, e));
  }
  ptrdiff_t busy = ranks;
  for (int side = 0; side < 2; side++) {
    const pf_vector *v = &c->vector[side];
    ptrdiff_t most = v->distribution == PF_COLUMNS && v->row < v->total ? v->row : v->total;
    if (most < busy) busy = most;
  }
  x->idle_ranks = ranks - (int)busy;
  return PFFT3D_OK;
}
