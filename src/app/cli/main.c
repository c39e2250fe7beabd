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
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#ifdef PF_HAVE_HDF5
#include <pfft3d_hdf5.h>
#endif

#include "app/cli/app.h"
#include "app/cli/message.h"
#include "app/report/report.h"
#include "app/cli/watch.h"
#include "app/cli/wisdom.h"

/* Rank 0 alone knows of some failures (a file that only it writes): make them everybody's. */
static int share_error(app *a) {
  MPI_Bcast(&a->error, (int)sizeof a->error, MPI_BYTE, 0, a->comm);
  return a->error.status;
}

/* Collective. Options are read on rank 0, so that a mistake gives one message. */
static int start(app *a, int argc, char **argv) {
  if (a->rank == 0 && options_parse(argc, argv, &a->opt, &a->error) == PFFT3D_OK && !a->opt.help &&
      !a->opt.version) {
    watch_limit(a); /* a pipe that nobody writes to or reads from holds up the opening of a file */
    if (options_fit(&a->opt, a->ranks, &a->error) == PFFT3D_OK) report_open(a);
  }
  MPI_Bcast(&a->opt, (int)sizeof a->opt, MPI_BYTE, 0, a->comm);
  watch_share(a);
  return share_error(a);
}

/* More threads than cores take turns, and everything is late.  OpenMP has counted the cores before
 * it bound this thread to one of them, as OMP_PROC_BIND may say. */
static void warn_threads(const app *a) {
#ifdef _OPENMP
  int cores = omp_get_num_procs();
  if (a->opt.threads > cores)
    app_warn(a, "%lld threads on %d core%s that this rank is bound to; try mpirun --bind-to none",
             a->opt.threads, cores, cores > 1 ? "s" : "");
#else
  (void)a; /* more than one are refused */
#endif
}

static void work(app *a) {
  if (a->opt.help) {
    if (a->rank == 0) options_help(&a->opt);
  } else if (a->opt.version) {
    if (a->rank == 0) printf("pfft3d %s\n", pfft3d_version());
  } else {
    watch_limit(a);
    warn_threads(a);
    if (!wisdom_open(a)) command_at(a->opt.command)->run(a);
    wisdom_close(a);
    watch_kick("finishing");
  }
}

/* Where stdin, stdout or stderr is closed, the next file that is opened would get its number, and
 * with it what is printed.  Nothing can be written to what stands there instead, so that a report
 * that goes nowhere is still an error. */
static void hold_streams(void) {
  int file;
  do file = open("/dev/null", O_RDONLY);
  while (file >= 0 && file <= STDERR_FILENO);
  if (file >= 0) close(file);
}

int main(int argc, char **argv) {
  static app a;
  hold_streams();
  /* returns unless this process is to inspect a file; under SMPI a program is a library */
#if defined PF_HAVE_HDF5 && !defined PF_SIMULATE
  pfft3d_hdf5_start(argc, argv, getenv("PMIX_NAMESPACE"));
#endif
  /* plans with several threads look whether it is enough */
  int level;
#ifdef PF_SIMULATE /* its getopt_long() begins with MPI */
  watch_init(0);
#else
  watch_init(options_watchdog(argc, argv));
#endif
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
    fputs("pfft3d: error: cannot start MPI\n", stderr);
    return PFFT3D_ERR_INTERNAL;
  }
  a.comm = MPI_COMM_WORLD;
  app_handle_mpi_errors(&a);
  MPI_Comm_rank(a.comm, &a.rank);
  MPI_Comm_size(a.comm, &a.ranks);
  watch_start(&a);
  if (start(&a, argc, argv) == PFFT3D_OK) work(&a);
  if (a.rank == 0 && (fflush(stdout) != 0 || ferror(stdout)))
    app_fail(&a.error, PFFT3D_ERR_IO, "cannot write to stdout: %s", strerror(errno));
  int status = share_error(&a); /* nobody is still at work behind this */
  if (status && a.rank == 0) {
    app_progress(&a, "%s", "");
    app_print_error(&a.error);
  }
  if (status) watch_remove(); /* reports that were never written */
  watch_end(status);
  MPI_Finalize();
  return status;
}
