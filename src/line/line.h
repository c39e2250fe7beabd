/* SPDX-License-Identifier: BSD-3-Clause
 * Plans for lines: which matrix, and what has to be done around it where a line does not fit one.
 *
 *   reorder   a cyclic side whose rows the number of ranks does not divide is moved to blocks and
 *             back by a plan that only moves
 *   chirp     a length without good factors is done as a convolution with a chirp, by matrices of
 *             at least twice its length (Bluestein)
 *   reals     real numbers are complex ones inside, of which half the spectrum is computed; a half
 *             spectrum is given the weight of both halves, and the real part is the answer */
#ifndef PF_LINE_LINE_H
#define PF_LINE_LINE_H

#include "plan/matrix.h"

/* What was decided for a line. */
typedef struct pf_line_choice {
  ptrdiff_t split[2];
  int chirp;           /* split[0] * split[1] is the length of the convolution */
  int butterfly;       /* by halves instead of rows (butterfly.c) */
  int unfit[2];        /* by side: moved to blocks, and back */
  pf_vector vector[2]; /* by side: as the caller has it */
  const pf_engine *engine;
  pfft3d_decision decision;
} pf_line_choice;

/** Local. Checks a request for a line and decides everything but the exchange.  Errors: USAGE,
 *  UNAVAILABLE. */
int pf_line_choose(const pfft3d_request *r, int ranks, pf_line_choice *c, pfft3d_error *e);

/** Local. A split of n points for this number of ranks; a cyclic side wants rows that the ranks
 *  divide.  0 where there is none worth it. */
int pf_line_split(ptrdiff_t n, int ranks, const int cyclic[2], const pf_engine *engine,
                  pfft3d_precision precision, ptrdiff_t split[2]);

/** Local. A split of at least n points, of small factors only. */
void pf_line_split_above(ptrdiff_t n, int ranks, const int cyclic[2], ptrdiff_t split[2]);

/* The matrices of a line, in the order of a forward transform; a direction takes them in turn. */
enum { PF_LINE_PLANS = 4 };
typedef enum pf_line_plan {
  PF_LINE_REORDER_IN, /* space: cyclic to blocks and back */
  PF_LINE_CORE,       /* the transform; with a chirp: of the vector of space */
  PF_LINE_CORE_OUT,   /* with a chirp: of the vector of the spectrum */
  PF_LINE_REORDER_OUT /* spectrum: cyclic to blocks and back */
} pf_line_plan;

/** Local. The decision of each of them, of request @p r, whose exchange is named; returns 0 where
 *  there is none. */
int pf_line_part(const pfft3d_request *r, const pf_line_choice *c, pf_line_plan which,
                 pf_decision *d);

/** Local. Whether a single matrix does all of it. */
int pf_line_simple(const pfft3d_request *r, const pf_line_choice *c);

/** Collective on p->comm. Builds a plan for a line. */
int pf_line_build(pfft3d_plan *p, const pfft3d_request *r, const pf_line_choice *c,
                  pfft3d_error *e);

/* A convolution with a chirp: factors exp(-+ pi i j^2/n) of points, and those between. */
typedef struct pf_line_chirp {
  ptrdiff_t n;
  pf_roots roots; /* of 2 n */
  char *kernel;   /* for the elements of this rank between the two transforms */
  ptrdiff_t count;
} pf_line_chirp;

/** Collective on comm. Errors: MEMORY, INTERNAL. */
int pf_line_chirp_make(pf_line_chirp *c, MPI_Comm comm, const pf_decision *core, ptrdiff_t n,
                       pfft3d_error *e);
void pf_line_chirp_free(pf_line_chirp *c);

/** Local. to = from * chirp * scale for the elements of this rank; sign of the direction. */
void pf_line_chirp_multiply(const pf_line_chirp *c, const pf_vector *v, int rank,
                            pfft3d_precision precision, int sign, double scale, const char *from,
                            char *to);

/** Local. Multiplies by the kernel. */
void pf_line_chirp_kernel(const pf_line_chirp *c, pfft3d_precision precision, int sign, char *data);

#endif
