/* SPDX-License-Identifier: BSD-3-Clause
 * A line of N = n1 n2 points as a matrix (the algorithm of four or six steps):
 *
 *   j = j1 n2 + j2,  k = k1 + n1 k2
 *   X[k] = sum_j2 [ exp(-2 pi i j2 k1/N) sum_j1 x[j] exp(-2 pi i j1 k1/n1) ] exp(-2 pi i j2 k2/n2)
 *
 * So forward na = n1 points are transformed along columns of a matrix with rows of nb = n2, results
 * get their factors, and nb points are transformed along the other axis; the result is a matrix
 * with rows of na.  Backward it is the same with n1 and n2 exchanged.  A direction has up to four
 * steps, each of which writes the lines that the next one needs as points:
 *
 *   move in    lines: rows of the input, points: columns        where rows are cut (blocks)
 *   first      lines: columns, points: rows                     transforms na points
 *   second     lines: results of first, points: columns         transforms nb points
 *   move out   lines: rows of the result, points: its columns   where rows are cut
 *
 * Between them are exchanges, all alike: lines are cut before, their points after.  In shared
 * memory nothing is moved: `first` reads the input of all ranks and `second` writes the output of
 * all. Sources: Bailey, J. Supercomputing 4(1), 1990; one exchange for cyclic vectors: Inda and
 * Bisseling, Parallel Computing 27, 2001. */
#ifndef PF_PLAN_MATRIX_H
#define PF_PLAN_MATRIX_H

#include "plan/plan.h"

/** Local. Works out everything of a matrix plan for rank o->rank: of o, problem, decision,
 * exchange, engine, element, wire, ranks, rank, threads, cap and matrix are set.  Errors:
 * UNAVAILABLE. */
int pf_matrix_geometry(pf_geometry *o, pfft3d_error *e);

/** Local. As pf_geometry_fft() for n1 (axis 1) or n2 (axis 2). */
pf_fft_spec pf_matrix_fft(const pf_geometry *o, pfft3d_direction direction, int axis);

/** Local. The role of a step of a direction. */
typedef enum pf_role { PF_MOVE_IN, PF_FIRST, PF_SECOND, PF_MOVE_OUT } pf_role;
pf_role pf_matrix_role(const pf_geometry *o, int direction, int step);

/* Lines of a step. */
typedef struct pf_lines_of {
  ptrdiff_t points;
  pf_range mine;   /* of the lines: this rank's */
  ptrdiff_t chunk; /* lines in a plane */
} pf_lines_of;
pf_lines_of pf_matrix_lines(const pf_geometry *o, int direction, pf_role role);

/** Local. What a step reads, or writes, belongs to this side's vector. */
const pf_vector *pf_matrix_vector(const pf_geometry *o, int direction, int output);

/* Rows of a matrix that are not in the caller's array as they should be, in elements from the
 * beginning of PF_SLOT_EDGES: a last row that is not full or not of one rank alone, at the input
 * and at the output; a row of zeros; and room for what nobody wants. */
typedef struct pf_edges {
  ptrdiff_t in, out, zero, dump, size;
} pf_edges;
pf_edges pf_matrix_edges(const pf_geometry *o);

/** Local. The same, of a rank in a window: from the beginning of the window. */
ptrdiff_t pf_matrix_edge_at(const pf_geometry *o, int rank, ptrdiff_t edge);

/* What a plan for a matrix is made from, beside what is in its geometry. */
typedef struct pf_matrix_request {
  pf_matrix matrix;
  pfft3d_problem problem;
  const pf_engine *engine;
  const char *algo; /* or "auto" */
  pfft3d_precision wire;
  double scale[2];
  int estimate, threads;
  int node_ranks;
  ptrdiff_t cap;
  size_t array; /* bytes of a rank's part of a shared array, at least */
} pf_matrix_request;

/** Local. Its geometry, for ranks that share memory or not.  Errors: UNAVAILABLE. */
int pf_matrix_resolve(const pf_matrix_request *r, int ranks, int rank, int sharing, pf_geometry *o,
                      pfft3d_error *e);

/** Collective on p->comm, which has no buffers yet. Builds a plan. */
int pf_matrix_build(pfft3d_plan *p, const pf_matrix_request *r, pfft3d_error *e);

/** Collective. A plan of its own; with the shared arrays of another one, if that is given. */
int pf_matrix_create(MPI_Comm comm, const pf_matrix_request *r, pfft3d_plan *owner,
                     pfft3d_plan **plan, pfft3d_error *e);

/** Local. As pf_pipeline_create().  Errors: MEMORY, INTERNAL. */
int pf_matrix_pipeline_create(pfft3d_plan *p, pfft3d_direction direction, pfft3d_error *e);

/** Collective. As pf_pipeline_run(). */
int pf_matrix_run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
                  int exchange);

/** Collective on p->comm. Before a run: what is in the input of the last row of this rank, and what
 *  other ranks have of it.  After one: the other way round.  Returns an MPI error code. */
int pf_matrix_edges_in(pfft3d_plan *p, pf_pipeline *w, const char *in);
int pf_matrix_edges_out(pfft3d_plan *p, pf_pipeline *w, char *out);

#endif
