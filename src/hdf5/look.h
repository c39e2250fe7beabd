/* SPDX-License-Identifier: BSD-3-Clause
 * What is done to a file that may be hostile, by plain serial HDF5: all of it in one process, which
 * may be one that exists for this only (hdf5/child.c). */
#ifndef PF_HDF5_LOOK_H
#define PF_HDF5_LOOK_H

#include <sys/stat.h>

#include "hdf5/common.h"

/** Local. The regular file of that name, nothing opened.  NOINPUT, DATA. */
int pf_io_stat(const char *file, struct stat *st, pfft3d_error *e);

/** Local. What tells whether it is the same file, unchanged: pfft3d_stored.file. */
void pf_io_mark(const struct stat *st, long long file[5]);

/* A file and a dataset of it, open. */
typedef struct pf_h5_look_at {
  hid_t file, dataset;
} pf_h5_look_at;

/** Local. Opens the dataset d->path of d->file (the only one where the path is "") and fills the
 *  rest of *d.  NOINPUT, DATA: then nothing is open. */
int pf_h5_look(pfft3d_dataset *d, pf_h5_look_at *open, pfft3d_error *e);
/** Local. Closes what is open. */
void pf_h5_look_away(pf_h5_look_at *open);

/** Local. The attributes of the dataset and of its file's root, as a small HDF5 file in memory:
 *  those of its root, and those of its group PF_H5_IMAGED.  *image is to be freed. */
int pf_h5_image(pfft3d_dataset *d, void **image, size_t *bytes, pfft3d_error *e);

/* Elements being decoded by HDF5: of whatever type and storage, into those of an array. */
typedef struct pf_h5_decoding {
  pf_h5_look_at open;
  hid_t space, type;
  int dims;
} pf_h5_decoding;

/** Local. Looks at *d again and fails unless it is what was found before; then pf_h5_decode() can
 *  be called until pf_h5_decode_end().  @p part is the type of a number in memory. */
int pf_h5_decode_begin(const pfft3d_dataset *d, hid_t part, pf_h5_decoding *c, pfft3d_error *e);
/** Local. A piece of it: one number per element, or two for complex data. */
int pf_h5_decode(const pf_h5_decoding *c, const pf_portion *p, void *to, pfft3d_error *e);
void pf_h5_decode_end(pf_h5_decoding *c);

#endif
