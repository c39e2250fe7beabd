/* SPDX-License-Identifier: BSD-3-Clause
 * Checks of what a caller passes to functions that communicate. */
#ifndef PF_BASE_COMM_H
#define PF_BASE_COMM_H

#include "base/status.h"

/** Local. USAGE unless MPI is initialised and not yet finalised. */
int pf_check_mpi(pfft3d_error *e);

/** Local. USAGE unless MPI can be called and @p comm is an intra-communicator.  The result is the
 *  same on all ranks that pass the same communicator. */
int pf_check_comm(MPI_Comm comm, pfft3d_error *e);

/** Local. 1 while MPI functions may be called. */
int pf_mpi_is_active(void);

/** Local. The communicator of a Fortran handle, MPI_COMM_NULL for NULL and while MPI cannot be
 *  called: pf_check_comm() refuses it. */
MPI_Comm pf_comm_of_fortran(const MPI_Fint *handle);

/** Collective on *comm. Frees it unless it is MPI_COMM_NULL; after MPI_Finalize only forgets it. */
void pf_comm_free(MPI_Comm *comm);

#endif
