/* SPDX-License-Identifier: BSD-3-Clause
 * Advice about idle ranks, and about layouts that need more exchanges than others. */
#ifndef PF_APP_REPORT_ADVICE_H
#define PF_APP_REPORT_ADVICE_H

#include <pfft3d_tune.h>

#include "app/common/request.h"

enum { ADVICE_SIZE = 256 };

/** Local. One line: why `idle` of `ranks` ranks are idle with a plan made from @p made, which has
 *  the decision of the plan, and what would use more of them. */
void advice_idle(const pfft3d_request *made, int ranks, int idle, char text[ADVICE_SIZE]);

/** Local. One line about layouts of a line that need more exchanges than blocks; returns 0, or 1
 *  if there is no advice. */
int advice_layout(const pfft3d_request *made, int ranks, char text[ADVICE_SIZE]);

#endif
