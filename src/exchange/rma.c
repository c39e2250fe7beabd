/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange rma: puts the data of slabs into the memory of the receivers.
 *
 * What moves: one MPI_Put per plane and destination, when the last line of the plane for that
 * destination is complete.  The windows are locked for all ranks during the life of the plan.  Two
 * empty messages synchronise each pair of ranks that exchanges data: "open" when a rank begins to
 * compute and its memory may be written, which the first put to it waits for; "done" when all puts
 * have arrived (MPI_Win_flush), which the receiver waits for before it reads.  Arrival is not known
 * plane by plane.
 *
 * Post, start, complete and wait (MPI-3, 11.5.2) would do the same, but Open MPI 4.1 loses posts of
 * ranks from 31 on inside a node (osc sm sets a bit of a 64-bit word by a 32-bit function).
 *
 * It wins if the network card writes to memory by itself, so that data moves during computation
 * without MPI calls.  Over TCP, Open MPI implements puts by messages, and slabs is better.  All
 * receive buffers are MPI windows, never the caller's arrays.
 *
 * Passes store own lines into a window while other ranks put into it: this requires windows of the
 * unified model (MPI-3, 11.4), which is checked at creation.
 * Source: the one-sided version of "slabs" of Bell, Bonachea, Nishtala and Yelick, IPDPS 2006. */
#include <stdlib.h>

#include "exchange/memory.h"

/* Another rank as the target of puts. */
typedef struct {
  MPI_Aint at;    /* offset of this rank's block in the target's window, in bytes */
  int rank;       /* its rank in the window */
  ptrdiff_t left; /* missing lines of the current plane */
} target;

enum { OPEN, DONE, SIGNALS };
typedef struct {
  MPI_Request sent[SIGNALS], received[SIGNALS];
} signals;

/* One entry for each rank. */
typedef struct {
  target *target;
  signals *signals;
} state;

/* Only on request: MPI may refuse windows when the plan is created. */
static int suits(const pf_ranks *ranks) {
  (void)ranks;
  return 0;
}

/* ---- setup ---- */

/* Finds this rank's blocks in the windows of all ranks, and the ranks of these there; `place`:
 * space for two numbers per rank. */
static int locate(pf_exchange *x, MPI_Aint *place) {
  const pf_redist *r = &x->redist;
  MPI_Group group = MPI_GROUP_NULL;
  char *base = NULL;
  int there, rank = 0;
  int code = MPI_Win_get_attr(x->window, MPI_WIN_BASE, &base, &there);
  if (code == MPI_SUCCESS) code = MPI_Win_get_group(x->window, &group);
  if (code == MPI_SUCCESS) code = MPI_Group_rank(group, &rank);
  if (group != MPI_GROUP_NULL) MPI_Group_free(&group);
  int empty = code != MPI_SUCCESS || !pf_redist_recv_elements(r);
  const MPI_Aint mine[2] = {empty ? 0 : x->recv - base, rank};
  /* Called even after an error, because it is collective. */
  int all = MPI_Allgather(mine, 2, MPI_AINT, place, 2, MPI_AINT, x->comm);
  if (code == MPI_SUCCESS) code = all;
  for (int k = 0; k < r->ranks && code == MPI_SUCCESS; k++) {
    target *t = &((state *)x->state)->target[k];
    pf_redist other = *r;
    other.me = k;
    t->at = place[2 * k] + pf_redist_recv_offset(&other, r->me) * (ptrdiff_t)x->size;
    t->rank = (int)place[2 * k + 1];
  }
  return code;
}

static int setup(pf_exchange *x, pfft3d_error *e) {
  size_t ranks = (size_t)x->redist.ranks;
  state *s = x->state = calloc(1, sizeof *s + ranks * (sizeof(target) + sizeof(signals)));
  MPI_Aint *place = malloc(2 * ranks * sizeof *place);
  if (!s || !place) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for puts to %zu ranks", ranks);
  if (s) {
    s->target = (target *)(s + 1);
    s->signals = (signals *)(s->target + ranks);
    for (size_t k = 0; k < ranks; k++)
      for (int i = 0; i < SIGNALS; i++)
        s->signals[k].sent[i] = s->signals[k].received[i] = MPI_REQUEST_NULL;
  }
  if (x->window != MPI_WIN_NULL && x->comm != MPI_COMM_NULL && !pf_agree(x->comm, e) && place)
    pf_mpi(e, locate(x, place), "setting up a window");
  free(place);
  return e->status;
}

/* ---- a run ---- */

/* Elements that one rank puts to another, one of which is this rank; 0 if they are near. */
static ptrdiff_t elements_of(const pf_redist *r, int sender, int receiver) {
  if (pf_redist_is_near(r, sender) && pf_redist_is_near(r, receiver)) return 0;
  return pf_redist_elements(r, sender, receiver);
}

static int signal_to(const pf_exchange *x, int signal, int k) {
  return MPI_Isend(NULL, 0, MPI_BYTE, k, x->tag + signal * PF_TAGS, x->comm,
                   &((state *)x->state)->signals[k].sent[signal]);
}

static int expect_from(const pf_exchange *x, int signal, int k) {
  return MPI_Irecv(NULL, 0, MPI_BYTE, k, x->tag + signal * PF_TAGS, x->comm,
                   &((state *)x->state)->signals[k].received[signal]);
}

/* There is no window if all ranks of the plan are near. */
static int synchronize(const pf_exchange *x) {
  return x->window == MPI_WIN_NULL ? MPI_SUCCESS : MPI_Win_sync(x->window);
}

static int start(pf_exchange *x) {
  const pf_redist *r = &x->redist;
  state *s = x->state;
  int code = x->comm == MPI_COMM_NULL ? MPI_SUCCESS : synchronize(x);
  for (int k = 0; k < r->ranks && code == MPI_SUCCESS; k++) {
    pf_piece b = pf_redist_piece(r, r->me, k);
    s->target[k].left = pf_piece_plane(&b, 0);
    if (elements_of(r, r->me, k)) code = expect_from(x, OPEN, k);
    if (!elements_of(r, k, r->me)) continue;
    if (code == MPI_SUCCESS) code = expect_from(x, DONE, k);
    if (code == MPI_SUCCESS) code = signal_to(x, OPEN, k);
  }
  return code;
}

/* Puts elements from `offset` of the block for a rank on, in portions. */
static int put(pf_exchange *x, int d, ptrdiff_t offset, ptrdiff_t elements) {
  const target *t = &((state *)x->state)->target[d];
  ptrdiff_t size = (ptrdiff_t)x->size;
  const char *from = x->send + pf_redist_send_offset(&x->redist, d) * size;
  for (int count; elements > 0; elements -= count * x->counting.unit) {
    count = pf_exchange_portion(x, elements);
    int code = MPI_Put(from + offset * size, count, x->unit, t->rank, t->at + offset * size, count,
                       x->unit, x->window);
    if (code != MPI_SUCCESS) return code;
    pf_exchange_sent(x, count * x->counting.unit);
    offset += count * x->counting.unit;
  }
  return MPI_SUCCESS;
}

/* Lines of a plane of a block are complete: the plane is put with its last line. */
static int lines_done(pf_exchange *x, int d, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count) {
  target *t = &((state *)x->state)->target[d];
  pf_piece b = pf_redist_piece(&x->redist, x->redist.me, d);
  ptrdiff_t lines = pf_piece_plane(&b, plane);
  (void)first;
  if (pf_redist_is_near(&x->redist, d)) return MPI_SUCCESS;
  t->left -= count;
  if (t->left) return MPI_SUCCESS;
  t->left = pf_piece_plane(&b, plane + 1);
  int code = MPI_Wait(&((state *)x->state)->signals[d].received[OPEN], MPI_STATUS_IGNORE);
  return code == MPI_SUCCESS ? put(x, d, plane * b.lines * b.run, lines * b.run) : code;
}

static int post(pf_exchange *x, ptrdiff_t plane, ptrdiff_t first, ptrdiff_t count) {
  return pf_exchange_for_blocks(x, plane, first, count, lines_done);
}

static int finish(pf_exchange *x) {
  const pf_redist *r = &x->redist;
  state *s = x->state;
  int code = MPI_SUCCESS;
  for (int k = 0; k < r->ranks && code == MPI_SUCCESS; k++) {
    if (!elements_of(r, r->me, k)) continue;
    code = MPI_Win_flush(s->target[k].rank, x->window);
    if (code == MPI_SUCCESS) code = signal_to(x, DONE, k);
  }
  if (code == MPI_SUCCESS)
    code = MPI_Waitall(2 * SIGNALS * r->ranks, (MPI_Request *)s->signals, MPI_STATUSES_IGNORE);
  return code == MPI_SUCCESS ? synchronize(x) : code;
}

const pf_exchange_ops pf_exchange_rma = {
    .name = "rma",
    .summary = "a put per plane and destination, while later rows are transformed",
    .memory = &pf_memory_blocks,
    .suits = suits,
    .grain = PF_GRAIN_PLANE,
    .windows = 1,
    .stores = 1,
    .setup = setup,
    .start = start,
    .post = post,
    .progress = pf_exchange_poll,
    .finish = finish};
