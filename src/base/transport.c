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
 * Where the kernel refuses copies between processes, as in containers, Open MPI would fail in each
 * large message, and say so: then its ranks copy by themselves.
 *
 * Files: shared file pointers are not used, and their component with locked files ends the program
 * if a path has more than about 250 characters (Open MPI 4.1.4). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv(), process_vm_readv() */
#endif

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/uio.h>
#include <unistd.h>
#endif

#include "base/mpi.h"
#include "pfft3d_tune.h"

/* Nonzero if this process must not read its own memory as that of another one. */
static int no_copies(void) {
#ifdef __linux__
  int from = 1, to = 0;
  struct iovec a = {&to, sizeof to}, b = {&from, sizeof from};
  return process_vm_readv(getpid(), &a, 1, &b, 1, 0) < 0;
#else
  return 0;
#endif
}

/* Those of Open MPI change with its version; major versions from and until. */
static const struct {
  const char *mpi;
  int from, until;
  const char *name, *value;
  int (*needed)(void); /* NULL: always */
} settings[] = {
    {"Open MPI", 0, 4, "OMPI_MCA_btl_vader_eager_limit", "8320", NULL},
    {"Open MPI", 5, INT_MAX, "OMPI_MCA_btl_sm_eager_limit", "8320", NULL},
    {"Open MPI", 0, INT_MAX, "OMPI_MCA_btl_tcp_eager_limit", "32768", NULL},
    {"Open MPI", 0, INT_MAX, "OMPI_MCA_btl_tcp_rndv_eager_limit", "4096", NULL},
    {"Open MPI", 0, INT_MAX, "OMPI_MCA_btl_tcp_min_rdma_pipeline_size", "16384", NULL},
    {"Open MPI", 0, INT_MAX, "OMPI_MCA_btl_tcp_rdma_pipeline_send_length", "4096", NULL},
    {"Open MPI", 0, INT_MAX, "OMPI_MCA_sharedfp", "^lockedfile", NULL},
    {"Open MPI", 0, 4, "OMPI_MCA_btl_vader_single_copy_mechanism", "none", no_copies},
    {"Open MPI", 5, INT_MAX, "OMPI_MCA_smsc", "^cma", no_copies},
};

const char *pfft3d_mpi_setting(int index, const char **value) {
  pf_mpi_library mpi = pf_mpi_running();
  for (size_t k = 0; k < sizeof settings / sizeof *settings && index >= 0; k++) {
    if (strcmp(settings[k].mpi, mpi.name) != 0) continue;
    if (settings[k].needed && !settings[k].needed()) continue;
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
