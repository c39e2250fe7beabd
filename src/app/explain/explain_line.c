/* SPDX-License-Identifier: BSD-3-Clause
 * explain for lines: elements of each rank, and costs of the methods by a model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/explain/explain.h"
#include "app/report/report.h"
#include "app/run/line.h"

/* ---- Elements of each rank ---------------------------------------------------------------- */

static ptrdiff_t elements_of(const pfft3d_request *r, int ranks, pfft3d_side side, int rank) {
  pfft3d_box b;
  return pfft3d_explain_box(r, ranks, side, rank, &b) ? 0 : b.len[0] * b.len[1] * b.len[2];
}

json_t *explain_line_layout(const pfft3d_request *r, int ranks, pfft3d_side side) {
  char cuts[FILE_SIZE];
  json_t *groups = json_array();
  int listed = request_is(r, "cuts", "lists") ||
               strchr(pfft3d_request_get(r, "cuts", cuts, sizeof cuts), ':');
  for (int first = 0, last; first < ranks; first = last + 1) {
    ptrdiff_t count = elements_of(r, ranks, side, first);
    /* Consecutive ranks often hold equally many elements: searches the end of a group in steps that
     * double, then halve; in a list of cuts a number may occur again later. */
    int step = 1;
    for (last = first; step > 0;) {
      int fits = last + step < ranks && elements_of(r, ranks, side, last + step) == count;
      if (fits) last += step;
      step = listed ? fits : fits ? 2 * step : step / 2;
      if (step > ranks) step = ranks;
    }
    json_array_append_new(
        groups, json_pack("{s:[i,i],s:I}", "ranks", first, last, "elements", (json_int_t)count));
  }
  return json_pack("{s:s,s:o}", "dealing", line_distribution(r, side), "groups", groups);
}

/* ---- The model ---------------------------------------------------------------------------- */

/* The cost of one method, always with exchange packed, so that methods are compared and not message
 * sizes. */
static json_t *method_cost(pfft3d_request *r, int ranks, const char *name, pfft3d_machine *m) {
  pfft3d_explanation x;
  pfft3d_error e;
  pfft3d_request_set(r, "method", name, NULL);
  if (pfft3d_explain(r, ranks, &x, sizeof x, &e))
    return json_pack("{s:s,s:n,s:s}", "method", name, "predicted_s", "why", e.text);
  *m = x.machine;
  return json_pack("{s:s,s:o,s:i,s:o,s:o}", "method", name, "predicted_s",
                   report_real(x.exchange_seconds), "exchanges", x.exchanges, "remote_per_rank",
                   report_count(x.messages), "remote_bytes_per_rank", report_count(x.bytes));
}

json_t *explain_line_model(const app *a, const pfft3d_request *r, int ranks) {
  pfft3d_machine machine = a->opt.machine;
  pfft3d_request *like = request_copy(a, r);
  json_t *methods = json_array();
  const char *name, *best = NULL;
  double least = INFINITY;
  pfft3d_request_set(like, "exchange", "packed", NULL);
  for (int i = 0; (name = pfft3d_list_name(PFFT3D_METHODS, i, NULL)); i++) {
    json_t *m = method_cost(like, ranks, name, &machine);
    const json_t *cost = report_at(m, "predicted_s");
    json_array_append_new(methods, m);
    if (json_is_number(cost) && json_number_value(cost) < least)
      least = json_number_value(cost), best = name;
  }
  pfft3d_request_destroy(&like);
  return json_pack("{s:f,s:f,s:o,s:s?}", "latency_s", machine.start[1], "bandwidth",
                   machine.bandwidth[1] / (machine.node_ranks > 1 ? machine.node_ranks : 1),
                   "methods", methods, "best", best);
}

void explain_line_model_text(const json_t *model) {
  char text[32], each[32];
  size_t i;
  json_t *m;
  const char *best = json_string_value(report_at(model, "best"));
  if (!model) return;
  printf("\nCost of the exchanges by the model of a = %s a message and b = 1 s / %.4g GB\n",
         report_seconds(json_number_value(report_at(model, "latency_s")), text),
         json_number_value(report_at(model, "bandwidth")) / 1e9);
  printf("(--latency, --bandwidth), with one message for each partner (packed):\n");
  json_array_foreach(report_at(model, "methods"), i, m) {
    const char *name = json_string_value(report_at(m, "method"));
    if (json_is_null(report_at(m, "predicted_s"))) {
      printf("  %-10s  none: %s\n", name, json_string_value(report_at(m, "why")));
      continue;
    }
    double count = json_number_value(report_at(m, "exchanges"));
    printf("  %-10s  %s for %.0f exchange%s: %.0f a + %s b%s\n", name,
           report_seconds(json_number_value(report_at(m, "predicted_s")), text), count,
           count == 1 ? "" : "s", json_number_value(report_at(m, "remote_per_rank")),
           report_bytes(json_number_value(report_at(m, "remote_bytes_per_rank")), each),
           best && strcmp(best, name) == 0 ? ", the cheapest" : "");
  }
}
