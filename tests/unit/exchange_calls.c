/* SPDX-License-Identifier: BSD-3-Clause
 * The counts and tags of MPI calls, through MPI's profiling interface; see exchange_calls.h. */
#include "exchange_calls.h"

#include <mpi.h>

ptrdiff_t largest_count;
int last_tag, disorder;

static void see(int count) {
  if (count > largest_count) largest_count = count;
}

int MPI_Isend(const void *at, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
  see(count);
  disorder += tag < last_tag;
  last_tag = tag;
  return PMPI_Isend(at, count, type, to, tag, comm, request);
}
int MPI_Irecv(void *at, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request) {
  see(count);
  return PMPI_Irecv(at, count, type, from, tag, comm, request);
}
int MPI_Alltoallv(const void *send, const int *send_count, const int *send_at, MPI_Datatype type,
                  void *recv, const int *recv_count, const int *recv_at, MPI_Datatype recv_type,
                  MPI_Comm comm) {
  int ranks;
  MPI_Comm_size(comm, &ranks);
  for (int k = 0; k < ranks; k++) {
    see(send_count[k] ? send_at[k] + send_count[k] : 0);
    see(recv_count[k] ? recv_at[k] + recv_count[k] : 0);
  }
  return PMPI_Alltoallv(send, send_count, send_at, type, recv, recv_count, recv_at, recv_type,
                        comm);
}
int MPI_Alltoallw(const void *send, const int *send_count, const int *send_at,
                  const MPI_Datatype *type, void *recv, const int *recv_count, const int *recv_at,
                  const MPI_Datatype *recv_type, MPI_Comm comm) {
  int ranks;
  MPI_Comm_size(comm, &ranks);
  for (int k = 0; k < ranks; k++) {
    see(send_at[k] + send_count[k]);
    see(recv_at[k] + recv_count[k]);
  }
  return PMPI_Alltoallw(send, send_count, send_at, type, recv, recv_count, recv_at, recv_type,
                        comm);
}
int MPI_Rput(const void *at, int count, MPI_Datatype type, int to, MPI_Aint place, int put_count,
             MPI_Datatype put_type, MPI_Win win, MPI_Request *one) {
  see(count);
  see(put_count);
  return PMPI_Rput(at, count, type, to, place, put_count, put_type, win, one);
}
