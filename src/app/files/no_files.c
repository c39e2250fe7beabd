/* SPDX-License-Identifier: BSD-3-Clause
 * From file to file in a build without libpfft3d_hdf5: an error. */
#include "app/common/message.h"
#include "app/files/file_job.h"

int file_job_run(app *a, const file_terms *terms) {
  (void)terms;
  app_hint(&a->error, "install it (Debian: libhdf5-openmpi-dev), then configure and build again");
  return app_fail(&a->error, PFFT3D_ERR_UNAVAILABLE,
                  "cannot use files: this build has no parallel HDF5");
}
