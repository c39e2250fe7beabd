/* SPDX-License-Identifier: BSD-3-Clause
 * What to do about ranks that hold nothing, and about layouts that cost more than others. */
#ifndef PF_APP_REPORT_ADVICE_H
#define PF_APP_REPORT_ADVICE_H

#include <pfft3d.h>

enum { ADVICE_SIZE = 256 };

/** Local. One line on why `idle` ranks of `ranks` are idle with the plan that @p made, which has
 * its decision, and what would use more of them. */
void advice_idle(const pfft3d_request *made, int ranks, int idle, char text[ADVICE_SIZE]);

/** Local. One line on layouts of a line that take more exchanges than blocks do; 0, or 1 where
 *  there is nothing to say. */
int advice_layout(const pfft3d_request *made, int ranks, char text[ADVICE_SIZE]);

#endif
