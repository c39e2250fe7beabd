/* SPDX-License-Identifier: BSD-3-Clause
 * The timeline of --timeline: made before the work of a command, written after it. */
#ifndef PF_APP_COMMON_TIMELINE_H
#define PF_APP_COMMON_TIMELINE_H

#include "app/common/app.h"

/** Collective on a->comm. Makes a->timeline, if there is to be one.  Errors, in a->error: those of
 *  pfft3d_timeline_create(). */
int timeline_open(app *a);

/** Collective on a->comm. Records the executions of a plan from now on, if there is a timeline; or
 * no more, if @p on is 0.  Errors end the program. */
void timeline_record(const app *a, pfft3d_plan *plan, int on);

/** Collective on a->comm. Writes the file, unless the command has failed, and warns of what was
 * left out.  Errors, in a->error: those of pfft3d_timeline_write(). */
void timeline_close(app *a);

#endif
