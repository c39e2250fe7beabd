/* SPDX-License-Identifier: BSD-3-Clause
 * A program of others that calls FFTW-MPI, for faults in the drop-in: a plan may be missing, on all
 * ranks together, and what a plan gives must be right.  Status 1: something else came of it.  It
 * handles no errors of MPI, as such programs do. */
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>

enum { N0 = 7, N1 = 5, N2 = 6, LINE = 48 };
static const ptrdiff_t extents[] = {N0, N1, N2};
static int rank, wrong;

static void note(const char *what) {
  wrong = 1;
  fprintf(stderr, "guest: %s on rank %d\n", what, rank);
}

/* Whether all ranks have this plan; it is wrong if some have, or if it must be there and is not. */
static int there(const char *what, fftw_plan plan, int must) {
  int mine[2] = {plan != NULL, plan == NULL}, any[2];
  MPI_Allreduce(mine, any, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (any[0] && any[1]) note(what);
  if (must && any[1]) note(what);
  return !any[1];
}

static void forget(fftw_plan plan) {
  if (plan) fftw_destroy_plan(plan);
}

static double *numbers(ptrdiff_t count) {
  double *a = fftw_alloc_real((size_t)count);
  for (ptrdiff_t k = 0; k < count; k++) a[k] = sin(1.0 + (double)(k + 100 * rank));
  return a;
}

/* Forward and back: the numbers come again, `scale` times as large; to 1e-12 of that. */
static void round_trip(const char *what, fftw_plan forward, fftw_plan back, double *a,
                       ptrdiff_t count, double scale, int must) {
  int both = there(what, forward, must) & there(what, back, must);
  double *was = numbers(count);
  for (ptrdiff_t k = 0; k < count; k++) a[k] = was[k];
  if (both) {
    fftw_execute(forward);
    fftw_execute(back);
  }
  for (ptrdiff_t k = 0; both && k < count; k++)
    if (!(fabs(a[k] / scale - was[k]) <= 1e-12)) {
      note(what);
      break;
    }
  forget(forward);
  forget(back);
  fftw_free(was);
  fftw_free(a);
}

/* A plane wave, of which one number is left. */
static void wave(void) {
  ptrdiff_t mine, start, need = fftw_mpi_local_size_3d(N0, N1, N2, MPI_COMM_WORLD, &mine, &start);
  fftw_complex *a = fftw_alloc_complex((size_t)need);
  fftw_plan plan =
      fftw_mpi_plan_dft_3d(N0, N1, N2, a, a, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  for (ptrdiff_t k = 0; k < mine * N1 * N2; k++)
    a[k] = cexp(2 * acos(-1) * I *
                (2.0 * (double)(start + k / (N1 * N2)) / N0 + (double)(k / N2 % N1) / N1 +
                 3.0 * (double)(k % N2) / N2));
  if (there("a plane wave", plan, 1)) {
    fftw_execute(plan);
    for (ptrdiff_t k = 0; k < mine * N1 * N2; k++) {
      double want = start * N1 * N2 + k == (2 * N1 + 1) * N2 + 3 ? N0 * N1 * N2 : 0;
      if (!(cabs(a[k] - want) <= 1e-10)) note("the number of a plane wave");
    }
  }
  forget(plan);
  fftw_free(a);
}

/* Three complex planes at once, the spectrum transposed. */
static void planes(void) {
  ptrdiff_t at[4], need = fftw_mpi_local_size_many_transposed(2, extents, 3, 0, 0, MPI_COMM_WORLD,
                                                              at, at + 1, at + 2, at + 3);
  double *a = numbers(2 * need);
  fftw_complex *z = (fftw_complex *)a;
  fftw_plan forward = fftw_mpi_plan_many_dft(2, extents, 3, 0, 0, z, z, MPI_COMM_WORLD,
                                             FFTW_FORWARD, FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT);
  fftw_plan back = fftw_mpi_plan_many_dft(2, extents, 3, 0, 0, z, z, MPI_COMM_WORLD, FFTW_BACKWARD,
                                          FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_IN);
  round_trip("planes", forward, back, a, 2 * at[0] * N1 * 3, N0 * N1, 1);
}

/* A field of cosines. */
static void cosines(void) {
  ptrdiff_t mine, start, need = fftw_mpi_local_size_3d(N0, N1, N2, MPI_COMM_WORLD, &mine, &start);
  double *a = numbers(need);
  static const fftw_r2r_kind kinds[2][3] = {{FFTW_REDFT10, FFTW_REDFT10, FFTW_REDFT10},
                                            {FFTW_REDFT01, FFTW_REDFT01, FFTW_REDFT01}};
  fftw_plan plans[2];
  for (int k = 0; k < 2; k++)
    plans[k] = fftw_mpi_plan_r2r(3, extents, a, a, MPI_COMM_WORLD, kinds[k], FFTW_ESTIMATE);
  round_trip("cosines", plans[0], plans[1], a, mine * N1 * N2, 8 * N0 * N1 * N2, 1);
}

/* A scrambled line: FFTW must not do it where the drop-in cannot, so both plans may be missing. */
static void line(void) {
  ptrdiff_t at[4],
      need = fftw_mpi_local_size_1d(LINE, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_MPI_SCRAMBLED_OUT, at,
                                    at + 1, at + 2, at + 3);
  double *a = numbers(2 * need);
  fftw_complex *z = (fftw_complex *)a;
  fftw_plan forward = fftw_mpi_plan_dft_1d(LINE, z, z, MPI_COMM_WORLD, FFTW_FORWARD,
                                           FFTW_ESTIMATE | FFTW_MPI_SCRAMBLED_OUT);
  fftw_plan back = fftw_mpi_plan_dft_1d(LINE, z, z, MPI_COMM_WORLD, FFTW_BACKWARD,
                                        FFTW_ESTIMATE | FFTW_MPI_SCRAMBLED_IN);
  round_trip("a line", forward, back, a, 2 * at[0], LINE, 0);
}

/* A matrix, transposed and back. */
static void matrix(void) {
  ptrdiff_t at[4],
      need = fftw_mpi_local_size_2d_transposed(N0, N1, MPI_COMM_WORLD, at, at + 1, at + 2, at + 3);
  double *a = numbers(need);
  fftw_plan forward = fftw_mpi_plan_transpose(N0, N1, a, a, MPI_COMM_WORLD, FFTW_ESTIMATE);
  fftw_plan back = fftw_mpi_plan_transpose(N1, N0, a, a, MPI_COMM_WORLD, FFTW_ESTIMATE);
  round_trip("a matrix", forward, back, a, at[0] * N1, 1, 1);
}

int main(int argc, char **argv) {
  int any;
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  wave();
  planes();
  cosines();
  line();
  matrix();
  fftw_mpi_cleanup();
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return any;
}
