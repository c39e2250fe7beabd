/* SPDX-License-Identifier: BSD-3-Clause
 * The internals of a device of CUDA, for code that calls its driver. */
#ifndef PF_DEVICE_CUDA_H
#define PF_DEVICE_CUDA_H

#include "device/driver.h"

/** Local. Makes the device's context current in this thread; returns a code. */
int pf_cuda_enter(pf_device *d);

#endif
