/* SPDX-License-Identifier: BSD-3-Clause
 * What reading and writing HDF5 files have in common: names, silence, reasons, and the one way in
 * which all ranks open a dataset and move their boxes.  Only files of this folder include it. */
#ifndef PF_HDF5_COMMON_H
#define PF_HDF5_COMMON_H

#include <hdf5.h>

#include "base/status.h"
#include "hdf5/files.h"
#include "hdf5/rounds.h"

enum { PF_IO_FILE = 1024, PF_IO_PATH = 512, PF_IO_WHY = 160 }; /* bytes, as in pfft3d_dataset */

/* What pf_h5_begin() found and pf_h5_end() restores: both are settings of the whole process. */
typedef struct pf_h5_guard {
  H5E_auto2_t print;
  void *print_data;
  unsigned plugins;
  int saved;
} pf_h5_guard;

/** Collective on comm. From here to pf_h5_end() HDF5 prints nothing and loads no filter plugins,
 *  which are code that a file could ask for. Every public function works between the two.
 *  UNAVAILABLE, agreed, when the library that was loaded is not the one this build was compiled
 *  for; HDF5's own check of that would abort. After a failure pf_h5_end() must not be called. */
int pf_h5_begin(MPI_Comm comm, pf_h5_guard *guard, pfft3d_error *e);
/** Local. The same for one process. */
int pf_h5_begin_here(pf_h5_guard *guard, pfft3d_error *e);
/** Local. Puts the settings back. */
void pf_h5_end(const pf_h5_guard *guard);

/** Local. HDF5's innermost reason for the failure that just happened; returns out, never empty. */
const char *pf_h5_why(char out[PF_IO_WHY]);

/** Local. Gives advice when the reason is a file lock; whether it is. */
int pf_h5_hint_locks(const char *why, pfft3d_error *e);

/** Local. Takes "FILE" or "FILE:/path" apart at the last ":/"; path becomes "" where there is none.
 *  Fails with @p status when a part is empty or too long. */
int pf_io_split(const char *name, char file[PF_IO_FILE], char path[PF_IO_PATH], int status,
                pfft3d_error *e);

/** Local. A new type: @p part where names is NULL, else a compound of two of it with these names.
 * To be closed. */
hid_t pf_h5_type(const char *const *names, hid_t part);

/* The elements of an array: each is one real number, or two that make a complex one. */
typedef struct pf_h5_element {
  int parts;          /* 1 or 2 */
  size_t part_bytes;  /* of one of them */
  size_t bytes;       /* of all */
  hid_t memory, file; /* types of one part: HDF5's own, not to be closed */
} pf_h5_element;

/** Local. Fails with USAGE for what is no precision, or no kind of numbers. */
int pf_h5_element_of(pfft3d_precision precision, pfft3d_numbers numbers, pf_h5_element *element,
                     pfft3d_error *e);

/** Local. The number formats that files of today have: integers of 1 to 8 bytes with and without
 *  sign, floats of 4 and 8, in both byte orders.  HDF5's own types, not to be closed; negative for
 *  an @p index behind the last one. */
hid_t pf_h5_number(int index);

/** Local. The names of the two members if @p type is a compound that is a complex number: two equal
 *  floats called r i, re im or real imag, else NULL. */
const char *const *pf_h5_complex_names(hid_t type);

/** Local. A new dataset access list under which no external link is followed; *refused (may be
 *  NULL) becomes 1 when one was met. The flag must live as long as the list. */
hid_t pf_h5_no_external_links(int *refused);

/* A dataset opened by all ranks, to be written. */
typedef struct pf_h5_open {
  MPI_Comm comm; /* own: without topology, errors return */
  hid_t file, dataset, space;
  hid_t list; /* collective transfers */
} pf_h5_open;

/** Collective on comm. A communicator of the same ranks with no topology and with errors that
 *  return: Open MPI's file layer was seen to fail on Cartesian ones (open-mpi/ompi#12718).
 *  INTERNAL, agreed. To be freed. */
int pf_io_comm(MPI_Comm comm, MPI_Comm *plain, pfft3d_error *e);

/** Local. Fails with @p status unless this rank sees the file and may read it, or write it.  Every
 *  rank looks before a collective open, so that none is alone in it. */
int pf_io_see(const char *file, int writing, int status, pfft3d_error *e);

/** Collective on comm. Opens the dataset for writing; agreed.  IO, INTERNAL. */
int pf_h5_open_all(MPI_Comm comm, const char *file, const char *path, pf_h5_open *o,
                   pfft3d_error *e);

/** Collective. Flushes and closes everything, on failure too; not agreed. */
int pf_h5_close_all(pf_h5_open *o, pfft3d_error *e);

/* What pf_h5_write() is to move. */
typedef struct pf_h5_move {
  const ptrdiff_t *n;    /* global size, leading ones included */
  int dims;              /* of the dataset: the last ones of n */
  const pfft3d_box *box; /* this rank's, checked by pf_io_check_box() */
  hid_t type;            /* of one element in memory, as HDF5 is to see it */
  size_t bytes;          /* from one element in memory to the next, and in the file */
  const void *array;
} pf_h5_move;

/** Collective. Writes every rank's box in rounds of at most 1 GiB per rank; all ranks make the same
 *  number of rounds. IO in *e, not agreed: more may have to be done first. A rank whose box is
 *  empty, done or failed takes part with nothing. */
int pf_h5_write(const pf_h5_open *o, const pf_h5_move *m, pfft3d_error *e);

/* The group of an image that has the attributes of the dataset, and how large an image can be. */
#define PF_H5_IMAGED "dataset"
enum { PF_H5_IMAGE_BYTES = 1 << 23 };

/** Local. Copies the attributes of @p from to @p to, whatever their type, but those of the names in
 *  @p given ("axes" excepted), those that refer to other objects of the file, those too large for
 *  the target, and those behind which *room, in bytes, is used up.  Fails with MEMORY only. */
int pf_h5_copy_attributes(hid_t from, hid_t to, const pfft3d_attribute *given, size_t *room,
                          pfft3d_error *e);

/** Local. Opens an image that pf_h5_image() made: *group and its file.  To be closed. */
int pf_h5_open_image(const void *image, size_t bytes, hid_t *file, hid_t *group, pfft3d_error *e);

/** Local. The attribute of that name of an object if it is one string, of fixed or variable length,
 *  cut to @p size bytes with the final 0; else "".  Fails with MEMORY
 *  only: that there is none must not be taken from a lack of memory. */
int pf_h5_read_text(hid_t object, const char *name, char *text, size_t size, pfft3d_error *e);

/** Local. Writes the given attributes as UTF-8 strings; an "axes" that is there already stays. */
int pf_h5_give_attributes(hid_t to, const pfft3d_attribute *given, pfft3d_error *e);

#endif
