/* SPDX-License-Identifier: BSD-3-Clause
 * Common parts of reading and writing files: names, elements, and the state of the HDF5 library
 * during a call.  Only files of this folder include it, by hdf5/library.h if they call
 * HDF5. */
#ifndef PF_HDF5_COMMON_H
#define PF_HDF5_COMMON_H

#include <sys/stat.h>

#include "base/status.h"
#include "hdf5/dataset.h"
#include "hdf5/hooks.h"
#include "hdf5/rounds.h"

/* ---- The HDF5 library --------------------------------------------------------------------- */

/* Process-wide settings, saved by pf_h5_begin() and restored by pf_h5_end(). */
typedef struct pf_h5_guard {
  void (*print)(void); /* its printer of errors, of any type */
  void *print_data;
  unsigned plugins;
  int saved; /* the interface of the printer, 1 or 2; 0: none */
} pf_h5_guard;

/** Collective on comm. Until pf_h5_end() HDF5 prints nothing and loads no filter plugins: a file
 *  can name plugins, and they are code.  Every public function works between these two calls.
 *  UNAVAILABLE, agreed, if the HDF5 library at run time is not the version of the build; HDF5's own
 *  check would abort.  An earlier failure in *e is agreed, too.  After a failure pf_h5_end() must
 *  not be called. */
int pf_h5_begin(MPI_Comm comm, pf_h5_guard *guard, pfft3d_error *e);
/** Local. As pf_h5_begin(), for a single process.  In a build without HDF5 it does nothing. */
int pf_h5_begin_local(pf_h5_guard *guard, pfft3d_error *e);
/** Local. Restores the settings. */
void pf_h5_end(const pf_h5_guard *guard);

/* ---- Names -------------------------------------------------------------------------------- */

/** Local. Splits "FILE" or "FILE:/path" at the last ":/"; path becomes "" if there is none.  Fails
 *  with @p status if a part is empty or too long, with USAGE for NULL. */
int pf_io_parse_name(const char *name, char file[PF_IO_FILE], char path[PF_IO_PATH], int status,
                     pfft3d_error *e);

/** Local. The colon of a name like "x.h5:data", whose path lacks the leading slash; NULL for any
 *  other name.  Only after the extension of an HDF5 file: colons are common in file names. */
const char *pf_io_missing_slash(const char *file);

/* ---- Elements ----------------------------------------------------------------------------- */

/* The elements of an array: one real number each, or two for a complex number. */
typedef struct pf_io_element {
  int parts;         /* 1 or 2 */
  size_t part_bytes; /* bytes of a part */
  size_t bytes;      /* bytes of an element */
  int indices;       /* nonzero: unsigned integers */
} pf_io_element;

/** Local. USAGE for an unknown precision, for indices and for an unknown type of numbers. */
int pf_io_element_of(pfft3d_precision precision, pfft3d_numbers numbers, pf_io_element *element,
                     pfft3d_error *e);

/** Local. As pf_io_element_of() for an output, which may also have indices. */
int pf_io_output_element(pfft3d_precision precision, pfft3d_numbers numbers, pf_io_element *element,
                         pfft3d_error *e);

/* ---- Files -------------------------------------------------------------------------------- */

/** Local. Properties of a regular file by stat(); does not open it.  NOINPUT, DATA. */
int pf_io_stat(const char *file, struct stat *st, pfft3d_error *e);

/** Local. Identifies a file and its state: device, inode, size, time of the last change. */
void pf_io_fingerprint(const struct stat *st, long long file[5]);

/** Local. Nonzero if a file has the signature of HDF5: at its beginning, or at 512 bytes or a power
 * of two times as many (HDF5 file format specification, II.A). */
int pf_io_is_hdf5(const char *file);

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

#endif
