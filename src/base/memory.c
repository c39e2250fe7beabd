/* SPDX-License-Identifier: BSD-3-Clause
 * Buffers: aligned, on huge pages, first touched by their owner; and a check of available
 * memory. */
#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cgroup.h"

static const size_t huge_page = (size_t)2 << 20;

void *pf_alloc(size_t bytes) {
  int large = bytes >= huge_page;
  size_t align = large ? huge_page : PF_ALIGN, rounded;
  void *buffer;
  if (pf_add(bytes, PF_ALIGN, &rounded)) return NULL;
  rounded = rounded / PF_ALIGN * PF_ALIGN; /* never 0 */
  if (posix_memalign(&buffer, align, rounded)) return NULL;
#ifdef MADV_HUGEPAGE
  if (large) madvise(buffer, rounded, MADV_HUGEPAGE); /* advice: failure changes nothing */
#endif
  memset(buffer, 0, rounded);
  return buffer;
}

void pf_free(void *buffer) {
  free(buffer);
}

/* Bytes available on this node: of the kernel, or of the control groups if that is less. */
static double memory_available(void) {
  double available = 1024 * pf_read_number("/proc/meminfo", "MemAvailable:");
  double left = pf_cgroup_memory("");
  if (isfinite(left) && (available <= 0 || left < available)) available = fmax(left, 1);
  return available; /* 0: not known */
}

int pf_memory_agree(MPI_Comm comm, size_t bytes, pfft3d_error *e) {
  MPI_Comm node;
  double need = (double)bytes, sum = 0;
  int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_split_type");
  int rank;
  MPI_Comm_rank(node, &rank);
  pf_mpi(e, MPI_Reduce(&need, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, node), "MPI_Reduce");
  MPI_Comm_free(&node);
  double available = rank == 0 ? memory_available() : 0;
  if (available > 0 && sum > available) {
    char a[32], b[32];
    pf_fail(e, PFFT3D_ERR_MEMORY, "not enough memory: this needs %s on the node, available are %s",
            pf_bytes(sum, a), pf_bytes(available, b));
    pf_hint(e,
            "use a smaller grid or more nodes; 'pfft3d explain' shows the need for any "
            "number of ranks");
  }
  return pf_agree(comm, e);
}

char *pf_bytes(double bytes, char out[32]) {
  static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int u = 0;
  while (bytes >= 1024 && u < 6) bytes /= 1024, u++;
  snprintf(out, 32, bytes == floor(bytes) ? "%.0f %s" : "%.1f %s", bytes, unit[u]);
  return out;
}
