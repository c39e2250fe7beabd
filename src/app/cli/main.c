/* SPDX-License-Identifier: BSD-3-Clause
 * The program: start MPI, read the command line on one rank, run a command, and leave with the
 * same exit code on all ranks. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef PF_HAVE_HDF5
#include <pfft3d_hdf5.h>
#endif

#include "app/cli/help.h"
#include "app/cli/options.h"
#include "app/cli/preload.h"
#include "app/cli/threads.h"
#include "app/common/message.h"
#include "app/common/timeline.h"
#include "app/common/watch.h"
#include "app/common/wisdom.h"
#include "app/report/report.h"

/* Some failures occur on rank 0 only (those of files that it writes): shares them with all
 * ranks. */
static int share_error(app *a) {
  MPI_Bcast(&a->error, (int)sizeof a->error, MPI_BYTE, 0, a->comm);
  return a->error.status;
}

/* Collective. All ranks take the options of rank 0: those of a job of several programs (mpirun A :
 * B) that have others do not get what they were told. */
static int compare_words(app *a, int argc, char **argv) {
  unsigned long long mine = 0xcbf29ce484222325ull, first; /* FNV-1a, with the ends of words */
  for (int k = 1; k < argc; k++) {
    const char *p = argv[k];
    do mine = (mine ^ (unsigned char)*p) * 0x100000001b3ull;
    while (*p++);
  }
  first = mine;
  MPI_Bcast(&first, 1, MPI_UNSIGNED_LONG_LONG, 0, a->comm);
  int other = first == mine ? a->ranks : a->rank;
  MPI_Allreduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_MIN, a->comm);
  if (other < a->ranks)
    app_fail(&a->error, PFFT3D_ERR_USAGE,
             "rank %d was started with other options than rank 0: all ranks need the same", other);
  return a->error.status;
}

/* Collective. Reads the options on rank 0, so that a mistake causes a single message. */
static int start(app *a, int argc, char **argv) {
  if (compare_words(a, argc, argv)) return a->error.status;
  if (a->rank == 0 && options_parse(argc, argv, &a->opt, &a->error) == PFFT3D_OK && !a->opt.help &&
      !a->opt.version) {
    watch_limit(a); /* opening a pipe without a peer would block for ever */
    if (options_fit(&a->opt, a->ranks, &a->error) == PFFT3D_OK) report_open(a);
  }
  MPI_Bcast(&a->opt, (int)sizeof a->opt, MPI_BYTE, 0, a->comm);
  watch_share(a);
  a->command = commands[a->opt.command];
  return share_error(a);
}

static void work(app *a) {
  if (a->opt.help) {
    if (a->rank == 0) help_print(&a->opt);
  } else if (a->opt.version) {
    if (a->rank == 0) printf("pfft3d %s\n", pfft3d_version());
  } else {
    watch_limit(a);
    threads_warn(a);
    options_warn(a);
    if (!wisdom_open(a) && !timeline_open(a)) a->command->run(a);
    timeline_close(a);
    wisdom_close(a);
    watch_kick("finishing");
  }
}

#ifndef PF_SIMULATE /* one launcher there */
/* The launcher of another MPI, as the environment tells before MPI starts, which changes that: it
 * has started so many processes, and each is a job of one rank. */
static struct {
  const char *name; /* NULL: none */
  long ranks;
  int first; /* this process is its first one */
} stranger;

static long number_in(const char *variable) {
  const char *text = getenv(variable);
  return text ? strtol(text, NULL, 10) : 0;
}

/* MPICH and its relatives would end the program under Open MPI's launcher. */
static int find_stranger(void) {
  static const struct {
    const char *ranks, *rank, *name;
  } launchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "the launcher of Open MPI"},
                   {"PMI_SIZE", "PMI_RANK", "the launcher of MPICH or Intel MPI"},
                   {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun"}};
  char mpi[80];
  report_mpi(mpi, sizeof mpi);
  int mpich = strstr(mpi, "MPICH") || strstr(mpi, "Intel");
  if (getenv(launchers[mpich].ranks)) return PFFT3D_OK; /* its own */
  for (int k = 0; k < 3 && !stranger.name; k++) {
    stranger.ranks = number_in(launchers[k].ranks);
    stranger.first = number_in(launchers[k].rank) == 0;
    if (stranger.ranks > 1) stranger.name = launchers[k].name;
  }
  if (!mpich || !getenv(launchers[0].ranks)) return PFFT3D_OK;
  pfft3d_error e = {0};
  app_hint(&e, "start it with the launcher of its own MPI, mpirun or mpiexec");
  app_fail(&e, PFFT3D_ERR_UNAVAILABLE, "MPI: %s has started this program, which uses %s",
           launchers[0].name, mpi);
  if (number_in(launchers[0].rank) == 0) app_print_error(&e);
  return e.status;
}

static int mpi_runs;

/* At the exit of the program.  MPI ends it where it cannot start, with words that hide the cause.
 */
static void explain_no_mpi(void) {
  static const struct {
    int resource;
    rlim_t enough;
    const char *may, *what; /* a number of it */
  } limits[] = {{RLIMIT_NOFILE, 64, "open", "files here (ulimit -n)"},
                {RLIMIT_AS, 1 << 30, "address", "bytes here (ulimit -v)"},
                {RLIMIT_STACK, 1 << 19, "have", "bytes of stack here (ulimit -s)"}};
  struct rlimit limit;
  for (size_t k = 0; !mpi_runs && k < sizeof limits / sizeof *limits; k++) {
    if (getrlimit(limits[k].resource, &limit) || limit.rlim_cur >= limits[k].enough) continue;
    fprintf(stderr, "pfft3d: error: MPI cannot start: a process may %s %llu %s\n", limits[k].may,
            (unsigned long long)limit.rlim_cur, limits[k].what);
    _exit(PFFT3D_ERR_UNAVAILABLE);
  }
}

static void warn_alone(const app *a) {
  char mpi[80];
  report_mpi(mpi, sizeof mpi);
  if (a->ranks == 1 && stranger.name && stranger.first)
    app_warn(a,
             "%s has started %ld ranks, each of them alone, as this program uses %s: start it with "
             "the launcher of that",
             stranger.name, stranger.ranks, mpi);
}
#endif

/* If stdin, stdout or stderr is closed, a file that is opened later would get its descriptor and
 * receive what is printed. Fills them with /dev/null, opened for reading, so that writing a
 * report there remains an error. */
static void hold_streams(void) {
  int file;
  do file = open("/dev/null", O_RDONLY);
  while (file >= 0 && file <= STDERR_FILENO);
  if (file >= 0) close(file);
}

/* Adds a hint if the address space is limited. */
static void hint_memory(pfft3d_error *e) {
  struct rlimit limit;
  if (e->status != PFFT3D_ERR_MEMORY || getrlimit(RLIMIT_AS, &limit) != 0 ||
      limit.rlim_cur == RLIM_INFINITY)
    return;
  char bytes[32];
  app_hint(e, "a process may have %s at most here (ulimit -v)",
           report_bytes((double)limit.rlim_cur, bytes));
}

int main(int argc, char **argv) {
  static app a;
  hold_streams();
  /* returns unless this process has to inspect a file; under SMPI a program is a library */
#if defined PF_HAVE_HDF5 && !defined PF_SIMULATE
  pfft3d_hdf5_start(argc, argv, getenv("PMIX_NAMESPACE"));
#endif
  if (argc == 3 && strcmp(argv[1], HELP_REFERENCE_WORD) == 0) return help_reference(argv[2]);
  int divided = argc > 2 && strcmp(argv[2], "--") == 0; /* "fftw -- PROGRAM" */
  if (argc >= 2 && strcmp(argv[1], "fftw") == 0 && (divided || !(argc > 2 && argv[2][0] == '-')))
    return preload_run(argv + 2 + divided);
  /* plans with several threads check that it is enough */
  int level;
#ifdef PF_SIMULATE /* its getopt_long() works only after MPI_Init() */
  watch_init(0);
#else
  const options *early = options_early(argc, argv);
  threads_prepare(options_number(early, "threads"), argv);
  watch_init(early->watchdog);
  pfft3d_prepare_mpi();
  int lost = find_stranger();
  if (lost) return lost;
  atexit(explain_no_mpi);
#endif
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
    fputs("pfft3d: error: cannot start MPI\n", stderr);
    return PFFT3D_ERR_INTERNAL;
  }
#ifndef PF_SIMULATE
  mpi_runs = 1;
#endif
  a.comm = MPI_COMM_WORLD;
  a.commands = commands;
  app_handle_mpi_errors(&a);
  MPI_Comm_rank(a.comm, &a.rank);
  MPI_Comm_size(a.comm, &a.ranks);
  watch_start(&a);
#ifndef PF_SIMULATE
  warn_alone(&a);
#endif
  if (start(&a, argc, argv) == PFFT3D_OK) work(&a);
  if (a.rank == 0 && (fflush(stdout) != 0 || ferror(stdout)))
    app_fail(&a.error, PFFT3D_ERR_IO, "cannot write to stdout: %s", strerror(errno));
  int status = share_error(&a); /* all ranks have finished their work */
  if (status && a.rank == 0) {
    app_progress(&a, "%s", "");
    hint_memory(&a.error);
    app_print_error(&a.error);
  }
  if (status) watch_remove(); /* reports that are incomplete */
  watch_end(status);
  MPI_Finalize();
  return status;
}
