/* SPDX-License-Identifier: BSD-3-Clause
 * Plans between boxes of the caller: built and run. */
#include "plan/boxed.h"

#include <stdlib.h>
#include <string.h>

/* ---- runs ---- */

/* The redistribution of a side, which has the number of the direction that reads it. */
static pf_moves_step step_of(pfft3d_direction direction, int side) {
  return (pf_moves_step){side, side == (int)direction ? PFFT3D_FORWARD : PFFT3D_BACKWARD};
}

static int run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
               int exchange) {
  pf_boxed *b = p->boxed;
  pf_moves *m = &b->moves;
  int from = (int)direction, to = !direction, status = PFFT3D_OK;
  void *between = b->work ? b->work : out;
  const void *source = m->redist[from] ? between : in;
  void *target = m->redist[to] ? between : out;
  double start = MPI_Wtime();
  if (m->redist[from] && exchange)
    status = pf_moves_run(m, direction, step_of(direction, from), in, between);
  if (!status) status = pf_pipeline_run(p->inner, direction, source, target, exchange);
  if (m->redist[to] && exchange && pf_goes_on(status))
    status =
        pf_status_of_both(status, pf_moves_run(m, direction, step_of(direction, to), between, out));
  if (!status && exchange) m->own[direction].total_s += MPI_Wtime() - start;
  return status;
}

static void add_up(pfft3d_plan *p, pfft3d_direction direction, int reset, pfft3d_stats *stats) {
  pf_boxed *b = p->boxed;
  int moves = (b->moves.redist[0] != NULL) + (b->moves.redist[1] != NULL);
  pf_pipeline_stats(p->inner, direction, reset, stats);
  pf_moves_stats(p, &b->moves, direction, moves, stats);
  for (int side = 0; side < 2 && pf_boxed_narrow(&p->inner->geometry); side++)
    if (b->moves.redist[side] && stats->stages < PFFT3D_STAGES)
      stats->stage[stats->stages++] = b->moves.own[direction].stage[side];
  stats->work_bytes += b->geometry.work_bytes;
  if (reset) b->moves.own[direction] = (pfft3d_stats){0};
}

static int raw(pfft3d_plan *p, pfft3d_direction direction, double *seconds) {
  int status = pf_pipeline_raw(p->inner, direction, seconds);
  for (int side = 0; side < 2 && !status; side++)
    if (p->boxed->moves.redist[side])
      status = pf_moves_raw(&p->boxed->moves, step_of(direction, side), seconds);
  return status;
}

static void destroy(pfft3d_plan *p) {
  pf_boxed *b = p->boxed;
  pfft3d_plan_destroy(&p->inner);
  pf_moves_free(&b->moves);
  pf_boxed_geometry_free(&b->geometry);
  free(b);
  p->boxed = NULL;
}

static const pf_composite boxed = {.run = run, .stats = add_up, .raw = raw, .destroy = destroy};

/* ---- building ---- */

/* Sets the members of the plan that its caller sees. */
static void make_top(pfft3d_plan *p) {
  const pf_boxed_geometry *b = &p->boxed->geometry;
  pf_geometry *g = &p->geometry;
  *g = p->inner->geometry;
  for (int side = 0; side < 2; side++) {
    if (b->box[side]) g->box[side] = b->box[side][g->rank];
    g->side_bytes[side] = b->side_bytes[side];
  }
  g->user_bytes = b->user_bytes;
}

static int make_redist(pfft3d_plan *p, int side, pfft3d_error *e) {
  const pf_geometry *g = &p->inner->geometry;
  const pf_boxed_geometry *b = &p->boxed->geometry;
  const pfft3d_problem *problem = &g->decision.problem;
  const pf_part mine = pf_box_part(problem, (pfft3d_side)side, &b->box[side][g->rank]),
                planned = pf_box_part(problem, (pfft3d_side)side, &g->box[side]);
  pf_redist_wish w = {.n = {problem->batch},
                      .size = (ptrdiff_t)pfft3d_element_bytes(problem, (pfft3d_side)side),
                      .exchange = g->decision.exchange->name,
                      .in_place = b->in_output,
                      .wire = pf_boxed_narrow(g) ? PFFT3D_SINGLE : PFFT3D_DOUBLE,
                      .node_ranks = p->node_ranks,
                      .count = {1, 1},
                      .part = {&mine, &planned}};
  pfft3d_problem_extents(problem, (pfft3d_side)side, w.n + 1);
  return pf_plan_refuse(p, pf_redist_make(p->comm, &w, &p->boxed->moves.redist[side], e));
}

/* Builds the plan inside, the redistributions and the work array. */
static int make_parts(pfft3d_plan *p, const pf_decision *d, pfft3d_error *e) {
  pf_boxed_geometry *b = &p->boxed->geometry;
  pf_decision inside = *d;
  inside.boxes = NULL;
  inside.shared_array = b->shared_array;
  PF_TRY(pf_plan_create_part(p->comm, &inside, p, &p->inner, e));
  make_top(p);
  for (int side = 0; side < 2; side++)
    if (b->moves[side]) PF_TRY(make_redist(p, side, e));
  return b->in_output ? PFFT3D_OK : pf_plan_alloc(p, b->work_bytes, &p->boxed->work, e);
}

int pf_boxed_build(pfft3d_plan *p, const pf_decision *d, pfft3d_error *e) {
  pf_geometry g;
  pf_boxed_geometry b = {.moves = {0, 0}};
  int rank, ranks;
  MPI_Comm_rank(p->comm, &rank);
  MPI_Comm_size(p->comm, &ranks);
  if (!pf_geometry_make(d, ranks, rank, &g, e)) pf_boxed_geometry_make(&g, &b, e);
  if (!e->status && !(p->boxed = calloc(1, sizeof *p->boxed)))
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  int moves = b.moves[0] || b.moves[1];
  if (pf_agree(p->comm, e) || !moves || !p->boxed) {
    pf_boxed_geometry_free(&b);
    free(p->boxed);
    p->boxed = NULL;
    return e->status ? e->status : pf_plan_build(p, d, e);
  }
  p->boxed->geometry = b;
  p->composite = &boxed;
  return make_parts(p, d, e);
}
