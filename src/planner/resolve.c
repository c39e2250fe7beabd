/* SPDX-License-Identifier: BSD-3-Clause
 * The choice behind "auto": wisdom, model, a few measurements, in this order of trust and of cost.
 *
 * The model is asked by rank 0 alone and its answer sent to all: ranks may compute the last bits of
 * a cost differently, on unlike processors, and must not differ in what they do. */
#include "planner/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planner/candidates.h"
#include "planner/machine.h"
#include "planner/wisdom.h"

/* Candidates within a factor of the best are timed: that far the model may err.  More than a few
 * would not be timed often enough in the time given. */
enum { MOST_TIMED = 8, ROUNDS = 15 };
static const double close_by = 1.6;

int pf_agree_hash(MPI_Comm comm, unsigned long long hash, const char *what, pfft3d_error *e) {
  unsigned long long range[2] = {hash, ~hash};
  int code = MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_UNSIGNED_LONG_LONG, MPI_MAX, comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  if (range[0] != ~range[1]) return pf_fail(e, PFFT3D_ERR_INTERNAL, "ranks disagree on %s", what);
  return PFFT3D_OK;
}

/* What rank 0 has found, for all. */
typedef struct answer {
  char decision[160], reason[PF_REASON];
} answer;

static int share_answer(MPI_Comm comm, answer *a, pfft3d_request *r, char reason[PF_REASON],
                        pfft3d_error *e) {
  PF_TRY(pf_agree(comm, e));
  int code = MPI_Bcast(a, (int)sizeof *a, MPI_BYTE, 0, comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Bcast");
  pfft3d_decision d = r->decision;
  pfft3d_decision_parse(a->decision, &d, e);
  r->decision = d;
  memcpy(reason, a->reason, PF_REASON);
  return pf_agree(comm, e);
}

/* On rank 0: the candidates worth timing are left at the beginning of the list; how many. */
static int close_ones(const pfft3d_candidate *list, int count) {
  int close = count > 0;
  while (close < count && close < MOST_TIMED &&
         list[close].predicted <= close_by * list[0].predicted)
    close++;
  return close;
}

/* Sends rank 0's list to all. */
static int share_list(MPI_Comm comm, pfft3d_candidate list[MOST_TIMED], int *count,
                      pfft3d_error *e) {
  pf_mpi(e, MPI_Bcast(count, 1, MPI_INT, 0, comm), "MPI_Bcast");
  pf_mpi(e, MPI_Bcast(list, (int)(MOST_TIMED * sizeof *list), MPI_BYTE, 0, comm), "MPI_Bcast");
  return e->status;
}

/* Times what the model finds close, and lets rank 0 say what won. */
static int time_close(MPI_Comm comm, const pfft3d_request *r, pfft3d_candidate list[MOST_TIMED],
                      int count, int all, answer *a, pfft3d_error *e) {
  PF_TRY(pfft3d_tune(comm, r, list, count, ROUNDS, r->plan_budget, e));
  int timed = 0;
  while (timed < count && list[timed].measured > 0) timed++;
  if (!timed) return PFFT3D_OK;
  pfft3d_decision_print(&list[0].decision, a->decision, sizeof a->decision);
  if (timed > 1)
    snprintf(
        a->reason, sizeof a->reason,
        "timed: %.3g s there and back, the best of %d that the model finds close (of %d); next "
        "%s %s, %.2f times",
        list[0].measured, timed, all, list[1].decision.scheme, list[1].decision.algo,
        list[1].measured / list[0].measured);
  return PFFT3D_OK;
}

/* By the model, and the clock. */
static int search(MPI_Comm comm, pfft3d_request *r, int sharing, int rank, answer *a,
                  pfft3d_error *e) {
  pfft3d_candidate close[MOST_TIMED];
  pfft3d_request chosen = *r;
  int ranks, count = 0, all = 0;
  MPI_Comm_size(comm, &ranks);
  memset(close, 0, sizeof close);
  if (rank == 0) {
    all = pf_choose(&chosen, ranks, sharing, close, MOST_TIMED, a->reason, e);
    pfft3d_decision_print(&chosen.decision, a->decision, sizeof a->decision);
    if (r->plan_budget > 0 && !r->deterministic && pf_algo_open(r))
      count = close_ones(close, all < MOST_TIMED ? all : MOST_TIMED);
  }
  PF_TRY(pf_agree(comm, e));
  PF_TRY(share_list(comm, close, &count, e));
  return count > 1 ? time_close(comm, r, close, count, all, a, e) : PFFT3D_OK;
}

/* Wisdom was required, and none is there. */
static int no_wisdom(MPI_Comm comm, const pfft3d_request *r, pfft3d_error *e) {
  char problem[96], decision[160];
  int ranks;
  MPI_Comm_size(comm, &ranks);
  pf_hint(e, "'pfft3d tune' with the same options on as many ranks makes some");
  pf_fail(e, PFFT3D_ERR_WISDOM,
          "wisdom required: none that can be used for %s, %s, on %d ranks here",
          pfft3d_problem_print(&r->problem, problem, sizeof problem),
          pfft3d_decision_print(&r->decision, decision, sizeof decision), ranks);
  return pf_agree(comm, e);
}

int pf_resolve(MPI_Comm comm, MPI_Comm owner, pfft3d_request *r, int sharing,
               char reason[PF_REASON], pfft3d_error *e) {
  int rank;
  answer a = {.decision = ""};
  MPI_Comm_rank(comm, &rank);
  reason[0] = 0;
  int open = pf_request_open(r), known = r->wisdom && !r->deterministic && pf_grid_open(r);
  int irregular = !r->node_ranks; /* there are nodes with different numbers of ranks */
  if (!open && !known) {
    pf_machine_resolve(r);
    return PFFT3D_OK;
  }
  pf_decision_names(r, &r->decision, e);
  PF_TRY(pf_agree(comm, e));
  int found = 0;
  if (rank == 0 && r->wisdom && !r->deterministic) {
    pfft3d_decision d = r->decision;
    found = pf_wisdom_find(r->wisdom, comm, r, &d, a.reason, sizeof a.reason);
    if (found) pfft3d_decision_print(&d, a.decision, sizeof a.decision);
  }
  PF_TRY(pf_mpi(e, MPI_Bcast(&found, 1, MPI_INT, 0, comm), "MPI_Bcast"));
  if (!found && r->wisdom_required) return no_wisdom(comm, r, e);
  if (!found && open) {
    if (!r->deterministic && !pf_machine_whole(&r->machine))
      PF_TRY(pf_machine_know(comm, owner, r->node_ranks, &r->machine, e));
    pf_machine_resolve(r);
    if (irregular) r->node_ranks = 1; /* what works on nodes cannot be had */
    PF_TRY(search(comm, r, sharing, rank, &a, e));
  }
  pf_machine_resolve(r);
  return found || open ? share_answer(comm, &a, r, reason, e) : PFFT3D_OK;
}
