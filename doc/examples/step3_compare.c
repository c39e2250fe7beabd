/* ranks: 1 2 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Step 3: all exchanges that this build offers, their times and messages.
 *
 * pfft3d_list_name() names what is registered, so this program needs no change when there is a
 * new one.  Exchanges differ in when and in how many messages the data travels, not in what is
 * computed: their results must be equal bit for bit.  Which is fastest depends on the network, the
 * grid and the number of ranks; measure where you compute. */
#include <complex.h>
#include <math.h>
#include <pfft3d_tune.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 5 };

/* Seconds of the fastest of some forward transforms, each as slow as its slowest rank. */
static double fastest(pfft3d_plan *plan, const void *f, void *F) {
  double best = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = -MPI_Wtime();
    int status = pfft3d_execute(plan, PFFT3D_FORWARD, f, F);
    seconds += MPI_Wtime();
    if (status) MPI_Abort(MPI_COMM_WORLD, status);
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    best = fmin(best, seconds);
  }
  return best;
}

int main(int argc, char **argv) {
  pfft3d_request *request = NULL;
  void *first = NULL; /* the spectrum of the first exchange, of `bytes` bytes */
  size_t bytes = 0;
  int rank, differ = 0;
  const char *name, *summary;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  /* deterministic: the axes in the same order for all exchanges, so that they give the same bits */
  if (pfft3d_request_create(&request, NULL) ||
      pfft3d_request_parse(request, "c2c:d:48x40x36 order=transposed deterministic=yes", NULL))
    MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_USAGE);

  for (int i = 0; (name = pfft3d_list_name(PFFT3D_EXCHANGES, i, &summary)); i++) {
    pfft3d_plan *plan = NULL;
    pfft3d_stats stats;
    void *array[2] = {NULL, NULL};
    int status = pfft3d_request_set(request, "exchange", name, NULL);
    if (!status) status = pfft3d_plan_create(MPI_COMM_WORLD, request, &plan, NULL);
    if (status == PFFT3D_ERR_UNAVAILABLE) continue; /* this one cannot do it here */
    for (int k = 0; k < 2 && !status; k++) status = pfft3d_alloc(plan, &array[k], NULL);
    if (status) MPI_Abort(MPI_COMM_WORLD, status);

    double complex *f = array[0];
    size_t count = pfft3d_plan_elements(plan, PFFT3D_SPACE);
    for (size_t k = 0; k < count; k++) f[k] = cos((double)k) + I * sin(0.5 * (double)k);
    double seconds = fastest(plan, array[0], array[1]);
    pfft3d_plan_stats(plan, PFFT3D_FORWARD, 1, &stats, sizeof stats);
    if (rank == 0)
      printf("%-8s %8.3f ms  %5.0f messages per transform  (%s)\n", name, 1e3 * seconds,
             stats.messages / (double)stats.executions, summary);

    if (!first) {
      pfft3d_box box; /* of this rank; a rank without data has nothing to compare */
      pfft3d_plan_box(plan, PFFT3D_SPECTRUM, rank, &box);
      bytes = (size_t)(box.len[0] * box.len[1] * box.len[2]) * sizeof *f;
      first = malloc(bytes + 1);
      if (!first) MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_MEMORY);
      memcpy(first, array[1], bytes);
    }
    differ |= memcmp(first, array[1], bytes) != 0;
    pfft3d_plan_destroy(&plan);
  }

  pfft3d_request_destroy(&request);
  int missing = !first;
  free(first);
  MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("%s\n", differ ? "the results DIFFER" : "all results are the same bits");
  MPI_Finalize();
  return differ || missing;
}
