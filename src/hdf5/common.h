/* SPDX-License-Identifier: BSD-3-Clause
 * Common parts of reading and writing HDF5 files: names, types, errors, and the state of the HDF5
 * library during a call.  Only files of this folder include it. */
#ifndef PF_HDF5_COMMON_H
#define PF_HDF5_COMMON_H

#include <hdf5.h>

#include "base/status.h"
#include "hdf5/dataset.h"
#include "hdf5/hooks.h"
#include "hdf5/rounds.h"

enum { PF_IO_REASON = 160 }; /* bytes */

/* ---- The HDF5 library --------------------------------------------------------------------- */

/* Process-wide settings, saved by pf_h5_begin() and restored by pf_h5_end(). */
typedef struct pf_h5_guard {
  H5E_auto2_t print;
  H5E_auto1_t print1; /* for an application that uses the interface of HDF5 1.6 */
  void *print_data;
  unsigned plugins;
  int saved; /* which one is saved: 2: print, 1: print1; 0: neither */
} pf_h5_guard;

/** Collective on comm. Until pf_h5_end() HDF5 prints nothing and loads no filter plugins: a file
 *  can name plugins, and they are code.  Every public function works between these two calls.
 *  UNAVAILABLE, agreed, if the HDF5 library at run time is not the version of the build; HDF5's own
 *  check would abort.  An earlier failure in *e is agreed, too.  After a failure pf_h5_end() must
 *  not be called. */
int pf_h5_begin(MPI_Comm comm, pf_h5_guard *guard, pfft3d_error *e);
/** Local. As pf_h5_begin(), for a single process. */
int pf_h5_begin_local(pf_h5_guard *guard, pfft3d_error *e);
/** Local. Restores the settings. */
void pf_h5_end(const pf_h5_guard *guard);

/** Local. HDF5's innermost reason for the last failure; returns out, never empty. */
const char *pf_h5_reason(char out[PF_IO_REASON]);

/** Local. Adds a hint if the reason is a file lock; returns nonzero if it is. */
int pf_h5_hint_locks(const char *reason, pfft3d_error *e);

/* ---- Names -------------------------------------------------------------------------------- */

/** Local. Splits "FILE" or "FILE:/path" at the last ":/"; path becomes "" if there is none.  Fails
 *  with @p status if a part is empty or too long, with USAGE for NULL. */
int pf_io_parse_name(const char *name, char file[PF_IO_FILE], char path[PF_IO_PATH], int status,
                     pfft3d_error *e);

/** Local. The colon of a name like "x.h5:data", whose path lacks the leading slash; NULL for any
 *  other name.  Only after the extension of an HDF5 file: colons are common in file names. */
const char *pf_io_missing_slash(const char *file);

/* ---- Types -------------------------------------------------------------------------------- */

/** Local. A new type: @p part if names is NULL, else a compound of two parts with these names.  The
 *  caller closes it. */
hid_t pf_h5_type(const char *const *names, hid_t part);

/* The elements of an array: one real number each, or two for a complex number. */
typedef struct pf_h5_element {
  int parts;          /* 1 or 2 */
  size_t part_bytes;  /* bytes of a part */
  size_t bytes;       /* bytes of an element */
  hid_t memory, file; /* types of a part: HDF5's own, not to be closed */
} pf_h5_element;

/** Local. USAGE for an unknown precision, for indices and for an unknown type of numbers. */
int pf_h5_element_of(pfft3d_precision precision, pfft3d_numbers numbers, pf_h5_element *element,
                     pfft3d_error *e);

/** Local. As pf_h5_element_of() for an output, which may also have indices. */
int pf_h5_output_element(pfft3d_precision precision, pfft3d_numbers numbers, pf_h5_element *element,
                         pfft3d_error *e);

/** Local. The common number formats: integers of 1 to 8 bytes with and without sign, floats of 2, 4
 *  and 8, in both byte orders, and this processor's long double.  Not to be closed; negative for an
 *  @p index beyond the last. */
hid_t pf_h5_number_type(int index);

/** Local. The index of the format of @p kind: 'f', a float, 'i', an integer, 'u' and 'b', one
 *  without sign; -1: none. */
int pf_h5_number_index(char kind, size_t bytes, int big);

/** Local. The name of a format of numbers, or of complex numbers of it: "uint8", "float64
 *  big-endian", "complex128". */
void pf_h5_describe(hid_t number, int is_complex, char out[PF_H5_TYPE]);

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

/* ---- Communicators ------------------------------------------------------------------------ */

/** Collective on comm. A communicator of the same ranks without topology, whose errors return: Open
 *  MPI's file layer was seen to fail on Cartesian ones (open-mpi/ompi#12718).  INTERNAL, agreed.
 *  The caller frees it with pf_io_comm_free(). */
int pf_io_comm(MPI_Comm comm, MPI_Comm *plain, pfft3d_error *e);

/** Collective on *comm. Frees it unless it is MPI_COMM_NULL; after MPI_Finalize only resets it. */
void pf_io_comm_free(MPI_Comm *comm);

/** Local. Fails with @p status unless this rank can read the file, or write it.  Every rank checks
 *  before a collective open, so that no rank enters it alone. */
int pf_io_check_access(const char *file, int writing, int status, pfft3d_error *e);

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
