/* SPDX-License-Identifier: BSD-3-Clause
 * Redistributions between any boxes; a rank may have several on a side. */
#ifndef PF_REDIST_REDIST_H
#define PF_REDIST_REDIST_H

#include "exchange/memory.h"
#include "pfft3d_redist.h"

enum { PF_REDIST_ELEMENT = 65536 }; /* the most bytes of an element */

/* Specification of a redistribution, with leading axes for missing dimensions, and offsets and
 * strides in bytes. */
typedef struct pf_redist_wish {
  ptrdiff_t n[PF_AXES], size;
  const char *exchange;
  int in_place;
  pfft3d_precision wire; /* single: numbers are rounded, unless the exchange is direct */
  int direct;            /* blocks may be sent from and received in the arrays of the caller */
  int node_ranks;        /* consecutive ranks on each node; 0: detect */
  int ghosts; /* forward only, inside one array: boxes after it may overlap and leave gaps */
  int count[2];
  const pf_part *part[2]; /* of this rank, before and after */
} pf_redist_wish;

/** Local. Sets the extents of an array, and its element, in a wish.  Errors: USAGE. */
int pf_redist_extents(int dims, const ptrdiff_t n[4], size_t element, pf_redist_wish *w,
                      pfft3d_error *e);

/** Local. A box of the caller as a part of such an array.  Errors: USAGE. */
int pf_redist_part(const pf_redist_wish *w, int dims, const pfft3d_region *box, pf_part *part,
                   pfft3d_error *e);

/** Collective on comm. Makes a redistribution, or agrees on the failure that *e has on some ranks.
 * Errors, agreed: as pfft3d_redist_create(). */
int pf_redist_make(MPI_Comm comm, const pf_redist_wish *w, pfft3d_redist **redist, pfft3d_error *e);

/** Local. Lays out the memory of a redistribution of pieces; its ops, ranks, rank, node_ranks and
 * uneven are set; @p directions: 1 forward only. */
void pf_redist_lay_out(pf_exchange_memory *m, const pf_pieces pieces[2], int directions);

/** Local. Nonzero if numbers are rounded to single precision in messages. */
int pf_redist_narrow(const pfft3d_redist *r);

/** Local. Bytes of its buffers. */
size_t pf_redist_bytes(const pfft3d_redist *r);

/** Local. Adds the messages since the last call, and the traffic of one execution, to a sum;
 * pf_redist_take_loss(): the loss by rounding. */
void pf_redist_take(pfft3d_redist *r, pfft3d_direction direction, pfft3d_stats *sum);
void pf_redist_take_loss(pfft3d_redist *r, pfft3d_direction direction, pfft3d_stage_stats *sum);

/** Local. Records executions in a timeline, as pf_pipelines_record(). */
int pf_redist_record(pfft3d_redist *r, pf_timeline *t, pfft3d_error *e);

/** Collective. Seconds of its exchange, as pf_pipelines_raw(). */
int pf_redist_raw(pfft3d_redist *r, pfft3d_direction direction, double *seconds);

#endif
