/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks and OpenMP threads that share the cores of a node. */
#ifndef PF_APP_CLI_THREADS_H
#define PF_APP_CLI_THREADS_H

#include "app/common/app.h"

/** Local, before MPI_Init(). Idle OpenMP threads spin. If a node has more threads than cores, they
 *  take cores from working threads. In that case this restarts the program, once, with
 *  OMP_WAIT_POLICY=passive, unless the user has chosen how threads wait. A restart is necessary
 *  because the OpenMP runtime reads the variable before main(). */
void threads_prepare(long long threads, char **argv);

/** Collective on a->comm. Warns if a rank, or all ranks of a node together, have more threads
 *  than cores. */
void threads_warn(const app *a);

#endif
