/* SPDX-License-Identifier: BSD-3-Clause
 * Entries of reports for lines: size, distribution over the ranks, method. */
#include "app/run/line.h"

const char *line_distribution(const pfft3d_request *r, pfft3d_side side) {
  if (side == PFFT3D_SPECTRUM && !request_is(r, "order", "natural")) return "scrambled";
  const char *key = side == PFFT3D_SPACE ? "layout" : "out-layout";
  return request_is(r, key, "cyclic") ? "cyclic" : "block";
}

void line_head(json_t *report, const pfft3d_request *r) {
  pfft3d_problem p;
  pfft3d_request_problem(r, &p);
  if (p.dims != 1) return;
  json_object_update_new(report, json_pack("{s:I,s:s,s:s}", "size", (json_int_t)p.n[2], "layout",
                                           line_distribution(r, PFFT3D_SPACE), "out_layout",
                                           line_distribution(r, PFFT3D_SPECTRUM)));
}

void line_describe(json_t *item, const pfft3d_request *r, const pfft3d_decision *d, int ranks) {
  pfft3d_problem p;
  pfft3d_request_problem(r, &p);
  if (p.dims != 1) return;
  json_object_update_new(
      item, json_pack("{s:I,s:s,s:s,s:s,s:[I,I],s:[i,i]}", "size", (json_int_t)p.n[2], "layout",
                      line_distribution(r, PFFT3D_SPACE), "out_layout",
                      line_distribution(r, PFFT3D_SPECTRUM), "method", d->scheme, "split",
                      (json_int_t)d->split[0], (json_int_t)d->split[1], "pgrid", 1, ranks));
}
