/* SPDX-License-Identifier: BSD-3-Clause
 * Stands before MPI and says that it is one of another vendor, in as many characters as MPICH may
 * need, which are more than this MPI has: one that nobody knows, or what OTHER_MPI names. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 8192 };

int MPI_Get_library_version(char *version, int *length) {
  const char *name = getenv("OTHER_MPI");
  if (!name) name = "Other MPI 1.0, for tests";
  memset(version, ' ', LONGEST - 1);
  memcpy(version, name, strnlen(name, LONGEST - 1));
  version[LONGEST - 1] = 0;
  *length = LONGEST - 1;
  return MPI_SUCCESS;
}
