/* SPDX-License-Identifier: BSD-3-Clause
 * Both ends of messages.  The sender knows when a message began, the receiver when it noticed that
 * it had arrived.  MPI keeps the order of messages with one tag between two ranks: so the first one
 * that was sent in an exchange, with a tag, is the first one that was received.  Each rank tells
 * the receivers when its messages began, and they answer when these ended. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline.h"

/* A message, one end of it known by this rank; the other one is NaN until it is known. */
typedef struct notice {
  double begin, end, bytes;
  int key;    /* exchange and tag */
  int number; /* in the order of time, among those with the same rank */
} notice;

/* Notices of all other ranks, one rank after another: `count` of each, from `at` on. */
typedef struct mail {
  notice *list;
  double *end; /* of each, for the answer */
  int *count, *at;
  int ranks, total;
} mail;

static int open_mail(mail *m, int ranks) {
  *m = (mail){.ranks = ranks, .count = calloc(2 * (size_t)ranks, sizeof *m->count)};
  if (m->count) m->at = m->count + ranks;
  return m->count != NULL;
}

static void close_mail(mail *m) {
  free(m->list);
  free(m->end);
  free(m->count);
}

/* Counts are set; allocates the lists. */
static int make_lists(mail *m) {
  m->total = 0;
  for (int k = 0; k < m->ranks; k++) {
    m->at[k] = m->total;
    m->total += m->count[k];
  }
  m->list = malloc((size_t)(m->total + 1) * sizeof *m->list);
  m->end = malloc((size_t)(m->total + 1) * sizeof *m->end);
  return m->list && m->end;
}

/* Lists this rank's messages of a kind, by the other rank. */
static int collect(const pf_record *r, pf_event_kind kind, mail *m) {
  if (!open_mail(m, r->t->ranks)) return 0;
  for (ptrdiff_t i = 0; i < r->count; i++)
    if (r->event[i].kind == kind) m->count[r->event[i].number]++;
  if (!make_lists(m)) return 0;
  memset(m->count, 0, (size_t)m->ranks * sizeof *m->count);
  for (ptrdiff_t i = 0; i < r->count; i++) {
    const pf_event *e = &r->event[i];
    if (e->kind != kind) continue;
    int number = m->count[e->number]++, sent = kind == PF_EVENT_SEND;
    m->list[m->at[e->number] + number] = (notice){sent ? e->begin : NAN, sent ? NAN : e->begin,
                                                  e->bytes, e->exchange << 8 | e->detail, number};
  }
  return 1;
}

/* ---- matching ---- */

static int by_key(const void *a, const void *b) {
  const notice *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Matches what another rank has sent with what came from it: sets the beginnings of `got`, and the
 * ends of `sent`, by its numbers; of the last ones a side may have left out some. */
static void match(notice *sent, int sends, double *end, notice *got, int receives) {
  int k = 0;
  qsort(sent, (size_t)sends, sizeof *sent, by_key);
  qsort(got, (size_t)receives, sizeof *got, by_key);
  for (int i = 0; i < sends; i++) end[i] = NAN;
  for (int i = 0; i < receives; i++) {
    while (k < sends && sent[k].key < got[i].key) k++;
    if (k == sends || sent[k].key != got[i].key) continue;
    end[sent[k].number] = got[i].end;
    got[i].begin = sent[k++].begin;
  }
}

/* Tells others what this rank has sent, matches what they have sent with what it received, and
 * answers. */
static int talk(MPI_Comm comm, mail *sent, mail *told, mail *got, pfft3d_error *e) {
  MPI_Datatype type;
  int code = MPI_Type_contiguous((int)sizeof(notice), MPI_BYTE, &type);
  if (code == MPI_SUCCESS) code = MPI_Type_commit(&type);
  if (code == MPI_SUCCESS)
    code = MPI_Alltoallv(sent->list, sent->count, sent->at, type, told->list, told->count, told->at,
                         type, comm);
  if (code == MPI_SUCCESS) code = MPI_Type_free(&type);
  if (pf_mpi(e, code, "MPI_Alltoallv")) return e->status;
  for (int k = 0; k < told->ranks; k++)
    match(&told->list[told->at[k]], told->count[k], &told->end[told->at[k]], &got->list[got->at[k]],
          got->count[k]);
  code = MPI_Alltoallv(told->end, told->count, told->at, MPI_DOUBLE, sent->end, sent->count,
                       sent->at, MPI_DOUBLE, comm);
  for (int i = 0; i < sent->total; i++) sent->list[i].end = sent->end[i];
  return pf_mpi(e, code, "MPI_Alltoallv");
}

/* Adds the messages with both ends. */
static void add_travels(pf_record *r, const mail *m, int received) {
  for (int k = 0; k < m->ranks; k++)
    for (int i = m->at[k]; i < m->at[k] + m->count[k]; i++) {
      const notice *n = &m->list[i];
      if (isnan(n->begin) || isnan(n->end)) continue;
      double end = n->end > n->begin ? n->end : n->begin; /* within the error of the clocks */
      r->travel[r->travels++] = (pf_travel){n->begin, end, n->bytes, k, received};
    }
}

int pf_record_travels(pf_record *r, pfft3d_error *e) {
  MPI_Comm comm = r->t->comm;
  mail sent, told, got;
  int good = collect(r, PF_EVENT_SEND, &sent);
  good &= collect(r, PF_EVENT_RECEIVE, &got);
  good &= open_mail(&told, r->t->ranks);
  if (!good) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a timeline's messages");
  if (!pf_agree(comm, e)) {
    int code = MPI_Alltoall(sent.count, 1, MPI_INT, told.count, 1, MPI_INT, comm);
    pf_mpi(e, code, "MPI_Alltoall");
    r->travel = malloc((size_t)(sent.total + got.total + 1) * sizeof *r->travel);
    if (!make_lists(&told) || !r->travel)
      pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a timeline's messages");
    if (!pf_agree(comm, e) && !talk(comm, &sent, &told, &got, e)) {
      add_travels(r, &sent, 0);
      add_travels(r, &got, 1);
    }
  }
  close_mail(&sent);
  close_mail(&told);
  close_mail(&got);
  return e->status;
}
