/* SPDX-License-Identifier: BSD-3-Clause
 * Mistakes in the use of MPI, one for each argument, that tests/faults/mpi_check.c must find;
 * "none" makes none.  On two ranks or more. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;
static char *name; /* of a file that is there: this one */

/* Collective mistakes: rank 1 does not do what the others do. */
static void differ(const char *what) {
  int a[4] = {0}, b[4], odd = rank == 1;
  int sent[64] = {0}, received[64] = {0}, at[64] = {0};
  if (!strcmp(what, "order") && odd) MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(what, "order") && !odd) MPI_Bcast(a, 0, MPI_INT, 0, MPI_COMM_WORLD);
  if (!strcmp(what, "root")) MPI_Bcast(a, 1, MPI_INT, odd, MPI_COMM_WORLD);
  if (!strcmp(what, "size")) MPI_Bcast(a, odd ? 2 : 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!strcmp(what, "op")) MPI_Allreduce(a, b, 1, MPI_INT, odd ? MPI_MAX : MPI_MIN, MPI_COMM_WORLD);
  if (!strcmp(what, "together")) {
    MPI_File file;
    MPI_Status status;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    if (odd) MPI_File_read_at_all(file, 0, a, 4, MPI_BYTE, &status);
    MPI_File_close(&file);
  }
  if (strcmp(what, "pairs") != 0 || ranks > 64) return;
  sent[0] = odd; /* rank 0 expects nothing of it */
  MPI_Alltoallv(a, sent, at, MPI_INT, b, received, at, MPI_INT, MPI_COMM_WORLD);
}

/* What is not freed. */
static void keep(const char *what) {
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Request request;
  MPI_Group group;
  MPI_Win win;
  char *base;
  static int number;
  if (!strcmp(what, "comm")) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (!strcmp(what, "type")) MPI_Type_contiguous(2, MPI_INT, &type);
  if (!strcmp(what, "group")) MPI_Comm_group(MPI_COMM_WORLD, &group);
  if (!strcmp(what, "window")) MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  if (!strcmp(what, "file")) {
    static MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  }
  if (!strcmp(what, "request"))
    MPI_Recv_init(&number, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &request);
}

/* All send first: right only as long as MPI keeps the message. */
static void rely_on_buffers(void) {
  int mine = rank, other = -1;
  MPI_Status status;
  alarm(3); /* ends what waits for ever */
  MPI_Send(&mine, 1, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD);
  MPI_Recv(&other, 1, MPI_INT, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, &status);
}

/* Everything as it should be. */
static void be_right(void) {
  MPI_Comm comm;
  MPI_Request request[2];
  MPI_Errhandler handler;
  MPI_File file;
  MPI_Status status;
  char byte;
  int mine = rank, other = -1;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_File_read_at_all(file, 0, &byte, rank == 0, MPI_BYTE, &status);
  MPI_File_close(&file);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_get_errhandler(comm, &handler);
  MPI_Errhandler_free(&handler);
  MPI_Irecv(&other, 1, MPI_INT, (rank + ranks - 1) % ranks, 1, comm, &request[0]);
  MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % ranks, 1, comm, &request[1]);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_SUM, comm);
  MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "none";
  name = argv[0];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  be_right();
  differ(what);
  keep(what);
  if (!strcmp(what, "buffers")) rely_on_buffers();
  MPI_Finalize();
  return 0;
}
