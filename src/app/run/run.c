/* SPDX-License-Identifier: BSD-3-Clause
 * Runs: planning, executing, timing. */
#include "app/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/statistics.h"
#include "app/common/watch.h"
#include "device/device.h"

double run_max(const app *a, double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, a->comm);
  return value;
}

/* The number of ranks that hold nothing on at least one side. */
static int count_idle(const app *a, const pfft3d_plan *plan) {
  int idle = 0;
  for (int side = PFFT3D_SPACE; side <= PFFT3D_SPECTRUM; side++) {
    pfft3d_box b;
    pfft3d_plan_box(plan, (pfft3d_side)side, a->rank, &b);
    idle |= b.len[0] * b.len[1] * b.len[2] == 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, &idle, 1, MPI_INT, MPI_SUM, a->comm);
  return idle;
}

static int open_plan(const app *a, run *r, int arrays, pfft3d_error *e) {
  double start = MPI_Wtime();
  if (pfft3d_plan_create(a->comm, r->request, &r->plan, e)) return e->status;
  r->plan_s = run_max(a, MPI_Wtime() - start);
  pfft3d_plan_decision(r->plan, &r->decision);
  r->on_device = options_is_device(r->decision.engine);
  r->idle = count_idle(a, r->plan);
  for (int i = 0; i < arrays; i++)
    if (pfft3d_alloc(r->plan, &r->array[i], e)) return e->status;
  return PFFT3D_OK;
}

int run_open(const app *a, run *r, const pfft3d_request *request, int norm, int arrays,
             pfft3d_error *e) {
  char name[2 * NAME_SIZE];
  memset(r, 0, sizeof *r);
  r->request = request_copy(a, request);
  pfft3d_request_problem(r->request, &r->problem);
  request_normalize(r->request, norm, r->scale);
  watch_kick("planning");
  app_progress(a, "planning %s", request_label(r->request, name));
  MPI_Barrier(a->comm);
  if (open_plan(a, r, arrays, e)) run_close(r);
  return e->status;
}

void run_close(run *r) {
  for (int i = 0; i < 2 && r->plan; i++) pfft3d_free(r->plan, r->array[i]);
  pfft3d_plan_destroy(&r->plan);
  pfft3d_request_destroy(&r->request);
  memset(r, 0, sizeof *r);
}

pfft3d_precision run_wire(const run *r) {
  pfft3d_stats s;
  pfft3d_plan_stats(r->plan, PFFT3D_FORWARD, 0, &s, sizeof s);
  return s.wire;
}

double run_wire_error(const app *a, const pfft3d_stats *s) {
  double sum[PFFT3D_STAGES][2], error2 = 0;
  for (int k = 0; k < PFFT3D_STAGES; k++) {
    sum[k][0] = s->stage[k].wire_error2;
    sum[k][1] = s->stage[k].wire_norm2;
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum[0][0], 2 * PFFT3D_STAGES, MPI_DOUBLE, MPI_SUM, a->comm);
  for (int k = 0; k < PFFT3D_STAGES; k++) {
    if (!isfinite(sum[k][0])) return INFINITY;
    if (sum[k][0] > 0) error2 += sum[k][0] / sum[k][1];
  }
  return sqrt(error2);
}

const char *run_precision_name(pfft3d_precision p) {
  return p == PFFT3D_SINGLE ? "single" : "double";
}

/* Ends the run after a failure of this rank alone: ranks can no longer agree. */
static void check_alone(const app *a, const run *r, pfft3d_direction d, int status) {
  if (status && (status == PFFT3D_ERR_INTERNAL || !r->on_device))
    app_die(a, PFFT3D_ERR_INTERNAL, "the %s transform failed: %s",
            d == PFFT3D_FORWARD ? "forward" : "backward",
            status == PFFT3D_ERR_INTERNAL ? "an MPI call returned an error"
                                          : pfft3d_status_name(status));
}

/* Ranks with lost devices have finished their messages, so that all ranks are here. */
static void check_devices(const app *a, const run *r, pfft3d_direction d, int status) {
  pfft3d_error lost = {.status = PFFT3D_OK}, e = {.status = PFFT3D_OK};
  if (!r->on_device) return;
  if (status) pf_device_lost(&lost);
  if (status)
    app_note(&e, status, "the %s transform failed: %s",
             d == PFFT3D_FORWARD ? "forward" : "backward",
             lost.status ? lost.text : pfft3d_status_name(status));
  app_die_if_any(a, &e);
}

static void check_execution(const app *a, const run *r, pfft3d_direction d, int status) {
  check_alone(a, r, d, status);
  check_devices(a, r, d, status);
}

void run_execute(const app *a, const run *r, pfft3d_direction d, const void *in, void *out) {
  watch_kick("transforming");
  check_execution(a, r, d, pfft3d_execute(r->plan, d, in, out));
}

void run_multiplier(const app *a, const run *r, const double *const multiplier[3], const void *in,
                    void *out) {
  watch_kick("transforming");
  check_execution(a, r, PFFT3D_BACKWARD, pfft3d_execute_multiplier(r->plan, multiplier, in, out));
}

void run_factors(const app *a, const run *r, pfft3d_factors factors, void *context, const void *in,
                 void *out) {
  watch_kick("transforming");
  check_execution(a, r, PFFT3D_BACKWARD,
                  pfft3d_execute_factors(r->plan, factors, context, in, out));
}

void run_begin(const app *a, const run *r, pfft3d_direction d, const void *in) {
  watch_kick("transforming");
  check_execution(a, r, d, pfft3d_execute_begin(r->plan, d, in));
}

void run_between(const app *a, const run *ends, pfft3d_direction d, const run *begins,
                 pfft3d_between function, void *context, void *const arrays[2]) {
  watch_kick("transforming");
  check_execution(
      a, ends, d,
      pfft3d_execute_between(ends->plan, d, begins->plan, function, context, arrays[0], arrays[1]));
}

void run_end(const app *a, const run *r, pfft3d_direction d, void *out) {
  watch_kick("transforming");
  check_execution(a, r, d, pfft3d_execute_end(r->plan, d, out));
}

void run_repeat(const app *a, const run *r, timing *t, int rep) {
  double *phase = &t->phase[rep * RUN_PHASES];
  pfft3d_stats before, after;
  pfft3d_plan_stats(r->plan, t->direction, 0, &before, sizeof before);
  MPI_Barrier(a->comm);
  double start = MPI_Wtime();
  watch_kick("transforming");
  int status = pfft3d_execute(r->plan, t->direction, t->in, t->out);
  double done = MPI_Wtime();
  check_alone(a, r, t->direction, status);
  MPI_Barrier(a->comm);
  phase[RUN_SYNC] = MPI_Wtime() - done;
  t->seconds[rep] = done - start;
  check_devices(a, r, t->direction, status);
  pfft3d_plan_stats(r->plan, t->direction, 0, &after, sizeof after);
  phase[RUN_FFT] = after.fft_s - before.fft_s;
  phase[RUN_POST] = after.post_s - before.post_s;
  phase[RUN_WAIT] = after.wait_s - before.wait_s;
}

double run_measure(const app *a, const run *r, const timing *t, pfft3d_part part) {
  enum { TIMES = 3 };
  double s[TIMES];
  for (int i = 0; i < TIMES; i++) {
    watch_kick("measuring the parts of a transform");
    MPI_Barrier(a->comm);
    int status = pfft3d_plan_measure(r->plan, t->direction, part, t->in, t->out, &s[i]);
    check_alone(a, r, t->direction, status == PFFT3D_ERR_INTERNAL ? status : PFFT3D_OK);
    if (part == PFFT3D_PART_PASSES) check_devices(a, r, t->direction, status);
    /* too many elements for one call, or no memory for more arrays: the run itself is valid */
    if (status == PFFT3D_ERR_UNAVAILABLE || status == PFFT3D_ERR_MEMORY) return -1;
    if (status)
      app_die_together(a, status, "cannot measure a part of the transform: %s",
                       pfft3d_status_name(status));
    s[i] = run_max(a, s[i]);
  }
  return stat_median(s, TIMES);
}
