/* SPDX-License-Identifier: BSD-3-Clause
 * Shared file pointers are not used, but Open MPI 4.1 prepares them whenever a file is opened. On a
 * single node it creates a semaphore named after the last component of the file name; on several
 * nodes, a file FILE-JOB-PROCESS.lock, after each rank has tested with FILE.locktest.RANK whether
 * the file system supports locks.
 *
 * JOB is a number under mpirun; under other launchers it is not, and that file may remain. */
#include "hdf5/sidecar.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/temporary.h"
#include "hdf5/hooks.h"

static const char *job_name = "";

void pf_io_set_job(const char *name) {
  job_name = name && name[strspn(name, "0123456789")] == 0 ? name : "";
}

const pf_sidecar pf_sidecar_none = {{-1, -1, -1}};

#ifdef OPEN_MPI
int pf_sidecar_register(MPI_Comm comm, const char *file, int unique, pf_sidecar *b,
                        pfft3d_error *e) {
  char name[8192];
  const char *slash = strrchr(file, '/');
  int rank = 0, process = (int)getpid();
  *b = pf_sidecar_none;
  MPI_Comm_rank(comm, &rank);
  PF_TRY(pf_mpi(e, MPI_Bcast(&process, 1, MPI_INT, 0, comm), "MPI_Bcast"));
  if (unique) {
    snprintf(name, sizeof name, "/dev/shm/sem.OMPIO_%s", slash ? slash + 1 : file);
    b->slot[0] = pf_temporary_add(name);
  }
  snprintf(name, sizeof name, "%s.locktest.%d", file, rank);
  b->slot[1] = pf_temporary_add(name);
  if (job_name[0]) {
    snprintf(name, sizeof name, "%s-%s-%d.lock", file, job_name, process);
    b->slot[2] = pf_temporary_add(name);
  }
  return PFFT3D_OK;
}
#else
int pf_sidecar_register(MPI_Comm comm, const char *file, int unique, pf_sidecar *b,
                        pfft3d_error *e) {
  (void)comm, (void)file, (void)unique, (void)e;
  *b = pf_sidecar_none;
  return PFFT3D_OK;
}
#endif

void pf_sidecar_release(pf_sidecar *b) {
  for (int k = 0; k < PF_SIDECARS; k++) pf_temporary_drop(b->slot[k]);
  *b = pf_sidecar_none;
}
