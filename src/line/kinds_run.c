/* SPDX-License-Identifier: BSD-3-Clause
 * Plans for lines with a kind: built and run. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "line/kinds.h"
#include "line/work.h"

typedef struct pf_kind_plan {
  pf_kind_line kind;
  pf_line_choice outer;
  pf_roots roots;
  double scale[2];
  pf_moves moves;
  void *work[2]; /* by side of the plan inside */
  size_t work_bytes[2];
  pfft3d_stats inside[2]; /* of the plan inside, by direction, since the last reset */
} pf_kind_plan;

/* ---- runs ---- */

/* Adds what the plan inside has counted since the last call, whose direction may be that of both of
 * its owner's. */
static void take_inside(pfft3d_plan *p, pfft3d_direction direction) {
  pf_kind_plan *w = p->kind;
  pfft3d_stats *sum = &w->inside[direction], part;
  pfft3d_plan_stats(p->inner, pf_kind_inside(&w->kind, direction), 1, &part, sizeof part);
  pf_stats_add_part(sum, &part);
  sum->executions += part.executions;
  for (int k = 0; k < part.stages; k++) {
    pfft3d_stage_stats *to = &sum->stage[k], *from = &part.stage[k];
    to->seconds += from->seconds;
    to->bytes += from->bytes;
    to->wire_error2 += from->wire_error2;
    to->wire_norm2 += from->wire_norm2;
    memcpy(to->axes, from->axes, sizeof to->axes);
  }
  sum->stages = part.stages;
  sum->exchanges = part.exchanges;
  sum->work_bytes = part.work_bytes;
  sum->wire = part.wire;
}

/* A direction: its numbers from the caller's array to the line inside, through it, and back. */
static int run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
               int exchange) {
  pf_kind_plan *w = p->kind;
  pfft3d_direction inside = pf_kind_inside(&w->kind, direction);
  pf_moves_step enter = pf_kind_step(&w->kind, direction, 0),
                leave = pf_kind_step(&w->kind, direction, 1);
  int from = (int)inside, status = PFFT3D_OK;
  pf_kind_pass s = {.k = &w->kind,
                    .outer = &w->outer,
                    .roots = &w->roots,
                    .rank = p->geometry.rank,
                    .side = from,
                    .from = (int)direction,
                    .threads = p->geometry.decision.threads,
                    .scale = w->scale[direction],
                    .at = w->work[from]};
  double start = MPI_Wtime();
  if (enter.which >= 0 && exchange)
    status = pf_moves_run(&w->moves, direction, enter, in, w->work[from]);
  pf_kind_before(&s, in);
  if (!status) status = pf_pipeline_run(p->inner, inside, w->work[from], w->work[!from], exchange);
  take_inside(p, direction);
  s.side = !from;
  s.at = w->work[!from];
  pf_kind_after(&s, out);
  if (leave.which >= 0 && exchange && pf_goes_on(status))
    status =
        pf_status_of_both(status, pf_moves_run(&w->moves, direction, leave, w->work[!from], out));
  if (!status && exchange) w->moves.own[direction].total_s += MPI_Wtime() - start;
  return status;
}

static void add_up(pfft3d_plan *p, pfft3d_direction direction, int reset, pfft3d_stats *stats) {
  pf_kind_plan *w = p->kind;
  int moves = 0;
  take_inside(p, direction); /* its constants, if it has not run */
  *stats = w->inside[direction];
  for (int leave = 0; leave < 2; leave++)
    moves += pf_kind_step(&w->kind, direction, leave).which >= 0;
  stats->work_bytes += w->work_bytes[0] + w->work_bytes[1];
  stats->traffic +=
      (double)stats->executions * pf_kind_traffic(&w->kind, direction, p->geometry.rank);
  pf_moves_stats(p, &w->moves, direction, moves, stats);
  stats->fft_s = stats->total_s - stats->post_s - stats->wait_s;
  if (reset) w->moves.own[direction] = w->inside[direction] = (pfft3d_stats){0};
}

static int raw(pfft3d_plan *p, pfft3d_direction direction, double *seconds) {
  pf_kind_plan *w = p->kind;
  pfft3d_direction inside = pf_kind_inside(&w->kind, direction);
  *seconds = 0;
  int status = p->inner->composite ? p->inner->composite->raw(p->inner, inside, seconds)
                                   : pf_pipeline_raw(p->inner, inside, seconds);
  for (int leave = 0; leave < 2 && !status; leave++) {
    pf_moves_step step = pf_kind_step(&w->kind, direction, leave);
    if (step.which >= 0) status = pf_moves_raw(&w->moves, step, seconds);
  }
  return status;
}

static void destroy(pfft3d_plan *p) {
  pf_kind_plan *w = p->kind;
  for (int k = 0; k < 2; k++) pfft3d_free(p->inner, w->work[k]);
  pfft3d_plan_destroy(&p->inner);
  pf_moves_free(&w->moves);
  pf_roots_free(&w->roots);
  free(w);
  p->kind = NULL;
}

static const pf_composite composite = {.run = run, .stats = add_up, .raw = raw, .destroy = destroy};

/* ---- building ---- */

static int make_redist(pfft3d_plan *p, int which, pfft3d_error *e) {
  pf_kind_plan *w = p->kind;
  pf_part part[2][PF_KIND_RUNS];
  pf_redist_wish wish = {.size = (ptrdiff_t)pf_element(w->kind.inner.problem.precision) / 2,
                         .exchange = w->outer.decision.algo,
                         .node_ranks = p->node_ranks,
                         .count = {PF_KIND_RUNS, PF_KIND_RUNS},
                         .part = {part[0], part[1]}};
  pf_kind_extents(&w->kind, which, wish.n);
  pf_kind_parts(&w->kind, &w->outer, which, p->geometry.rank, part);
  return pf_plan_refuse(p, pf_redist_make(p->comm, &wish, &w->moves.redist[which], e));
}

/* The plan inside, its arrays, and the redistributions to and from them. */
static int make_parts(pfft3d_plan *p, const pfft3d_request *r, pfft3d_error *e) {
  pf_kind_plan *w = p->kind;
  PF_TRY(pf_plan_open(p->comm, &p->inner, e));
  p->inner->node_ranks = p->node_ranks;
  pf_line_build(p->inner, &w->kind.inner, &w->kind.inside, e);
  p->refused = p->inner->refused;
  PF_TRY(e->status);
  const pf_geometry *g = &p->inner->geometry;
  pf_line_top(p, g, r, &w->outer);
  for (int side = 0; side < 2; side++) {
    w->work_bytes[side] = g->side_bytes[side];
    PF_TRY(pf_plan_alloc(p->inner, g->side_bytes[side], &w->work[side], e));
  }
  pf_roots_make(&w->roots, 8 * w->kind.n, e);
  PF_TRY(pf_agree(p->comm, e));
  for (int which = 0; which < PF_MOVES; which++)
    if (pf_kind_moves(&w->kind, which)) PF_TRY(make_redist(p, which, e));
  return PFFT3D_OK;
}

int pf_kind_line_build(pfft3d_plan *p, const pfft3d_request *r, const pf_kind_line *k,
                       const pf_line_choice *c, pfft3d_error *e) {
  pf_kind_plan *w = calloc(1, sizeof *w);
  if (!w) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  if (pf_agree(p->comm, e) || !w) {
    free(w);
    return e->status;
  }
  w->kind = *k;
  w->outer = *c;
  memcpy(w->scale, r->scale, sizeof w->scale);
  p->kind = w;
  p->composite = &composite;
  return make_parts(p, r, e);
}
