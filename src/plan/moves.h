/* SPDX-License-Identifier: BSD-3-Clause
 * The redistributions of a composite plan, between the arrays of its caller and those of the plan
 * inside: their runs and statistics, and what is said about them without MPI. */
#ifndef PF_PLAN_MOVES_H
#define PF_PLAN_MOVES_H

#include "plan/plan.h"
#include "plan/redist.h"

enum { PF_MOVES = 4 };
typedef struct pf_moves {
  pfft3d_redist *redist[PF_MOVES]; /* NULL: not needed */
  pfft3d_stats own[2]; /* theirs, by direction of the plan, since the last reset; stage k
                          has the rounding of redist[k] */
} pf_moves;

/* One of them in a run of a plan: forward is from the caller's array to the one inside. */
typedef struct pf_moves_step {
  int which;
  pfft3d_direction way;
} pf_moves_step;

/** Collective on the plan's comm. Runs one of them; the status is that of
 *  pfft3d_redist_execute(). */
int pf_moves_run(pf_moves *m, pfft3d_direction direction, pf_moves_step step, const void *in,
                 void *out);

/** Local. Adds all of a direction to the statistics of the plan inside: @p exchanges of them, the
 *  time of the whole run, and their buffers.  p->geometry has the caller's arrays. */
void pf_moves_stats(const pfft3d_plan *p, pf_moves *m, pfft3d_direction direction, int exchanges,
                    pfft3d_stats *stats);

/** Collective. Adds the seconds of one of them, as pf_pipeline_raw(). */
int pf_moves_raw(const pf_moves *m, pf_moves_step step, double *seconds);

void pf_moves_free(pf_moves *m);

/* One of them in a dry run. */
typedef struct pf_moves_dry {
  pf_parts parts[2]; /* of the caller, of the plan inside */
  pf_pieces pieces[2];
  ptrdiff_t *sums;
  pf_exchange_memory memory;
  double copied; /* bytes that this rank reads and writes to fill and to read blocks */
  double buffers;
} pf_moves_dry;

/** Local. Room for @p count parts of each rank of g on both sides, which the caller fills.  Errors:
 *  MEMORY; freed by pf_moves_dry_free() in any case. */
int pf_moves_dry_open(const pf_geometry *g, int count, pf_moves_dry *m, pfft3d_error *e);

/** Local. The figures of rank g->rank for elements of @p size bytes in messages; @p twice: what
 * stays on a rank goes through a buffer.  Errors: MEMORY. */
int pf_moves_dry_measure(pf_moves_dry *m, size_t size, int twice, pfft3d_error *e);
void pf_moves_dry_free(pf_moves_dry *m);

#endif
