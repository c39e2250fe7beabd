/* SPDX-License-Identifier: BSD-3-Clause
 * Names and coordinates of dimensions, which HDF5 and netCDF-4 keep as dimension scales. */
#ifndef PF_HDF5_SCALES_H
#define PF_HDF5_SCALES_H

#include "hdf5/inspect.h"

/** Local. Sets d->axis and d->units, of the selected dimensions; "" where a dimension has none.
 * Fails with MEMORY only. */
int pf_h5_scale_names(const pf_h5_handles *open, pf_dataset *d, pfft3d_error *e);

/** Local. Writes the coordinates of the selected dimensions to a group of an image, as datasets
 *  axis0 to axis2 with their attributes. */
void pf_h5_scale_image(const pf_h5_handles *open, hid_t group, size_t *room, pfft3d_error *e);

/** Local. Adds scales to a dataset of an output, in its group: those of @p spec, or of the source,
 *  whose image has the group @p from (negative: there is none).  OUTPUT. */
int pf_h5_scale_write(hid_t file, hid_t dataset, const char *path, const pfft3d_output_spec *spec,
                      hid_t from, pfft3d_error *e);

#endif
