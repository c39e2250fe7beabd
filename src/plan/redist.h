/* SPDX-License-Identifier: BSD-3-Clause
 * Redistributions of any boxes, of which a rank may have several on a side. */
#ifndef PF_PLAN_REDIST_H
#define PF_PLAN_REDIST_H

#include "base/status.h"
#include "layout/pieces.h"
#include "pfft3d_redist.h"

/* What to make, with leading axes for missing dimensions, and offsets and strides in bytes. */
typedef struct pf_redist_wish {
  ptrdiff_t n[PF_AXES], size;
  const char *exchange;
  int in_place;
  int ghosts; /* forward only, inside one array: boxes after it may overlap and leave gaps */
  int count[2];
  const pf_part *part[2]; /* of this rank, before and after */
} pf_redist_wish;

/** Local. The extents of an array, and its element, as a wish has them.  Errors: USAGE. */
int pf_redist_extents(int dims, const ptrdiff_t n[4], size_t element, pf_redist_wish *w,
                      pfft3d_error *e);

/** Local. A box of the caller as a part of such an array.  Errors: USAGE. */
int pf_redist_part(const pf_redist_wish *w, int dims, const pfft3d_region *box, pf_part *part,
                   pfft3d_error *e);

/** Collective on comm. Makes it, or agrees on the failure that *e has on some ranks.  Errors,
 *  agreed: those of pfft3d_redist_create(). */
int pf_redist_make(MPI_Comm comm, const pf_redist_wish *w, pfft3d_redist **redist, pfft3d_error *e);

#endif
