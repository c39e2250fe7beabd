/* SPDX-License-Identifier: BSD-3-Clause
 * Plans from requests: resolve, then build.  An exchange that was chosen and cannot have its memory
 * here (shared memory that a container forbids), and wisdom that does not hold here, are left out
 * of the next attempt. */
#include <string.h>

#include "planner/machine.h"
#include "planner/make.h"
#include "planner/model.h"
#include "planner/resolve.h"

static unsigned long bit_of(const char *algo) {
  for (int i = 0; pf_exchange_at(i); i++)
    if (!strcmp(pf_exchange_at(i)->name, algo)) return 1ul << i;
  return 0;
}

/* What the next attempt does without, when this one has failed; 0 where it would be the same. */
static int leave_out(pf_resolution *w, pfft3d_request *r, const char *algo, int refused) {
  int wise = w->by == PFFT3D_BY_WISDOM;
  int chosen = refused && w->by != PFFT3D_BY_REQUEST && pf_algo_open(r);
  if (chosen) w->env.without |= bit_of(algo);
  r->wisdom = NULL; /* it does not hold here */
  return wise || chosen;
}

static int resolve_and_build(pfft3d_plan *p, const pfft3d_request *request, MPI_Comm owner,
                             pfft3d_error *e) {
  pfft3d_request wanted = *request;
  pf_resolution w = {.comm = p->comm, .owner = owner};
  MPI_Comm_size(p->comm, &w.env.ranks);
  w.env.sharing = p->node_ranks >= w.env.ranks;
  for (;;) {
    pf_resolved x;
    pfft3d_request named = wanted;
    PF_TRY(pf_resolve(&w, &named, e));
    pf_complete(&named, w.env.ranks, &x, e);
    if (!pf_agree(p->comm, e) && !pf_make_finish(p, &x, e)) {
      p->decided_by = w.by;
      memcpy(p->reason, w.reason, sizeof p->reason);
      pf_model_simulate(p, &named.machine);
      return PFFT3D_OK;
    }
    if (e->status != PFFT3D_ERR_UNAVAILABLE ||
        !leave_out(&w, &wanted, named.decision.algo, p->refused))
      return e->status;
    pf_error_clear(e);
    pf_plan_clear(p);
  }
}

int pfft3d_plan_create(MPI_Comm comm, const pfft3d_request *request, pfft3d_plan **plan,
                       pfft3d_error *error) {
  pfft3d_error e;
  pfft3d_request own;
  pf_error_clear(&e);
  *plan = NULL;
  if (!pf_make_begin(comm, request, &own, plan, &e) && resolve_and_build(*plan, &own, comm, &e))
    pfft3d_plan_destroy(plan);
  return pf_error_out(&e, error);
}
