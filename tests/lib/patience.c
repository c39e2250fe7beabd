/* SPDX-License-Identifier: BSD-3-Clause
 *
 * More ranks than cores.  A rank that waits for messages asks for them over and over: MPICH's asks UCX
 * and never lets others run, so that each message takes the time slices of all other ranks,
 * milliseconds; Open MPI's and those of `shared` yield between, which the kernel takes for work: up to
 * a third of the processors' time.  tests/lib/launch.sh has the ranks load this library, whose
 * ucp_worker_progress() and sched_yield() come before UCX's and the kernel's own: they sleep for a moment
 * once nothing has come for a while.  That is all they change, and a waiting rank then costs its
 * neighbours nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 100 }; /* times that nothing was found before the first sleep: some microseconds */

/* of the time between two yields of the same wait, and of a sleep */
static const long same_wait = 2000, moment = 100000; /* ns */

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

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

int sched_yield(void) {
  static _Thread_local long last;
  static _Thread_local int yields;
  if (now() - last > same_wait) yields = 0;
  if (++yields > PATIENCE) {
    if (yields == PATIENCE + 1) prctl(PR_SET_TIMERSLACK, 1UL); /* else 50 microseconds more */
    nanosleep(&(struct timespec){.tv_nsec = moment}, NULL);
  } else {
    syscall(SYS_sched_yield);
  }
  last = now();
  return 0;
}
