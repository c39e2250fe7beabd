/* SPDX-License-Identifier: BSD-3-Clause
 * A build without OpenCL has no devices; who asks for one learns why. */
#include "device/device.h"

int pf_device_count(void) {
  return 0;
}

int pf_device_facts_of(int index, pf_device_facts *facts) {
  (void)index, (void)facts;
  return 0;
}

int pf_device_open(int index, pfft3d_precision precision, pf_device **device, pfft3d_error *e) {
  (void)index, (void)precision, (void)device;
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "no device: this build has no OpenCL");
}
