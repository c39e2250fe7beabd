/* SPDX-License-Identifier: BSD-3-Clause
 * Checks of a request. */
#include "request/check.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "request/boxes.h"
#include "request/problem.h"
#include "request/text.h"

int pf_name_open(const char *name) {
  return !name[0] || strcmp(name, "auto") == 0;
}

static int check_array(const pfft3d_array *a, pfft3d_error *e) {
  enum { most = 1 << 30 };
  for (int k = 0; k < 3; k++)
    PF_CHECK(a->below[k] >= 0 && a->above[k] >= 0 && a->below[k] <= most && a->above[k] <= most, e,
             PFFT3D_ERR_USAGE, "array: %td and %td elements around axis %d: must be 0 to %d",
             a->below[k], a->above[k], k, most);
  PF_CHECK(a->every >= 0 && a->every <= most, e, PFFT3D_ERR_USAGE,
           "array: an element every %td: must be 0 to %d", a->every, most);
  PF_CHECK(a->distance >= 0, e, PFFT3D_ERR_USAGE, "array: a field every %td: must be 0 or more",
           a->distance);
  return PFFT3D_OK;
}

/* Checks that the elements of the whole batch can be counted. */
static int check_extents(const pfft3d_problem *p, pfft3d_error *e) {
  size_t elements = (size_t)p->batch;
  PF_CHECK(p->dims >= 0 && p->dims <= 3, e, PFFT3D_ERR_USAGE, "%d dimensions: must be 1, 2 or 3",
           p->dims);
  for (int a = 0; a < 3; a++) {
    PF_CHECK(!p->dims || a >= 3 - p->dims || p->n[a] == 1, e, PFFT3D_ERR_USAGE,
             "grid %tdx%tdx%td of %d dimensions: leading sizes must be 1", p->n[0], p->n[1],
             p->n[2], p->dims);
    PF_CHECK(p->n[a] >= 1, e, PFFT3D_ERR_USAGE, "grid size %td along axis %d: must be 1 or more",
             p->n[a], a);
    PF_CHECK(!pf_mul(elements, (size_t)p->n[a], &elements) && elements <= (size_t)PTRDIFF_MAX, e,
             PFFT3D_ERR_USAGE, "grid %tdx%tdx%td: more elements than 64 bits can count", p->n[0],
             p->n[1], p->n[2]);
  }
  return PFFT3D_OK;
}

/* Engines multiply by a factor of the precision of the data. */
static int check_scales(const pfft3d_request *r, pfft3d_error *e) {
  int single = r->problem.precision == PFFT3D_SINGLE;
  double least = single ? (double)FLT_MIN : DBL_MIN, most = single ? (double)FLT_MAX : DBL_MAX;
  for (int d = 0; d < 2; d++) {
    double size = fabs(r->scale[d]);
    PF_CHECK(size == 0 || (size >= least && size <= most), e, PFFT3D_ERR_USAGE,
             "scale %g: must be 0 or of a size from %.3g to %.3g", r->scale[d], least, most);
  }
  return PFFT3D_OK;
}

int pf_request_check(const pfft3d_request *r, int ranks, pfft3d_error *e) {
  const pfft3d_problem *p = &r->problem;
  PF_TRY(pf_request_valid(r, e));
  PF_CHECK((p->kind == PFFT3D_C2C || p->kind == PFFT3D_R2C) &&
               (p->precision == PFFT3D_DOUBLE || p->precision == PFFT3D_SINGLE),
           e, PFFT3D_ERR_USAGE, "kind %d, precision %d: unknown", (int)p->kind, (int)p->precision);
  PF_CHECK(r->wire == PFFT3D_DOUBLE || r->wire == PFFT3D_SINGLE || r->wire == PFFT3D_SAME, e,
           PFFT3D_ERR_USAGE, "wire of precision %d: unknown", (int)r->wire);
  PF_CHECK(p->batch >= 0 && p->batch <= 1 << 20, e, PFFT3D_ERR_USAGE,
           "batch of %td: must be 1 to %d", p->batch, 1 << 20);
  PF_CHECK(ranks >= 1, e, PFFT3D_ERR_USAGE, "number of ranks %d: must be 1 or more", ranks);
  PF_CHECK(r->decision.order == PFFT3D_TRANSPOSED || r->decision.order == PFFT3D_NATURAL, e,
           PFFT3D_ERR_USAGE, "order %d: unknown", (int)r->decision.order);
  PF_CHECK(r->threads >= 1 && r->threads <= 4096, e, PFFT3D_ERR_USAGE,
           "number of threads %d: must be 1 to 4096", r->threads);
#ifndef _OPENMP
  PF_CHECK(r->threads == 1, e, PFFT3D_ERR_UNAVAILABLE, "%d threads: this build has no OpenMP",
           r->threads);
#endif
  PF_CHECK(r->plan_budget >= 0, e, PFFT3D_ERR_USAGE, "plan budget of %g seconds: must be 0 or more",
           r->plan_budget);
  PF_CHECK(r->decision.chunk >= 0, e, PFFT3D_ERR_USAGE, "chunk of %td bytes: must be 0 or more",
           r->decision.chunk);
  PF_CHECK(r->node_ranks >= 0, e, PFFT3D_ERR_USAGE, "%d ranks on a node: must be 0 or more",
           r->node_ranks);
  PF_CHECK(r->decision.local >= PFFT3D_LOCAL_USUAL && r->decision.local <= PFFT3D_LOCAL_AUTO, e,
           PFFT3D_ERR_USAGE, "local %d: unknown", (int)r->decision.local);
  for (int side = 0; side < 2; side++) PF_TRY(check_array(&r->array[side], e));
  PF_TRY(check_extents(p, e));
  PF_TRY(pf_kinds_check(p, e));
  PF_TRY(pf_keep_check(p, e));
  PF_TRY(check_scales(r, e)); /* often 1/N of a size that may be none */
  return pf_boxes_check(r, ranks, e);
}

int pf_decision_local(const pf_exchange_ops *exchange, pfft3d_decision *d, pfft3d_error *e) {
  int wanted = d->local == PFFT3D_LOCAL_STORES;
  if (wanted && exchange->boxes) {
    char names[160];
    pf_hint(e, "%s can", pf_list_print(PFFT3D_STORING_EXCHANGES, names, sizeof names));
    return pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
                   "local stores: exchange '%s' cannot store into memory of other ranks",
                   exchange->name);
  }
  d->local = wanted && exchange->stores ? PFFT3D_LOCAL_STORES : PFFT3D_LOCAL_USUAL;
  return PFFT3D_OK;
}

int pf_decision_names(const pfft3d_request *r, pfft3d_decision *d, pfft3d_error *e) {
  const pfft3d_decision wish = r->decision;
  pfft3d_list schemes = pf_is_line(r) ? PFFT3D_METHODS : PFFT3D_SCHEMES;
  PF_TRY(pf_name_parse(schemes, wish.scheme, d->scheme, e));
  PF_TRY(pf_name_parse(PFFT3D_EXCHANGES, wish.algo, d->algo, e));
  return pf_name_parse(PFFT3D_ENGINES, wish.engine, d->engine, e);
}
