/* SPDX-License-Identifier: BSD-3-Clause
 * pfft3d as its users see it: through its public header only. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

enum { WAYS = 2 }; /* out of place and in place, with one plan */

typedef struct opened {
  pfft3d_plan *plan;
  void *array[2];
} opened;

static pfft3d_request request_of(const bench *b, const char *algo, const char *engine) {
  pfft3d_request r;
  pfft3d_request_init(&r);
  for (int a = 0; a < 3; a++) r.problem.n[a] = b->n[a];
  snprintf(r.decision.algo, sizeof r.decision.algo, "%s", algo);
  snprintf(r.decision.engine, sizeof r.decision.engine, "%s", engine);
  r.decision.order = b->order;
  return r;
}

double pfft3d_bytes(const bench *b, const char *algo, const char *engine) {
  const pfft3d_request r = request_of(b, algo, engine);
  pfft3d_explanation x;
  if (pfft3d_explain(&r, b->ranks, &x, NULL)) return 0; /* the plan will say why */
  return 2 * x.user_bytes + x.work_bytes;
}

static int run(contender *c, pfft3d_direction d) {
  const opened *o = c->state;
  return pfft3d_execute(o->plan, d, c->array[d], c->array[!d]);
}

static void describe(const bench *b, const opened *o, int in_place, contender *c) {
  pfft3d_decision d;
  pfft3d_plan_decision(o->plan, &d);
  c->family = PFFT3D;
  c->run = run;
  snprintf(c->engine, sizeof c->engine, "%s", d.engine);
  snprintf(c->name, NAME, "pfft3d %s %s, %s", d.algo, d.engine,
           in_place ? "in place" : "out of place");
  snprintf(c->series, NAME, b->opt.engines > 1 ? "pfft3d %s, %s" : "pfft3d %s", d.algo, d.engine);
  for (int k = 0; k < 2; k++) {
    c->array[k] = o->array[in_place ? 0 : k];
    pfft3d_plan_box(o->plan, (pfft3d_side)k, b->rank, &c->box[k]);
  }
}

int pfft3d_open(const bench *b, const char *algo, const char *engine, contender *c) {
  const pfft3d_request r = request_of(b, algo, engine);
  opened *o = bench_alloc(sizeof *o);
  pfft3d_error e;
  double seconds = -MPI_Wtime(), slowest;
  int status = pfft3d_plan_create(b->comm, &r, &o->plan, &e);
  seconds += MPI_Wtime();
  MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, b->comm);
  for (int k = 0; k < 2 && !status; k++) {
    status = pfft3d_alloc(o->plan, &o->array[k], &e);
    if (status && k) pfft3d_free(o->plan, o->array[0]);
  }
  if (status) {
    note(b, "pfft3d %s %s left out: %s", algo, engine, e.text);
    pfft3d_plan_destroy(&o->plan);
    free(o);
    return 0;
  }
  for (int k = 0; k < WAYS; k++) {
    c[k] = (contender){.plan_s = slowest, .state = o};
    describe(b, o, k, &c[k]);
  }
  return WAYS;
}

double pfft3d_passes(const bench *b, const contender *c, pfft3d_direction d) {
  const opened *o = c->state;
  pfft3d_stats s;
  double most;
  pfft3d_plan_stats(o->plan, d, 1, &s);
  MPI_Allreduce(&s.passes, &most, 1, MPI_DOUBLE, MPI_MAX, b->comm);
  return most;
}

void pfft3d_close(contender *c) {
  opened *o = c->state;
  for (int k = 0; k < 2; k++) pfft3d_free(o->plan, o->array[k]);
  pfft3d_plan_destroy(&o->plan);
  free(o);
}
