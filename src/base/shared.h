/* SPDX-License-Identifier: BSD-3-Clause
 * Memory shared by the ranks of a node: one part for each rank, all parts mapped by all ranks. */
#ifndef PF_BASE_SHARED_H
#define PF_BASE_SHARED_H

#include <stddef.h>

#include "base/status.h"
#include "base/timeline.h"

typedef struct pf_shared {
  char *base;    /* the part of rank 0; the part of rank r begins at r * part */
  size_t part;   /* bytes from one part to the next */
  void *mapping; /* argument of munmap() */
  size_t mapped;
  MPI_Comm comm; /* the ranks that share it; borrowed */
  int rank, ranks;
  unsigned looks;              /* pf_flag_looks() */
  char *flags;                 /* flags of all ranks, for barriers */
  unsigned long long barriers; /* number of barriers so far */
  pf_timeline *timeline;       /* where they are recorded; NULL: nowhere */
} pf_shared;

/** Collective on comm. Makes a window with at least @p bytes for each rank (the same everywhere),
 * on huge pages where the kernel grants them, each part first touched by its rank.  It has no name
 * in any file system: nothing remains, however the program ends.  Errors, agreed:
 * UNAVAILABLE (ranks on several nodes, or memory cannot be shared here), MEMORY. */
int pf_shared_create(MPI_Comm comm, size_t bytes, pf_shared *w, pfft3d_error *e);

/** Collective on the ranks of the window, which call it in the same order.  Returns when all ranks
 * have called it: all can then read what any of them wrote to the window before. Returns an MPI
 * error code. */
int pf_shared_barrier(pf_shared *w);

/** Local. PFFT3D_OK if the process may have files of this size, as shared memory counts as a file:
 * growing beyond the limit ends a process by a signal.  Errors: UNAVAILABLE. */
int pf_shared_allowed(size_t bytes, pfft3d_error *e);

/** Local. Fails unless MPI, which keeps its windows in files there, has space for so many bytes of
 * a node: Open MPI may find the lack of it on some ranks only, while others wait.  UNAVAILABLE. */
int pf_window_room(size_t bytes, pfft3d_error *e);

/** Local. The memory that a part of at least @p bytes takes: whole pages. */
size_t pf_shared_bytes(size_t bytes);

/** Local. Bytes from such a part to the next: whole huge pages if a part fills one.  Only the used
 * part of the last huge page takes memory. */
size_t pf_shared_part(size_t bytes);

/** Local. Unmaps the window on this rank.  An empty window is allowed. */
void pf_shared_destroy(pf_shared *w);

#endif
