/* SPDX-License-Identifier: BSD-3-Clause
 * Entries of reports for lines: size, distribution over the ranks, method. */
#include "app/run/line.h"

const char *line_distribution(const pfft3d_request *r, const pfft3d_decision *d, pfft3d_side side) {
  if (side == PFFT3D_SPECTRUM && d->order == PFFT3D_TRANSPOSED) return "scrambled";
  return r->layout[side] == PFFT3D_CYCLIC ? "cyclic" : "block";
}

void line_head(json_t *report, const pfft3d_request *r) {
  if (!r->line) return;
  json_object_update_new(report,
                         json_pack("{s:I,s:s,s:s}", "size", (json_int_t)r->problem.n[2], "layout",
                                   line_distribution(r, &r->decision, PFFT3D_SPACE), "out_layout",
                                   line_distribution(r, &r->decision, PFFT3D_SPECTRUM)));
}

void line_describe(json_t *item, const pfft3d_request *r, const pfft3d_decision *d, int ranks) {
  if (!r->line) return;
  json_object_update_new(
      item, json_pack("{s:I,s:s,s:s,s:s,s:[I,I],s:[i,i]}", "size", (json_int_t)r->problem.n[2],
                      "layout", line_distribution(r, d, PFFT3D_SPACE), "out_layout",
                      line_distribution(r, d, PFFT3D_SPECTRUM), "method", d->scheme, "split",
                      (json_int_t)d->split[0], (json_int_t)d->split[1], "pgrid", 1, ranks));
}
