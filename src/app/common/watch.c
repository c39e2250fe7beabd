/* SPDX-License-Identifier: BSD-3-Clause
 * Watchdog and signals. A full disk, a cut link or a lost peer can leave all ranks inside a call
 * that never returns. Then only a signal handler can end the run: it writes one line, removes
 * temporary files and calls _exit(). Handlers use only async-signal-safe functions and static
 * buffers. Rank 0 prints the message. The handlers of the other ranks act a little later, in case
 * rank 0 cannot; normally mpirun has ended them by then. */
#include "app/common/watch.h"
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>
#include <unistd.h>

/* The signal by which a rank tells rank 0 that it has printed the message. The default action is
 * to ignore it. */
#define TOLD SIGURG
/* The signal of a timer until MPI has started: threads of MPI must not receive the other ones. */
#define STARTING SIGVTALRM
/* The signal by which Linux tells that the launcher has ended. The default action is to ignore it.
 */
#define ORPHANED SIGWINCH

enum { LINE = 512, STAGGER = 2, STAGGER_RANKS = 30 };
enum { CRASH_SECONDS = 5 };                         /* time for the handlers of a crash */
enum { SLOW_SECONDS = 10 };                         /* until a wait for a file is worth a word */
static const struct timespec tick = {0, 250000000}; /* of the timer */

static struct {
  unsigned seconds; /* 0: no watchdog */
  long long first;  /* as seconds, before the options are known on all ranks */
  timer_t start;    /* sends STARTING */
  int ticks;        /* it was made */
  int rank;
  pid_t launcher;          /* the parent of this process; 0: no launcher, or not watched */
  volatile time_t due;     /* when the watchdog expires */
  volatile time_t resumed; /* when the process continued after having been stopped past that time */
  pid_t root;              /* process id of rank 0 if it is another process of this node; else 0 */
  volatile int told;       /* another rank has printed the reason of the end */
  pthread_t thread;        /* the main thread */
  atomic_int crash, still; /* signal of a crash; the main thread has stopped for it */
  volatile int over, status;    /* the run is over, with this exit code */
  char place[160];              /* " [rank r of P, host]\n" */
  char limit[64];               /* "no progress for 600 s" */
  char file[WATCH_SLOTS][4096]; /* unfinished file, or "" */
  char slow[512];               /* what to say after SLOW_SECONDS; "" for nothing */
  const char *volatile phase;
} watch = {.phase = "starting"};

/* Signals that ask the program to end, and signals of crashes. After a crash temporary files are
 * removed, then the previous handler (of MPI or the system) runs. */
static const int polite[] = {SIGTERM, SIGINT, SIGUSR1, SIGUSR2, SIGHUP, ORPHANED, SIGXCPU};
static const char *const polite_why[] = {"stopped by signal TERM",
                                         "stopped by signal INT",
                                         "stopped by signal USR1",
                                         "stopped by signal USR2",
                                         "stopped by signal HUP",
                                         "stopped by the end of its launcher",
                                         "stopped by signal XCPU (its time is up)"};
static const int deadly[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGQUIT};
enum { POLITE = sizeof polite / sizeof *polite, DEADLY = sizeof deadly / sizeof *deadly };
static struct sigaction deadly_before[DEADLY];

static void append(char line[LINE], const char *text) {
  size_t used = strlen(line), length = strlen(text);
  if (length > LINE - 1 - used) length = LINE - 1 - used;
  memcpy(line + used, text, length);
  line[used + length] = 0;
}

void watch_remove(void) {
  for (int i = 0; i < WATCH_SLOTS; i++)
    if (watch.file[i][0]) unlink(watch.file[i]);
  pfft3d_remove_temporary();
}

static time_t seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

static void pause_for(long long nanoseconds) {
  struct timespec left = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
  while (nanosleep(&left, &left) != 0) continue; /* TOLD interrupts it */
}

void watch_tell(void) {
  if (watch.root) kill(watch.root, TOLD);
}

/* Async-signal-safe. Removes temporary files, prints the reason if @p speaks, and exits. */
static void stop(const char *why, int speaks, int status) {
  char line[LINE] = "pfft3d: error: ";
  if (speaks) {
    watch_remove();
    append(line, why);
    append(line, " while ");
    append(line, watch.phase);
    append(line, watch.place);
  }
  if (speaks && !watch.told) {
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written; /* a failed write cannot be reported */
    watch_tell();
  }
  /* mpirun forwards output until the first rank exits and may lose later output, when it kills the
   * other ranks; so ranks wait a moment, longer if they print nothing */
  pause_for(speaks ? 200000000 : 500000000);
  /* every rank removes the files it knows, as any rank may be killed first; after the pause, when
   * the others no longer use them */
  watch_remove();
  _exit(status);
}

static void rearm(void) {
  if (atomic_load(&watch.crash)) return; /* the alarm has another purpose then */
  unsigned first = watch.slow[0] && (!watch.seconds || watch.seconds > SLOW_SECONDS)
                       ? SLOW_SECONDS
                       : watch.seconds;
  watch.due = seconds_now() + (time_t)watch.seconds;
  alarm(first);
}

/* Prints the warning of a slow file, once; nonzero if time is left. */
static int say_slow(void) {
  time_t left = watch.due - seconds_now();
  if (!watch.slow[0] || (watch.seconds && left <= 0)) return 0;
  ssize_t written = write(STDERR_FILENO, watch.slow, strlen(watch.slow));
  (void)written; /* a failed write cannot be reported */
  watch.slow[0] = 0;
  alarm(watch.seconds ? (unsigned)left : 0);
  return 1;
}

static void on_alarm(int signal_number) {
  sigset_t pending;
  (void)signal_number;
  /* time during which the process was stopped (by a batch system, say) does not count */
  if (sigpending(&pending) == 0 && sigismember(&pending, SIGCONT) == 1) return;
  if (say_slow()) return;
  stop(watch.limit, 1, PFFT3D_ERR_WATCHDOG);
}

static void on_continue(int signal_number) {
  (void)signal_number;
  if (watch.seconds && seconds_now() > watch.due + 1) watch.resumed = seconds_now();
  rearm();
}

static void on_told(int signal_number) {
  (void)signal_number;
  watch.told = 1;
}

static int is_orphan(void) {
  return watch.launcher && getppid() != watch.launcher;
}

static void on_signal(int signal_number) {
  static volatile sig_atomic_t asked;
  /* terminals send it, too */
  if (signal_number == ORPHANED && !is_orphan()) return;
  if (watch.over) {
    /* the work is done and MPI_Finalize() is next: exiting without it would look like a failure;
     * a second signal ends a finalization that hangs */
    if (watch.status || asked) _exit(watch.status);
    asked = 1;
    return;
  }
  int k = 0;
  while (k < POLITE - 1 && polite[k] != signal_number) k++;
  /* if this rank was stopped past its time, the watchdog of another rank has printed the message */
  time_t now = seconds_now();
  int late = watch.seconds && (now > watch.due + 1 || (watch.resumed && now <= watch.resumed + 2));
  stop(polite_why[k], watch.rank == 0 && !late, PFFT3D_ERR_SIGNAL);
}

static void handle(int signal_number, void (*handler)(int), struct sigaction *before) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);      /* one handler at a time, except that TOLD */
  sigdelset(&action.sa_mask, TOLD); /* may arrive before this rank prints its message */
  sigaction(signal_number, &action, before);
}

/* A stack trace may need a lock that is held, and never end. */
static void on_endless_crash(int signal_number) {
  sigset_t set;
  (void)signal_number;
  signal(watch.crash, SIG_DFL);
  raise(watch.crash);
  sigemptyset(&set);
  sigaddset(&set, watch.crash);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void stand_still(void) {
  sigset_t set;
  sigfillset(&set);
  sigdelset(&set, SIGALRM);
  atomic_store(&watch.still, 1);
  for (;;) sigsuspend(&set);
}

/* Any thread may crash. The main thread is stopped first: while the crashing thread dies, which
 * takes time if a stack trace is printed, it could create files that would not be removed. */
static void on_crash(int signal_number) {
  int main_thread = pthread_equal(pthread_self(), watch.thread);
  /* A run that is over keeps its exit status: in Open MPI 4.1 a thread may still run when
   * MPI_Finalize() unloads its library, and crash. The main thread then has time to end MPI, as
   * exiting without that would look like a failure. */
  if (watch.over && !watch.status && !main_thread) pause_for(CRASH_SECONDS * 1000000000LL);
  if (watch.over && (watch.status || !main_thread)) _exit(watch.status);
  if (atomic_exchange(&watch.crash, signal_number) && main_thread) stand_still();
  handle(SIGALRM, on_endless_crash, NULL);
  alarm(CRASH_SECONDS);
  if (!main_thread && pthread_kill(watch.thread, signal_number) == 0)
    for (int k = 0; k < 100 && !atomic_load(&watch.still); k++) pause_for(1000000);
  watch_remove();
  for (int k = 0; k < DEADLY; k++)
    if (deadly[k] == signal_number) sigaction(signal_number, &deadly_before[k], NULL);
  raise(signal_number); /* delivered when this handler returns */
}

static void handle_polite(void) {
  struct sigaction before;
  for (int k = 0; k < POLITE; k++) {
    handle(polite[k], on_signal, &before);
    if (polite[k] == SIGHUP && before.sa_handler == SIG_IGN) signal(SIGHUP, SIG_IGN); /* nohup */
  }
}

/* Signals that are blocked while MPI starts, and thus always in its threads: the main thread
 * receives them. */
static void all_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, TOLD);
  for (int k = 0; k < POLITE; k++) sigaddset(set, polite[k]);
  sigaddset(set, SIGALRM);
  sigaddset(set, SIGCONT);
}

/* Local. The time limit of this rank, staggered by rank, and the text of its message. */
static unsigned limit_of(long long seconds) {
  int late = watch.rank < STAGGER_RANKS ? watch.rank : STAGGER_RANKS;
  snprintf(watch.limit, sizeof watch.limit, "no progress for %lld s", seconds);
  return seconds ? (unsigned)seconds + (unsigned)(STAGGER * late) : 0;
}

/* Nonzero if this signal, which waits, asks the program to end. */
static int is_asked(int signal_number) {
  struct sigaction action;
  if (signal_number == ORPHANED) return is_orphan();
  return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler != SIG_IGN;
}

/* While MPI starts, which may take as long as another rank likes: what else could end the program
 * is blocked, and is looked for. */
static void on_tick(int signal_number) {
  static volatile sig_atomic_t again;
  sigset_t pending;
  (void)signal_number;
  if (sigpending(&pending)) return;
  for (int k = 0; k < POLITE; k++)
    if (sigismember(&pending, polite[k]) == 1 && is_asked(polite[k]))
      stop(polite_why[k], watch.rank == 0, PFFT3D_ERR_SIGNAL);
  if (!watch.seconds || seconds_now() < watch.due) return;
  if (again || sigismember(&pending, SIGCONT) != 1) stop(watch.limit, 1, PFFT3D_ERR_WATCHDOG);
  again = 1; /* as in on_alarm() */
  watch.due = seconds_now() + (time_t)watch.seconds;
}

/* The launcher's variable with the rank; NULL: no known launcher. */
static const char *rank_variable(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                      "SLURM_PROCID"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const char *text = getenv(names[k]);
    if (text) return text;
  }
  return NULL;
}

/* The process of the launcher that has the user's files: MPICH's begins with others of its own. */
static long launcher_process(void) {
  char path[64], name[16] = "";
  long process = getppid(), parent = process;
  do {
    process = parent;
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *f = fopen(path, "r");
    if (!f) break;
    if (fscanf(f, "%*d (%15[^)]) %*c %ld", name, &parent) != 2) *name = 0;
    fclose(f);
  } while (strncmp(name, "hydra_", 6) == 0);
  return process;
}

int watch_launcher_open(int number) {
  char path[64];
  if (!rank_variable()) return -1;
  snprintf(path, sizeof path, "/proc/%ld/fd/%d", launcher_process(), number);
  return open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
}

int watch_rank_told(void) {
  const char *text = rank_variable();
  return text ? (int)strtol(text, NULL, 10) : 0;
}

/* Open MPI ends the ranks by _exit() about a second after the end of mpirun, and temporary files
 * would remain: ranks that a launcher started end before that. */
static void follow_launcher(void) {
#ifdef __linux__
  if (!rank_variable()) return;
  watch.launcher = getppid();
  prctl(PR_SET_PDEATHSIG, ORPHANED);
#endif
}

void watch_init(long long seconds) {
  sigset_t set;
  all_signals(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is reported as a write error */
  signal(SIGXFSZ, SIG_IGN); /* a file beyond its size limit causes an error, too */
  follow_launcher();
  watch.first = seconds;
  char host[64] = "";
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = STARTING};
  const struct itimerspec when = {tick, tick};
  watch.rank = watch_rank_told();
  watch.seconds = limit_of(seconds);
  watch.due = seconds_now() + (time_t)watch.seconds;
  gethostname(host, sizeof host - 1);
  snprintf(watch.place, sizeof watch.place, " [rank %d, %s]\n", watch.rank, host);
#ifndef PF_SIMULATE /* all ranks are in one process there */
  handle(STARTING, on_tick, NULL);
  watch.ticks = timer_create(CLOCK_MONOTONIC, &event, &watch.start) == 0;
  if (watch.ticks) timer_settime(watch.start, 0, &when, NULL);
#endif
}

/* If mpirun ends the ranks because one of them has failed, rank 0 must know that this rank has
 * printed the reason. */
static void find_root(const app *a, const char *host) {
  struct {
    char host[MPI_MAX_PROCESSOR_NAME];
    long pid;
  } root = {.pid = (long)getpid()};
  memcpy(root.host, host, sizeof root.host);
  MPI_Bcast(&root, (int)sizeof root, MPI_BYTE, 0, a->comm);
  watch.root = a->rank > 0 && strcmp(root.host, host) == 0 ? (pid_t)root.pid : 0;
}

static void set_limit(long long seconds) {
  watch.seconds = limit_of(seconds);
  watch_kick("starting");
}

static void (*listener)(void);

void watch_listen(void (*moved)(void)) {
  listener = moved;
}

/* In the thread that makes the long call, which is the main thread. */
static void on_progress(void) {
  rearm();
  if (listener) listener();
}

void watch_start(const app *a) {
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int length;
  sigset_t set;
  MPI_Get_processor_name(host, &length);
  watch.rank = a->rank;
  watch.thread = pthread_self();
  snprintf(watch.place, sizeof watch.place, " [rank %d of %d, %.64s]\n", a->rank, a->ranks, host);
  handle(SIGALRM, on_alarm, NULL);
  handle(SIGCONT, on_continue, NULL);
  handle(TOLD, on_told, NULL);
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigaddset(&set, SIGCONT);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  handle_polite();
  for (int k = 0; k < DEADLY; k++) handle(deadly[k], on_crash, &deadly_before[k]);
  set_limit(watch.first);
  pfft3d_on_progress(on_progress);
  if (watch.ticks) timer_delete(watch.start);
  find_root(a, host);
  MPI_Barrier(a->comm); /* before rank 0 accepts signals, the others must be able to tell it that
                           they printed a message */
  all_signals(&set);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void watch_limit(const app *a) {
  set_limit(a->opt.watchdog);
}

/* For tests: PFFT3D_TEST_STOP names a phase at which all ranks stop themselves once, or
 * "PHASE@RANK". */
static void stop_here(const char *phase) {
  static int stopped;
  const char *text = getenv("PFFT3D_TEST_STOP");
  size_t length = strlen(phase);
  if (!text || stopped || strncmp(text, phase, length) != 0) return;
  if (text[length] && (text[length] != '@' || strtol(text + length + 1, NULL, 10) != watch.rank))
    return;
  stopped = 1;
  raise(SIGSTOP);
}

void watch_kick(const char *phase) {
  watch.phase = phase;
  rearm();
  stop_here(phase);
}

void watch_slow(const char *file) {
  watch.slow[0] = 0;
  if (file && watch.rank == 0)
    snprintf(
        watch.slow, sizeof watch.slow,
        "pfft3d: warning: '%.200s' is not open after %d s: its file system may be slow; waiting "
        "on (--watchdog)\n",
        file, SLOW_SECONDS);
  rearm();
}

void watch_share(const app *a) {
  MPI_Bcast(&watch.file[0][0], (int)sizeof watch.file, MPI_BYTE, 0, a->comm);
}

const char *watch_phase(void) {
  return watch.phase;
}

void watch_file(watch_slot slot, const char *name) {
  char *file = watch.file[slot];
  file[0] = 0;
  if (name) snprintf(file, sizeof watch.file[slot], "%s", name);
}

void watch_end(int status) {
  watch.status = status;
  watch.over = 1;
  handle_polite(); /* MPI may have replaced the handlers */
}
