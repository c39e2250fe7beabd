/* SPDX-License-Identifier: BSD-3-Clause
 * Checks of what a caller passes to functions that communicate. */
#include "base/comm.h"

int pf_mpi_is_active(void) {
  int initialised = 0, finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised && !finalised;
}

int pf_check_mpi(pfft3d_error *e) {
  int finalised = 0;
  if (pf_mpi_is_active()) return PFFT3D_OK;
  MPI_Finalized(&finalised);
  if (!finalised) pf_hint(e, "call MPI_Init or MPI_Init_thread first");
  return pf_fail(e, PFFT3D_ERR_USAGE, "cannot communicate: MPI is %s",
                 finalised ? "already finalised" : "not initialised");
}

int pf_check_comm(MPI_Comm comm, pfft3d_error *e) {
  int inter = 0;
  PF_TRY(pf_check_mpi(e));
  PF_CHECK(comm != MPI_COMM_NULL, e, PFFT3D_ERR_USAGE,
           "cannot communicate: the communicator is MPI_COMM_NULL");
  /* if it fails on this rank alone, a later call has to say so on all of them */
  if (MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS) inter = 0;
  PF_CHECK(!inter, e, PFFT3D_ERR_USAGE,
           "cannot communicate: this is an inter-communicator, an intra-communicator is needed");
  return PFFT3D_OK;
}

MPI_Comm pf_comm_of_fortran(const MPI_Fint *handle) {
  return handle && pf_mpi_is_active() ? MPI_Comm_f2c(*handle) : MPI_COMM_NULL;
}

void pf_comm_free(MPI_Comm *comm) {
  if (*comm != MPI_COMM_NULL && pf_mpi_is_active()) MPI_Comm_free(comm);
  *comm = MPI_COMM_NULL;
}
