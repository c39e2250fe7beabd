/* SPDX-License-Identifier: BSD-3-Clause
 * A contest of candidates: the best so far against the next of the list, alternately, until one of
 * them is clearly better.
 *
 * Only two plans exist at a time, to save memory and the time to obtain it.  Most candidates are
 * rejected after one repeat.  A sample is several transforms in a row if they are short, to reduce
 * the effect of clocks and barriers.  Samples of the two plans alternate, so that a temporary
 * slowdown affects both, and are compared by their medians. */
#include "planner/contest.h"

#include "base/progress.h"
#include "planner/runner.h"

enum { SAMPLES = 7 };
static const double hopeless = 1.25; /* limit of the first sample, relative to the best */
static const double cheap = 0.03;    /* seconds of a sample that can be repeated */
/* Ratios of medians that are significant, after one sample of each plan, and after more. */
static const double clear[] = {1.2, 1.1};
static const double fresh = 2e9; /* bytes/s at which a rank obtains new memory, at least */

typedef struct contest {
  MPI_Comm comm;
  const pfft3d_request *request;
  const pf_contest_time *time;
  pf_common_arrays common;
  pf_runner best;
  int times;            /* number of transforms in a sample */
  double opening;       /* longest time of planning a candidate */
  double seconds;       /* seconds of the best candidate */
  double per_predicted; /* seconds of the first candidate / its prediction */
} contest;

/* Nonzero if `more` seconds remain of the first `limit` seconds, by the clock of rank 0. */
static int go_on(const contest *t, double limit, double more) {
  int yes = MPI_Wtime() - t->time->start + more < limit;
  return MPI_Bcast(&yes, 1, MPI_INT, 0, t->comm) == MPI_SUCCESS && yes;
}

/* Upper bound of the seconds to plan a candidate: memory for both arrays, and as many bytes of
 * buffers. */
static double guess_opening(const pfft3d_request *r, int ranks) {
  return 4 * pf_problem_bytes(&r->problem) / ranks / fresh;
}

/* Opens a candidate and runs it once, which touches pages and opens connections. */
static int enter(contest *t, pfft3d_candidate *c, pf_runner *r, double *first, pfft3d_error *e) {
  double began = MPI_Wtime();
  pf_progress();
  *r = (pf_runner){.plan = NULL};
  PF_TRY(pf_runner_open(t->comm, t->request, c, &t->common, r, e));
  double opening = MPI_Wtime() - began;
  if (!r->plan) return PFFT3D_OK;
  if (opening > t->opening) t->opening = opening;
  return pf_runner_time(t->comm, r, 1, first, e);
}

static int sample(const contest *t, pf_runner *r, double *seconds, pfft3d_error *e) {
  r->candidate->repeats++;
  return pf_runner_time(t->comm, r, t->times, seconds, e);
}

/* The first candidate becomes the best. */
static int begin(contest *t, pfft3d_candidate *c, pfft3d_error *e) {
  double first = 0, again = 0;
  PF_TRY(enter(t, c, &t->best, &first, e));
  if (!t->best.plan) return PFFT3D_OK;
  t->times = 1;
  PF_TRY(sample(t, &t->best, &again, e));
  t->seconds = again < first ? again : first;
  t->times = pf_runner_row(t->seconds);
  t->per_predicted = t->seconds / c->predicted;
  c->measured = t->seconds;
  return PFFT3D_OK;
}

/* First sample of a challenger; if it is cheap, the better of two, so that noise does not reject
 * the best candidate. */
static int first_sample(const contest *t, pf_runner *next, double *seconds, pfft3d_error *e) {
  double again;
  PF_TRY(sample(t, next, seconds, e));
  if (*seconds <= hopeless * t->seconds || t->times * *seconds > cheap) return PFFT3D_OK;
  PF_TRY(sample(t, next, &again, e));
  if (again < *seconds) *seconds = again;
  return PFFT3D_OK;
}

/* Alternating samples of both.  The better plan is kept. */
static int duel(contest *t, pf_runner *next, pfft3d_error *e) {
  double mine[SAMPLES], other[SAMPLES], ratio = 1;
  pfft3d_candidate *a = t->best.candidate, *b = next->candidate;
  int count = 0;
  for (; count < SAMPLES; count++) {
    if (count && !go_on(t, t->time->budget, t->opening + 2 * t->times * t->seconds * hopeless))
      break;
    PF_TRY((count ? sample : first_sample)(t, next, &other[count], e));
    if (!count && other[0] > hopeless * t->seconds) {
      b->measured = other[0];
      pf_runner_close(next);
      return PFFT3D_OK;
    }
    PF_TRY(sample(t, &t->best, &mine[count], e));
    ratio = pf_median(other, count + 1) / pf_median(mine, count + 1);
    double enough = clear[count > 0];
    if (ratio > enough || ratio * enough < 1) {
      count++;
      break;
    }
  }
  a->measured = t->seconds = pf_median(mine, count);
  b->measured = pf_median(other, count);
  int won = b->measured < a->measured;
  pf_runner_close(won ? &t->best : next);
  if (won) t->best = *next;
  t->seconds = t->best.candidate->measured;
  return PFFT3D_OK;
}

/* Adds candidates while time remains for them, for closing a plan, and for making the requested
 * plan. */
static void run_contest(contest *t, pfft3d_candidate *list, int count, int ranks, pfft3d_error *e) {
  double alone = guess_opening(t->request, ranks);
  int timed = 0;
  if (!go_on(t, t->time->budget, 3 * alone + 7 * list[0].predicted)) return;
  for (int i = 0; i < count && !e->status; i++) {
    pf_runner next;
    double seconds = 0, expected = t->per_predicted * list[i].predicted;
    if (!t->best.plan) {
      begin(t, &list[i], e);
      continue;
    }
    if (!go_on(t, t->time->budget, 2 * t->opening + 4 * expected)) break;
    if (timed++ && !go_on(t, t->time->enough, 0)) break;
    if (!enter(t, &list[i], &next, &seconds, e) && next.plan) duel(t, &next, e);
    if (e->status) pf_runner_close(&next);
  }
}

int pf_contest(MPI_Comm comm, const pfft3d_request *request, const pf_contest_time *time,
               pfft3d_candidate *list, int count, pfft3d_error *e) {
  contest t = {.comm = comm, .request = request, .time = time};
  int ranks;
  MPI_Comm_size(comm, &ranks);
  for (int i = 0; i < count; i++) list[i].measured = 0, list[i].repeats = 0;
  run_contest(&t, list, count, ranks, e);
  pf_runner_close(&t.best);
  pf_common_arrays_free(&t.common);
  if (!e->status) pf_candidates_sort(list, count);
  return e->status;
}
