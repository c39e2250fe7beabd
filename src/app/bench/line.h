/* SPDX-License-Identifier: BSD-3-Clause
 * What only lines, transforms of one dimension, have: their part of the report, their files, and
 * the model of what their methods cost. */
#ifndef PF_APP_BENCH_LINE_H
#define PF_APP_BENCH_LINE_H

#include <jansson.h>

#include "app/cli/app.h"

/** Collective on a->comm. `line` of a file: dataset in, transform, dataset out.  Returns
 *  a->error.status. */
int line_file_run(app *a);

/** Local. Adds to the report the "size" of the line that was asked for, "layout" and "out_layout";
 *  nothing where @p r is for a field. */
void line_head(json_t *report, const pfft3d_request *r);

/** Local. Adds to the entry of a run "size", "layout", "out_layout", "method", "split", and
 *  "pgrid" as it is of lines; nothing where @p r is for a field. */
void line_describe(json_t *item, const pfft3d_request *r, const pfft3d_decision *d, int ranks);

/** Local. {"dealing", "groups"}: how the elements of a side are dealt out to the ranks, and how
 *  many each of them holds.  @p r has the decision of a plan. */
json_t *line_layout(const pfft3d_request *r, int ranks, pfft3d_side side);

/** Local. What each method costs by the model of latency and bandwidth, for requests like @p r: the
 *  constants, "methods" and the "best" of them. */
json_t *line_model(const pfft3d_request *r, int ranks);
void line_model_text(const json_t *model);

/** Local. The "hpcc" object of a forward run: what the G-FFT of HPC Challenge reports and demands.
 *  @p backward is the run back, or NULL; @p largest the largest error of an element after both. A
 *  failure is recorded in a->error. */
json_t *hpcc_report(app *a, const pfft3d_problem *p, const json_t *forward, const json_t *backward,
                    double largest);
void hpcc_text(const app *a, const json_t *item);

#endif
