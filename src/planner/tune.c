/* SPDX-License-Identifier: BSD-3-Clause
 * Candidates on the clock.
 *
 * All plans, each with its arrays, are alive together while the repeats take turns, so that a
 * machine that is slow for a while is slow for all of them.  What is compared is the median of
 * each: the best repeat of one may be that which the buffers of a network helped. */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/status.h"
#include "planner/make.h"

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

/* Numbers that cost what any others cost: no zeros, and none that grow or vanish. */
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

/* Plans one, and gives it arrays of its own: an exchange may want them in memory that ranks share.
 * What cannot be had here is skipped. */
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

/* Forward and backward, in seconds of the slowest rank. */
static int time_once(MPI_Comm comm, runner *r, double *seconds, pfft3d_error *e) {
  pf_progress();
  pf_mpi(e, MPI_Barrier(comm), "MPI_Barrier");
  double start = MPI_Wtime();
  int status = pfft3d_execute(r->plan, PFFT3D_FORWARD, r->array[0], r->array[1]);
  /* back from the same numbers, which do not grow from repeat to repeat */
  if (!status) status = pfft3d_execute(r->plan, PFFT3D_BACKWARD, r->array[0], r->array[1]);
  *seconds = MPI_Wtime() - start;
  pf_mpi(e, MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  if (status) pf_fail(e, status, "a transform failed while candidates were timed");
  return pf_agree(comm, e);
}

/* Rank 0's clock says for all whether there is time for something that takes `more` seconds. */
static int go_on(MPI_Comm comm, double start, double budget, double more) {
  int yes = MPI_Wtime() - start + more < budget;
  return MPI_Bcast(&yes, 1, MPI_INT, 0, comm) == MPI_SUCCESS && yes;
}

/* Opens the first ones that there is time for; how many. */
static int open_all(MPI_Comm comm, const pfft3d_request *request, pfft3d_candidate *list, int count,
                    double start, double budget, runner *runners, pfft3d_error *e) {
  int opened = 0;
  double last = 0, seconds = 0, round = 0; /* the one before with its first repeat; all repeats */
  for (int i = 0; i < count && !e->status; i++) {
    double began = MPI_Wtime();
    pf_progress();
    if (opened > 0 && !go_on(comm, start, budget, 1.5 * last + round + seconds)) break;
    runner *r = &runners[opened];
    if (open_runner(comm, request, &list[i], r, e) || !r->plan) continue;
    opened++;
    time_once(comm, r, &seconds, e); /* warms up: pages, connections */
    last = MPI_Wtime() - began;
    round += seconds;
  }
  return opened;
}

/* Sorts the values. */
static double middle(double *v, int count) {
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && v[k - 1] > v[k]; k--) {
      double swapped = v[k];
      v[k] = v[k - 1];
      v[k - 1] = swapped;
    }
  return count % 2 ? v[count / 2] : (v[count / 2 - 1] + v[count / 2]) / 2;
}

static int run_all(MPI_Comm comm, runner *runners, int opened, int repeats, double start,
                   double budget, pfft3d_error *e) {
  double round = 0;
  for (int rep = 0; rep < repeats; rep++) {
    if (rep > 0 && !go_on(comm, start, budget, round)) break;
    double began = MPI_Wtime();
    for (int i = 0; i < opened; i++) {
      pfft3d_candidate *c = runners[i].candidate;
      double seconds;
      PF_TRY(time_once(comm, &runners[i], &seconds, e));
      runners[i].seconds[c->repeats++] = seconds;
    }
    round = MPI_Wtime() - began;
  }
  for (int i = 0; i < opened; i++)
    runners[i].candidate->measured = middle(runners[i].seconds, runners[i].candidate->repeats);
  return PFFT3D_OK;
}

/* Measured ones first, stable. */
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
  pfft3d_error e;
  double start = MPI_Wtime();
  pf_error_clear(&e);
  if (repeats > MOST_REPEATS) repeats = MOST_REPEATS;
  if (repeats < 1) repeats = 1;
  runner *runners = calloc((size_t)count + 1, sizeof *runners);
  if (!runners) pf_fail(&e, PFFT3D_ERR_MEMORY, "no memory for %d candidates", count);
  if (pf_agree(comm, &e)) {
    free(runners);
    return pf_error_out(&e, error);
  }
  for (int i = 0; i < count; i++) list[i].measured = 0, list[i].repeats = 0;
  int opened = open_all(comm, request, list, count, start, budget, runners, &e);
  if (!e.status) run_all(comm, runners, opened, repeats, start, budget, &e);
  for (int i = 0; i < opened; i++) close_runner(&runners[i]);
  free(runners);
  if (!e.status) sort(list, count);
  return pf_error_out(&e, error);
}
