/* ranks: 1 2 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Step 1: a plan, a forward and a backward transform.
 *
 * A request says what is wanted; everything that is not said is chosen by the library.  A plan is
 * made once, by all ranks together, and serves both directions any number of times.  Transforms
 * are not normalised unless the request says so: here backward divides by the number of elements,
 * so that the field returns. */
#include <complex.h>
#include <math.h>
#include <pfft3d.h>
#include <stdio.h>

static double complex value(size_t i) {
  return sin((double)i) + I * cos(3.0 * (double)i);
}

int main(int argc, char **argv) {
  pfft3d_request request;
  pfft3d_plan *plan = NULL;
  pfft3d_error error;
  pfft3d_box box;
  void *array[2] = {NULL, NULL}; /* this rank's parts of the field and of its spectrum */
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  pfft3d_request_init(&request);
  pfft3d_problem_parse("c2c:d:24x18x20", &request.problem, NULL);
  request.scale[PFFT3D_BACKWARD] = 1.0 / (24 * 18 * 20);
  int status = pfft3d_plan_create(MPI_COMM_WORLD, &request, &plan, &error);
  for (int i = 0; i < 2 && !status; i++) status = pfft3d_alloc(plan, &array[i], &error);
  if (status) { /* the same on all ranks: nobody is left waiting */
    if (rank == 0) fprintf(stderr, "step1: %s\n", error.text);
    MPI_Finalize();
    return status;
  }

  double complex *f = array[0], *F = array[1], sum = 0;
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &box);
  size_t count = (size_t)(box.len[0] * box.len[1] * box.len[2]); /* 0 on a rank without data */
  for (size_t i = 0; i < count; i++) sum += f[i] = value(i);
  status = pfft3d_execute(plan, PFFT3D_FORWARD, f, F);

  /* Element (0, 0, 0) of the spectrum is the sum of the field; rank 0 holds it, first of all. */
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  double worst = rank == 0 ? cabs(F[0] - sum) : 0;

  if (!status) status = pfft3d_execute(plan, PFFT3D_BACKWARD, F, f);
  for (size_t i = 0; i < count; i++) worst = fmax(worst, cabs(f[i] - value(i)));
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("largest error of the sum and of the field that returned: %.1e\n", worst);

  for (int i = 0; i < 2; i++) pfft3d_free(plan, array[i]);
  pfft3d_plan_destroy(&plan);
  MPI_Finalize();
  return status || !(worst < 1e-11);
}
