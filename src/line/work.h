/* SPDX-License-Identifier: BSD-3-Clause
 * The inside of a composite plan for a line. */
#ifndef PF_LINE_WORK_H
#define PF_LINE_WORK_H

#include "line/line.h"

typedef struct pf_line {
  pf_line_choice choice;
  ptrdiff_t n;
  double scale[2];
  pfft3d_plan *plan[PF_LINE_PLANS]; /* NULL if not needed */
  pf_line_chirp chirp;
  void *work[3]; /* of the largest size needed; the third for the butterfly only */
  int works;
  size_t work_bytes;
  pf_roots roots;           /* of n, for the butterfly */
  MPI_Request *request;     /* for its messages */
  pf_exchange pairs;        /* likewise */
  pf_message_count sent[2]; /* by the butterfly, by direction, since the last reset */
  double wait_s[2];
  double total_s[2], traffic[2]; /* by direction, since the last reset */
  long executions[2];
} pf_line;

/* One step of a direction: a plan, or an elementwise operation. */
typedef enum pf_line_action {
  PF_LINE_RUN,
  PF_LINE_WIDEN,
  PF_LINE_WEIGH,
  PF_LINE_NARROW,
  PF_LINE_CHIRP_IN,
  PF_LINE_KERNEL,
  PF_LINE_CHIRP_OUT,
  PF_LINE_HALVES, /* of the butterfly: all stages, before or after the local transform */
  PF_LINE_SWAP    /* with the rank of the reversed bits */
} pf_line_action;
typedef struct pf_line_step {
  pf_line_action action;
  pf_line_plan plan; /* of PF_LINE_RUN */
  pfft3d_direction direction;
} pf_line_step;

/** Local. Number of portions of a message of the butterfly; *portion: elements in all but the last
 * one. */
ptrdiff_t pf_butterfly_portions(ptrdiff_t elements, ptrdiff_t cap, ptrdiff_t *portion);

/** Local. The steps of a butterfly, as pf_line_steps(). */
int pf_butterfly_steps(const pf_line_choice *c, pfft3d_direction direction, pf_line_step step[]);

/** Local. The messages that a rank sends in such a step; the number of exchanges of it. */
pf_message_count pf_butterfly_count(const pf_line_choice *c, pf_line_action action, int rank,
                                    size_t element, ptrdiff_t cap);
int pf_butterfly_exchanges(const pf_line_choice *c, pf_line_action action);

/** Collective on p->comm. Runs PF_LINE_HALVES or PF_LINE_SWAP of a direction from one buffer to
 *  another.  Returns an MPI error code. */
int pf_butterfly_run(pfft3d_plan *p, pfft3d_direction direction, pf_line_action action,
                     const char *from, char *to);

/** Collective. As in pf_composite. */
int pf_line_run(pfft3d_plan *p, pfft3d_direction direction, const void *in, void *out,
                int exchange);
void pf_line_stats(pfft3d_plan *p, pfft3d_direction direction, int reset, pfft3d_stats *stats);
int pf_line_raw(pfft3d_plan *p, pfft3d_direction direction, double *seconds);

/** Local. The steps of a direction, in order; returns their number. */
enum { PF_LINE_STEPS = 10 };
int pf_line_steps(const pf_line_choice *c, pfft3d_kind kind, pfft3d_direction direction,
                  pf_line_step step[PF_LINE_STEPS]);

#endif
