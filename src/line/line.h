/* SPDX-License-Identifier: BSD-3-Clause
 * Plans for lines: the matrix, and the steps around it if a line is no such matrix.
 *
 *   reorder   a cyclic side whose rows the number of ranks does not divide is moved to blocks and
 *             back by pipelines that only move
 *   chirp     a length without good factors is computed as a convolution with a chirp, by matrices
 *             of at least twice its length (Bluestein)
 *   halves    real numbers of an even length are half as many complex ones, whose spectrum is split
 *             (half.c)
 *   reals     other r2c lines, unless the matrix has real numbers, are widened to complex ones:
 *             forward keeps half of the spectrum; backward doubles it and takes real parts
 *
 * The lines of a batch pass through all steps together, except with a chirp or a butterfly. */
#ifndef PF_LINE_LINE_H
#define PF_LINE_LINE_H

#include "geometry/matrix.h"
#include "plan/plan.h"

struct pf_line; /* work.h */

/* The decision for a line. */
typedef struct pf_line_choice {
  ptrdiff_t split[2];
  int chirp;     /* split[0] * split[1] is the length of the convolution */
  int butterfly; /* exchanges halves instead of rows (butterfly.c) */
  int half;   /* real numbers in pairs (half.c): split, unfit and vector are for half the length */
  int reals;  /* the matrix has real numbers on one side (geometry/matrix_half.c) */
  int narrow; /* mirror images of double numbers are sent in single precision */
  int unfit[2];        /* by side; nonzero: it is moved to blocks and back */
  pf_vector vector[2]; /* by side: the vector that is transformed */
  pf_vector caller[2]; /* by side: the vector of the caller */
  const pf_engine *engine;
  pfft3d_decision decision;
  ptrdiff_t batch;       /* lines that are transformed together */
  ptrdiff_t distance[2]; /* by side: from line to line in the caller's arrays, in their elements */
  ptrdiff_t inside;      /* from line to line between steps, in complex numbers */
} pf_line_choice;

/** Local. Lines that pass through the steps together: all or one. */
static inline ptrdiff_t pf_line_together(const pf_line_choice *c) {
  return c->chirp || c->butterfly ? 1 : c->batch;
}

/** Local. The number of times that the steps run for all lines. */
static inline ptrdiff_t pf_line_times(const pf_line_choice *c) {
  return c->batch / pf_line_together(c);
}

/** Local. Elements of a rank's array of a side of the caller: all lines and the gaps between them.
 */
ptrdiff_t pf_line_elements(const pf_line_choice *c, int side, int rank);

/** Local. The vector of a side of the core: in blocks if the side is moved to blocks. */
static inline pf_vector pf_line_inside(const pf_line_choice *c, int side) {
  pf_vector v = c->vector[side];
  if (c->unfit[side]) v.distribution = PF_BLOCK;
  return v;
}

/** Local. Checks a request for a line and decides everything but the exchange.  Errors: USAGE,
 *  UNAVAILABLE. */
int pf_line_choose(const pfft3d_request *r, int ranks, pf_line_choice *c, pfft3d_error *e);

/** Local. As pf_line_choose(), for inner lines, whose number is not the caller's batch. */
int pf_line_choose_inside(const pfft3d_request *r, int ranks, pf_line_choice *c, pfft3d_error *e);

/** Local. The first checks of pf_line_choose(). */
int pf_line_check(const pfft3d_request *r, int ranks, pfft3d_error *e);

/** Local. Sets the distances of a choice, whose caller[] and batch are set.  Errors: USAGE,
 *  UNAVAILABLE. */
int pf_line_distances(const pfft3d_request *r, pf_line_choice *c, pfft3d_error *e);

/** Local. Chooses the engine, the split, and how real numbers are transformed (method.c).  Errors:
 *  USAGE, UNAVAILABLE. */
int pf_line_method(const pfft3d_request *r, int ranks, pf_line_choice *c, pfft3d_error *e);

/* A length to split. */
typedef struct pf_split_task {
  ptrdiff_t n;
  int ranks, cyclic[2];
  const pf_engine *engine;
  pfft3d_precision precision;
} pf_split_task;

/** Local. Finds a split of t->n points; a cyclic side prefers rows that the ranks divide.  Returns
 * 0 if there is no efficient one. */
int pf_line_split(const pf_split_task *t, ptrdiff_t split[2]);

/** Local. Finds a split of at least n points with small factors only. */
void pf_line_split_above(ptrdiff_t n, int ranks, const int cyclic[2], ptrdiff_t split[2]);

/* The pipelines of a line, in the order of a forward transform. */
enum { PF_LINE_PLANS = 4 };
typedef enum pf_line_plan {
  PF_LINE_REORDER_IN, /* space: cyclic to blocks and back */
  PF_LINE_CORE,       /* the transform; with a chirp: of the vector in space */
  PF_LINE_CORE_OUT,   /* with a chirp: of the vector in the spectrum */
  PF_LINE_REORDER_OUT /* spectrum: cyclic to blocks and back */
} pf_line_plan;

/** Local. The decision of such pipelines for request @p r, whose exchange is named; returns 0 if
 * they are not needed. */
int pf_line_part(const pfft3d_request *r, const pf_line_choice *c, pf_line_plan which,
                 pf_decision *d);

/** Local. Nonzero if all steps are pipelines. */
int pf_line_simple(const pfft3d_request *r, const pf_line_choice *c);

/** Local. The number of buffers between the steps of a line. */
int pf_line_works(const pf_line_choice *c);

/** Local. The outline of a plan for a line, on this rank of a communicator. */
pf_outline pf_line_outline(const pfft3d_request *r, const pf_line_choice *c, MPI_Comm comm);

/** Collective on p->comm. Makes the operators of a line; *line is freed with the plan. Errors,
 * agreed: as pf_plan_build(). */
int pf_line_make(pfft3d_plan *p, const pfft3d_request *r, const pf_line_choice *c,
                 struct pf_line **line, pfft3d_error *e);

/** Local. Adds the steps of a direction of a line to a list. */
void pf_line_add(pfft3d_plan *p, pf_list *l, const struct pf_line *line, pfft3d_direction direction,
                 pf_end from, pf_end to);

/** Collective on p->comm. Builds the plan of a line.  Errors, agreed: as pf_plan_build(). */
int pf_line_build(pfft3d_plan *p, const pfft3d_request *r, const pf_line_choice *c,
                  pfft3d_error *e);

#endif
