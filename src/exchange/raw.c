/* SPDX-License-Identifier: BSD-3-Clause
 * Times plain all-to-alls of MPI with the data of exchanges. */
#include "exchange/raw.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* An all-to-all of the bytes that an exchange moves, own lines included: MPI_Alltoall if all blocks
 * are equal.  `count` has four numbers per rank: nothing is allocated here, because other ranks
 * would wait after a failure. */
static int raw_alltoall(const pf_exchange *x, MPI_Comm comm, int *count, const char *from,
                        char *to) {
  const pf_redist *r = &x->redist;
  size_t ranks = (size_t)r->ranks;
  ptrdiff_t unit = x->counting.unit, at = 0, to_at = 0;
  int even = r->len[r->from] % r->ranks == 0 && r->len[r->to] % r->ranks == 0 && !r->chunk &&
             !r->boxes && r->cuts[r->from].rule != PF_CUTS_GIVEN &&
             r->cuts[r->to].rule != PF_CUTS_GIVEN;
  if (comm == MPI_COMM_NULL) return PFFT3D_OK;
  for (size_t k = 0; k < ranks; k++) {
    pf_block_shape out = pf_redist_shape(r, r->me, (int)k), in = pf_redist_shape(r, (int)k, r->me);
    count[k] = (int)(pf_block_shape_elements(&out) / unit);
    count[ranks + k] = (int)(at / unit);
    count[2 * ranks + k] = (int)(pf_block_shape_elements(&in) / unit);
    count[3 * ranks + k] = (int)(to_at / unit);
    at += pf_block_shape_elements(&out);
    to_at += pf_block_shape_elements(&in);
  }
  int code = even ? MPI_Alltoall(from, count[0], x->unit, to, count[0], x->unit, comm)
                  : MPI_Alltoallv(from, count, count + ranks, x->unit, to, count + 2 * ranks,
                                  count + 3 * ranks, x->unit, comm);
  return pf_run_status(code);
}

/* The larger number of elements that this rank holds before and after an exchange. */
static ptrdiff_t raw_elements(const pf_redist *r) {
  pf_redist all = *r;
  all.own_apart = 0;
  all.peers = (pf_range){0, 0};
  all.boxes = 0; /* with `boxes`, blocks have no offsets of their own */
  pf_block_shape own = pf_redist_shape(r, r->me, r->me);
  ptrdiff_t sent = pf_redist_send_elements(&all) + pf_block_shape_elements(&own);
  ptrdiff_t received = pf_redist_recv_elements(&all);
  return sent > received ? sent : received;
}

/* The all-to-alls move data between two private buffers. */
int pf_raw_alltoalls(MPI_Comm comm, const pf_raw *list, int exchanges, double *seconds) {
  size_t bytes = 1;
  int status = PFFT3D_OK, fits = 1, ranks;
  MPI_Comm_size(comm, &ranks);
  for (int k = 0; k < exchanges; k++) {
    const pf_exchange *x = list[k].exchange;
    ptrdiff_t most = x->counting.cap < INT_MAX ? x->counting.cap : INT_MAX;
    ptrdiff_t elements = raw_elements(&x->redist);
    if ((size_t)elements * x->size >= bytes) bytes = (size_t)elements * x->size + 1;
    fits = fits && elements / x->counting.unit <= most;
  }
  pfft3d_error e = {.status = PFFT3D_OK};
  if (pf_memory_agree(comm, 2 * bytes, &e)) return e.status;
  char *from = pf_alloc(bytes), *to = pf_alloc(bytes);
  int *count = calloc(4 * (size_t)ranks, sizeof *count);
  int mine = !from || !to || !count ? PFFT3D_ERR_MEMORY : fits ? PFFT3D_OK : PFFT3D_ERR_UNAVAILABLE;
  if (MPI_Allreduce(&mine, &status, 1, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS)
    status = PFFT3D_ERR_INTERNAL;
  if (from && to && !status) {
    memset(from, 0, bytes);
    memset(to, 0, bytes);
  }
  MPI_Barrier(comm);
  double start = MPI_Wtime();
  if (mine) status = mine; /* contained in the maximum, too */
  for (int k = 0; k < exchanges && count && !status; k++)
    status = raw_alltoall(list[k].exchange, list[k].comm, count, from, to);
  *seconds = MPI_Wtime() - start;
  pf_free(from);
  pf_free(to);
  free(count);
  return status;
}
