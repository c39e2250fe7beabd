/* SPDX-License-Identifier: BSD-3-Clause
 * A call of MPI that fails on one rank is known to that rank only.  The others may wait for it
 * inside of MPI, where nothing of this library runs, and MPI has no way to wake them: that is what
 * MPIX_Comm_revoke() of ULFM is for.  So the rank that knows ends the job, unless its program does
 * so, or all ranks agree on the failure in time.  A thread waits meanwhile, as the program itself
 * may wait for the others by then. */
#include "base/grace.h"

#include <mpi.h>
#include <pfft3d_tune.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/simulate.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  double seconds;  /* of grace */
  double due;      /* when the job ends; 0: nothing has failed that others do not know */
  int ranks;       /* of the communicator */
  int watched;     /* a thread waits */
  char line[1024]; /* the last words */
} grace = {.seconds = 60};

void pfft3d_grace(double seconds) {
  pthread_mutex_lock(&lock);
  grace.seconds = seconds;
  pthread_mutex_unlock(&lock);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int start(void *(*what)(void *)) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all); /* signals are for the program's threads */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int code = pthread_create(&thread, NULL, what, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!code) pthread_detach(thread);
  return code;
}

static void *leave(void *unused) {
  sleep(unused ? 0 : 2);
  _exit(PFFT3D_ERR_INTERNAL);
}

/* Some launchers end a job only if a rank aborts it; MPI_Abort() may hang or return. */
static void end_job(void) {
  ssize_t written = write(STDERR_FILENO, grace.line, strlen(grace.line));
  (void)written; /* a failed write cannot be reported */
  pfft3d_remove_temporary();
  int ended = 0;
  MPI_Finalized(&ended);
  if (start(leave) || ended) leave(&grace);
  MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_INTERNAL);
  leave(&grace);
}

static void *wait_for_end(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&lock);
    double left = grace.due > 0 ? grace.due - now() : 0;
    int settled = !(grace.due > 0);
    grace.watched = !settled;
    pthread_mutex_unlock(&lock);
    if (settled) return NULL;
    if (left <= 0) end_job();
    struct timespec moment = {0, left < 0.1 ? (long)(left * 1e9) : 100000000};
    nanosleep(&moment, NULL);
  }
}

static void note(int rank, int ranks, const char *text) {
  char host[64] = "";
  gethostname(host, sizeof host - 1);
  if (!(grace.due > 0)) grace.due = now() + grace.seconds;
  if (ranks > grace.ranks) grace.ranks = ranks;
  snprintf(grace.line, sizeof grace.line,
           "pfft3d: error: MPI failed on this rank alone, for which others may wait: %.500s [rank "
           "%d, %s]\n",
           text, rank, host);
}

void pfft3d_internal_failed(int ranks, const char *text) {
  static _Thread_local int asking; /* these questions may fail, too */
  int rank = 0, all = ranks, due = 0;
  if (PF_SIMULATED || asking) return;
  asking = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  asking = 0;
  pthread_mutex_lock(&lock);
  if (ranks > 1 && all > 1 && grace.seconds >= 0) {
    note(rank, ranks, text);
    due = grace.seconds == 0 || (!grace.watched && start(wait_for_end));
    grace.watched = 1;
  }
  pthread_mutex_unlock(&lock);
  if (due) end_job();
}

void pfft3d_internal_agreed(int ranks) {
  pthread_mutex_lock(&lock);
  if (ranks >= grace.ranks) grace.due = grace.ranks = 0;
  pthread_mutex_unlock(&lock);
}
