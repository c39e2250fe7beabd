/* SPDX-License-Identifier: BSD-3-Clause
 * A PETSc program that transforms vectors by MATFFTW: some modes of the spectrum against the
 * definition, and back again.  Prints the largest relative error and "right", or "wrong".  With an
 * argument the vectors of the second round are not those of the plans: MatMult then executes them
 * on new arrays. */
#include <complex.h>
#include <math.h>
#include <petscmat.h>
#include <stdlib.h>

enum { N0 = 40, N1 = 36, N2 = 30, MODES = 20 };

static double value_at(PetscInt global) {
  return (double)((global * 2654435761u) % 1009) / 1009 - 0.5;
}

/* Mode k of the spectrum, of all ranks. */
static double complex mode(Vec x, const int k[3]) {
  PetscInt lo, hi;
  double complex sum = 0;
  VecGetOwnershipRange(x, &lo, &hi);
  for (PetscInt g = lo; g < hi; g++) {
    PetscInt i = g / (N1 * N2), j = g / N2 % N1, l = g % N2;
    double turn =
        (double)(i * k[0] % N0) / N0 + (double)(j * k[1] % N1) / N1 + (double)(l * k[2] % N2) / N2;
    sum += value_at(g) * cexp(-2 * M_PI * I * turn);
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, PETSC_COMM_WORLD);
  return sum;
}

/* Mode k as MATFFTW stores it: slabs of ceil(N0/P) planes. */
static double complex stored(Vec y, const int k[3]) {
  int ranks, rank;
  const PetscScalar *array;
  double complex z = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  int block = (N0 + ranks - 1) / ranks;
  VecGetArrayRead(y, &array);
  if (k[0] / block == rank) z = array[((k[0] % block) * N1 + k[1]) * N2 + k[2]];
  VecRestoreArrayRead(y, &array);
  MPI_Allreduce(MPI_IN_PLACE, &z, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, PETSC_COMM_WORLD);
  return z;
}

static double fill(Vec v) {
  PetscInt lo, hi;
  double norm;
  VecGetOwnershipRange(v, &lo, &hi);
  for (PetscInt g = lo; g < hi; g++) VecSetValue(v, g, value_at(g), INSERT_VALUES);
  VecAssemblyBegin(v);
  VecAssemblyEnd(v);
  VecNorm(v, NORM_2, &norm);
  return norm;
}

/* The larger one of two errors; NaN is larger than any number, and stays. */
static double worse(double a, double b) {
  return isnan(a) || a >= b ? a : b;
}

/* Relative error of modes of y = A v and of z = A^T y. */
static double product(Mat a, Vec v, Vec x, Vec y, Vec z) {
  double worst = 0, back, norm = fill(v);
  Vec w;
  VecDuplicate(v, &w);
  VecScatterPetscToFFTW(a, v, x);
  MatMult(a, x, y);
  for (int m = 0; m < MODES; m++) {
    int k[3] = {m * 7 % N0, m * 11 % N1, m * 3 % N2};
    worst = worse(worst, cabs(stored(y, k) - mode(v, k)) / norm);
  }
  MatMultTranspose(a, y, z);
  VecScatterFFTWToPetsc(a, z, w);
  VecAXPY(w, -(double)(N0 * N1 * N2), v);
  VecNorm(w, NORM_2, &back);
  VecDestroy(&w);
  return worse(worst, back / norm / (N0 * N1 * N2));
}

int main(int argc, char **argv) {
  PetscInt n[3] = {N0, N1, N2};
  int others = argc > 1;
  Vec x[2], y[2], z[2], v;
  Mat a;
  if (PetscInitialize(&argc, &argv, NULL, NULL)) return 1;
  if (MatCreateFFT(PETSC_COMM_WORLD, 3, n, MATFFTW, &a)) return 1;
  for (int k = 0; k < 2; k++) MatCreateVecsFFTW(a, &x[k], &y[k], &z[k]);
  VecCreate(PETSC_COMM_WORLD, &v);
  VecSetSizes(v, PETSC_DECIDE, N0 * N1 * N2);
  VecSetFromOptions(v);
  double worst = product(a, v, x[0], y[0], z[0]); /* makes the plans */
  worst = worse(worst, product(a, v, x[others], y[others], z[others]));
  PetscPrintf(PETSC_COMM_WORLD, "largest error %.1e: %s\n", worst,
              worst < 1e-11 ? "right" : "wrong");
  for (int k = 0; k < 2; k++) {
    VecDestroy(&x[k]);
    VecDestroy(&y[k]);
    VecDestroy(&z[k]);
  }
  VecDestroy(&v);
  MatDestroy(&a);
  PetscFinalize();
  return worst < 1e-11 ? 0 : 1;
}
