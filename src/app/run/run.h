/* SPDX-License-Identifier: BSD-3-Clause
 * One plan with its arrays, its timed execution, and its entry in the report. */
#ifndef PF_APP_RUN_RUN_H
#define PF_APP_RUN_RUN_H

#include <jansson.h>

#include "app/common/request.h"
#include "app/common/app.h"

typedef struct run {
  pfft3d_request *request; /* with its scales */
  pfft3d_problem problem;
  pfft3d_decision decision;
  pfft3d_plan *plan;
  void *array[2];  /* each can hold either side; array[1] is NULL if only one was requested */
  double scale[2]; /* by pfft3d_direction */
  double plan_s;   /* maximum over ranks */
  int idle;        /* ranks without elements on some side */
  int on_device;   /* its engine is for devices */
} run;

/* The phases of a repeat: passes, posting messages, waiting for messages, and waiting for the
 * slowest rank. */
enum { RUN_FFT, RUN_POST, RUN_WAIT, RUN_SYNC, RUN_PHASES };

/* Repeats of one direction of a run. */
typedef struct timing {
  pfft3d_direction direction;
  int reps;
  const void *in; /* the arrays; they may be the same */
  void *out;
  double *seconds; /* of each repeat on this rank */
  double *phase;   /* RUN_PHASES of each repeat on this rank */
  double passes;   /* seconds of the passes only, maximum over ranks; < 0: not measured */
  double raw;      /* as passes, of an MPI_Alltoall of the same bytes */
} timing;

/** Collective on a->comm. Plans a copy of the request, normalised by a NORM_..., and allocates
 *  `arrays` (1 or 2) arrays.  Errors, in @p e: those of pfft3d_plan_create() and pfft3d_alloc();
 *  nothing is left then. */
int run_open(const app *a, run *r, const pfft3d_request *request, int norm, int arrays,
             pfft3d_error *e);

/** Collective on a->comm. Frees the result of run_open(); *r may be all zero. */
void run_close(run *r);

/** Local. The precision of data sent between ranks. */
pfft3d_precision run_wire(const run *r);

/** Collective on a->comm. The relative error of the results of a direction due to rounding of sent
 *  data since the statistics were reset; infinite if values overflowed. */
double run_wire_error(const app *a, const pfft3d_stats *s);

/** Collective on a->comm. {"wire", "wire_error"} of a forward transform and a backward one: the
 *  root of the sum of their squared errors, null without single precision between ranks. */
json_t *run_wire_report(const app *a, const run *r);

/** Local. The name of a precision. */
const char *run_precision_name(pfft3d_precision p);

/** Collective on a->comm. The largest of the values of all ranks. */
double run_max(const app *a, double value);

/** Collective on a->comm. One transform. A failure ends the program, as the communicator is then
 *  unusable. */
void run_execute(const app *a, const run *r, pfft3d_direction d, const void *in, void *out);

/** Collective on a->comm. As run_execute(): a backward transform with a multiplier. */
void run_multiplier(const app *a, const run *r, const double *const multiplier[3], const void *in,
                    void *out);

/** Collective on a->comm. As run_execute(), with factors from a function. */
void run_factors(const app *a, const run *r, pfft3d_factors factors, void *context, const void *in,
                 void *out);

/** Collective on a->comm. As run_execute(), for the parts of a transform.  run_between() ends the
 *  transform that @p ends has begun in direction @p d, and begins one of @p begins in the other. */
void run_begin(const app *a, const run *r, pfft3d_direction d, const void *in);
void run_between(const app *a, const run *ends, pfft3d_direction d, const run *begins,
                 pfft3d_between function, void *context, void *const arrays[2]);
void run_end(const app *a, const run *r, pfft3d_direction d, void *out);

/** Collective on a->comm. Runs and times repeat number `rep`, between barriers. */
void run_repeat(const app *a, const run *r, timing *t, int rep);

/** Collective on a->comm. Seconds of a part of the transform by itself, median of three, maximum
 * over ranks; < 0 if it cannot be measured.  The contents of t->out are undefined afterwards. */
double run_measure(const app *a, const run *r, const timing *t, pfft3d_part part);

/** Collective on a->comm. The entry of "runs" for one direction of a run: decision, reason,
 *  times, phases, messages, memory. The caller owns it and adds "check". */
json_t *run_report(const app *a, const run *r, const timing *t);

/** Collective on a->comm. {"min", "median", "mean", "max", "reps"} of the seconds of each repeat,
 *  the maximum over ranks; *middle returns the median. */
json_t *run_times(const app *a, const double *seconds, int reps, double *middle);

/** Collective on a->comm. Figures of one execution of a direction, which took `seconds`, for an
 *  entry of "runs": "messages", "exchange", "memory", "passes", "stages" and others. The caller
 *  owns them. */
json_t *run_figures(const app *a, const run *r, const timing *t, const pfft3d_stats *s,
                    double seconds);

/** Collective on a->comm. {NAME: {"min", "mean", "max", "max_rank", "median"}} of `count` phases of
 *  t->reps repeats, t->phase[repeat * count + phase]: the mean over the repeats, with its spread
 * over ranks, and the mean over ranks in the repeat of median time. */
json_t *run_phases(const app *a, const timing *t, const char *const *names, int count);

/** Collective on a->comm. {"min", "mean", "max", "max_rank"} of one number per rank. */
json_t *run_spread(const app *a, double value);

/** Local. "decomp", "algo", "engine", "order", "direction", "decision", "pgrid" of a decision. */
json_t *run_describe(const pfft3d_decision *d, pfft3d_direction direction);

/** Local. The convention by which GFLOP/s are counted, "5 n log2 n" or half of it for real
 *  fields; and the operations of a whole batch. */
const char *run_flops_name(const pfft3d_problem *p);
double run_flops(const pfft3d_problem *p);

#endif
