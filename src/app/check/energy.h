/* SPDX-License-Identifier: BSD-3-Clause
 * The energy of a spectrum that Parseval's theorem must not count. */
#ifndef PF_APP_CHECK_ENERGY_H
#define PF_APP_CHECK_ENERGY_H

#include "app/common/app.h"

/** Collective on a->comm. Energy of half a spectrum (r2c) that no spectrum of a real field has, and
 *  that c2r ignores: the deviation from F[-k] = conj F[k] in the planes k2 = 0 and n2/2. */
long double energy_ignored(const app *a, const pfft3d_problem *p, const pfft3d_box *box,
                           const void *array);

#endif
