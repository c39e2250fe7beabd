/* SPDX-License-Identifier: BSD-3-Clause
 * The picture of --png: the vorticity in a plane. */
#ifndef PF_APPS_TURBULENCE_SLICE_H
#define PF_APPS_TURBULENCE_SLICE_H

#include "apps/turbulence/flow.h"

/** Collective on a->comm. Draws |vorticity| in the plane through the middle of axis 0, if --png is
 * given.  The vorticity must be on the grid.  Errors, in a->error: IO. */
int slice_draw(app *a, const flow *f);

#endif
