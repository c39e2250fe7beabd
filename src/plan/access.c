/* SPDX-License-Identifier: BSD-3-Clause
 * Queries of a plan. */
#include <stdio.h>
#include <string.h>

#include "geometry/field.h"
#include "plan/plan.h"
#include "request/axes.h"

/* Nonzero if plan, side and rank are valid. */
static int is_valid(const pfft3d_plan *plan, pfft3d_side side, int rank) {
  return plan && (side == PFFT3D_SPACE || side == PFFT3D_SPECTRUM) && rank >= 0 &&
         rank < plan->outline.ranks;
}

pfft3d_box pf_plan_box(const pfft3d_plan *plan, pfft3d_side side, int ordered) {
  const pf_outline *o = &plan->outline;
  pfft3d_box box;
  if (o->vector[side].ranks) {
    pf_vector_box(&o->vector[side], ordered, &box);
    if (o->problem.batch > 1) box.distance = o->box[side].distance;
    return box;
  }
  if (o->given[side])
    box = o->given[side][ordered];
  else if (ordered == o->rank)
    box = o->box[side];
  else
    pf_field_box(&pf_plan_pipelines_at(plan, 0)->geometry, side, ordered, &box);
  pf_axes_box_back(plan->permuted, &box);
  return box;
}

int pfft3d_plan_box(const pfft3d_plan *plan, pfft3d_side side, int rank, pfft3d_box *box) {
  if (!is_valid(plan, side, rank) || !box) return PFFT3D_ERR_USAGE;
  *box = pf_plan_box(plan, side, plan->order ? plan->order[rank] : rank);
  return PFFT3D_OK;
}

ptrdiff_t pfft3d_plan_index(const pfft3d_plan *plan, pfft3d_side side, int rank, ptrdiff_t i) {
  if (!is_valid(plan, side, rank)) return -1;
  const pf_vector *v = &plan->outline.vector[side];
  int ordered = plan->order ? plan->order[rank] : rank;
  return v->ranks && i >= 0 && i < pf_vector_count(v, ordered) ? pf_vector_index(v, ordered, i)
                                                               : -1;
}

int pfft3d_plan_extents(const pfft3d_plan *plan, pfft3d_side side, ptrdiff_t n[3]) {
  if (!is_valid(plan, side, 0) || !n) return PFFT3D_ERR_USAGE;
  pfft3d_problem_extents(&plan->outline.problem, side, n);
  pf_axes_sizes_back(plan->permuted, n);
  return PFFT3D_OK;
}

static void swap(int *a, int *b) {
  int old = *a;
  *a = *b;
  *b = old;
}

/* Sorts axes by the strides of a box; those with the same one stay.  An axis that needs no stride
 * may have 0. */
static void sort_axes(const pfft3d_box *box, int axis[3]) {
  const ptrdiff_t *stride = box->stride;
  if (!stride[0] || !stride[1] || !stride[2]) return;
  for (int k = 1; k < 3; k++)
    for (int i = k; i > 0 && stride[axis[i]] > stride[axis[i - 1]]; i--)
      swap(&axis[i], &axis[i - 1]);
}

int pfft3d_plan_axes(const pfft3d_plan *plan, pfft3d_side side, int axis[3]) {
  pfft3d_problem p;
  if (!is_valid(plan, side, 0) || !axis) return PFFT3D_ERR_USAGE;
  const pf_outline *o = &plan->outline;
  const pfft3d_box *box = plan->boxes.box[side];
  pfft3d_plan_problem(plan, &p);
  for (int a = 0; a < 3; a++) axis[a] = a;
  if (box)
    sort_axes(&box[o->rank], axis);
  else if (side == PFFT3D_SPECTRUM && o->decision.order == PFFT3D_TRANSPOSED && p.dims != 1)
    swap(&axis[p.dims == 2], &axis[1 + (p.dims == 2)]);
  return PFFT3D_OK;
}

size_t pfft3d_plan_elements(const pfft3d_plan *plan, pfft3d_side side) {
  if (!is_valid(plan, side, 0)) return 0;
  size_t bytes = plan->outline.side_bytes[side];
  return bytes ? bytes / pfft3d_element_bytes(&plan->outline.problem, side) : 1;
}

size_t pfft3d_plan_bytes(const pfft3d_plan *plan) {
  if (!plan) return 0;
  size_t least = plan->outline.element;
  return plan->outline.user_bytes > least ? plan->outline.user_bytes : least;
}

int pfft3d_plan_problem(const pfft3d_plan *plan, pfft3d_problem *p) {
  if (!plan || !p) return PFFT3D_ERR_USAGE;
  *p = pf_axes_problem_back(plan->permuted, &plan->outline.problem);
  return PFFT3D_OK;
}

int pfft3d_plan_decision(const pfft3d_plan *plan, pfft3d_decision *d) {
  if (!plan || !d) return PFFT3D_ERR_USAGE;
  *d = plan->outline.decision;
  pf_axes_decision(plan->permuted, d);
  return PFFT3D_OK;
}

const char *pfft3d_plan_reason(const pfft3d_plan *plan) {
  return plan ? plan->reason : NULL;
}

pfft3d_decided_by pfft3d_plan_decided_by(const pfft3d_plan *plan) {
  return plan ? plan->decided_by : PFFT3D_BY_REQUEST;
}

char *pfft3d_plan_print(const pfft3d_plan *plan, char *out, size_t size) {
  char problem[160], decision[192];
  pfft3d_problem p;
  pfft3d_decision names;
  if (!plan || !out || !size) return NULL;
  pfft3d_plan_problem(plan, &p);
  pfft3d_plan_decision(plan, &names);
  snprintf(out, size, "%s %s", pfft3d_problem_print(&p, problem, sizeof problem),
           pfft3d_decision_print(&names, decision, sizeof decision));
  return out;
}
