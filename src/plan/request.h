/* SPDX-License-Identifier: BSD-3-Clause
 * The inside of a request: everything a plan is made from.  Callers set it by words
 * (pfft3d_request_set()), the library reads the members. */
#ifndef PF_PLAN_REQUEST_H
#define PF_PLAN_REQUEST_H

#include "base/status.h"

enum { PF_REQUEST_MARK = 0x70663364 };

struct pfft3d_request {
  unsigned mark; /* PF_REQUEST_MARK: this is a request */
  pfft3d_problem problem;
  pfft3d_decision decision; /* what is wished for */
  pfft3d_distribution
      layout[2]; /* of one dimension, by pfft3d_side; that of the spectrum in natural order */
  pfft3d_array array[2];  /* by pfft3d_side */
  int padded;             /* r2c: rows of the real field are padded to 2 (n2/2+1), as for FFTW in
                             place (same as array[PFFT3D_SPACE].above[2]) */
  double scale[2];        /* factor on the result of forward and backward */
  pfft3d_precision wire;  /* of numbers between ranks */
  int deterministic;      /* the same bits for every exchange and number of ranks: estimated FFTW
                             plans, axes in a fixed order */
  int threads;            /* OpenMP threads of each rank; any number gives the same bits */
  pfft3d_machine machine; /* for the model, where something is "auto" */
  double plan_budget;     /* seconds that timing the best candidates may take where "auto" leaves a
                             choice; 0: the model decides alone */
  const pfft3d_wisdom *wisdom; /* asked first where "auto" leaves a choice, on rank 0; or NULL */
  int wisdom_required;         /* an error (WISDOM) where "auto" leaves a choice and wisdom knows no
                                  answer */
  int node_ranks;      /* neighbouring ranks that count as a node, the last one may have fewer; each
                          must lie inside a real one where exchange `node` stores into memory that
                          its ranks share.  0: as found; a dry run then takes 1 */
  ptrdiff_t max_count; /* the largest count given to one MPI call; 0: INT_MAX, what MPI takes.
                          Smaller ones let tests see what large arrays do. */
};

/** Local. A request with the defaults of pfft3d_request_create(). */
void pf_request_init(pfft3d_request *r);

/** Local. Whether it is about one dimension, which is distributed over all ranks. */
static inline int pf_is_line(const pfft3d_request *r) {
  return r->problem.dims == 1;
}

/** Local. Refuses NULL and what is no request.  Errors: USAGE. */
int pf_request_valid(const pfft3d_request *r, pfft3d_error *e);

#endif
