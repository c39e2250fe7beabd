/* SPDX-License-Identifier: BSD-3-Clause
 * FFTs on a device by VkFFT: lines that are the rows or the columns of matrices, in place. */
#ifndef PF_DEVICE_VKFFT_H
#define PF_DEVICE_VKFFT_H

#include "device/device.h"

/* `matrices` of `rows` rows, one after another, each of `columns` complex numbers.  The lines are
 * along the rows, or (strided) along the columns.  Real lines are rows: columns = n/2 + 1 complex
 * numbers, or n real numbers and one or two unused ones. */
typedef struct pf_vkfft_spec {
  pfft3d_precision precision;
  size_t n; /* points of a line */
  size_t rows, columns, matrices;
  int strided, real, sign; /* sign: real lines forward (-1), or backward */
} pf_vkfft_spec;

typedef struct pf_vkfft pf_vkfft;

/** Local. Nonzero if this build has VkFFT. */
int pf_vkfft_is_there(void);

/** Local. Plans, and compiles kernels; NULL on failure: UNAVAILABLE, MEMORY. */
pf_vkfft *pf_vkfft_make(pf_device *device, const pf_vkfft_spec *spec, pfft3d_error *e);
void pf_vkfft_free(pf_vkfft *plan);

/** Local. Queues the transform of `m` in PF_RUN. */
void pf_vkfft_run(pf_vkfft *plan, const pf_device_memory *m);

#endif
