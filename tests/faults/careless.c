/* SPDX-License-Identifier: BSD-3-Clause
 * A program of others that looks at no status, for calls of MPI that fail in the library on one
 * rank: it goes on to the next collective call, of the library, of its own, and to its end. */
#include <complex.h>
#include <pfft3d.h>
#include <pfft3d_tune.h>

static void transform(const char *words) {
  pfft3d_request *request = NULL;
  pfft3d_plan *plan = NULL;
  void *a = NULL;
  pfft3d_request_create(&request, NULL);
  pfft3d_request_parse(request, words, NULL);
  pfft3d_plan_create(MPI_COMM_WORLD, request, &plan, NULL);
  pfft3d_request_destroy(&request);
  pfft3d_alloc(plan, &a, NULL);
  if (a) {
    pfft3d_execute(plan, PFFT3D_FORWARD, a, a);
    pfft3d_execute(plan, PFFT3D_BACKWARD, a, a);
  }
  pfft3d_free(plan, a);
  pfft3d_plan_destroy(&plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  pfft3d_grace(1);
  transform("c2c:d:7x5x6 decomp=slab exchange=rma engine=simd");
  transform("r2c:d:7x5x6 decomp=pencil exchange=pairwise engine=simd");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
