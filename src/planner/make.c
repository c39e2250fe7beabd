/* SPDX-License-Identifier: BSD-3-Clause
 * Makes plans from complete requests. */
#include "planner/planner.h"

#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "base/nodes.h"
#include "redist/boxed.h"
#include "request/axes.h"

/* ---- agreement of ranks ---- */

static void print_array(const pfft3d_array *a, char *out, size_t size) {
  snprintf(out, size, "%td,%td,%td below, %td,%td,%td above, every %td, distance %td", a->below[0],
           a->below[1], a->below[2], a->above[0], a->above[1], a->above[2], a->every, a->distance);
}

static void print_machine(const pfft3d_request *r, char *out, size_t size) {
  const pfft3d_machine *m = &r->machine;
  snprintf(out, size,
           "%d ranks per node, largest count %td, budget %.17g, machine %.17g %.17g %.17g %.17g, "
           "%.17g %.17g %.17g %.17g, %.17g %.17g %d %.17g %.17g %.17g %.17g",
           r->node_ranks, r->max_count, r->plan_budget, m->start[0], m->latency[0], m->bandwidth[0],
           m->overlap[0], m->start[1], m->latency[1], m->bandwidth[1], m->overlap[1], m->memory,
           m->flops, m->group, m->taper, m->paths, m->cache, m->cached);
}

/* Ranks with different requests would wait for each other for ever: compare first.  The caller's
 * arrays must be the same, too, as ranks may write to those of others. */
static int agree_request(MPI_Comm comm, const pfft3d_request *r, pfft3d_error *e) {
  enum { fields = 11, length = 512 };
  static const char *const name[fields] = {"problem",        "decision", "scale",    "field array",
                                           "spectrum array", "grid",     "settings", "model",
                                           "line",           "cuts",     "boxes"};
  char mine[fields][length], root[fields][length];
  pf_locale l = pf_locale_plain(); /* an application's locale may differ */
  memset(mine, 0, sizeof mine);
  pfft3d_problem_print(&r->problem, mine[0], length);
  pfft3d_decision_print(&r->decision, mine[1], length);
  snprintf(mine[2], length, "%.17g %.17g", r->scale[0], r->scale[1]);
  print_array(&r->array[0], mine[3], length);
  print_array(&r->array[1], mine[4], length);
  snprintf(mine[5], length, "%dx%d", r->decision.grid[0], r->decision.grid[1]);
  snprintf(mine[6], length,
           "deterministic %d, joined %d, threads %d, padded %d, wire %d, wisdom %d, required %d",
           r->deterministic, r->joined, r->threads, r->padded, (int)r->wire, r->wisdom != NULL,
           r->wisdom_required);
  print_machine(r, mine[7], length);
  snprintf(mine[8], length, "%s, layouts %d and %d, split %tdx%td", pf_is_line(r) ? "yes" : "no",
           (int)r->layout[0], (int)r->layout[1], r->decision.split[0], r->decision.split[1]);
  snprintf(mine[9], length, "number %016llx", pf_cut_wish_hash(&r->cuts));
  snprintf(mine[10], length, "field %d, spectrum %d, bricks %dx%dx%d", r->boxed[0], r->boxed[1],
           r->bricks[0], r->bricks[1], r->bricks[2]);
  pf_locale_restore(&l);
  memcpy(root, mine, sizeof mine);
  PF_TRY(pf_mpi(e, MPI_Bcast(&root[0][0], (int)sizeof root, MPI_BYTE, 0, comm), "MPI_Bcast"));
  for (int k = 0; k < fields; k++)
    if (strcmp(mine[k], root[k]))
      pf_fail(e, PFFT3D_ERR_INTERNAL, "ranks disagree on the plan: %s is '%s' here, '%s' on rank 0",
              name[k], mine[k], root[k]);
  return pf_agree(comm, e);
}

/* Threads of this library never call MPI, but MPI must allow threads. */
static int check_threads(MPI_Comm comm, int threads, pfft3d_error *e) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  if (threads > 1 && provided < MPI_THREAD_FUNNELED)
    pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
            "%d threads: MPI was initialised without MPI_THREAD_FUNNELED", threads);
  return pf_agree(comm, e);
}

/* One dimension keeps the caller's order of ranks, which determines the distribution.  Boxes follow
 * their ranks.  If nodes differ, a request that is timed has this rank's node already. */
static int order_ranks(pfft3d_plan *p, pfft3d_request *r, pfft3d_error *e) {
  pf_nodes n = {.comm = p->comm};
  int status = pf_nodes_find(&n, r->node_ranks, pf_is_line(r), e);
  p->comm = n.comm;
  p->order = n.order;
  p->node_ranks = n.node_ranks;
  if (!r->node_index) r->node_index = 1 + n.node_index;
  if (!status) pf_boxes_order(&p->boxes, p->order, e);
  return status ? status : pf_agree(p->comm, e);
}

/* Boxes are compared with the array, so the request is checked before. */
static int gather_boxes(pfft3d_plan *p, const pfft3d_request *r, pfft3d_error *e) {
  int ranks;
  MPI_Comm_size(p->comm, &ranks);
  if (pf_boxes_wanted(r, 0) || pf_boxes_wanted(r, 1)) pf_check(r, ranks, e);
  return pf_boxes_gather(p->comm, r, &p->boxes, e);
}

/* ---- plans ---- */

int pf_make_begin(MPI_Comm comm, const pfft3d_request *wish, pfft3d_request *r, pfft3d_plan **plan,
                  pfft3d_error *e) {
  int ranks;
  PF_TRY(pf_plan_open(comm, plan, e));
  pfft3d_plan *p = *plan;
  MPI_Comm_size(p->comm, &ranks);
  *r = *wish;
  p->permuted = pf_axes_request(r, ranks);
  p->cuts = r->cuts;
  pf_cut_wish_hold(&p->cuts);
  if (agree_request(p->comm, r, e) || check_threads(p->comm, r->threads, e) ||
      gather_boxes(p, r, e) || order_ranks(p, r, e))
    pfft3d_plan_destroy(plan);
  return e->status;
}

int pf_make_finish(pfft3d_plan *p, const pfft3d_request *r, pfft3d_error *e) {
  pf_resolved x;
  int ranks;
  MPI_Comm_size(p->comm, &ranks);
  pf_complete(r, ranks, &x, e);
  PF_TRY(pf_agree(p->comm, e));
  if (pf_is_kind_line(r)) return pf_kind_line_build(p, &x.request, &x.kind, &x.line, e);
  if (pf_is_line(r)) return pf_line_build(p, &x.request, &x.line, e);
  return x.field.boxes ? pf_boxed_build(p, &x.field, e) : pf_plan_build(p, &x.field, e);
}

int pf_make_plan(MPI_Comm comm, const pfft3d_request *r, pfft3d_plan **plan, pfft3d_error *e) {
  pfft3d_request own;
  PF_TRY(pf_make_begin(comm, r, &own, plan, e));
  own.node_ranks = (*plan)->node_ranks;
  own.boxes = &(*plan)->boxes;
  pf_machine_resolve(&own);
  if (pf_make_finish(*plan, &own, e)) pfft3d_plan_destroy(plan);
  return e->status;
}
