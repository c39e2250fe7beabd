/* SPDX-License-Identifier: BSD-3-Clause
 * Watchdog and signals.
 *
 * A full disk, a cut link or a lost peer can leave all ranks inside a call that never returns, so
 * the only way out is a handler that writes one line, removes unfinished files and _exit()s.
 * Handlers run at any instant: they use only what is async-signal-safe, and everything they need
 * lies ready in static buffers.  Rank 0 speaks; the others come a little later, in case it cannot,
 * and are normally ended by mpirun before. */
#include "watch.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 512, STAGGER = 2, STAGGER_RANKS = 30 };

static struct {
  unsigned seconds; /* 0: no watchdog */
  int rank;
  volatile int over, status;    /* the run is over, with this exit code */
  char place[160];              /* " [rank r of P, host]\n" */
  char limit[64];               /* "no progress for 600 s" */
  char file[WATCH_SLOTS][4096]; /* unfinished, or "" */
  const char *volatile phase;
} watch = {.phase = "starting"};

static void append(char line[LINE], const char *text) {
  size_t used = strlen(line), length = strlen(text);
  if (length > LINE - 1 - used) length = LINE - 1 - used;
  memcpy(line + used, text, length);
  line[used + length] = 0;
}

void watch_remove(void) {
  for (int i = 0; i < WATCH_SLOTS; i++)
    if (watch.file[i][0]) unlink(watch.file[i]);
}

/* Async-signal-safe. The end: removes unfinished files, says why, leaves. */
static void stop(const char *why, int speaks, int status) {
  static atomic_flag stopping = ATOMIC_FLAG_INIT;
  char line[LINE] = "pfft3d: error: ";
  /* a second signal, which one of MPI's threads takes while the first is being handled */
  while (atomic_flag_test_and_set(&stopping)) pause();
  watch_remove(); /* by every rank that knows of some: any of them may be killed first */
  append(line, why);
  append(line, " while ");
  append(line, watch.phase);
  append(line, watch.place);
  if (speaks) {
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written; /* nobody is left to be told */
  }
  /* mpirun passes on what it got until the first rank is gone, and loses some after that */
  const struct timespec moment = {0, 200000000};
  nanosleep(&moment, NULL);
  _exit(status);
}

static void on_alarm(int signal_number) {
  (void)signal_number;
  stop(watch.limit, 1, PFFT3D_ERR_WATCHDOG);
}

static void on_signal(int signal_number) {
  if (watch.over) _exit(watch.status);
  const char *why = signal_number == SIGINT    ? "stopped by signal INT"
                    : signal_number == SIGTERM ? "stopped by signal TERM"
                                               : "stopped by signal USR2";
  stop(why, watch.rank == 0, PFFT3D_ERR_SIGNAL);
}

static void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigfillset(&action.sa_mask); /* one handler at a time in a thread: none of them returns */
  sigaction(signal_number, &action, NULL);
}

static void handle_signals(void) {
  static const int numbers[] = {SIGTERM, SIGINT, SIGUSR2};
  for (int i = 0; i < 3; i++) handle(numbers[i], on_signal);
}

void watch_start(const app *a) {
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int length;
  MPI_Get_processor_name(host, &length);
  watch.rank = a->rank;
  snprintf(watch.place, sizeof watch.place, " [rank %d of %d, %.64s]\n", a->rank, a->ranks, host);
  snprintf(watch.limit, sizeof watch.limit, "no progress for %lld s", a->opt.watchdog);
  watch.seconds = 0;
  if (a->opt.watchdog) {
    int late = a->rank < STAGGER_RANKS ? a->rank : STAGGER_RANKS;
    watch.seconds = (unsigned)a->opt.watchdog + (unsigned)(STAGGER * late);
  }
  handle(SIGALRM, on_alarm);
  handle_signals();
  handle(SIGPIPE, SIG_IGN); /* a reader that left is a write error, reported as such */
  watch_kick("starting");
}

void watch_kick(const char *phase) {
  watch.phase = phase;
  alarm(watch.seconds);
}

void watch_file(watch_slot slot, const char *name) {
  char *file = watch.file[slot];
  file[0] = 0;
  if (name) snprintf(file, sizeof watch.file[slot], "%s", name);
}

void watch_end(int status) {
  watch.status = status;
  watch.over = 1;
  handle_signals();
}
