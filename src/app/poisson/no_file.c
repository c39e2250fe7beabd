/* SPDX-License-Identifier: BSD-3-Clause
 * poisson --input in a build without libpfft3d_hdf5: refused. */
#include "app/common/message.h"
#include "app/poisson/poisson.h"

int poisson_file(app *a) {
  app_hint(&a->error, "install it (Debian: libhdf5-openmpi-dev), then configure and build again");
  return app_fail(&a->error, PFFT3D_ERR_UNAVAILABLE,
                  "cannot use files: this build has no parallel HDF5");
}
