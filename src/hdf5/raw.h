/* SPDX-License-Identifier: BSD-3-Clause
 * Reading numbers whose place in a file is known, without the library that wrote them. */
#ifndef PF_HDF5_RAW_H
#define PF_HDF5_RAW_H

#include "hdf5/common.h"

/* What a read is to do. */
typedef struct pf_raw_read {
  const pfft3d_dataset *d; /* of a known place: d->stored.number is not negative */
  const pf_h5_element *x;
  const pfft3d_box *box; /* this rank's, checked by pf_io_check_box() */
  char *array;
  /* After each round: count elements at piece are new: one number each, two for complex data, at
   * the beginning of their space. */
  void (*arrived)(void *context, void *piece, ptrdiff_t count);
  void *context;
} pf_raw_read;

/** Collective on comm. Reads every rank's box, in rounds, through MPI-IO where the ranks are on
 * several nodes, and converts the numbers. NOINPUT, IO, DATA, MEMORY; agreed. */
int pf_raw_read_all(MPI_Comm comm, const pf_raw_read *m, pfft3d_error *e);

#endif
