/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels that run on a device: one launch after the other, see fft.cl. */
#ifndef PF_KERNELS_REMOTE_H
#define PF_KERNELS_REMOTE_H

#include "device/device.h"
#include "kernels/kernel.h"

/* What such a plan has: kernels by a number of their own, lines and roots in the device's memory.
 */
typedef struct pf_remote_plan {
  pf_device *device;
  pf_device_kernel kernel[4];
  pf_device_memory x, y, roots;
  void *other; /* of a library */
} pf_remote_plan;

/** Local. Queues one launch: from s->x to s->y or (back) the other way, `items` work items. */
void pf_remote_launch(const pf_kernel_plan *plan, int kernel, int back, size_t items, int done);

/* An algorithm: names of its launches, and what it queues. Returns whether the result is in s->y.
 */
struct pf_remote {
  const char *launch[4];
  int (*make)(pf_kernel_plan *plan, pfft3d_error *e); /* NULL: compile the launches */
  int (*run)(pf_kernel_plan *plan);
  void (*free)(pf_kernel_plan *plan); /* NULL: nothing more */
};

/** Local. The functions of kernel.h for such kernels. */
const pf_kernel *pf_remote_at(int index);
int pf_remote_make(pf_kernel_plan *plan, int device, pfft3d_error *e);
void pf_remote_run(pf_kernel_plan *plan, const void *in, void *out);
void pf_remote_free(pf_kernel_plan *plan);
int pf_remote_fault(const pf_kernel_plan *plan, pfft3d_error *e);

#endif
