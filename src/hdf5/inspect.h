/* SPDX-License-Identifier: BSD-3-Clause
 * All access to a possibly hostile file, by serial HDF5; it may run in a separate process
 * (hdf5/child.c). */
#ifndef PF_HDF5_INSPECT_H
#define PF_HDF5_INSPECT_H

#include "hdf5/library.h"
#include "hdf5/selection.h"

/* An open file, a dataset of it, and a selection. */
typedef struct pf_h5_handles {
  hid_t file, dataset;
  pf_selection selection;
} pf_h5_handles;

/** Local. Opens the dataset d->path of d->file (the only one if the path is ""), selects
 * d->selection of it, and fills the other members of *d.  NOINPUT, DATA, USAGE: nothing is open
 * then. */
int pf_h5_inspect(pf_dataset *d, pf_h5_handles *open, pfft3d_error *e);
/** Local. Closes all open handles. */
void pf_h5_close(pf_h5_handles *open);

/* What makes data in other files readable, as a hint. */
#define PF_H5_HINT_EXTERNAL "--external, or external in pfft3d_input_spec, reads other files, too"

/** Local. Refuses data in other files, filters that this HDF5 lacks, and less data than @p count
 * elements need; sets d->unwritten.  DATA. */
int pf_h5_check_storage(hid_t dataset, hid_t type, size_t count, pf_dataset *d, pfft3d_error *e);

/** Local. The location of contiguous data in one of the formats of pf_h5_number_type(). */
void pf_h5_locate(hid_t dataset, hid_t type, size_t count, pf_stored *stored);

/** Local. Sets d->packing of a dataset with elements of @p type.  DATA: a factor or an offset that
 * is no number. */
int pf_h5_read_packing(hid_t dataset, hid_t type, pf_dataset *d, pfft3d_error *e);

/** Local. The attributes of the dataset and of its file's root, as a small HDF5 file in memory:
 *  root to root, dataset to group PF_H5_IMAGE_GROUP.  The caller frees *image. */
int pf_h5_image(pf_dataset *d, void **image, size_t *bytes, pfft3d_error *e);

/* Elements of any type and storage, decoded by HDF5. */
typedef struct pf_h5_decoding {
  pf_h5_handles open;
  hid_t space, type;
} pf_h5_decoding;

/** Local. Inspects *d again and fails unless it is unchanged; then pf_h5_decode() can be called
 *  until pf_h5_decode_end().  @p part is the type of a number in memory. */
int pf_h5_decode_begin(const pf_dataset *d, hid_t part, pf_h5_decoding *c, pfft3d_error *e);
/** Local. Decodes a round: one number per element, or two for complex data. */
int pf_h5_decode(const pf_h5_decoding *c, const pf_io_round *p, void *to, pfft3d_error *e);
void pf_h5_decode_end(pf_h5_decoding *c);

#endif
