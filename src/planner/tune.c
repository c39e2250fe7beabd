/* SPDX-License-Identifier: BSD-3-Clause
 * Timing of candidates.
 *
 * All plans and their arrays exist at the same time and the repeats take turns, so that a temporary
 * slowdown affects all candidates.  Medians are compared: a best repeat may owe its time to network
 * buffers. */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "planner/planner.h"

enum { MOST_REPEATS = 100 };

/* One candidate with its plan and arrays. */
typedef struct runner {
  pfft3d_candidate *candidate;
  pfft3d_plan *plan;
  void *array[2];
  size_t bytes;
  double seconds[MOST_REPEATS];
} runner;

static void close_runner(runner *r) {
  for (int i = 0; i < 2; i++)
    if (r->plan) pfft3d_free(r->plan, r->array[i]);
  pfft3d_plan_destroy(&r->plan);
}

/* Typical numbers: no zeros, and none that overflow or underflow. */
static void fill(void *array, size_t bytes, pfft3d_precision precision) {
  unsigned state = 12345;
  size_t size = precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double);
  for (size_t i = 0; i < bytes / size; i++) {
    state = state * 1664525u + 1013904223u;
    double value = (double)(state >> 8) / (1 << 24) - 0.5;
    if (precision == PFFT3D_SINGLE)
      ((float *)array)[i] = (float)value;
    else
      ((double *)array)[i] = value;
  }
}

/* Plans one candidate, with its own arrays, which may have to be in shared memory. Unavailable
 * candidates are skipped. */
static int open_runner(MPI_Comm comm, const pfft3d_request *request, pfft3d_candidate *c, runner *r,
                       pfft3d_error *e) {
  pfft3d_request one = *request;
  one.decision = c->decision;
  *r = (runner){.candidate = c};
  if (!pf_make_plan(comm, &one, &r->plan, e)) {
    r->bytes = pfft3d_plan_bytes(r->plan);
    for (int i = 0; i < 2 && !e->status; i++) pfft3d_alloc(r->plan, &r->array[i], e);
  }
  if (e->status) {
    int skipped = e->status == PFFT3D_ERR_UNAVAILABLE || e->status == PFFT3D_ERR_MEMORY;
    close_runner(r);
    if (skipped) pf_error_clear(e);
    return e->status;
  }
  fill(r->array[0], r->bytes, request->problem.precision);
  return PFFT3D_OK;
}

/* Seconds of a forward and a backward transform on the slowest rank. */
static int time_once(MPI_Comm comm, runner *r, double *seconds, pfft3d_error *e) {
  pf_progress();
  pf_mpi(e, MPI_Barrier(comm), "MPI_Barrier");
  double start = MPI_Wtime();
  int status = pfft3d_execute(r->plan, PFFT3D_FORWARD, r->array[0], r->array[1]);
  /* from the same numbers, which do not grow from repeat to repeat */
  if (!status) status = pfft3d_execute(r->plan, PFFT3D_BACKWARD, r->array[0], r->array[1]);
  *seconds = MPI_Wtime() - start;
  pf_mpi(e, MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  if (status) pf_fail(e, status, "a transform failed while candidates were timed");
  return pf_agree(comm, e);
}

/* The candidates that are timed, and the time for that. */
typedef struct contest {
  MPI_Comm comm;
  double start, budget;
  runner *runners;
  int opened;
} contest;

/* Whether `more` seconds remain, by the clock of rank 0. */
static int go_on(const contest *t, double more) {
  int yes = MPI_Wtime() - t->start + more < t->budget;
  return MPI_Bcast(&yes, 1, MPI_INT, 0, t->comm) == MPI_SUCCESS && yes;
}

/* Opens candidates while time remains. */
static void open_all(contest *t, const pfft3d_request *request, pfft3d_candidate *list, int count,
                     pfft3d_error *e) {
  double last = 0, seconds = 0, round = 0; /* planning and first repeat of the last candidate;
                                              one repeat of all */
  for (int i = 0; i < count && !e->status; i++) {
    double began = MPI_Wtime();
    pf_progress();
    if (t->opened > 0 && !go_on(t, 1.5 * last + round + seconds)) break;
    runner *r = &t->runners[t->opened];
    if (open_runner(t->comm, request, &list[i], r, e) || !r->plan) continue;
    t->opened++;
    time_once(t->comm, r, &seconds, e); /* warms up: pages, connections */
    last = MPI_Wtime() - began;
    round += seconds;
  }
}

/* The median; sorts the values. */
static double middle(double *v, int count) {
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && v[k - 1] > v[k]; k--) {
      double swapped = v[k];
      v[k] = v[k - 1];
      v[k - 1] = swapped;
    }
  return count % 2 ? v[count / 2] : (v[count / 2 - 1] + v[count / 2]) / 2;
}

static int run_all(const contest *t, int repeats, pfft3d_error *e) {
  runner *runners = t->runners;
  double round = 0;
  for (int rep = 0; rep < repeats; rep++) {
    if (rep > 0 && !go_on(t, round)) break;
    double began = MPI_Wtime();
    for (int i = 0; i < t->opened; i++) {
      pfft3d_candidate *c = runners[i].candidate;
      double seconds;
      PF_TRY(time_once(t->comm, &runners[i], &seconds, e));
      runners[i].seconds[c->repeats++] = seconds;
    }
    round = MPI_Wtime() - began;
  }
  for (int i = 0; i < t->opened; i++)
    runners[i].candidate->measured = middle(runners[i].seconds, runners[i].candidate->repeats);
  return PFFT3D_OK;
}

/* Sorts measured candidates first; stable. */
static void sort(pfft3d_candidate *list, int count) {
  for (int i = 1; i < count; i++) {
    pfft3d_candidate c = list[i];
    int k = i;
    for (; k > 0 && c.measured > 0 &&
           (list[k - 1].measured == 0 || list[k - 1].measured > c.measured);
         k--)
      list[k] = list[k - 1];
    list[k] = c;
  }
}

int pfft3d_tune(MPI_Comm comm, const pfft3d_request *request, pfft3d_candidate *list, int count,
                int repeats, double budget, pfft3d_error *error) {
  pfft3d_error e = {0};
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  double start = MPI_Wtime();
  pf_request_valid(request, &e);
  if (count < 0 || (count > 0 && !list))
    pf_fail(&e, PFFT3D_ERR_USAGE, "tune: %d candidates%s", count, list ? "" : " in a list of NULL");
  if (repeats > MOST_REPEATS) repeats = MOST_REPEATS;
  if (repeats < 1) repeats = 1;
  runner *runners = calloc(count > 0 ? (size_t)count : 1, sizeof *runners);
  if (!runners) pf_fail(&e, PFFT3D_ERR_MEMORY, "no memory for %d candidates", count);
  if (pf_agree(comm, &e) || !runners) {
    free(runners);
    return pf_error_out(&e, error);
  }
  for (int i = 0; i < count; i++) list[i].measured = 0, list[i].repeats = 0;
  contest t = {comm, start, budget, runners, 0};
  open_all(&t, request, list, count, &e);
  if (!e.status) run_all(&t, repeats, &e);
  for (int i = 0; i < t.opened; i++) close_runner(&runners[i]);
  free(runners);
  if (!e.status) sort(list, count);
  return pf_error_out(&e, error);
}

int pfft3d_tune_f(const MPI_Fint *comm, const pfft3d_request *request, pfft3d_candidate *list,
                  int count, int repeats, double budget, pfft3d_error *error) {
  return pfft3d_tune(pf_comm_f(comm), request, list, count, repeats, budget, error);
}
