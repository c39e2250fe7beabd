/* SPDX-License-Identifier: BSD-3-Clause
 * Common parts of what calls HDF5: types, errors, attributes.  Only files of this folder include
 * it, which a build without HDF5 leaves out. */
#ifndef PF_HDF5_LIBRARY_H
#define PF_HDF5_LIBRARY_H

#include <hdf5.h>

#include "hdf5/common.h"

enum { PF_IO_REASON = 160 }; /* bytes */

/** Local. HDF5's innermost reason for the last failure; returns out, never empty. */
const char *pf_h5_reason(char out[PF_IO_REASON]);

/** Local. Adds a hint if the reason is a file lock; returns nonzero if it is. */
int pf_h5_hint_locks(const char *reason, pfft3d_error *e);

/* ---- Types -------------------------------------------------------------------------------- */

/** Local. A new type: @p part if names is NULL, else a compound of two parts with these names.  The
 *  caller closes it. */
hid_t pf_h5_type(const char *const *names, hid_t part);

/** Local. The types of the parts of an element, in memory and in files; not to be closed. */
hid_t pf_h5_memory_type(const pf_io_element *x);
hid_t pf_h5_file_type(const pf_io_element *x);

/** Local. The format of pf_number_at(); not to be closed, negative for an @p index beyond the last.
 */
hid_t pf_h5_number_type(int index);

/** Local. The name of a format of numbers, or of complex numbers of it: "uint8", "float64
 *  big-endian", "complex128". */
void pf_h5_describe(hid_t number, int is_complex, char out[PF_IO_TYPE]);

/** Local. The type of the parts, to be closed, if @p type is a complex number: that of HDF5 2, or a
 *  compound of two equal floats called r i, re im, real imag or the like, in either order; else
 *  negative. */
hid_t pf_h5_complex_part(hid_t type);

/** Local. A new type with numbers of type @p part: complex ones of the same kind if @p type is one.
 *  The caller closes it. */
hid_t pf_h5_like(hid_t type, hid_t part);

/** Local. A new dataset access list that refuses external links; *refused (may be NULL) becomes 1
 *  when one is found.  The flag must live as long as the list. */
hid_t pf_h5_no_external_links(int *refused);

/* ---- Writing ------------------------------------------------------------------------------ */

/* A dataset that all ranks have opened for writing. */
typedef struct pf_h5_open {
  MPI_Comm comm; /* the caller's communicator */
  hid_t file, dataset, space;
  hid_t list; /* collective transfers */
} pf_h5_open;

/** Collective on comm, a result of pf_io_comm(). Opens the dataset for writing; agreed.  IO,
 *  INTERNAL. */
int pf_h5_open_all(MPI_Comm comm, const char *file, const char *path, pf_h5_open *o,
                   pfft3d_error *e);

/** Collective. Flushes and closes everything, on failure too; not agreed. */
int pf_h5_close_all(pf_h5_open *o, pfft3d_error *e);

/* Data of one rank. */
typedef struct pf_h5_data {
  int dims;             /* of the dataset */
  const pf_io_box *box; /* this rank's box, checked by pf_io_check_box() */
  hid_t type;           /* type of an element in memory */
  size_t bytes;         /* bytes of an element, in memory and in the file */
  const void *array;
} pf_h5_data;

/** Collective. Writes every rank's box in rounds of at most 1 GiB per rank; all ranks make the same
 *  number of rounds, *rounds, which is 0 if no box has elements.  IO in *e, not agreed: the file
 * has to be closed first.  A rank with an empty box, or after a failure, takes part with an empty
 * selection. */
int pf_h5_write(const pf_h5_open *o, const pf_h5_data *m, long long *rounds, pfft3d_error *e);

/* ---- Attributes --------------------------------------------------------------------------- */

/* The group of a file image with the attributes of the dataset; the maximum size of an image. */
#define PF_H5_IMAGE_GROUP "dataset"
enum { PF_H5_IMAGE_BYTES = 1 << 23 };

/** Local. Copies the attributes of @p from to @p to, whatever their type, except those with a name
 *  in @p given, packing and dimensions of netCDF, which hold for the input only, references to
 *  objects of the file, those too large for the target, and those for which *room, in bytes, does
 *  not suffice.  Fails with MEMORY only. */
int pf_h5_copy_attributes(hid_t from, hid_t to, const pfft3d_attribute *given, size_t *room,
                          pfft3d_error *e);

/** Local. Copies all attributes to an image, as far as *room suffices.  Fails with MEMORY only. */
int pf_h5_copy_all_attributes(hid_t from, hid_t to, size_t *room, pfft3d_error *e);

/** Local. Opens an image of pf_h5_image(): *group and its file; the caller closes both. */
int pf_h5_open_image(const void *image, size_t bytes, hid_t *file, hid_t *group, pfft3d_error *e);

/* The file format keeps at most 64 KiB in one attribute of a plain object header. */
enum { PF_H5_ATTRIBUTE_BYTES = 1 << 16 };

/** Local. The attribute @p name of an object if it is a single string, of fixed or variable length,
 *  truncated to @p size bytes with the final 0; else "".  Fails with MEMORY only: a lack of memory
 *  must not be mistaken for a missing attribute. */
int pf_h5_read_text(hid_t object, const char *name, char *text, size_t size, pfft3d_error *e);

/** Local. Writes the attributes as UTF-8 strings. */
int pf_h5_write_attributes(hid_t to, const pfft3d_attribute *given, pfft3d_error *e);

#endif
