/* SPDX-License-Identifier: BSD-3-Clause
 * bench: times transforms of a seeded synthetic field, checks them, and explains the time. The
 * repeats of several plans alternate (A B C A B C ...), so that a temporary slowdown of the machine
 * affects all of them. This needs all plans in memory at once; if they do not fit, they run one
 * after another, and the report says so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/bench.h"
#include "app/bench/hpcc.h"
#include "app/check/check.h"
#include "app/check/field.h"
#include "app/common/message.h"
#include "app/common/request.h"
#include "app/common/timeline.h"
#include "app/common/watch.h"
#include "app/report/advice.h"
#include "app/report/report.h"
#include "app/run/line.h"
#include "app/run/run.h"

enum { SAMPLES = 4, MAX_ENTRIES = 256 };

/* One plan and its results. */
typedef struct entry {
  pfft3d_request *request; /* after planning, with the decision of the plan */
  run r;
  int idle; /* ranks without elements */
  timing t;
  json_t *result[2]; /* indexed by direction */
  double largest[2]; /* largest error of an element after the round trip, by direction */
} entry;

/* The time of an MPI_Alltoall of the same bytes, measured once per decomposition, direction and
 * precision. */
typedef struct raw_time {
  char scheme[NAME_SIZE];
  int grid[2];
  pfft3d_precision wire;
  double seconds;
} raw_time;

typedef struct bench {
  app *a;
  entry entries[MAX_ENTRIES];
  int count;
  int asked[2]; /* requested, by direction */
  check_reference reference[2];
  raw_time raw[2];
} bench;

static void fill_input(const bench *b, entry *e, pfft3d_direction d) {
  check_target t = check_aim(b->a, &e->r, d, e->r.array[0], e->r.array[1]);
  field f = field_seeded(&e->r.problem, t.in_side, (uint64_t)b->a->opt.seed);
  check_fill(&t, &f);
}

/* Fills, warms up, and times the repeats of some entries, alternating. */
static void time_repeats(const bench *b, entry *first, int count, pfft3d_direction d) {
  const options *o = &b->a->opt;
  for (int i = 0; i < count; i++) {
    entry *e = &first[i];
    pfft3d_stats dropped;
    e->t = (timing){.direction = d, .reps = (int)o->reps, .passes = -1, .raw = -1};
    e->t.in = e->r.array[0];
    e->t.out = e->r.array[1];
    e->t.seconds = app_malloc(b->a, (size_t)o->reps, sizeof(double));
    e->t.phase = app_malloc(b->a, (size_t)o->reps * RUN_PHASES, sizeof(double));
    fill_input(b, e, d);
    app_progress(b->a, "warming up %s", e->r.decision.algo);
    for (int w = 0; w < o->warmup; w++) run_execute(b->a, &e->r, d, e->r.array[0], e->r.array[1]);
    pfft3d_plan_stats(e->r.plan, d, 1, &dropped, sizeof dropped);
    timeline_record(b->a, e->r.plan, 1);
  }
  for (int rep = 0; rep < o->reps; rep++)
    for (int i = 0; i < count; i++) {
      entry *e = &first[i];
      app_progress(b->a, "%s: repeat %d of %lld", e->r.decision.algo, rep + 1, o->reps);
      run_repeat(b->a, &e->r, &e->t, rep);
    }
  for (int i = 0; i < count; i++) timeline_record(b->a, first[i].r.plan, 0);
}

static void measure_parts(bench *b, entry *e, pfft3d_direction d) {
  raw_time *raw = &b->raw[d];
  const pfft3d_decision *is = &e->r.decision;
  app_progress(b->a, "measuring the parts of %s", e->r.decision.algo);
  pfft3d_precision wire = run_wire(&e->r);
  if (strcmp(raw->scheme, is->scheme) != 0 || memcmp(raw->grid, is->grid, sizeof raw->grid) != 0 ||
      raw->wire != wire) {
    raw->seconds = run_measure(b->a, &e->r, &e->t, PFFT3D_PART_RAW_ALLTOALL);
    snprintf(raw->scheme, sizeof raw->scheme, "%s", is->scheme);
    memcpy(raw->grid, is->grid, sizeof raw->grid);
    raw->wire = wire;
  }
  e->t.raw = raw->seconds;
  e->t.passes = run_measure(b->a, &e->r, &e->t, PFFT3D_PART_PASSES);
}

static json_t *check_entry(bench *b, entry *e, pfft3d_direction d) {
  check_target t = check_aim(b->a, &e->r, d, e->r.array[0], e->r.array[1]);
  check_reference *ref = &b->reference[d];
  check_value v[] = {{"sampled_dft", 0}, {"plane_wave", 0}, {"parseval", 0}, {"roundtrip", 0}};
  char what[96], name[2 * NAME_SIZE];
  ptrdiff_t k[3];
  app_progress(b->a, "checking %s", e->r.decision.algo);
  if (!ref->known) check_prepare(&t, SAMPLES, ref);
  check_seeded(&t, ref, &v[2].error, &v[0].error);
  v[3].error = check_roundtrip(&t, ref, &e->largest[d]);
  check_index(t.span, (uint64_t)b->a->opt.seed, 0, k);
  v[1].error = check_wave(&t, k);
  snprintf(what, sizeof what, "%s %s (%s engine)", request_label(e->request, name),
           d == PFFT3D_FORWARD ? "forward" : "backward", e->r.decision.engine);
  return check_report(b->a, v, 4, check_limit(&e->r.problem, run_wire(&e->r)), what);
}

/* Removes an entry, with a warning that gives the reason, and clears *e. */
static void leave_out(bench *b, entry *one, pfft3d_error *e) {
  char name[2 * NAME_SIZE], engine[NAME_SIZE] = "";
  int engines = b->a->opt.engine.count > 1;
  if (engines) pfft3d_request_get(one->request, "engine", engine, sizeof engine);
  app_warn(b->a, "%s%s%s is left out: %s", request_label(one->request, name),
           engines ? " with engine " : "", engine, e->text);
  memset(e, 0, sizeof *e);
  pfft3d_request_destroy(&one->request);
  b->count--;
  memmove(one, one + 1, (size_t)(&b->entries[b->count] - one) * sizeof *one);
}

/* Plans entries. If there are several, an entry that is unavailable here is removed, and *count is
 * decremented. */
static int open_group(bench *b, entry *first, int *count, pfft3d_error *e) {
  for (int i = 0; i < *count; i++) {
    int status = run_open(b->a, &first[i].r, first[i].request, b->a->opt.norm, 2, e);
    int wrong_method = status == PFFT3D_ERR_USAGE && b->a->opt.method.count > 1;
    if ((status == PFFT3D_ERR_UNAVAILABLE || wrong_method) && b->count > 1) {
      leave_out(b, &first[i], e);
      (*count)--;
      i--;
    } else if (status) {
      return status;
    }
  }
  return PFFT3D_OK;
}

/* Plans `count` entries, which exist at the same time, and runs them. If a plan fails, *e has
 * the error and all are freed. */
static int run_group(bench *b, entry *first, int count, pfft3d_error *e) {
  app *a = b->a;
  int status = open_group(b, first, &count, e);
  for (int i = 0; i < count && !status; i++) {
    request_decide(first[i].request, &first[i].r.decision);
    first[i].idle = first[i].r.idle;
  }
  for (int d = 0; d < 2 && !status; d++) {
    if (!b->asked[d]) continue;
    time_repeats(b, first, count, (pfft3d_direction)d);
    for (int i = 0; i < count; i++) {
      entry *one = &first[i];
      measure_parts(b, one, (pfft3d_direction)d);
      one->result[d] = run_report(a, &one->r, &one->t);
      json_t *check = a->opt.no_verify ? json_null() : check_entry(b, one, (pfft3d_direction)d);
      json_object_set_new(one->result[d], "check", check);
      free(one->t.seconds);
      free(one->t.phase);
    }
  }
  for (int i = 0; i < count; i++) run_close(&first[i].r);
  return status;
}

static void bench_text(const app *a, const json_t *report) {
  const json_t *runs = report_at(report, "runs");
  size_t i, count = json_array_size(runs);
  json_t *item;
  report_text_head(a, report);
  if (options_problems(&a->opt) > 1) {
    if (a->opt.verbose) json_array_foreach(runs, i, item) report_text_run(item, 0);
    report_text_sweep(report);
  } else {
    json_array_foreach(runs, i, item) report_text_run(item, count > 2 && !a->opt.verbose);
    if (count > 2) report_text_ranking(report);
  }
  json_array_foreach(runs, i, item) hpcc_text(a, item);
  if (json_is_false(report_at(report, "interleaved")))
    printf("\nThe plans did not fit into memory together: they ran one after another.\n");
}

/* Warns once of idle ranks and of layouts with additional exchanges, for the first such plan. */
static void warn(const bench *b) {
  const app *a = b->a;
  char text[ADVICE_SIZE];
  for (int i = 0, warned = 0; i < b->count && !warned; i++) {
    const entry *e = &b->entries[i];
    const json_t *result = e->result[!b->asked[PFFT3D_FORWARD]];
    if (result && i == 0 && !advice_layout(e->request, a->ranks, text)) app_warn(a, "%s", text);
    if (!e->idle) continue;
    advice_idle(e->request, a->ranks, e->idle, text);
    app_warn(a, "%s", text);
    warned = 1;
  }
}

/* Warns if --wire single has no effect. */
static void warn_wire(const bench *b) {
  const options *o = &b->a->opt;
  int rounded = !options_is(o, "wire", "single") || options_precision(o) == PFFT3D_SINGLE;
  for (int i = 0; i < b->count; i++)
    for (int d = 0; d < 2; d++) {
      const char *wire = report_word(b->entries[i].result[d], "exchange.wire");
      rounded |= wire && strcmp(wire, "single") == 0;
    }
  if (!rounded)
    app_warn(b->a, "--wire single changes nothing here: %s",
             b->a->ranks > 1 ? "no exchange of these plans sends anything that it applies to"
                             : "one rank sends nothing");
}

/* Plans and runs all entries, together if they fit into memory; returns 1 if they did. An entry
 * that does not fit even by itself is removed, unless none remains. */
static int run_all(bench *b, pfft3d_error *e) {
  if (run_group(b, b->entries, b->count, e) != PFFT3D_ERR_MEMORY || b->count == 1) return 1;
  memset(e, 0, sizeof *e);
  for (int i = 0, before = b->count; i < b->count; before = b->count) {
    int status = run_group(b, &b->entries[i], 1, e);
    if (status == PFFT3D_ERR_MEMORY && b->count > 1)
      leave_out(b, &b->entries[i], e);
    else if (status)
      break;
    i += b->count == before; /* else the next entry has this index now */
  }
  return 0;
}

/* Adds the results to the report. */
static void add_results(bench *b, const pfft3d_problem *problem, json_t *report) {
  for (int i = 0; i < b->count; i++) {
    entry *e = &b->entries[i];
    json_t **result = e->result;
    if (b->a->opt.hpcc && result[0])
      json_object_set_new(result[0], "hpcc",
                          hpcc_report(b->a, problem, result[PFFT3D_FORWARD],
                                      result[PFFT3D_BACKWARD], e->largest[PFFT3D_FORWARD]));
    for (int d = 0; d < 2; d++)
      if (result[d]) report_add(report, result[d]);
  }
}

/* Times all plans for the current problem, and adds them to the report. */
static void bench_problem(app *a, json_t *report, pfft3d_error *e) {
  const options *o = &a->opt;
  bench *b = app_malloc(a, 1, sizeof *b);
  pfft3d_request *requests[MAX_ENTRIES];
  pfft3d_problem problem;
  b->a = a;
  b->asked[PFFT3D_FORWARD] = o->direction != DIRECTION_BACKWARD;
  b->asked[PFFT3D_BACKWARD] = o->direction != DIRECTION_FORWARD;
  b->count = options_requests(a, requests, MAX_ENTRIES);
  for (int i = 0; i < b->count; i++) b->entries[i].request = requests[i];

  pfft3d_request_problem(requests[0], &problem);
  report_problem(a, report, &problem);
  if (options_problems(o) == 1) line_head(report, requests[0]);
  if (!run_all(b, e)) json_object_set_new(report, "interleaved", json_false());
  warn(b);
  if (!e->status) warn_wire(b);
  add_results(b, &problem, report);
  report_sweep(a, report, &problem);
  for (int d = 0; d < 2; d++) check_forget(&b->reference[d]);
  for (int i = 0; i < b->count; i++) pfft3d_request_destroy(&b->entries[i].request);
  free(b);
}

int bench_run(app *a) {
  json_t *report = report_begin(a);
  int problems = options_problems(&a->opt), last = problems - 1;
  json_object_set_new(report, "interleaved", json_true());
  for (int i = 0; i < problems; i++) {
    pfft3d_error e = {0};
    options_select(&a->opt, i);
    bench_problem(a, report, &e);
    int unfit = e.status == PFFT3D_ERR_MEMORY || e.status == PFFT3D_ERR_UNAVAILABLE;
    if (unfit && (i < last || json_array_size(json_object_get(report, "runs")))) {
      app_warn(a, "problem %d of %d is left out: %s", i + 1, problems, e.text);
      continue;
    }
    if (e.status) {
      json_decref(report);
      app_take(&a->error, &e);
      return a->error.status;
    }
  }
  report_end(a, report, bench_text);
  return a->error.status;
}

const command cmd_bench = {
    .name = "bench",
    .summary = "times transforms of a synthetic field, checks them",
    .options = "grid=128 type=c2c " FIELD_OPTIONS TRANSFORM_OPTIONS RUN_OPTIONS TIMELINE_OPTIONS
               "machine device batch direction norm order reps warmup seed no-verify verbose",
    .about =
        "Examples:\n"
        "  mpirun -n 2 pfft3d --grid 256 --exchange pencils\n"
        "  mpirun -n 2 pfft3d bench --grid 181x217x181 --exchange all --json report.json\n"
        "  mpirun -n 6 pfft3d --grid 128 --type r2c --pgrid 3x2 --batch 4\n"
        "  pfft3d --grid 64 --direction forward --order natural\n"
        "  mpirun -n 2 pfft3d --grid 64,128,256 --csv sizes.csv\n",
    .run = bench_run,
};
