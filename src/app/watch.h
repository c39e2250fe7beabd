/* SPDX-License-Identifier: BSD-3-Clause
 * The ways a run ends from outside: no progress for too long, or a signal.  Both leave no
 * unfinished file behind and say so in one line. */
#ifndef PFFT3D_APP_WATCH_H
#define PFFT3D_APP_WATCH_H

#include "app.h"

/** Local. Installs the handlers and starts the watchdog of a->opt.watchdog seconds (0: none). */
void watch_start(const app *a);

/** Local. Progress: the watchdog starts to count again.  @p phase, a string that stays, says in
 *  the message what was going on: "planning". */
void watch_kick(const char *phase);

/** Files that are under way: the temporary output, and reports that were not there before. */
typedef enum watch_slot { WATCH_OUTPUT, WATCH_JSON, WATCH_CSV, WATCH_SLOTS } watch_slot;

/** Local. The file to remove when the run is stopped; NULL: none any more. */
void watch_file(watch_slot slot, const char *name);

/** Local. Removes the files that are still under way.  Async-signal-safe. */
void watch_remove(void);

/** Local. The run is over but for MPI_Finalize(), with this exit code: mpirun ends the ranks that
 * are a little late by a signal, which is no news any more. */
void watch_end(int status);

#endif
