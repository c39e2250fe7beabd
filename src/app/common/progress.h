/* SPDX-License-Identifier: BSD-3-Clause
 * The progress line: on a terminal what the program does, how much of it is done, and how long the
 * rest will take; nothing in a log. */
#ifndef PF_APP_COMMON_PROGRESS_H
#define PF_APP_COMMON_PROGRESS_H

#include "app/common/app.h"

/** Local. As app_progress(), for one of several parts of a job: the line begins with the share that
 *  is done, 0 to 1, and ends with the time that the rest will take if it goes on like that.  The
 *  lines of app_progress() begin with it, too, until one is empty, which ends the job. */
void app_progress_share(const app *a, double share, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Local. From now on a long call of the library shows its own share, as app_progress_share(), with
 *  this name; of calls that do not know theirs it is that of @p seconds, if these are not 0.  Ends
 *  with progress_leave(). */
void progress_enter(const app *a, double seconds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void progress_leave(const app *a);

#endif
