/* SPDX-License-Identifier: BSD-3-Clause
 * The registry of exchanges and what they share. */
#include "exchange/exchange.h"

#include <limits.h>
#include <string.h>

#define PF_EXCHANGE(name) extern const pf_exchange_ops pf_exchange_##name;
#include "exchange/exchange_list.h"
#undef PF_EXCHANGE

static const pf_exchange_ops *const exchanges[] = {
#define PF_EXCHANGE(name) &pf_exchange_##name,
#include "exchange/exchange_list.h"
#undef PF_EXCHANGE
};

const pf_exchange_ops *pf_exchange_at(int index) {
  int count = (int)(sizeof exchanges / sizeof *exchanges);
  return index >= 0 && index < count ? exchanges[index] : NULL;
}

const pf_exchange_ops *pf_exchange_find(const char *name) {
  for (int i = 0; pf_exchange_at(i); i++)
    if (!strcmp(pf_exchange_at(i)->name, name)) return pf_exchange_at(i);
  return NULL;
}

/* ---- counts ---- */

pf_counting pf_exchange_counting(const pf_redist *r, ptrdiff_t cap) {
  pf_counting c = {.unit = 1, .cap = cap > 0 && cap < INT_MAX ? cap : INT_MAX};
  ptrdiff_t row = r->len[2] * r->batch;
  if (r->from != 2 && r->to != 2 && row > 0 && row <= c.cap)
    c.unit = row;
  else if (r->batch <= c.cap)
    c.unit = r->batch;
  return c;
}

ptrdiff_t pf_counting_portions(const pf_counting *c, ptrdiff_t elements) {
  ptrdiff_t units = elements / c->unit;
  return units / c->cap + (units % c->cap > 0);
}

void pf_counting_add(pf_message_count *m, const pf_counting *c, double times, ptrdiff_t elements,
                     size_t size) {
  ptrdiff_t portions = pf_counting_portions(c, elements), rest = elements / c->unit % c->cap;
  double full = (double)(c->cap * c->unit) * (double)size;
  double last = rest ? (double)(rest * c->unit) * (double)size : full;
  if (!portions || times == 0) return;
  if (m->messages == 0 || last < m->bytes_min) m->bytes_min = last;
  double first = portions > 1 ? full : last;
  if (first > m->bytes_max) m->bytes_max = first;
  m->messages += times * (double)portions;
  m->bytes += times * (double)elements * (double)size;
}

pf_message_count pf_exchange_count(const pf_exchange_ops *ops, const pf_redist *r, size_t size,
                                   ptrdiff_t cap) {
  pf_message_count m = {0};
  pf_counting c = pf_exchange_counting(r, cap);
  if (ops->grain == PF_GRAIN_NONE) return m;
  for (int d = 0; d < r->ranks; d++) {
    pf_piece b = pf_redist_piece(r, r->me, d);
    if (d == r->me) continue;
    if (ops->grain == PF_GRAIN_BLOCK)
      pf_counting_add(&m, &c, 1, pf_piece_elements(&b), size);
    else if (ops->grain == PF_GRAIN_LINE)
      pf_counting_add(&m, &c, (double)pf_piece_lines(&b), b.run, size);
    else if (b.planes > 0) {
      pf_counting_add(&m, &c, (double)(b.planes - 1), b.lines * b.run, size);
      pf_counting_add(&m, &c, 1, b.last * b.run, size);
    }
  }
  return m;
}

/* ---- life ---- */

static int make_unit(pf_exchange *x, pfft3d_error *e) {
  MPI_Datatype element;
  int code = MPI_Type_contiguous((int)x->size, MPI_BYTE, &element);
  if (code == MPI_SUCCESS) code = MPI_Type_contiguous((int)x->counting.unit, element, &x->unit);
  if (code == MPI_SUCCESS) code = MPI_Type_commit(&x->unit);
  if (code == MPI_SUCCESS) code = MPI_Type_free(&element);
  return code == MPI_SUCCESS ? PFFT3D_OK : pf_fail_mpi(e, code, "MPI_Type_contiguous");
}

int pf_exchange_create(pf_exchange *x, const pf_exchange_ops *ops, const pf_redist *r, size_t size,
                       ptrdiff_t cap, MPI_Comm comm, int tag, pfft3d_error *e) {
  *x = (pf_exchange){.ops = ops,
                     .redist = *r,
                     .size = size,
                     .comm = comm,
                     .tag = tag,
                     .counting = pf_exchange_counting(r, cap),
                     .unit = MPI_DATATYPE_NULL};
  PF_TRY(make_unit(x, e));
  return ops->setup(x, e);
}

int pf_exchange_create_plain(pf_exchange *x, size_t size, ptrdiff_t cap, MPI_Comm comm, int tag,
                             pfft3d_error *e) {
  static const pf_exchange_ops plain = {.name = "plain"};
  const pf_redist none = {.batch = 1, .from = 2};
  *x = (pf_exchange){.ops = &plain,
                     .size = size,
                     .comm = comm,
                     .tag = tag,
                     .counting = pf_exchange_counting(&none, cap),
                     .unit = MPI_DATATYPE_NULL};
  return make_unit(x, e);
}

void pf_exchange_destroy(pf_exchange *x) {
  if (!x->ops) return;
  if (x->state) x->ops->teardown(x);
  if (x->unit != MPI_DATATYPE_NULL) MPI_Type_free(&x->unit);
  memset(x, 0, sizeof *x);
}

/* ---- messages ---- */

void pf_exchange_sent(pf_message_count *c, double bytes) {
  if (c->messages == 0 || bytes < c->bytes_min) c->bytes_min = bytes;
  if (bytes > c->bytes_max) c->bytes_max = bytes;
  c->messages++;
  c->bytes += bytes;
}

/* The count of the next portion of so many elements. */
static int portion(const pf_exchange *x, ptrdiff_t elements) {
  ptrdiff_t units = elements / x->counting.unit;
  return (int)(units < x->counting.cap ? units : x->counting.cap);
}

/* Starts sending, or receiving, in portions. */
static int transfer(pf_exchange *x, int sending, int other, ptrdiff_t offset, ptrdiff_t elements,
                    MPI_Request **request) {
  ptrdiff_t size = (ptrdiff_t)x->size;
  char *buffer = sending ? x->send : x->recv;
  for (int count; elements > 0; elements -= count * x->counting.unit) {
    char *at = buffer + offset * size;
    MPI_Request *one = (*request)++;
    count = portion(x, elements);
    int code = sending ? MPI_Isend(at, count, x->unit, other, x->tag, x->comm, one)
                       : MPI_Irecv(at, count, x->unit, other, x->tag, x->comm, one);
    if (code != MPI_SUCCESS) return code;
    if (sending) pf_exchange_sent(&x->sent, (double)(count * x->counting.unit * size));
    offset += count * x->counting.unit;
  }
  return MPI_SUCCESS;
}

int pf_exchange_send(pf_exchange *x, int other, ptrdiff_t offset, ptrdiff_t elements,
                     MPI_Request **request) {
  return transfer(x, 1, other, offset, elements, request);
}

int pf_exchange_receive(pf_exchange *x, int other, ptrdiff_t offset, ptrdiff_t elements,
                        MPI_Request **request) {
  return transfer(x, 0, other, offset, elements, request);
}

int pf_exchange_wait_all(MPI_Request *request, ptrdiff_t count) {
  int code = MPI_SUCCESS;
  for (ptrdiff_t i = 0; i < count && code == MPI_SUCCESS; i += INT_MAX)
    code = MPI_Waitall((int)(count - i < INT_MAX ? count - i : INT_MAX), request + i,
                       MPI_STATUSES_IGNORE);
  return code;
}

int pf_exchange_poll(pf_exchange *x) {
  int flag;
  if (x->comm == MPI_COMM_NULL) return MPI_SUCCESS;
  return MPI_Iprobe(MPI_ANY_SOURCE, x->tag, x->comm, &flag, MPI_STATUS_IGNORE);
}
