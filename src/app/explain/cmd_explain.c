/* SPDX-License-Identifier: BSD-3-Clause
 * explain: the plan for any number of ranks, computed on one process. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/request.h"
#include "app/explain/explain.h"
#include "app/report/advice.h"
#include "app/report/report.h"
#include "app/run/line.h"
#include "app/run/run.h"

enum { MAX_REQUESTS = 256 };

/* An axis that is cut into `parts`. */
typedef struct cut {
  pfft3d_side side;
  int axis, parts;
  int step;    /* difference between ranks of adjacent parts */
  ptrdiff_t n; /* extent of the axis */
} cut;

/* A dry run; its request has the decision. */
typedef struct dry_run {
  const pfft3d_request *request;
  const pfft3d_explanation *x;
  int ranks;
  pfft3d_problem problem;
  char bricks[80]; /* "P0xP1xP2", or "" */
} dry_run;

/* The axes that bricks cut; axis 0 if they cut none. */
static int cuts_of_bricks(const dry_run *r, pfft3d_side side, cut c[3]) {
  int parts[3] = {1, 1, 1}, count = 0;
  ptrdiff_t n[3];
  sscanf(r->bricks, "%dx%dx%d", &parts[0], &parts[1], &parts[2]);
  pfft3d_problem_extents(&r->problem, side, n);
  for (int a = 0, step = parts[0] * parts[1] * parts[2]; a < 3; a++) {
    step /= parts[a];
    if (parts[a] > 1) c[count++] = (cut){side, a, parts[a], step, n[a]};
  }
  if (!count) c[count++] = (cut){side, 0, 1, 1, n[0]};
  return count;
}

/* The axes of a side that are cut: one for slabs, two for pencils. Returns their number. */
static int cuts_of(const dry_run *r, pfft3d_side side, cut c[3]) {
  const pfft3d_decision *d = &r->x->decision;
  ptrdiff_t n[3];
  int shifted = side == PFFT3D_SPECTRUM && d->order == PFFT3D_TRANSPOSED, count = 0;
  int slab = strcmp(d->scheme, "slab") == 0, kept = d->grid[1] > 1;
  if (r->bricks[0]) return cuts_of_bricks(r, side, c);
  pfft3d_problem_extents(&r->problem, side, n);
  for (int i = 0; i < 2; i++) {
    int axis = i + shifted;
    if (!slab || i == kept)
      c[count++] = (cut){side, axis, d->grid[i], i == 0 ? d->grid[1] : 1, n[axis]};
  }
  return count;
}

/* Parts first..last, of `length` indices each: {NAME of parts: [first, last], NAME of the length:
 * length}. */
typedef struct group_names {
  const char *parts, *length;
} group_names;

static void add_group(json_t *groups, const group_names *name, int first, int last,
                      ptrdiff_t length) {
  json_array_append_new(groups, json_pack("{s:[i,i],s:I}", name->parts, first, last, name->length,
                                          (json_int_t)length));
}

/* The length of a part: by default, the first n mod P of P parts hold one index more. */
static ptrdiff_t length_of(const dry_run *r, const cut *c, int part) {
  pfft3d_box box = {.offset = 0};
  if (r->bricks[0] || request_is(r->request, "cuts", "balanced"))
    return c->n / c->parts + (part < c->n % c->parts);
  pfft3d_explain_box(r->request, r->ranks, c->side, part * c->step, &box);
  return box.len[c->axis];
}

/* Neighbouring parts of the same length are a group. */
static json_t *groups_json(const dry_run *r, const cut *c, const group_names *name) {
  json_t *groups = json_array();
  int first = 0;
  ptrdiff_t length = length_of(r, c, 0);
  for (int part = 1; part < c->parts; part++) {
    ptrdiff_t next = length_of(r, c, part);
    if (next == length) continue;
    add_group(groups, name, first, part - 1, length);
    first = part;
    length = next;
  }
  add_group(groups, name, first, c->parts - 1, length);
  return groups;
}

/* {"cuts"} of a side, for slabs also {"axis", "groups"}, which are the groups by ranks. */
static json_t *layout_json(const dry_run *r, pfft3d_side side) {
  if (r->problem.dims == 1) return explain_line_layout(r->request, r->ranks, side);
  static const group_names parts = {"parts", "length"}, ranks_of_slabs = {"ranks", "planes"};
  cut c[3];
  int count = cuts_of(r, side, c);
  json_t *j = json_object(), *cuts = json_array();
  for (int i = 0; i < count; i++)
    json_array_append_new(cuts, json_pack("{s:i,s:i,s:o}", "axis", c[i].axis, "parts", c[i].parts,
                                          "groups", groups_json(r, &c[i], &parts)));
  if (count == 1 && !r->bricks[0]) {
    json_object_set_new(j, "axis", json_integer(c[0].axis));
    json_object_set_new(j, "groups", groups_json(r, &c[0], &ranks_of_slabs));
  }
  json_object_set_new(j, "cuts", cuts);
  return j;
}

static json_t *warnings_json(const dry_run *r) {
  json_t *list = json_array();
  char text[ADVICE_SIZE];
  if (!advice_layout(r->request, r->ranks, text)) json_array_append_new(list, json_string(text));
  if (r->x->idle_ranks == 0) return list;
  advice_idle(r->request, r->ranks, r->x->idle_ranks, text);
  json_array_append_new(list, json_string(text));
  return list;
}

static json_t *steps_json(const dry_run *r) {
  enum { most = 32 };
  pfft3d_explained_step step[most];
  int count = pfft3d_explain_steps(r->request, r->ranks, step, most, NULL);
  json_t *list = json_array();
  for (int k = 0; k < count && k < most; k++)
    json_array_append_new(
        list,
        json_pack("{s:s,s:i,s:o,s:o,s:o,s:o,s:o}", "kind", step[k].kind, "exchanges",
                  step[k].exchanges, "remote_per_rank", report_count(step[k].messages),
                  "remote_bytes_per_rank", report_count(step[k].bytes), "stored_bytes_per_rank",
                  report_count(step[k].stored_bytes), "traffic_bytes",
                  report_count(step[k].traffic), "predicted_s", report_real(step[k].seconds)));
  return list;
}

static json_t *explain_json(const dry_run *r) {
  json_t *j = explain_item(r->request, r->ranks, r->x);
  json_object_set_new(j, "layout",
                      json_pack("{s:o,s:o}", "space", layout_json(r, PFFT3D_SPACE), "spectrum",
                                layout_json(r, PFFT3D_SPECTRUM)));
  json_object_set_new(j, "steps", steps_json(r));
  json_object_set_new(j, "warnings", warnings_json(r));
  return j;
}

/* "ranks 0..3 hold 129 planes, ranks 4..7 hold 128 planes" */
static void groups_text(const json_t *groups, const char *of, const char *what, const char *unit) {
  size_t i;
  json_t *group;
  json_array_foreach(groups, i, group) {
    const json_t *range = report_at(group, of);
    double first = json_number_value(json_array_get(range, 0));
    double last = json_number_value(json_array_get(range, 1));
    double length = json_number_value(report_at(group, what));
    int many = last > first;
    printf("%s %.*s %.0f", i ? "," : "", (int)strlen(of) - !many, of, first);
    if (many) printf("..%.0f", last);
    printf(many ? " hold" : " holds");
    if (length > 0)
      printf(" %.0f%s%s", length, unit, length > 1 && *unit ? "s" : "");
    else
      printf(" none");
  }
}

/* "axis 0 is cut: ranks ...", or "axis 0 is cut in 2 parts: parts ...; axis 1 in 3 parts: ..." */
static void layout_text(const json_t *layout, const char *name) {
  const json_t *side = report_at(layout, name), *groups = report_at(side, "groups");
  size_t i;
  json_t *c;
  const json_t *dealing = report_at(side, "dealing");
  printf("  %-9s ", name);
  if (dealing) {
    printf(" %s:", json_string_value(dealing));
    groups_text(groups, "ranks", "elements", " element");
  } else if (groups) {
    printf(" axis %.0f is cut:", json_number_value(report_at(side, "axis")));
    groups_text(groups, "ranks", "planes", " plane");
  } else {
    json_array_foreach(report_at(side, "cuts"), i, c) {
      double parts = json_number_value(report_at(c, "parts"));
      printf("%s axis %.0f %sin %.0f part%s:", i ? ";" : "",
             json_number_value(report_at(c, "axis")), i ? "" : "is cut ", parts,
             parts > 1 ? "s" : "");
      groups_text(report_at(c, "groups"), "parts", "length", "");
    }
  }
  printf("\n");
}

/* "bricks     2 redistributions to and from the boxes of slabs, 12.3 MB a rank" */
static void bricks_text(const json_t *item) {
  char bytes[32];
  double count = report_number(item, "redistributions.count");
  if (!(count > 0)) return;
  printf("  %-9s  %.0f redistribution%s between them and the boxes of decomp=%s: %s a rank\n",
         "bricks", count, count > 1 ? "s" : "", report_word(item, "decomp"),
         report_bytes(report_number(item, "redistributions.remote_bytes_per_rank"), bytes));
}

/* A line for each step of a plan with several. */
static void steps_text(const json_t *steps) {
  size_t i;
  json_t *step;
  char bytes[32], seconds[32];
  if (json_array_size(steps) < 2) return;
  json_array_foreach(steps, i, step) {
    double messages = report_number(step, "remote_per_rank");
    printf("  %-9s  %-15s", i ? "" : "steps", report_word(step, "kind"));
    if (messages > 0)
      printf("%.0f message%s of a rank, %s in all; ", messages, messages > 1 ? "s" : "",
             report_bytes(report_number(step, "remote_bytes_per_rank"), bytes));
    printf("%s\n", report_seconds(report_number(step, "predicted_s"), seconds));
  }
}

static void explain_text(const app *a, const json_t *report) {
  const char *problem = report_word(report, "problem");
  size_t i, w;
  json_t *item, *warning;
  if (problem)
    printf("pfft3d explain  %s on %.0f ranks\n", problem, report_number(report, "ranks"));
  else
    printf("pfft3d explain  %d problems on %.0f ranks\n", options_problems(&a->opt),
           report_number(report, "ranks"));
  explain_machine_text(report);
  if (!problem) {
    report_text_sweep(report);
    return;
  }
  json_array_foreach(report_at(report, "runs"), i, item) {
    report_text_run(item, 0);
    if (options_is(&a->opt, "wire", "single") && options_precision(&a->opt) == PFFT3D_DOUBLE)
      printf("  %-9s  %s\n", "wire", report_word(item, "exchange.wire"));
    layout_text(report_at(item, "layout"), "space");
    layout_text(report_at(item, "layout"), "spectrum");
    bricks_text(item);
    steps_text(report_at(item, "steps"));
    json_array_foreach(report_at(item, "warnings"), w, warning)
        printf("  %-9s  %s\n", "warning", json_string_value(warning));
  }
  report_text_predicted(report);
  json_array_foreach(report_at(report, "runs"), i, item) if (report_at(item, "unranked"))
      printf("%9s  %s takes ranks that are all on one node (--node-ranks)\n", "",
             report_word(item, "algo"));
  explain_line_model_text(report_at(report, "model"));
}

/* Adds the entry of one request. */
static int explain_one(app *a, json_t *report, pfft3d_request *request, int ranks) {
  pfft3d_explanation x;
  dry_run r = {.request = request, .x = &x, .ranks = ranks};
  if (pfft3d_explain(request, ranks, &x, sizeof x, &a->error)) return a->error.status;
  pfft3d_request_problem(request, &r.problem);
  pfft3d_request_get(request, "bricks", r.bricks, sizeof r.bricks);
  request_decide(request, &x.decision);
  report_add(report, explain_json(&r));
  if (!report_at(report, "machine"))
    json_object_set_new(report, "machine", explain_machine(&x.machine));
  return PFFT3D_OK;
}

static void warn_left_out(const app *a, const pfft3d_request *r, const pfft3d_error *why) {
  char name[2 * NAME_SIZE], engine[NAME_SIZE];
  app_warn(a, "%s with engine %s is left out: %s", request_label(r, name),
           pfft3d_request_get(r, "engine", engine, sizeof engine), why->text);
}

/* Explains all plans for the current problem.  Impossible plans are left out, unless all are. */
static void explain_problem(app *a, json_t *report, int ranks) {
  const options *o = &a->opt;
  pfft3d_request *requests[MAX_REQUESTS];
  pfft3d_problem problem;
  int count = options_requests(a, requests, MAX_REQUESTS), single = options_problems(o) == 1;
  size_t before = json_array_size(report_at(report, "runs"));
  pfft3d_request_problem(requests[0], &problem);
  report_problem(a, report, &problem);
  if (single) line_head(report, requests[0]);
  if (problem.dims == 1 && single)
    json_object_set_new(report, "model", explain_line_model(a, requests[0], ranks));
  pfft3d_error *left_out = app_malloc(a, (size_t)count, sizeof *left_out);
  for (int i = 0; i < count && !a->error.status; i++) {
    left_out[i] = (pfft3d_error){.status = PFFT3D_OK};
    int status = explain_one(a, report, requests[i], ranks);
    if (status != PFFT3D_ERR_UNAVAILABLE && o->method.count < 2) continue;
    left_out[i] = a->error;
    memset(&a->error, 0, sizeof a->error);
  }
  int any = json_array_size(report_at(report, "runs")) > before;
  if (!any && !a->error.status) a->error = left_out[count - 1];
  for (int i = 0; i < count && any && !a->error.status; i++)
    if (left_out[i].status) warn_left_out(a, requests[i], &left_out[i]);
  free(left_out);
  report_sweep(a, report, &problem);
  requests_destroy(requests, count);
}

/* Local. Only arithmetic: all ranks of a run compute the same, rank 0 prints. */
static int explain_run(app *a) {
  const options *o = &a->opt;
  if (o->map) return explain_map(a);
  int ranks = o->ranks ? (int)o->ranks : a->ranks, problems = options_problems(o);
  json_t *report = report_begin(a);
  for (int i = 0; i < problems && !a->error.status; i++) {
    options_select(&a->opt, i);
    explain_problem(a, report, ranks);
  }
  json_object_set_new(report, "ranks", json_integer(ranks));
  explain_end(a, report, explain_text);
  return a->error.status;
}

const command cmd_explain = {
    .name = "explain",
    .summary = "shows layouts, messages, memory and costs without running",
    .options =
        "exchange=all grid=128 type=c2c " LINE_OPTIONS FIELD_OPTIONS TRANSFORM_OPTIONS
        "machine batch order ranks map grids rank-counts latency bandwidth json csv watchdog quiet",
    .about =
        "Needs one process only.  Figures are for a forward transform, per rank, the maximum\n"
        "over ranks.  With --map: the best plan by the model for each cube and number of ranks.\n\n"
        "Examples:\n"
        "  pfft3d explain --grid 512 --ranks 64\n"
        "  pfft3d explain --grid 4096 --ranks 1000 --exchange slabs --json -\n"
        "  pfft3d explain --grid 4096 --ranks 65536 --pgrid 256x256 --type r2c\n"
        "  pfft3d explain --map --machine data/machines/fattree.machine\n"
        "  pfft3d explain --map --grids 64..1024 --rank-counts 1..4096x4 --csv map.csv\n"
        "  pfft3d explain --size 2^30 --ranks 1024 --layout cyclic --latency 1e-6\n",
    .run = explain_run,
};
