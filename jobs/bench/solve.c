/* SPDX-License-Identifier: BSD-3-Clause
 * Poisson's equation on a cube with u = 0 on its sides (three-point stencils), by sine transforms:
 * pfft3d compared with a program of the same steps that calls FFTW-MPI: plan_r2r_3d with MEASURE
 * and DESTROY_INPUT, transposed, forward, a product, backward; in place, and out of place.  All
 * variants alternate on the same right-hand side.  Arguments: TURNS (9), then sizes; a word `cells`
 * before a size puts the walls half a step outside (kinds dst2 and dst3), otherwise the first
 * points are a whole step inside (dst1). jobs/bench.sh --solve starts it. */
#include <fftw3-mpi.h>
#include <math.h>
#include <pfft3d_tune.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/field.h"
#include "app/common/statistics.h"
#include "turns.h"

enum { OURS, IN_PLACE, OUT_OF_PLACE, WAYS };
static const char *const names[WAYS] = {"pfft3d", "FFTW-MPI in place", "FFTW-MPI out of place"};

typedef struct problem {
  ptrdiff_t n;
  int cells, turns;
  double *lambda; /* eigenvalues of an axis */
  double scale;   /* factor of forward and backward transform together */
  pfft3d_plan *plan;
  pfft3d_problem like; /* of the right-hand side */
  pfft3d_box box[2];   /* of the arrays */
  double *array[2];    /* ours; FFTW's input, and of its second way the spectrum */
  double *spectrum;
  fftw_plan fftw[WAYS][2];
  ptrdiff_t part[4]; /* of FFTW: planes of axis 0 and the first; after the exchange of axis 1 */
} problem;

static int rank;

/* ---- pfft3d ---- */

static void factors(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3], double *factor) {
  const problem *p = context;
  const double *last = p->lambda + lo[2];
  for (ptrdiff_t i = 0; i < len[0]; i++)
    for (ptrdiff_t j = 0; j < len[1]; j++, factor += len[2]) {
      double sum = p->lambda[lo[0] + i] + p->lambda[lo[1] + j];
      for (ptrdiff_t k = 0; k < len[2]; k++) factor[k] = 1 / (p->scale * (sum + last[k]));
    }
}

static void solve_ours(problem *p) {
  if (pfft3d_execute(p->plan, PFFT3D_FORWARD, p->array[OURS], p->array[OURS]) ||
      pfft3d_execute_factors(p->plan, factors, p, p->array[OURS], p->array[OURS]))
    MPI_Abort(MPI_COMM_WORLD, 70);
}

/* ---- FFTW-MPI ---- */

static void solve_fftw(problem *p, int way) {
  double *to = way == IN_PLACE ? p->array[1] : p->spectrum;
  fftw_execute(p->fftw[way][0]);
  for (ptrdiff_t j = 0; j < p->part[2]; j++)
    for (ptrdiff_t i = 0; i < p->n; i++, to += p->n) {
      double sum = p->lambda[p->part[3] + j] + p->lambda[i];
      for (ptrdiff_t k = 0; k < p->n; k++) to[k] /= p->scale * (sum + p->lambda[k]);
    }
  fftw_execute(p->fftw[way][1]);
}

static void plan_fftw(problem *p) {
  const fftw_r2r_kind there = p->cells ? FFTW_RODFT10 : FFTW_RODFT00,
                      back = p->cells ? FFTW_RODFT01 : FFTW_RODFT00;
  const unsigned flags = FFTW_MEASURE | FFTW_DESTROY_INPUT;
  const ptrdiff_t n = p->n;
  ptrdiff_t size = fftw_mpi_local_size_3d_transposed(n, n, n, MPI_COMM_WORLD, &p->part[0],
                                                     &p->part[1], &p->part[2], &p->part[3]);
  p->box[1] =
      (pfft3d_box){.lo = {p->part[1], 0, 0}, .len = {p->part[0], n, n}, .stride = {n * n, n, 1}};
  p->array[1] = fftw_alloc_real((size_t)size);
  p->spectrum = fftw_alloc_real((size_t)size);
  for (int way = IN_PLACE; way < WAYS; way++) {
    double *to = way == IN_PLACE ? p->array[1] : p->spectrum;
    p->fftw[way][0] = fftw_mpi_plan_r2r_3d(n, n, n, p->array[1], to, MPI_COMM_WORLD, there, there,
                                           there, flags | FFTW_MPI_TRANSPOSED_OUT);
    p->fftw[way][1] = fftw_mpi_plan_r2r_3d(n, n, n, to, p->array[1], MPI_COMM_WORLD, back, back,
                                           back, flags | FFTW_MPI_TRANSPOSED_IN);
  }
}

/* ---- both ---- */

static int open_problem(problem *p) {
  char text[128];
  pfft3d_error e = {0};
  void *array = NULL;
  p->lambda = malloc((size_t)p->n * sizeof *p->lambda);
  double intervals = (double)(p->cells ? p->n : p->n + 1);
  for (ptrdiff_t k = 0; k < p->n; k++) {
    double s = 2 * intervals * sin(M_PI * (double)(k + 1) / (2 * intervals));
    p->lambda[k] = -s * s;
  }
  p->scale = pow(2 * intervals, 3);
  snprintf(text, sizeof text, "r2c:d:%tdx%tdx%td:%s order=transposed decomp=slab cuts=ceil", p->n,
           p->n, p->n, p->cells ? "dst2" : "dst1"); /* the planes of FFTW's ranks */
  if (pfft3d_plan_create_text(MPI_COMM_WORLD, text, &p->plan, &e) ||
      pfft3d_plan_problem(p->plan, &p->like) || pfft3d_alloc(p->plan, &array, &e)) {
    if (rank == 0) fprintf(stderr, "bench_solve: %s\n", e.text);
    return e.status;
  }
  p->array[OURS] = array;
  pfft3d_plan_box(p->plan, PFFT3D_SPACE, rank, &p->box[OURS]);
  plan_fftw(p);
  return 0;
}

static void close_problem(problem *p) {
  for (int way = IN_PLACE; way < WAYS; way++)
    for (int d = 0; d < 2; d++) fftw_destroy_plan(p->fftw[way][d]);
  fftw_free(p->array[1]);
  fftw_free(p->spectrum);
  pfft3d_plan_destroy(&p->plan);
  free(p->lambda);
}

/* The largest difference of our solution and FFTW's last one relative to the largest value;
 * infinite for NaN or different boxes. */
static double difference(const problem *p) {
  const pfft3d_box *b = &p->box[OURS], *f = &p->box[1];
  turns_error e = {0, 0};
  if (b->len[0] != f->len[0] || (b->len[0] && b->lo[0] != f->lo[0])) e.difference = INFINITY;
  for (ptrdiff_t i = 0; i < b->len[0] && !(e.difference > 1e300); i++)
    for (ptrdiff_t j = 0; j < p->n; j++)
      for (ptrdiff_t k = 0; k < p->n; k++) {
        const ptrdiff_t at = b->offset + i * b->stride[0] + j * b->stride[1] + k * b->stride[2];
        turns_pair(&e, p->array[1][(i * p->n + j) * p->n + k], p->array[OURS][at]);
      }
  return turns_relative(e);
}

static double timed(problem *p, int way) {
  const field f = field_seeded(&p->like, PFFT3D_SPACE, 1);
  const field_place place = {.box = p->box[way != OURS]};
  if (field_fill(&f, &place, p->array[way != OURS])) MPI_Abort(MPI_COMM_WORLD, 71);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  if (way == OURS)
    solve_ours(p);
  else
    solve_fftw(p, way);
  return turns_since(start);
}

static int run(problem *p) {
  double seconds[WAYS][TURNS_MOST], median[WAYS], error = 0;
  if (open_problem(p)) return 1;
  for (int t = -1; t < p->turns; t++)
    for (int way = 0; way < WAYS; way++) {
      seconds[way][t < 0 ? 0 : t] = timed(p, way);
      if (way == OURS || (t >= 0 && t < p->turns - 1)) continue;
      double far = difference(p); /* of the first and the last turn */
      if (!(far <= error)) error = isnan(far) ? INFINITY : far;
    }
  for (int way = 0; way < WAYS; way++) median[way] = stat_median(seconds[way], p->turns);
  for (int way = 0; way < WAYS && rank == 0; way++)
    printf("%td^3 %-5s %-22s median %9.2f ms  least %9.2f ms  ours is %5.2f times as fast\n", p->n,
           p->cells ? "cells" : "nodes", names[way], 1e3 * median[way], 1e3 * seconds[way][0],
           median[way] / median[OURS]);
  if (rank == 0) printf("largest difference of the solutions %.1e\n", error);
  fflush(stdout);
  close_problem(p);
  return !(error <= 1e-10);
}

int main(int argc, char **argv) {
  int ranks, bad = 0, cells = 0, turns = turns_of(argc, argv);
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) printf("%d ranks, %d turns, ", ranks, turns);
  turns_load("");
  for (int k = 2; k < argc; k++) {
    problem p = {.n = atoi(argv[k]), .cells = cells, .turns = turns};
    cells = strcmp(argv[k], "cells") == 0;
    if (cells) continue;
    if (p.n < 2 || run(&p)) {
      if (rank == 0 && p.n < 2) fprintf(stderr, "bench_solve: no size '%s'\n", argv[k]);
      bad = 1;
    }
  }
  turns_load("");
  MPI_Finalize();
  return bad;
}
