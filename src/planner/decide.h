/* SPDX-License-Identifier: BSD-3-Clause
 * From what is asked for to what is done. */
#ifndef PF_PLANNER_DECIDE_H
#define PF_PLANNER_DECIDE_H

#include "exchange/exchange.h"
#include "local/engine.h"
#include "plan/scheme.h"

enum { PF_REASON = 240 };

/* A decision, and what its names stand for. */
typedef struct pf_choice {
  pfft3d_decision decision; /* nothing left "auto" */
  const pf_scheme *scheme;
  const pf_exchange_ops *exchange;
  const pf_engine *engine;
  char reason[PF_REASON]; /* where something was "auto" */
} pf_choice;

/** Local. Refuses values that mean nothing.  Errors: USAGE, UNAVAILABLE. */
int pf_request_check(const pfft3d_request *r, int ranks, pfft3d_error *e);

/** Local. The names of a request's decision, in full: aliases are replaced.  Errors: USAGE, with
 * the valid choices. */
int pf_decision_names(const pfft3d_request *r, pfft3d_decision *d, pfft3d_error *e);

/** Local. Settles a request that was checked, with a batch of 1 at least, for ranks that share
 *  memory or not.  Errors: USAGE, UNAVAILABLE. */
int pf_decide(const pfft3d_request *request, int ranks, int sharing, pf_choice *c, pfft3d_error *e);

#endif
