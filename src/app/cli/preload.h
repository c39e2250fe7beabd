/* SPDX-License-Identifier: BSD-3-Clause
 * Running other programs with the drop-in for FFTW-MPI. */
#ifndef PF_APP_CLI_PRELOAD_H
#define PF_APP_CLI_PRELOAD_H

/** Local, before MPI starts. Replaces this process by the program argv[0] with its arguments; on an
 *  error it prints one line and returns the exit code. */
int preload_run(char **argv);

#endif
