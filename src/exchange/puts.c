/* SPDX-License-Identifier: BSD-3-Clause
 * Puts into the windows of other ranks, and the empty messages around them (puts.h).
 *
 * The windows are locked for all ranks during the life of the plan.  Message "open" tells that a
 * rank has begun the exchange, so that its memory may be written; the first put to it waits for
 * this message.  Message "arrived" tells that all puts of a part are complete (MPI_Win_flush_all).
 *
 * Post, start, complete and wait (MPI-3, 11.5.2) would do the same, but Open MPI 4.1 loses posts of
 * ranks from 31 on inside a node (osc sm sets a bit of a 64-bit word by a 32-bit function).
 *
 * Passes store own lines into a window while other ranks put into it: this requires windows of the
 * unified model (MPI-3, 11.4), which is checked at creation. */
#include "exchange/puts.h"

#include <stdlib.h>

/* State of another rank. */
typedef struct {
  MPI_Aint at;      /* offset of this rank's block in the target's window, in bytes */
  int rank;         /* its rank in the window */
  MPI_Request told, /* that this rank's memory is open */
      open,         /* that the target's memory is open */
      arrived[PF_EXCHANGE_PARTS];
} target;

struct pf_puts {
  int ranks;
  target target[];
};

/* ---- setup ---- */

/* Finds this rank's blocks in the windows of all ranks, and these ranks' numbers there; `gathered`:
 * scratch for two numbers per rank. */
static int locate(pf_exchange *x, pf_puts *puts, MPI_Aint *gathered) {
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
  int all = MPI_Allgather(mine, 2, MPI_AINT, gathered, 2, MPI_AINT, x->comm);
  if (code == MPI_SUCCESS) code = all;
  for (int k = 0; k < r->ranks && code == MPI_SUCCESS; k++) {
    pf_redist other = *r;
    other.me = k;
    puts->target[k].at =
        gathered[2 * k] + pf_redist_recv_offset(&other, r->me) * (ptrdiff_t)x->size;
    puts->target[k].rank = (int)gathered[2 * k + 1];
  }
  return code;
}

int pf_puts_create(pf_puts **out, pf_exchange *x, pfft3d_error *e) {
  size_t ranks = (size_t)x->redist.ranks;
  pf_puts *puts = *out = malloc(sizeof *puts + ranks * sizeof(target));
  MPI_Aint *gathered = malloc(2 * ranks * sizeof *gathered);
  if (!puts || !gathered) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for puts to %zu ranks", ranks);
  if (puts) puts->ranks = x->redist.ranks;
  for (size_t k = 0; puts && k < ranks; k++) {
    target *t = &puts->target[k];
    t->told = t->open = MPI_REQUEST_NULL;
    for (int p = 0; p < PF_EXCHANGE_PARTS; p++) t->arrived[p] = MPI_REQUEST_NULL;
  }
  if (x->window != MPI_WIN_NULL && x->comm != MPI_COMM_NULL && !pf_agree(x->comm, e) && gathered)
    pf_mpi(e, locate(x, puts, gathered), "setting up a window");
  free(gathered);
  return e->status;
}

/* ---- a run ---- */

int pf_puts_synchronize(const pf_exchange *x) {
  return x->window == MPI_WIN_NULL ? MPI_SUCCESS : MPI_Win_sync(x->window);
}

/* The first tag is for "open". */
static int tag_of_part(const pf_exchange *x, int part) {
  return x->tag + PF_TAGS * (part + 1);
}

int pf_puts_tell_open(pf_exchange *x, pf_puts *puts, int sender) {
  return MPI_Isend(NULL, 0, MPI_BYTE, sender, x->tag, x->comm, &puts->target[sender].told);
}

int pf_puts_expect_open(pf_exchange *x, pf_puts *puts, int receiver) {
  return MPI_Irecv(NULL, 0, MPI_BYTE, receiver, x->tag, x->comm, &puts->target[receiver].open);
}

int pf_puts_is_open(pf_puts *puts, int receiver, int *open) {
  return MPI_Test(&puts->target[receiver].open, open, MPI_STATUS_IGNORE);
}

int pf_puts_message(pf_exchange *x, const pf_puts *puts, const pf_message *m,
                    MPI_Request *request) {
  const target *t = &puts->target[m->other];
  ptrdiff_t size = (ptrdiff_t)x->size, at = m->offset,
            block = pf_redist_send_offset(&x->redist, m->other);
  for (ptrdiff_t left = m->elements, elements; left > 0; left -= elements, at += elements) {
    double start = pf_timeline_now(x->timeline);
    pf_count count = pf_exchange_portion(x, left);
    int code =
        PF_LARGE(MPI_Rput)(x->send + at * size, count, x->unit, t->rank,
                           t->at + (at - block) * size, count, x->unit, x->window, request++);
    if (code != MPI_SUCCESS) return code;
    elements = (ptrdiff_t)count * x->counting.unit;
    pf_exchange_sent(x, &(pf_message){m->other, at, elements, m->part}, start);
  }
  return MPI_SUCCESS;
}

int pf_puts_complete(const pf_exchange *x) {
  return MPI_Win_flush_all(x->window);
}

int pf_puts_tell_arrived(pf_exchange *x, pf_puts *puts, int receiver, int part) {
  return MPI_Isend(NULL, 0, MPI_BYTE, receiver, tag_of_part(x, part), x->comm,
                   &puts->target[receiver].arrived[part]);
}

int pf_puts_expect_arrived(pf_exchange *x, int sender, int part, MPI_Request *request) {
  return MPI_Irecv(NULL, 0, MPI_BYTE, sender, tag_of_part(x, part), x->comm, request);
}

int pf_puts_finish(pf_puts *puts) {
  int code = MPI_SUCCESS;
  for (int k = 0; k < puts->ranks && code == MPI_SUCCESS; k++) {
    target *t = &puts->target[k];
    code = MPI_Wait(&t->told, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS) code = MPI_Waitall(PF_EXCHANGE_PARTS, t->arrived, MPI_STATUSES_IGNORE);
  }
  return code;
}
