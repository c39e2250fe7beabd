/* SPDX-License-Identifier: BSD-3-Clause
 * Loses what the last rank writes, by LD_PRELOAD, and reports success, as parallel file systems and
 * the layers above them have been seen to do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <hdf5.h>
#include <mpi.h>

herr_t H5Dwrite(hid_t dataset, hid_t memory_type, hid_t memory, hid_t file, hid_t list,
                const void *data) {
  static herr_t (*real)(hid_t, hid_t, hid_t, hid_t, hid_t, const void *);
  int rank, ranks;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "H5Dwrite");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == ranks - 1) { /* it takes part, with nothing */
    H5Sselect_none(memory);
    H5Sselect_none(file);
  }
  return real(dataset, memory_type, memory, file, list, data);
}
