/* SPDX-License-Identifier: BSD-3-Clause
 * The ways a run ends from outside: no progress for too long, or a signal.  Both leave no
 * unfinished file behind and say so in one line. */
#ifndef PF_APP_COMMON_WATCH_H
#define PF_APP_COMMON_WATCH_H

#include "app/common/app.h"

/** Local, before MPI_Init(): MPI's own threads leave signals to the thread that does the work,
 * which then does nothing else while it handles one.  @p seconds (0: any time) without MPI end the
 * run: a rank may wait in MPI_Init() for one that does not come. */
void watch_init(long long seconds);

/** Collective. Installs the handlers, and starts the watchdog with the time of watch_init(). */
void watch_start(const app *a);

/** Local. The watchdog's time is a->opt.watchdog seconds from now on (0: none). */
void watch_limit(const app *a);

/** Local. Progress: the watchdog starts to count again.  @p phase, a string that stays, says in
 *  the message what was going on: "planning". */
void watch_kick(const char *phase);

/** Local. The phase that was named last. */
const char *watch_phase(void);

/** Files of the program that are under way: new reports, not yet under their names.  The library
 * knows its own files. */
enum { WATCH_JSON, WATCH_CSV, WATCH_SLOTS };
typedef int watch_slot;

/** Local. The file to remove when the run is stopped; NULL: none any more. */
void watch_file(watch_slot slot, const char *name);

/** Collective on a->comm. All ranks know of the files of rank 0 from now on: it may be the first
 * that is gone. */
void watch_share(const app *a);

/** Local. Removes all files that are still under way.  Async-signal-safe. */
void watch_remove(void);

/** Local. This rank has said why the run ends: rank 0, which will be stopped for that, need not say
 *  so.  Reaches it on the same node only.  Async-signal-safe. */
void watch_tell(void);

/** Local. The run is over but for MPI_Finalize(), with this exit code: mpirun ends the ranks that
 * are a little late by a signal, which is no news any more. */
void watch_end(int status);

#endif
