/* SPDX-License-Identifier: BSD-3-Clause
 * An output between its creation and its commit.  Only the files output*.c include it. */
#ifndef PF_HDF5_OUTPUT_H
#define PF_HDF5_OUTPUT_H

#include "hdf5/common.h"
#include "hdf5/sidecar.h"

/* A format of files. */
typedef struct pf_output_format {
  const char *ending; /* of the files' names; NULL: all others */
  const char *path;   /* of the only dataset of a file; NULL: a file can have several */

  /* Local, rank 0. Writes all parts of a dataset except the data; its space is then reserved. */
  int (*create)(pfft3d_output *o, const pfft3d_output_spec *spec, int is_new, pfft3d_error *e);

  /* Collective. Writes this rank's box; *rounds is 0 if no box has elements.  Agreed. */
  int (*write)(pfft3d_output *o, const pf_io_box *box, const void *array, long long *rounds,
               pfft3d_error *e);
} pf_output_format;

extern const pf_output_format pf_output_hdf5, pf_output_npy;

struct pfft3d_output {
  MPI_Comm comm;
  const pf_output_format *format;
  int fd;   /* descriptor of the temporary file, on rank 0; else -1 */
  int slot; /* slot in the list of temporary files */
  pf_sidecar sidecar;
  int written; /* nonzero if elements were written; negative after a failed write */
  int overwrite, into, dims;
  int chunked, gzip;           /* gzip: its level, 0: not compressed */
  ptrdiff_t chunk[PF_IO_DIMS]; /* extents of the chunks */
  long long copied[5]; /* pf_io_fingerprint() of the file that is added to; 0: there is none */
  pf_io_element element;
  ptrdiff_t n[PF_IO_DIMS]; /* see pf_io_axes() */
  char file[PF_IO_FILE], path[PF_IO_PATH];
  char temporary[PF_IO_FILE + 256];
};

/** Local. The directory of a file, "." if none is named. */
void pf_output_directory(const char *file, char out[PF_IO_FILE]);

/** Local, rank 0. Checks the final name and chooses the temporary one, before anything is created.
 */
int pf_output_prepare(pfft3d_output *o, const pfft3d_output_spec *spec, pfft3d_error *e);

/** Local, rank 0. Creates the temporary file with its dataset, and reserves its space. */
int pf_output_create_file(pfft3d_output *o, const pfft3d_output_spec *spec, pfft3d_error *e);

/** Local, rank 0. Adds the current dataset of @p o to the file, which no rank has open. */
int pf_output_add_dataset(pfft3d_output *o, const pfft3d_output_spec *spec, pfft3d_error *e);

/** Local, rank 0. Fails with @p status unless the temporary file is still the one that was created:
 *  other users with access to the directory could replace it. */
int pf_output_check(const pfft3d_output *o, int status, pfft3d_error *e);

#endif
