/* SPDX-License-Identifier: BSD-3-Clause
 * Counts of MPI calls: of 64 bits where MPI has calls with them (MPI 4), whose names end in _c;
 * else ints, and what has more units is split into several calls. */
#ifndef PF_EXCHANGE_LARGE_H
#define PF_EXCHANGE_LARGE_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <limits.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef HAVE_MPI_ALLTOALLV_C
typedef MPI_Count pf_count;
typedef MPI_Aint pf_displacement;
#define PF_COUNT_MAX   PTRDIFF_MAX
#define PF_LARGE(call) call##_c
#else
typedef int pf_count;
typedef int pf_displacement;
#define PF_COUNT_MAX   INT_MAX
#define PF_LARGE(call) call
#endif

#endif
