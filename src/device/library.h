/* SPDX-License-Identifier: BSD-3-Clause
 * FFT libraries for devices, to compare with: lines one after another, or matrices. */
#ifndef PF_DEVICE_LIBRARY_H
#define PF_DEVICE_LIBRARY_H

#include "device/device.h"

typedef struct pf_library_spec {
  pfft3d_precision precision;
  size_t n, rows, batch; /* rows > 1: `batch` matrices of `rows` rows, transformed both ways */
  int sign;
} pf_library_spec;

typedef struct pf_library {
  /* Plans; NULL on failure: UNAVAILABLE, MEMORY. */
  void *(*make)(pf_device *device, const pf_library_spec *spec, pfft3d_error *e);
  /* Queues the transform of `m`, in place, in PF_RUN. */
  void (*run)(void *plan, const pf_device_memory *m);
  void (*drop)(void *plan);
} pf_library;

extern const pf_library pf_library_vkfft, pf_library_clfft, pf_library_cufft;

#endif
