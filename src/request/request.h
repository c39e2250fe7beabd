/* SPDX-License-Identifier: BSD-3-Clause
 * The members of a request: all input of a plan.  Callers set them by text (pfft3d_request_set()),
 * the library reads them. */
#ifndef PF_REQUEST_REQUEST_H
#define PF_REQUEST_REQUEST_H

#include "base/status.h"
#include "request/cut_wish.h"
#include "request/problem.h"

enum { PF_REQUEST_MARK = 0x70663364 };

typedef struct pf_boxes pf_boxes; /* boxes.h */

/* The members that a decision takes over as they are. */
#define PF_SETTINGS                                                                              \
  double scale[2];       /* factor of the results of forward and backward */                     \
  pfft3d_precision wire; /* precision of messages */                                             \
  int deterministic;     /* the same bits for every exchange and number of ranks: estimated FFTW \
                            plans, axes in a fixed order */                                      \
  int joined;            /* all fields of a batch are transformed together, for                  \
                            pfft3d_execute_between() */                                          \
  int device;            /* 1 + its number, for engines that need one; 0: not named */           \
  int node_index;        /* 1 + index of this rank on its node; 0: not known */                  \
  int threads;           /* OpenMP threads of each rank; any number gives the same bits */       \
  int node_ranks; /* number of consecutive ranks that count as a node, the last one may have     \
                     fewer; they must lie inside a real node if exchange `node` stores into      \
                     shared memory.  0: detect; a dry run then assumes 1 */
typedef struct pf_settings {
  PF_SETTINGS
} pf_settings;

/* The same members, also as one struct `settings`. */
#define PF_WITH_SETTINGS  \
  union {                 \
    pf_settings settings; \
    struct {              \
      PF_SETTINGS         \
    };                    \
  }

struct pfft3d_request {
  unsigned mark; /* PF_REQUEST_MARK identifies a request */
  pfft3d_problem problem;
  pf_share share; /* of the modes that the problem keeps, applied whenever sizes are set */
  pfft3d_decision decision; /* the requested choices */
  pfft3d_distribution
      layout[2];         /* for one dimension, by pfft3d_side; of the spectrum: in natural order */
  pfft3d_array array[2]; /* by pfft3d_side */
  int boxed[2]; /* by side; nonzero: `box` is this rank's box, and other ranks have theirs */
  pfft3d_box box[2];
  int bricks[3];         /* boxes on a grid of ranks on both sides; 0: none */
  const pf_boxes *boxes; /* of all ranks, while a plan or a dry run is made; borrowed */
  int padded;            /* r2c: rows of the real field are padded to 2 (n2/2+1), as for FFTW in
                            place (same as array[PFFT3D_SPACE].above[2]) */
  pf_cut_wish cuts;      /* how axes are cut; copies of a request that are kept hold it */
  PF_WITH_SETTINGS;
  pfft3d_machine machine; /* for the model, if a choice is "auto" */
  double plan_budget;     /* seconds for timing the best candidates if a choice is "auto"; 0: the
                             model decides */
  const pfft3d_wisdom *wisdom; /* consulted first, on rank 0, if a choice is "auto"; NULL: that of
                                  the user's file */
  int no_wisdom;               /* nonzero: not that of the user's file */
  int wisdom_required;         /* fail (WISDOM) if a choice is "auto" and wisdom has no answer */
};

/** Local. A request with the defaults of pfft3d_request_create(). */
void pf_request_init(pfft3d_request *r);

/** Local. Nonzero if the problem has one dimension, which is distributed over all ranks. */
static inline int pf_is_line(const pfft3d_request *r) {
  return r->problem.dims == 1;
}

/** Local. Rejects NULL and pointers to other objects.  Errors: USAGE. */
int pf_request_valid(const pfft3d_request *r, pfft3d_error *e);

#endif
