/* SPDX-License-Identifier: BSD-3-Clause
 * A thread that crashes at the end of MPI_Finalize(), by LD_PRELOAD: as one of Open MPI 4.1 does
 * now and then, whose library is unloaded beneath it. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *crash(void *unused) {
  raise(SIGSEGV);
  return unused;
}

int MPI_Finalize(void) {
  pthread_t late;
  int code = PMPI_Finalize();
  if (pthread_create(&late, NULL, crash, NULL) == 0) pthread_join(late, NULL);
  return code;
}
