/* SPDX-License-Identifier: BSD-3-Clause
 * The report of a line in the terms of HPC Challenge. */
#ifndef PF_APP_BENCH_HPCC_H
#define PF_APP_BENCH_HPCC_H

#include <jansson.h>

#include "app/common/app.h"

/** Local. The "hpcc" object of a forward run, with the figures and the verdict of the G-FFT of
 *  HPC Challenge. @p backward is the backward run or NULL, @p largest the largest error of an
 *  element after both. A failure is recorded in a->error. */
json_t *hpcc_report(app *a, const pfft3d_problem *p, const json_t *forward, const json_t *backward,
                    double largest);
void hpcc_text(const app *a, const json_t *item);

#endif
