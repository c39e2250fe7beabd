/* ranks: 1 2 3 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Step 4: the periodic Poisson problem, in place.
 *
 * Solves  -(d2/dx0^2 + d2/dx1^2 + d2/dx2^2) u = g  on [0, 2 pi)^3 for a g of mean 0: in the
 * spectrum that is a division by k0^2 + k1^2 + k2^2.  The mean of u is free, it is set to 0.
 *
 * One array is enough: input and output of a transform may be the same.  The factor 1/N is applied
 * inside the backward transform's last pass and costs nothing.  The transposed order of the
 * spectrum is the right one here, because the division does not care where an element is. */
#include <complex.h>
#include <math.h>
#include <pfft3d.h>
#include <stdio.h>

static const double two_pi = 6.283185307179586;
static const ptrdiff_t n[3] = {32, 24, 27};

/* The exact solution, u = exp(sin x0) sin(x1) cos(2 x2), and g for it. */
static double solution(const double x[3]) {
  return exp(sin(x[0])) * sin(x[1]) * cos(2 * x[2]);
}

static double right_side(const double x[3]) {
  double c = cos(x[0]);
  return (5 - c * c + sin(x[0])) * solution(x);
}

/* Puts one of them into the array, or returns the largest difference from it. */
static double visit(const pfft3d_box *b, double complex *array, double (*f)(const double[3]),
                    int fill) {
  double worst = 0;
  for (ptrdiff_t i0 = 0; i0 < b->len[0]; i0++)
    for (ptrdiff_t i1 = 0; i1 < b->len[1]; i1++)
      for (ptrdiff_t i2 = 0; i2 < b->len[2]; i2++) {
        const double x[3] = {two_pi * (double)(b->lo[0] + i0) / (double)n[0],
                             two_pi * (double)(b->lo[1] + i1) / (double)n[1],
                             two_pi * (double)(b->lo[2] + i2) / (double)n[2]};
        double complex *z = &array[i0 * b->stride[0] + i1 * b->stride[1] + i2 * b->stride[2]];
        double error = fill ? 0 : cabs(*z - f(x));
        if (fill) *z = f(x);
        worst = fmax(worst, isnan(error) ? INFINITY : error); /* a maximum would hide a NaN */
      }
  return worst;
}

static double squared(ptrdiff_t k, ptrdiff_t size) {
  double wave = (double)(2 * k <= size ? k : k - size);
  return wave * wave;
}

static void divide(const pfft3d_box *b, double complex *array) {
  for (ptrdiff_t i0 = 0; i0 < b->len[0]; i0++)
    for (ptrdiff_t i1 = 0; i1 < b->len[1]; i1++)
      for (ptrdiff_t i2 = 0; i2 < b->len[2]; i2++) {
        double complex *z = &array[i0 * b->stride[0] + i1 * b->stride[1] + i2 * b->stride[2]];
        double k2 = squared(b->lo[0] + i0, n[0]) + squared(b->lo[1] + i1, n[1]) +
                    squared(b->lo[2] + i2, n[2]);
        *z = k2 > 0 ? *z / k2 : 0;
      }
}

int main(int argc, char **argv) {
  pfft3d_request *request = NULL;
  pfft3d_plan *plan = NULL;
  pfft3d_box space, spectrum;
  void *array = NULL;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  int status = pfft3d_request_create(&request, NULL);
  if (!status) status = pfft3d_request_parse(request, "c2c:d:32x24x27 order=transposed", NULL);
  if (!status) status = pfft3d_request_scale(request, 1, 1.0 / (double)(n[0] * n[1] * n[2]));
  if (!status) status = pfft3d_plan_create(MPI_COMM_WORLD, request, &plan, NULL);
  pfft3d_request_destroy(&request);
  if (!status) status = pfft3d_alloc(plan, &array, NULL); /* holds the larger of both sides */
  if (status) MPI_Abort(MPI_COMM_WORLD, status);
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &space);
  pfft3d_plan_box(plan, PFFT3D_SPECTRUM, rank, &spectrum);

  visit(&space, array, right_side, 1);
  status = pfft3d_execute(plan, PFFT3D_FORWARD, array, array);
  divide(&spectrum, array);
  if (!status) status = pfft3d_execute(plan, PFFT3D_BACKWARD, array, array);

  double worst = visit(&space, array, solution, 0);
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("largest error of the solution: %.1e\n", worst);
  pfft3d_plan_destroy(&plan);
  MPI_Finalize();
  return status || !(worst < 1e-12);
}
