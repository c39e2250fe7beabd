/* SPDX-License-Identifier: BSD-3-Clause
 * A complete decision: what to compute and how, with nothing left "auto".  planner/ derives it from
 * a request; geometry and plans depend on it alone. */
#ifndef PF_GEOMETRY_DECISION_H
#define PF_GEOMETRY_DECISION_H

#include "exchange/exchange.h"
#include "layout/vector.h"
#include "local/engine.h"
#include "geometry/scheme.h"
#include "request/check.h"

/* A line as a matrix (matrix.h); n is 0 x 0 for fields. */
typedef struct pf_matrix {
  ptrdiff_t n[2];
  pf_vector side[2]; /* by pfft3d_side; they may be shorter than n[0] * n[1] */
  int moves;         /* nonzero: elements are moved only, without a transform */
} pf_matrix;

typedef struct pf_decision {
  pfft3d_problem problem; /* batch >= 1 */
  pfft3d_decision names;  /* as text; the grid covers all used ranks */
  const pf_scheme *scheme;
  const pf_exchange_ops *exchange;
  const pf_engine *engine;
  pf_matrix matrix;
  pf_cut_wish cuts;      /* borrowed from the request, or from the plan */
  pfft3d_array array[2]; /* by pfft3d_side: padding of the caller's arrays */
  const pf_boxes *boxes; /* boxes of the caller on both sides of this plan; borrowed; or NULL */
  size_t shared_array;   /* minimum bytes of a rank's part of a shared array */
  PF_WITH_SETTINGS;
} pf_decision;

#endif
