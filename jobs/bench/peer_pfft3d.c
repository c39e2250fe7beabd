/* SPDX-License-Identifier: BSD-3-Clause
 * pfft3d through its public header only. */
#include <stdio.h>
#include <stdlib.h>

#include "app/common/message.h"
#include "app/run/run.h"
#include "bench.h"

/* Contenders are opened in pairs: out of place and in place, which share a plan and two arrays; or
 * a batch and its fields one by one, with a plan each, and the latter with arrays for each field.
 */
enum { PAIR = 2, PARTS = 2 };

typedef struct opened {
  pfft3d_plan *plan;
  void *array[2][MOST_BATCH];
} opened;

/* Local. The request of a contender, which the caller destroys. */
static pfft3d_request *request_of(const bench *b, const way *w, int batch) {
  const int natural = is_line(b) ? w->dealing != BLOCK_SCRAMBLED : b->order == PFFT3D_NATURAL;
  const char *layout = w->dealing == CYCLIC_CYCLIC ? "cyclic" : "block";
  pfft3d_problem p = b->problem;
  pfft3d_request *r = NULL;
  char problem[128], how[160] = "decomp=slab", text[400];
  p.precision = w->precision;
  p.batch = batch;
  if (is_line(b))
    snprintf(how, sizeof how, "method=transpose layout=%s out-layout=%s", layout, layout);
  else if (w->grid[0])
    snprintf(how, sizeof how, "decomp=pencil grid=%dx%d", w->grid[0], w->grid[1]);
  snprintf(text, sizeof text, "%s %s exchange=%s engine=%s order=%s",
           pfft3d_problem_print(&p, problem, sizeof problem), how, w->algo, w->engine,
           natural ? "natural" : "transposed");
  pfft3d_error e;
  if (pfft3d_request_create(&r, &e) || pfft3d_request_parse(r, text, &e))
    app_die(&b->a, e.status, "%s", e.text);
  return r;
}

/* Bytes of a plan with `arrays` arrays on each side. */
static double plan_bytes(const bench *b, const way *w, int batch, int arrays) {
  pfft3d_request *r = request_of(b, w, batch);
  pfft3d_explanation x;
  int status = pfft3d_explain(r, b->a.ranks, &x, sizeof x, NULL);
  pfft3d_request_destroy(&r);
  if (status) return 0; /* the plan will report the reason */
  return 2 * arrays * x.user_bytes + x.work_bytes;
}

static double bytes(const bench *b, const way *w) {
  const double alone = plan_bytes(b, w, 1, w->batch);
  return w->batch > 1 ? alone + plan_bytes(b, w, w->batch, 1) : alone;
}

/* One transform for each array: a batch has one array for all fields. */
static int transform(contender *c, pfft3d_direction d) {
  const opened *o = c->state;
  const int calls = c->fields / c->batch;
  int status = 0;
  for (int k = 0; k < calls && !status; k++)
    status = pfft3d_execute(o->plan, d, c->array[d][k], c->array[!d][k]);
  return status;
}

/* A part by itself.  Its result is not used. */
static int run_part(contender *c, pfft3d_direction d) {
  const opened *o = c->state;
  return pfft3d_plan_measure(o->plan, d, c->part, c->array[d][0], c->array[!d][0], &c->part_s);
}

static void name(const bench *b, const way *w, const char *what, contender *c) {
  char grid[64] = "", ways[NAME];
  pfft3d_decision d;
  pfft3d_plan_decision(((const opened *)c->state)->plan, &d);
  if (w->grid[0]) snprintf(grid, sizeof grid, " %dx%d", d.grid[0], d.grid[1]);
  if (is_line(b)) snprintf(grid, sizeof grid, " %s", dealing_name[w->dealing]);
  const char *precision = w->precision == PFFT3D_SINGLE ? " single" : "";
  snprintf(ways, sizeof ways, "%.15s %.15s%s%s", d.algo, d.engine, grid, precision);
  snprintf(c->name, NAME, "pfft3d %.40s, %s", ways, what);
  if (b->opt.engines.count == 1) snprintf(ways, sizeof ways, "%.15s%s%s", d.algo, grid, precision);
  snprintf(c->series, NAME, "pfft3d %.40s", ways);
  snprintf(c->engine, sizeof c->engine, "%s", d.engine);
  for (int k = 0; k < 2; k++) c->grid[k] = is_line(b) ? (k ? 1 : b->a.ranks) : d.grid[k];
  for (int k = 0; k < 2; k++) c->split[k] = d.split[k];
  c->dealing = w->dealing;
}

static void describe(const bench *b, const way *w, int in_place, contender *c) {
  const opened *o = c->state;
  c->problem = b->problem;
  c->problem.precision = w->precision;
  c->line = is_line(b) ? o->plan : NULL;
  c->run = transform;
  for (int side = 0; side < 2; side++) {
    pfft3d_box *box = &c->box[side];
    pfft3d_plan_box(o->plan, (pfft3d_side)side, b->a.rank, box);
    const size_t field =
        (size_t)box->distance * pfft3d_element_bytes(&c->problem, (pfft3d_side)side);
    for (int k = 0; k < c->fields; k++)
      c->array[side][k] = c->batch > 1
                              ? (char *)o->array[in_place ? 0 : side][0] + (size_t)k * field
                              : o->array[in_place ? 0 : side][k];
  }
}

static void close_plan(opened *o) {
  if (!o) return;
  pfft3d_plan_destroy(&o->plan); /* and its arrays */
  free(o);
}

/* A plan for a batch with so many arrays on each side; NULL, with a line, on failure. */
static opened *open_plan(const bench *b, const way *w, int batch, int arrays, double *plan_s) {
  pfft3d_request *r = request_of(b, w, batch);
  opened *o = bench_alloc(b, sizeof *o);
  pfft3d_error e;
  double seconds = -MPI_Wtime();
  int status = pfft3d_plan_create(b->a.comm, r, &o->plan, &e);
  seconds += MPI_Wtime();
  pfft3d_request_destroy(&r);
  *plan_s = run_max(&b->a, seconds);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < arrays && !status; k++)
      status = pfft3d_alloc(o->plan, &o->array[side][k], &e);
  if (!status) return o;
  note(b, "pfft3d %s %s%s%s left out: %s", w->algo, w->engine, is_line(b) ? " " : "",
       is_line(b) ? dealing_name[w->dealing] : "", e.text);
  close_plan(o);
  return NULL;
}

static int open_way(const bench *b, const way *w, contender *c) {
  const int many = w->batch > 1;
  char what[NAME];
  for (int k = 0; k < PAIR; k++) {
    const int batch = k ? 1 : w->batch;
    c[k] = c[0];
    if (k == 0 || many) {
      c[k] = (contender){.fields = w->batch, .batch = batch};
      c[k].state = open_plan(b, w, batch, w->batch / batch, &c[k].plan_s);
    }
    if (!c[k].state) {
      if (k) close_plan(c[0].state);
      return 0;
    }
    describe(b, w, k && !many, &c[k]);
    if (many)
      snprintf(what, sizeof what, k ? "%d one by one" : "batch of %d", w->batch);
    else
      snprintf(what, sizeof what, k ? "in place" : "out of place");
    name(b, w, what, &c[k]);
  }
  if (many || !b->opt.overlap) return PAIR;
  for (int k = 0; k < PARTS; k++) {
    contender *part = &c[PAIR + k];
    *part = c[0];
    part->role = PART;
    part->part = k ? PFFT3D_PART_RAW_ALLTOALL : PFFT3D_PART_PASSES;
    part->run = run_part;
    name(b, w, k ? "bytes alone" : "passes alone", part);
  }
  return PAIR + PARTS;
}

static void counts(const bench *b, contender *c, pfft3d_direction d) {
  const opened *o = c->state;
  pfft3d_stats s;
  pfft3d_plan_stats(o->plan, d, 1, &s, sizeof s);
  c->result[d].passes = run_max(&b->a, s.passes);
  c->result[d].exchanges = (int)run_max(&b->a, s.exchanges);
}

static void close_way(contender *c) {
  if (c[1].state != c[0].state) close_plan(c[1].state);
  close_plan(c[0].state);
}

const peer peer_pfft3d = {.name = "pfft3d",
                          .word = "pfft3d",
                          .ways = 1,
                          .bytes = bytes,
                          .open = open_way,
                          .close = close_way,
                          .counts = counts};
