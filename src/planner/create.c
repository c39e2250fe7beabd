/* SPDX-License-Identifier: BSD-3-Clause
 * Plans from requests: resolve, then build.  A chosen exchange whose memory is unavailable (shared
 * memory may be forbidden in a container) or too much (windows have the same size on all ranks, the
 * largest), and wisdom that fails here, are left out of the next attempt. */
#include "planner/planner.h"

#include <string.h>

static unsigned long bit_of(const char *algo) {
  for (int i = 0; pf_exchange_at(i); i++)
    if (!strcmp(pf_exchange_at(i)->name, algo)) return 1ul << i;
  return 0;
}

/* Excludes the cause of a failure from the next attempt; returns 0 if nothing would change. */
static int leave_out(pf_resolution *w, pfft3d_request *r, const pfft3d_decision *d, int refused) {
  pfft3d_decided_by by = w->answer.by;
  int stores = d->local == PFFT3D_LOCAL_STORES;
  int open = stores ? pf_local_open(&r->decision) : pf_name_open(r->decision.algo);
  int chosen = refused && by != PFFT3D_BY_REQUEST && open;
  if (chosen && stores) w->env.no_stores = 1;
  if (chosen && !stores) w->env.without |= bit_of(d->algo);
  r->wisdom = NULL; /* it failed here */
  r->no_wisdom = 1;
  return by == PFFT3D_BY_WISDOM || chosen;
}

/* Plans, and fills in the decision in `named`. */
static int attempt(pf_resolution *w, pfft3d_plan *p, pfft3d_request *named, pfft3d_error *e) {
  p->refused = 0;
  PF_TRY(pf_resolve(w, named, e));
  return pf_make_finish(p, named, e);
}

static int resolve_and_build(pfft3d_plan *p, const pfft3d_request *request, MPI_Comm owner,
                             pfft3d_error *e) {
  pfft3d_request wanted = *request;
  pf_resolution w = {.comm = p->comm, .owner = owner, .start = MPI_Wtime()};
  pfft3d_error lacking = {.status = PFFT3D_OK}; /* the first error of memory */
  MPI_Comm_size(p->comm, &w.env.ranks);
  wanted.node_ranks = p->node_ranks;
  wanted.boxes = &p->boxes;
  for (;;) {
    pfft3d_request named = wanted;
    int status = attempt(&w, p, &named, e);
    if (!status) {
      p->decided_by = w.answer.by;
      memcpy(p->reason, w.answer.reason, sizeof p->reason);
      pf_model_simulate(p, &named.machine);
      return PFFT3D_OK;
    }
    int memory = status == PFFT3D_ERR_MEMORY && p->refused;
    if (memory && !lacking.status) lacking = *e;
    int again = memory || status == PFFT3D_ERR_UNAVAILABLE;
    if (!again || !leave_out(&w, &wanted, &named.decision, p->refused)) break;
    pf_error_clear(e);
    pf_plan_clear(p);
  }
  if (lacking.status && (e->status == PFFT3D_ERR_UNAVAILABLE || e->status == PFFT3D_ERR_WISDOM))
    *e = lacking;
  return e->status;
}

/* Creates a plan, or agrees on the failure that *e has on some ranks. */
static void create(MPI_Comm comm, const pfft3d_request *request, pfft3d_plan **plan,
                   pfft3d_error *e) {
  pfft3d_plan *made = NULL;
  pfft3d_request own;
  if (!plan) pf_fail(e, PFFT3D_ERR_USAGE, "plan: no address for it");
  if (!pf_make_begin(comm, request, &own, &made, e) && resolve_and_build(made, &own, comm, e))
    pfft3d_plan_destroy(&made);
  if (plan) *plan = made;
}

int pfft3d_plan_create(MPI_Comm comm, const pfft3d_request *request, pfft3d_plan **plan,
                       pfft3d_error *error) {
  pfft3d_error e = {0};
  if (plan) *plan = NULL;
  if (!pf_comm_ready(comm, &e)) {
    pf_request_valid(request, &e);
    create(comm, request, plan, &e);
  }
  return pf_error_out(&e, error);
}

int pfft3d_plan_create_text(MPI_Comm comm, const char *text, pfft3d_plan **plan,
                            pfft3d_error *error) {
  pfft3d_error e = {0};
  pfft3d_request request;
  pf_request_init(&request);
  if (plan) *plan = NULL;
  if (!pf_comm_ready(comm, &e)) {
    pfft3d_request_parse(&request, text, &e);
    create(comm, &request, plan, &e);
    pf_cut_wish_drop(&request.cuts);
  }
  return pf_error_out(&e, error);
}

int pfft3d_plan_create_f(const pfft3d_fint *comm, const pfft3d_request *request, pfft3d_plan **plan,
                         pfft3d_error *error) {
  return pfft3d_plan_create(pf_comm_f(comm), request, plan, error);
}

int pfft3d_plan_create_text_f(const pfft3d_fint *comm, const char *text, pfft3d_plan **plan,
                              pfft3d_error *error) {
  return pfft3d_plan_create_text(pf_comm_f(comm), text, plan, error);
}
