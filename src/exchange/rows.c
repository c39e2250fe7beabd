/* SPDX-License-Identifier: BSD-3-Clause
 * Exchanges slabs, pencils, persistent and rma: lines are sent as soon as they are complete, with
 * several lines or one line in a message.
 *
 * What moves: pencils sends every line by itself, or inside a node a few together.  Slabs sends the
 * lines of a plane for one destination together, in up to eight messages if they are large
 * (pf_exchange_cut).  For slabs of n planes and n lines on P ranks that is n (P-1) / P messages of
 * n/P lines, or n (n - n/P) / P of one line.  They win if the network is slower than memory;
 * pencils starts earliest and pays most for the number of messages.  Persistent sends the messages
 * of slabs by requests that are created with the plan and started in each transform: this saves a
 * fraction of a microsecond per request, which matters for many small messages.  The price is
 * memory: the caller's output cannot serve as a buffer.
 *
 * Rma puts the messages of slabs into the memory of the receivers.  When all puts of a part have
 * arrived, the sender sends an empty message; the receiver waits for it.  It wins if the network
 * card itself writes to memory, so that data moves during computation without MPI calls.
 * Over TCP, Open MPI implements puts by messages.  All receive buffers are MPI windows, never the
 * caller's arrays.
 *
 * Sending.  A complete message enters a queue.  A limited number of bytes is in flight; when a
 * message has left, the next is the one that its receiver needs first.  A network as fast as the
 * stage takes messages as they come, and a slower one first carries messages that let the next
 * stage begin: the rest follows while that stage computes.
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
 * Sources: "slabs" and "pencils" of Bell, Bonachea, Nishtala and Yelick, IPDPS 2006, and their
 * one-sided version; persistent communication requests, MPI 3.1, section 3.9. */
#include <math.h>
#include <string.h>

#include "exchange/memory.h"
#include "exchange/peers.h"
#include "exchange/parcels.h"

/* Bytes in flight: enough to keep the network busy between two calls, few enough that urgent
 * messages do not wait behind many others. */
static double window_of(const pf_exchange *x) {
  enum { usual = 1 << 20, messages = 8 };
  return fmax(messages * (double)x->redist.message, usual);
}

/* ---- sending ---- */

static int all_started(const pf_traffic *s) {
  return s->started == s->complete;
}

/* Nonzero if this rank must go on calling pump(): for puts until all are complete. */
static int busy(const pf_traffic *s) {
  return !all_started(s) || (s->puts && s->gone < s->started);
}

/* The last put of a part has left: waits for all puts, and tells their receivers. */
static int announce(pf_exchange *x, int part) {
  pf_traffic *s = x->state;
  int code = pf_puts_complete(x);
  for (int d = 0; d < x->redist.ranks && code == MPI_SUCCESS; d++)
    if (part < pf_parcels_parts(x, &s->to[d].cut)) code = pf_puts_tell_arrived(x, s->puts, d, part);
  return code;
}

/* Removes the parcels that have left. */
static int retire(pf_exchange *x) {
  pf_traffic *s = x->state;
  int code = MPI_SUCCESS, done = 1;
  while (s->gone < s->started && done && code == MPI_SUCCESS) {
    const pf_parcel *one = &s->send.list[s->line[s->gone]];
    code =
        MPI_Testall((int)one->requests, s->send.request + one->request, &done, MPI_STATUSES_IGNORE);
    if (!done) break;
    s->bytes -= (double)one->message.elements;
    s->gone++;
    if (s->puts && code == MPI_SUCCESS && !--s->left_in_part[one->message.part])
      code = announce(x, one->message.part);
  }
  return code;
}

/* The first queue that is not empty. */
static pf_queue *most_urgent(pf_traffic *s) {
  int k = 0;
  while (s->waiting[k].head == s->waiting[k].tail) k++;
  return &s->waiting[k];
}

/* Sends as much as may be in flight. */
static int pump(pf_exchange *x) {
  pf_traffic *s = x->state;
  double most = window_of(x);
  int code = retire(x);
  while (code == MPI_SUCCESS && !all_started(s) && s->bytes * (double)x->size < most) {
    pf_queue *q = most_urgent(s);
    ptrdiff_t i = q->parcel[q->head];
    int open = 1;
    if (s->puts) code = pf_puts_is_open(s->puts, s->send.list[i].message.other, &open);
    if (code != MPI_SUCCESS || !open) break;
    q->head++;
    code = pf_parcels_begin(x, PF_SEND, &s->send, i);
    s->bytes += (double)s->send.list[i].message.elements;
    s->line[s->started++] = i;
  }
  return code;
}

static int progress(pf_exchange *x) {
  pf_traffic *s = x->state;
  if (s->gone < s->started || !all_started(s)) return pump(x);
  return s->arrived < s->parts ? pf_exchange_poll(x) : MPI_SUCCESS;
}

/* Lines of a plane for another rank are complete; `first` is counted from its first line. */
static int complete_lines(pf_exchange *x, int d, ptrdiff_t plane, ptrdiff_t first,
                          ptrdiff_t count) {
  pf_traffic *s = x->state;
  pf_receiver *to = &s->to[d];
  const pf_cut *c = &to->cut;
  if (pf_redist_is_peer(&x->redist, d)) pf_peers_stored(x, d, plane, first, count);
  for (ptrdiff_t q = first, end = first + count, n; c->block.planes && q < end; q += n) {
    ptrdiff_t m = q / c->each;
    n = (m + 1) * c->each < end ? (m + 1) * c->each - q : end - q;
    to->left[m] -= n;
    if (to->left[m]) continue;
    to->left[m] = pf_parcels_lines(c, plane + 1, m);
    ptrdiff_t i = to->first + plane * pf_parcels_messages(c, 0) + m;
    pf_queue *wait = &s->waiting[s->send.list[i].message.part];
    wait->parcel[wait->tail++] = i;
    s->complete++;
  }
  return MPI_SUCCESS;
}

static int post(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count) {
  return pf_exchange_for_blocks(x, plane, first, count, complete_lines); /* progress sends them */
}

/* ---- receiving ---- */

/* Tells the senders that this rank's window may be written; expects the same of the receivers. */
static int open_windows(pf_exchange *x) {
  pf_traffic *s = x->state;
  int code = pf_puts_synchronize(x);
  memcpy(s->left_in_part, s->in_part, sizeof s->in_part);
  for (int k = 0; k < x->redist.ranks && code == MPI_SUCCESS; k++)
    if (s->to[k].cut.block.planes) code = pf_puts_expect_open(x, s->puts, k);
  for (ptrdiff_t i = 0; i < s->recv.count && code == MPI_SUCCESS; i++)
    if (!s->recv.list[i].message.part) /* the first message from a sender */
      code = pf_puts_tell_open(x, s->puts, s->recv.list[i].message.other);
  return code;
}

static int start(pf_exchange *x) {
  pf_traffic *s = x->state;
  s->gone = s->started = s->complete = s->arrived = 0;
  s->bytes = 0;
  for (int k = 0; k < PARTS; k++) s->waiting[k].head = s->waiting[k].tail = 0;
  for (int d = 0; d < x->redist.ranks; d++)
    for (ptrdiff_t m = 0; m < pf_parcels_messages(&s->to[d].cut, 0); m++)
      s->to[d].left[m] = pf_parcels_lines(&s->to[d].cut, 0, m);
  int code = pf_parcels_begin_all(x, PF_RECEIVE, &s->recv);
  return code == MPI_SUCCESS && s->puts ? open_windows(x) : code;
}

/* Waits for requests, and sends meanwhile. */
static int wait_for(pf_exchange *x, MPI_Request *request, ptrdiff_t count) {
  int code = MPI_SUCCESS, done;
  while (count && code == MPI_SUCCESS && busy(x->state)) {
    code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    request += done;
    count -= done;
    if (!done && code == MPI_SUCCESS) code = pump(x);
  }
  return code == MPI_SUCCESS ? pf_exchange_wait_all(request, count) : code;
}

/* Argument of pf_peers_wait() for a part of messages: the part, or its last plane. */
static ptrdiff_t last_of(const pf_exchange *x, ptrdiff_t part) {
  const pf_redist *r = &x->redist;
  if (!pf_redist_by_plane(&x->redist)) return part;
  ptrdiff_t end = (part + 1) * ((const pf_traffic *)x->state)->part_planes,
            planes = pf_redist_after(r, r->me, r->next).len;
  return (end < planes ? end : planes) - 1;
}

static int wait_parts(pf_exchange *x, ptrdiff_t parts) {
  pf_traffic *s = x->state;
  int code = MPI_SUCCESS, puts = s->puts && s->arrived < parts;
  for (; s->arrived < parts && code == MPI_SUCCESS; s->arrived++) {
    ptrdiff_t first = s->arrived ? s->part_end[s->arrived - 1] : 0;
    code = wait_for(x, s->recv.request + first, s->part_end[s->arrived] - first);
    if (code == MPI_SUCCESS && x->timeline) pf_parcels_arrived(x, s->arrived);
    if (code == MPI_SUCCESS) code = pf_peers_wait(x, last_of(x, s->arrived));
  }
  return code == MPI_SUCCESS && puts ? pf_puts_synchronize(x) : code;
}

/* Passes wait for planes in ascending order. */
static int wait_plane(pf_exchange *x, ptrdiff_t plane) {
  pf_traffic *s = x->state;
  if (s->arrived == s->parts) return MPI_SUCCESS;
  return wait_parts(x, plane / s->part_planes + 1);
}

static int finish(pf_exchange *x) {
  pf_traffic *s = x->state;
  int code = wait_parts(x, s->parts);
  while (code == MPI_SUCCESS && busy(s)) code = pump(x);
  if (code == MPI_SUCCESS && s->puts) code = pf_puts_finish(s->puts);
  if (code == MPI_SUCCESS && s->gone < s->started)
    code = pf_exchange_wait_all(s->send.request, s->send.requests);
  s->gone = s->started;
  return code;
}

/* Rma only on request: MPI may refuse windows when the plan is created. */
static int suits(const pf_ranks *ranks) {
  (void)ranks;
  return 0;
}

#define OPERATIONS                                                                     \
  .stores = 1, .memory = &pf_memory_blocks, .setup = pf_parcels_setup, .start = start, \
  .post = post, .progress = progress, .wait = wait_plane, .finish = finish,            \
  .teardown = pf_parcels_teardown

const pf_exchange_ops pf_exchange_slabs = {
    .name = "slabs",
    .summary = "messages of rows of a plane, sent while later rows are transformed",
    .grain = PF_GRAIN_PART,
    .anywhere = 1,
    .suits = pf_exchange_suits_messages,
    OPERATIONS};

const pf_exchange_ops pf_exchange_pencils = {
    .name = "pencils",
    .summary = "a message per row, sent while later rows are transformed",
    .grain = PF_GRAIN_LINE,
    .anywhere = 1,
    .suits = pf_exchange_suits_messages,
    OPERATIONS};

const pf_exchange_ops pf_exchange_persistent = {
    .name = "persistent",
    .summary = "as slabs, with requests that are made once and started each time",
    .grain = PF_GRAIN_PART,
    .fixed = 1,
    .suits = pf_exchange_suits_messages,
    OPERATIONS};

const pf_exchange_ops pf_exchange_rma = {
    .name = "rma",
    .summary = "as slabs, with puts into the memory of the receivers",
    .grain = PF_GRAIN_PART,
    .windows = 1,
    .suits = suits,
    OPERATIONS};
