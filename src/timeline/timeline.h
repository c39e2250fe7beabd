/* SPDX-License-Identifier: BSD-3-Clause
 * What becomes of a recorded timeline: the events of each rank in the time of rank 0, the messages
 * with both of their ends, and the files. */
#ifndef PF_TIMELINE_TIMELINE_H
#define PF_TIMELINE_TIMELINE_H

#include <stdio.h>

#include "base/timeline.h"

/* A message that this rank sent or received, from its start by the sender until the receiver
 * noticed that it was there. */
typedef struct pf_travel {
  double begin, end, bytes;
  int other, received; /* the other rank; nonzero if this rank received it */
} pf_travel;

/* The events of this rank: seconds since the first one of all ranks, by the clock of rank 0,
 * sorted; of two that begin together the longer one first.  Other ranks have their numbers in the
 * timeline.
 */
typedef struct pf_record {
  const pf_timeline *t;
  pf_event *event;
  ptrdiff_t count;
  ptrdiff_t *call; /* the events that are calls, in the order in which they were made */
  int calls;
  pf_travel *travel;
  ptrdiff_t travels;
  double origin;      /* by the clock of rank 0 */
  double clock_error; /* seconds, of the rank with the largest */
} pf_record;

/** Collective on t->comm. Measures the clock of this rank against that of rank 0.  Errors:
 *  INTERNAL. */
int pf_timeline_measure(const pf_timeline *t, pf_timeline_clock *c, pfft3d_error *e);

/** Collective on t->comm. The record of a timeline, for pf_record_free(), also after
 * an error.  Errors, agreed: MEMORY, INTERNAL. */
int pf_record_make(const pf_timeline *t, pf_record *r, pfft3d_error *e);
void pf_record_free(pf_record *r);

/** Collective on r->t->comm. Fills in r->travel.  Errors, agreed: MEMORY, INTERNAL. */
int pf_record_travels(pf_record *r, pfft3d_error *e);

/** Local. The name of an event, for people. */
const char *pf_event_name(const pf_event *event, char text[48]);

/** Collective on r->t->comm. Writes the record to @p f, which only rank 0 has.  Errors on single
 *  ranks, not agreed: MEMORY, INTERNAL. */
int pf_timeline_json(const pf_record *r, FILE *f, pfft3d_error *e);
int pf_timeline_svg(const pf_record *r, FILE *f, pfft3d_error *e);

/* ---- for drawings ---- */

/* A call that is drawn, and when the first rank began it and the last one ended it. */
enum { PF_PANELS = 24 };
typedef struct pf_panel {
  int call;
  double begin, end;
} pf_panel;
typedef struct pf_panels {
  pf_panel panel[PF_PANELS];
  int count, left_out;
} pf_panels;

/** Collective on r->t->comm. The calls to be drawn, one of each plan, direction and part of a
 *  transform.  Errors, agreed: MEMORY, INTERNAL. */
int pf_panels_find(const pf_record *r, pf_panels *p, pfft3d_error *e);

/* What a rank does at a time. */
typedef enum pf_state {
  PF_STATE_OTHER,
  PF_STATE_POST,
  PF_STATE_WAIT,
  PF_STATE_BARRIER,
  PF_STATE_FUNCTION,
  PF_STATE_LOCAL, /* a step that is no pipeline */
  PF_STATE_STAGE, /* and the following ones: stages 0, 1, 2, and all others */
  PF_STATES = PF_STATE_STAGE + 4
} pf_state;

/** Local. Nonzero if a rank computes in a state. */
static inline int pf_state_computes(pf_state s) {
  return s >= PF_STATE_FUNCTION;
}

/* A call on this rank: seconds in each state, [1]: while messages to or from this rank are on their
 * way, [0]: while none is.  For equal parts of time: 1 + the state that fills most of it, 0: none;
 * nonzero if messages are on their way for most of it. */
typedef struct pf_profile {
  double seconds[2][PF_STATES];
  unsigned char *state, *travels;
} pf_profile;

/** Local. Profile of call number @p call, for columns of @p each seconds; the arrays of *p have
 *  @p columns bytes.  Errors: MEMORY. */
int pf_profile_make(const pf_record *r, int call, double begin, double each, int columns,
                    pf_profile *p, pfft3d_error *e);

#endif
