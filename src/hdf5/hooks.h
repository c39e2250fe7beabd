/* SPDX-License-Identifier: BSD-3-Clause
 * Which program inspects files. */
#ifndef PF_HDF5_HOOKS_H
#define PF_HDF5_HOOKS_H

/** Local, on all ranks. The program that inspects files, a string that remains valid; NULL: none,
 *  files are inspected in this process.  If the program cannot be started, that is an error.  The
 *  default is the installed program pfft3d, or, if it is missing, this process. */
void pf_io_set_probe(const char *path);

/** Local. The launcher's name of the job, as for pfft3d_hdf5_start(). */
void pf_io_set_job(const char *name);
#endif
