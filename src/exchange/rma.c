/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange rma: what slabs sends is put into the memory of its receiver.
 *
 * What moves: one MPI_Put per plane and destination, when the last line of the plane for that
 * destination is done.  Nothing is matched at the receiver and it posts no receives: it opens its
 * memory once, when it begins to compute (MPI_Win_post), and once waits until all who put there
 * have said that they are done (MPI_Win_complete on their side, MPI_Win_wait here).  Only ranks
 * that really exchange something meet, at each of both ends.  The first put of a rank waits for its
 * receivers to have come as far (MPI_Win_start); what has arrived is not known plane by plane.
 *
 * It wins where the network card writes to memory by itself, so that data moves while the program
 * computes without any call.  Over TCP Open MPI makes messages of puts, and slabs is better.  All
 * memories that are received in are windows of MPI, never the caller's arrays.
 *
 * Passes store own lines into a window while others put next to them: that takes windows of the
 * unified model (MPI-3, 11.4), which is checked when they are made.
 * Source: the one-sided version of "slabs" of Bell, Bonachea, Nishtala and Yelick, IPDPS 2006. */
#include <stdlib.h>

#include "exchange/exchange.h"

/* Another rank, as one that puts sees it. */
typedef struct {
  MPI_Aint at;    /* of the block from here, in bytes from the beginning of its window */
  int rank;       /* of the window */
  ptrdiff_t left; /* lines of the current plane still to come */
} target;

typedef struct {
  MPI_Group from, to; /* those who put here and those that are put to; MPI_GROUP_NULL: nobody */
  int begun;
  target *target;
} state;

/* ---- setup ---- */

/* The window's ranks of those with a block for (or from) this one. */
static int make_group(const pf_exchange *x, MPI_Group all, int sending, int *rank,
                      MPI_Group *group) {
  const pf_redist *r = &x->redist;
  int count = 0;
  for (int k = 0; k < r->ranks; k++) {
    ptrdiff_t elements = pf_redist_elements(r, sending ? r->me : k, sending ? k : r->me);
    if (k != r->me && elements) rank[count++] = ((state *)x->state)->target[k].rank;
  }
  return count ? MPI_Group_incl(all, count, rank, group) : MPI_SUCCESS;
}

/* Numbers in the window and both groups; `rank`: room for two numbers of each rank. */
static int meet(pf_exchange *x, int *rank) {
  int ranks = x->redist.ranks;
  state *s = x->state;
  MPI_Group all, mine = MPI_GROUP_NULL;
  int code = MPI_Win_get_group(x->window, &all);
  if (code != MPI_SUCCESS) return code;
  code = MPI_Comm_group(x->comm, &mine);
  for (int k = 0; k < ranks; k++) rank[k] = k;
  if (code == MPI_SUCCESS) code = MPI_Group_translate_ranks(mine, ranks, rank, all, rank + ranks);
  for (int k = 0; k < ranks; k++) s->target[k].rank = rank[ranks + k];
  if (code == MPI_SUCCESS) code = make_group(x, all, 0, rank, &s->from);
  if (code == MPI_SUCCESS) code = make_group(x, all, 1, rank, &s->to);
  MPI_Group_free(&all);
  if (mine != MPI_GROUP_NULL) MPI_Group_free(&mine);
  return code;
}

/* Where the memory to receive in lies in the window of its rank, from all of them; and in that, the
 * block from here. */
static int locate(pf_exchange *x, MPI_Aint *place) {
  const pf_redist *r = &x->redist;
  state *s = x->state;
  char *base = NULL;
  int there;
  int code = MPI_Win_get_attr(x->window, MPI_WIN_BASE, &base, &there);
  MPI_Aint mine = pf_redist_recv_elements(r) ? x->recv - base : 0;
  if (code == MPI_SUCCESS) code = MPI_Allgather(&mine, 1, MPI_AINT, place, 1, MPI_AINT, x->comm);
  for (int k = 0; k < r->ranks && code == MPI_SUCCESS; k++) {
    pf_redist other = *r;
    other.me = k;
    s->target[k].at = place[k] + pf_redist_recv_offset(&other, r->me) * (ptrdiff_t)x->size;
  }
  return code;
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  size_t ranks = (size_t)x->redist.ranks;
  state *s = x->state = calloc(1, sizeof *s + ranks * sizeof *s->target);
  MPI_Aint *place = malloc(ranks * sizeof *place);
  int *rank = malloc(2 * ranks * sizeof *rank), code = MPI_SUCCESS;
  if (s) *s = (state){.from = MPI_GROUP_NULL, .to = MPI_GROUP_NULL, .target = (target *)(s + 1)};
  if (!s || !place || !rank)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for puts to %zu ranks", ranks);
  int outside = x->comm == MPI_COMM_NULL;
  if (!outside && !pf_agree(x->comm, e)) code = locate(x, place);
  if (!outside && !e->status && code == MPI_SUCCESS) code = meet(x, rank);
  if (code != MPI_SUCCESS) pf_fail_mpi(e, code, "setting up a window");
  free(place);
  free(rank);
  return e->status;
}

/* ---- a run ---- */

static int start(pf_exchange *x) {
  const pf_redist *r = &x->redist;
  state *s = x->state;
  s->begun = 0;
  for (int d = 0; d < r->ranks; d++) {
    pf_piece b = pf_redist_piece(r, r->me, d);
    s->target[d].left = pf_piece_plane(&b, 0);
  }
  return s->from == MPI_GROUP_NULL ? MPI_SUCCESS : MPI_Win_post(s->from, 0, x->window);
}

/* Before the first put, and not earlier: receivers may be late. */
static int begin(pf_exchange *x) {
  state *s = x->state;
  if (s->begun || s->to == MPI_GROUP_NULL) return MPI_SUCCESS;
  s->begun = 1;
  return MPI_Win_start(s->to, 0, x->window);
}

/* Elements from `offset` of the block for a rank on, in portions. */
static int put(pf_exchange *x, int d, ptrdiff_t offset, ptrdiff_t elements) {
  const target *t = &((state *)x->state)->target[d];
  ptrdiff_t size = (ptrdiff_t)x->size;
  const char *from = x->send + pf_redist_send_offset(&x->redist, d) * size;
  for (int count; elements > 0; elements -= count * x->counting.unit) {
    count = pf_exchange_portion(x, elements);
    int code = MPI_Put(from + offset * size, count, x->unit, t->rank, t->at + offset * size, count,
                       x->unit, x->window);
    if (code != MPI_SUCCESS) return code;
    pf_exchange_sent(&x->sent, (double)(count * x->counting.unit * size));
    offset += count * x->counting.unit;
  }
  return MPI_SUCCESS;
}

/* Lines of a plane of a block are done: the plane leaves with its last one. */
static int lines_done(pf_exchange *x, int d, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count) {
  target *t = &((state *)x->state)->target[d];
  pf_piece b = pf_redist_piece(&x->redist, x->redist.me, d);
  ptrdiff_t lines = pf_piece_plane(&b, plane);
  (void)first;
  t->left -= count;
  if (t->left) return MPI_SUCCESS;
  t->left = pf_piece_plane(&b, plane + 1);
  int code = begin(x);
  return code == MPI_SUCCESS ? put(x, d, plane * b.lines * b.run, lines * b.run) : code;
}

static int post(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count) {
  return pf_exchange_deal(x, plane, first, count, lines_done);
}

static int finish(pf_exchange *x) {
  state *s = x->state;
  int code = begin(x);
  if (code == MPI_SUCCESS && s->begun) code = MPI_Win_complete(x->window);
  if (code == MPI_SUCCESS && s->from != MPI_GROUP_NULL) code = MPI_Win_wait(x->window);
  return code;
}

static void teardown(pf_exchange *x) {
  state *s = x->state;
  if (s->from != MPI_GROUP_NULL) MPI_Group_free(&s->from);
  if (s->to != MPI_GROUP_NULL) MPI_Group_free(&s->to);
  free(s);
}

const pf_exchange_ops pf_exchange_rma = {
    .name = "rma",
    .summary = "a put per plane and destination, while later rows are transformed",
    .place = PF_PLACE_BLOCKS,
    .grain = PF_GRAIN_PLANE,
    .windows = 1,
    .setup = setup,
    .start = start,
    .post = post,
    .progress = pf_exchange_poll,
    .finish = finish,
    .teardown = teardown};
