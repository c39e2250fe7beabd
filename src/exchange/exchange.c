/* SPDX-License-Identifier: BSD-3-Clause
 * The registry of exchanges and what they share. */
#include "exchange/exchange.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
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

/* Messages of several lines hold at least so many bytes, and a plane is cut into no more than there
 * are parts: few enough messages, and the first of them early. */
static ptrdiff_t lines_each(const pf_exchange_ops *ops, const pf_redist *r, size_t size,
                            const pf_piece *b, int in_parts) {
  enum { least = 128 * 1024 };
  double line = (double)b->run * (double)size;
  if (ops->grain == PF_GRAIN_LINE) return 1;
  if (ops->grain != PF_GRAIN_PART) return b->lines;
  double wanted = (r->message ? (double)r->message : least) / line;
  if (!r->message && !in_parts) return b->lines;
  if (wanted >= (double)b->lines) return b->lines;
  ptrdiff_t each = wanted > 1 ? (ptrdiff_t)ceil(wanted) : 1;
  ptrdiff_t of_part = (b->lines + PF_EXCHANGE_PARTS - 1) / PF_EXCHANGE_PARTS;
  return r->message || each > of_part ? each : of_part;
}

pf_cut pf_exchange_cut(const pf_exchange_ops *ops, const pf_redist *r, size_t size, int sender,
                       int receiver) {
  pf_cut c = {.block = pf_redist_piece(r, sender, receiver), .each = 1};
  /* The block of rank 0 has the longest lines: a receiver takes the same parts from all. */
  pf_piece longest = pf_redist_piece(r, 0, receiver);
  int in_parts = ops->grain >= PF_GRAIN_PART && r->next != r->outer && !r->chunk;
  if (!c.block.run || !c.block.lines) c.block.planes = 0;
  if (!longest.run || !longest.lines) return c;
  c.each = lines_each(ops, r, size, &longest, in_parts);
  if (!in_parts) return c;
  ptrdiff_t messages = (longest.lines + c.each - 1) / c.each;
  c.part = (messages + PF_EXCHANGE_PARTS - 1) / PF_EXCHANGE_PARTS * c.each;
  return c;
}

/* Messages of so many planes with so many lines. */
static void count_planes(pf_message_count *m, const pf_counting *c, const pf_cut *cut,
                         double planes, ptrdiff_t lines, size_t size) {
  ptrdiff_t run = cut->block.run, whole = lines / cut->each, rest = lines % cut->each;
  pf_counting_add(m, c, planes * (double)whole, cut->each * run, size);
  pf_counting_add(m, c, rest ? planes : 0, rest * run, size);
}

/* The first receiver behind d that gets another length: of a balanced split there are two, so that
 * a dry run for many ranks need not look at each. */
static int alike_until(const pf_redist *r, int d) {
  if (r->to > 0 && r->rows[r->to - 1].row) return d + 1;
  int longer = (int)(r->len[r->to] % r->ranks);
  return d < longer ? longer : r->ranks;
}

pf_message_count pf_exchange_count(const pf_exchange_ops *ops, const pf_redist *r, size_t size,
                                   ptrdiff_t cap) {
  pf_message_count m = {0};
  pf_counting c = pf_exchange_counting(r, cap);
  if (ops->boxes) c = (pf_counting){1, PTRDIFF_MAX}; /* types have no limit */
  if (ops->grain == PF_GRAIN_NONE) return m;
  for (int d = 0, next; d < r->ranks; d = next) {
    pf_cut cut = pf_exchange_cut(ops, r, size, r->me, d);
    const pf_piece *b = &cut.block;
    next = alike_until(r, d);
    double alike = next - d - (d <= r->me && r->me < next); /* without this rank */
    if (!b->planes) continue;
    if (ops->grain == PF_GRAIN_BLOCK) {
      pf_counting_add(&m, &c, alike, pf_piece_elements(b), size);
      continue;
    }
    count_planes(&m, &c, &cut, alike * (double)(b->planes - 1), b->lines, size);
    count_planes(&m, &c, &cut, alike, b->last, size);
  }
  return m;
}

/* ---- what planners ask ---- */

int pf_exchange_early(const pf_exchange_ops *ops) {
  return ops->grain > PF_GRAIN_BLOCK;
}

/* That way around is slower than the other; it pays where every row is a message, or a plane a
 * large share of all. */
int pf_exchange_wants_rows(const pf_exchange_ops *ops, ptrdiff_t planes) {
  enum { many = 8 };
  if (!pf_exchange_early(ops)) return 0;
  return ops->grain == PF_GRAIN_LINE || planes < many;
}

double pf_exchange_message_bytes(const pf_exchange_ops *ops, double block, double planes,
                                 double row) {
  switch (ops->grain) {
    case PF_GRAIN_NONE: return INFINITY;
    case PF_GRAIN_BLOCK: return block;
    case PF_GRAIN_LINE: return row;
    default: return block / planes;
  }
}

int pf_exchange_suits_messages(const pf_ranks *ranks) {
  return ranks->ranks > 1;
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

int pf_exchange_create(pf_exchange *x, const pf_exchange_spec *s, pfft3d_error *e) {
  *x = (pf_exchange){.ops = s->ops,
                     .redist = s->redist,
                     .size = s->size,
                     .comm = s->comm,
                     .tag = s->tag,
                     .counting = s->counting,
                     .send = s->send,
                     .recv = s->recv,
                     .window = s->window,
                     .unit = MPI_DATATYPE_NULL,
                     .node = s->node};
  PF_TRY(make_unit(x, e));
  return s->ops->setup ? s->ops->setup(x, e) : PFFT3D_OK;
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

/* ---- a run ---- */

int pf_exchange_start(pf_exchange *x) {
  x->finished = 0;
  return x->ops->start ? x->ops->start(x) : MPI_SUCCESS;
}

int pf_exchange_wait(pf_exchange *x, ptrdiff_t plane) {
  return x->ops->wait ? x->ops->wait(x, plane) : pf_exchange_finish(x);
}

int pf_exchange_finish(pf_exchange *x) {
  if (x->finished || x->comm == MPI_COMM_NULL) return MPI_SUCCESS;
  x->finished = 1;
  return x->ops->finish(x);
}

/* ---- messages ---- */

void pf_exchange_sent(pf_message_count *c, double bytes) {
  if (c->messages == 0 || bytes < c->bytes_min) c->bytes_min = bytes;
  if (bytes > c->bytes_max) c->bytes_max = bytes;
  c->messages++;
  c->bytes += bytes;
}

int pf_exchange_portion(const pf_exchange *x, ptrdiff_t elements) {
  ptrdiff_t units = elements / x->counting.unit;
  return (int)(units < x->counting.cap ? units : x->counting.cap);
}

/* One portion. */
static int begin(const pf_exchange *x, pf_operation operation, void *at, int count, int other,
                 int tag, MPI_Request *one) {
  switch (operation) {
    case PF_SEND: return MPI_Isend(at, count, x->unit, other, tag, x->comm, one);
    case PF_RECEIVE: return MPI_Irecv(at, count, x->unit, other, tag, x->comm, one);
    case PF_PREPARE_SEND: return MPI_Send_init(at, count, x->unit, other, tag, x->comm, one);
    default: return MPI_Recv_init(at, count, x->unit, other, tag, x->comm, one);
  }
}

int pf_exchange_message(pf_exchange *x, pf_operation operation, const pf_message *m,
                        MPI_Request **request) {
  ptrdiff_t size = (ptrdiff_t)x->size, offset = m->offset, elements = m->elements;
  char *buffer = operation == PF_SEND || operation == PF_PREPARE_SEND ? x->send : x->recv;
  int tag = x->tag + PF_TAGS * m->part;
  for (int count; elements > 0; elements -= count * x->counting.unit) {
    char *at = buffer + offset * size;
    MPI_Request *one = (*request)++;
    count = pf_exchange_portion(x, elements);
    int code = begin(x, operation, at, count, m->other, tag, one);
    if (code != MPI_SUCCESS) return code;
    if (operation == PF_SEND) pf_exchange_sent(&x->sent, (double)(count * x->counting.unit * size));
    offset += count * x->counting.unit;
  }
  return MPI_SUCCESS;
}

int pf_exchange_send(pf_exchange *x, int other, ptrdiff_t offset, ptrdiff_t elements,
                     MPI_Request **request) {
  pf_message m = {.other = other, .offset = offset, .elements = elements};
  return pf_exchange_message(x, PF_SEND, &m, request);
}

int pf_exchange_receive(pf_exchange *x, int other, ptrdiff_t offset, ptrdiff_t elements,
                        MPI_Request **request) {
  pf_message m = {.other = other, .offset = offset, .elements = elements};
  return pf_exchange_message(x, PF_RECEIVE, &m, request);
}

int pf_exchange_for_blocks(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count,
                           pf_block_done *done) {
  const pf_redist *r = &x->redist;
  int code = MPI_SUCCESS;
  if (!pf_redist_by_owner(r)) { /* a piece of every line for every rank, the next one first */
    for (int k = 1; k < r->ranks && code == MPI_SUCCESS; k++)
      code = done(x, (r->me + k) % r->ranks, plane, first, count);
    return code;
  }
  for (ptrdiff_t q = first, end = first + count; q < end && code == MPI_SUCCESS;) {
    int d = pf_split_owner(r->len[r->to], r->ranks, q);
    pf_range of_d = pf_redist_after(r, d, r->to);
    ptrdiff_t stop = of_d.lo + of_d.len < end ? of_d.lo + of_d.len : end;
    if (d != r->me) code = done(x, d, plane, q - of_d.lo, stop - q);
    q = stop;
  }
  return code;
}

int pf_exchange_wait_all(MPI_Request *request, ptrdiff_t count) {
  int code = MPI_SUCCESS;
  for (ptrdiff_t i = 0; i < count && code == MPI_SUCCESS; i += INT_MAX)
    code = MPI_Waitall((int)(count - i < INT_MAX ? count - i : INT_MAX), request + i,
                       MPI_STATUSES_IGNORE);
  return code;
}

int pf_exchange_poll(pf_exchange *x) {
  int ignored;
  if (x->comm == MPI_COMM_NULL) return MPI_SUCCESS;
  return MPI_Iprobe(MPI_ANY_SOURCE, x->tag, x->comm, &ignored, MPI_STATUS_IGNORE);
}
