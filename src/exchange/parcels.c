/* SPDX-License-Identifier: BSD-3-Clause
 * The messages of an exchange of lines, listed when a plan is made (parcels.h, rows.c). */
#include "exchange/parcels.h"

#include <stdlib.h>

#include "base/simulate.h"
#include "exchange/memory.h"

static pf_cut cut_of(const pf_exchange *x, int from, int to) {
  return pf_exchange_cut(x->ops, &x->redist, x->size, from, to);
}

ptrdiff_t pf_parcels_messages(const pf_cut *c, ptrdiff_t plane) {
  PF_ASSERT(c->each > 0);
  return (pf_block_shape_plane(&c->block, plane) + c->each - 1) / c->each;
}

ptrdiff_t pf_parcels_parts(const pf_exchange *x, const pf_cut *c) {
  ptrdiff_t planes = ((const pf_traffic *)x->state)->part_planes;
  if (!c->block.planes) return 0;
  if (c->part) return pf_cut_parts(c);
  return pf_redist_by_plane(&x->redist) ? (c->block.planes + planes - 1) / planes : 1;
}

ptrdiff_t pf_parcels_lines(const pf_cut *c, ptrdiff_t plane, ptrdiff_t message) {
  ptrdiff_t left = pf_block_shape_plane(&c->block, plane) - message * c->each;
  if (plane >= c->block.planes) return 0;
  return left < 0 ? 0 : left < c->each ? left : c->each;
}

/* Message m of a plane of a block that begins at an offset.  Planes that arrive one by one need no
 * parts, except for puts. */
static pf_message message_of(const pf_exchange *x, const pf_cut *c, int other, ptrdiff_t at,
                             ptrdiff_t plane, ptrdiff_t m) {
  const pf_block_shape *b = &c->block;
  ptrdiff_t part = c->part ? m * c->each / c->part
                   : x->ops->windows && pf_redist_by_plane(&x->redist)
                       ? plane / ((pf_traffic *)x->state)->part_planes
                       : 0;
  return (pf_message){.other = other,
                      .part = (int)part,
                      .offset = at + (plane * b->lines + m * c->each) * b->run,
                      .elements = pf_parcels_lines(c, plane, m) * b->run};
}

/* ---- setup ---- */

/* Lists all messages to be sent, plane by plane for each receiver. */
static void list_sends(pf_exchange *x, pf_traffic *s) {
  const pf_redist *r = &x->redist;
  ptrdiff_t *left = s->left;
  for (int d = 0; d < r->ranks; d++) {
    pf_cut *c = &s->to[d].cut;
    ptrdiff_t at = pf_redist_is_peer(r, d) ? 0 : pf_redist_send_offset(r, d);
    s->to[d].first = s->send.count;
    s->to[d].left = left;
    left += pf_parcels_messages(c, 0);
    for (ptrdiff_t p = 0; p < c->block.planes; p++)
      for (ptrdiff_t m = 0; m < pf_parcels_messages(c, p); m++) {
        pf_parcel *one = &s->send.list[s->send.count++];
        one->message = message_of(x, c, d, at, p, m);
        one->request = s->send.requests;
        one->requests = pf_counting_portions(&x->counting, one->message.elements);
        s->send.requests += one->requests;
        s->in_part[one->message.part]++;
      }
  }
}

/* The part of the receiver that a message belongs to. */
static ptrdiff_t part_of(const pf_exchange *x, const pf_message *m, ptrdiff_t plane) {
  return pf_redist_by_plane(&x->redist) ? plane : m->part;
}

/* The first complete message of a plane: it begins with the first line, or is the message after it
 * if the first line is inside a message. */
static ptrdiff_t first_message(const pf_exchange *x, const pf_cut *c, int source) {
  const pf_redist *r = &x->redist;
  if (!pf_redist_by_owner(r)) return 0;
  ptrdiff_t line = pf_redist_first_line(r, source) - pf_redist_after(r, r->me, r->to).lo;
  return line < 0 || line >= c->block.lines ? 0 : (line + c->each - 1) / c->each;
}

/* Lists all messages from one source, in the order of sending; requests are counted by part. */
static void list_source(pf_exchange *x, pf_traffic *s, int source) {
  pf_cut c = cut_of(x, source, x->redist.me);
  ptrdiff_t at = pf_redist_recv_offset(&x->redist, source), first = first_message(x, &c, source);
  for (ptrdiff_t p = 0; p < c.block.planes; p++) {
    ptrdiff_t n = pf_parcels_messages(&c, p);
    for (ptrdiff_t k = 0; k < n; k++) {
      pf_parcel *one = &s->recv.list[s->recv.count++];
      one->message = message_of(x, &c, source, at, p, (first + k) % n);
      one->requests = pf_counting_portions(&x->counting, one->message.elements);
      one->request = part_of(x, &one->message, p); /* part number, replaced in list_recvs() */
      s->part_end[one->request] += one->requests;
    }
  }
}

/* Lists the empty messages that tell which parts from one source have arrived. */
static void list_arrivals(pf_exchange *x, pf_traffic *s, int source) {
  pf_cut c = cut_of(x, source, x->redist.me);
  for (int p = 0; p < pf_parcels_parts(x, &c); p++) {
    s->recv.list[s->recv.count++] =
        (pf_parcel){.message = {.other = source, .part = p}, .request = p, .requests = 1};
    s->part_end[p]++;
  }
}

/* Lists all messages to be received; the requests of a part are contiguous. */
static void list_recvs(pf_exchange *x, pf_traffic *s) {
  const pf_redist *r = &x->redist;
  for (int k = 0; k < r->ranks && s->parts; k++)
    if (!pf_redist_is_peer(r, k)) (x->ops->windows ? list_arrivals : list_source)(x, s, k);
  for (ptrdiff_t p = 0; p < s->parts; p++) {
    ptrdiff_t count = s->part_end[p];
    s->part_end[p] = s->recv.requests;
    s->recv.requests += count;
  }
  for (ptrdiff_t i = 0; i < s->recv.count; i++) {
    pf_parcel *one = &s->recv.list[i];
    ptrdiff_t *end = &s->part_end[one->request];
    one->request = *end;
    *end += one->requests;
  }
}

static ptrdiff_t messages_of(const pf_cut *c) {
  return c->block.planes ? (c->block.planes - 1) * pf_parcels_messages(c, 0) +
                               pf_parcels_messages(c, c->block.planes - 1)
                         : 0;
}

/* Allocates the parcels and the tables of parts. */
static int make_room(pf_exchange *x, pf_traffic *s) {
  const pf_redist *r = &x->redist;
  pf_cut mine = cut_of(x, r->me, r->me);
  ptrdiff_t sends = 0, recvs = 0, lefts = 0;
  int arrives = 0;
  s->to = calloc((size_t)r->ranks, sizeof *s->to);
  for (int k = 0; s->to && k < r->ranks; k++) {
    pf_cut from = cut_of(x, k, r->me);
    s->to[k].cut = (pf_cut){.each = 1};
    arrives |= k != r->me && messages_of(&from);
    if (pf_redist_is_peer(r, k)) continue; /* no messages */
    s->to[k].cut = cut_of(x, r->me, k);
    sends += messages_of(&s->to[k].cut);
    recvs += messages_of(&from);
    if (from.part && messages_of(&from) > s->queue) s->queue = messages_of(&from);
    lefts += pf_parcels_messages(&s->to[k].cut, 0);
  }
  ptrdiff_t planes = r->me < r->ranks ? pf_redist_after(r, r->me, r->next).len : 0;
  /* One plane at a time; several with windows; everything for a matrix. */
  ptrdiff_t several = x->ops->windows && planes ? (planes + PARTS - 1) / PARTS : 1;
  s->part_planes = pf_redist_by_plane(r) ? several : mine.part ? mine.part : planes;
  s->parts = planes && arrives ? (planes + s->part_planes - 1) / s->part_planes : 0;
  s->send.list = calloc((size_t)sends + 1, sizeof *s->send.list);
  s->recv.list = calloc((size_t)recvs + 1, sizeof *s->recv.list);
  s->number = calloc((size_t)(2 * sends + lefts + s->parts + 1), sizeof *s->number);
  if (!s->to || !s->send.list || !s->recv.list || !s->number) return 0;
  s->line = s->number + sends;
  s->left = s->line + sends;
  s->part_end = s->left + lefts;
  return 1;
}

/* Nonzero if requests are persistent.  SimGrid 3.32 cannot: when a derived type is started for the
 * first time, it sends the data that the buffer held when the request was created. */
static int prepared(const pf_exchange *x) {
  return x->ops->fixed && !PF_SIMULATED;
}

/* Starts parcel i, or its persistent requests, or creates them. */
int pf_parcels_begin(pf_exchange *x, pf_operation operation, const pf_parcels *all, ptrdiff_t i) {
  const pf_parcel *one = &all->list[i];
  MPI_Request *request = all->request + one->request;
  const pf_puts *puts = ((pf_traffic *)x->state)->puts;
  if (puts && operation == PF_SEND) return pf_puts_message(x, puts, &one->message, request);
  if (puts) return pf_puts_expect_arrived(x, one->message.other, one->message.part, request);
  if (!prepared(x) || operation == PF_PREPARE_SEND || operation == PF_PREPARE_RECEIVE)
    return pf_exchange_message(x, operation, &one->message, &request);
  double start = pf_timeline_now(x->timeline);
  int code = MPI_Startall((int)one->requests, request);
  if (operation == PF_SEND) pf_exchange_portions(x, &one->message, start, pf_exchange_sent);
  return code;
}

void pf_parcels_arrived(pf_exchange *x, ptrdiff_t part) {
  const pf_redist *r = &x->redist;
  const pf_traffic *s = x->state;
  int by_plane = pf_redist_by_plane(r);
  double now = pf_clock();
  for (int k = 0; k < r->ranks; k++) {
    if (pf_redist_is_peer(r, k)) continue;
    pf_cut c = cut_of(x, k, r->me);
    ptrdiff_t first = first_message(x, &c, k), p = by_plane ? part * s->part_planes : 0;
    ptrdiff_t end =
        by_plane && p + s->part_planes < c.block.planes ? p + s->part_planes : c.block.planes;
    for (; p < end; p++)
      for (ptrdiff_t i = 0, n = pf_parcels_messages(&c, p); i < n; i++) {
        pf_message m = message_of(x, &c, k, 0, p, (first + i) % n);
        if (by_plane || m.part == part) pf_exchange_portions(x, &m, now, pf_exchange_received);
      }
  }
}

int pf_parcels_begin_all(pf_exchange *x, pf_operation operation, const pf_parcels *all) {
  int code = MPI_SUCCESS;
  for (ptrdiff_t i = 0; i < all->count && code == MPI_SUCCESS; i++)
    code = pf_parcels_begin(x, operation, all, i);
  return code;
}

static int make_requests(pf_parcels *all) {
  all->request = malloc((size_t)(all->requests + 1) * sizeof *all->request);
  for (ptrdiff_t i = 0; all->request && i < all->requests; i++) all->request[i] = MPI_REQUEST_NULL;
  return all->request != NULL;
}

/* MPI matches a message by a search through all receives from its sender, in the order in which
 * they were posted.  Parts leave in a different order, so the search may pass thousands of
 * receives: each part then has its own communicator, and thus its own queue. */
static int make_lanes(pf_exchange *x, const pf_traffic *s, pfft3d_error *e) {
  enum { long_queue = 1024 };
  int several = s && s->queue >= long_queue;
  if (x->comm == MPI_COMM_NULL || x->ops->windows || pf_redist_by_plane(&x->redist))
    return e->status;
  int code = MPI_Allreduce(MPI_IN_PLACE, &several, 1, MPI_INT, MPI_MAX, x->comm);
  for (; several && x->lanes < PARTS && code == MPI_SUCCESS; x->lanes += code == MPI_SUCCESS)
    code = MPI_Comm_dup(x->comm, &x->lane[x->lanes]);
  return pf_mpi(e, code, "MPI_Comm_dup");
}

/* Allocates messages and their requests; creates persistent requests. */
static int make_messages(pf_exchange *x, pf_traffic *s, pfft3d_error *e) {
  int room = s && make_room(x, s);
  make_lanes(x, s, e);
  if (!room) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the messages of an exchange");
  if (e->status) return e->status;
  list_sends(x, s);
  list_recvs(x, s);
  ptrdiff_t *next = s->number;
  for (int k = 0; k < PARTS; k++) {
    s->waiting[k].parcel = next;
    next += s->in_part[k];
  }
  if (!make_requests(&s->send) || !make_requests(&s->recv))
    return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %td messages of one transform",
                   s->send.requests + s->recv.requests);
  if (!prepared(x)) return e->status;
  int code = pf_parcels_begin_all(x, PF_PREPARE_SEND, &s->send);
  if (code == MPI_SUCCESS) code = pf_parcels_begin_all(x, PF_PREPARE_RECEIVE, &s->recv);
  return pf_mpi(e, code, "MPI_Send_init, MPI_Recv_init");
}

int pf_parcels_setup(pf_exchange *x, pfft3d_error *e) {
  pf_traffic *s = x->state = calloc(1, sizeof *s);
  pf_puts *puts = NULL;
  make_messages(x, s, e);
  if (x->ops->windows) pf_puts_create(&puts, x, e); /* collective */
  if (s) s->puts = puts;
  if (!s) free(puts);
  return e->status;
}

static void free_parcels(pf_parcels *all) {
  for (ptrdiff_t i = 0; all->request && i < all->requests; i++) pf_request_free(&all->request[i]);
  free(all->request);
  free(all->list);
}

void pf_parcels_teardown(pf_exchange *x) {
  pf_traffic *s = x->state;
  free_parcels(&s->send);
  free_parcels(&s->recv);
  free(s->puts);
  free(s->to);
  free(s->number);
}
