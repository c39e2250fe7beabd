/* SPDX-License-Identifier: BSD-3-Clause
 * Poisson's equation on a cube of real numbers, periodic along two axes, with points that are not
 * equidistant along the third (axis 0 or 2): the solver of pfft3d poisson beside the same steps
 * with FFTW-MPI (MEASURE, DESTROY_INPUT), in its best ways: planes   transforms of local planes
 * along axes 1 and 2, fftw_mpi_plan_many_transpose, and back; vectors  fftw_mpi_plan_many_dft_r2c
 * along axes 0 and 1, transposed, of vectors along axis 2. All solve the tridiagonal systems with
 * the same function, 16 numbers at once.  The ways take turns. Arguments: TURNS (9), then sizes,
 * which the number of ranks divides.  jobs/bench.sh --stretched starts it. */
#include <fftw3-mpi.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/statistics.h"
#include "apps/poisson/solve.h"
#include "turns.h"

enum { PLANES, VECTORS, LAYOUTS }; /* the grid is along axis 0, or along axis 2 */
static const char *const names[LAYOUTS] = {"planes", "vectors"};

typedef struct problem {
  ptrdiff_t n;
  int layout, turns;
  solver ours;
  double *field;       /* FFTW's: real numbers, then the solution */
  fftw_complex *modes; /* the spectrum of its planes, or of its vectors */
  fftw_plan plan[4];   /* forward, transpose, and back */
  ptrdiff_t own,
      first; /* of the modes of this rank: their number, or rows of them, and the first */
  double *tile, *pivot;
} problem;

static int rank, ranks;

static double value_at(ptrdiff_t i) {
  uint64_t x = (uint64_t)i * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
  return (double)(x >> 40) / (1 << 23) - 1;
}

/* Numbers of a row of FFTW's field: planes are padded for half a spectrum, vectors in the middle.
 */
static ptrdiff_t place(const problem *p, ptrdiff_t i, ptrdiff_t j, ptrdiff_t k) {
  const ptrdiff_t n = p->n, padded = 2 * (n / 2 + 1);
  return p->layout == PLANES ? (i * n + j) * padded + k : (i * padded + j) * n + k;
}

/* ---- the same with FFTW-MPI ---- */

static void open_fftw(problem *p) {
  const ptrdiff_t n = p->n, half = n / 2 + 1, both[2] = {n, n};
  const unsigned flags = FFTW_MEASURE | FFTW_DESTROY_INPUT;
  const ptrdiff_t block = FFTW_MPI_DEFAULT_BLOCK;
  const int plane[2] = {(int)n, (int)n}, padded[2] = {(int)n, (int)(2 * half)},
            modes[2] = {(int)n, (int)half}, count = (int)(n / ranks);
  ptrdiff_t size, lo[2], local;
  if (p->layout == PLANES)
    size = fftw_mpi_local_size_many_transposed(2, (const ptrdiff_t[]){n, n * half}, 2, block, block,
                                               MPI_COMM_WORLD, &local, &lo[0], &p->own, &p->first);
  else
    size = fftw_mpi_local_size_many_transposed(2, (const ptrdiff_t[]){n, half}, n, block, block,
                                               MPI_COMM_WORLD, &local, &lo[0], &p->own, &p->first);
  p->field = fftw_alloc_real((size_t)(2 * size));
  p->modes = fftw_alloc_complex((size_t)size);
  if (p->layout == PLANES) {
    double *a = (double *)p->modes, *b = p->field;
    p->plan[0] = fftw_plan_many_dft_r2c(2, plane, count, b, padded, 1, (int)(n * 2 * half),
                                        p->modes, modes, 1, (int)(n * half), flags);
    p->plan[1] = fftw_mpi_plan_many_transpose(n, n * half, 2, block, block, a, b, MPI_COMM_WORLD,
                                              flags | FFTW_MPI_TRANSPOSED_OUT);
    p->plan[2] = fftw_mpi_plan_many_transpose(n * half, n, 2, block, block, b, a, MPI_COMM_WORLD,
                                              flags | FFTW_MPI_TRANSPOSED_IN);
    p->plan[3] = fftw_plan_many_dft_c2r(2, plane, count, p->modes, modes, 1, (int)(n * half), b,
                                        padded, 1, (int)(n * 2 * half), flags);
  } else {
    p->plan[0] = fftw_mpi_plan_many_dft_r2c(2, both, n, block, block, p->field, p->modes,
                                            MPI_COMM_WORLD, flags | FFTW_MPI_TRANSPOSED_OUT);
    p->plan[3] = fftw_mpi_plan_many_dft_c2r(2, both, n, block, block, p->modes, p->field,
                                            MPI_COMM_WORLD, flags | FFTW_MPI_TRANSPOSED_IN);
  }
}

static double shift_of(const problem *p, ptrdiff_t i, ptrdiff_t j) {
  return domain_eigenvalue(&p->ours.d, p->layout == PLANES ? 1 : 0, i) +
         domain_eigenvalue(&p->ours.d, p->layout == PLANES ? 2 : 1, j);
}

/* Up to 8 lines of complex numbers: the distances of lines and points in numbers. */
static void solve_lines(problem *p, double *base, ptrdiff_t line, ptrdiff_t point, int lines,
                        const double shift[GRID_LANES]) {
  const ptrdiff_t n = p->n;
  for (ptrdiff_t i = 0; i < n; i++)
    for (int e = 0; e < lines; e++)
      memcpy(p->tile + i * GRID_LANES + 2 * e, base + i * point + e * line, 2 * sizeof *base);
  grid_solve(p->ours.d.grid, 1, shift, p->tile, p->pivot);
  for (ptrdiff_t i = 0; i < n; i++)
    for (int e = 0; e < lines; e++)
      for (int c = 0; c < 2; c++)
        base[i * point + e * line + c] =
            p->tile[i * GRID_LANES + 2 * e + c] / ((double)n * (double)n);
}

/* The modes of this rank: [z][modes] of planes, or [j][i][z] of vectors. */
static void solve_modes(problem *p) {
  const ptrdiff_t n = p->n, half = n / 2 + 1;
  const ptrdiff_t all = p->layout == PLANES ? p->own : p->own * n;
  const int lanes = GRID_LANES / 2;
  double shift[GRID_LANES];
  for (ptrdiff_t m = 0; m < all; m += lanes) {
    int lines = all - m < lanes ? (int)(all - m) : lanes;
    for (int e = 0; e < GRID_LANES; e++) {
      ptrdiff_t mode = m + (e / 2 < lines ? e / 2 : 0);
      if (p->layout == PLANES)
        shift[e] = shift_of(p, (p->first + mode) / half, (p->first + mode) % half);
      else
        shift[e] = shift_of(p, mode % n, p->first + mode / n);
    }
    if (p->layout == PLANES)
      solve_lines(p, p->field + 2 * m, 2, 2 * p->own, lines, shift);
    else
      solve_lines(p, (double *)p->modes + 2 * m * n, 2 * n, 2, lines, shift);
  }
}

static void solve_fftw(problem *p) {
  fftw_execute(p->plan[0]);
  if (p->layout == PLANES) fftw_execute(p->plan[1]);
  solve_modes(p);
  if (p->layout == PLANES) fftw_execute(p->plan[2]);
  fftw_execute(p->plan[3]);
}

/* ---- both ---- */

static int open_problem(problem *p, app *a) {
  const int axis = p->layout == PLANES ? 0 : 2;
  domain d = {.dims = 3, .n = {p->n, p->n, p->n}, .length = {1, 1, 1}};
  double *edge = malloc((size_t)(p->n + 1) * sizeof *edge);
  pfft3d_error e = {0};
  for (ptrdiff_t i = 0; i <= p->n; i++)
    edge[i] = tanh(1.5 * (2.0 * (double)i / (double)p->n - 1)) / tanh(1.5);
  domain_sides(
      &d, axis == 0 ? "dirichlet-cell,periodic,periodic" : "periodic,periodic,dirichlet-cell", &e);
  d.grid = grid_make(axis, p->n, 1, (const int[]){1, 1}, edge, p->n + 1);
  free(edge);
  if (e.status || !d.grid || solver_open(a, &p->ours, &d, 0, &e)) {
    if (rank == 0) fprintf(stderr, "bench_stretched: %s\n", e.text);
    return 1;
  }
  p->tile = fftw_alloc_real((size_t)(2 * GRID_LANES * p->n));
  p->pivot = p->tile + GRID_LANES * p->n;
  open_fftw(p);
  return 0;
}

static void close_problem(problem *p) {
  grid *g = p->ours.d.grid;
  solver_close(&p->ours);
  grid_free(g);
  for (int k = 0; k < 4; k++)
    if (p->plan[k]) fftw_destroy_plan(p->plan[k]);
  fftw_free(p->field);
  fftw_free(p->modes);
  fftw_free(p->tile);
}

/* Visits all points of this rank: fills one of both fields, or compares them. */
static turns_error visit(problem *p, int fill, int way) {
  const ptrdiff_t n = p->n, planes = n / ranks;
  double *ours = solver_array(&p->ours);
  turns_error e = {0, 0};
  for (ptrdiff_t i = 0; i < planes; i++)
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t k = 0; k < n; k++) {
        const ptrdiff_t at = (i * n + j) * n + k;
        double *x = way ? &p->field[place(p, i, j, k)] : &ours[at];
        if (fill)
          *x = value_at(rank * planes * n * n + at);
        else
          turns_pair(&e, *x, ours[at]);
      }
  return e;
}

static int run_problem(problem *p, app *a) {
  double seconds[2][TURNS_MOST], error = 0;
  if (open_problem(p, a)) return 1;
  for (int t = -1; t < p->turns; t++)
    for (int way = 0; way < 2; way++) {
      visit(p, 1, way);
      MPI_Barrier(MPI_COMM_WORLD);
      double start = MPI_Wtime();
      if (way)
        solve_fftw(p);
      else
        solver_run(&p->ours);
      seconds[way][t < 0 ? 0 : t] = turns_since(start);
      if (way) error = fmax(error, turns_relative(visit(p, 0, 1)));
    }
  double median[2];
  for (int way = 0; way < 2; way++) median[way] = stat_median(seconds[way], p->turns);
  if (rank == 0)
    printf(
        "%td^3 axis %d  pfft3d median %8.2f ms least %8.2f ms  FFTW-MPI (%s) median %8.2f ms least "
        "%8.2f ms  ours is %5.2f times as fast, largest difference %.1e\n",
        p->n, p->layout == PLANES ? 0 : 2, 1e3 * median[0], 1e3 * seconds[0][0], names[p->layout],
        1e3 * median[1], 1e3 * seconds[1][0], median[1] / median[0], error);
  fflush(stdout);
  close_problem(p);
  return !(error <= 1e-10);
}

int main(int argc, char **argv) {
  static app a;
  int bad = 0, turns = turns_of(argc, argv);
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  a.comm = MPI_COMM_WORLD;
  a.rank = rank;
  a.ranks = ranks;
  a.opt.algo.count = a.opt.engine.count = 1;
  snprintf(a.opt.algo.name[0], NAME_SIZE, "auto");
  snprintf(a.opt.engine.name[0], NAME_SIZE, "auto");
  a.opt.quiet = 1;
  if (rank == 0) printf("%d ranks, %d turns, ", ranks, turns);
  turns_load("");
  for (int k = 2; k < argc; k++)
    for (int layout = 0; layout < LAYOUTS; layout++) {
      problem p = {.n = atoi(argv[k]), .layout = layout, .turns = turns};
      int wrong = p.n < 2 || p.n % ranks;
      if (wrong && rank == 0)
        fprintf(stderr, "bench_stretched: no size '%s' on %d ranks\n", argv[k], ranks);
      bad |= wrong || run_problem(&p, &a);
    }
  turns_load("");
  MPI_Finalize();
  return bad;
}
