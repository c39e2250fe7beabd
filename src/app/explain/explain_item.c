/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of the reports of dry runs. */
#include <stdio.h>
#include <string.h>

#include "app/explain/explain.h"
#include "app/report/report.h"
#include "app/run/line.h"
#include "app/run/run.h"

json_t *explain_item(const pfft3d_request *r, int ranks, const pfft3d_explanation *x) {
  json_t *j = run_describe(&x->decision, PFFT3D_FORWARD);
  json_object_update_new(
      j, json_pack("{s:{s:o,s:o,s:o,s:o,s:o},s:{s:o,s:o},s:i,s:f,s:i,s:o,s:o,s:o,s:o}", "messages",
                   "remote_per_rank", report_count(x->messages), "bytes_each_min",
                   report_count(x->bytes_min), "bytes_each_max", report_count(x->bytes_max),
                   "remote_bytes_per_rank", report_count(x->bytes), "stored_bytes_per_rank",
                   report_count(x->stored_bytes), "memory", "user_bytes",
                   report_count(x->user_bytes), "work_bytes", report_count(x->work_bytes),
                   "idle_ranks", x->idle_ranks, "passes", x->passes, "exchanges", x->exchanges,
                   "exchange", json_pack("{s:s}", "wire", run_precision_name(x->wire)),
                   "predicted_s", report_real(x->seconds), "pass_s", report_real(x->pass_seconds),
                   "exchange_s", report_real(x->exchange_seconds)));
  if (x->reason[0]) json_object_set_new(j, "reason", json_string(x->reason));
  if (x->redistributions)
    json_object_set_new(j, "redistributions",
                        json_pack("{s:i,s:o}", "count", x->redistributions, "remote_bytes_per_rank",
                                  report_count(x->redist_bytes)));
  if (!explain_possible(x, ranks)) json_object_set_new(j, "unranked", json_true());
  if (strcmp(x->decision.algo, "node") == 0)
    json_object_set_new(j, "node_ranks", json_integer(x->machine.node_ranks));
  line_describe(j, r, &x->decision, ranks);
  json_object_del(j, "out_layout"); /* "layout" has both sides */
  return j;
}

int explain_possible(const pfft3d_explanation *x, int ranks) {
  return strcmp(x->decision.algo, "shared") != 0 || ranks <= x->machine.node_ranks;
}

static json_t *pair(const double v[2]) {
  return json_pack("{s:o,s:o}", "inside", report_real(v[0]), "between", report_real(v[1]));
}

json_t *explain_machine(const pfft3d_machine *m) {
  json_t *j = json_pack("{s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:i,s:o,s:o,s:o,s:o}", "node_ranks",
                        m->node_ranks, "start", pair(m->start), "latency", pair(m->latency),
                        "bandwidth", pair(m->bandwidth), "overlap", pair(m->overlap), "memory",
                        report_real(m->memory), "flops", report_real(m->flops), "group", m->group,
                        "taper", report_real(m->taper), "paths", report_real(m->paths), "cache",
                        report_real(m->cache), "cached", report_real(m->cached));
  if (m->name[0]) json_object_set_new(j, "name", report_words(m->name));
  return j;
}

void explain_machine_text(const json_t *report) {
  const json_t *m = report_at(report, "machine");
  const char *name = report_word(m, "name");
  double ranks = report_number(m, "node_ranks");
  char start[32], inside[32];
  if (!m) return;
  printf("model: %s%s%.0f rank%s on a node, %.4g GB/s and %s a message between nodes",
         name ? name : "", name ? ", " : "", ranks, ranks > 1 ? "s" : "",
         report_number(m, "bandwidth.between") / 1e9,
         report_seconds(report_number(m, "start.between") + report_number(m, "latency.between"),
                        start));
  if (ranks > 1)
    printf(", %.4g GB/s a rank and %s inside", report_number(m, "bandwidth.inside") / 1e9,
           report_seconds(report_number(m, "start.inside") + report_number(m, "latency.inside"),
                          inside));
  printf(", memory %.4g GB/s, %.4g Gflop/s\n", report_number(m, "memory") / 1e9,
         report_number(m, "flops") / 1e9);
}

void explain_end(app *a, json_t *report, void (*text)(const app *a, const json_t *report)) {
  /* the explained machine is not this one */
  static const char *const elsewhere[] = {"nodes", "ranks_per_node", "load_average", "seed"};
  for (int i = 0; i < 4; i++) json_object_del(report, elsewhere[i]);
  if (a->error.status)
    json_decref(report);
  else
    report_end(a, report, text);
}
