/* ranks: 1 2 3 4 6 */
/* Exchanges that store straight into their receivers' memory carry nothing themselves: the views
 * that do it are tested by test_view, the barriers by test_transform. */
/* SPDX-License-Identifier: BSD-3-Clause
 * Every registered exchange, by itself: each element carries its global index, rows are written to
 * the send buffer only just before they are posted, and what arrives is compared byte by byte. */
#include "exchange/exchange.h"

#include "support.h"

enum { GUARD = 64, RUNS = 3 }; /* bytes around the buffers; runs of one exchange in a row */
static const unsigned char poison = 0xA5;

/* A case: the exchange and its redistribution, in bytes of an element. */
typedef struct {
  const pf_exchange_ops *ops;
  pf_redist r;
  size_t size;
  int by_plane; /* rows are posted at the end of a plane, not group by group */
  int waits;    /* rows are waited for one by one, not all together by finish */
  char *send, *recv;
  size_t send_bytes, recv_bytes;
} setting;

static char *guarded(size_t bytes) {
  char *p = get(bytes + 2 * GUARD);
  memset(p, poison, bytes + 2 * GUARD);
  return p + GUARD;
}

static int all_poison(const char *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if ((unsigned char)p[i] != poison) return 0;
  return 1;
}

/* Writes (or compares) row (plane, row), both global, of a run. */
static int row_bytes(const setting *c, int run, ptrdiff_t plane, ptrdiff_t row, char *at,
                     int compare) {
  size_t bytes = (size_t)c->r.row * c->size;
  for (size_t i = 0; i < bytes; i++) {
    uint64_t element = (uint64_t)((plane * c->r.n_to + row) * c->r.row) + i / c->size;
    char byte = (char)(mix(element * 8 + (uint64_t)run) >> (i % 8 * 8));
    if (!compare)
      at[i] = byte;
    else if (at[i] != byte)
      return 0;
  }
  return 1;
}

/* Puts rows first .. first+count-1 of a local plane into the send buffer, and posts them. */
static void post_rows(pf_exchange *x, const setting *c, int run, ptrdiff_t plane, ptrdiff_t first,
                      ptrdiff_t count) {
  const pf_redist *r = &c->r;
  for (ptrdiff_t q = first; q < first + count; q++) {
    int d = pf_split_owner(r->n_to, r->ranks, q);
    pf_range rows = pf_redist_rows(r, d);
    ptrdiff_t at = pf_redist_send_offset(r, d) + (plane * rows.len + q - rows.lo) * r->row;
    if (d == r->me) continue;
    row_bytes(c, run, pf_redist_planes(r, r->me).lo + plane, q, c->send + (size_t)at * c->size, 0);
  }
  CHECK(x->ops->post(x, plane, first, count) == MPI_SUCCESS, "%s: post", c->ops->name);
}

/* The rows of a plane in the order that is laid down, in pieces. */
static void post_plane(pf_exchange *x, const setting *c, int run, ptrdiff_t plane) {
  const pf_redist *r = &c->r;
  ptrdiff_t first = pf_redist_first_row(r, r->me), n = r->n_to;
  if (c->by_plane) {
    post_rows(x, c, run, plane, first, n - first);
    if (first) post_rows(x, c, run, plane, 0, first);
    return;
  }
  ptrdiff_t groups = (n + r->group - 1) / r->group;
  for (ptrdiff_t k = 0; k < groups; k++) {
    ptrdiff_t q = (first / r->group + k) % groups * r->group;
    post_rows(x, c, run, plane, q, n - q < r->group ? n - q : r->group);
    CHECK(x->ops->progress(x) == MPI_SUCCESS, "%s: progress", c->ops->name);
  }
}

/* Row `row` (local) of every plane of the other ranks; the place of the own ones is not touched. */
static void check_row(const setting *c, int run, ptrdiff_t row, const char *when) {
  const pf_redist *r = &c->r;
  pf_range rows = pf_redist_rows(r, r->me);
  int wrong = 0;
  for (int s = 0; s < r->ranks; s++) {
    pf_range planes = pf_redist_planes(r, s);
    for (ptrdiff_t p = 0; p < planes.len; p++) {
      ptrdiff_t at = pf_redist_recv_offset(r, s) + (p * rows.len + row) * r->row;
      char *data = c->recv + (size_t)at * c->size;
      if (s != r->me)
        wrong += !row_bytes(c, run, planes.lo + p, rows.lo + row, data, 1);
      else if (!r->own_apart)
        wrong += !all_poison(data, (size_t)r->row * c->size);
    }
  }
  CHECK(!wrong,
        "%s, %zu bytes, %td planes, %td rows of %td, group %td, run %d, rank %d of %d: "
        "%d wrong rows at local row %td after %s",
        c->ops->name, c->size, r->n_from, r->n_to, r->row, r->group, run, r->me, r->ranks, wrong,
        row, when);
}

static void check_counters(const pf_exchange *x, const setting *c) {
  pf_message_count want = c->ops->count(&c->r, c->size), sent = x->sent;
  CHECK(sent.messages == want.messages, "%s: %g sent, %g counted", c->ops->name, sent.messages,
        want.messages);
  CHECK(sent.bytes == want.bytes, "%s: %g bytes sent, %g counted", c->ops->name, sent.bytes,
        want.bytes);
  CHECK(sent.bytes_min == want.bytes_min && sent.bytes_max == want.bytes_max,
        "%s: %g to %g sent, %g to %g counted", c->ops->name, sent.bytes_min, sent.bytes_max,
        want.bytes_min, want.bytes_max);
}

static void one_run(pf_exchange *x, const setting *c, int run) {
  const pf_redist *r = &c->r;
  ptrdiff_t rows = pf_redist_rows(r, r->me).len;
  memset(c->send, poison, c->send_bytes);
  memset(c->recv, poison, c->recv_bytes);
  x->send = c->send;
  x->recv = c->recv;
  x->sent = (pf_message_count){0};
  CHECK(x->ops->start(x) == MPI_SUCCESS, "%s: start", c->ops->name);
  for (ptrdiff_t p = 0; p < pf_redist_planes(r, r->me).len; p++) post_plane(x, c, run, p);
  for (ptrdiff_t q = 0; q < rows && c->waits; q++) {
    CHECK(x->ops->wait(x, q) == MPI_SUCCESS, "%s: wait", c->ops->name);
    check_row(c, run, q, "wait");
  }
  CHECK(x->ops->finish(x) == MPI_SUCCESS, "%s: finish", c->ops->name);
  for (ptrdiff_t q = 0; q < rows; q++) check_row(c, run, q, "finish");
  check_counters(x, c);
}

/* The send buffer still holds what was written to it, and both are clean around. */
static void check_untouched(const setting *c, int run) {
  const pf_redist *r = &c->r;
  pf_range planes = pf_redist_planes(r, r->me);
  int wrong = 0;
  for (ptrdiff_t q = 0; q < r->n_to; q++) {
    int d = pf_split_owner(r->n_to, r->ranks, q);
    pf_range rows = pf_redist_rows(r, d);
    for (ptrdiff_t p = 0; p < planes.len && d != r->me; p++) {
      ptrdiff_t at = pf_redist_send_offset(r, d) + (p * rows.len + q - rows.lo) * r->row;
      wrong += !row_bytes(c, run, planes.lo + p, q, c->send + (size_t)at * c->size, 1);
    }
  }
  CHECK(!wrong, "%s: %d rows of the send buffer changed", c->ops->name, wrong);
  CHECK(all_poison(c->send - GUARD, GUARD) && all_poison(c->send + c->send_bytes, GUARD),
        "%s: written around the send buffer", c->ops->name);
  CHECK(all_poison(c->recv - GUARD, GUARD) && all_poison(c->recv + c->recv_bytes, GUARD),
        "%s: written around the receive buffer", c->ops->name);
}

static void test_setting(MPI_Comm comm, setting *c) {
  pf_exchange x;
  pfft3d_error e;
  pf_error_clear(&e);
  if (!c->ops->supports(&c->r, c->size, &e)) {
    CHECK(e.status == PFFT3D_ERR_UNAVAILABLE && e.text[0], "%s refuses without a reason",
          c->ops->name);
    return;
  }
  c->send_bytes = (size_t)pf_redist_send_elements(&c->r) * c->size;
  c->recv_bytes = (size_t)pf_redist_recv_elements(&c->r) * c->size;
  c->send = guarded(c->send_bytes);
  c->recv = guarded(c->recv_bytes);
  int status = pf_exchange_create(&x, c->ops, &c->r, c->size, comm, 5, &e);
  CHECK(!status, "%s: create: %s", c->ops->name, e.text);
  for (int run = 0; run < RUNS && !status; run++) {
    c->waits = run != 1;
    one_run(&x, c, run);
  }
  if (!status) check_untouched(c, RUNS - 1);
  pf_exchange_destroy(&x);
  free(c->send - GUARD);
  free(c->recv - GUARD);
}

static void test_redist(MPI_Comm comm, const pf_exchange_ops *ops, ptrdiff_t n_from, ptrdiff_t n_to,
                        ptrdiff_t row) {
  static const size_t size[] = {16, 8, 4};
  setting c = {.ops = ops, .r = {.from = 0, .to = 1, .n_from = n_from, .n_to = n_to, .row = row}};
  MPI_Comm_rank(comm, &c.r.me);
  MPI_Comm_size(comm, &c.r.ranks);
  for (int k = 0; k < 12; k++) {
    c.size = size[k / 4 % 3];
    c.r.group = k % 4 == 0 ? 1 : k % 4 == 1 ? 3 : 8;
    c.by_plane = k % 4 == 3;
    if (c.by_plane) c.r.group = 1;
    c.r.own_apart = k % 2;
    test_setting(comm, &c);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t shape[][3] = {{1, 1, 1},  {2, 3, 5},  {3, 2, 1},  {7, 1, 4},
                                       {1, 9, 2},  {5, 13, 3}, {13, 5, 7}, {12, 12, 2},
                                       {6, 25, 1}, {17, 19, 5}};
  for (int kind = 0; kind < COMM_KINDS; kind++) {
    MPI_Comm comm = make_comm(kind);
    for (int i = 0; pf_exchange_at(i); i++)
      for (size_t k = 0; k < sizeof shape / sizeof *shape && !pf_exchange_at(i)->direct; k++)
        test_redist(comm, pf_exchange_at(i), shape[k][0], shape[k][1], shape[k][2]);
    MPI_Comm_free(&comm);
  }
  CHECK(!pf_exchange_find("none such"), "an exchange nobody registered");
  for (int i = 0; pf_exchange_at(i); i++)
    CHECK(pf_exchange_find(pf_exchange_at(i)->name) == pf_exchange_at(i), "number %d", i);
  return check_result();
}
