/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels that run on a device as a sequence of launches, see fft.cl. */
#ifndef PF_KERNELS_REMOTE_H
#define PF_KERNELS_REMOTE_H

#include "device/device.h"
#include "device/library.h"
#include "kernels/kernel.h"

/* Maximum number of launches of an algorithm; size of a work group if a launch is a stage, as in
 * fft.comp. */
enum { PF_LAUNCHES = 4, PF_GROUP = 64 };

/* State of such a plan: kernels, in an order of their own; lines and roots in the device's
 * memory. */
typedef struct pf_remote_plan {
  pf_device *device;
  pf_device_kernel kernel[PF_LAUNCHES];
  pf_device_memory x, y, roots;
  void *other; /* plan of a library */
  int in_y;    /* nonzero: the lines are in y */
} pf_remote_plan;

/* Lines, or (inner > 0) the columns of matrices whose rows have 2^inner points: `count` blocks of
 * 2^bits points. */
typedef struct pf_remote_pass {
  int bits, inner;
  size_t count;
} pf_remote_pass;

/* An algorithm: names of its launches in the text, and a function that queues them; or a
 * library. */
struct pf_remote {
  pf_device_api api;
  const char *launch[PF_LAUNCHES];
  void (*run)(pf_kernel_plan *plan, const pf_remote_pass *pass);
  const pf_library *library;
};

/** Local. Queues one launch of `items` work items in groups of `group`, from the current buffer of
 * the lines to the other; `done`: number of bits of the index that earlier launches have
 * transformed. */
void pf_remote_launch(const pf_kernel_plan *plan, int kernel, const pf_remote_pass *pass, int done,
                      size_t items, size_t group);

/** Local. The functions of kernel.h for such kernels.  `device`: its number, or -1 for the
 *  first. */
const pf_kernel *pf_remote_at(int index);
int pf_remote_make(pf_kernel_plan *plan, int device, pfft3d_error *e);
void pf_remote_run(pf_kernel_plan *plan, const void *in, void *out);
void pf_remote_free(pf_kernel_plan *plan);
int pf_remote_fault(const pf_kernel_plan *plan, pfft3d_error *e);
const char *pf_remote_device_name(const pf_kernel_plan *plan);

#endif
