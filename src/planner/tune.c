/* SPDX-License-Identifier: BSD-3-Clause
 * Timing of lists of candidates.
 *
 * All plans and their arrays exist at the same time and their repeats alternate, so that a
 * temporary slowdown affects all candidates.  Medians are compared: a best repeat may be due to
 * network buffers. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/progress.h"
#include "planner/runner.h"

enum { MOST_REPEATS = 100 };

/* The candidates to time, their repeats, and the time limit. */
typedef struct group {
  MPI_Comm comm;
  double start, budget;
  pf_runner *runners;
  double (*seconds)[MOST_REPEATS];
  int opened;
} group;

/* Nonzero if `more` seconds remain, by the clock of rank 0. */
static int go_on(const group *t, double more) {
  int yes = MPI_Wtime() - t->start + more < t->budget;
  return MPI_Bcast(&yes, 1, MPI_INT, 0, t->comm) == MPI_SUCCESS && yes;
}

/* Opens candidates while time remains. */
static void open_all(group *t, const pfft3d_request *request, pfft3d_candidate *list, int count,
                     pfft3d_error *e) {
  double last = 0, seconds = 0, round = 0; /* planning and first repeat of the last candidate;
                                              one repeat of all */
  for (int i = 0; i < count && !e->status; i++) {
    double began = MPI_Wtime();
    pf_progress();
    if (t->opened > 0 && !go_on(t, 1.5 * last + round + seconds)) break;
    pf_runner *r = &t->runners[t->opened];
    if (pf_runner_open(t->comm, request, &list[i], NULL, r, e) || !r->plan) continue;
    t->opened++;
    pf_runner_time(t->comm, r, 1, &seconds, e); /* warms up: pages, connections */
    r->row = pf_runner_row(seconds);
    last = MPI_Wtime() - began;
    round += seconds;
  }
}

static int run_all(const group *t, int repeats, pfft3d_error *e) {
  double round = 0;
  for (int rep = 0; rep < repeats; rep++) {
    if (rep > 0 && !go_on(t, round)) break;
    double began = MPI_Wtime();
    for (int i = 0; i < t->opened; i++) {
      pfft3d_candidate *c = t->runners[i].candidate;
      PF_TRY(pf_runner_time(t->comm, &t->runners[i], t->runners[i].row, &t->seconds[i][c->repeats],
                            e));
      c->repeats++;
    }
    round = MPI_Wtime() - began;
  }
  for (int i = 0; i < t->opened; i++) {
    pfft3d_candidate *c = t->runners[i].candidate;
    c->measured = pf_median(t->seconds[i], c->repeats);
  }
  return PFFT3D_OK;
}

static void run_group(group *t, const pfft3d_request *request, pfft3d_candidate *list, int count,
                      int repeats, pfft3d_error *e) {
  for (int i = 0; i < count; i++) list[i].measured = 0, list[i].repeats = 0;
  open_all(t, request, list, count, e);
  if (!e->status) run_all(t, repeats, e);
  for (int i = 0; i < t->opened; i++) pf_runner_close(&t->runners[i]);
  if (!e->status) pf_candidates_sort(list, count);
}

int pfft3d_tune(MPI_Comm comm, const pfft3d_request *request, pfft3d_candidate *list, int count,
                int repeats, double budget, pfft3d_error *error) {
  pfft3d_error e = {0};
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  group t = {.comm = comm, .start = MPI_Wtime(), .budget = budget};
  pf_request_valid(request, &e);
  if (count < 0 || (count > 0 && !list))
    pf_fail(&e, PFFT3D_ERR_USAGE, "tune: %d candidates%s", count, list ? "" : " in a list of NULL");
  if (repeats > MOST_REPEATS) repeats = MOST_REPEATS;
  if (repeats < 1) repeats = 1;
  size_t room = count > 0 ? (size_t)count : 1;
  t.runners = calloc(room, sizeof *t.runners);
  t.seconds = calloc(room, sizeof *t.seconds);
  if (!t.runners || !t.seconds)
    pf_fail(&e, PFFT3D_ERR_MEMORY, "no memory for %d candidates", count);
  const unsigned long long calls[] = {(unsigned long long)count, (unsigned long long)repeats};
  if (!pf_agree(comm, &e))
    pf_agree_hash(comm, pf_hash(PF_HASH_START, calls, sizeof calls),
                  "the number of candidates or of repeats", &e);
  if (!e.status) run_group(&t, request, list, count, repeats, &e);
  free(t.runners);
  free(t.seconds);
  return pf_error_out(&e, error);
}

int pfft3d_tune_f(const pfft3d_fint *comm, const pfft3d_request *request, pfft3d_candidate *list,
                  int count, int repeats, double budget, pfft3d_error *error) {
  return pfft3d_tune(pf_comm_f(comm), request, list, count, repeats, budget, error);
}
