/* SPDX-License-Identifier: BSD-3-Clause
 * explain: what a plan for any number of ranks would be, worked out on one process. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "report.h"
#include "run.h"

/* Ranks that hold equally many planes along the distributed axis. */
static json_t *group_json(int first, int last, ptrdiff_t planes) {
  return json_pack("{s:[i,i],s:I}", "ranks", first, last, "planes", (json_int_t)planes);
}

/* The axis along which the boxes of a side are cut. */
static int cut_axis(const pfft3d_request *r, pfft3d_side side) {
  return side == PFFT3D_SPECTRUM && r->decision.order == PFFT3D_TRANSPOSED ? 1 : 0;
}

/* {"axis", "groups"} of a side. */
static json_t *layout_json(const pfft3d_request *r, int ranks, pfft3d_side side) {
  int axis = cut_axis(r, side), first = 0;
  ptrdiff_t planes = -1;
  json_t *groups = json_array();
  for (int rank = 0; rank < ranks; rank++) {
    pfft3d_box box;
    pfft3d_explain_box(r, ranks, side, rank, &box);
    if (box.len[axis] == planes) continue;
    if (rank) json_array_append_new(groups, group_json(first, rank - 1, planes));
    first = rank;
    planes = box.len[axis];
  }
  json_array_append_new(groups, group_json(first, ranks - 1, planes));
  return json_pack("{s:i,s:o}", "axis", axis, "groups", groups);
}

static json_t *warnings_json(const pfft3d_request *r, int ranks, const pfft3d_explanation *x) {
  json_t *list = json_array();
  char text[200];
  ptrdiff_t n0 = r->problem.n[0], n1 = r->problem.n[1];
  if (x->idle_ranks > 0) {
    snprintf(text, sizeof text, "%d of %d ranks are idle: there are only %td planes to share",
             x->idle_ranks, ranks, n0 < n1 ? n0 : n1);
    json_array_append_new(list, json_string(text));
    if (strcmp(x->decision.algo, "pencils") == 0)
      json_array_append_new(
          list, json_string("'pencils' names an exchange, one message per row; the array is still "
                            "cut into slabs, so that ranks beyond its planes get nothing"));
  }
  return list;
}

static json_t *explain_json(const pfft3d_request *r, int ranks, const pfft3d_explanation *x) {
  json_t *j = run_describe(&x->decision, PFFT3D_FORWARD, ranks);
  json_object_update_new(
      j, json_pack("{s:{s:I,s:I,s:I,s:I},s:{s:I,s:I},s:i,s:f,s:i,s:n}", "messages",
                   "remote_per_rank", (json_int_t)x->messages, "bytes_each_min",
                   (json_int_t)x->bytes_min, "bytes_each_max", (json_int_t)x->bytes_max,
                   "remote_bytes_per_rank", (json_int_t)x->bytes, "memory", "user_bytes",
                   (json_int_t)x->user_bytes, "work_bytes", (json_int_t)x->work_bytes, "idle_ranks",
                   x->idle_ranks, "passes", x->passes, "exchanges", x->exchanges, "predicted_s"));
  json_object_set_new(j, "layout",
                      json_pack("{s:o,s:o}", "space", layout_json(r, ranks, PFFT3D_SPACE),
                                "spectrum", layout_json(r, ranks, PFFT3D_SPECTRUM)));
  json_object_set_new(j, "warnings", warnings_json(r, ranks, x));
  return j;
}

/* "ranks 0..3 hold 129 planes, 4..7 hold 128" */
static void layout_text(const json_t *layout, const char *name) {
  const json_t *side = report_at(layout, name);
  size_t i;
  json_t *group;
  printf("  %-9s  axis %.0f is cut:", name, json_number_value(report_at(side, "axis")));
  json_array_foreach(report_at(side, "groups"), i, group) {
    const json_t *ranks = report_at(group, "ranks");
    double first = json_number_value(json_array_get(ranks, 0));
    double last = json_number_value(json_array_get(ranks, 1));
    double planes = json_number_value(report_at(group, "planes"));
    int many = last > first;
    printf("%s %s %.0f", i ? "," : "", many ? "ranks" : "rank", first);
    if (many) printf("..%.0f", last);
    printf(many ? " hold" : " holds");
    if (planes > 0)
      printf(" %.0f plane%s", planes, planes > 1 ? "s" : "");
    else
      printf(" none");
  }
  printf("\n");
}

static void explain_text(const app *a, const json_t *report) {
  size_t i, w;
  json_t *item, *warning;
  (void)a;
  printf("pfft3d explain  %s on %.0f ranks\n", json_string_value(report_at(report, "problem")),
         json_number_value(report_at(report, "ranks")));
  json_array_foreach(report_at(report, "runs"), i, item) {
    report_text_run(item, 0);
    layout_text(report_at(item, "layout"), "space");
    layout_text(report_at(item, "layout"), "spectrum");
    json_array_foreach(report_at(item, "warnings"), w, warning)
        printf("  %-9s  %s\n", "warning", json_string_value(warning));
  }
}

/* Local. Everything here is arithmetic: all ranks of a run do the same, rank 0 prints. */
static int explain_run(app *a) {
  const options *o = &a->opt;
  int ranks = o->ranks ? (int)o->ranks : a->ranks;
  json_t *report = report_begin(a);
  for (int i = 0; i < o->algo.count && !a->error.status; i++)
    for (int j = 0; j < o->engine.count && !a->error.status; j++) {
      pfft3d_request r = options_request(o, o->algo.name[i], o->engine.name[j]);
      pfft3d_explanation x;
      if (i + j == 0) report_problem(a, report, &r.problem);
      if (pfft3d_explain(&r, ranks, &x, &a->error)) continue;
      r.decision = x.decision;
      report_add(report, explain_json(&r, ranks, &x));
    }
  /* what is explained need not be where this runs */
  json_object_set_new(report, "ranks", json_integer(ranks));
  static const char *const elsewhere[] = {"nodes", "ranks_per_node", "load_average", "seed"};
  for (int i = 0; i < 4; i++) json_object_del(report, elsewhere[i]);
  if (a->error.status)
    json_decref(report);
  else
    report_end(a, report, explain_text);
  return a->error.status;
}

const command cmd_explain = {
    .name = "explain",
    .summary = "dry run for any number of ranks: layouts, messages, memory",
    .options =
        "grid algo=all decomp engine threads type precision order ranks json csv watchdog quiet",
    .about =
        "Needs one process only.  Figures are those of a forward transform, per rank, the\n"
        "maximum over ranks.\n\n"
        "Examples:\n"
        "  pfft3d explain --grid 512 --ranks 64\n"
        "  pfft3d explain --grid 4096 --ranks 1000 --algo slabs --json -\n",
    .run = explain_run,
};
