/* SPDX-License-Identifier: BSD-3-Clause
 * Exchanges slabs and pencils: a message leaves as soon as its rows are done.
 *
 * What moves: slabs sends one message per plane and destination, when the last of the plane's rows
 * for that destination is done; pencils sends every row by itself.  With n planes and n rows on P
 * ranks that is n (P-1) / P messages of n/P rows, or n (n - n/P) / P of one row.  They win where
 * a wire is slower than memory, by sending while later rows are still being transformed; pencils
 * start earliest and pay most for the number of messages.
 *
 * All messages carry one tag.  MPI keeps messages between two ranks in order, so receives are
 * posted in the order in which their sender sends (pf_redist_first_row tells it) and every match is
 * the first in its queue. Source: "slabs" and "pencils" of Bell, Bonachea, Nishtala and Yelick,
 * IPDPS 2006. */
#include <limits.h>
#include <stdlib.h>

#include "exchange/exchange.h"

typedef struct {
  int by_row;        /* pencils: a message is one row; else all rows of a plane for a rank */
  ptrdiff_t remote;  /* planes of all other ranks together */
  ptrdiff_t parts;   /* messages per remote plane that arrive here: my rows, or 1 */
  MPI_Request *recv; /* [parts][remote]: what a row needs lies together */
  MPI_Request *send; /* in order of sending */
  ptrdiff_t sent, to_send;
  ptrdiff_t arrived; /* parts waited for, in order of waiting; all when == parts */
  ptrdiff_t *left;   /* rows of the current plane still to come, for each destination */
} state;

static int is_by_row(const pf_exchange *x);

static int supports(const pf_redist *r, size_t size, pfft3d_error *e) {
  (void)size;
  ptrdiff_t planes = pf_redist_planes(r, 0).len, rows = pf_redist_rows(r, 0).len;
  if (rows <= INT_MAX && planes <= INT_MAX && r->n_from <= INT_MAX) return 1;
  pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "a plane of %td rows per rank exceeds the counts of MPI (%d)",
          rows, INT_MAX);
  return 0;
}

/* n messages of `rows` rows each, to every destination. */
static pf_message_count count(const pf_redist *r, size_t size, int by_row) {
  pf_message_count c = {0};
  ptrdiff_t planes = pf_redist_planes(r, r->me).len, mine = pf_redist_rows(r, r->me).len;
  ptrdiff_t q = r->n_to / r->ranks, longer = r->n_to % r->ranks;
  ptrdiff_t others = pf_split_used(r->n_to, r->ranks) - (mine > 0);
  ptrdiff_t others_longer = longer - (mine > q);
  double row = (double)r->row * (double)size;
  if (!planes || !others) return c;
  c.messages = (double)planes * (double)(by_row ? r->n_to - mine : others);
  c.bytes = (double)planes * (double)(r->n_to - mine) * row;
  c.bytes_max = by_row ? row : row * (double)(others_longer ? q + 1 : q);
  c.bytes_min = by_row ? row : row * (double)(others > others_longer ? q : q + 1);
  return c;
}

static pf_message_count count_slabs(const pf_redist *r, size_t size) {
  return count(r, size, 0);
}
static pf_message_count count_pencils(const pf_redist *r, size_t size) {
  return count(r, size, 1);
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  const pf_redist *r = &x->redist;
  state *s = x->state = calloc(1, sizeof *s);
  if (!s) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for an exchange");
  ptrdiff_t planes = pf_redist_planes(r, r->me).len, mine = pf_redist_rows(r, r->me).len;
  s->by_row = is_by_row(x);
  s->remote = r->n_from - planes;
  s->parts = s->by_row ? mine : mine > 0;
  s->to_send =
      planes * (s->by_row ? r->n_to - mine : pf_split_used(r->n_to, r->ranks) - (mine > 0));
  s->recv = malloc((size_t)(s->remote * s->parts + 1) * sizeof *s->recv);
  s->send = malloc((size_t)(s->to_send + 1) * sizeof *s->send);
  s->left = malloc((size_t)r->ranks * sizeof *s->left);
  if (s->recv && s->send && s->left) return PFFT3D_OK;
  return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %td messages of one transform",
                 s->remote * s->parts + s->to_send);
}

/* Receives of one source, in the order in which it sends: planes ascend, rows from its first on. */
static int post_receives(pf_exchange *x, int source, MPI_Request *request) {
  const pf_redist *r = &x->redist;
  state *s = x->state;
  pf_range planes = pf_redist_planes(r, source), rows = pf_redist_rows(r, r->me);
  ptrdiff_t row_bytes = r->row * (ptrdiff_t)x->size, step = s->by_row ? 1 : rows.len;
  ptrdiff_t first = pf_redist_first_row(r, source) - rows.lo; /* in my rows: else start at 0 */
  if (!s->by_row || first < 0 || first >= rows.len) first = 0;
  char *block = x->recv + pf_redist_recv_offset(r, source) * (ptrdiff_t)x->size;
  for (ptrdiff_t p = 0; p < planes.len; p++)
    for (ptrdiff_t k = 0; k < s->parts; k++) {
      ptrdiff_t part = (first + k) % s->parts;
      char *to = block + (p * rows.len + part * step) * row_bytes;
      int code = MPI_Irecv(to, (int)step, x->row_type, source, x->tag, x->comm,
                           &request[part * s->remote + p]);
      if (code != MPI_SUCCESS) return code;
    }
  return MPI_SUCCESS;
}

static int start(pf_exchange *x) {
  const pf_redist *r = &x->redist;
  state *s = x->state;
  s->sent = s->arrived = 0;
  for (int d = 0; d < r->ranks; d++) s->left[d] = pf_redist_rows(r, d).len;
  MPI_Request *request = s->recv;
  for (int k = 0; k < r->ranks && s->parts; k++) {
    if (k == r->me) continue;
    int code = post_receives(x, k, request);
    if (code != MPI_SUCCESS) return code;
    request += pf_redist_planes(r, k).len;
  }
  return MPI_SUCCESS;
}

/* Sends `rows` rows of a plane, from row `first` of destination d on. */
static int send_rows(pf_exchange *x, int d, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t rows) {
  state *s = x->state;
  const pf_redist *r = &x->redist;
  ptrdiff_t row_bytes = r->row * (ptrdiff_t)x->size;
  char *from = x->send + pf_redist_send_offset(r, d) * (ptrdiff_t)x->size +
               (plane * pf_redist_rows(r, d).len + first) * row_bytes;
  pf_exchange_sent(&x->sent, (double)(rows * row_bytes));
  return MPI_Isend(from, (int)rows, x->row_type, d, x->tag, x->comm, &s->send[s->sent++]);
}

static int post(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t rows) {
  const pf_redist *r = &x->redist;
  state *s = x->state;
  for (ptrdiff_t q = first, end = first + rows; q < end;) {
    int d = pf_split_owner(r->n_to, r->ranks, q), code = MPI_SUCCESS;
    pf_range of_d = pf_redist_rows(r, d);
    ptrdiff_t stop = of_d.lo + of_d.len < end ? of_d.lo + of_d.len : end;
    if (d == r->me) {
      q = stop;
      continue;
    }
    s->left[d] -= stop - q;
    if (s->by_row)
      for (; q < stop && code == MPI_SUCCESS; q++) code = send_rows(x, d, plane, q - of_d.lo, 1);
    else if (s->left[d] == 0)
      code = send_rows(x, d, plane, 0, of_d.len);
    if (code != MPI_SUCCESS) return code;
    if (s->left[d] == 0) s->left[d] = of_d.len; /* the next plane */
    q = stop;
  }
  return MPI_SUCCESS;
}

static int wait_parts(state *s, ptrdiff_t parts) {
  for (; s->arrived < parts; s->arrived++) {
    MPI_Request *request = s->recv + s->arrived * s->remote;
    int code = MPI_Waitall((int)s->remote, request, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

/* The passes ask for rows in ascending order. */
static int wait_row(pf_exchange *x, ptrdiff_t row) {
  state *s = x->state;
  return wait_parts(s, s->by_row ? row + 1 : 1);
}

static int finish(pf_exchange *x) {
  state *s = x->state;
  int code = wait_parts(s, s->parts);
  if (code != MPI_SUCCESS) return code;
  for (ptrdiff_t i = 0; i < s->sent; i += INT_MAX) {
    ptrdiff_t some = s->sent - i < INT_MAX ? s->sent - i : INT_MAX;
    code = MPI_Waitall((int)some, s->send + i, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS) return code;
  }
  s->sent = 0;
  return MPI_SUCCESS;
}

static void teardown(pf_exchange *x) {
  state *s = x->state;
  free(s->recv);
  free(s->send);
  free(s->left);
  free(s);
}

const pf_exchange_ops pf_exchange_slabs = {
    .name = "slabs",
    .early = 1,
    .summary = "a message per plane and destination, sent while later rows are transformed",
    .supports = supports,
    .count = count_slabs,
    .setup = setup,
    .start = start,
    .post = post,
    .progress = pf_exchange_poll,
    .wait = wait_row,
    .finish = finish,
    .teardown = teardown};

const pf_exchange_ops pf_exchange_pencils = {
    .name = "pencils",
    .early = 1,
    .summary = "a message per row, sent while later rows are transformed",
    .supports = supports,
    .count = count_pencils,
    .setup = setup,
    .start = start,
    .post = post,
    .progress = pf_exchange_poll,
    .wait = wait_row,
    .finish = finish,
    .teardown = teardown};

static int is_by_row(const pf_exchange *x) {
  return x->ops == &pf_exchange_pencils;
}
