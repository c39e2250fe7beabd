/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder of a timeline: what a rank did, and when, in a buffer that is allocated once.  One
 * thread records, the one that makes the calls: so nothing is locked.  An event takes a reading of
 * the clock or two and 32 bytes; when the buffer is full, events are counted only. */
#ifndef PF_BASE_TIMELINE_H
#define PF_BASE_TIMELINE_H

#include <stddef.h>

#include "base/clock.h"
#include "base/status.h"

typedef enum pf_event_kind {
  PF_EVENT_CALL,     /* a call of the library that transforms; detail: pf_call, number: of the plan,
                        bytes: number of events inside that were left out */
  PF_EVENT_CLOCK,    /* behind each of them: the same times by MPI_Wtime() */
  PF_EVENT_STEP,     /* of a plan with several; number: pf_event_step */
  PF_EVENT_STAGE,    /* number: of the stage, bytes: its axes, see pf_event_axes() */
  PF_EVENT_PLANES,   /* number: the first plane, bytes: how many at once, detail: the stage */
  PF_EVENT_FUNCTION, /* of the caller, between two transforms; as PF_EVENT_PLANES */
  PF_EVENT_POST,     /* messages are started and driven */
  PF_EVENT_WAIT,     /* for data, or for the end of sends */
  PF_EVENT_BARRIER,  /* in shared memory */
  PF_EVENT_SEND,     /* a message is started; number: the other rank, in the exchange's numbers */
  PF_EVENT_RECEIVE   /* a message has arrived, as this rank noticed at `begin` = `end` */
} pf_event_kind;

typedef enum pf_event_step {
  PF_EVENT_PIPELINE,
  PF_EVENT_EDGES,
  PF_EVENT_REDIST,
  PF_EVENT_LOCAL
} pf_event_step;

/* detail of a call: this, plus the direction (of the run that ends, for PF_CALL_BETWEEN). */
typedef enum pf_call {
  PF_CALL_EXECUTE = 0,
  PF_CALL_BEGIN = 2,
  PF_CALL_BETWEEN = 4,
  PF_CALL_END = 6
} pf_call;

typedef struct pf_event {
  double begin, end; /* by pf_clock() */
  double bytes;
  int number;
  unsigned char kind, detail; /* detail of a message: its part, which has a tag of its own */
  unsigned short exchange;    /* of a message: number of its exchange in the timeline */
} pf_event;

/* The clock of this rank against that of rank 0. */
typedef struct pf_timeline_clock {
  double at, offset; /* by MPI_Wtime(): `offset` is to be added to its value `at` */
  double error;      /* half of the shortest round trip */
} pf_timeline_clock;

typedef struct pfft3d_timeline {
  MPI_Comm comm;
  int rank, ranks;
  int users;  /* the caller, and plans that record */
  char *file; /* to be written */
  pf_event *event;
  ptrdiff_t room, count;
  double left_out;
  char **plan; /* the texts of the plans that were recorded */
  int plans;
  int **rank_of; /* of each exchange: the ranks in the timeline of its ranks */
  int exchanges;
  pf_timeline_clock start; /* measured at the beginning */
} pf_timeline;

/** Local. Frees the timeline after its last user. */
void pf_timeline_drop(pf_timeline *t);

/** Local. Adds a plan with this text, and an exchange between the ranks of @p comm, which may be
 *  MPI_COMM_NULL; their numbers are t->plans - 1 and t->exchanges - 1 then, the same on all ranks.
 *  Errors: MEMORY; INTERNAL; USAGE for ranks that have no part in the timeline. */
int pf_timeline_add_plan(pf_timeline *t, const char *text, pfft3d_error *e);
int pf_timeline_add_exchange(pf_timeline *t, MPI_Comm comm, pfft3d_error *e);

/** Local. The clock, if there is a timeline; else 0. */
static inline double pf_timeline_now(const pf_timeline *t) {
  return t ? pf_clock() : 0;
}

/** Local. Adds an event. */
static inline void pf_timeline_add(pf_timeline *t, const pf_event *e) {
  if (t->count < t->room)
    t->event[t->count++] = *e;
  else
    t->left_out++;
}

/** Local. Begins an event that will have others inside, and ends it: so it is recorded before the
 *  buffer becomes full.  Returns its index; -1 if it is left out or there is no timeline. */
ptrdiff_t pf_timeline_open(pf_timeline *t, const pf_event *e);
static inline void pf_timeline_close(pf_timeline *t, ptrdiff_t index, double end) {
  if (index >= 0) t->event[index].end = end;
}

/** Local. Begins and ends a call of plan number @p plan. */
ptrdiff_t pf_timeline_call(pf_timeline *t, int plan, int detail);
void pf_timeline_return(pf_timeline *t, ptrdiff_t index);

/** Local. Axes "21" as a number, and back: digits of a number to the base 4, each the axis + 1. */
double pf_event_axes(const int *axis, int axes);

#endif
