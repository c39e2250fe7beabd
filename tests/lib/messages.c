/* SPDX-License-Identifier: BSD-3-Clause
 * Messages as they really leave, through MPI's profiling interface; see messages.h. */
#include "messages.h"

#include "exchange/large.h"

seen_messages seen;

static void see_count(ptrdiff_t count) {
  if (seen.on && count > seen.largest) seen.largest = count;
}

static void see_send(ptrdiff_t count, MPI_Datatype type, int to) {
  int size;
  see_count(count);
  PMPI_Type_size(type, &size);
  double bytes = (double)count * size;
  if (!seen.on || to == seen.me || bytes == 0) return;
  if (!seen.messages || bytes < seen.least) seen.least = bytes;
  if (bytes > seen.most) seen.most = bytes;
  seen.messages++;
  seen.bytes += bytes;
}

int PF_LARGE(MPI_Isend)(const void *buf, pf_count count, MPI_Datatype type, int to, int tag,
                        MPI_Comm comm, MPI_Request *request) {
  see_send(count, type, to);
  return PF_LARGE(PMPI_Isend)(buf, count, type, to, tag, comm, request);
}

#ifdef HAVE_MPI_ALLTOALLV_C /* one element of a type needs no large count */
int MPI_Isend(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
  see_send(count, type, to);
  return PMPI_Isend(buf, count, type, to, tag, comm, request);
}
#endif

/* Requests that are started again and again, by what they send; 0 bytes: free. */
static struct {
  MPI_Request request;
  pf_count count;
  int to;
  MPI_Datatype type;
} made[1 << 16];
enum { MADE = sizeof made / sizeof *made };

int PF_LARGE(MPI_Send_init)(const void *buf, pf_count count, MPI_Datatype type, int to, int tag,
                            MPI_Comm comm, MPI_Request *request) {
  int code = PF_LARGE(PMPI_Send_init)(buf, count, type, to, tag, comm, request), k = 0;
  while (k < MADE - 1 && made[k].count) k++;
  made[k].request = *request;
  made[k].count = count;
  made[k].to = to;
  made[k].type = type;
  return code;
}
int PF_LARGE(MPI_Recv_init)(void *buf, pf_count count, MPI_Datatype type, int from, int tag,
                            MPI_Comm comm, MPI_Request *request) {
  see_count(count);
  return PF_LARGE(PMPI_Recv_init)(buf, count, type, from, tag, comm, request);
}
int MPI_Startall(int count, MPI_Request request[]) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < MADE; k++)
      if (made[k].count && made[k].request == request[i])
        see_send(made[k].count, made[k].type, made[k].to);
  return PMPI_Startall(count, request);
}
int MPI_Request_free(MPI_Request *request) {
  for (int k = 0; k < MADE; k++)
    if (made[k].count && made[k].request == *request) made[k].count = 0;
  return PMPI_Request_free(request);
}
int MPI_Send(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  see_send(count, type, to);
  return PMPI_Send(buf, count, type, to, tag, comm);
}
int PF_LARGE(MPI_Irecv)(void *buf, pf_count count, MPI_Datatype type, int from, int tag,
                        MPI_Comm comm, MPI_Request *request) {
  see_count(count);
  return PF_LARGE(PMPI_Irecv)(buf, count, type, from, tag, comm, request);
}
int MPI_Sendrecv(const void *send, int count, MPI_Datatype type, int to, int tag, void *recv,
                 int recv_count, MPI_Datatype recv_type, int from, int recv_tag, MPI_Comm comm,
                 MPI_Status *status) {
  see_send(count, type, to);
  see_count(recv_count);
  return PMPI_Sendrecv(send, count, type, to, tag, recv, recv_count, recv_type, from, recv_tag,
                       comm, status);
}
int PF_LARGE(MPI_Alltoallv)(const void *send, const pf_count count[], const pf_displacement at[],
                            MPI_Datatype type, void *recv, const pf_count recv_count[],
                            const pf_displacement recv_at[], MPI_Datatype recv_type,
                            MPI_Comm comm) {
  int size;
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_rank(comm, &seen.me);
  for (int k = 0; k < size; k++) {
    see_send(count[k], type, k);
    see_count(recv_count[k]);
  }
  seen.me = -1; /* point to point the library sends nothing to itself */
  return PF_LARGE(PMPI_Alltoallv)(send, count, at, type, recv, recv_count, recv_at, recv_type,
                                  comm);
}

int MPI_Alltoallw(const void *send, const int count[], const int at[], const MPI_Datatype type[],
                  void *recv, const int recv_count[], const int recv_at[],
                  const MPI_Datatype recv_type[], MPI_Comm comm) {
  int size;
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_rank(comm, &seen.me);
  for (int k = 0; k < size; k++) {
    see_send(count[k], type[k], k);
    see_count(recv_count[k]);
  }
  seen.me = -1;
  return PMPI_Alltoallw(send, count, at, type, recv, recv_count, recv_at, recv_type, comm);
}
int PF_LARGE(MPI_Rput)(const void *buf, pf_count count, MPI_Datatype type, int to, MPI_Aint at,
                       pf_count put_count, MPI_Datatype put_type, MPI_Win win, MPI_Request *one) {
  see_send(count, type, to);
  see_count(put_count);
  return PF_LARGE(PMPI_Rput)(buf, count, type, to, at, put_count, put_type, win, one);
}

void see_start(void) {
  memset(&seen, 0, sizeof seen);
  seen.me = -1;
  seen.on = 1;
}

double largest_of(double x) {
  double all;
  MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

double smallest_of(double x) {
  double all, mine = x > 0 ? x : INFINITY;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return all < INFINITY ? all : 0;
}
