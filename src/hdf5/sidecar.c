/* SPDX-License-Identifier: BSD-3-Clause
 * Shared file pointers are not used, but Open MPI prepares them whenever a file is opened. On a
 * single node it creates a semaphore named after the last component of the file name; on several
 * nodes, a file FILE-JOB-PROCESS.lock, after each rank has tested with FILE.locktest.RANK whether
 * the file system supports locks; where neither works, each rank has FILE.data.RANK and
 * FILE.metadata.RANK.
 *
 * JOB is a number.  mpirun of Open MPI 4.1 names it; that of Open MPI 5 names "LAUNCHER@JOB", from
 * which the number is computed.  Under other launchers that file may remain. */
#include "hdf5/sidecar.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/temporary.h"
#include "hdf5/hooks.h"

static char job_name[16]; /* "": unknown */

/* The number of Open MPI 5: a hash of the launcher's name (Jenkins, one at a time, 1997), folded to
 * 16 bits, and 16 bits of the job. */
static uint32_t job_of(const char *name, const char *at) {
  uint32_t hash = 0;
  for (; name < at; name++) {
    hash += (unsigned char)*name;
    hash += hash << 10;
    hash ^= hash >> 6;
  }
  hash += hash << 3;
  hash ^= hash >> 11;
  hash += hash << 15;
  return (hash >> 16 ^ (hash & 0xffff)) << 16 | ((uint32_t)strtoul(at + 1, NULL, 10) & 0xffff);
}

void pf_io_set_job(const char *name) {
  const char *at = name ? strrchr(name, '@') : NULL;
  job_name[0] = 0;
  if (at)
    snprintf(job_name, sizeof job_name, "%u", job_of(name, at));
  else if (name && name[strspn(name, "0123456789")] == 0)
    snprintf(job_name, sizeof job_name, "%s", name);
}

const pf_sidecar pf_sidecar_none = {{-1, -1, -1, -1, -1}};

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
    snprintf(name, sizeof name, "%s.data.%d", file, rank);
    b->slot[3] = pf_temporary_add(name);
    snprintf(name, sizeof name, "%s.metadata.%d", file, rank);
    b->slot[4] = pf_temporary_add(name);
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
