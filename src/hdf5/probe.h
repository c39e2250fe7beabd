/* SPDX-License-Identifier: BSD-3-Clause
 * Reading what may be a hostile file: from a process of its own where there is a program for it
 * (pf_io_set_probe()), else in this one.  Everything here is local. */
#ifndef PF_HDF5_PROBE_H
#define PF_HDF5_PROBE_H

#include "hdf5/look.h"

/** Local. Looks at "FILE" or "FILE:/path"; *d is whole and true, or an error.  NOINPUT, DATA,
 *  UNAVAILABLE. */
int pf_probe_look(const char *name, pfft3d_dataset *d, pfft3d_error *e);

/** Local. As pf_h5_image(). */
int pf_probe_image(const pfft3d_dataset *d, void **image, size_t *bytes, pfft3d_error *e);

/* Elements on their way from a file: see pf_h5_decoding. */
typedef struct pf_probe_reader pf_probe_reader;

/** Local. Begins to read a box of it, which is not empty, as numbers like @p x has; what *rounds
 *  says is to be read in turn.  *reader is NULL after a failure. */
int pf_probe_read_begin(const pfft3d_dataset *d, const pf_h5_element *x, const pfft3d_box *box,
                        pf_transfer *rounds, pf_probe_reader **reader, pfft3d_error *e);
/** Local. The next piece: @p bytes. */
int pf_probe_read(pf_probe_reader *reader, const pf_portion *p, size_t bytes, void *to,
                  pfft3d_error *e);
void pf_probe_read_end(pf_probe_reader **reader);

#endif
