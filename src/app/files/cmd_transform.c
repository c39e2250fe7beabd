/* SPDX-License-Identifier: BSD-3-Clause
 * transform: dataset in, transform, dataset out. */
#include "app/common/message.h"
#include "app/files/file_job.h"

static int transform_run(app *a) {
  const file_terms terms = {.option = "grid",
                            .n = a->opt.grid,
                            .example = "pfft3d transform --input in.h5 --output out.h5"};
  if (a->opt.direction == DIRECTION_BOTH)
    return app_fail(&a->error, PFFT3D_ERR_USAGE,
                    "--direction 'both': transform goes one way: forward or backward");
  return file_job_run(a, &terms);
}

const command cmd_transform = {
    .name = "transform",
    .summary = "transforms a dataset of a file into another",
    .options = "direction=forward plan-budget=0 " INPUT_OPTIONS OUTPUT_OPTIONS
               "norm pad grid " FIELD_OPTIONS TRANSFORM_OPTIONS RUN_OPTIONS TIMELINE_OPTIONS
               "axes device strict verify-output no-verify",
    .about =
        "Input: real or complex numbers of any type in an HDF5, netCDF-4 or .npy file, one to "
        "eight\n"
        "dimensions, or a part ('run.h5:/u[3,:,:,:]'); --axes says which are transformed.  The "
        "output has the\n"
        "path of the input unless it is named.  Real input gives half a spectrum, n2/2+1 elements\n"
        "along the last axis, and backward returns a real field; --type c2c selects whole "
        "spectra.\n"
        "Backward divides by the number of elements (--norm), so that forward, then backward\n"
        "returns the field.  --grid is needed only backward, for half a spectrum of an odd n2\n"
        "that was not written by pfft3d.  All ranks take part in one dimension, too (see line).\n\n"
        "Examples:\n"
        "  mpirun -n 2 pfft3d transform --input head.h5 --output spectrum.h5\n"
        "  pfft3d transform -i spectrum.h5:/head -o back.h5 --direction backward --force\n"
        "  mpirun -n 2 pfft3d transform -i run.nc:/t --axes 1,2,3 -o k.nc\n"
        "  pfft3d transform -i np.h5 -o f.h5 --direction backward --type r2c \\\n        --grid "
        "64x64x65\n",
    .single = 1,
    .run = transform_run,
};
