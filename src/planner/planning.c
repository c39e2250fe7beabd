/* SPDX-License-Identifier: BSD-3-Clause
 * What differs between the kinds of problems in planning.  To add one: a row, and a line in
 * pf_planning_of(). */
#include "planner/planner.h"

#include <string.h>

#include "geometry/field.h"
#include "redist/boxed.h"

/* ---- fields ---- */

static double field_seconds(const pf_resolved *x, int ranks, pfft3d_decision *resolved,
                            pfft3d_error *e) {
  const pfft3d_machine *m = &x->request.machine;
  pf_geometry g;
  double sum = 0;
  (void)resolved;
  if (pf_geometry_make(&x->field, ranks, pf_field_heaviest(&x->field), &g, e)) return -1;
  for (int d = 0; d < 2; d++) {
    pf_boxed_cost boxed = {0};
    if (pf_boxed_figures(&g, (pfft3d_direction)d, m, &boxed, e)) return -1;
    sum += pf_model_pipeline(&g, (pfft3d_direction)d, m).seconds + boxed.move[0].cost.seconds +
           boxed.move[1].cost.seconds;
  }
  return sum;
}

static int field_box(const pf_resolved *r, int ranks, pfft3d_side side, int rank, pfft3d_box *box) {
  pf_geometry g;
  pf_boxed_geometry b;
  pfft3d_error e = {0};
  PF_TRY(pf_geometry_make(&r->field, ranks, rank, &g, &e));
  *box = g.box[side];
  if (!g.decision.boxes) return PFFT3D_OK; /* otherwise the boxes of all ranks are compared */
  if (!pf_boxed_geometry_make(&g, &b, &e) && b.box[side]) *box = b.box[side][rank];
  pf_boxed_geometry_free(&b);
  return e.status;
}

static int field_build(pfft3d_plan *p, const pf_resolved *x, pfft3d_error *e) {
  return x->field.boxes ? pf_boxed_build(p, &x->field, e) : pf_plan_build(p, &x->field, e);
}

/* ---- lines ---- */

static int line_complete(pf_resolved *x, int ranks, pfft3d_error *e) {
  PF_TRY(pf_line_choose(&x->request, ranks, &x->line, e));
  x->request.decision = x->line.decision;
  return PFFT3D_OK;
}

static int kind_complete(pf_resolved *x, int ranks, pfft3d_error *e) {
  PF_TRY(pf_kind_line_choose(&x->request, ranks, &x->kind, &x->line, e));
  x->request.decision = x->line.decision;
  return PFFT3D_OK;
}

static double line_seconds(const pf_resolved *x, int ranks, pfft3d_decision *resolved,
                           pfft3d_error *e) {
  pf_explained line = {.steps = 0};
  if (pf_explain_line(x, ranks, &line, e)) return -1;
  *resolved = line.sums.decision;
  return 2 * line.sums.seconds;
}

static int line_box(const pf_resolved *x, int ranks, pfft3d_side side, int rank, pfft3d_box *box) {
  (void)ranks;
  pf_vector_box(&x->line.caller[side], rank, box);
  if (x->line.batch > 1) box->distance = x->line.distance[side];
  return PFFT3D_OK;
}

static int line_build(pfft3d_plan *p, const pf_resolved *x, pfft3d_error *e) {
  return pf_line_build(p, &x->request, &x->line, e);
}

static int kind_build(pfft3d_plan *p, const pf_resolved *x, pfft3d_error *e) {
  return pf_kind_line_build(p, &x->request, &x->kind, &x->line, e);
}

/* ---- the table ---- */

/* Methods for lines differ in their arithmetic, and so in their last bits. */
static const char line_bits[] = "transpose";

static const pf_planning field = {
    PFFT3D_SCHEMES,   1,         NULL,       pf_complete_field, field_seconds,
    pf_explain_field, field_box, field_build};
static const pf_planning line = {PFFT3D_METHODS,  0,        line_bits, line_complete, line_seconds,
                                 pf_explain_line, line_box, line_build};
static const pf_planning kind = {PFFT3D_METHODS,  0,        line_bits, kind_complete, line_seconds,
                                 pf_explain_line, line_box, kind_build};

const pf_planning *pf_planning_of(const pfft3d_request *r) {
  return pf_is_kind_line(r) ? &kind : pf_is_line(r) ? &line : &field;
}

int pf_grid_open(const pfft3d_request *r) {
  const pfft3d_decision *d = &r->decision;
  return pf_planning_of(r)->grids && strcmp(d->scheme, "slab") != 0 && (!d->grid[0] || !d->grid[1]);
}

/* ---- complete requests ---- */

int pf_complete(const pfft3d_request *r, int ranks, pf_resolved *x, pfft3d_error *e) {
  *x = (pf_resolved){.request = *r, .planning = pf_planning_of(r)};
  PF_TRY(pf_check(r, ranks, e));
  return x->planning->complete(x, ranks, e);
}

int pf_complete_geometry(const pfft3d_request *r, int ranks, int rank, pf_geometry *g,
                         pfft3d_error *e) {
  pf_resolved x;
  PF_TRY(pf_complete(r, ranks, &x, e));
  if (rank < 0) rank = pf_field_heaviest(&x.field);
  return pf_geometry_make(&x.field, ranks, rank, g, e);
}
