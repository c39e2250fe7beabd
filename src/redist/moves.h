/* SPDX-License-Identifier: BSD-3-Clause
 * Figures of redistributions between the arrays of a plan's caller and of its pipelines, without
 * MPI. */
#ifndef PF_REDIST_MOVES_H
#define PF_REDIST_MOVES_H

#include "geometry/geometry.h"
#include "redist/redist.h"

/* A redistribution in a dry run. */
typedef struct pf_moves_dry {
  pf_parts parts[2]; /* of the caller, of the pipelines */
  pf_pieces pieces[2];
  ptrdiff_t *sums;
  pf_exchange_memory memory;
  double copied; /* bytes that this rank reads and writes to pack and unpack blocks */
  double buffers;
} pf_moves_dry;

/** Local. Allocates @p count parts for each rank of g on both sides, which the caller fills in.
 * Errors: MEMORY; freed by pf_moves_dry_free() in any case. */
int pf_moves_dry_open(const pf_geometry *g, int count, pf_moves_dry *m, pfft3d_error *e);

/** Local. The figures of rank g->rank for elements of @p size bytes in messages; @p twice: data
 * that stays on a rank is copied through a buffer.  Errors: MEMORY. */
int pf_moves_dry_measure(pf_moves_dry *m, size_t size, int twice, pfft3d_error *e);
void pf_moves_dry_free(pf_moves_dry *m);

#endif
