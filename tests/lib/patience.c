/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPICH with more ranks than cores.  A rank of MPICH that waits asks UCX for messages over and
 * over, and has no setting to let others run meanwhile: each message then takes the time slices of
 * all other ranks, milliseconds.  tests/mpirun.sh has the ranks load this library, whose
 * ucp_worker_progress() comes before UCX's own: it sleeps for a moment after it has found nothing
 * for a while.  That is all it changes, and a waiting rank then costs its neighbours nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <time.h>

enum { PATIENCE = 100 }; /* calls that found nothing before the first sleep: some microseconds */

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker) {
  static unsigned (*ask)(void *);
  static _Thread_local int found_nothing;
  if (!ask) *(void **)&ask = dlsym(RTLD_NEXT, "ucp_worker_progress");
  unsigned found = ask(worker);
  if (found) {
    found_nothing = 0;
  } else if (++found_nothing > PATIENCE) {
    /* the kernel makes some 60 microseconds of it */
    nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
  }
  return found;
}
