/* SPDX-License-Identifier: BSD-3-Clause
 * Settings for tests. */
#ifndef PF_HDF5_HOOKS_H
#define PF_HDF5_HOOKS_H

#include <stddef.h>

/** Local, the same on all ranks. Maximum bytes that a rank moves per round; 0 restores 1 GiB.
 *  Small files then take many rounds. */
void pf_io_set_round_bytes(size_t bytes);

/** Local, the same on all ranks. Not 0: contiguous data is read through MPI-IO on a single node,
 *  too. */
void pf_io_set_mpi_io(int always);

/** Local, on all ranks. The program that inspects files, a string that remains valid; NULL: none,
 *  files are inspected in this process.  If the program cannot be started, that is an error.  The
 *  default is the installed program pfft3d, or, if it is missing, this process. */
void pf_io_set_probe(const char *path);

/** Local. The launcher's name of the job, as for pfft3d_hdf5_start(). */
void pf_io_set_job(const char *name);

/** Local, on all ranks. Seconds to wait for a reply of the program; 0 restores 10, and 60 for
 *  data. */
void pf_io_set_patience(int seconds);

#endif
