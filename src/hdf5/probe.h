/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a possibly hostile HDF5 file: in a separate process if there is a program for it
 * (pfft3d_hdf5_start()), else in this one.  Without HDF5: no_hdf5.c. */
#ifndef PF_HDF5_PROBE_H
#define PF_HDF5_PROBE_H

#include "hdf5/common.h"

/** Local. Inspects the HDF5 file d->file, and checks the reply; fills the other members of *d that
 *  describe the dataset.  NOINPUT, DATA, USAGE, UNAVAILABLE. */
int pf_probe_hdf5(pf_dataset *d, pfft3d_error *e);

/** Local. As pf_h5_image(). */
int pf_probe_image(const pf_dataset *d, void **image, size_t *bytes, pfft3d_error *e);

/** Local. A text attribute of a dataset of an HDF5 file, through an image of its attributes: as
 *  pf_h5_read_text(). */
int pf_probe_attribute(const pf_dataset *d, const char *name, char *text, size_t size,
                       pfft3d_error *e);

/* Elements being read: decoded by HDF5. */
typedef struct pf_probe_reader pf_probe_reader;

/** Local. Begins to read a box, which is not empty, as numbers of the format of @p x; *rounds are
 *  the rounds to read, in order.  Returns NULL after a failure. */
pf_probe_reader *pf_probe_read_begin(const pf_dataset *d, const pf_io_element *x,
                                     const pf_io_box *box, pf_io_rounds *rounds, pfft3d_error *e);
/** Local. Reads the next round: @p bytes. */
int pf_probe_read(pf_probe_reader *reader, const pf_io_round *p, size_t bytes, void *to,
                  pfft3d_error *e);
void pf_probe_read_end(pf_probe_reader **reader);

#endif
