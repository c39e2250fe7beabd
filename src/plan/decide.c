/* SPDX-License-Identifier: BSD-3-Clause
 * What to do: checks a request and settles all that it leaves to "auto". */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "plan/decide.h"
#include "plan/outline.h"
#include "plan/text.h"

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

/* The whole grid, in elements of a batch. */
static int check_extents(const pfft3d_problem *p, pfft3d_error *e) {
  size_t elements = (size_t)p->batch;
  for (int a = 0; a < 3; a++) {
    PF_CHECK(p->n[a] >= 1, e, PFFT3D_ERR_USAGE, "grid size %td along axis %d: must be 1 or more",
             p->n[a], a);
    PF_CHECK(!pf_mul(elements, (size_t)p->n[a], &elements) && elements <= (size_t)PTRDIFF_MAX, e,
             PFFT3D_ERR_USAGE, "grid %tdx%tdx%td: more elements than 64 bits can count", p->n[0],
             p->n[1], p->n[2]);
  }
  return PFFT3D_OK;
}

int pf_request_check(const pfft3d_request *r, int ranks, pfft3d_error *e) {
  const pfft3d_problem *p = &r->problem;
  PF_CHECK((p->kind == PFFT3D_C2C || p->kind == PFFT3D_R2C) &&
               (p->precision == PFFT3D_DOUBLE || p->precision == PFFT3D_SINGLE),
           e, PFFT3D_ERR_USAGE, "kind %d, precision %d: unknown", (int)p->kind, (int)p->precision);
  PF_CHECK(r->wire == PFFT3D_DOUBLE || r->wire == PFFT3D_SINGLE, e, PFFT3D_ERR_USAGE,
           "wire of precision %d: unknown; valid are double (0) and single (1)", (int)r->wire);
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
  PF_CHECK(r->latency >= 0 && r->bandwidth > 0, e, PFFT3D_ERR_USAGE,
           "latency %g, bandwidth %g: must be 0 or more, and more than 0", r->latency,
           r->bandwidth);
  PF_CHECK(r->decision.chunk >= 0, e, PFFT3D_ERR_USAGE, "chunk of %td bytes: must be 0 or more",
           r->decision.chunk);
  PF_CHECK(r->max_count >= 0, e, PFFT3D_ERR_USAGE, "largest count %td: must be 0 or more",
           r->max_count);
  PF_CHECK(r->node_ranks >= 0, e, PFFT3D_ERR_USAGE, "%d ranks on a node: must be 0 or more",
           r->node_ranks);
  for (int side = 0; side < 2; side++) PF_TRY(check_array(&r->array[side], e));
  return check_extents(p, e);
}

/* Shared memory beats any message.  Without a network model the rule is: one message per plane and
 * destination, unless that makes messages so small that their start costs more than their bytes. */
static const char *auto_algo(const pf_redist *r, size_t element, int sharing) {
  if (sharing) return "shared";
  pf_piece b = pf_redist_piece(r, 0, 0);
  return (double)b.lines * (double)b.run * (double)element >= 16 * 1024 ? "slabs" : "packed";
}

static const pf_engine *find_engine(const char *name, const ptrdiff_t n[3],
                                    pfft3d_precision precision) {
  for (int i = 0; pf_engine_at(i); i++) {
    const pf_engine *engine = pf_engine_at(i);
    if (strcmp(name, "auto") && strcmp(name, engine->name)) continue;
    if (engine->supports(n[0], precision) && engine->supports(n[1], precision) &&
        engine->supports(n[2], precision))
      return engine;
  }
  return NULL;
}

/* Ranks that hold something before, and after a transform in transposed order. */
static int busy_ranks(const pfft3d_request *r, const char *scheme, int ranks) {
  pf_layout l;
  pfft3d_error e;
  int grid[2] = {0, 0}, least = ranks;
  pf_error_clear(&e);
  if (pf_scheme_find(scheme)->grid(r, ranks, grid, &e)) return 0;
  for (int side = 0; side < 2; side++) {
    int busy = 1;
    pf_scheme_find(scheme)->layout(&r->problem, PFFT3D_TRANSPOSED, grid, (pfft3d_side)side, &l);
    for (int a = 0; a < 3; a++)
      if (l.dim[a] != PF_WHOLE) busy *= pf_split_used(l.n[a], l.grid[l.dim[a]]);
    if (busy < least) least = busy;
  }
  return least;
}

/* Slabs, as long as every rank has work and a message is worth its start: V/P bytes take longer
 * than the latency.  Inside a node nothing is sent. */
static const char *auto_scheme(const pfft3d_request *r, int ranks, int sharing) {
  ptrdiff_t n[3];
  pfft3d_problem_extents(&r->problem, PFFT3D_SPECTRUM, n);
  double bytes = (double)pf_wire_element(r->problem.precision, r->wire) * (double)r->problem.batch;
  double message = bytes * (double)n[0] * (double)n[1] * (double)n[2] / ranks / ranks;
  if (r->decision.grid[0] || r->decision.grid[1]) return "pencil";
  if (ranks == 1) return "slab";
  int slab = busy_ranks(r, "slab", ranks), pencil = busy_ranks(r, "pencil", ranks);
  if (slab < pencil) return "pencil";
  int dear = !sharing && ranks >= 4 && message < r->latency * r->bandwidth;
  return dear && pencil == slab ? "pencil" : "slab";
}

static int decide_algo(const pfft3d_request *request, int ranks, int sharing, pf_choice *c,
                       pfft3d_error *e) {
  const pfft3d_problem *p = &request->problem;
  pfft3d_decision *d = &c->decision;
  pf_route route;
  pf_wish wish = {.order = d->order, .anywhere = 1};
  if (!strcmp(d->algo, "auto")) {
    c->scheme->route(p, d->grid, &wish, PFFT3D_FORWARD, &route);
    int a = route.exchange[0].from, b = route.exchange[0].to;
    pf_redist r = {.ranks = d->grid[route.exchange[0].dim],
                   .from = a,
                   .to = b,
                   .outer = route.step[0].outer,
                   .batch = p->batch};
    pfft3d_problem_extents(p, PFFT3D_SPECTRUM, r.len);
    strcpy(d->algo,
           auto_algo(&r, pf_wire_element(p->precision, request->wire), sharing || ranks == 1));
  }
  c->exchange = pf_exchange_find(d->algo);
  return c->exchange ? PFFT3D_OK : pf_fail(e, PFFT3D_ERR_INTERNAL, "no algo '%s'", d->algo);
}

int pf_decide(const pfft3d_request *request, int ranks, int sharing, pf_choice *c,
              pfft3d_error *e) {
  const pfft3d_problem *p = &request->problem;
  const pfft3d_decision *wish = &request->decision;
  pfft3d_decision *d = &c->decision;
  *d = *wish;
  PF_TRY(pf_name_parse(PFFT3D_SCHEMES, wish->scheme, strlen(wish->scheme), d->scheme, e));
  PF_TRY(pf_name_parse(PFFT3D_EXCHANGES, wish->algo, strlen(wish->algo), d->algo, e));
  PF_TRY(pf_name_parse(PFFT3D_ENGINES, wish->engine, strlen(wish->engine), d->engine, e));
  int shares = sharing && (!strcmp(d->algo, "auto") || !strcmp(d->algo, "shared"));
  if (!strcmp(d->scheme, "auto")) strcpy(d->scheme, auto_scheme(request, ranks, shares));
  c->scheme = pf_scheme_find(d->scheme);
  PF_TRY(c->scheme->grid(request, ranks, d->grid, e));
  c->engine = find_engine(d->engine, p->n, p->precision);
  if (!c->engine) {
    pf_hint(e, "engine fftw takes every length");
    return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "engine '%s': cannot do a length of %tdx%tdx%td",
                   d->engine, p->n[0], p->n[1], p->n[2]);
  }
  strcpy(d->engine, c->engine->name);
  return decide_algo(request, ranks, sharing, c, e);
}
