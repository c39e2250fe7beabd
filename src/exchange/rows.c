/* SPDX-License-Identifier: BSD-3-Clause
 * Exchanges slabs, pencils and persistent: lines are sent as soon as they are complete, with
 * several lines or one line in a message.
 *
 * What moves: pencils sends every line by itself.  Slabs sends the lines of a plane for one
 * destination together, in up to eight messages if they are large (pf_exchange_cut).  For slabs of
 * n planes and n lines on P ranks that is n (P-1) / P messages of n/P lines, or n (n - n/P) / P of
 * one line.  They win if the network is slower than memory; pencils starts earliest and pays most
 * for the number of messages.  Persistent sends the messages of slabs by requests that are created
 * with the plan and started in each transform: this saves the creation of requests, a fraction of a
 * microsecond each, which matters for many small messages.  The price is memory: the caller's
 * output cannot serve as a buffer.
 *
 * Sending.  A complete message joins a queue.  A limited number of bytes is in flight; when a
 * message has left, the next is the one that its receiver needs first.  A network as fast as the
 * stage takes messages as they come, and a slower one first carries those that let the next stage
 * begin: the rest follows while that stage computes.
 *
 * Receiving.  If the planes of the receiver are lines of the sender, they are received in parts,
 * each with its own tag.  MPI keeps messages of one tag between two ranks in order, and within a
 * part the order of sending is fixed: planes ascend, and the first line is that of
 * pf_redist_first_line().  Receives are therefore posted once, approximately in the order of
 * arrival, and nearly every match is the first in its queue.
 *
 * MPI progresses only when it is called, and only messages that have been started: a rank that
 * waits therefore also sends.
 *
 * Sources: "slabs" and "pencils" of Bell, Bonachea, Nishtala and Yelick, IPDPS 2006; persistent
 * communication requests, MPI 3.1, section 3.9. */
#include <stdlib.h>

#include "base/simulate.h"
#include "exchange/memory.h"
#include "exchange/near.h"

enum { PARTS = PF_EXCHANGE_PARTS };

/* Bytes in flight: enough to keep the network busy between two calls, few enough that urgent
 * messages do not wait behind many others. */
static double window_of(const pf_exchange *x) {
  enum { usual = 1 << 20, messages = 8 };
  return x->redist.message ? messages * (double)x->redist.message : usual;
}

/* A message with its requests: one for each portion. */
typedef struct {
  pf_message message;
  ptrdiff_t request, requests;
} parcel;

/* All messages to, or from, other ranks. */
typedef struct {
  parcel *list;
  ptrdiff_t count, requests;
  MPI_Request *request; /* receives are sorted by part */
} parcels;

/* Messages to another rank: its first parcel (they are sorted by plane), and the missing lines of
 * each message of the plane. */
typedef struct {
  pf_cut cut;
  ptrdiff_t first, *left;
} receiver;

/* Complete parcels that wait to be sent. */
typedef struct {
  ptrdiff_t *parcel, head, tail;
} queue;

typedef struct {
  receiver *to;
  parcels send, recv;
  queue waiting[PARTS];
  ptrdiff_t *number;              /* memory of the queues, and of the following */
  ptrdiff_t *left;                /* of all receivers */
  ptrdiff_t *line, gone, started; /* parcels in the order of sending; in flight from gone on */
  ptrdiff_t complete;             /* number of parcels that have joined a queue */
  double bytes;                   /* in flight */
  ptrdiff_t parts, arrived;       /* of the receiver; waited for; none if nothing arrives */
  ptrdiff_t part_planes;          /* planes of a part */
  ptrdiff_t *part_end;            /* requests of part p end before part_end[p] */
} state;

static pf_cut cut_of(const pf_exchange *x, int from, int to) {
  return pf_exchange_cut(x->ops, &x->redist, x->size, from, to);
}

static ptrdiff_t messages_in(const pf_cut *c, ptrdiff_t plane) {
  PF_ASSERT(c->each > 0);
  return (pf_piece_plane(&c->block, plane) + c->each - 1) / c->each;
}

/* Lines of a message of a plane; 0 when there is no such message. */
static ptrdiff_t lines_in(const pf_cut *c, ptrdiff_t plane, ptrdiff_t message) {
  ptrdiff_t left = pf_piece_plane(&c->block, plane) - message * c->each;
  if (plane >= c->block.planes) return 0;
  return left < 0 ? 0 : left < c->each ? left : c->each;
}

/* Message m of a plane of a block that begins at an offset. */
static pf_message message_of(const pf_cut *c, int other, ptrdiff_t at, ptrdiff_t plane,
                             ptrdiff_t m) {
  const pf_piece *b = &c->block;
  return (pf_message){.other = other,
                      .part = c->part ? (int)(m * c->each / c->part) : 0,
                      .offset = at + (plane * b->lines + m * c->each) * b->run,
                      .elements = lines_in(c, plane, m) * b->run};
}

/* ---- setup ---- */

/* Lists all messages to be sent, plane by plane for each receiver. */
static void list_sends(pf_exchange *x, state *s) {
  const pf_redist *r = &x->redist;
  ptrdiff_t *left = s->left;
  for (int d = 0; d < r->ranks; d++) {
    pf_cut *c = &s->to[d].cut;
    ptrdiff_t at = pf_redist_is_near(r, d) ? 0 : pf_redist_send_offset(r, d);
    s->to[d].first = s->send.count;
    s->to[d].left = left;
    left += messages_in(c, 0);
    for (ptrdiff_t p = 0; p < c->block.planes; p++)
      for (ptrdiff_t m = 0; m < messages_in(c, p); m++) {
        parcel *one = &s->send.list[s->send.count++];
        one->message = message_of(c, d, at, p, m);
        one->request = s->send.requests;
        one->requests = pf_counting_portions(&x->counting, one->message.elements);
        s->send.requests += one->requests;
        s->waiting[one->message.part].tail++;
      }
  }
}

/* The part of the receiver that a message belongs to. */
static ptrdiff_t part_of(const pf_exchange *x, const pf_message *m, ptrdiff_t plane) {
  return x->redist.next == x->redist.outer ? plane : m->part;
}

/* The message of a plane that is complete first: the one that begins with the first line, or the
 * one after it if the first line is not at a beginning. */
static ptrdiff_t first_message(const pf_exchange *x, const pf_cut *c, int source) {
  const pf_redist *r = &x->redist;
  if (!pf_redist_by_owner(r)) return 0;
  ptrdiff_t line = pf_redist_first_line(r, source) - pf_redist_after(r, r->me, r->to).lo;
  return line < 0 || line >= c->block.lines ? 0 : (line + c->each - 1) / c->each;
}

/* Lists all messages from one source, in the order of sending; requests are counted by part. */
static void list_source(pf_exchange *x, state *s, int source) {
  pf_cut c = cut_of(x, source, x->redist.me);
  ptrdiff_t at = pf_redist_recv_offset(&x->redist, source), first = first_message(x, &c, source);
  for (ptrdiff_t p = 0; p < c.block.planes; p++) {
    ptrdiff_t n = messages_in(&c, p);
    for (ptrdiff_t k = 0; k < n; k++) {
      parcel *one = &s->recv.list[s->recv.count++];
      one->message = message_of(&c, source, at, p, (first + k) % n);
      one->requests = pf_counting_portions(&x->counting, one->message.elements);
      one->request = part_of(x, &one->message, p); /* temporarily */
      s->part_end[one->request] += one->requests;
    }
  }
}

/* Lists all messages to be received; the requests of a part are contiguous. */
static void list_recvs(pf_exchange *x, state *s) {
  const pf_redist *r = &x->redist;
  for (int k = 0; k < r->ranks && s->parts; k++)
    if (!pf_redist_is_near(r, k)) list_source(x, s, k);
  for (ptrdiff_t p = 0; p < s->parts; p++) {
    ptrdiff_t count = s->part_end[p];
    s->part_end[p] = s->recv.requests;
    s->recv.requests += count;
  }
  for (ptrdiff_t i = 0; i < s->recv.count; i++) {
    parcel *one = &s->recv.list[i];
    ptrdiff_t *end = &s->part_end[one->request];
    one->request = *end;
    *end += one->requests;
  }
}

static ptrdiff_t messages_of(const pf_cut *c) {
  return c->block.planes
             ? (c->block.planes - 1) * messages_in(c, 0) + messages_in(c, c->block.planes - 1)
             : 0;
}

/* Allocates the parcels and the tables of parts. */
static int make_room(pf_exchange *x, state *s) {
  const pf_redist *r = &x->redist;
  pf_cut mine = cut_of(x, r->me, r->me);
  ptrdiff_t sends = 0, recvs = 0, lefts = 0;
  int arrives = 0;
  s->to = calloc((size_t)r->ranks, sizeof *s->to);
  for (int k = 0; s->to && k < r->ranks; k++) {
    pf_cut from = cut_of(x, k, r->me);
    s->to[k].cut = (pf_cut){.each = 1};
    arrives |= k != r->me && messages_of(&from);
    if (pf_redist_is_near(r, k)) continue; /* no messages */
    s->to[k].cut = cut_of(x, r->me, k);
    sends += messages_of(&s->to[k].cut);
    recvs += messages_of(&from);
    lefts += messages_in(&s->to[k].cut, 0);
  }
  ptrdiff_t planes = r->me < r->ranks ? pf_redist_after(r, r->me, r->next).len : 0;
  /* One plane at a time, or several, or everything for a matrix. */
  s->part_planes = r->next == r->outer ? 1 : mine.part ? mine.part : planes;
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

/* Whether requests are persistent.  SimGrid 3.32 cannot: when a derived type is started for the
 * first time, it sends the data that the buffer held when the request was created. */
static int prepared(const pf_exchange *x) {
  return x->ops->fixed && !PF_SIMULATED;
}

/* Starts parcel i, or its persistent requests, or creates these. */
static int begin(pf_exchange *x, pf_operation operation, const parcels *all, ptrdiff_t i) {
  const parcel *one = &all->list[i];
  MPI_Request *request = all->request + one->request;
  if (!prepared(x) || operation == PF_PREPARE_SEND || operation == PF_PREPARE_RECEIVE)
    return pf_exchange_message(x, operation, &one->message, &request);
  if (operation == PF_SEND)
    pf_counting_add(&x->sent, &x->counting, 1, one->message.elements, x->size);
  return MPI_Startall((int)one->requests, request);
}

static int begin_all(pf_exchange *x, pf_operation operation, const parcels *all) {
  int code = MPI_SUCCESS;
  for (ptrdiff_t i = 0; i < all->count && code == MPI_SUCCESS; i++)
    code = begin(x, operation, all, i);
  return code;
}

static int make_requests(parcels *all) {
  all->request = malloc((size_t)(all->requests + 1) * sizeof *all->request);
  for (ptrdiff_t i = 0; all->request && i < all->requests; i++) all->request[i] = MPI_REQUEST_NULL;
  return all->request != NULL;
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  state *s = x->state = calloc(1, sizeof *s);
  if (!s || !make_room(x, s))
    return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the messages of an exchange");
  list_sends(x, s);
  list_recvs(x, s);
  ptrdiff_t *place = s->number;
  for (int k = 0; k < PARTS; k++) {
    s->waiting[k].parcel = place;
    place += s->waiting[k].tail; /* capacity of this queue */
  }
  if (!make_requests(&s->send) || !make_requests(&s->recv))
    return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %td messages of one transform",
                   s->send.requests + s->recv.requests);
  if (!prepared(x)) return PFFT3D_OK;
  int code = begin_all(x, PF_PREPARE_SEND, &s->send);
  if (code == MPI_SUCCESS) code = begin_all(x, PF_PREPARE_RECEIVE, &s->recv);
  return pf_mpi(e, code, "MPI_Send_init, MPI_Recv_init");
}

static void free_parcels(parcels *all) {
  for (ptrdiff_t i = 0; all->request && i < all->requests; i++)
    if (all->request[i] != MPI_REQUEST_NULL) MPI_Request_free(&all->request[i]);
  free(all->request);
  free(all->list);
}

static void teardown(pf_exchange *x) {
  state *s = x->state;
  free_parcels(&s->send);
  free_parcels(&s->recv);
  free(s->to);
  free(s->number);
}

/* ---- sending ---- */

static int all_started(const state *s) {
  return s->started == s->complete;
}

/* Removes the parcels that have left. */
static int retire(state *s) {
  int code = MPI_SUCCESS, done = 1;
  while (s->gone < s->started && done && code == MPI_SUCCESS) {
    const parcel *one = &s->send.list[s->line[s->gone]];
    code =
        MPI_Testall((int)one->requests, s->send.request + one->request, &done, MPI_STATUSES_IGNORE);
    if (!done) break;
    s->bytes -= (double)one->message.elements;
    s->gone++;
  }
  return code;
}

static ptrdiff_t most_urgent(state *s) {
  for (int k = 0; k < PARTS; k++)
    if (s->waiting[k].head < s->waiting[k].tail) return s->waiting[k].parcel[s->waiting[k].head++];
  return -1;
}

/* Sends as much as may be in flight. */
static int pump(pf_exchange *x) {
  state *s = x->state;
  double most = window_of(x);
  int code = retire(s);
  while (code == MPI_SUCCESS && !all_started(s) && s->bytes * (double)x->size < most) {
    ptrdiff_t i = most_urgent(s);
    code = begin(x, PF_SEND, &s->send, i);
    s->bytes += (double)s->send.list[i].message.elements;
    s->line[s->started++] = i;
  }
  return code;
}

static int progress(pf_exchange *x) {
  state *s = x->state;
  if (s->gone < s->started || !all_started(s)) return pump(x);
  return s->arrived < s->parts ? pf_exchange_poll(x) : MPI_SUCCESS;
}

/* Lines of a plane for another rank are complete; `first` is counted from its first line. */
static int complete_lines(pf_exchange *x, int d, ptrdiff_t plane, ptrdiff_t first,
                          ptrdiff_t count) {
  state *s = x->state;
  receiver *to = &s->to[d];
  const pf_cut *c = &to->cut;
  if (pf_redist_is_near(&x->redist, d)) pf_near_stored(x, d, plane, first, count);
  for (ptrdiff_t q = first, end = first + count, n; c->block.planes && q < end; q += n) {
    ptrdiff_t m = q / c->each;
    n = (m + 1) * c->each < end ? (m + 1) * c->each - q : end - q;
    to->left[m] -= n;
    if (to->left[m]) continue;
    to->left[m] = lines_in(c, plane + 1, m);
    ptrdiff_t i = to->first + plane * messages_in(c, 0) + m;
    queue *wait = &s->waiting[s->send.list[i].message.part];
    wait->parcel[wait->tail++] = i;
    s->complete++;
  }
  return MPI_SUCCESS;
}

static int post(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count) {
  return pf_exchange_for_blocks(x, plane, first, count, complete_lines); /* progress sends them */
}

/* ---- receiving ---- */

static int start(pf_exchange *x) {
  state *s = x->state;
  s->gone = s->started = s->complete = s->arrived = 0;
  s->bytes = 0;
  for (int k = 0; k < PARTS; k++) s->waiting[k].head = s->waiting[k].tail = 0;
  for (int d = 0; d < x->redist.ranks; d++)
    for (ptrdiff_t m = 0; m < messages_in(&s->to[d].cut, 0); m++)
      s->to[d].left[m] = lines_in(&s->to[d].cut, 0, m);
  return begin_all(x, PF_RECEIVE, &s->recv);
}

/* Waits for requests, and sends meanwhile. */
static int wait_for(pf_exchange *x, MPI_Request *request, ptrdiff_t count) {
  int code = MPI_SUCCESS, done;
  while (count && code == MPI_SUCCESS && !all_started(x->state)) {
    code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    request += done;
    count -= done;
    if (!done && code == MPI_SUCCESS) code = pump(x);
  }
  return code == MPI_SUCCESS ? pf_exchange_wait_all(request, count) : code;
}

static int wait_parts(pf_exchange *x, ptrdiff_t parts) {
  state *s = x->state;
  int code = MPI_SUCCESS;
  for (; s->arrived < parts && code == MPI_SUCCESS; s->arrived++) {
    ptrdiff_t first = s->arrived ? s->part_end[s->arrived - 1] : 0;
    code = wait_for(x, s->recv.request + first, s->part_end[s->arrived] - first);
    if (code == MPI_SUCCESS) code = pf_near_wait(x, s->arrived);
  }
  return code;
}

/* The passes ask for planes in ascending order. */
static int wait_plane(pf_exchange *x, ptrdiff_t plane) {
  state *s = x->state;
  if (s->arrived == s->parts) return MPI_SUCCESS;
  return wait_parts(x, plane / s->part_planes + 1);
}

static int finish(pf_exchange *x) {
  state *s = x->state;
  int code = wait_parts(x, s->parts);
  while (code == MPI_SUCCESS && !all_started(s)) code = pump(x);
  if (code == MPI_SUCCESS && s->gone < s->started)
    code = pf_exchange_wait_all(s->send.request, s->send.requests);
  s->gone = s->started;
  return code;
}

#define OPERATIONS                                                                               \
  .stores = 1, .memory = &pf_memory_blocks, .suits = pf_exchange_suits_messages, .setup = setup, \
  .start = start, .post = post, .progress = progress, .wait = wait_plane, .finish = finish,      \
  .teardown = teardown

const pf_exchange_ops pf_exchange_slabs = {
    .name = "slabs",
    .summary = "messages of rows of a plane, sent while later rows are transformed",
    .grain = PF_GRAIN_PART,
    OPERATIONS};

const pf_exchange_ops pf_exchange_pencils = {
    .name = "pencils",
    .summary = "a message per row, sent while later rows are transformed",
    .grain = PF_GRAIN_LINE,
    OPERATIONS};

const pf_exchange_ops pf_exchange_persistent = {
    .name = "persistent",
    .summary = "as slabs, with requests that are made once and started each time",
    .grain = PF_GRAIN_PART,
    .fixed = 1,
    OPERATIONS};
