/* SPDX-License-Identifier: BSD-3-Clause
 * Checks of a request, and the names of its decision. */
#ifndef PF_REQUEST_CHECK_H
#define PF_REQUEST_CHECK_H

#include "exchange/exchange.h"
#include "request/request.h"

/** Local. Nonzero if a name leaves the choice to the planner. */
int pf_name_open(const char *name);

/** Local. Rejects invalid values of a request.  Errors: USAGE, UNAVAILABLE. */
int pf_request_check(const pfft3d_request *r, int ranks, pfft3d_error *e);

/** Local. The names of a request's decision, with aliases replaced.  Errors: USAGE, with the valid
 * choices. */
int pf_decision_names(const pfft3d_request *r, pfft3d_decision *d, pfft3d_error *e);

/** Local. Completes d->local for an exchange: PFFT3D_LOCAL_STORES if the exchange is to store
 * blocks instead of sending them on a node, else PFFT3D_LOCAL_USUAL.  Errors: UNAVAILABLE if it
 * cannot store. */
int pf_decision_local(const pf_exchange_ops *exchange, pfft3d_decision *d, pfft3d_error *e);

#endif
