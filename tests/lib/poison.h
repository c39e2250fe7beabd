/* SPDX-License-Identifier: BSD-3-Clause
 * What a plan keeps between runs, full of NaN: whatever a run reads there without having written it
 * first spoils its result.  The one test support that looks inside. */
#ifndef PF_TESTS_POISON_H
#define PF_TESTS_POISON_H

#include "pfft3d.h"

/* Local, while no other rank runs the plan.  Rows of zeros (PF_SLOT_EDGES) stay what they are. */
void poison_plan(pfft3d_plan *p);

#endif
