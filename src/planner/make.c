/* SPDX-License-Identifier: BSD-3-Clause
 * Makes plans from complete requests. */
#include "planner/planner.h"

#include "base/nodes.h"
#include "request/axes.h"
#include "request/keys.h"

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
  if (pf_keys_agree(p->comm, r, e) || check_threads(p->comm, r->threads, e) ||
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
  return x.planning->build(p, &x, e);
}

int pf_make_plan(MPI_Comm comm, const pfft3d_request *r, pfft3d_plan **plan, pfft3d_error *e) {
  pfft3d_request own;
  int ranks;
  PF_TRY(pf_make_begin(comm, r, &own, plan, e));
  MPI_Comm_size(comm, &ranks);
  own.node_ranks = (*plan)->node_ranks;
  own.boxes = &(*plan)->boxes;
  pf_machine_resolve(&own, ranks);
  if (pf_make_finish(*plan, &own, e)) pfft3d_plan_destroy(plan);
  return e->status;
}
