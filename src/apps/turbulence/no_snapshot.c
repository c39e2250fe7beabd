/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshots in a build without libpfft3d_hdf5: refused. */
#include "app/common/message.h"
#include "apps/turbulence/snapshot.h"

static int refuse(app *a) {
  app_hint(&a->error, "install it (Debian: libhdf5-openmpi-dev), then configure and build again");
  return app_fail(&a->error, PFFT3D_ERR_UNAVAILABLE,
                  "cannot use files: this build has no parallel HDF5");
}

int snapshot_look(app *a, const char *name, snapshot_info *info) {
  (void)name, (void)info;
  return refuse(a);
}

int snapshot_read(app *a, const char *name, flow *f, int components) {
  (void)name, (void)f, (void)components;
  return refuse(a);
}

int snapshot_try(app *a, const snapshots *s, const flow *f) {
  (void)f;
  return s->name[0] ? refuse(a) : PFFT3D_OK;
}

int snapshot_write(app *a, snapshots *s, flow *f) {
  (void)f;
  return s->name[0] ? refuse(a) : PFFT3D_OK;
}
