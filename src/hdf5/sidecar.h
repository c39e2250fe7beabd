/* SPDX-License-Identifier: BSD-3-Clause
 * The files that Open MPI's MPI-IO makes for one that ranks open together: it removes them when
 * they close it, and nobody does when the run is stopped before. */
#ifndef PF_HDF5_SIDECAR_H
#define PF_HDF5_SIDECAR_H

#include "base/status.h"

enum { PF_BESIDE = 3 };
typedef struct pf_sidecar {
  int slot[PF_BESIDE]; /* among what is under way */
} pf_sidecar;

extern const pf_sidecar pf_sidecar_none;

/** Collective on comm, by the ranks that are about to open a file through MPI-IO, or some of them
 *  with rank 0 the same. Notes what is to go when the program is stopped until pf_sidecar_drop().
 *  @p alone: nobody else can have a file of this name in any directory.  Nothing is noted with
 *  another MPI.  Errors: INTERNAL. */
int pf_sidecar_note(MPI_Comm comm, const char *file, int alone, pf_sidecar *b, pfft3d_error *e);

/** Local. The file is closed, or gone; twice is once. */
void pf_sidecar_drop(pf_sidecar *b);

#endif
