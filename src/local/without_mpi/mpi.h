/* SPDX-License-Identifier: BSD-3-Clause
 * In place of MPI's header for the kernels, which call nothing of MPI: names for what our headers declare.
 * What takes most of the time of a build does not depend on the MPI then, and a compiler cache, or a
 * build for several MPIs, compiles it once. */
#ifndef PF_LOCAL_WITHOUT_MPI_H
#define PF_LOCAL_WITHOUT_MPI_H

typedef struct pf_no_comm *MPI_Comm;
typedef struct pf_no_datatype *MPI_Datatype;
typedef struct pf_no_request *MPI_Request;
typedef int MPI_Fint;
#define MPI_MAX_ERROR_STRING 256

#endif
