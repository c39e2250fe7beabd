/* SPDX-License-Identifier: BSD-3-Clause
 * Timing and checking all plans that the options ask for. */
#ifndef PFFT3D_APP_BENCH_H
#define PFFT3D_APP_BENCH_H

#include "app.h"

/** Collective on a->comm. Times transforms of synthetic data, checks them, reports.  Returns
 *  a->error.status. */
int bench_run(app *a);

#endif
