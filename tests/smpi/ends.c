/* SPDX-License-Identifier: BSD-3-Clause
 * Ends as the argument says: returns it as exit code, aborts, or waits for what nobody sends. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "0";
  int rank, number = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!strcmp(how, "abort") && rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
  if (!strcmp(how, "deadlock"))
    MPI_Recv(&number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return atoi(how);
}
