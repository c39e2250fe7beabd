/* SPDX-License-Identifier: BSD-3-Clause
 * Requests from options, as plain data that commands vary and compare.  No other file of the
 * program turns options into requests, or creates requests of the library. */
#ifndef PF_APP_COMMON_REQUEST_H
#define PF_APP_COMMON_REQUEST_H

#include "app/common/options.h"

/* A transform and its implementation, in terms of pfft3d_request_set(). */
typedef struct run_spec {
  pfft3d_problem problem;
  pfft3d_decision decision;      /* "auto": the library chooses */
  const char *cuts;              /* as in the options, "" or NULL: balanced */
  const char *bricks;            /* as in the options, "" or NULL: none */
  pfft3d_distribution layout[2]; /* of a line, by pfft3d_side */
  double scale[2];               /* by pfft3d_direction */
  pfft3d_precision wire;
  int deterministic, threads, node_ranks;
  int joined;          /* for run_between() */
  int device;          /* 1 + device number; 0: not named */
  ptrdiff_t max_count; /* largest count of an MPI call, in tests; 0: no additional limit */
  double plan_budget;  /* seconds */
  pfft3d_machine machine;
  const pfft3d_wisdom *wisdom; /* or NULL */
  int wisdom_required;
} run_spec;

/** Collective on comm. The library's request for *s, which the caller destroys, or NULL.  Returns
 *  the status, the same on all ranks.  Errors: USAGE, MEMORY (also of another rank). */
int request_make(MPI_Comm comm, const run_spec *s, pfft3d_request **r, pfft3d_error *e);

/** As the library's functions of these names, with a request that exists during the call. */
int request_plan(MPI_Comm comm, const run_spec *s, pfft3d_plan **plan, pfft3d_error *e);
int request_explain(const run_spec *s, int ranks, pfft3d_explanation *x, pfft3d_error *e);
int request_explain_steps(const run_spec *s, int ranks, pfft3d_explained_step *list, int most);
int request_explain_box(const run_spec *s, int ranks, pfft3d_side side, int rank, pfft3d_box *box);
int request_candidates(const run_spec *s, int ranks, pfft3d_candidate *list, int most);

/** Local. The request for the current problem with the given exchange and engine: c2c if the type
 *  is TYPE_AUTO; for a line the first method of the list. */
run_spec options_request(const options *o, const char *algo, const char *engine);

/** Local. Fills @p list with requests for all combinations of the methods, exchanges and engines in
 *  the options, at most @p most; returns their number. */
int options_requests(const options *o, run_spec *list, int most);

/** Local. Sets the scales of request @p r, whose extents are set, for a NORM_..., as in numpy: one
 *  direction is divided by the number of points, or both by its square root. */
void request_normalize(run_spec *r, int norm);

/** Local. The name of the normalization of a request; "none" if both scales are 1. */
const char *request_norm(const run_spec *r);

#endif
