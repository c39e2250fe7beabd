/* SPDX-License-Identifier: BSD-3-Clause
 * Dry runs of one dimension. */
#ifndef PF_PLANNER_EXPLAIN_LINE_H
#define PF_PLANNER_EXPLAIN_LINE_H

#include "planner/complete.h"

/** Local. As pfft3d_explain(), except for the reason and the machine.  Errors: UNAVAILABLE. */
int pf_line_explain(const pf_resolved *r, int ranks, pfft3d_explanation *x, pfft3d_error *e);

#endif
