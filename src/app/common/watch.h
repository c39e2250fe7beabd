/* SPDX-License-Identifier: BSD-3-Clause
 * The end of a run from outside: watchdog and signals. Both remove temporary files and print one
 * line. */
#ifndef PF_APP_COMMON_WATCH_H
#define PF_APP_COMMON_WATCH_H

#include "app/common/app.h"

/** Local, before MPI_Init(). Blocks signals in threads that MPI will start, so that the main
 *  thread receives them. A signal that asks for it ends the run meanwhile, and so do @p seconds (0:
 * no limit), as when a rank is missing. */
void watch_init(long long seconds);

/** Local, before MPI_Init(). The rank, from the environment that launchers set; 0 without a
 *  launcher. */
int watch_rank_told(void);

/** Collective. Installs the handlers, and starts the watchdog with the time of watch_init(). */
void watch_start(const app *a);

/** Local. Sets the time limit of the watchdog to a->opt.watchdog seconds (0: none). */
void watch_limit(const app *a);

/** Local. Opens a file of the launcher that has started this process, such as its stderr, for
 *  writing; -1 without one, or if it cannot be opened. */
int watch_launcher_open(int number);

/** Local. Sets a function that is called when a long call of the library has made progress, which
 *  restarts the watchdog, too; NULL: none. */
void watch_listen(void (*moved)(void));

/** Local. Reports progress: restarts the watchdog. @p phase, a static string such as "planning",
 *  appears in its message. */
void watch_kick(const char *phase);

/** Local. Names a file that is being opened, which rank 0 says once if it takes long; NULL: it is
 *  open. */
void watch_slow(const char *file);

/** Local. The last phase passed to watch_kick(). */
const char *watch_phase(void);

/** Temporary files of the program: new reports and pictures that do not have their final names yet.
 * The library keeps track of its own. */
enum { WATCH_JSON, WATCH_CSV, WATCH_PNG, WATCH_SLOTS };
typedef int watch_slot;

/** Local. Sets the file to remove if the run is stopped; NULL: none. */
void watch_file(watch_slot slot, const char *name);

/** Collective on a->comm. Tells all ranks the temporary files of rank 0, which may be the first
 *  to be killed. */
void watch_share(const app *a);

/** Local. Removes all temporary files. Async-signal-safe. */
void watch_remove(void);

/** Local. Tells rank 0 that this rank has printed the reason of the end, so that rank 0, when it is
 *  stopped, prints nothing. Works on the same node only. Async-signal-safe. */
void watch_tell(void);

/** Local. Marks the run as over except for MPI_Finalize(), with this exit status: signals by
 *  which mpirun ends late ranks are then ignored. */
void watch_end(int status);

#endif
