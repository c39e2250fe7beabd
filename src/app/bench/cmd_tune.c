/* SPDX-License-Identifier: BSD-3-Clause
 * tune: times all candidates that the options allow, and stores the fastest as wisdom. Candidates
 * are timed in the order of the model, in groups whose repeats alternate and whose arrays fit into
 * memory together. The best of all groups are timed once more together, so that a temporary
 * slowdown does not decide. Both orders of a spectrum are tuned, unless the options name one: bench
 * and the library have different defaults. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/progress.h"
#include "app/common/request.h"
#include "app/common/watch.h"
#include "app/common/wisdom.h"
#include "app/report/report.h"
#include "app/run/line.h"
#include "app/run/run.h"

enum { MOST = 1024, GROUP = 6, FINALISTS = 4, FIRST_REPEATS = 3, SHOWN = 10, ORDERS = 2 };
static const double first_share = 0.7; /* fraction of the budget for the groups */
static const double close_by = 1.3;    /* time relative to the best, limit for the final */

typedef struct tuning {
  app *a;
  pfft3d_request *request; /* to be tuned */
  const char *order;       /* of its spectrum */
  pfft3d_problem problem;
  double budget; /* seconds */
  pfft3d_candidate *list;
  int count, timed;
  double start;
} tuning;

/* Collective. The seconds left of a fraction of the budget, by the clock of rank 0. */
static double time_left(const tuning *t, double share) {
  double left = share * t->budget - (MPI_Wtime() - t->start);
  MPI_Bcast(&left, 1, MPI_DOUBLE, 0, t->a->comm);
  return left;
}

/* ---- candidates ---- */

static int same(const pfft3d_decision *x, const pfft3d_decision *y) {
  char a[160], b[160];
  return strcmp(pfft3d_decision_print(x, a, sizeof a), pfft3d_decision_print(y, b, sizeof b)) == 0;
}

static void add(tuning *t, const pfft3d_candidate *c) {
  int i = 0;
  while (i < t->count && !same(&t->list[i].decision, &c->decision)) i++;
  if (i == t->count && t->count < MOST) t->list[t->count++] = *c;
}

static double cost(const pfft3d_candidate *c) {
  return c->measured > 0 ? c->measured : c->predicted;
}

static int cheaper(const void *x, const void *y) {
  const pfft3d_candidate *a = x, *b = y;
  if ((a->measured > 0) != (b->measured > 0)) return a->measured > 0 ? -1 : 1;
  return (cost(a) > cost(b)) - (cost(a) < cost(b));
}

/* On rank 0: all candidates that the options allow, with the measured description of the
 * machine. */
static void list_candidates(tuning *t, const pfft3d_machine *machine, int node_ranks,
                            pfft3d_error *e) {
  const app *a = t->a;
  pfft3d_request *requests[MOST];
  pfft3d_candidate *some = app_malloc(a, MOST, sizeof *some);
  pfft3d_explanation x;
  char text[16];
  int requested = options_requests(a, requests, MOST);
  snprintf(text, sizeof text, "%d", node_ranks);
  for (int i = 0; i < requested; i++) {
    pfft3d_request_machine(requests[i], machine, NULL);
    pfft3d_request_set(requests[i], "order", t->order, NULL);
    if (!options_given(&a->opt, "node-ranks"))
      pfft3d_request_set(requests[i], "node-ranks", text, NULL);
    int found = pfft3d_candidates(requests[i], a->ranks, some, MOST);
    if (found < 0) app_fail(e, PFFT3D_ERR_MEMORY, "no memory for a list of candidates");
    for (int k = 0; k < found && k < MOST; k++) add(t, &some[k]);
  }
  qsort(t->list, (size_t)t->count, sizeof *t->list, cheaper);
  if (!e->status && !t->count && !pfft3d_explain(requests[0], a->ranks, &x, sizeof x, e))
    app_fail(e, PFFT3D_ERR_UNAVAILABLE, "no candidates on %d ranks", a->ranks);
  free(some);
  requests_destroy(requests, requested);
}

static int find_candidates(tuning *t, int node_ranks) {
  app *a = t->a;
  pfft3d_error e = {0};
  pfft3d_machine machine = a->opt.machine;
  watch_kick("measuring the machine");
  if (pfft3d_machine_measure(a->comm, &machine, &e)) return app_take(&a->error, &e);
  if (a->rank == 0) list_candidates(t, &machine, node_ranks, &e);
  MPI_Bcast(&e, (int)sizeof e, MPI_BYTE, 0, a->comm);
  MPI_Bcast(&t->count, 1, MPI_INT, 0, a->comm);
  MPI_Bcast(t->list, t->count * (int)sizeof *t->list, MPI_BYTE, 0, a->comm);
  return app_take(&a->error, &e);
}

/* ---- the clock ---- */

static int time_group(tuning *t, pfft3d_candidate *first, int count, int repeats, double budget) {
  app *a = t->a;
  pfft3d_error e = {0};
  watch_kick("timing candidates");
  pfft3d_tune(a->comm, t->request, first, count, repeats, budget, &e);
  return app_take(&a->error, &e);
}

/* Times the best of all groups once more, alternating; these times count. */
static int time_final(tuning *t) {
  pfft3d_candidate best[FINALISTS];
  int count = 0;
  while (count < FINALISTS && count < t->timed &&
         t->list[count].measured <= close_by * t->list[0].measured)
    count++;
  if (count < 2) return PFFT3D_OK;
  memcpy(best, t->list, (size_t)count * sizeof *best);
  if (time_group(t, best, count, (int)t->a->opt.reps, time_left(t, 1))) return t->a->error.status;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < count; k++) {
      pfft3d_candidate *c = &t->list[k];
      if (best[i].measured == 0 || !same(&c->decision, &best[i].decision)) continue;
      c->measured = best[i].measured;
      c->repeats = best[i].repeats;
    }
  qsort(t->list, (size_t)t->timed, sizeof *t->list, cheaper);
  return PFFT3D_OK;
}

/* The candidate that needs least memory; NULL if none can be. */
static const pfft3d_candidate *smallest(const tuning *t) {
  const pfft3d_candidate *best = NULL;
  double least = 0;
  for (int i = 0; i < t->count; i++) {
    pfft3d_request *one = request_copy(t->a, t->request);
    pfft3d_explanation x;
    request_decide(one, &t->list[i].decision);
    int status = pfft3d_explain(one, t->a->ranks, &x, sizeof x, NULL);
    pfft3d_request_destroy(&one);
    double bytes = status ? 0 : 2 * x.user_bytes + x.work_bytes;
    if (status || (best && bytes >= least)) continue;
    least = bytes;
    best = &t->list[i];
  }
  return best;
}

/* Fails because no candidate could be timed, with the error of the candidate that needs least
 * memory: it names the bytes that are needed and available. */
static int none_timed(tuning *t) {
  app *a = t->a;
  pfft3d_request *request = request_copy(a, t->request);
  const pfft3d_candidate *best = smallest(t);
  pfft3d_error e = {0};
  run r;
  if (best) request_decide(request, &best->decision);
  pfft3d_request_set(request, "plan-budget", "0", NULL);
  pfft3d_request_wisdom(request, NULL, 0, NULL);
  if (!run_open(a, &r, request, NORM_NONE, 2, &e)) {
    run_close(&r);
    app_fail(&e, PFFT3D_ERR_UNAVAILABLE, "MPI refuses their exchanges");
  }
  pfft3d_request_destroy(&request);
  if (e.hint[0]) app_hint(&a->error, "%s", e.hint);
  if (t->count == 1)
    return app_fail(&a->error, e.status, "the only candidate cannot be timed here: %s", e.text);
  return app_fail(&a->error, e.status, "none of %d candidates can be timed here: %s", t->count,
                  e.text);
}

static int time_groups(tuning *t) {
  app *a = t->a;
  int repeats = a->opt.reps < FIRST_REPEATS ? (int)a->opt.reps : FIRST_REPEATS;
  double left = time_left(t, first_share);
  for (int done = 0; done < t->count && (done == 0 || left > 0); done += GROUP) {
    int count = t->count - done < GROUP ? t->count - done : GROUP;
    if (time_group(t, t->list + done, count, repeats, left)) return a->error.status;
    left = time_left(t, first_share);
  }
  qsort(t->list, (size_t)t->count, sizeof *t->list, cheaper);
  while (t->timed < t->count && t->list[t->timed].measured > 0) t->timed++;
  if (!t->timed) return none_timed(t);
  return time_final(t);
}

static int time_all(tuning *t) {
  progress_enter(t->a, t->budget, "timing %d candidates", t->count);
  int status = time_groups(t);
  progress_leave(t->a);
  return status;
}

/* ---- the report ---- */

/* Prints the options for a decision. */
static void print_options(const tuning *t, const pfft3d_decision *d, char *out, size_t size) {
  char cut[64];
  if (t->problem.dims == 1)
    snprintf(cut, sizeof cut, "--method %s", d->scheme);
  else if (strcmp(d->scheme, "pencil") == 0)
    snprintf(cut, sizeof cut, "--pgrid %dx%d", d->grid[0], d->grid[1]);
  else
    snprintf(cut, sizeof cut, "--decomp %s", d->scheme);
  snprintf(out, size, "%s --exchange %s --engine %s", cut, d->algo, d->engine);
}

/* @p best: seconds of the fastest candidate of all. */
static json_t *describe(const tuning *t, const pfft3d_candidate *c, double best) {
  json_t *j = run_describe(&c->decision, PFFT3D_FORWARD);
  char text[128];
  print_options(t, &c->decision, text, sizeof text);
  json_object_set_new(j, "direction", json_string("both"));
  line_describe(j, t->request, &c->decision, t->a->ranks);
  json_object_update_new(
      j, json_pack("{s:s,s:f,s:f,s:i,s:f}", "options", text, "predicted_s", c->predicted,
                   "measured_s", c->measured, "repeats", c->repeats, "ratio", c->measured / best));
  return j;
}

/* Commands and plans that leave this order as it is by default; lines have no other than natural.
 */
static const char *served(const char *order, int line) {
  if (strcmp(order, "natural") != 0) return line ? "line --order scrambled" : "bench";
  return line ? "line, and C, Fortran and Python by default"
              : "transform, and C, Fortran and Python by default";
}

static void kept_text(const app *a, const json_t *report, const char *const *orders, int count) {
  const char *file = report_word(report, "wisdom");
  if (!file) {
    printf("not kept: there is no file of wisdom (--wisdom FILE)\n");
    return;
  }
  printf("kept in %s\n", file);
  printf("for plans of th%s on %d rank%s that leave their exchange open:\n",
         options_problems(&a->opt) > 1 ? "ese problems" : "is problem", a->ranks,
         a->ranks > 1 ? "s" : "");
  for (int k = 0; k < count; k++)
    printf("  order=%-10s  %s\n", orders[k], served(orders[k], a->opt.size > 0));
}

/* Prints the fastest candidate of each problem and order. */
static void sweep_text(const json_t *report, const char *order) {
  const char *before = "";
  char measured[32];
  size_t i;
  json_t *item;
  printf("\n%-20s  %10s  fastest with order=%s\n", "problem", "measured", order);
  json_array_foreach(report_at(report, "runs"), i, item) {
    const char *problem = report_word(item, "problem");
    if (strcmp(report_word(item, "order"), order) != 0 || strcmp(problem, before) == 0) continue;
    printf("%-20s  %10s  %s\n", problem,
           report_seconds(report_number(item, "measured_s"), measured),
           report_word(item, "options"));
    before = problem;
  }
}

/* Prints a row of a table: @p best are the seconds of its first one. */
static void row_text(const json_t *item, size_t place, double best) {
  const char *local = strstr(report_word(item, "decision"), "local=");
  char measured[32], predicted[32], cuts[48];
  double seconds = report_number(item, "measured_s");
  printf("%5zu %10s %6.2f %10s %7.0f  %-13s %-10s %s%s\n", place, report_seconds(seconds, measured),
         seconds / best, report_seconds(report_number(item, "predicted_s"), predicted),
         report_number(item, "repeats"), report_cuts(item, cuts), report_word(item, "algo"),
         report_word(item, "engine"),
         local && !strncmp(local, "local=stores", 12) ? " stores" : "");
}

/* Prints the candidates of an order, fastest first. */
static void order_text(const app *a, const json_t *report, const char *order) {
  const json_t *first = NULL;
  size_t i, count = 0, shown = a->opt.verbose ? SIZE_MAX : SHOWN;
  json_t *item;
  printf("\norder=%s\n%5s %10s %6s %10s %7s  %-13s %-10s engine\n", order, "place", "measured",
         "ratio", "predicted", "repeats", a->opt.size ? "method" : "decomp", "exchange");
  json_array_foreach(report_at(report, "runs"), i, item) {
    if (strcmp(report_word(item, "order"), order) != 0) continue;
    if (!first) first = item;
    if (count++ < shown) row_text(item, count, report_number(first, "measured_s"));
  }
  if (count > shown) printf("%5s %zu more (--verbose shows them)\n", "", count - shown);
  if (first) printf("fastest both: %s\n", report_word(first, "options"));
}

/* The orders to be tuned: the one that was named, or that lines have; else both. */
static int orders_of(const app *a, const char *orders[ORDERS]) {
  int one = a->opt.size || options_given(&a->opt, "order");
  int natural = options_is(&a->opt, "order", "natural");
  orders[0] = one && natural ? "natural" : "transposed"; /* bench's first */
  orders[1] = "natural";
  return one ? 1 : ORDERS;
}

static void tune_text(const app *a, const json_t *report) {
  const char *orders[ORDERS];
  int count = orders_of(a, orders), several = options_problems(&a->opt) > 1;
  char seconds[32];
  report_text_head(a, report);
  for (int k = 0; k < count; k++)
    if (several)
      sweep_text(report, orders[k]);
    else
      order_text(a, report, orders[k]);
  printf(
      "\nForward and backward, the median of the repeats.  Timed %zu of %.0f candidates in %s.\n",
      json_array_size(report_at(report, "runs")), report_number(report, "candidates"),
      report_seconds(report_number(report, "tuning_s"), seconds));
  kept_text(a, report, orders, count);
}

/* Adds what was timed, fastest first. */
static void add_results(const tuning *t, int count, json_t *report) {
  const app *a = t->a;
  pfft3d_candidate *all = app_malloc(a, (size_t)count * MOST, sizeof *all);
  double candidates = report_number(report, "candidates");
  double seconds = report_number(report, "tuning_s") + run_max(a, MPI_Wtime() - t->start);
  size_t timed = 0;
  for (int k = 0; k < count; k++) {
    candidates += t[k].count;
    for (int i = 0; i < t[k].timed; i++) all[timed++] = t[k].list[i];
  }
  qsort(all, timed, sizeof *all, cheaper);
  for (size_t i = 0; i < timed; i++) report_add(report, describe(t, &all[i], all[0].measured));
  json_object_set_new(report, "candidates", report_count(candidates));
  json_object_set_new(report, "tuning_s", json_real(seconds));
  report_sweep(a, report, &t->problem);
  free(all);
}

/* ---- the command ---- */

/* The request for later look-ups of wisdom: a single name is part of it; several names become
 * "auto". */
static pfft3d_request *question(const app *a, const char *order) {
  const options *o = &a->opt;
  pfft3d_request *r = options_request(a, NULL);
  if (o->algo.count != 1) pfft3d_request_set(r, "exchange", "auto", NULL);
  if (o->engine.count != 1) pfft3d_request_set(r, "engine", "auto", NULL);
  if (o->size && o->method.count != 1) pfft3d_request_set(r, "method", "auto", NULL);
  pfft3d_request_set(r, "order", order, NULL);
  return r;
}

/* Times the candidates of the current problem with one order, and stores the best one. */
static int tune_order(tuning *t, int node_ranks) {
  if (find_candidates(t, node_ranks) || time_all(t)) return t->a->error.status;
  return wisdom_keep(t->a, t->request, &t->list[0]);
}

/* Tunes the current problem with all orders, which share the budget. */
static int tune_problem(app *a, json_t *report) {
  char budget[FILE_SIZE];
  const char *orders[ORDERS];
  int count = orders_of(a, orders), node_ranks = (int)report_number(report, "ranks_per_node");
  tuning t[ORDERS] = {{.a = a}};
  for (int k = 0; k < count; k++) {
    t[k] = (tuning){.a = a,
                    .order = orders[k],
                    .request = question(a, orders[k]),
                    .budget = strtod(options_key(&a->opt, "plan-budget", budget), NULL) / count,
                    .start = MPI_Wtime()};
    t[k].list = app_malloc(a, MOST, sizeof *t[k].list);
    pfft3d_request_problem(t[k].request, &t[k].problem);
    if (k == 0) {
      report_problem(a, report, &t->problem);
      json_object_del(report, "seed");
      if (options_problems(&a->opt) == 1) line_head(report, t->request);
    }
    if (tune_order(&t[k], node_ranks)) break;
  }
  if (!a->error.status) add_results(t, count, report);
  for (int k = 0; k < count; k++) {
    pfft3d_request_destroy(&t[k].request);
    free(t[k].list);
  }
  return a->error.status;
}

static int tune_run(app *a) {
  json_t *report = report_begin(a);
  int status = wisdom_ready(a), problems = options_problems(&a->opt);
  for (int i = 0; i < problems && !status; i++) {
    options_select(&a->opt, i);
    status = tune_problem(a, report);
  }
  if (status) {
    json_decref(report);
    return a->error.status;
  }
  json_object_set_new(report, "wisdom",
                      a->opt.wisdom[0] ? report_words(a->opt.wisdom) : json_null());
  report_end(a, report, tune_text);
  return a->error.status;
}

const command cmd_tune = {
    .name = "tune",
    .summary = "times all candidates for a problem and stores the best as wisdom",
    .options =
        "grid=128 type=c2c reps=10 plan-budget=60 " LINE_OPTIONS FIELD_OPTIONS TRANSFORM_OPTIONS
        "batch order wisdom json csv watchdog quiet verbose",
    .about =
        "Times every decomposition, process grid and exchange that the options leave open,\n"
        "forward and backward, and writes the fastest into the wisdom file.  Commands and "
        "programs\n"
        "that plan the same problem on as many ranks of the same machine take it from there.\n"
        "Without --order both orders are tuned, each in half of --plan-budget: transposed is the\n"
        "default of bench, natural that of transform and of C, Fortran and Python.\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d tune --grid 256\n"
        "  mpirun -n 2 pfft3d bench --grid 256 --wisdom-required\n"
        "  mpirun -n 6 pfft3d tune --grid 128 --type r2c --engine all --wisdom ./wisdom\n"
        "  mpirun -n 2 pfft3d tune --size 2^24 --plan-budget 20\n",
    .run = tune_run,
};
