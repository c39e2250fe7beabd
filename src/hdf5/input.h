/* SPDX-License-Identifier: BSD-3-Clause
 * A file to read: its name, its format, its dataset. */
#ifndef PF_HDF5_INPUT_H
#define PF_HDF5_INPUT_H

#include "hdf5/common.h"

/** Local. Inspects the file of a specification whose members are all set; fills *d.  NOINPUT, DATA,
 *  USAGE, UNAVAILABLE. */
int pf_input_inspect(const pfft3d_input_spec *spec, pf_dataset *d, pfft3d_error *e);

#endif
