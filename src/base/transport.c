/* SPDX-License-Identifier: BSD-3-Clause
 * Settings of Open MPI's transports that suit exchanges of rows.
 *
 * Inside a node (btl vader, sm in Open MPI 5) a message up to the eager limit is copied through a
 * buffer that both sides share; a larger one waits for a reply and is then copied by the kernel,
 * which takes at least 10 to 17 us.  The limit of 4096 bytes includes a header, so that a row of
 * 256 complex numbers is just too large.  Rows of 512 fit into 8 KiB and the header.  Each buffer
 * has the size of the limit: with 32 KiB they leave the cache.
 *
 * Over TCP: see "Overlap, MPI and TCP" in the manual.  A second connection (btl_tcp_links) is not
 * set: Open MPI 4.1 loses messages when both sides open theirs at the same time.
 *
 * Files: shared file pointers are not used, and their component with locked files ends the program
 * if a path has more than about 250 characters (Open MPI 4.1.4). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* setenv() */
#endif

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mpi.h"
#include "pfft3d_tune.h"

/* Those of Open MPI change with its version; major versions from and until. */
static const struct {
  const char *mpi;
  int from, until;
  const char *name, *value;
} settings[] = {
    {"Open MPI", 0, 4, "OMPI_MCA_btl_vader_eager_limit", "8320"},
    {"Open MPI", 5, INT_MAX, "OMPI_MCA_btl_sm_eager_limit", "8320"},
    {"Open MPI", 0, INT_MAX, "OMPI_MCA_btl_tcp_eager_limit", "32768"},
    {"Open MPI", 0, INT_MAX, "OMPI_MCA_btl_tcp_rndv_eager_limit", "4096"},
    {"Open MPI", 0, INT_MAX, "OMPI_MCA_btl_tcp_min_rdma_pipeline_size", "16384"},
    {"Open MPI", 0, INT_MAX, "OMPI_MCA_btl_tcp_rdma_pipeline_send_length", "4096"},
    {"Open MPI", 0, INT_MAX, "OMPI_MCA_sharedfp", "^lockedfile"},
};

const char *pfft3d_mpi_setting(int index, const char **value) {
  pf_mpi_library mpi = pf_mpi_running();
  for (size_t k = 0; k < sizeof settings / sizeof *settings && index >= 0; k++) {
    if (strcmp(settings[k].mpi, mpi.name) != 0) continue;
    if (mpi.major < settings[k].from || mpi.major > settings[k].until || index-- > 0) continue;
    if (value) *value = settings[k].value;
    return settings[k].name;
  }
  return NULL;
}

void pfft3d_prepare_mpi(void) {
  int started = 0;
  const char *name, *value;
  MPI_Initialized(&started);
  for (int k = 0; !started && (name = pfft3d_mpi_setting(k, &value)); k++) setenv(name, value, 0);
}
