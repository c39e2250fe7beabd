/* SPDX-License-Identifier: BSD-3-Clause
 * Multigrid by hypre: PFMG (S. F. Ashby and R. D. Falgout, Nucl. Sci. Eng. 124, 1996), with
 * red-black Gauss-Seidel and coarse stencils of five points, its fastest choices for this equation.
 * hypre numbers the fastest axis first. */
#include <HYPRE_struct_ls.h>
#include <stdlib.h>
#include <string.h>

#include "apps/poisson/iterative.h"

enum { CENTRE, ENTRIES = 5, MOST_CYCLES = 100 };

typedef struct problem {
  HYPRE_StructGrid grid;
  HYPRE_StructStencil stencil;
  HYPRE_StructMatrix matrix;
  HYPRE_StructVector f, u;
  HYPRE_Int low[2], high[2];
} problem;

/* Returns 0 if memory is missing. */
static int make_matrix(problem *p, const sheet *s) {
  static HYPRE_Int offset[ENTRIES][2] = {{0, 0}, {0, -1}, {0, 1}, {-1, 0}, {1, 0}};
  HYPRE_Int entry[ENTRIES] = {0, 1, 2, 3, 4};
  double row[ENTRIES] = {2 * (s->weight[0] + s->weight[1]), -s->weight[0], -s->weight[0],
                         -s->weight[1], -s->weight[1]};
  size_t points = (size_t)(s->n[0] * s->n[1]);
  double *value = malloc(points * ENTRIES * sizeof *value);
  if (!value) return 0;
  HYPRE_StructStencilCreate(2, ENTRIES, &p->stencil);
  for (int k = 0; k < ENTRIES; k++) HYPRE_StructStencilSetElement(p->stencil, k, offset[k]);
  HYPRE_StructMatrixCreate(MPI_COMM_SELF, p->grid, p->stencil, &p->matrix);
  HYPRE_StructMatrixInitialize(p->matrix);
  /* the sides are 0: entries for them are omitted */
  for (size_t i = 0; i < points; i++) {
    double *to = value + i * ENTRIES;
    memcpy(to, row, sizeof row);
    if (i < (size_t)s->n[1]) to[1] = 0;
    if (i >= points - (size_t)s->n[1]) to[2] = 0;
    if (i % (size_t)s->n[1] == 0) to[3] = 0;
    if ((i + 1) % (size_t)s->n[1] == 0) to[4] = 0;
  }
  HYPRE_StructMatrixSetBoxValues(p->matrix, p->low, p->high, ENTRIES, entry, value);
  HYPRE_StructMatrixAssemble(p->matrix);
  free(value);
  return 1;
}

/* Row by row, because a sheet has sides between rows. */
static void make_vectors(problem *p, const sheet *s) {
  HYPRE_StructVector *all[] = {&p->f, &p->u};
  for (int k = 0; k < 2; k++) {
    HYPRE_StructVectorCreate(MPI_COMM_SELF, p->grid, all[k]);
    HYPRE_StructVectorInitialize(*all[k]);
    HYPRE_StructVectorSetConstantValues(*all[k], 0);
  }
  for (ptrdiff_t i = 0; i < s->n[0]; i++) {
    HYPRE_Int low[2] = {0, (HYPRE_Int)i}, high[2] = {p->high[0], (HYPRE_Int)i};
    HYPRE_StructVectorSetBoxValues(p->f, low, high, s->f + (i + 1) * (s->n[1] + 2) + 1);
  }
  HYPRE_StructVectorAssemble(p->f);
  HYPRE_StructVectorAssemble(p->u);
}

static int make_problem(problem *p, const sheet *s) {
  *p = (problem){.high = {(HYPRE_Int)s->n[1] - 1, (HYPRE_Int)s->n[0] - 1}};
  HYPRE_StructGridCreate(MPI_COMM_SELF, 2, &p->grid);
  HYPRE_StructGridSetExtents(p->grid, p->low, p->high);
  HYPRE_StructGridAssemble(p->grid);
  if (!make_matrix(p, s)) return 0;
  make_vectors(p, s);
  return 1;
}

/* hypre accepts NULL. */
static void free_problem(problem *p) {
  HYPRE_StructVectorDestroy(p->u);
  HYPRE_StructVectorDestroy(p->f);
  HYPRE_StructMatrixDestroy(p->matrix);
  HYPRE_StructStencilDestroy(p->stencil);
  HYPRE_StructGridDestroy(p->grid);
}

/* The matrix is -laplacian, so the vector has -u. */
static void take_solution(const problem *p, sheet *s) {
  for (ptrdiff_t i = 0; i < s->n[0]; i++) {
    double *row = s->u + (i + 1) * (s->n[1] + 2) + 1;
    HYPRE_Int low[2] = {0, (HYPRE_Int)i}, high[2] = {p->high[0], (HYPRE_Int)i};
    HYPRE_StructVectorGetBoxValues(p->u, low, high, row);
    for (ptrdiff_t j = 0; j < s->n[1]; j++) row[j] = -row[j];
  }
}

/* Returns the number of cycles, or an error.  hypre stores its errors as bits of a flag; too many
 * cycles are no error here, as the residual shows them. */
static long solve(problem *p, sheet *s, double share) {
  HYPRE_StructSolver solver;
  HYPRE_Int cycles = 0;
  HYPRE_StructPFMGCreate(MPI_COMM_SELF, &solver);
  HYPRE_StructPFMGSetTol(solver, share);
  HYPRE_StructPFMGSetMaxIter(solver, MOST_CYCLES);
  HYPRE_StructPFMGSetRAPType(solver, 1);
  HYPRE_StructPFMGSetRelaxType(solver, 2);
  HYPRE_StructPFMGSetSkipRelax(solver, 1);
  HYPRE_StructPFMGSetup(solver, p->matrix, p->f, p->u);
  if (!HYPRE_GetError()) {
    double start = MPI_Wtime();
    HYPRE_StructPFMGSolve(solver, p->matrix, p->f, p->u);
    s->seconds = MPI_Wtime() - start;
    HYPRE_StructPFMGGetNumIterations(solver, &cycles);
    take_solution(p, s);
  }
  HYPRE_StructPFMGDestroy(solver);
  HYPRE_Int errors = HYPRE_GetError() & ~HYPRE_ERROR_CONV;
  return errors & HYPRE_ERROR_MEMORY ? ITERATIVE_MEMORY : errors ? ITERATIVE_FAILED : (long)cycles;
}

/* Nonzero if memory suffices: without it, hypre ends the program or crashes. (Measured: 137 to 142
 * bytes a point, on grids of 255^2 to 1023^2.) */
static int has_room(const sheet *s) {
  enum { least = 1 << 20, point = 160 };
  void *volatile all = malloc(least + (size_t)(s->n[0] * s->n[1]) * point);
  free(all);
  return all != NULL;
}

long iterative_multigrid(sheet *s, double share) {
  problem p;
  if (!has_room(s)) return ITERATIVE_MEMORY;
  HYPRE_Init();
  long cycles = make_problem(&p, s) ? solve(&p, s, share) : ITERATIVE_MEMORY;
  free_problem(&p);
  HYPRE_Finalize();
  HYPRE_ClearAllErrors();
  return cycles;
}
