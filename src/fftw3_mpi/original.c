/* SPDX-License-Identifier: BSD-3-Clause
 * The original functions, which the program would have called: the next ones in the order of its
 * libraries; if it has opened FFTW itself (Python's extension modules), the library of that name
 * that is already loaded; else the installed library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fftw3_mpi/call.h"

/* Libraries by precision, double first. */
static const char *const files[2][2] = {{"libfftw3_mpi.so.3", "libfftw3.so.3"},
                                        {"libfftw3f_mpi.so.3", "libfftw3f.so.3"}};

static pf_function find_in(void *library, const char *name) {
  void *symbol = library ? dlsym(library, name) : NULL;
  pf_function function = NULL;
  memcpy(&function, &symbol, sizeof symbol);
  return function;
}

pf_function pf_original(const char *name) {
  int single = strncmp(name, "fftwf", 5) == 0 || strncmp(name, "sfftw", 5) == 0;
  pf_function function = find_in(RTLD_NEXT, name);
  for (int installed = 0; installed < 2 && !function; installed++)
    for (int k = 0; k < 2 && !function; k++)
      function = find_in(dlopen(files[single][k], RTLD_LAZY | (installed ? 0 : RTLD_NOLOAD)), name);
  return function;
}

pf_function pf_original_must(const char *name) {
  pf_function function = pf_original(name);
  if (function) return function;
  fprintf(stderr, "pfft3d: %s: no FFTW library with this function is loaded or installed\n", name);
  abort();
}

/* Nonzero if this process prints messages, by variables of the launchers: MPI cannot be called yet,
 * or may be a different one. */
static int speaks(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                      "SLURM_PROCID"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const char *rank = getenv(names[k]);
    if (rank) return strcmp(rank, "0") == 0;
  }
  return 1;
}

/* Nonzero if the program uses another MPI, whose handles differ from the ones of this library's
 * MPI.  The name of the library is the only query that works with any MPI; it may be longer than
 * with this one. */
static int other_mpi(void) {
  enum { longest = 16384 }; /* twice the length of MPICH's, the longest */
  char text[longest] = "", *end;
  int length;
#ifdef OPEN_MPI
  static const char ours[] = "Open MPI";
#else
  static const char ours[] = "MPICH";
#endif
  MPI_Get_library_version(text, &length);
  if (strncmp(text, ours, sizeof ours - 1) == 0) return 0;
#ifndef OPEN_MPI
  if (strstr(text, "Intel") || strstr(text, "CRAY") || strstr(text, "MVAPICH")) return 0;
#endif
  if ((end = strpbrk(text, ",\n"))) *end = 0;
  while ((end = strchr(text, '\t'))) *end = ' ';
  if (!speaks()) return 1;
  fprintf(
      stderr,
      "pfft3d: FFTW does all transforms: this program uses %s, and libpfft3d_fftw3_mpi was built "
      "for %s\n",
      text, ours);
  return 1;
}

static pf_mode read_mode(void) {
  const char *text = getenv("PFFT3D_FFTW");
  pf_mode mode = {.off = 0};
  while (text && *text) {
    size_t length = strcspn(text, ",");
    if (length == 3 && strncmp(text, "off", 3) == 0)
      mode.off = 1;
    else if (length == 3 && strncmp(text, "all", 3) == 0)
      mode.all = 1;
    else if (length == 7 && strncmp(text, "verbose", 7) == 0)
      mode.verbose = 1;
    else if (speaks())
      fprintf(stderr, "pfft3d: PFFT3D_FFTW: '%.*s' is none of off, all, verbose\n", (int)length,
              text);
    text += length + (text[length] == ',');
  }
  if (!mode.off) mode.off = other_mpi();
  return mode;
}

const pf_mode *pf_mode_get(void) {
  static pf_mode mode;
  static int known;
  if (!known) mode = read_mode();
  known = 1;
  return &mode;
}
