/* SPDX-License-Identifier: BSD-3-Clause
 * Which MPI this process runs with.  The linker binds the library to the MPI that the program has
 * loaded first, and the handles of another family are taken for addresses or numbers of this one.
 * MPI_Get_library_version() is the only question that all can be asked. */
#define _GNU_SOURCE
#include "base/mpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

/* How the text of a library begins, or has somewhere in its first line; the first that fits counts.
 */
static const struct {
  const char *words, *name;
  pf_mpi_family family;
} known[] = {
    {"Open MPI", "Open MPI", PF_MPI_OPEN}, {"Intel(R) MPI", "Intel MPI", PF_MPI_MPICH},
    {"MPICH", "MPICH", PF_MPI_MPICH},      {"CRAY", "MPICH", PF_MPI_MPICH},
    {"MVAPICH", "MPICH", PF_MPI_MPICH},
};

/* Nonzero if the library that answers has the handles of the standard: some MPIs have a second
 * library for these handles under the same name and version. */
static int standard_abi(void) {
  Dl_info where;
  int (*ask)(int *, int *) = NULL, major = 0, minor = 0;
  int (*version)(char *, int *) = MPI_Get_library_version;
  void *address, *file, *symbol;
  memcpy(&address, &version, sizeof address);
  if (!dladdr(address, &where) || !where.dli_fname) return 0;
  if (!(file = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD))) return 0;
  symbol = dlsym(file, "MPI_Abi_get_version");
  memcpy(&ask, &symbol, sizeof ask);
  if (ask && ask(&major, &minor) != MPI_SUCCESS) major = 0;
  dlclose(file);
  return major > 0;
}

pf_mpi_library pf_mpi_running(void) {
  pf_mpi_library mpi = {.name = ""};
  char text[PF_MPI_TEXT] = "", *end;
  int length;
  MPI_Get_library_version(text, &length);
  if ((end = strpbrk(text, ",\n"))) *end = 0;
  while ((end = strchr(text, '\t'))) *end = ' ';
  length = (int)strlen(text);
  while (length > 0 && text[length - 1] == ' ') text[--length] = 0;
  for (size_t k = 0; k < sizeof known / sizeof *known && !mpi.family; k++) {
    const char *at = strstr(text, known[k].words);
    if (!at) continue;
    mpi.name = known[k].name;
    mpi.family = known[k].family;
    at += strlen(known[k].words);
    at += strcspn(at, "0123456789");
    mpi.major = (int)strtol(at, NULL, 10);
  }
  if (mpi.family != PF_MPI_OPEN && standard_abi()) mpi.family = PF_MPI_ABI;
  snprintf(mpi.text, sizeof mpi.text, "%.79s", text);
  return mpi;
}

const char *pf_mpi_stranger(const pf_mpi_library *running) {
#if defined OPEN_MPI
  const pf_mpi_family ours = PF_MPI_OPEN;
  const char *name = "Open MPI";
#elif defined MPICH_VERSION
  const pf_mpi_family ours = PF_MPI_MPICH;
  const char *name = "MPICH";
#elif defined MPI_ABI_VERSION && MPI_ABI_VERSION > 0
  const pf_mpi_family ours = PF_MPI_ABI;
  const char *name = "the ABI of MPI 5";
#else
  const pf_mpi_family ours = PF_MPI_UNKNOWN;
  const char *name = NULL;
#endif
  return ours && running->family && running->family != ours ? name : NULL;
}
