/* SPDX-License-Identifier: BSD-3-Clause
 * Resolves "auto" by wisdom, by the model, or by a few measurements, in the order of trust and of
 * cost.
 *
 * Rank 0 alone evaluates the model and broadcasts the decision: different processors may round
 * costs differently, but all ranks must make the same choice. */
#include "planner/planner.h"

#include <string.h>

#include "planner/contest.h"
#include "planner/timed.h"

/* Candidates within this factor of the best, the error of the model, are timed, but after this
 * share of the budget none but the second one. */
enum { MOST_TIMED = 8 };
static const double close_by = 1.6, enough = 0.15;

typedef struct pf_answer answer;

/* Broadcasts the answer of rank 0. */
static int share_answer(MPI_Comm comm, answer *a, pfft3d_request *r, pfft3d_error *e) {
  pf_mpi(e, MPI_Bcast(a, (int)sizeof *a, MPI_BYTE, 0, comm), "MPI_Bcast");
  r->decision = a->decision;
  return pf_agree(comm, e);
}

/* The candidates that are timed, of all that the model compared. */
typedef struct shortlist {
  pfft3d_candidate list[MOST_TIMED];
  int count, all;
} shortlist;

/* Times the candidates that the model finds close; the fastest one is the answer. */
static int time_close(const pf_resolution *w, const pfft3d_request *r, int rank, shortlist *s,
                      answer *a, pfft3d_error *e) {
  pfft3d_candidate *list = s->list;
  const pf_contest_time time = {w->start, r->plan_budget, enough * r->plan_budget};
  PF_TRY(pf_contest(w->comm, r, &time, list, s->count, e));
  int timed = 0;
  while (timed < s->count && list[timed].measured > 0) timed++;
  if (timed) a->decision = list[0].decision;
  if (timed < 2) return PFFT3D_OK;
  a->by = PFFT3D_BY_TIMING;
  pf_reason_timed(list, timed, s->all, a->reason);
  pfft3d_request asked = *r;
  if (w->unlike) asked.node_ranks = 0; /* as it will be asked again */
  if (rank == 0) pf_timed_keep(w->owner, &asked, w->env.ranks, &list[0]);
  return PFFT3D_OK;
}

/* Whether candidates are timed for such a request, if several are close. */
static int may_time(const pfft3d_request *r) {
  return r->plan_budget > 0 && !r->deterministic && pf_name_open(r->decision.algo);
}

/* Decides by the model, and by timing. */
static int search(pf_resolution *w, const pfft3d_request *r, int rank, pfft3d_error *e) {
  answer *a = &w->answer;
  shortlist close;
  pfft3d_request chosen = *r;
  memset(&close, 0, sizeof close);
  a->by = PFFT3D_BY_MODEL;
  if (rank == 0) {
    close.all = pf_choose(&chosen, &w->env, close.list, MOST_TIMED, a->reason, e);
    a->decision = chosen.decision;
    int most = may_time(r) ? close.all < MOST_TIMED ? close.all : MOST_TIMED : 0;
    while (close.count < most &&
           close.list[close.count].predicted <= close_by * close.list[0].predicted)
      close.count++;
  }
  PF_TRY(pf_agree(w->comm, e));
  PF_TRY(pf_mpi(e, MPI_Bcast(&close, (int)sizeof close, MPI_BYTE, 0, w->comm), "MPI_Bcast"));
  return close.count > 1 ? time_close(w, r, rank, &close, a, e) : PFFT3D_OK;
}

/* Looks up an answer that was measured before, in *known, which rank 0 alone has; NULL: none.
 * *found on all ranks: whether there is one. */
static int look_up(pf_resolution *w, const pfft3d_request *r, const pfft3d_wisdom *known,
                   pfft3d_decided_by by, int *found, pfft3d_error *e) {
  answer *a = &w->answer;
  const pf_wisdom_entry *entry =
      known ? pf_wisdom_find(known, w->env.ranks, r, &a->decision) : NULL;
  if (entry) pf_reason_known(by, (double)entry->nanoseconds * 1e-9, entry->date, a->reason);
  *found = entry != NULL;
  PF_TRY(pf_mpi(e, MPI_Bcast(found, 1, MPI_INT, 0, w->comm), "MPI_Bcast"));
  if (*found) a->by = by;
  return PFFT3D_OK;
}

/* Looks up what was timed before.  An exchange, or stores, that were refused since would be found
 * again. */
static int ask_timed(pf_resolution *w, const pfft3d_request *r, int rank, int *found,
                     pfft3d_error *e) {
  if (!may_time(r) || w->env.without || w->env.no_stores) return PFFT3D_OK;
  return look_up(w, r, rank == 0 ? pf_timed_known(w->owner) : NULL, PFFT3D_BY_TIMING, found, e);
}

/* The wisdom to be asked, on rank 0: the caller's, else that of the user's file.  NULL: none. */
static const pfft3d_wisdom *wisdom_of(const pfft3d_request *r, int rank, int open) {
  if (rank != 0 || r->deterministic) return NULL;
  return r->wisdom || r->no_wisdom || !open ? r->wisdom : pf_wisdom_user();
}

/* Reports that wisdom is required and has no answer. */
static int no_wisdom(const pf_resolution *w, const pfft3d_request *r, pfft3d_error *e) {
  char problem[160], decision[160];
  pf_hint(e, "'pfft3d tune' with the same options on as many ranks makes some");
  pf_fail(e, PFFT3D_ERR_WISDOM,
          "wisdom required: none that can be used for %s, %s, on %d ranks here",
          pfft3d_problem_print(&r->problem, problem, sizeof problem),
          pfft3d_decision_print(&r->decision, decision, sizeof decision), w->env.ranks);
  return pf_agree(w->comm, e);
}

int pf_resolve(pf_resolution *w, pfft3d_request *r, pfft3d_error *e) {
  int rank, found;
  MPI_Comm_rank(w->comm, &rank);
  memset(&w->answer, 0, sizeof w->answer);
  w->answer.by = PFFT3D_BY_REQUEST;
  int open = pf_request_open(r), known = r->wisdom && !r->deterministic && pf_grid_open(r);
  w->unlike = !r->node_ranks;
  if (!open && !known) {
    pf_machine_resolve(r, w->env.ranks);
    return PFFT3D_OK;
  }
  pf_decision_names(r, &r->decision, e);
  PF_TRY(pf_agree(w->comm, e));
  const pfft3d_wisdom *wisdom = wisdom_of(r, rank, open);
  PF_TRY(look_up(w, r, wisdom, PFFT3D_BY_WISDOM, &found, e));
  if (!found && open && r->wisdom_required) return no_wisdom(w, r, e);
  if (!found && open) PF_TRY(ask_timed(w, r, rank, &found, e));
  if (!found && open) {
    if (!r->deterministic && !pf_machine_whole(&r->machine))
      PF_TRY(pf_machine_know(w->comm, w->owner, r->node_ranks,
                             pf_problem_bytes(&r->problem) / w->env.ranks, &r->machine, e));
    pf_machine_resolve(r, w->env.ranks);
    if (w->unlike) r->node_ranks = 1; /* exchanges between nodes need equal nodes */
    PF_TRY(search(w, r, rank, e));
    if (wisdom && !r->wisdom) pf_reason_more(pfft3d_wisdom_notice(wisdom), w->answer.reason);
  }
  pf_machine_resolve(r, w->env.ranks);
  return found || open ? share_answer(w->comm, &w->answer, r, e) : PFFT3D_OK;
}
