/* SPDX-License-Identifier: BSD-3-Clause
 * Candidates with plans and arrays, to be timed. */
#ifndef PF_PLANNER_RUNNER_H
#define PF_PLANNER_RUNNER_H

#include "planner/planner.h"

/* Private arrays for any plan whose results are not stored directly into other ranks' arrays. */
typedef struct pf_common_arrays {
  void *array[2];
  size_t bytes;
} pf_common_arrays;

typedef struct pf_runner {
  pfft3d_candidate *candidate;
  pfft3d_plan *plan; /* NULL: not open */
  void *array[2];    /* its own arrays, or common ones */
  const pf_common_arrays *common;
  int row; /* transforms of a sample, for the caller */
} pf_runner;

/** Collective on comm. Plans one candidate; it uses the arrays in @p common if it can, else (or if
 * NULL) its own.  Impossible candidates are left without a plan.  Errors, agreed: those of
 * pfft3d_plan_create(), but not UNAVAILABLE and MEMORY. */
int pf_runner_open(MPI_Comm comm, const pfft3d_request *request, pfft3d_candidate *c,
                   pf_common_arrays *common, pf_runner *r, pfft3d_error *e);

/** Collective on the comm of its plan. A runner without a plan is allowed. */
void pf_runner_close(pf_runner *r);
void pf_common_arrays_free(pf_common_arrays *common);

/** Collective on comm. Seconds of a forward and a backward transform on the slowest rank, the mean
 * of @p times in a row.  Errors, agreed: INTERNAL. */
int pf_runner_time(MPI_Comm comm, const pf_runner *r, int times, double *seconds, pfft3d_error *e);

/** Local. Number of transforms in a sample if one takes so many seconds: several if it is so short
 * that clocks and barriers would matter. */
int pf_runner_row(double seconds);

/** Local. The median; sorts the values. */
double pf_median(double *v, int count);

/** Local. Sorts candidates that were measured before all others, the fastest first; stable. */
void pf_candidates_sort(pfft3d_candidate *list, int count);

#endif
