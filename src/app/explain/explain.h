/* SPDX-License-Identifier: BSD-3-Clause
 * What the reports of dry runs have in common. */
#ifndef PF_APP_EXPLAIN_EXPLAIN_H
#define PF_APP_EXPLAIN_EXPLAIN_H

#include <jansson.h>

#include "app/common/app.h"

/** Local. One strategy in the report: what is decided, and all figures. */
json_t *explain_item(const pfft3d_request *r, int ranks, const pfft3d_explanation *x);

/** Local. Whether its exchange can be had on the nodes of the machine. */
int explain_possible(const pfft3d_explanation *x, int ranks);

/** Local. The machine that the model reckons with; and the line that says so of a report. */
json_t *explain_machine(const pfft3d_machine *m);
void explain_machine_text(const json_t *report);

/** Local. Prints a report of no runs but dry ones, and frees it; after an error it only frees. */
void explain_end(app *a, json_t *report, void (*text)(const app *a, const json_t *report));

/** Local. {"dealing", "groups"}: the distribution of a side of a line over the ranks, and how many
 *  elements each of them holds.  @p r has the decision of a plan. */
json_t *explain_line_layout(const pfft3d_request *r, int ranks, pfft3d_side side);

/** Local. What each method of a line costs by the model of latency and bandwidth, for requests like
 *  @p r: the constants, "methods" and the "best" of them; and its text. */
json_t *explain_line_model(const pfft3d_request *r, int ranks);
void explain_line_model_text(const json_t *model);

/** Local. explain --map.  Returns a->error.status. */
int explain_map(app *a);

#endif
