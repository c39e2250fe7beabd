/* SPDX-License-Identifier: BSD-3-Clause
 * What this folder offers beyond pfft3d.h, for tests and for the program. */
#ifndef PF_HDF5_FILES_H
#define PF_HDF5_FILES_H

#include <stddef.h>

/** Local, but the same on all ranks. How many bytes a rank moves per round at most; 0 restores 1
 *  GiB. So that small files can make many rounds. */
void pf_io_set_round_bytes(size_t bytes);

/** Local, but the same on all ranks. Not 0: numbers are read through MPI-IO on one node, too. For
 *  tests. */
void pf_io_set_together(int always);

/* The first word of the command line of a process that looks at a file, which a rank starts. */
#define PF_IO_PROBE_WORD "probe-input"

/** Local. What that process says and does; does not return. */
int pf_io_child(void) __attribute__((noreturn));

/** Local, but on all ranks. The program to be started for it, which must live on; NULL: none, files
 *  are looked at in this process.  One that is gone when it is needed is an error.  If this is
 * never called, it is the program that is installed with the library, and where that is not, this
 * process. */
void pf_io_set_probe(const char *path);

/** Local. What the launcher calls the job: a number, that of $PMIX_NAMESPACE, or anything else,
 * which is not used.  It must live on.  Open MPI has it in names of files: hdf5/sidecar.c. */
void pf_io_set_job(const char *name);

/** Local, but on all ranks. How many seconds it may take for an answer; 0 restores 10, and 60 for a
 *  piece of data. For tests. */
void pf_io_set_patience(int seconds);

#endif
