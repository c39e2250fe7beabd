/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a line that needs several steps, alternating between two buffers. */
#include <stdlib.h>

#include "base/memory.h"
#include "line/work.h"

/* The steps of a transform of complex numbers. */
static int complex_steps(const pf_line_choice *c, pfft3d_direction direction, pf_line_step *step) {
  static const pf_line_plan reorder[2] = {PF_LINE_REORDER_IN, PF_LINE_REORDER_OUT};
  static const pf_line_plan core[2] = {PF_LINE_CORE, PF_LINE_CORE_OUT};
  int steps = 0, in = direction == PFFT3D_FORWARD ? PFFT3D_SPACE : PFFT3D_SPECTRUM;
  if (c->butterfly) return pf_butterfly_steps(c, direction, step);
  if (c->unfit[in]) step[steps++] = (pf_line_step){PF_LINE_RUN, reorder[in], PFFT3D_FORWARD};
  if (c->chirp) {
    step[steps++].action = PF_LINE_CHIRP_IN;
    step[steps++] = (pf_line_step){PF_LINE_RUN, core[in], PFFT3D_FORWARD};
    step[steps++].action = PF_LINE_KERNEL;
    step[steps++] = (pf_line_step){PF_LINE_RUN, core[!in], PFFT3D_BACKWARD};
    step[steps++].action = PF_LINE_CHIRP_OUT;
  } else {
    step[steps++] = (pf_line_step){PF_LINE_RUN, PF_LINE_CORE, direction};
  }
  if (c->unfit[!in]) step[steps++] = (pf_line_step){PF_LINE_RUN, reorder[!in], PFFT3D_BACKWARD};
  return steps;
}

int pf_line_steps(const pf_line_choice *c, pfft3d_kind kind, pfft3d_direction direction,
                  pf_line_step step[PF_LINE_STEPS]) {
  int steps = 0, forward = direction == PFFT3D_FORWARD, pairs = c->half && pf_half_pairs(c);
  int real = kind == PFFT3D_R2C && !c->half && !c->reals;
  if (real) step[steps++].action = forward ? PF_LINE_WIDEN : PF_LINE_WEIGH;
  if (c->half && !forward) step[steps++].action = PF_LINE_JOIN;
  if (pairs && forward) step[steps++].action = PF_LINE_PAIR;
  steps += complex_steps(c, direction, step + steps);
  if (real && !forward) step[steps++].action = PF_LINE_NARROW;
  if (c->half && forward) step[steps++].action = PF_LINE_SPLIT;
  if (pairs && !forward) step[steps++].action = PF_LINE_UNPAIR;
  return steps;
}

/* ---- steps by themselves ---- */

/* What runs a step that is no plan. */
typedef enum kind { ELEMENTS, BUTTERFLY, HALF } kind;
static kind kind_of(pf_line_action action) {
  if (action == PF_LINE_HALVES || action == PF_LINE_SWAP) return BUTTERFLY;
  return action >= PF_LINE_PAIR ? HALF : ELEMENTS;
}

pf_message_count pf_line_step_count(const pf_line_choice *c, pf_line_action action, int rank,
                                    size_t element, ptrdiff_t cap) {
  pf_message_count m = {0};
  double times = (double)pf_line_times(c);
  if (kind_of(action) == BUTTERFLY) m = pf_butterfly_count(c, action, rank, element, cap);
  if (kind_of(action) == HALF) m = pf_half_count(c, action, rank, element, cap);
  m.messages *= times;
  m.bytes *= times;
  return m;
}

int pf_line_step_exchanges(const pf_line_choice *c, pf_line_action action) {
  int times = (int)pf_line_times(c);
  if (kind_of(action) == BUTTERFLY) return times * pf_butterfly_exchanges(c, action);
  return kind_of(action) == HALF ? times * (c->caller[0].ranks > 1) : 0;
}

int pf_line_step_passes(pf_line_action action) {
  return action != PF_LINE_RUN && action != PF_LINE_KERNEL && kind_of(action) != BUTTERFLY;
}

/* The steps of single elements, line by line. */
static void run_elements(const pfft3d_plan *p, const pf_line_pass *s) {
  int chirp = s->action == PF_LINE_CHIRP_IN || s->action == PF_LINE_CHIRP_OUT;
  for (ptrdiff_t b = 0; b < pf_line_together(&p->line->choice); b++) {
    pf_line_pass one = pf_line_pass_from(s, (size_t)b);
    if (chirp)
      pf_line_chirp_multiply(p, one.direction, one.action, one.from, one.to);
    else
      pf_line_real(p, one.action, one.from, one.to);
  }
}

static int run_step(pfft3d_plan *p, const pf_line_pass *s) {
  int code = MPI_SUCCESS;
  switch (kind_of(s->action)) {
    case BUTTERFLY:
      if (s->exchange) code = pf_butterfly_run(p, s->direction, s->action, s->from, s->to);
      break;
    case HALF: code = pf_half_run(p, s); break;
    default: run_elements(p, s);
  }
  return code == MPI_SUCCESS ? PFFT3D_OK : PFFT3D_ERR_INTERNAL;
}

/* Adds the bytes of these steps, of all lines. */
static void add_traffic(pfft3d_plan *p, const pf_line_step *step, int steps,
                        pfft3d_direction direction) {
  double sides = (double)p->geometry.side_bytes[0] + (double)p->geometry.side_bytes[1];
  for (int k = 0; k < steps; k++)
    if (pf_line_step_passes(step[k].action)) p->line->own[direction].traffic += sides;
}

/* ---- runs ---- */

/* Bytes from line to line in the caller's array that a direction reads or writes. */
static size_t caller_apart(const pfft3d_plan *p, pfft3d_direction direction, int output) {
  pfft3d_side side = (direction == PFFT3D_FORWARD) == output ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  const pf_geometry *g = &p->geometry;
  return (size_t)g->box[side].distance * pfft3d_element_bytes(&g->decision.problem, side);
}

/* The same in the buffer between a step and the next one: as the plan among them has it. */
static size_t buffer_apart(const pfft3d_plan *p, const pf_line_step *step) {
  int output = step[0].action == PF_LINE_RUN;
  const pf_line_step *s = &step[!output];
  if (s->action != PF_LINE_RUN) return (size_t)p->line->choice.inside * p->geometry.element;
  const pf_geometry *g = &p->line->plan[s->plan]->geometry;
  int side = (s->direction == PFFT3D_FORWARD) == output ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  return (size_t)g->box[side].distance * g->element;
}

/* All steps of the lines that are transformed together, from `in` to `out`. */
static int run_steps(pfft3d_plan *p, const pf_line_step *step, int steps, const pf_line_pass *all) {
  pf_line *line = p->line;
  int status = PFFT3D_OK, turn = 0;
  pf_line_pass s = *all;
  for (int k = 0; k < steps && pf_goes_on(status); k++) {
    int split_next = k + 1 < steps && step[k + 1].action == PF_LINE_SPLIT;
    int in_place = split_next && p->geometry.ranks == 1, last = k == steps - 1;
    if (step[k].action == PF_LINE_KERNEL) { /* in place */
      pf_line_chirp_kernel(p, s.direction, line->work[!turn]);
      continue;
    }
    s.action = step[k].action;
    s.to = last || in_place ? all->to : line->work[turn];
    s.apart[1] = last || in_place ? all->apart[1] : buffer_apart(p, &step[k]);
    int done =
        s.action == PF_LINE_RUN
            ? pf_pipeline_run(line->plan[step[k].plan], step[k].direction, s.from, s.to, s.exchange)
            : run_step(p, &s);
    status = pf_status_of_both(status, done);
    s.from = s.to;
    s.apart[0] = s.apart[1];
    turn = !turn;
  }
  return status;
}

/* Lines one after the other, in an order in which none is overwritten before it is read, where both
 * arrays are one. */
static int run_each(pfft3d_plan *p, const pf_line_step *step, int steps, const pf_line_pass *all) {
  ptrdiff_t count = pf_line_times(&p->line->choice);
  int status = PFFT3D_OK, down = all->apart[1] > all->apart[0];
  for (ptrdiff_t i = 0; i < count && pf_goes_on(status); i++) {
    pf_line_pass one = pf_line_pass_from(all, (size_t)(down ? count - 1 - i : i));
    status = pf_status_of_both(status, run_steps(p, step, steps, &one));
  }
  return status;
}

static int run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
               int exchange) {
  pf_line *line = p->line;
  pfft3d_stats *own = &line->own[direction];
  pf_line_step step[PF_LINE_STEPS];
  int steps = pf_line_steps(&line->choice, p->geometry.decision.problem.kind, direction, step);
  double start = MPI_Wtime();
  int status = run_each(
      p, step, steps,
      &(pf_line_pass){.direction = direction,
                      .exchange = exchange,
                      .from = in,
                      .to = out,
                      .apart = {caller_apart(p, direction, 0), caller_apart(p, direction, 1)}});
  add_traffic(p, step, steps, direction);
  pf_exchange *sent[] = {&line->pairs, &line->fold[0].exchange, &line->fold[1].exchange};
  for (int k = 0; k < 3; k++) {
    pf_stats_add_messages(own, &sent[k]->sent);
    sent[k]->sent = (pf_message_count){0};
  }
  if (!status && exchange) {
    own->executions++;
    own->total_s += MPI_Wtime() - start;
  }
  return status;
}

/* ---- statistics ---- */

static void add_part(pfft3d_stats *sum, const pfft3d_stats *s) {
  pf_stats_add_part(sum, s);
  sum->exchanges += s->exchanges;
  for (int k = 0; k < s->stages && sum->stages < PFFT3D_STAGES; k++)
    sum->stage[sum->stages++] = s->stage[k];
}

/* Adds the rounding of mirror images, as a stage.  An element of the result is the mean of one
 * element that is exact and of one that is rounded, as to its square. */
static void add_loss(pf_line *line, pfft3d_direction direction, pfft3d_stats *sum) {
  const pf_loss *loss = &line->loss[direction];
  if (!line->choice.narrow || sum->stages == PFFT3D_STAGES) return;
  sum->stage[sum->stages++] =
      (pfft3d_stage_stats){.wire_error2 = loss->error2 / 2, .wire_norm2 = loss->norm2};
}

static void add_up(pfft3d_plan *p, pfft3d_direction direction, int reset, pfft3d_stats *stats) {
  pf_line *line = p->line;
  const pf_geometry *g = &p->geometry;
  pf_line_step step[PF_LINE_STEPS];
  int steps = pf_line_steps(&line->choice, g->decision.problem.kind, direction, step);
  *stats = line->own[direction];
  stats->wire = pf_geometry_wire_precision(g);
  stats->work_bytes =
      (size_t)line->works * line->work_bytes + (size_t)line->chirp.count * g->element;
  for (int k = 0; k < steps; k++) {
    pfft3d_stats part;
    if (step[k].action != PF_LINE_RUN) {
      pf_message_count m = pf_line_step_count(&line->choice, step[k].action, g->rank, g->element,
                                              g->decision.max_count);
      if (pf_half_reads_peers(&line->choice, step[k].action, g->pipeline[0].push))
        m = (pf_message_count){0};
      stats->exchanges += pf_line_step_exchanges(&line->choice, step[k].action);
      stats->traffic += 3 * m.bytes * (double)stats->executions;
      if (step[k].action == PF_LINE_SPLIT || step[k].action == PF_LINE_JOIN)
        add_loss(line, direction, stats);
      continue;
    }
    pf_pipeline_stats(line->plan[step[k].plan], step[k].direction, reset, &part);
    part.exchanges *= (int)pf_line_times(&line->choice);
    add_part(stats, &part);
  }
  for (int k = 0; k < PF_LINE_PLANS; k++) {
    pfft3d_stats part;
    if (!line->plan[k]) continue;
    pf_pipeline_stats(line->plan[k], PFFT3D_FORWARD, 0, &part);
    stats->work_bytes += part.work_bytes;
  }
  if (reset) line->own[direction] = (pfft3d_stats){0}, line->loss[direction] = (pf_loss){0, 0};
  stats->fft_s = stats->total_s - stats->post_s - stats->wait_s;
  double sides = (double)g->side_bytes[0] + (double)g->side_bytes[1];
  if (stats->executions && sides > 0)
    stats->passes = stats->traffic / (double)stats->executions / sides;
}

/* Not known where steps by themselves exchange: an all-to-all is no measure for them. */
static int raw(pfft3d_plan *p, pfft3d_direction direction, double *seconds) {
  pf_line *line = p->line;
  pf_line_step step[PF_LINE_STEPS];
  int steps = pf_line_steps(&line->choice, p->geometry.decision.problem.kind, direction, step);
  int status = PFFT3D_OK;
  *seconds = 0;
  for (int k = 0; k < steps && !status; k++) {
    double part = 0;
    if (step[k].action == PF_LINE_RUN)
      status = pf_pipeline_raw(line->plan[step[k].plan], step[k].direction, &part);
    else if (p->geometry.ranks > 1 && pf_line_step_exchanges(&line->choice, step[k].action) > 0)
      status = PFFT3D_ERR_UNAVAILABLE;
    *seconds += part * (double)pf_line_times(&line->choice);
  }
  return status;
}

static void destroy(pfft3d_plan *p) {
  pf_line *line = p->line;
  for (int k = 0; k < PF_LINE_PLANS; k++) pfft3d_plan_destroy(&line->plan[k]);
  for (int k = 0; k < 3; k++) pfft3d_free(p, line->work[k]);
  pf_roots_free(&line->roots);
  pf_roots_free(&line->halves);
  for (int k = 0; k < 2; k++) pf_fold_free(&line->fold[k]);
  pf_exchange_destroy(&line->pairs);
  free(line->request);
  pf_line_chirp_free(&line->chirp);
  free(line);
  p->line = NULL;
}

const pf_composite pf_line_composite = {
    .run = run, .stats = add_up, .raw = raw, .destroy = destroy};
