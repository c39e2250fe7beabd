/* SPDX-License-Identifier: BSD-3-Clause
 * Scales of turbulence, of sums over the flow. */
#ifndef PF_APPS_TURBULENCE_STATISTICS_H
#define PF_APPS_TURBULENCE_STATISTICS_H

#include "apps/turbulence/flow.h"

enum { STATISTICS = 13, STATISTICS_OF_FLOW = 10 }; /* numbers of a row; of one without a scalar */

/** Local. Names of the numbers, with commas, for a table. */
const char *statistics_header(const flow *f);

/** Collective. The numbers of f->now: t, energy, dissipation, power of the force, root mean square
 *  of a component of the velocity, Taylor's scale and Reynolds number, Kolmogorov's scale, the same
 *  times the largest wave number, integral scale; variance, dissipation and flux of the scalar.
 *  Returns how many there are. */
int statistics_take(const flow *f, double value[STATISTICS]);

#endif
