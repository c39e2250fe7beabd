/* SPDX-License-Identifier: BSD-3-Clause
 * The description of a dataset, the result of an inspection of its file. */
#ifndef PF_HDF5_DATASET_H
#define PF_HDF5_DATASET_H

#include <mpi.h>

#include "hdf5/packing.h"
#include "pfft3d_hdf5.h"

enum { PF_IO_FILE = 1024, PF_IO_PATH = 512, PF_IO_SELECTION = 256 }; /* bytes of names */
enum { PF_H5_TYPE = 64 }; /* bytes of the name of a type */
enum { PF_IO_AXIS = 64 }; /* bytes of the name of a dimension */
enum { PF_IO_DIMS = 8 };  /* most dimensions of a stored array */

/* Storage of a dataset. */
typedef struct pf_stored {
  int number;                /* index of the number format in pf_h5_number_type(), if the data is
                                contiguous in that format; -1: HDF5 has to decode it */
  long long offset, bytes;   /* of the contiguous data in the file */
  long long first, pitch[3]; /* where the selected elements are, in elements of this data: the first
                                one, and the next one along each axis */
  long long fingerprint[5];  /* pf_io_fingerprint() of the file */
} pf_stored;

/* Without pointers: it is sent between processes and ranks. */
typedef struct pf_dataset {
  char file[PF_IO_FILE], path[PF_IO_PATH];
  char selection[PF_IO_SELECTION]; /* "[3,:,:,:]"; "": everything */
  int dims;                        /* of the selection, as n */
  ptrdiff_t n[3];
  int is_complex;
  int plain;     /* nonzero: a file of numbers only, without attributes */
  int unwritten; /* nonzero: no element was ever written, all have the fill value */
  char type[PF_H5_TYPE];
  char axis[3][PF_IO_AXIS]; /* names of the dimensions; "": none */
  pf_packing packing;
  pf_stored stored;
} pf_dataset;

struct pfft3d_dataset {
  MPI_Comm comm; /* the library's own, see pf_io_comm() */
  pf_dataset found;
  char path[PF_IO_PATH + PF_IO_SELECTION]; /* with the selection */
  double nonfinite, missing;
};

#endif
