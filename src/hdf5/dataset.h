/* SPDX-License-Identifier: BSD-3-Clause
 * The description of a dataset, the result of an inspection of its file. */
#ifndef PF_HDF5_DATASET_H
#define PF_HDF5_DATASET_H

#include <mpi.h>

#include "hdf5/number.h"
#include "hdf5/packing.h"
#include "hdf5/rounds.h"

enum { PF_IO_FILE = 1024, PF_IO_PATH = 512, PF_IO_SELECTION = 256 }; /* bytes of names */
enum { PF_IO_AXIS = 64 }; /* bytes of the name of a dimension */

/* Storage of a dataset. */
typedef struct pf_stored {
  int number;              /* index of the number format in pf_number_at(), if the data is
                              contiguous in that format; -1: HDF5 has to decode it */
  long long offset, bytes; /* of the contiguous data in the file */
  long long first; /* where the selected elements are, in elements of this data: the first one, */
  long long pitch[PF_IO_DIMS]; /* and the next one along each axis */
  long long fingerprint[5];    /* pf_io_fingerprint() of the file */
} pf_stored;

/* Without pointers: it is sent between processes and ranks. */
typedef struct pf_dataset {
  char file[PF_IO_FILE], path[PF_IO_PATH];
  char selection[PF_IO_SELECTION]; /* "[3,:,:,:]"; "": everything */
  int most;                        /* dimensions that the caller takes */
  int external;                    /* nonzero: data may be in other files */
  char filters[PF_IO_FILE];        /* folder of filter plugins; "": none */
  int dims;                        /* of the selection */
  ptrdiff_t n[PF_IO_DIMS];         /* of its axes, see pf_io_axes() */
  int is_complex;
  int plain;     /* nonzero: a file of numbers only, without attributes */
  int unwritten; /* nonzero: no element was ever written, all have the fill value */
  char type[PF_IO_TYPE];
  char units[PF_IO_DIMS][PF_IO_AXIS]; /* of their coordinates */
  char axis[PF_IO_DIMS][PF_IO_AXIS];  /* names of the dimensions; "": none */
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
