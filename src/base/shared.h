/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that all ranks of a node see: one part for each rank, all parts mapped by all. */
#ifndef PF_BASE_SHARED_H
#define PF_BASE_SHARED_H

#include <stddef.h>

#include "base/status.h"

typedef struct pf_shared {
  char *base;    /* of the part of rank 0; the part of rank r begins at r * part */
  size_t part;   /* bytes of each part, a multiple of the page size */
  void *mapping; /* what is unmapped in the end */
  size_t mapped;
} pf_shared;

/** Collective on comm. Makes a window with at least @p bytes for each rank (the same everywhere),
 * on huge pages where the kernel grants them, each part first touched by its rank.  Nothing has a
 * name in any file system, so nothing is left behind however the program ends. Errors, agreed:
 * UNAVAILABLE (ranks on several nodes, or memory cannot be shared here), MEMORY. */
int pf_shared_create(MPI_Comm comm, size_t bytes, pf_shared *w, pfft3d_error *e);

/** Local. What `part` is for so many bytes. */
size_t pf_shared_part(size_t bytes);

/** Local. Unmaps it; nobody may touch this rank's mapping any more.  An empty window is allowed. */
void pf_shared_destroy(pf_shared *w);

#endif
