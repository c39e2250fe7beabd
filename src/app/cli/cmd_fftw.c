/* SPDX-License-Identifier: BSD-3-Clause
 * fftw: runs another program with the drop-in for FFTW-MPI loaded before its libraries.  The
 * program replaces this process before MPI starts, so that `mpirun -n 2 pfft3d fftw ./program`
 * starts four of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/preload.h"
#include "app/common/app.h"
#include "app/common/watch.h"

#define LIBRARY "libpfft3d_fftw3_mpi.so.0" /* name without development files */

/* Its directories, relative to this program: in a build, and installed. */
static const char *const places[] = {"/.libs/", "/../lib/", NULL};

/* The library's path, or NULL. */
static const char *find_library(char path[PATH_MAX]) {
  char folder[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
  folder[length > 0 ? length : 0] = 0;
  char *slash = strrchr(folder, '/');
  if (slash) *slash = 0;
  for (int k = 0; slash && places[k]; k++) {
    int size = snprintf(path, PATH_MAX, "%s%s" LIBRARY, folder, places[k]);
    if (size > 0 && size < PATH_MAX && access(path, R_OK) == 0) return path;
  }
  snprintf(path, PATH_MAX, PF_LIBDIR "/" LIBRARY);
  return access(path, R_OK) == 0 ? path : NULL;
}

/* Prints one message, not one per rank.  The other ranks wait: mpirun ends all processes when the
 * first one fails, and rank 0 must print. */
static int fail(int status, const char *what, const char *why) {
  if (watch_rank_told() == 0)
    fprintf(stderr, "pfft3d: error: %s: %s\n", what, why);
  else
    sleep(2);
  return status;
}

int preload_run(char **argv) {
  char path[PATH_MAX], value[2 * PATH_MAX];
  const char *before = getenv("LD_PRELOAD");
  if (!argv[0])
    return fail(PFFT3D_ERR_USAGE, "fftw", "a program is needed: pfft3d fftw PROGRAM [ARGUMENTS]");
  if (!find_library(path))
    return fail(PFFT3D_ERR_UNAVAILABLE, "fftw", LIBRARY " is not where this program looks for it");
  snprintf(value, sizeof value, "%s%s%s", path, before && *before ? ":" : "", before ? before : "");
  setenv("LD_PRELOAD", value, 1);
  execvp(argv[0], argv);
  /* EACCES is also that of a folder in PATH that may not be searched */
  int here =
      (errno == ENOENT || errno == EACCES) && !strchr(argv[0], '/') && access(argv[0], X_OK) == 0;
  return fail(PFFT3D_ERR_NOINPUT, argv[0],
              here ? "not found in PATH; a program of this folder is ./NAME" : strerror(errno));
}

/* Does nothing: main() handles this command before. */
static int fftw_run(app *a) {
  return a->error.status;
}

const command cmd_fftw = {
    .name = "fftw",
    .summary = "runs a program that calls FFTW-MPI with pfft3d in FFTW's place",
    .options = "",
    .arguments = "PROGRAM ARGUMENTS",
    .about =
        "The program is not changed: its calls of FFTW-MPI are caught (LD_PRELOAD).  What pfft3d\n"
        "does faster becomes a plan of pfft3d, all else is FFTW's.  Options come before "
        "PROGRAM.\n\n"
        "  PFFT3D_FFTW=verbose  one line for each plan: who makes it, and why\n"
        "  PFFT3D_FFTW=all      also what is too small to gain\n"
        "  PFFT3D_FFTW=off      everything is FFTW's\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d fftw ./simulation input.txt\n"
        "  PFFT3D_FFTW=verbose mpirun -n 2 pfft3d fftw ./simulation\n",
    .run = fftw_run,
};
