/* SPDX-License-Identifier: BSD-3-Clause
 * Plans between boxes of the caller: built and run. */
#include "plan/boxed.h"

#include <stdlib.h>
#include <string.h>

/* ---- runs ---- */

/* Moves data from the caller's boxes of a side to those of the plan, or back. */
static int move(pfft3d_plan *p, pfft3d_direction direction, int side, const void *in, void *out) {
  pf_boxed *b = p->boxed;
  pfft3d_stats *own = &b->own[direction];
  pfft3d_direction way = side == (int)direction ? PFFT3D_FORWARD : PFFT3D_BACKWARD;
  double start = MPI_Wtime();
  int status = pfft3d_redist_execute(b->redist[side], way, in, out);
  own->wait_s += MPI_Wtime() - start;
  pf_redist_take(b->redist[side], way, own);
  return status;
}

/* The sides of a direction have its number, and the other one. */
static int run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
               int exchange) {
  pf_boxed *b = p->boxed;
  int from = (int)direction, to = !direction, status = PFFT3D_OK;
  void *between = b->work ? b->work : out;
  const void *source = b->redist[from] ? between : in;
  void *target = b->redist[to] ? between : out;
  double start = MPI_Wtime();
  if (b->redist[from] && exchange) status = move(p, direction, from, in, between);
  if (!status) status = pf_pipeline_run(p->inner, direction, source, target, exchange);
  if (b->redist[to] && exchange && !status) status = move(p, direction, to, between, out);
  if (!status && exchange) b->own[direction].total_s += MPI_Wtime() - start;
  return status;
}

static void add_up(pfft3d_plan *p, pfft3d_direction direction, int reset, pfft3d_stats *stats) {
  pf_boxed *b = p->boxed;
  const pfft3d_stats *own = &b->own[direction];
  const size_t *bytes = p->geometry.side_bytes;
  const pf_message_count sent = {own->messages, own->bytes, own->bytes_min, own->bytes_max};
  pf_pipeline_stats(p->inner, direction, reset, stats);
  pf_stats_add_messages(stats, &sent);
  stats->wait_s += own->wait_s;
  stats->traffic += own->traffic;
  stats->total_s = own->total_s;
  stats->work_bytes += b->geometry.work_bytes;
  for (int side = 0; side < 2; side++) {
    if (!b->redist[side]) continue;
    stats->exchanges++;
    stats->work_bytes += pf_redist_bytes(b->redist[side]);
  }
  double sides = (double)bytes[0] + (double)bytes[1];
  stats->passes = stats->executions && sides > 0
                      ? stats->traffic / (double)stats->executions / sides
                      : stats->passes;
  if (reset) b->own[direction] = (pfft3d_stats){0};
}

static int raw(pfft3d_plan *p, pfft3d_direction direction, double *seconds) {
  int status = pf_pipeline_raw(p->inner, direction, seconds);
  for (int side = 0; side < 2 && !status; side++) {
    double more = 0;
    if (!p->boxed->redist[side]) continue;
    status = pf_redist_raw(p->boxed->redist[side],
                           side == (int)direction ? PFFT3D_FORWARD : PFFT3D_BACKWARD, &more);
    *seconds += more;
  }
  return status;
}

static void destroy(pfft3d_plan *p) {
  pf_boxed *b = p->boxed;
  pfft3d_plan_destroy(&p->inner);
  for (int side = 0; side < 2; side++) pfft3d_redist_destroy(&b->redist[side]);
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
                      .node_ranks = p->node_ranks,
                      .count = {1, 1},
                      .part = {&mine, &planned}};
  pfft3d_problem_extents(problem, (pfft3d_side)side, w.n + 1);
  return pf_redist_make(p->comm, &w, &p->boxed->redist[side], e);
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
