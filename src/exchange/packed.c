/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange packed: everything in one MPI_Alltoallv, when the last row is done.
 *
 * What moves: to each other rank one message, all my planes of its rows.  P - 1 messages of V/P
 * bytes per rank, V the bytes a rank holds.  Nothing overlaps, but no other strategy sends fewer or
 * larger messages: it wins where the start of a message is dear, and inside a node.
 * Source: "packed slabs" of Bell, Bonachea, Nishtala and Yelick, IPDPS 2006. */
#include <limits.h>
#include <stdlib.h>

#include "exchange/exchange.h"

/* Counts and displacements in rows, as MPI wants them. */
typedef struct {
  int *send_count, *send_at, *recv_count, *recv_at;
  int arrived;
} state;

static int supports(const pf_redist *r, size_t size, pfft3d_error *e) {
  (void)size;
  ptrdiff_t send = pf_redist_send_elements(r) / r->row, recv = pf_redist_recv_elements(r) / r->row;
  if (send <= INT_MAX && recv <= INT_MAX) return 1;
  pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
          "algo packed: %td rows per rank exceed the counts of one MPI_Alltoallv (%d)",
          send > recv ? send : recv, INT_MAX);
  pf_hint(e, "use --algo slabs, or more ranks");
  return 0;
}

static pf_message_count count(const pf_redist *r, size_t size) {
  pf_message_count c = {0};
  double plane_bytes = (double)pf_redist_planes(r, r->me).len * (double)r->row * (double)size;
  int used = pf_split_used(r->n_to, r->ranks);
  if (plane_bytes == 0) return c;
  ptrdiff_t q = r->n_to / r->ranks, longer = r->n_to % r->ranks; /* that many ranks have q+1 */
  ptrdiff_t mine = pf_redist_rows(r, r->me).len;
  ptrdiff_t others_longer = longer - (mine > q), others = used - (mine > 0);
  if (!others) return c;
  c.messages = (double)others;
  c.bytes = plane_bytes * (double)(r->n_to - mine);
  c.bytes_max = plane_bytes * (double)(others_longer ? q + 1 : q);
  c.bytes_min = plane_bytes * (double)(others > others_longer ? q : q + 1);
  return c;
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  const pf_redist *r = &x->redist;
  size_t ranks = (size_t)r->ranks;
  state *s = x->state = calloc(1, sizeof *s + 4 * ranks * sizeof(int));
  if (!s) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the counts of %zu ranks", ranks);
  s->send_count = (int *)(s + 1);
  s->send_at = s->send_count + ranks;
  s->recv_count = s->send_at + ranks;
  s->recv_at = s->recv_count + ranks;
  ptrdiff_t planes = pf_redist_planes(r, r->me).len, rows = pf_redist_rows(r, r->me).len;
  for (int k = 0; k < r->ranks; k++) {
    if (k == r->me) continue; /* own rows are where they belong already */
    s->send_count[k] = (int)(planes * pf_redist_rows(r, k).len);
    s->send_at[k] = (int)(pf_redist_send_offset(r, k) / r->row);
    s->recv_count[k] = (int)(pf_redist_planes(r, k).len * rows);
    s->recv_at[k] = (int)(pf_redist_recv_offset(r, k) / r->row);
  }
  return PFFT3D_OK;
}

static int start(pf_exchange *x) {
  state *s = x->state;
  s->arrived = 0;
  return MPI_SUCCESS;
}

static int post(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t rows) {
  (void)x, (void)plane, (void)first, (void)rows;
  return MPI_SUCCESS;
}

static int progress(pf_exchange *x) {
  (void)x;
  return MPI_SUCCESS;
}

static int finish(pf_exchange *x) {
  state *s = x->state;
  if (s->arrived) return MPI_SUCCESS;
  s->arrived = 1;
  for (int k = 0; k < x->redist.ranks; k++)
    if (s->send_count[k])
      pf_exchange_sent(&x->sent,
                       (double)s->send_count[k] * (double)x->redist.row * (double)x->size);
  return MPI_Alltoallv(x->send, s->send_count, s->send_at, x->row_type, x->recv, s->recv_count,
                       s->recv_at, x->row_type, x->comm);
}

static int wait_row(pf_exchange *x, ptrdiff_t row) {
  (void)row;
  return finish(x);
}

static void teardown(pf_exchange *x) {
  free(x->state);
}

const pf_exchange_ops pf_exchange_packed = {
    .name = "packed",
    .summary = "one Alltoall of everything, after the last row",
    .supports = supports,
    .count = count,
    .setup = setup,
    .start = start,
    .post = post,
    .progress = progress,
    .wait = wait_row,
    .finish = finish,
    .teardown = teardown};
