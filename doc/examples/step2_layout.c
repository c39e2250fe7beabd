/* ranks: 1 2 3 5 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Step 2: which elements are mine, and a derivative by way of the spectrum.
 *
 * pfft3d_plan_box() says which global indices a rank holds on each side, and where element
 * (i0, i1, i2) lies: at the sum of (i[a] - lo[a]) * stride[a].  A program that uses the strides
 * works with any order: here with a transposed spectrum, which is distributed along another axis
 * and stored in another order than the field, and saves an exchange in each direction.
 *
 * A request says more than a problem: here an order, and a factor for the backward transform so
 * that forward plus backward returns the field.
 *
 * The derivative along axis 1 of f = sin(3 x0) cos(2 x1 + x2) on [0, 2 pi)^3 is i k1 F in the
 * spectrum, k1 being the signed wave number. */
#include <complex.h>
#include <math.h>
#include <pfft3d.h>
#include <stdio.h>

static const double two_pi = 6.283185307179586;
static const ptrdiff_t n[3] = {16, 15, 14};

/* Index k of n as a signed wave number; 0 for the highest one of an even n, whose derivative on
 * the grid is 0. */
static double wave_number(ptrdiff_t k, ptrdiff_t size) {
  if (2 * k == size) return 0;
  return (double)(2 * k < size ? k : k - size);
}

static double complex field(ptrdiff_t i0, ptrdiff_t i1, ptrdiff_t i2, int derivative) {
  double x0 = two_pi * (double)i0 / (double)n[0], x1 = two_pi * (double)i1 / (double)n[1];
  double x2 = two_pi * (double)i2 / (double)n[2];
  return sin(3 * x0) * (derivative ? -2 * sin(2 * x1 + x2) : cos(2 * x1 + x2));
}

/* Where element (i0, i1, i2) of the global array lies in this rank's. */
static ptrdiff_t at(const pfft3d_box *b, ptrdiff_t i0, ptrdiff_t i1, ptrdiff_t i2) {
  return (i0 - b->lo[0]) * b->stride[0] + (i1 - b->lo[1]) * b->stride[1] +
         (i2 - b->lo[2]) * b->stride[2];
}

/* Loops over the global indices of a box; an empty one is a loop of no steps. */
#define FOR_BOX(b, i0, i1, i2)                                        \
  for (ptrdiff_t i0 = (b).lo[0]; i0 < (b).lo[0] + (b).len[0]; i0++)   \
    for (ptrdiff_t i1 = (b).lo[1]; i1 < (b).lo[1] + (b).len[1]; i1++) \
      for (ptrdiff_t i2 = (b).lo[2]; i2 < (b).lo[2] + (b).len[2]; i2++)

int main(int argc, char **argv) {
  pfft3d_request *request = NULL;
  pfft3d_plan *plan = NULL;
  pfft3d_box space, spectrum;
  void *array[2] = {NULL, NULL};
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  int status = pfft3d_request_create(&request, NULL);
  if (!status) status = pfft3d_request_parse(request, "c2c:d:16x15x14 order=transposed", NULL);
  if (!status) status = pfft3d_request_scale(request, 1, 1.0 / (double)(n[0] * n[1] * n[2]));
  if (!status) status = pfft3d_plan_create(MPI_COMM_WORLD, request, &plan, NULL);
  pfft3d_request_destroy(&request); /* the plan does not need it any more */
  for (int i = 0; i < 2 && !status; i++) status = pfft3d_alloc(plan, &array[i], NULL);
  if (status) MPI_Abort(MPI_COMM_WORLD, status);
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &space);
  pfft3d_plan_box(plan, PFFT3D_SPECTRUM, rank, &spectrum);

  double complex *f = array[0], *F = array[1];
  FOR_BOX(space, i0, i1, i2) f[at(&space, i0, i1, i2)] = field(i0, i1, i2, 0);
  status = pfft3d_execute(plan, PFFT3D_FORWARD, f, F);
  FOR_BOX(spectrum, k0, k1, k2) F[at(&spectrum, k0, k1, k2)] *= I * wave_number(k1, n[1]);
  if (!status) status = pfft3d_execute(plan, PFFT3D_BACKWARD, F, f);

  double worst = 0;
  FOR_BOX(space, i0, i1, i2) {
    double error = cabs(f[at(&space, i0, i1, i2)] - field(i0, i1, i2, 1));
    worst = fmax(worst, isnan(error) ? INFINITY : error); /* a maximum would hide a NaN */
  }
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("largest error of the derivative: %.1e\n", worst);
  pfft3d_plan_destroy(&plan);
  MPI_Finalize();
  return status || !(worst < 1e-12);
}
