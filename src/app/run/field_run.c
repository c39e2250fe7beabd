/* SPDX-License-Identifier: BSD-3-Clause
 * Plans and reports of commands that work on files. */
#include "app/run/field_run.h"

#include <stdio.h>
#include <string.h>

#include "app/report/report.h"

pfft3d_problem field_problem(const app *a, pfft3d_numbers numbers, const ptrdiff_t n[3]) {
  pfft3d_problem p = {.kind = numbers == PFFT3D_REAL ? PFFT3D_R2C : PFFT3D_C2C,
                      .precision = options_precision(&a->opt),
                      .dims = 3,
                      .batch = 1};
  memcpy(p.n, n, sizeof p.n);
  return p;
}

int field_plan(const app *a, const pfft3d_problem *p, run *r, pfft3d_error *e) {
  pfft3d_request *request = options_request(a, p);
  pfft3d_request_set(request, "order", "transposed", NULL);
  run_open(a, r, request, NORM_BACKWARD, 1, e);
  pfft3d_request_destroy(&request);
  return e->status;
}

rows field_rows(const app *a, const run *r, const ptrdiff_t n[3]) {
  size_t bytes = pfft3d_element_bytes(&r->problem, PFFT3D_SPACE);
  pfft3d_box box;
  pfft3d_plan_box(r->plan, PFFT3D_SPACE, a->rank, &box);
  return rows_make(&box, n, bytes, bytes);
}

ptrdiff_t field_modes(const app *a, const run *r) {
  pfft3d_box box;
  pfft3d_plan_box(r->plan, PFFT3D_SPECTRUM, a->rank, &box);
  return box.len[0] * box.len[1] * box.len[2];
}

void field_report(const app *a, const field_input *in, const field_output *out, json_t *item,
                  json_t *report) {
  const pfft3d_dataset_info *info = &in->info;
  json_t *phases = json_object();
  json_object_set_new(phases, "read", run_spread(a, in->seconds));
  if (out) json_object_set_new(phases, "write", run_spread(a, out->seconds));
  json_object_set_new(item, "phases", phases);
  json_object_set_new(report, "input",
                      json_pack("{s:o,s:o,s:o,s:f}", "file", report_words(info->file), "path",
                                report_words(info->path), "type", report_words(info->type),
                                "nonfinite", info->nonfinite + in->filled));
  if (out) json_object_set_new(report, "output", report_words(out->name));
}

void field_print_times(const json_t *item) {
  char text[32];
  printf(", read in %s", report_seconds(report_number(item, "phases.read.max"), text));
  if (report_at(item, "phases.write"))
    printf(", written in %s", report_seconds(report_number(item, "phases.write.max"), text));
  printf("\n");
}
