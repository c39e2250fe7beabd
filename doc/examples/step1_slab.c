/* ranks: 1 2 3 5 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Step 1: the simplest program: a plan, a field, its spectrum.
 *
 * A problem in words is enough to make a plan; the library chooses everything else.  All ranks
 * make the plan together, once; it serves any number of transforms in both directions.  Arrays
 * from pfft3d_alloc() belong to the plan and end with it.  Every function returns a status, which
 * is the same on all ranks, so that no rank waits for another one that has given up. */
#include <complex.h>
#include <math.h>
#include <pfft3d.h>
#include <stdio.h>

/* A constant field has a spectrum of one peak, in element (0, 0, 0), the first one of rank 0. */
static int report(double complex peak) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("the sum of the field is %g\n", creal(peak));
  return rank == 0 && !(cabs(peak - 24 * 18 * 20) < 1e-9);
}

int main(int argc, char **argv) {
  pfft3d_plan *plan = NULL;
  void *array = NULL; /* of this rank: its part of the field, then of the spectrum */
  MPI_Init(&argc, &argv);
  int status = pfft3d_plan_create_text(MPI_COMM_WORLD, "c2c:d:24x18x20", &plan, NULL);
  if (!status) status = pfft3d_alloc(plan, &array, NULL);
  double complex *u = array;
  for (size_t i = 0; !status && i < pfft3d_plan_elements(plan, PFFT3D_SPACE); i++) u[i] = 1;
  if (!status) status = pfft3d_execute(plan, PFFT3D_FORWARD, u, u);
  if (!status) status = report(u[0]);
  pfft3d_plan_destroy(&plan);
  MPI_Finalize();
  return status;
}
