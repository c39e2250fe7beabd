/* SPDX-License-Identifier: BSD-3-Clause
 * A decision in full: what to compute and how, with nothing left "auto".  planner/ makes it from a
 * request; geometry and plans are made from it, and know nothing of requests. */
#ifndef PF_PLAN_DECISION_H
#define PF_PLAN_DECISION_H

#include "exchange/exchange.h"
#include "layout/vector.h"
#include "local/engine.h"
#include "plan/scheme.h"

/* A line as a matrix (matrix.h); n is 0 x 0 for fields. */
typedef struct pf_matrix {
  ptrdiff_t n[2];
  pf_vector side[2]; /* by pfft3d_side; they may be shorter than n[0] * n[1] */
  int moves;         /* elements change places, and nothing else */
  size_t array;      /* bytes of a rank's part of a shared array, at least */
} pf_matrix;

typedef struct pf_decision {
  pfft3d_problem problem; /* batch >= 1 */
  pfft3d_decision names;  /* as texts; the grid is that of all used ranks */
  const pf_scheme *scheme;
  const pf_exchange_ops *exchange;
  const pf_engine *engine;
  pf_matrix matrix;
  pfft3d_array array[2]; /* by pfft3d_side: what the caller's arrays have around their boxes */
  double scale[2];       /* by pfft3d_direction */
  pfft3d_precision wire; /* of numbers between ranks */
  int deterministic, threads;
  int node_ranks;      /* ranks on each node, one after another */
  ptrdiff_t max_count; /* the largest count of an MPI call; 0: INT_MAX */
} pf_decision;

/** Local. Whether a name of a request leaves the choice to the planner. */
int pf_name_open(const char *name);

/** Local. Refuses values of a request that mean nothing.  Errors: USAGE, UNAVAILABLE. */
int pf_request_check(const pfft3d_request *r, int ranks, pfft3d_error *e);

/** Local. The names of a request's decision, in full: aliases are replaced.  Errors: USAGE, with
 *  the valid choices. */
int pf_decision_names(const pfft3d_request *r, pfft3d_decision *d, pfft3d_error *e);

#endif
