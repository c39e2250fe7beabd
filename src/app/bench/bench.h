/* SPDX-License-Identifier: BSD-3-Clause
 * Times and checks all plans for the options. */
#ifndef PF_APP_BENCH_BENCH_H
#define PF_APP_BENCH_BENCH_H

#include "app/common/app.h"

/** Collective on a->comm. Times transforms of synthetic data, checks them, reports.  Returns
 *  a->error.status. */
int bench_run(app *a);

#endif
