/* SPDX-License-Identifier: BSD-3-Clause
 * The steps of a line, alternating between two buffers. */
#include <stdlib.h>

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
  if (c->half && !forward) step[steps++].action = PF_LINE_MERGE;
  if (pairs && forward) step[steps++].action = PF_LINE_PAIR;
  steps += complex_steps(c, direction, step + steps);
  if (real && !forward) step[steps++].action = PF_LINE_NARROW;
  if (c->half && forward) step[steps++].action = PF_LINE_SPLIT;
  if (pairs && !forward) step[steps++].action = PF_LINE_UNPAIR;
  return steps;
}

/* ---- local steps ---- */

/* The kinds of local steps. */
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

/* Runs a step on single elements, line by line. */
static void run_elements(const pf_line *line, const pf_line_pass *s) {
  int chirp = s->action == PF_LINE_CHIRP_IN || s->action == PF_LINE_CHIRP_OUT;
  for (ptrdiff_t b = 0; b < pf_line_together(&line->choice); b++) {
    pf_line_pass one = pf_line_pass_from(s, (size_t)b);
    if (s->action == PF_LINE_KERNEL)
      pf_line_chirp_kernel(line, one.direction, one.to);
    else if (chirp)
      pf_line_chirp_multiply(line, one.direction, one.action, one.from, one.to);
    else
      pf_line_real(line, one.action, one.from, one.to);
  }
}

/* Adds the messages of an exchange since the last call. */
static void take_messages(pf_exchange *x, pfft3d_stats *stats) {
  pf_stats_add_messages(stats, &x->sent);
  x->sent = (pf_message_count){0};
}

static int run(void *data, const pf_step_run *r) {
  pf_line *line = data;
  const pf_line_pass pass = {.direction = (pfft3d_direction)r->step->way,
                             .action = (pf_line_action)r->step->action,
                             .exchange = r->exchange,
                             .from = r->from,
                             .to = r->to,
                             .apart = {r->step->from.apart, r->step->to.apart},
                             .stats = r->stats};
  int code = MPI_SUCCESS;
  switch (kind_of(pass.action)) {
    case BUTTERFLY:
      if (pass.exchange) code = pf_butterfly_run(line, &pass);
      take_messages(&line->pairs, r->stats);
      break;
    case HALF:
      code = pf_half_run(line, &pass);
      for (int k = 0; k < 2; k++) take_messages(&line->fold[k].exchange, r->stats);
      break;
    default: run_elements(line, &pass);
  }
  return pf_run_status(code);
}

/* The rounding of mirror images is reported as a stage. */
static void describe(const void *data, const pf_step *s, pfft3d_stats *stats) {
  const pf_line *line = data;
  int mirror = s->action == PF_LINE_SPLIT || s->action == PF_LINE_MERGE;
  stats->stages = line->choice.narrow && mirror;
}

/* Unknown if a local step exchanges: an all-to-all is no measure for its messages. */
static int raw(void *data, const pf_step *s, double *seconds) {
  const pf_line *line = data;
  *seconds = 0;
  int exchanges = pf_line_step_exchanges(&line->choice, (pf_line_action)s->action);
  return line->ranks > 1 && exchanges > 0 ? PFFT3D_ERR_UNAVAILABLE : PFFT3D_OK;
}

static size_t bytes(const void *data) {
  const pf_line *line = data;
  return (size_t)line->chirp.count * line->element;
}

/* A line has as many exchanges as kinds of messages. */
static int record(void *data, pf_timeline *t, pfft3d_error *e) {
  pf_line *line = data;
  pf_exchange *const all[] = {&line->pairs, &line->fold[0].exchange, &line->fold[1].exchange};
  for (int k = 0; k < 3; k++)
    if (all[k]->ops) PF_TRY(pf_exchange_record(all[k], t, e));
  return PFFT3D_OK;
}

static void destroy(void *data) {
  pf_line *line = data;
  pf_roots_free(&line->roots);
  pf_roots_free(&line->halves);
  for (int k = 0; k < 2; k++) pf_fold_free(&line->fold[k]);
  pf_exchange_destroy(&line->pairs);
  free(line->request);
  pf_line_chirp_free(&line->chirp);
  free(line);
}

const pf_step_ops pf_line_local = {.name = "local",
                                   .run = run,
                                   .describe = describe,
                                   .raw = raw,
                                   .record = record,
                                   .bytes = bytes,
                                   .destroy = destroy};

/* ---- lists ---- */

/* A buffer between a step and the next one; the distance of its lines is set by the pipelines among
 * both. */
static pf_end buffer_of(const pf_line *line, int buffer, const pf_line_step *step) {
  int output = step[0].action == PF_LINE_RUN;
  const pf_line_step *s = &step[!output];
  pf_end end = {buffer, (size_t)line->choice.inside * line->element};
  if (pf_line_times(&line->choice) > 1) end.apart = 0; /* it has one line */
  if (s->action != PF_LINE_RUN || !end.apart) return end;
  const pf_geometry *g = &line->plan[s->plan]->geometry;
  int side = (s->direction == PFFT3D_FORWARD) == output ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  end.apart = (size_t)g->box[side].distance * g->element;
  return end;
}

/* Adds a step that is no pipeline.  Each byte of a message is counted three times: own elements and
 * received ones are read, results are written. */
static void add_local(const pf_line *line, pf_list *l, const pf_line_step *step, int way,
                      pf_end from, pf_end to) {
  const pf_line_choice *c = &line->choice;
  pf_step *s = pf_list_add(l, line->local);
  s->way = way;
  s->action = (int)step->action;
  s->from = from;
  s->to = to;
  s->exchanges = pf_line_step_exchanges(c, step->action);
  pf_message_count m = pf_line_step_count(c, step->action, line->rank, line->element, line->cap);
  if (pf_half_reads_peers(c, step->action, line->reach)) m.bytes = 0;
  s->traffic = 3 * m.bytes;
  if (pf_line_step_passes(step->action))
    s->traffic += (double)line->side_bytes[0] + (double)line->side_bytes[1];
  s->traffic /= (double)pf_line_times(c);
}

void pf_line_add(pfft3d_plan *p, pf_list *l, const pf_line *line, pfft3d_direction direction,
                 pf_end from, pf_end to) {
  const pf_line_choice *c = &line->choice;
  pf_line_step step[PF_LINE_STEPS];
  int steps = pf_line_steps(c, line->kind, direction, step), buffer = 0, first = l->count;
  l->times = pf_line_times(c);
  l->down = to.apart > from.apart;
  for (int k = 0; k < steps; k++) {
    int split_next = k + 1 < steps && step[k + 1].action == PF_LINE_SPLIT;
    int in_place = split_next && line->ranks == 1, last = k == steps - 1;
    if (step[k].action == PF_LINE_KERNEL) { /* in place */
      add_local(line, l, &step[k], (int)direction, from, from);
      continue;
    }
    pf_end end = last || in_place ? to : buffer_of(line, buffer, &step[k]);
    if (step[k].action == PF_LINE_RUN)
      pf_list_add_pipeline(p, l, line->plan[step[k].plan], (int)step[k].direction, from, end);
    else
      add_local(line, l, &step[k], (int)direction, from, end);
    from = end;
    buffer = !buffer;
  }
  l->first = first;
  l->looped = l->count - first;
}
