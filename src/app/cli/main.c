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

/* Collective. Reads the options on rank 0, so that a mistake causes a single message. */
static int start(app *a, int argc, char **argv) {
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
/* Nonzero for a rank that the launcher of another MPI has started: it is alone, as are the others,
 * and all would write the same files.  Says so once.  @p ranks: 0 before MPI has started, where
 * MPICH and its relatives would end the program under Open MPI's launcher. */
static int alone(int ranks) {
  static const struct {
    const char *ranks, *launcher;
  } launchers[] = {{"OMPI_COMM_WORLD_SIZE", "Open MPI"}, {"PMI_SIZE", "MPICH or Intel MPI"}};
  static int first; /* Open MPI changes what says so when it starts */
  char mpi[80];
  report_mpi(mpi, sizeof mpi);
  if (ranks == 0) first = watch_rank_told() == 0;
  int mpich = strstr(mpi, "MPICH") || strstr(mpi, "Intel");
  for (int k = 0; k < 2 && ranks < 2; k++) {
    const char *text = getenv(launchers[k].ranks);
    long started = text ? strtol(text, NULL, 10) : 1;
    if (started < 2 || (ranks == 0 && (k > 0 || !mpich))) continue;
    pfft3d_error e = {0};
    app_hint(&e, "start it with the launcher of its own MPI, mpirun or mpiexec");
    app_fail(&e, PFFT3D_ERR_UNAVAILABLE,
             "MPI: the launcher of %s has started %ld ranks, each of them alone, as this program "
             "uses %s",
             launchers[k].launcher, started, mpi);
    if (first) app_print_error(&e);
    return e.status;
  }
  return PFFT3D_OK;
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
  int lost = alone(0);
  if (lost) return lost;
#endif
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
    fputs("pfft3d: error: cannot start MPI\n", stderr);
    return PFFT3D_ERR_INTERNAL;
  }
  a.comm = MPI_COMM_WORLD;
  a.commands = commands;
  app_handle_mpi_errors(&a);
  MPI_Comm_rank(a.comm, &a.rank);
  MPI_Comm_size(a.comm, &a.ranks);
#ifndef PF_SIMULATE
  lost = alone(a.ranks);
  if (lost) {
    MPI_Finalize();
    return lost;
  }
#endif
  watch_start(&a);
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
