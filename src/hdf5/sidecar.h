/* SPDX-License-Identifier: BSD-3-Clause
 * The auxiliary files that Open MPI's MPI-IO creates for a file that ranks open together.  It
 * removes them when the file is closed, but they remain if a signal ends the program before. */
#ifndef PF_HDF5_SIDECAR_H
#define PF_HDF5_SIDECAR_H

#include "base/status.h"

enum { PF_SIDECARS = 5 };
typedef struct pf_sidecar {
  int slot[PF_SIDECARS]; /* slots in the list of temporary files */
} pf_sidecar;

extern const pf_sidecar pf_sidecar_none;

/** Collective on comm, before its ranks open @p file through MPI-IO. Lists the auxiliary files as
 *  temporary until pf_sidecar_release().  @p unique: no other file has this name, whatever its
 *  directory.  Nothing is listed with other MPI libraries.  INTERNAL, not agreed. */
int pf_sidecar_register(MPI_Comm comm, const char *file, int unique, pf_sidecar *b,
                        pfft3d_error *e);

/** Local. To be called when the file is closed, or removed; may be called twice. */
void pf_sidecar_release(pf_sidecar *b);

#endif
