/* SPDX-License-Identifier: BSD-3-Clause
 * The meaning of devices' errors, the same for all drivers. */
#include "device/driver.h"

#include <stdio.h>
#include <string.h>

int pf_driver_fail(const pf_device *d, int code, const char *what, pfft3d_error *e) {
  int status = d->driver->is_memory(code) ? PFFT3D_ERR_MEMORY : PFFT3D_ERR_UNAVAILABLE;
  pf_note(e, status, "device '%s': %s: %s (%d)", d->facts.name, what, d->driver->error(code), code);
  return status;
}

void pf_driver_note(pf_device *d, int code, const char *what) {
  const char *none = NULL;
  if (code && atomic_compare_exchange_strong(&d->fault_call, &none, what)) d->fault = code;
}

int pf_driver_build_failed(const pf_device *d, int code, const char *name, const char *log,
                           pfft3d_error *e) {
  const char *at = strstr(log, "error");
  at = at ? at : log;
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "device '%s': kernel '%s' does not build: %s%s%.*s",
                 d->facts.name, name, d->driver->error(code), *at ? ": " : "",
                 (int)strcspn(at, "\n"), at);
}

int pf_device_fault(const pf_device *d, pfft3d_error *e) {
  if (!d->fault) return PFFT3D_OK;
  char what[96];
  snprintf(what, sizeof what, "lost during %s", d->fault_call);
  return pf_driver_fail(d, d->fault, what, e);
}
