/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are one array: those of numpy (.npy), after a header of text (source: NEP 1, and
 * numpy.lib.format), and those of numbers only. */
#ifndef PF_HDF5_NPY_H
#define PF_HDF5_NPY_H

#include "hdf5/common.h"

/* The path of the array, which is the only one. */
#define PF_NPY_PATH "/data"

enum { PF_NPY_HEADER = 256 }; /* bytes of the headers that are written, a multiple of 64 */

/** Local. Nonzero if the file begins as these files do. */
int pf_npy_is(const char *file);

/** Local. Describes the selected part of the array in d->file.  NOINPUT, DATA, USAGE. */
int pf_npy_inspect(pf_dataset *d, pfft3d_error *e);

/** Local. Describes the selected part of an array in a file without a header: @p layout is a type
 * of numpy, little-endian unless it begins with '>', and a shape, "f8:256x256x256"; from byte @p
 *  offset, or the whole file if it is negative.  NOINPUT, DATA, USAGE. */
int pf_raw_inspect(const char *layout, long long offset, pf_dataset *d, pfft3d_error *e);

/** Local. The header of an array of @p dims dimensions, the last ones of @p n. */
void pf_npy_header(const pf_io_element *x, int dims, const ptrdiff_t *n,
                   char header[PF_NPY_HEADER]);

#endif
