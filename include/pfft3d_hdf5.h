/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pfft3d_hdf5: the datasets of HDF5 files as distributed arrays, read and written in parallel.
 *
 * A library of its own, libpfft3d_hdf5 (pkg-config: pfft3d_hdf5), on top of libpfft3d, which does
 * not need HDF5.  A build without parallel HDF5 has neither this header nor the library.
 *
 * Every function returns a pfft3d_status unless it says otherwise, and fills *error, which may be
 * NULL.  "Collective" functions must be called by all ranks of the communicator and return the same
 * status on all of them; their arguments are the same on all ranks, except boxes and arrays.  A
 * pointer that must not be NULL, MPI_COMM_NULL, an inter-communicator, and a call before MPI_Init
 * or after MPI_Finalize are USAGE errors.  Not thread-safe, as HDF5 is not: one call at a time in a
 * process.
 */
#ifndef PFFT3D_HDF5_H
#define PFFT3D_HDF5_H

#include <pfft3d.h>
#include <pfft3d_nd.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Local, optional, the first call in main().  Lets this program serve as the process that inspects
 *  files (see pfft3d_dataset_probe()) instead of the installed program pfft3d: in a process that
 *  was started for this purpose it answers and does not return.  `job` (may be NULL, must remain
 *  valid) is the launcher's name of the job, $PMIX_NAMESPACE with Open MPI: it is part of the name
 *  of a lock file of Open MPI, which pfft3d_remove_temporary() then removes too. */
void pfft3d_hdf5_start(int argc, char *const *argv, const char *job);

/* ---- Input -------------------------------------------------------------------------------- */

/** A dataset that was found in a file. */
typedef struct pfft3d_dataset pfft3d_dataset;

/** The elements of an array or a dataset: complex numbers, which are pairs (re, im), or real ones;
 *  of outputs also indices, which are uint64_t, or uint32_t where the precision is single. */
typedef enum pfft3d_numbers { PFFT3D_COMPLEX, PFFT3D_REAL, PFFT3D_INDICES } pfft3d_numbers;

/** Collective on comm.  Inspects "FILE" or "FILE:/path" (the path may be omitted if the file holds
 *  one dataset) without reading its data: rank 0 does it, all ranks get the result.  FILE is an HDF5
 *  file, of netCDF-4 too, or one of numpy (.npy), whose array has the path "/data"; its content
 *  decides, not its name.  Other things than regular files are refused, as are data in other files,
 *  types that are not numbers, and more elements than the file can hold.  *dataset is to be freed with
 *  pfft3d_dataset_free(), NULL on error; it keeps a communicator of its own.
 *
 *  A selection may follow: in "FILE:/path[3,:,10:90:2]" indices, slices FIRST:END:STEP and an
 *  ellipsis select elements of up to eight dimensions as in numpy, with steps of at least 1.  One to
 *  three dimensions must be left, and these are the dataset's.  If a file or a dataset has a name
 *  with these brackets, that is meant.
 *
 *  HDF5 is not safe against crafted files.  The file is therefore opened in a separate process with
 *  limited rights, which runs the program of pfft3d_hdf5_start() or else the installed program
 *  pfft3d; where neither exists, in this process.  A file that crashes HDF5 is a DATA error.
 *  Errors: USAGE, NOINPUT, DATA, UNAVAILABLE, MEMORY, INTERNAL. */
int pfft3d_dataset_probe(MPI_Comm comm, const char *name, pfft3d_dataset **dataset,
                         pfft3d_error *error);

/** What to read.  Set it to zero first: a zero member is the default, but for `name`.  Later versions may
 *  add members at the end. */
typedef struct pfft3d_input_spec {
  const char *name;   /**< "FILE", "FILE:/path", "FILE:/path[selection]" */
  const char *layout; /**< of a file of numbers only, as Fortran's streams and C's fwrite() write them: the
                           type in numpy's letters and the lengths of the axes, the last one changing fastest.
                           "f8:256x256x256" are doubles, "<f4" and ">f4" floats in little-endian and
                           big-endian order, "c16" complex numbers, "i2" and "u1" integers; little-endian
                           unless it begins with '>'.  NULL: the file says what it has */
  ptrdiff_t offset;   /**< with a layout: the byte at which the array begins; negative: the file is this
                           array, and more or less than that is an error */
  int dims;           /**< the most dimensions that the caller takes, after selection, 1 to 8; 0: 3 */
  int external;       /**< nonzero: data in other files is read, too: external storage, external links,
                           virtual datasets of other files.  Their names are in the file, which could be
                           anybody's: the result shows what this user can read */
  const char *filters; /**< a folder of filter plugins of HDF5, for datasets that need them; NULL: none.  They
                            are code, and run in the process that inspects the file: UNAVAILABLE without
                            the program */
} pfft3d_input_spec;

/** Collective on comm.  As pfft3d_dataset_probe(), for files of numbers only and for datasets of more
 *  dimensions, too.  `size` is sizeof(pfft3d_input_spec).  Errors: those of pfft3d_dataset_probe(); DATA also
 *  for a layout of an HDF5 or .npy file, and for fewer bytes than the array has. */
int pfft3d_dataset_open(MPI_Comm comm, const pfft3d_input_spec *spec, size_t size,
                        pfft3d_dataset **dataset, pfft3d_error *error);

/** What is known about a dataset.  Later versions may add members at the end. */
typedef struct pfft3d_dataset_info {
  const char *file, *path; /**< the path ends with the selection; valid until the dataset is freed,
                                as is the type */
  const char *type;        /**< to be shown: "uint8", "float64 big-endian", "complex128" */
  pfft3d_numbers numbers;  /**< complex: a compound {r, i}; a trailing dimension of 2 is not one */
  int dims;                /**< as selected: 1 to 3, or to 8 if pfft3d_dataset_open() was asked for them */
  ptrdiff_t n[3];          /**< missing leading dimensions are 1; of more than three, `extent` tells */
  double nonfinite;        /**< elements, over all ranks of the last pfft3d_dataset_read(), that are
                                NaN or infinite, or too large for the precision they were read in */
  double scale_factor, add_offset; /**< of packed data (netCDF): values are number * scale_factor +
                                        add_offset; else 1 and 0 */
  double missing; /**< of `nonfinite`: elements that the file marks as missing, by _FillValue,
                       missing_value or valid_range; they are read as NaN */
  const char *axis[3]; /**< names of the dimensions in files that have them (dimension scales of HDF5,
                            netCDF-4), else ""; valid until the dataset is freed */
  const char *selection; /**< the end of `path` that selects a part, "" without it; valid as long */
  int unwritten;  /**< nonzero: no element was ever written, and all have the fill value of the file */
  ptrdiff_t extent[8];      /**< lengths of the dimensions, `dims` of them */
  const char *dimension[8]; /**< their names, as `axis` */
  const char *units[8];     /**< units of their coordinates, "" if they have none; valid as long */
} pfft3d_dataset_info;

/** Local.  Fills the first `size` bytes of *info, sizeof(pfft3d_dataset_info) as the caller was
 *  compiled; bytes that this version does not know become 0.  Errors: USAGE. */
int pfft3d_dataset_get_info(const pfft3d_dataset *dataset, pfft3d_dataset_info *info, size_t size);

/** Collective on the dataset's communicator.  Reads the box lo, len of the dataset into `array`:
 *  box->len[0] x box->len[1] x box->len[2] contiguous elements in C order (box->stride is ignored)
 *  of doubles or floats, as `precision` says, complex (imaginary part 0 for real data) or real
 *  (USAGE for complex data).  Converts number format and byte order, and gives the values of packed
 *  numbers by the attributes scale_factor, add_offset, _Unsigned, _FillValue, missing_value and
 *  valid_range (valid_min, valid_max) of netCDF's conventions (CF 1.11, 2.5.1 and 8.1).  Each rank
 *  may read any part of the dataset, also an empty one (array may then be NULL), in rounds of at
 *  most 1 GiB.  The array belongs to the caller; its contents are undefined after an error.
 *  Errors: USAGE, NOINPUT, DATA (among others: the file has changed), IO, MEMORY, INTERNAL. */
int pfft3d_dataset_read(pfft3d_dataset *dataset, pfft3d_precision precision, pfft3d_numbers numbers,
                        const pfft3d_box *box, void *array, pfft3d_error *error);

/** Collective on the dataset's communicator.  As pfft3d_dataset_read(), for a dataset of any dimensions:
 *  a part of it, contiguous in C order. */
int pfft3d_dataset_read_block(pfft3d_dataset *dataset, pfft3d_precision precision,
                             pfft3d_numbers numbers, const pfft3d_block *block, void *array,
                             pfft3d_error *error);

/** Collective on the dataset's communicator.  Copies a text attribute of the dataset into
 *  text[size]: truncated if it is longer, "" if there is none.  Rank 0 reads it.  Errors: USAGE,
 *  NOINPUT, DATA, MEMORY, INTERNAL. */
int pfft3d_dataset_attribute(const pfft3d_dataset *dataset, const char *name, char *text,
                             size_t size, pfft3d_error *error);

/** Collective on the dataset's communicator.  Frees the dataset and sets *dataset to NULL.
 *  `dataset` may be NULL or point to NULL, on all ranks.  After MPI_Finalize it frees memory only.
 */
void pfft3d_dataset_free(pfft3d_dataset **dataset);

/* ---- Output ------------------------------------------------------------------------------- */

/** A file being written, under a temporary name until it is complete. */
typedef struct pfft3d_output pfft3d_output;

/** A text attribute. */
typedef struct pfft3d_attribute {
  const char *name, *value;
} pfft3d_attribute;

/** A dimension of an output: a dimension scale of HDF5, a coordinate variable of netCDF-4. */
typedef struct pfft3d_axis {
  const char *name;     /**< of the dimension; "": none; NULL: as the source's, with its coordinates,
                             where both have as many dimensions and this one is as long */
  const double *values; /**< coordinates, as many as the axis has elements; may be NULL */
  const char *units, *long_name; /**< attributes; may be NULL */
} pfft3d_axis;

/** What to write.  Set it to zero first: a zero member is the default, but for `name`, `dims` and
 *  `n`, which have none.  Later versions may add members at the end. */
typedef struct pfft3d_output_spec {
  const char *name;                   /**< "FILE" or "FILE:/path" */
  const char *path;                   /**< of the dataset if the name has none; NULL: the source's */
  pfft3d_precision precision;         /**< of the dataset and of the arrays; default: double */
  pfft3d_numbers numbers;             /**< in both; default: complex */
  int dims;                           /**< 1 to 8 */
  ptrdiff_t n[3];                     /**< the last `dims` count, those before are 1: {1, 1, N};
                                           not read if there are more than three */
  int overwrite;                      /**< 0: a file that exists is an error */
  const pfft3d_dataset *source;       /**< its attributes are copied, whatever their type, as far as
                                           they mean something in another file; may be NULL */
  const pfft3d_attribute *attributes; /**< to be added, ends with a NULL name; an attribute of the
                                           source with the same name is replaced; may be NULL */
  const pfft3d_axis *axes;            /**< three, the last `dims` count, or `dims` if these are more;
                                           NULL: no dimension has a name.  Written to the group of
                                           the dataset, unless there is something of this name */
  const char *store; /**< of HDF5: "contiguous"; "chunks" or "chunks=64x64x64", extents of the last `dims`
                          axes; "gzip" or "gzip:6", chunks that are compressed by this level, 1 to 9, also
                          "gzip:6=64x64x64"; NULL: contiguous */
  int into;          /**< nonzero: if the file exists, its other contents stay, and `overwrite` replaces
                          a dataset of this path only.  It is copied, so that nothing is lost if this
                          fails; HDF5 reads it in the caller's process */
  ptrdiff_t extent[8]; /**< lengths of the dimensions where `dims` is more than three */
} pfft3d_output_spec;

/** Collective on comm.  Creates a temporary file beside FILE with a dataset of complex128 ({r, i}
 *  of doubles), complex64 (of floats), float64 or float32, little-endian, and reserves all its
 *  space, so that a full disk is found before anything is computed.  A FILE that ends with ".npy" is
 *  one of numpy: its path is "/data", and it has no attributes.  `size` is
 *  sizeof(pfft3d_output_spec); the strings are not needed afterwards.  *output ends with
 *  pfft3d_output_commit() or pfft3d_output_discard(); NULL on error.  Errors: USAGE, OUTPUT (the
 *  file exists, cannot be created, or space is missing: bytes needed and free in the text), NOINPUT
 *  and DATA (of the source), UNAVAILABLE, MEMORY, INTERNAL. */
int pfft3d_output_create(MPI_Comm comm, const pfft3d_output_spec *spec, size_t size,
                         pfft3d_output **output, pfft3d_error *error);

/** Collective on the output's communicator.  Adds another dataset to the file, and reserves its
 *  space; pfft3d_output_write() writes to it from now on.  Elements of the dataset before must have
 *  been written.  spec->path begins with '/' and is new in the file; spec->name must be NULL,
 *  spec->overwrite has no meaning; the attributes are those of the dataset.  After an error the
 *  output is as before.  Errors: USAGE, OUTPUT, IO, NOINPUT and DATA (of the source), MEMORY,
 *  INTERNAL. */
int pfft3d_output_add(pfft3d_output *output, const pfft3d_output_spec *spec, size_t size,
                      pfft3d_error *error);

/** Local.  The temporary name, "" for NULL.  Valid until commit or discard. */
const char *pfft3d_output_temporary(const pfft3d_output *output);

/** Collective on the output's communicator.  Writes this rank's box of an array as
 *  pfft3d_dataset_read() fills it, of the output's precision and numbers; boxes must not overlap.
 *  May be called several times.  The array is not changed.  A USAGE error leaves the output as it
 *  was; after any other one it can only be discarded.  Errors: USAGE, IO, MEMORY, INTERNAL. */
int pfft3d_output_write(pfft3d_output *output, const pfft3d_box *box, const void *array,
                        pfft3d_error *error);

/** Collective on the output's communicator.  As pfft3d_output_write(), for an output of any
 *  dimensions: a part of it, contiguous in C order. */
int pfft3d_output_write_block(pfft3d_output *output, const pfft3d_block *block, const void *array,
                             pfft3d_error *error);

/** Collective on the output's communicator.  Completes the file: syncs it, renames it to its final
 *  name, frees *output and sets it to NULL.  After an error nothing stands under the final name
 *  that was not there before.  Errors: USAGE, IO (also: no element was written, or an earlier write
 * failed), OUTPUT, INTERNAL. */
int pfft3d_output_commit(pfft3d_output **output, pfft3d_error *error);

/** Collective on the output's communicator.  Removes the temporary file, frees *output and sets it
 *  to NULL.  `output` may be NULL or point to NULL, on all ranks. */
void pfft3d_output_discard(pfft3d_output **output);

#ifdef __cplusplus
}
#endif
#endif
