/* SPDX-License-Identifier: BSD-3-Clause
 * Exchanges slabs and pencils: a message leaves as soon as what it holds is done.
 *
 * What moves: slabs sends one message per plane and destination, when the last line of the plane
 * for that destination is done; pencils sends every line by itself.  For slabs of n planes and n
 * lines on P ranks that is n (P-1) / P messages of n/P lines, or n (n - n/P) / P of one line.  They
 * win where a wire is slower than memory, by sending while later lines are still being transformed;
 * pencils start earliest and pay most for the number of messages.
 *
 * All messages carry one tag.  MPI keeps messages between two ranks in order, so receives are
 * posted in the order in which their sender sends (pf_redist_first_line tells it) and every match
 * is the first in its queue. Source: "slabs" and "pencils" of Bell, Bonachea, Nishtala and Yelick,
 * IPDPS 2006. */
#include <stdlib.h>

#include "exchange/exchange.h"

typedef struct {
  ptrdiff_t remote;  /* requests for what one part needs from all other ranks */
  ptrdiff_t parts;   /* that are waited for one by one: planes of the receiver, or everything */
  MPI_Request *recv; /* [parts][remote] */
  MPI_Request *send; /* in order of sending */
  MPI_Request *next; /* the first that is free */
  ptrdiff_t arrived; /* parts waited for, in order of waiting; all when == parts */
  ptrdiff_t *left;   /* lines of the current plane still to come, for each destination */
} state;

static int by_line(const pf_exchange *x) {
  return x->ops->grain == PF_GRAIN_LINE;
}

/* The planes of the receiver are those of the sender: they arrive one after another. */
static int planes_stay(const pf_redist *r) {
  return r->next == r->outer;
}

/* Elements of a message of a plane of a block. */
static ptrdiff_t message(const pf_exchange *x, const pf_piece *b, ptrdiff_t plane) {
  return by_line(x) ? b->run : pf_piece_plane(b, plane) * b->run;
}

/* Requests of a block, for a message of each plane or line of it. */
static ptrdiff_t block_requests(const pf_exchange *x, const pf_piece *b) {
  ptrdiff_t whole = pf_counting_portions(&x->counting, message(x, b, 0));
  if (b->planes == 0) return 0;
  if (by_line(x)) return pf_piece_lines(b) * whole;
  return (b->planes - 1) * whole + pf_counting_portions(&x->counting, b->last * b->run);
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  const pf_redist *r = &x->redist;
  state *s = x->state = calloc(1, sizeof *s);
  if (!s) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for an exchange");
  ptrdiff_t to_send = 0, to_recv = 0;
  pf_piece own = pf_redist_piece(r, r->me, r->me);
  if (r->me < r->ranks) s->parts = planes_stay(r) ? own.planes : 1;
  if (!planes_stay(r) && !r->chunk && by_line(x)) s->parts = own.lines;
  for (int k = 0; k < r->ranks; k++) {
    if (k == r->me) continue;
    pf_piece to = pf_redist_piece(r, r->me, k), from = pf_redist_piece(r, k, r->me);
    to_send += block_requests(x, &to);
    to_recv += block_requests(x, &from);
  }
  s->remote = s->parts ? to_recv / s->parts : 0;
  s->recv = malloc((size_t)(to_recv + 1) * sizeof *s->recv);
  s->send = malloc((size_t)(to_send + 1) * sizeof *s->send);
  s->left = malloc((size_t)r->ranks * sizeof *s->left);
  if (s->recv && s->send && s->left) return PFFT3D_OK;
  return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %td messages of one transform",
                 to_recv + to_send);
}

/* Which part a message belongs to, and its number there. */
static void place_of(const pf_exchange *x, ptrdiff_t plane, ptrdiff_t line, ptrdiff_t lines,
                     ptrdiff_t *part, ptrdiff_t *index) {
  const pf_redist *r = &x->redist;
  *part = planes_stay(r) ? plane : by_line(x) ? line : 0;
  *index = planes_stay(r) ? line : plane;
  if (!r->chunk) return;
  *part = 0; /* of a matrix everything is needed at once */
  *index = plane * lines + line;
}

/* Receives of one source, in the order in which it sends: planes ascend, lines from its first on.
 * Those of a part lie together, from `base` on. */
static int post_receives(pf_exchange *x, int source, ptrdiff_t *base) {
  const pf_redist *r = &x->redist;
  state *s = x->state;
  pf_piece b = pf_redist_piece(r, source, r->me);
  ptrdiff_t portions = pf_counting_portions(&x->counting, message(x, &b, 0));
  ptrdiff_t lines = by_line(x) ? b.lines : b.lines > 0, first = 0, part, index;
  ptrdiff_t at = pf_redist_recv_offset(r, source);
  if (by_line(x) && pf_redist_by_owner(r))
    first = pf_redist_first_line(r, source) - pf_redist_after(r, r->me, r->to).lo;
  if (first < 0 || first >= lines) first = 0;
  for (ptrdiff_t p = 0; p < b.planes; p++) {
    ptrdiff_t here = by_line(x) ? pf_piece_plane(&b, p) : lines;
    for (ptrdiff_t k = 0; k < here; k++) {
      ptrdiff_t line = (first + k) % here;
      place_of(x, p, line, lines, &part, &index);
      MPI_Request *request = s->recv + part * s->remote + *base + index * portions;
      int code = pf_exchange_receive(x, source, at + (p * b.lines + line) * b.run,
                                     message(x, &b, p), &request);
      if (code != MPI_SUCCESS) return code;
    }
  }
  *base += block_requests(x, &b) / s->parts;
  return MPI_SUCCESS;
}

static int start(pf_exchange *x) {
  const pf_redist *r = &x->redist;
  state *s = x->state;
  ptrdiff_t base = 0;
  int code = MPI_SUCCESS;
  s->next = s->send;
  s->arrived = 0;
  for (int d = 0; d < r->ranks; d++) {
    pf_piece b = pf_redist_piece(r, r->me, d);
    s->left[d] = pf_piece_plane(&b, 0);
  }
  for (int k = 0; k < r->ranks && s->parts && code == MPI_SUCCESS; k++)
    if (k != r->me) code = post_receives(x, k, &base);
  return code;
}

/* Lines first .. first+count-1 of a block are done: sends them, or the plane with its last one. */
static int post_block(pf_exchange *x, int d, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count) {
  state *s = x->state;
  pf_piece b = pf_redist_piece(&x->redist, x->redist.me, d);
  ptrdiff_t at = pf_redist_send_offset(&x->redist, d) + plane * b.lines * b.run;
  int code = MPI_SUCCESS;
  s->left[d] -= count;
  if (by_line(x))
    for (ptrdiff_t k = first; k < first + count && code == MPI_SUCCESS; k++)
      code = pf_exchange_send(x, d, at + k * b.run, b.run, &s->next);
  else if (s->left[d] == 0)
    code = pf_exchange_send(x, d, at, message(x, &b, plane), &s->next);
  if (s->left[d] == 0) s->left[d] = pf_piece_plane(&b, plane + 1);
  return code;
}

static int post(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count) {
  const pf_redist *r = &x->redist;
  int code = MPI_SUCCESS;
  if (!pf_redist_by_owner(r)) { /* a piece of every line for every rank, the next one first */
    for (int k = 1; k < r->ranks && code == MPI_SUCCESS; k++)
      code = post_block(x, (r->me + k) % r->ranks, plane, first, count);
    return code;
  }
  for (ptrdiff_t q = first, end = first + count; q < end && code == MPI_SUCCESS;) {
    int d = pf_split_owner(r->len[r->to], r->ranks, q);
    pf_range of_d = pf_redist_after(r, d, r->to);
    ptrdiff_t stop = of_d.lo + of_d.len < end ? of_d.lo + of_d.len : end;
    if (d != r->me) code = post_block(x, d, plane, q - of_d.lo, stop - q);
    q = stop;
  }
  return code;
}

static int wait_parts(state *s, ptrdiff_t parts) {
  int code = MPI_SUCCESS;
  for (; s->arrived < parts && code == MPI_SUCCESS; s->arrived++)
    code = pf_exchange_wait_all(s->recv + s->arrived * s->remote, s->remote);
  return code;
}

/* The passes ask for planes in ascending order. */
static int wait_plane(pf_exchange *x, ptrdiff_t plane) {
  state *s = x->state;
  return wait_parts(s, plane < s->parts ? plane + 1 : s->parts);
}

static int finish(pf_exchange *x) {
  state *s = x->state;
  int code = wait_parts(s, s->parts);
  if (code == MPI_SUCCESS) code = pf_exchange_wait_all(s->send, s->next - s->send);
  s->next = s->send;
  return code;
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
    .summary = "a message per plane and destination, sent while later rows are transformed",
    .place = PF_PLACE_BLOCKS,
    .grain = PF_GRAIN_PLANE,
    .setup = setup,
    .start = start,
    .post = post,
    .progress = pf_exchange_poll,
    .wait = wait_plane,
    .finish = finish,
    .teardown = teardown};

const pf_exchange_ops pf_exchange_pencils = {
    .name = "pencils",
    .summary = "a message per row, sent while later rows are transformed",
    .place = PF_PLACE_BLOCKS,
    .grain = PF_GRAIN_LINE,
    .setup = setup,
    .start = start,
    .post = post,
    .progress = pf_exchange_poll,
    .wait = wait_plane,
    .finish = finish,
    .teardown = teardown};
