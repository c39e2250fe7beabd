/* SPDX-License-Identifier: BSD-3-Clause
 * Fills a plan's memory between runs with NaN: a run that reads it before writing gets a wrong
 * result.  The only test support that accesses internals. */
#ifndef PF_TESTS_POISON_H
#define PF_TESTS_POISON_H

#include "pfft3d_tune.h"

/* Local, while no other rank runs the plan.  Rows of zeros (PF_SLOT_EDGES) are kept. */
void poison_plan(pfft3d_plan *p);

#endif
