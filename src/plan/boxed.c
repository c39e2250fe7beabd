/* SPDX-License-Identifier: BSD-3-Clause
 * Plans between boxes of the caller: their steps. */
#include "redist/boxed.h"
#include "plan/plan.h"

#include <string.h>

static int make_redist(pfft3d_plan *p, const pf_geometry *g, const pf_boxed_geometry *b, int side,
                       int *operation, pfft3d_error *e) {
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
  return pf_plan_redist(p, &w, operation, e);
}

/* The outline has the caller's boxes. */
static void set_outline(pfft3d_plan *p, const pf_geometry *g, const pf_boxed_geometry *b) {
  pf_outline *o = &p->outline;
  *o = pf_outline_of(g);
  for (int side = 0; side < 2; side++) {
    if (b->box[side]) o->box[side] = b->box[side][g->rank];
    o->given[side] = b->box[side];
  }
  memcpy(o->side_bytes, b->side_bytes, sizeof o->side_bytes);
  o->user_bytes = b->user_bytes;
}

/* The steps of a direction; @p redist: the redistributions of both sides, or -1. */
static void add_steps(pfft3d_plan *p, const pf_pipelines *made, int way, const int redist[2],
                      int between) {
  const pf_end in = {PF_INPUT, 0}, out = {PF_OUTPUT, 0}, inside = {between, 0};
  const pf_end end[2] = {redist[way] < 0 ? in : inside, redist[!way] < 0 ? out : inside};
  for (int leave = 0; leave < 2; leave++) {
    int side = leave ? !way : way;
    if (leave) pf_list_add_pipeline(p, &p->list[way], made, way, end[0], end[1]);
    if (redist[side] < 0) continue;
    pf_step *s = pf_list_add(&p->list[way], redist[side]);
    s->way = leave ? PFFT3D_BACKWARD : PFFT3D_FORWARD;
    s->from = leave ? end[1] : in;
    s->to = leave ? out : end[0];
  }
}

/* Makes the pipelines, the redistributions and the buffer. */
static int make_steps(pfft3d_plan *p, const pf_decision *d, const pf_boxed_geometry *b,
                      pfft3d_error *e) {
  const pf_setting setting = pf_plan_setting(p);
  pf_pipelines *made;
  pf_decision inside = *d;
  int redist[2] = {-1, -1}, between = b->in_output ? PF_OUTPUT : 0;
  inside.boxes = NULL;
  inside.shared_array = b->shared_array;
  PF_TRY(pf_plan_pipelines(p, &setting, &inside, &made, e));
  set_outline(p, &made->geometry, b);
  for (int side = 0; side < 2; side++)
    if (b->moves[side]) PF_TRY(make_redist(p, &made->geometry, b, side, &redist[side], e));
  for (int way = 0; way < 2; way++) add_steps(p, made, way, redist, between);
  if (b->in_output) return PFFT3D_OK;
  return pf_plan_buffer(p, between, b->work_bytes, p->outline.shared, e);
}

int pf_boxed_build(pfft3d_plan *p, const pf_decision *d, pfft3d_error *e) {
  pf_geometry g;
  pf_boxed_geometry b = {.moves = {0, 0}};
  int rank, ranks;
  MPI_Comm_rank(p->comm, &rank);
  MPI_Comm_size(p->comm, &ranks);
  if (!pf_geometry_make(d, ranks, rank, &g, e)) pf_boxed_geometry_make(&g, &b, e);
  if (pf_agree(p->comm, e) || (!b.moves[0] && !b.moves[1])) {
    pf_boxed_geometry_free(&b);
    return e->status ? e->status : pf_plan_build(p, d, e);
  }
  for (int side = 0; side < 2; side++)
    p->outline.given[side] = b.box[side]; /* freed with the plan */
  return make_steps(p, d, &b, e);
}
