/* SPDX-License-Identifier: BSD-3-Clause
 * FFTW itself, for comparison: lines that are transformed one by one. */
#ifndef PF_APPS_KERNELS_FFTW_LINES_H
#define PF_APPS_KERNELS_FFTW_LINES_H

#include "apps/kernels/reference.h"

/** Local. A plan for the lines, NULL on failure: MEMORY, or UNAVAILABLE if this build has no FFTW
 * or FFTW makes no plan.  fftw_lines_free() frees it. */
void *fftw_lines_make(const lines *l, pfft3d_error *e);
void fftw_lines_free(void *plan, pfft3d_precision precision);

/** Local. Transforms all lines; threads share them. */
void fftw_lines_run(const void *plan, const lines *l, int threads);

#endif
