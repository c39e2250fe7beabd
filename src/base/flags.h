/* SPDX-License-Identifier: BSD-3-Clause
 * Flags in memory that processes share: numbers that only grow, each written by one rank and on a
 * cache line that no other rank writes. */
#ifndef PF_BASE_FLAGS_H
#define PF_BASE_FLAGS_H

#include <mpi.h>
#include <sched.h>
#include <stdint.h>

#include "base/memory.h"

/* All earlier writes are visible to a process that has read this value. */
static inline void pf_flag_set(uint64_t *flag, uint64_t value) {
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

/* Numbers wrap around. */
static inline int pf_flag_reached(const uint64_t *flag, uint64_t value) {
  return (int64_t)(__atomic_load_n(flag, __ATOMIC_ACQUIRE) - value) >= 0;
}

/** Local. Spin iterations before sched_yield(), if so many ranks wait on a node; 1 if they share
 * cores. */
static inline unsigned pf_flag_looks(int ranks) {
  return ranks > pf_cores() ? 1 : 32;
}

/** Local. Waits until another rank has set a flag to @p value at least.  Calls sched_yield() after
 * every @p looks iterations, as other ranks may need the core, and @p progress, which returns an
 * MPI error code, now and then: messages of this rank that others wait for leave only if MPI is
 * called.  Returns its error, or MPI_SUCCESS. */
static inline int pf_flag_wait(const uint64_t *flag, uint64_t value, unsigned looks,
                               int (*progress)(void *), void *data) {
  enum { rarely = 32 };
  int code = MPI_SUCCESS;
  for (unsigned n = 1; code == MPI_SUCCESS && !pf_flag_reached(flag, value); n++) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    if (n % looks) continue;
    if (n % rarely == 0) code = progress(data);
    sched_yield();
  }
  return code;
}

#endif
