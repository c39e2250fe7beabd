/* SPDX-License-Identifier: BSD-3-Clause
 * What the reports of dry runs have in common. */
#ifndef PF_APP_EXPLAIN_EXPLAIN_H
#define PF_APP_EXPLAIN_EXPLAIN_H

#include <jansson.h>

#include "app/cli/app.h"

/** Local. One strategy in the report: what is decided, and all figures. */
json_t *explain_item(const pfft3d_request *r, int ranks, const pfft3d_explanation *x);

/** Local. Whether its exchange can be had on the nodes of the machine. */
int explain_possible(const pfft3d_explanation *x, int ranks);

/** Local. The machine that the model reckons with; and the line that says so of a report. */
json_t *explain_machine(const pfft3d_machine *m);
void explain_machine_text(const json_t *report);

/** Local. Prints a report of no runs but dry ones, and frees it; after an error it only frees. */
void explain_end(app *a, json_t *report, void (*text)(const app *a, const json_t *report));

/** Local. explain --map.  Returns a->error.status. */
int explain_map(app *a);

#endif
