/* SPDX-License-Identifier: BSD-3-Clause
 * Stands before MPI and says that it is one of another vendor. */
#include <mpi.h>
#include <string.h>

int MPI_Get_library_version(char *version, int *length) {
  strcpy(version, "Other MPI 1.0, for tests");
  *length = (int)strlen(version);
  return MPI_SUCCESS;
}
