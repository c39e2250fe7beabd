/* SPDX-License-Identifier: BSD-3-Clause
 * Stands before MPI and says that it is one of another vendor, in as many characters as MPICH may
 * need, which are more than this MPI has. */
#include <mpi.h>
#include <string.h>

enum { LONGEST = 8192 };

int MPI_Get_library_version(char *version, int *length) {
  static const char name[] = "Other MPI 1.0, for tests";
  memset(version, ' ', LONGEST - 1);
  memcpy(version, name, sizeof name - 1);
  version[LONGEST - 1] = 0;
  *length = LONGEST - 1;
  return MPI_SUCCESS;
}
