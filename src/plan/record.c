/* SPDX-License-Identifier: BSD-3-Clause
 * Plans that are recorded in a timeline: every operator keeps its address while it is. */
#include "plan/plan.h"

/* The pipelines of edges are those of another operator. */
static int record(pfft3d_plan *p, pf_timeline *t, pfft3d_error *e) {
  for (int k = 0; k < p->operators; k++) {
    const pf_operator *o = &p->operator[k];
    if (o->ops->record) PF_TRY(o->ops->record(o->data, t, e));
  }
  return PFFT3D_OK;
}

void pf_plan_unrecord(pfft3d_plan *p) {
  pfft3d_error unused = {.status = PFFT3D_OK};
  if (!p->timeline) return;
  record(p, NULL, &unused);
  pf_timeline_drop(p->timeline);
  p->timeline = NULL;
}

static int begin(pfft3d_plan *p, pf_timeline *t, pfft3d_error *e) {
  char text[400];
  p->timeline = t;
  p->timeline_number = t->plans;
  t->users++;
  if (!pf_timeline_add_plan(t, pfft3d_plan_print(p, text, sizeof text), e)) record(p, t, e);
  if (pf_agree(p->comm, e)) pf_plan_unrecord(p);
  return e->status;
}

int pfft3d_plan_timeline(pfft3d_plan *plan, pfft3d_timeline *timeline, pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  if (!plan) pf_fail(&e, PFFT3D_ERR_USAGE, "plan: is NULL");
  if (e.status || pf_mpi_ready(&e) || !plan) return pf_error_out(&e, error);
  if (plan->half_way) pf_fail(&e, PFFT3D_ERR_USAGE, "timeline: a transform of the plan has begun");
  if (e.status) return pf_error_out(&e, error);
  pf_plan_unrecord(plan);
  if (timeline) begin(plan, timeline, &e);
  return pf_error_out(&e, error);
}
