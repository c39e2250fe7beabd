/* SPDX-License-Identifier: BSD-3-Clause
 * Which MPI this process runs with, which need not be the one that the library was compiled for. */
#ifndef PF_BASE_MPI_H
#define PF_BASE_MPI_H

/* Families of MPI libraries: the handles of one are nothing to the others. */
typedef enum { PF_MPI_UNKNOWN, PF_MPI_OPEN, PF_MPI_MPICH, PF_MPI_ABI } pf_mpi_family;

/* The longest text of MPI_Get_library_version() of any MPI: twice that of MPICH. */
enum { PF_MPI_TEXT = 16384 };

typedef struct {
  const char *name;     /* "Open MPI", "MPICH", "Intel MPI", or "" */
  int major;            /* the first number of its version */
  pf_mpi_family family; /* PF_MPI_ABI: any MPI with the ABI of the standard */
  char text[80];        /* how it calls itself, in one line */
} pf_mpi_library;

/** Local. The MPI of this process.  May be called before MPI_Init() and by threads. */
pf_mpi_library pf_mpi_running(void);

/** Local. NULL if @p running may have the handles that the library was compiled for; else whose
 * these are, in words. */
const char *pf_mpi_stranger(const pf_mpi_library *running);

#endif
