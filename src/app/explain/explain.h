/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of the reports of dry runs. */
#ifndef PF_APP_EXPLAIN_EXPLAIN_H
#define PF_APP_EXPLAIN_EXPLAIN_H

#include <jansson.h>

#include "app/common/request.h"
#include "app/common/app.h"

/** Local. The entry of one plan: its decision and all figures. */
json_t *explain_item(const pfft3d_request *r, int ranks, const pfft3d_explanation *x);

/** Local. Nonzero if the exchange works on the nodes of the machine. */
int explain_possible(const pfft3d_explanation *x, int ranks);

/** Local. The machine that the model assumes; and its line of text. */
json_t *explain_machine(const pfft3d_machine *m);
void explain_machine_text(const json_t *report);

/** Local. Prints a report of dry runs, unless there is an error, and frees it. */
void explain_end(app *a, json_t *report, void (*text)(const app *a, const json_t *report));

/** Local. {"dealing", "groups"}: the distribution of a side of a line over the ranks, and the
 *  number of elements of each. @p r has the decision of a plan. */
json_t *explain_line_layout(const pfft3d_request *r, int ranks, pfft3d_side side);

/** Local. The cost of each method for lines like @p r by latency and bandwidth: the constants,
 *  "methods" and the "best" of them; and its text. */
json_t *explain_line_model(const app *a, const pfft3d_request *r, int ranks);
void explain_line_model_text(const json_t *model);

/** Local. explain --map.  Returns a->error.status. */
int explain_map(app *a);

#endif
