/* SPDX-License-Identifier: BSD-3-Clause
 * Functions common to all exchanges: counting, cutting blocks into messages, starting messages. */
#include "exchange/exchange.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- counts ---- */

pf_counting pf_exchange_counting(const pf_redist *r, ptrdiff_t cap) {
  pf_counting c = {.unit = 1, .cap = cap > 0 && cap < PF_COUNT_MAX ? cap : PF_COUNT_MAX};
  ptrdiff_t row = r->len[2] * r->batch;
  if (r->from != 2 && r->to != 2 && row > 0 && row <= c.cap && row <= INT_MAX)
    c.unit = row;
  else if (r->batch <= c.cap)
    c.unit = r->batch;
  return c;
}

ptrdiff_t pf_counting_portions(const pf_counting *c, ptrdiff_t elements) {
  ptrdiff_t units = elements / c->unit;
  return units / c->cap + (units % c->cap > 0);
}

void pf_message_count_add(pf_message_count *sum, const pf_message_count *c) {
  if (c->messages && (!sum->messages || c->bytes_min < sum->bytes_min))
    sum->bytes_min = c->bytes_min;
  if (c->bytes_max > sum->bytes_max) sum->bytes_max = c->bytes_max;
  sum->messages += c->messages;
  sum->bytes += c->bytes;
}

void pf_counting_add(pf_message_count *m, const pf_counting *c, double times, ptrdiff_t elements,
                     size_t size) {
  ptrdiff_t portions = pf_counting_portions(c, elements), rest = elements / c->unit % c->cap;
  double full = (double)(c->cap * c->unit) * (double)size;
  double last = rest ? (double)(rest * c->unit) * (double)size : full;
  if (!portions || times == 0) return;
  const pf_message_count more = {times * (double)portions, times * (double)elements * (double)size,
                                 last, portions > 1 ? full : last};
  pf_message_count_add(m, &more);
}

/* Messages of several lines have at least `least` bytes, and a plane is cut into at most as many
 * messages as there are parts: few messages, the first of them early.
 *
 * Single lines pay where a message costs less than the time of its bytes on a network.  Inside a
 * node MPI hands over more than 4 KiB by a reply and a copy of the kernel, in the time of a copy of
 * about 50 KiB, and nothing is gained early: lines go in bundles, unless all lines of a plane are
 * few bytes (`small`). */
static ptrdiff_t lines_each(const pf_exchange_ops *ops, const pf_redist *r, size_t size,
                            const pf_block_shape *b, int in_parts) {
  enum { least = 128 * 1024, bundle = 64 * 1024, small = 16 * 1024 };
  int single = ops->grain == PF_GRAIN_LINE, free = !r->message && !single;
  if (ops->grain < PF_GRAIN_PART || (free && !in_parts)) return b->lines;
  double line = (double)b->run * (double)size, plane = line * (double)b->lines;
  double bytes = single ? r->one_node && plane >= small ? bundle : 1 : least;
  double wanted = (r->message ? (double)r->message : bytes) / line;
  if (wanted >= (double)b->lines) return b->lines;
  ptrdiff_t each = wanted > 1 ? (ptrdiff_t)ceil(wanted) : 1;
  ptrdiff_t of_part = (b->lines + PF_EXCHANGE_PARTS - 1) / PF_EXCHANGE_PARTS;
  return free && each < of_part ? of_part : each;
}

ptrdiff_t pf_cut_parts(const pf_cut *c) {
  return c->part ? (c->block.lines + c->part - 1) / c->part : 0;
}

int pf_redist_by_plane(const pf_redist *r) {
  return r->next == r->outer;
}

pf_cut pf_exchange_cut(const pf_exchange_ops *ops, const pf_redist *r, size_t size, int sender,
                       int receiver) {
  pf_cut c = {.block = pf_redist_shape(r, sender, receiver), .each = 1};
  /* A receiver uses the same parts for all senders. */
  pf_block_shape longest = pf_redist_largest_shape(r, receiver);
  int in_parts = ops->grain >= PF_GRAIN_PART && !pf_redist_by_plane(r) && !r->chunk;
  if (!c.block.run || !c.block.lines) c.block.planes = 0;
  if (!longest.run || !longest.lines) return c;
  c.each = lines_each(ops, r, size, &longest, in_parts);
  if (!in_parts) return c;
  ptrdiff_t messages = (longest.lines + c.each - 1) / c.each;
  c.part = (messages + PF_EXCHANGE_PARTS - 1) / PF_EXCHANGE_PARTS * c.each;
  return c;
}

/* The number of ranks d .. next - 1 in a range. */
static ptrdiff_t common(pf_range ranks, int d, int next) {
  ptrdiff_t lo = ranks.lo > d ? ranks.lo : d, end = ranks.lo + ranks.len;
  if (end > next) end = next;
  return end > lo ? end - lo : 0;
}

pf_message_count pf_exchange_count(const pf_exchange_ops *ops, const pf_redist *r, size_t size,
                                   ptrdiff_t cap) {
  pf_message_count sum = {0};
  pf_counting c = pf_exchange_counting(r, cap);
  pf_range peers = pf_redist_peers(r);
  if (ops->boxes) c = (pf_counting){1, PTRDIFF_MAX}; /* types have no limit */
  if (ops->grain == PF_GRAIN_NONE) return sum;
  for (int d = 0, next; d < r->ranks; d = next) {
    pf_cut cut = pf_exchange_cut(ops, r, size, r->me, d);
    const pf_block_shape *b = &cut.block;
    next = pf_redist_next_after(r, d);
    double equal = (double)(next - d - common(peers, d, next));
    if (!b->planes) continue;
    if (ops->grain == PF_GRAIN_BLOCK) {
      pf_counting_add(&sum, &c, equal, pf_block_shape_elements(b), size);
      continue;
    }
    for (int last = 0; last < 2; last++) {
      ptrdiff_t lines = last ? b->last : b->lines, rest = lines % cut.each, full = lines / cut.each;
      double planes = last ? equal : equal * (double)(b->planes - 1);
      pf_counting_add(&sum, &c, planes * (double)full, cut.each * b->run, size);
      pf_counting_add(&sum, &c, rest ? planes : 0, rest * b->run, size);
    }
  }
  return sum;
}

/* ---- for planners ---- */

int pf_exchange_early(const pf_exchange_ops *ops) {
  return ops->grain > PF_GRAIN_BLOCK;
}

/* This order is slower than the other one, in which all rows of a plane are ready at its end; it
 * pays off if a plane is a large fraction of the data. */
int pf_exchange_wants_rows(const pf_exchange_ops *ops, ptrdiff_t planes) {
  enum { many = 8 };
  return pf_exchange_early(ops) && planes < many;
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

/* ---- messages ---- */

static void record(const pf_exchange *x, pf_event_kind kind, const pf_message *m, double start) {
  pf_event e = {.begin = start,
                .end = kind == PF_EVENT_SEND ? pf_clock() : start,
                .bytes = (double)(m->elements * (ptrdiff_t)x->size),
                .number = m->other,
                .kind = (unsigned char)kind,
                .detail = (unsigned char)m->part,
                .exchange = (unsigned short)x->number};
  pf_timeline_add(x->timeline, &e);
}

void pf_exchange_sent(pf_exchange *x, const pf_message *m, double start) {
  double bytes = (double)(m->elements * (ptrdiff_t)x->size);
  pf_message_count_add(&x->sent, &(pf_message_count){1, bytes, bytes, bytes});
  if (x->timeline) record(x, PF_EVENT_SEND, m, start);
}

void pf_exchange_received(pf_exchange *x, const pf_message *m, double start) {
  if (x->timeline && m->elements) record(x, PF_EVENT_RECEIVE, m, start);
}

void pf_exchange_portions(pf_exchange *x, const pf_message *m, double start,
                          pf_message_note *note) {
  pf_message portion = *m;
  for (ptrdiff_t left = m->elements; left > 0; left -= portion.elements) {
    portion.elements = pf_exchange_portion(x, left) * x->counting.unit;
    note(x, &portion, start);
  }
}

void pf_exchange_arrived(pf_exchange *x) {
  pf_timeline *t = x->timeline;
  if (!t) return;
  double now = pf_clock();
  for (ptrdiff_t i = x->posted; i < t->count; i++) {
    pf_event *e = &t->event[i];
    if (e->kind == PF_EVENT_RECEIVE && e->exchange == x->number) e->begin = e->end = now;
  }
  x->posted = t->count;
}

pf_count pf_exchange_portion(const pf_exchange *x, ptrdiff_t elements) {
  ptrdiff_t units = elements / x->counting.unit;
  return (pf_count)(units < x->counting.cap ? units : x->counting.cap);
}

/* One portion of a message. */
static int begin(const pf_exchange *x, pf_operation operation, const pf_message *m,
                 MPI_Request *one) {
  pf_count count = (pf_count)(m->elements / x->counting.unit);
  int other = m->other, tag = x->tag + PF_TAGS * m->part;
  char *buffer = operation == PF_SEND || operation == PF_PREPARE_SEND ? x->send : x->recv;
  char *at = buffer + m->offset * (ptrdiff_t)x->size;
  MPI_Comm comm = x->lanes ? x->lane[m->part] : x->comm;
  switch (operation) {
    case PF_SEND: return PF_LARGE(MPI_Isend)(at, count, x->unit, other, tag, comm, one);
    case PF_RECEIVE: return PF_LARGE(MPI_Irecv)(at, count, x->unit, other, tag, comm, one);
    case PF_PREPARE_SEND: return PF_LARGE(MPI_Send_init)(at, count, x->unit, other, tag, comm, one);
    default: return PF_LARGE(MPI_Recv_init)(at, count, x->unit, other, tag, comm, one);
  }
}

int pf_exchange_message(pf_exchange *x, pf_operation operation, const pf_message *m,
                        MPI_Request **request) {
  pf_message portion = *m;
  for (ptrdiff_t left = m->elements; left > 0; left -= portion.elements) {
    double start = pf_timeline_now(x->timeline);
    portion.elements = pf_exchange_portion(x, left) * x->counting.unit;
    int code = begin(x, operation, &portion, (*request)++);
    if (code != MPI_SUCCESS) return code;
    if (operation == PF_SEND) pf_exchange_sent(x, &portion, start);
    if (operation == PF_RECEIVE && x->timeline && x->plain)
      record(x, PF_EVENT_RECEIVE, &portion, start);
    portion.offset += portion.elements;
  }
  return MPI_SUCCESS;
}

int pf_exchange_for_blocks(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count,
                           pf_block_done *done) {
  const pf_redist *r = &x->redist;
  int code = MPI_SUCCESS;
  if (!pf_redist_by_owner(r)) { /* every rank gets a part of every line, the next rank first */
    for (int k = 1; k < r->ranks && code == MPI_SUCCESS; k++)
      code = done(x, (r->me + k) % r->ranks, plane, first, count);
    return code;
  }
  for (ptrdiff_t q = first, end = first + count; q < end && code == MPI_SUCCESS;) {
    int d = pf_cuts_owner(&r->cuts[r->to], r->len[r->to], r->ranks, q);
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
