/* SPDX-License-Identifier: BSD-3-Clause
 * The boxes of all ranks: they are gathered on every rank, and checked to tile the array. */
#ifndef PF_REQUEST_TILES_H
#define PF_REQUEST_TILES_H

#include "base/status.h"
#include "layout/pieces.h"

/* The array that boxes must tile, and the words of the message if they do not: "WHAT: ranks 0 and 1
 * both hold elements (...)WHERE". */
typedef struct pf_tiling {
  const ptrdiff_t *n; /* PF_AXES extents */
  const char *what, *where;
} pf_tiling;

/** Collective on comm.  Gathers `count` boxes of this rank and the boxes of all others; free *all
 * with pf_parts_free(), also after an error.  *e may have a failure of this rank.  Errors, agreed:
 * the failure of any rank, MEMORY, INTERNAL. */
int pf_parts_gather(MPI_Comm comm, const pf_part *mine, int count, pf_parts *all, pfft3d_error *e);
void pf_parts_free(pf_parts *all);

/** Collective on comm.  Checks that each element of the array is in exactly one box.  Errors,
 * agreed: USAGE, with two ranks and the indices. */
int pf_parts_check(MPI_Comm comm, const pf_parts *all, const pf_tiling *t, pfft3d_error *e);

#endif
