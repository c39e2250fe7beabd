/* SPDX-License-Identifier: BSD-3-Clause
 * Makes requests from options. */
#include "app/common/request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/common/message.h"

/* Sets a key to a number, unless the number is 0. */
static void set_number(pfft3d_request *r, const char *key, long long number, pfft3d_error *e) {
  char text[32];
  snprintf(text, sizeof text, "%lld", number);
  if (number && !e->status) pfft3d_request_set(r, key, text, e);
}

/* Sets a key to a text, unless it is NULL or empty. */
static void set_text(pfft3d_request *r, const char *key, const char *text, pfft3d_error *e) {
  if (text && text[0] && !e->status) pfft3d_request_set(r, key, text, e);
}

/* Prints all words of a request as one text. */
static void print_words(const run_spec *s, char *text, size_t size) {
  static const char *const distribution[] = {"block", "cyclic"};
  char problem[160], decision[256], layout[64] = "";
  if (s->problem.dims == 1)
    snprintf(layout, sizeof layout, " layout=%s out-layout=%s", distribution[s->layout[0]],
             distribution[s->layout[1]]);
  snprintf(text, size, "%s %s%s wire=%s deterministic=%s joined=%s plan-budget=%.17g",
           pfft3d_problem_print(&s->problem, problem, sizeof problem),
           pfft3d_decision_print(&s->decision, decision, sizeof decision), layout,
           s->wire == PFFT3D_SINGLE ? "single" : "same", s->deterministic ? "yes" : "no",
           s->joined ? "yes" : "no", s->plan_budget);
}

/* The request of this rank; NULL on failure. */
static pfft3d_request *make_here(const run_spec *s, pfft3d_error *e) {
  char text[640];
  pfft3d_request *r = NULL;
  pfft3d_error mine = {0};
  print_words(s, text, sizeof text);
  if (!pfft3d_request_create(&r, &mine)) pfft3d_request_parse(r, text, &mine);
  set_text(r, "cuts", s->cuts, &mine);
  set_text(r, "bricks", s->bricks, &mine);
  set_number(r, "threads", s->threads, &mine);
  if (s->device && !mine.status) {
    char number[16];
    snprintf(number, sizeof number, "%d", s->device - 1);
    set_text(r, "device", number, &mine);
  }
  set_number(r, "node-ranks", s->node_ranks, &mine);
  set_number(r, "max-count", s->max_count, &mine);
  if (!mine.status) pfft3d_request_machine(r, &s->machine, &mine);
  if (!mine.status) pfft3d_request_wisdom(r, s->wisdom, s->wisdom_required, &mine);
  if (!mine.status) pfft3d_request_scales(r, s->scale[0], s->scale[1], &mine);
  if (mine.status) pfft3d_request_destroy(&r);
  if (e) *e = mine;
  return r;
}

int request_make(MPI_Comm comm, const run_spec *s, pfft3d_request **r, pfft3d_error *e) {
  *r = make_here(s, e);
  int missing = e->status == PFFT3D_ERR_MEMORY;
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, comm);
  if (!missing) return e->status; /* invalid words are invalid on all ranks */
  pfft3d_request_destroy(r);
  return app_fail(e, PFFT3D_ERR_MEMORY, "no memory for a request");
}

int request_plan(MPI_Comm comm, const run_spec *s, pfft3d_plan **plan, pfft3d_error *e) {
  pfft3d_request *r;
  *plan = NULL;
  int status = request_make(comm, s, &r, e);
  if (!status) status = pfft3d_plan_create(comm, r, plan, e);
  pfft3d_request_destroy(&r);
  return status;
}

int request_explain(const run_spec *s, int ranks, pfft3d_explanation *x, pfft3d_error *e) {
  pfft3d_error mine;
  pfft3d_request *r = make_here(s, &mine);
  if (r) pfft3d_explain(r, ranks, x, sizeof *x, &mine);
  pfft3d_request_destroy(&r);
  if (e) *e = mine;
  return mine.status;
}

int request_explain_steps(const run_spec *s, int ranks, pfft3d_explained_step *list, int most) {
  pfft3d_request *r = make_here(s, NULL);
  int count = r ? pfft3d_explain_steps(r, ranks, list, most, NULL) : -1;
  pfft3d_request_destroy(&r);
  return count;
}

int request_explain_box(const run_spec *s, int ranks, pfft3d_side side, int rank, pfft3d_box *box) {
  pfft3d_error mine;
  pfft3d_request *r = make_here(s, &mine);
  int status = r ? pfft3d_explain_box(r, ranks, side, rank, box) : mine.status;
  pfft3d_request_destroy(&r);
  return status;
}

int request_candidates(const run_spec *s, int ranks, pfft3d_candidate *list, int most) {
  pfft3d_request *r = make_here(s, NULL);
  int count = r ? pfft3d_candidates(r, ranks, list, most) : -1;
  pfft3d_request_destroy(&r);
  return count;
}

void request_normalize(run_spec *r, int norm) {
  double n = pfft3d_problem_points(&r->problem);
  int backward = norm == NORM_BACKWARD, forward = norm == NORM_FORWARD;
  r->scale[PFFT3D_FORWARD] = forward ? 1 / n : norm == NORM_ORTHO ? 1 / sqrt(n) : 1;
  r->scale[PFFT3D_BACKWARD] = backward ? 1 / n : norm == NORM_ORTHO ? 1 / sqrt(n) : 1;
}

const char *request_norm(const run_spec *r) {
  static const char *const words[] = {"none", "backward", "forward", "ortho"};
  int scaled = (r->scale[PFFT3D_BACKWARD] < 1) + 2 * (r->scale[PFFT3D_FORWARD] < 1);
  return words[scaled];
}

/* Makes the request one for a line if --size was given. */
static void request_line(const options *o, run_spec *r) {
  if (!o->size) return;
  snprintf(r->decision.scheme, sizeof r->decision.scheme, "%s", o->method.name[0]);
  for (int side = PFFT3D_SPACE; side <= PFFT3D_SPECTRUM; side++) {
    int layout = o->layout[side];
    r->layout[side] =
        (pfft3d_distribution)(layout == LAYOUT_SAME ? o->layout[PFFT3D_SPACE] : layout);
  }
}

run_spec options_request(const options *o, const char *algo, const char *engine) {
  run_spec r = {.decision = {.scheme = "auto"}, .scale = {1, 1}};
  r.problem.dims = o->size ? 1 : 3;
  r.problem.kind = o->type == TYPE_AUTO ? PFFT3D_C2C : (pfft3d_kind)o->type;
  r.problem.precision = (pfft3d_precision)o->precision;
  const ptrdiff_t line[3] = {1, 1, o->size};
  memcpy(r.problem.n, o->size ? line : o->grid, sizeof line);
  r.problem.batch = (ptrdiff_t)o->batch;
  options_kinds(o->kind, &r.problem, NULL); /* the text has been checked */
  if (!o->size) options_keep(o->keep, &r.problem, NULL);
  r.problem.sign = o->sign;
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s", o->decomp);
  memcpy(r.decision.grid, o->pgrid, sizeof o->pgrid);
  r.decision.chunk = o->chunk;
  r.decision.local = options_given(o, "local") ? (pfft3d_local)(o->local + 1) : PFFT3D_LOCAL_USUAL;
  r.cuts = o->cuts;
  r.bricks = o->bricks;
  snprintf(r.decision.algo, sizeof r.decision.algo, "%s", algo);
  snprintf(r.decision.engine, sizeof r.decision.engine, "%s", engine);
  r.decision.order = (pfft3d_order)o->order;
  r.wire = (pfft3d_precision)o->wire;
  r.deterministic = o->deterministic;
  r.threads = (int)o->threads;
  r.device = (int)o->device + 1;
  r.node_ranks = (int)o->node_ranks;
  r.max_count = (ptrdiff_t)o->max_count;
  r.plan_budget = o->plan_budget;
  r.wisdom = o->known;
  r.wisdom_required = o->wisdom_required;
  r.machine = o->machine;
  request_line(o, &r);
  request_normalize(&r, o->norm);
  return r;
}

int options_requests(const options *o, run_spec *list, int most) {
  int methods = o->size ? o->method.count : 1, count = 0;
  for (int m = 0; m < methods; m++)
    for (int i = 0; i < o->algo.count; i++)
      for (int j = 0; j < o->engine.count && count < most; j++) {
        run_spec r = options_request(o, o->algo.name[i], o->engine.name[j]);
        if (o->size) snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s", o->method.name[m]);
        list[count++] = r;
      }
  return count;
}
