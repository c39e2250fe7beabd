/* SPDX-License-Identifier: BSD-3-Clause
 * Fields of up to three dimensions that are cut into slabs or pencils: what both schemes share. */
#ifndef PF_PLAN_FIELD_H
#define PF_PLAN_FIELD_H

#include "plan/plan.h"

/** As in pf_scheme. */
int pf_field_geometry(pf_geometry *g, pfft3d_error *e);
pf_fft_spec pf_field_fft(const pf_geometry *g, pfft3d_direction direction, int axis);
void pf_field_views(const pfft3d_plan *p, pf_pipeline *w);

/** Local. The box of any rank, as stored in the caller's arrays. */
void pf_field_box(const pf_geometry *g, pfft3d_side side, int rank, pfft3d_box *box);

#endif
