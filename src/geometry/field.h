/* SPDX-License-Identifier: BSD-3-Clause
 * Fields of up to three dimensions that are cut into slabs or pencils: the part common to both
 * schemes. */
#ifndef PF_GEOMETRY_FIELD_H
#define PF_GEOMETRY_FIELD_H

#include "geometry/geometry.h"

/** As in pf_scheme. */
int pf_field_geometry(pf_geometry *g, pfft3d_error *e);
pf_fft_spec pf_field_fft(const pf_geometry *g, pfft3d_direction direction, int axis);

/** Local. Checks the lists of cuts of a decision against its problem and grid.  Errors: USAGE. */
int pf_field_check_cuts(const pf_decision *d, pfft3d_error *e);

/** Local. The rank with the longest parts, summed over both sides, whose costs are taken as the
 * costs of all ranks.  Rank 0 unless lists of cuts are given. */
int pf_field_heaviest(const pf_decision *d);

/** Local. The box of any rank, as stored in the caller's arrays. */
void pf_field_box(const pf_geometry *g, pfft3d_side side, int rank, pfft3d_box *box);

/** Local. Bytes of the caller's array of any rank, 0 if it has no elements. */
size_t pf_field_array_bytes(const pf_geometry *g, pfft3d_side side, int rank);

#endif
