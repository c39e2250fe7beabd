/* SPDX-License-Identifier: BSD-3-Clause
 * What is said of redistributions between the arrays of a plan's caller and those of its pipelines
 * without MPI. */
#ifndef PF_REDIST_MOVES_H
#define PF_REDIST_MOVES_H

#include "geometry/geometry.h"
#include "redist/redist.h"

/* A redistribution in a dry run. */
typedef struct pf_moves_dry {
  pf_parts parts[2]; /* of the caller, of the plan inside */
  pf_pieces pieces[2];
  ptrdiff_t *sums;
  pf_exchange_memory memory;
  double copied; /* bytes that this rank reads and writes to fill and to read blocks */
  double buffers;
} pf_moves_dry;

/** Local. Room for @p count parts of each rank of g on both sides, which the caller fills.  Errors:
 *  MEMORY; freed by pf_moves_dry_free() in any case. */
int pf_moves_dry_open(const pf_geometry *g, int count, pf_moves_dry *m, pfft3d_error *e);

/** Local. The figures of rank g->rank for elements of @p size bytes in messages; @p twice: what
 * stays on a rank goes through a buffer.  Errors: MEMORY. */
int pf_moves_dry_measure(pf_moves_dry *m, size_t size, int twice, pfft3d_error *e);
void pf_moves_dry_free(pf_moves_dry *m);

#endif
