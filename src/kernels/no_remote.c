/* SPDX-License-Identifier: BSD-3-Clause
 * A build without devices has no kernels for them. */
#include "kernels/remote.h"

const pf_kernel *pf_remote_at(int index) {
  (void)index;
  return NULL;
}

int pf_remote_make(pf_kernel_plan *plan, int device, pfft3d_error *e) {
  (void)plan, (void)device;
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "this build has no OpenCL");
}

void pf_remote_run(pf_kernel_plan *plan, const void *in, void *out) {
  (void)plan, (void)in, (void)out;
}

void pf_remote_free(pf_kernel_plan *plan) {
  (void)plan;
}

int pf_remote_fault(const pf_kernel_plan *plan, pfft3d_error *e) {
  (void)plan, (void)e;
  return PFFT3D_OK;
}
