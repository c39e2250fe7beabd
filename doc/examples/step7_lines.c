/* ranks: 1 2 3 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Step 7: two axes transformed, a solver of one's own along the third.
 *
 * Solves  (d2/dx0^2 + d2/dx1^2 + d2/dx2^2) u = g  between walls at x0 = 0 and 1, where u is 0, and
 * periodic along axes 1 and 2.  Those are transformed; axis 0 is of kind none.  Each mode of the two
 * then has a tridiagonal system along axis 0, from the stencil of three points.
 *
 * In transposed order every rank has axis 0 whole in the spectrum, with slabs and with pencils, so
 * these systems need no messages.  With the key `joined` real lines are transformed in pairs. */
#include <complex.h>
#include <math.h>
#include <pfft3d.h>
#include <stdio.h>

static const double two_pi = 6.283185307179586;
enum { N0 = 24, N1 = 32, N2 = 27 };

/* The exact solution, x0 (1 - x0) sin(x1) cos(2 x2), and g for it: the stencil is exact, too. */
static double solution(const double x[3]) {
  return x[0] * (1 - x[0]) * sin(x[1]) * cos(2 * x[2]);
}

static double right_side(const double x[3]) {
  return (-2 - 5 * x[0] * (1 - x[0])) * sin(x[1]) * cos(2 * x[2]);
}

/* Puts one of them into the array, or returns the largest difference from it. */
static double visit(const pfft3d_box *b, double *array, double (*f)(const double[3]), int fill) {
  double worst = 0;
  for (ptrdiff_t i0 = 0; i0 < b->len[0]; i0++)
    for (ptrdiff_t i1 = 0; i1 < b->len[1]; i1++)
      for (ptrdiff_t i2 = 0; i2 < b->len[2]; i2++) {
        const double x[3] = {(double)(b->lo[0] + i0 + 1) / (N0 + 1),
                             two_pi * (double)(b->lo[1] + i1) / N1,
                             two_pi * (double)(b->lo[2] + i2) / N2};
        double *z = &array[i0 * b->stride[0] + i1 * b->stride[1] + i2 * b->stride[2]];
        double error = fill ? 0 : fabs(*z - f(x));
        if (fill) *z = f(x);
        worst = fmax(worst, isnan(error) ? INFINITY : error); /* a maximum would hide a NaN */
      }
  return worst;
}

static double squared(ptrdiff_t k, ptrdiff_t size) {
  double wave = (double)(2 * k <= size ? k : k - size);
  return wave * wave;
}

/* u[i-1] - (2 + k2 h^2) u[i] + u[i+1] = h^2 g[i] by elimination; points are `stride` apart. */
static void solve_line(double complex *u, ptrdiff_t stride, double k2) {
  const double h2 = 1.0 / ((N0 + 1) * (N0 + 1));
  double ratio[N0]; /* u[i] = ratio[i] u[i+1] + what is in the array */
  double complex before = 0;
  for (ptrdiff_t i = 0; i < N0; i++) {
    double complex *at = &u[i * stride];
    ratio[i] = 1 / (2 + k2 * h2 - (i ? ratio[i - 1] : 0));
    before = *at = ratio[i] * (before - h2 * *at);
  }
  for (ptrdiff_t i = N0 - 2; i >= 0; i--) u[i * stride] += ratio[i] * u[(i + 1) * stride];
}

static void solve_lines(const pfft3d_box *b, double complex *array) {
  for (ptrdiff_t i1 = 0; i1 < b->len[1]; i1++)
    for (ptrdiff_t i2 = 0; i2 < b->len[2]; i2++)
      solve_line(&array[i1 * b->stride[1] + i2 * b->stride[2]], b->stride[0],
                 squared(b->lo[1] + i1, N1) + squared(b->lo[2] + i2, N2));
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
  if (!status)
    status = pfft3d_request_parse(request, "r2c:d:24x32x27:none,dft,dft order=transposed joined", NULL);
  if (!status) status = pfft3d_request_scale(request, 1, 1.0 / (N1 * N2)); /* axis 0 has no factor */
  if (!status) status = pfft3d_plan_create(MPI_COMM_WORLD, request, &plan, NULL);
  pfft3d_request_destroy(&request);
  if (!status) status = pfft3d_alloc(plan, &array, NULL); /* holds the larger of both sides */
  if (status) MPI_Abort(MPI_COMM_WORLD, status);
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &space);
  pfft3d_plan_box(plan, PFFT3D_SPECTRUM, rank, &spectrum);

  visit(&space, array, right_side, 1);
  status = pfft3d_execute(plan, PFFT3D_FORWARD, array, array);
  solve_lines(&spectrum, array);
  if (!status) status = pfft3d_execute(plan, PFFT3D_BACKWARD, array, array);

  double worst = visit(&space, array, solution, 0);
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("largest error of the solution is of rounding: %s\n", worst < 1e-14 ? "yes" : "no");
  pfft3d_plan_destroy(&plan);
  MPI_Finalize();
  return status || !(worst < 1e-14);
}
