/* SPDX-License-Identifier: BSD-3-Clause
 * The events of this rank in the time of rank 0.  Inside a call times are those of pf_clock(); both
 * ends of a call are known by MPI_Wtime(), too, whose distance from rank 0's was measured at the
 * beginning and now. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline.h"

/* Where both measurements agree within their errors, the more precise one holds for all of the
 * time: a busy machine may spoil one of them. */
static void choose(pf_timeline_clock c[2]) {
  int better = c[1].error < c[0].error;
  if (fabs(c[1].offset - c[0].offset) > c[0].error + c[1].error) return;
  c[!better].offset = c[better].offset;
  c[!better].error = c[better].error;
}

/* Rank 0's time at a value of MPI_Wtime() here. */
static double time_of_all(const pf_timeline_clock c[2], double mine) {
  double span = c[1].at - c[0].at, share = span > 0 ? (mine - c[0].at) / span : 0;
  return mine + c[0].offset + share * (c[1].offset - c[0].offset);
}

/* Times of a call: by pf_clock() here, and rank 0's. */
typedef struct span {
  double here, there, rate;
} span;

/* Short calls say nothing about the rate of MPI_Wtime(), which may count microseconds. */
static span span_of(const pf_event call[2], const pf_timeline_clock c[2]) {
  static const double least = 1e-3;
  double here = call[0].end - call[0].begin;
  span s = {call[0].begin, time_of_all(c, call[1].begin), 1};
  if (here > least) s.rate = (time_of_all(c, call[1].end) - s.there) / here;
  return s;
}

static int by_time(const void *a, const void *b) {
  const pf_event *x = a, *y = b;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  if (x->end != y->end) return x->end > y->end ? -1 : 1;
  return x->kind < y->kind ? -1 : x->kind > y->kind;
}

/* Copies the events. */
static void convert(pf_record *r, const pf_timeline_clock c[2]) {
  const pf_timeline *t = r->t;
  span now = {0, 0, 1};
  for (ptrdiff_t i = 0; i < t->count; i++) {
    pf_event e = t->event[i];
    if (e.kind == PF_EVENT_CLOCK) continue;
    if (e.kind == PF_EVENT_CALL) now = span_of(&t->event[i], c);
    if (e.end < e.begin) e.end = e.begin; /* it has not ended */
    e.begin = now.there + now.rate * (e.begin - now.here);
    e.end = now.there + now.rate * (e.end - now.here);
    if (e.kind == PF_EVENT_SEND || e.kind == PF_EVENT_RECEIVE)
      e.number = t->rank_of[e.exchange][e.number];
    r->event[r->count++] = e;
  }
}

static void sort(pf_record *r) {
  qsort(r->event, (size_t)r->count, sizeof *r->event, by_time);
  for (ptrdiff_t i = 0; i < r->count; i++) {
    r->event[i].begin -= r->origin;
    r->event[i].end -= r->origin;
    if (r->event[i].kind == PF_EVENT_CALL) r->call[r->calls++] = i;
  }
}

int pf_record_make(const pf_timeline *t, pf_record *r, pfft3d_error *e) {
  pf_timeline_clock c[2] = {t->start};
  *r = (pf_record){.t = t};
  if (pf_timeline_measure(t, &c[1], e)) return e->status;
  choose(c);
  size_t calls = 1;
  for (ptrdiff_t i = 0; i < t->count; i++) calls += t->event[i].kind == PF_EVENT_CALL;
  r->event = malloc((size_t)(t->count + 1) * sizeof *r->event);
  r->call = malloc(calls * sizeof *r->call);
  if (!r->event || !r->call) pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a timeline's events");
  PF_TRY(pf_agree(t->comm, e));
  convert(r, c);
  /* the first event, and the larger error of both measurements */
  double first = r->count ? r->event[0].begin : 1e300;
  double most[2] = {-first, c[0].error > c[1].error ? c[0].error : c[1].error};
  int code = MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, t->comm);
  r->origin = -most[0];
  r->clock_error = most[1];
  sort(r);
  if (pf_mpi(e, code, "MPI_Allreduce")) return e->status;
  return pf_record_travels(r, e);
}

void pf_record_free(pf_record *r) {
  free(r->event);
  free(r->call);
  free(r->travel);
  *r = (pf_record){0};
}

/* ---- names ---- */

static const char *call_name(int detail, char text[48]) {
  static const char *const what[] = {"", "begin ", "between ", "end "};
  int backward = detail % 2;
  if (detail / 2 == 2) /* named by the transforms that end and begin */
    snprintf(text, 48, "%s, then %s", backward ? "backward" : "forward",
             backward ? "forward" : "backward");
  else
    snprintf(text, 48, "%s%s", what[detail / 2], backward ? "backward" : "forward");
  return text;
}

static const char *stage_name(const pf_event *event, char text[48]) {
  char axes[8] = "";
  int count = 0;
  for (int code = (int)event->bytes; code && count < 6; code /= 4, count++) {
    memmove(axes + 1, axes, sizeof axes - 2);
    axes[0] = (char)('0' + code % 4 - 1);
  }
  snprintf(text, 48, count ? "stage %d: %s %s" : "stage %d: %s%s", event->number,
           count > 1    ? "axes"
           : count == 1 ? "axis"
                        : "data is moved",
           axes);
  return text;
}

const char *pf_event_name(const pf_event *event, char text[48]) {
  static const char *const step[] = {"pipeline", "rows on two ranks", "redistribution",
                                     "work on elements"};
  static const char *const name[] = {"",     "",     "",        "",     "planes", "function",
                                     "post", "wait", "barrier", "send", "receive"};
  if (event->kind == PF_EVENT_CALL) return call_name(event->detail, text);
  if (event->kind == PF_EVENT_STAGE) return stage_name(event, text);
  if (event->kind == PF_EVENT_STEP) return step[event->number];
  return name[event->kind];
}
