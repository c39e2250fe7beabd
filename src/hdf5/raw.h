/* SPDX-License-Identifier: BSD-3-Clause
 * Reading contiguous data of a known offset and number format, without the HDF5 library. */
#ifndef PF_HDF5_RAW_H
#define PF_HDF5_RAW_H

#include "hdf5/common.h"

/* The data to read. */
typedef struct pf_raw_job {
  const pf_dataset *d; /* contiguous: d->stored.number is not negative */
  const pf_io_element *x;
  const pf_io_box *box; /* this rank's box, checked by pf_io_check_box() */
  char *array;
  /* Called after each round: `count` elements were read, of one number each, or two for complex
   * data, packed at the start of their memory. */
  void (*unpack)(void *context, void *elements, ptrdiff_t count);
  void *context;
} pf_raw_job;

/** Local. Fails with @p status and MPI's reason unless @p code is success: "cannot WHAT 'FILE'". */
int pf_raw_fail(int code, const char *file, int status, const char *what, pfft3d_error *e);

/** Local. The bytes of a round of so many axes as an MPI datatype, which the caller frees: @p
 * pitch, in elements of @p element bytes, is from one index of an axis to the next.  Returns MPI's
 * code. */
int pf_raw_type(int axes, const ptrdiff_t *pitch, size_t element, const pf_io_round *p,
                MPI_Datatype *type);

/** Collective on comm, a result of pf_io_comm(). Reads every rank's box, in rounds, through MPI-IO
 *  if the ranks are on several nodes, and converts the numbers.  NOINPUT, IO, DATA, MEMORY;
 *  agreed. */
int pf_raw_read(MPI_Comm comm, const pf_raw_job *m, pfft3d_error *e);

#endif
