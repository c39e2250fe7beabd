/* SPDX-License-Identifier: BSD-3-Clause
 * Pointers into a file that ranks share are used by nobody here, but Open MPI 4.1 prepares them
 * whenever a file is opened.  On one node it makes a semaphore, named after the last part of the
 * file's name; on several, a file FILE-JOB-PROCESS.lock, after each rank has tried with
 * FILE.locktest.RANK whether the file system has locks.
 *
 * JOB is known from mpirun; where another launcher starts the ranks it is not a number, and that
 * one file may stay. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include "hdf5/sidecar.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/temporary.h"
#include "hdf5/files.h"

static const char *job_name = "";

void pf_io_set_job(const char *name) {
  job_name = name && name[strspn(name, "0123456789")] == 0 ? name : "";
}

const pf_sidecar pf_sidecar_none = {{-1, -1, -1}};

#ifdef OPEN_MPI
int pf_sidecar_note(MPI_Comm comm, const char *file, int alone, pf_sidecar *b, pfft3d_error *e) {
  char name[8192];
  const char *slash = strrchr(file, '/');
  int rank = 0, process = (int)getpid();
  *b = pf_sidecar_none;
  MPI_Comm_rank(comm, &rank);
  PF_TRY(pf_mpi(e, MPI_Bcast(&process, 1, MPI_INT, 0, comm), "MPI_Bcast"));
  if (alone) {
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
int pf_sidecar_note(MPI_Comm comm, const char *file, int alone, pf_sidecar *b, pfft3d_error *e) {
  (void)comm, (void)file, (void)alone, (void)e;
  *b = pf_sidecar_none;
  return PFFT3D_OK;
}
#endif

void pf_sidecar_drop(pf_sidecar *b) {
  for (int k = 0; k < PF_BESIDE; k++) pf_temporary_drop(b->slot[k]);
  *b = pf_sidecar_none;
}

#endif
