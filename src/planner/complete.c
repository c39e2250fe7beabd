/* SPDX-License-Identifier: BSD-3-Clause
 * Choices that need no model: engines, grids of named decompositions, splits of lines. */
#include "planner/planner.h"

#include <string.h>

#include "redist/boxed.h"
#include "geometry/field.h"
#include "request/problem.h"
#include "request/text.h"

int pf_local_open(const pfft3d_decision *d) {
  return d->local == PFFT3D_LOCAL_AUTO || (d->local == PFFT3D_LOCAL_USUAL && pf_name_open(d->algo));
}

int pf_request_open(const pfft3d_request *r) {
  const pfft3d_decision *d = &r->decision;
  return pf_name_open(d->scheme) || pf_name_open(d->algo) || pf_local_open(d);
}

double pf_problem_bytes(const pfft3d_problem *p) {
  double points = (double)p->n[0] * (double)p->n[1] * (double)p->n[2];
  return points * (double)pf_element(p->precision) * (p->batch > 1 ? (double)p->batch : 1);
}

int pf_check(const pfft3d_request *r, int ranks, pfft3d_error *e) {
  PF_TRY(pf_machine_check(&r->machine, e));
  return pf_request_check(r, ranks, e);
}

static const pf_engine *find_engine(const char *name, const pfft3d_problem *p) {
  const pf_engine *engine;
  for (int i = 0; (engine = pf_engine_at(i)); i++) {
    int supported = 1;
    if ((engine->device || strcmp(name, "auto")) && strcmp(name, engine->name)) continue;
    for (int a = 0; a < 3; a++)
      supported = supported &&
                  engine->supports(pf_kind_points(pf_problem_axis(p, a), p->n[a]), p->precision);
    if (supported) return engine;
  }
  return NULL;
}

int pf_order_open(const pfft3d_request *r) {
  return pf_boxes_wanted(r, PFFT3D_SPECTRUM) && !r->deterministic;
}

/* Natural order if the spectrum's boxes then match the caller's, and do not match in transposed
 * order; else transposed order, which saves an exchange. */
static int choose_order(pf_decision *d, int ranks, pfft3d_error *e) {
  static const pfft3d_order order[] = {PFFT3D_TRANSPOSED, PFFT3D_NATURAL};
  pf_geometry g;
  pfft3d_error unfit[2] = {{0}, {0}}; /* lists of cuts may be for one order only */
  for (int k = 0; k < 2; k++) {
    d->names.order = order[k];
    if (pf_field_check_cuts(d, &unfit[k])) continue;
    PF_TRY(pf_geometry_make(d, ranks, 0, &g, e));
    if (pf_boxed_fit(&g, PFFT3D_SPECTRUM)) return PFFT3D_OK;
  }
  if (unfit[0].status && unfit[1].status) *e = unfit[1];
  d->names.order = order[unfit[0].status != PFFT3D_OK];
  return e->status;
}

/* Reports the limit of the engine of that name; without a name, of the engine for the longest
 * lines. */
static int refuse_engine(const char *name, const pfft3d_problem *p, pfft3d_error *e) {
  const pf_engine *engine, *said = NULL, *other = find_engine("auto", p);
  for (int i = 0; (engine = pf_engine_at(i)); i++) {
    if ((engine->device || strcmp(name, "auto")) && strcmp(name, engine->name)) continue;
    if (!said || engine->longest > said->longest) said = engine;
  }
  PF_CHECK(said, e, PFFT3D_ERR_UNAVAILABLE, "engine '%s': this build has none", name);
  if (other) pf_hint(e, "engine %s takes it", other->name);
  for (int a = 0; a < 3; a++)
    PF_TRY(pf_engine_check(said, pf_kind_points(pf_problem_axis(p, a), p->n[a]), p->precision, e));
  return pf_fail(e, PFFT3D_ERR_INTERNAL, "engine '%s': takes it, but was not found", said->name);
}

int pf_complete_field(pf_resolved *x, int ranks, pfft3d_error *e) {
  pfft3d_request *r = &x->request;
  pfft3d_decision *d = &r->decision;
  const pfft3d_problem *p = &r->problem;
  PF_TRY(pf_decision_names(r, d, e));
  x->field = (pf_decision){.problem = *p, .settings = r->settings, .cuts = r->cuts};
  int boxed = pf_boxes_wanted(r, 0) || pf_boxes_wanted(r, 1);
  PF_CHECK(!boxed || r->boxes, e, PFFT3D_ERR_INTERNAL, "boxes: those of the ranks are not known");
  if (boxed) x->field.boxes = r->boxes;
  if (!x->field.problem.batch) x->field.problem.batch = 1;
  x->field.engine = find_engine(d->engine, p);
  if (!x->field.engine) return refuse_engine(d->engine, p, e);
  pf_name_set(d->engine, x->field.engine->name);
  x->field.scheme = pf_scheme_find(d->scheme);
  x->field.exchange = pf_exchange_find(d->algo);
  if (!x->field.scheme || !x->field.exchange)
    return pf_fail(e, PFFT3D_ERR_INTERNAL, "'%s', '%s': left open", d->scheme, d->algo);
  PF_TRY(pf_decision_local(x->field.exchange, d, e));
  PF_TRY(x->field.scheme->grid(r, ranks, d->grid, e));
  x->field.names = *d;
  if (!pf_order_open(r)) PF_TRY(pf_field_check_cuts(&x->field, e));
  memcpy(x->field.array, r->array, sizeof r->array);
  if (r->padded && pf_problem_half(p))
    x->field.array[PFFT3D_SPACE].above[2] += 2 - p->n[2] % 2; /* to 2 (n2/2+1) */
  if (pf_order_open(r)) {
    PF_TRY(choose_order(&x->field, ranks, e));
    d->order = x->field.names.order;
  }
  return PFFT3D_OK;
}
