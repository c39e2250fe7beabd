/* SPDX-License-Identifier: BSD-3-Clause
 * Entries of reports for lines, which are transforms of one dimension. */
#ifndef PF_APP_RUN_LINE_H
#define PF_APP_RUN_LINE_H

#include <jansson.h>

#include "app/common/request.h"
#include "app/common/app.h"

/** Local. The distribution of a side of a line over the ranks: "block", "cyclic" or "scrambled". */
const char *line_distribution(const pfft3d_request *r, pfft3d_side side);

/** Local. Adds "size", "layout" and "out_layout" of the line to the report; nothing if @p r is for
 *  a field. */
void line_head(json_t *report, const pfft3d_request *r);

/** Local. Adds "size", "layout", "out_layout", "method", "split" and the "pgrid" of a line to the
 *  entry of a run; nothing if @p r is for a field. */
void line_describe(json_t *item, const pfft3d_request *r, const pfft3d_decision *d, int ranks);

#endif
