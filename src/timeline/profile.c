/* SPDX-License-Identifier: BSD-3-Clause
 * What a rank does during a call: of the events that contain a moment the innermost one says it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline.h"

enum { DEPTH = 16 };

/* Times at which messages of this rank are on their way: periods that do not overlap, ascending. */
typedef struct periods {
  double (*of)[2];
  ptrdiff_t count, at; /* at: the first that has not ended */
} periods;

typedef struct profiling {
  periods busy;
  double begin, each; /* of the first column; seconds of a column */
  int columns;
  double *share; /* seconds of each state in each column; then seconds with messages */
  pf_profile *p;
} profiling;

/* ---- messages ---- */

static int by_begin(const void *a, const void *b) {
  const double *x = a, *y = b;
  return x[0] < y[0] ? -1 : x[0] > y[0];
}

static int find_periods(const pf_record *r, double begin, double end, periods *q) {
  *q = (periods){.of = malloc((size_t)(r->travels + 1) * sizeof *q->of)};
  ptrdiff_t last = -1, count = 0;
  if (!q->of) return 0;
  for (ptrdiff_t i = 0; i < r->travels; i++) {
    const pf_travel *m = &r->travel[i];
    if (m->end <= begin || m->begin >= end) continue;
    q->of[count][0] = fmax(m->begin, begin);
    q->of[count++][1] = fmin(m->end, end);
  }
  qsort(q->of, (size_t)count, sizeof *q->of, by_begin);
  for (ptrdiff_t i = 0; i < count; i++) {
    if (last >= 0 && q->of[i][0] <= q->of[last][1])
      q->of[last][1] = fmax(q->of[last][1], q->of[i][1]);
    else
      memmove(q->of[++last], q->of[i], sizeof *q->of);
  }
  q->count = last + 1;
  return 1;
}

/* ---- stretches of time ---- */

/* Adds a stretch, in one state, with or without messages, to the sums and the columns. */
static void add_even(profiling *x, double begin, double end, pf_state state, int busy) {
  x->p->seconds[busy][state] += end - begin;
  int k = (int)((begin - x->begin) / x->each);
  for (double at = begin; at < end && k < x->columns; k++) {
    double next = fmin(x->begin + (k + 1) * x->each, end);
    if (k < 0 || !(next > at)) continue; /* rounded down */
    double *share = x->share + (size_t)k * (PF_STATES + 1);
    share[state] += next - at;
    if (busy) share[PF_STATES] += next - at;
    at = next;
  }
}

/* Adds a stretch in one state; stretches ascend. */
static void add(profiling *x, double begin, double end, pf_state state) {
  periods *q = &x->busy;
  while (begin < end) {
    while (q->at < q->count && q->of[q->at][1] <= begin) q->at++;
    const double *of = q->at < q->count ? q->of[q->at] : (const double[2]){INFINITY, INFINITY};
    int busy = of[0] <= begin;
    double next = fmin(end, busy ? of[1] : of[0]);
    add_even(x, begin, next, state, busy);
    begin = next;
  }
}

static pf_state state_of(const pf_event *e, pf_state outer) {
  int stage = e->kind == PF_EVENT_STAGE ? e->number : e->detail;
  switch (e->kind) {
    case PF_EVENT_CALL: return PF_STATE_OTHER;
    case PF_EVENT_STEP:
      return e->number == PF_EVENT_PIPELINE ? PF_STATE_OTHER
             : e->number == PF_EVENT_EDGES  ? PF_STATE_WAIT
                                            : PF_STATE_LOCAL;
    case PF_EVENT_STAGE:
    case PF_EVENT_PLANES: return (pf_state)(PF_STATE_STAGE + (stage < 3 ? stage : 3));
    case PF_EVENT_FUNCTION: return PF_STATE_FUNCTION;
    case PF_EVENT_POST:
    case PF_EVENT_SEND: return PF_STATE_POST;
    case PF_EVENT_WAIT: return PF_STATE_WAIT;
    case PF_EVENT_BARRIER: return PF_STATE_BARRIER;
    default: return outer;
  }
}

/* Events that contain the present moment, the innermost last. */
typedef struct nest {
  double end[DEPTH], now;
  pf_state state[DEPTH];
  int depth;
} nest;

/* Time passes until `to`. */
static void pass(profiling *x, nest *n, double to) {
  while (n->depth && n->end[n->depth - 1] <= to) {
    add(x, n->now, n->end[n->depth - 1], n->state[n->depth - 1]);
    n->now = fmax(n->now, n->end[n->depth - 1]);
    n->depth--;
  }
  if (n->depth) add(x, n->now, to, n->state[n->depth - 1]);
  n->now = fmax(n->now, to);
}

static void walk(profiling *x, const pf_record *r, int call) {
  ptrdiff_t first = r->call[call];
  const pf_event *whole = &r->event[first];
  nest n = {.now = whole->begin};
  for (ptrdiff_t i = first; i < r->count && r->event[i].begin < whole->end; i++) {
    const pf_event *e = &r->event[i];
    if (i > first && e->kind == PF_EVENT_CALL) break;
    if (e->end <= e->begin || n.depth == DEPTH) continue;
    pass(x, &n, e->begin);
    double limit = n.depth ? n.end[n.depth - 1] : e->end;
    n.state[n.depth] = state_of(e, n.depth ? n.state[n.depth - 1] : PF_STATE_OTHER);
    n.end[n.depth++] = fmin(e->end, limit);
  }
  pass(x, &n, whole->end);
}

/* ---- columns ---- */

/* The state that fills most of a column. */
static void choose(const profiling *x) {
  for (int k = 0; k < x->columns; k++) {
    const double *share = x->share + (size_t)k * (PF_STATES + 1);
    int most = -1;
    for (int s = 0; s < PF_STATES; s++)
      if (share[s] > (most < 0 ? 0 : share[most])) most = s;
    x->p->state[k] = (unsigned char)(most + 1);
    x->p->travels[k] = share[PF_STATES] > x->each / 2;
  }
}

int pf_profile_make(const pf_record *r, int call, double begin, double each, int columns,
                    pf_profile *p, pfft3d_error *e) {
  const pf_event *whole = &r->event[r->call[call]];
  profiling x = {.begin = begin, .each = each, .columns = columns, .p = p};
  memset(p->seconds, 0, sizeof p->seconds);
  x.share = calloc((size_t)columns * (PF_STATES + 1), sizeof *x.share);
  if (!find_periods(r, whole->begin, whole->end, &x.busy) || !x.share) {
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for the drawing of a timeline");
  } else {
    walk(&x, r, call);
    choose(&x);
  }
  free(x.share);
  free(x.busy.of);
  return e->status;
}
