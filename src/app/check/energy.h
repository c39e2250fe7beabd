/* SPDX-License-Identifier: BSD-3-Clause
 * The energy of a spectrum that must not be counted in Parseval's theorem. */
#ifndef PF_APP_CHECK_ENERGY_H
#define PF_APP_CHECK_ENERGY_H

#include "app/common/app.h"

/** Collective on a->comm. The part of the energy of half a spectrum (r2c) that no real field has,
 *  and that c2r ignores: in the planes k2 = 0 and n2/2, of what differs from F[-k] = conj F[k]. */
long double energy_ignored(const app *a, const pfft3d_problem *p, const pfft3d_box *box,
                           const void *array);

#endif
