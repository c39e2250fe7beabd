/* SPDX-License-Identifier: BSD-3-Clause
 * Makes requests from options. */
#include "app/common/request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double points_of(const pfft3d_request *r) {
  const ptrdiff_t *n = r->problem.n;
  return (double)n[0] * (double)n[1] * (double)n[2];
}

void request_normalize(pfft3d_request *r, int norm) {
  double n = points_of(r);
  int backward = norm == NORM_BACKWARD, forward = norm == NORM_FORWARD;
  r->scale[PFFT3D_FORWARD] = forward ? 1 / n : norm == NORM_ORTHO ? 1 / sqrt(n) : 1;
  r->scale[PFFT3D_BACKWARD] = backward ? 1 / n : norm == NORM_ORTHO ? 1 / sqrt(n) : 1;
}

const char *request_norm(const pfft3d_request *r) {
  static const char *const words[] = {"none", "backward", "forward", "ortho"};
  int scaled = (r->scale[PFFT3D_BACKWARD] < 1) + 2 * (r->scale[PFFT3D_FORWARD] < 1);
  return words[scaled];
}

/* Turns the request into one for a line if --size was given. */
static void request_line(const options *o, pfft3d_request *r) {
  const ptrdiff_t n[3] = {1, 1, o->size};
  if (!o->size) return;
  r->line = 1;
  memcpy(r->problem.n, n, sizeof n);
  snprintf(r->decision.scheme, sizeof r->decision.scheme, "%s", o->method.name[0]);
  for (int side = PFFT3D_SPACE; side <= PFFT3D_SPECTRUM; side++) {
    int layout = o->layout[side];
    r->layout[side] =
        (pfft3d_distribution)(layout == LAYOUT_SAME ? o->layout[PFFT3D_SPACE] : layout);
  }
}

pfft3d_request options_request(const options *o, const char *algo, const char *engine) {
  pfft3d_request r;
  pfft3d_request_init(&r);
  r.problem.kind = o->type == TYPE_AUTO ? PFFT3D_C2C : (pfft3d_kind)o->type;
  r.problem.precision = (pfft3d_precision)o->precision;
  memcpy(r.problem.n, o->grid, sizeof o->grid);
  r.problem.batch = (ptrdiff_t)o->batch;
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s", o->decomp);
  memcpy(r.decision.grid, o->pgrid, sizeof o->pgrid);
  r.decision.chunk = o->chunk;
  snprintf(r.decision.algo, sizeof r.decision.algo, "%s", algo);
  snprintf(r.decision.engine, sizeof r.decision.engine, "%s", engine);
  r.decision.order = (pfft3d_order)o->order;
  r.wire = (pfft3d_precision)o->wire;
  r.deterministic = o->deterministic;
  r.threads = (int)o->threads;
  r.node_ranks = (int)o->node_ranks;
  r.max_count = (ptrdiff_t)o->max_count;
  r.plan_budget = o->plan_budget;
  r.wisdom = o->known;
  r.wisdom_required = o->wisdom_required;
  r.machine = o->machine;
  request_line(o, &r);
  request_normalize(&r, o->norm);
  return r;
}

int options_requests(const options *o, pfft3d_request *list, int most) {
  int methods = o->size ? o->method.count : 1, count = 0;
  for (int m = 0; m < methods; m++)
    for (int i = 0; i < o->algo.count; i++)
      for (int j = 0; j < o->engine.count && count < most; j++) {
        pfft3d_request r = options_request(o, o->algo.name[i], o->engine.name[j]);
        if (o->size) snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s", o->method.name[m]);
        list[count++] = r;
      }
  return count;
}
