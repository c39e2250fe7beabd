/* SPDX-License-Identifier: BSD-3-Clause
 * The verdict of a test; see check.h. */
#include "check.h"

_Atomic long check_done, check_failed, check_shown;
void (*check_at_end)(void);

int check_result(void) {
  if (check_at_end) check_at_end();
  long mine[2] = {check_done, check_failed}, all[2];
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (check_shown > 10) fprintf(stderr, "and %ld more\n", check_shown - 10);
  if (rank == 0) printf("%ld checks, %ld failed\n", all[0], all[1]);
  MPI_Finalize();
  return all[1] != 0 || all[0] == 0;
}
