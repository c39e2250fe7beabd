/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks and OpenMP threads that share the cores of a node. */
#ifndef PF_APP_CLI_THREADS_H
#define PF_APP_CLI_THREADS_H

#include "app/common/app.h"

/** Local, before MPI_Init(). Threads of OpenMP spin while they wait, which takes the core away from
 *  those that work where a node has more of them than cores.  Then this starts the program anew,
 * once, with OMP_WAIT_POLICY=passive, unless the user has set how threads wait: the OpenMP runtime
 * reads it before main(). */
void threads_prepare(long long threads, char **argv);

/** Collective on a->comm. Warns where a rank, or all ranks of a node, have more threads than cores.
 */
void threads_warn(const app *a);

#endif
