/* SPDX-License-Identifier: BSD-3-Clause
 * Flags in memory that processes share: numbers that only grow, each written by one rank and on a
 * cache line that no other rank writes. */
#ifndef PF_BASE_FLAGS_H
#define PF_BASE_FLAGS_H

#include <mpi.h>
#include <sched.h>
#include <stdint.h>

#include "base/memory.h"

/* Everything that was written before is visible to whom reads the flag. */
static inline void pf_flag_set(uint64_t *flag, uint64_t value) {
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

/* Numbers wrap around. */
static inline int pf_flag_reached(const uint64_t *flag, uint64_t value) {
  return (int64_t)(__atomic_load_n(flag, __ATOMIC_ACQUIRE) - value) >= 0;
}

/** Local. How many times to look at a flag before a core is given up, if so many ranks wait for
 * each other on a node: once where they share its cores. */
static inline unsigned pf_flag_looks(int ranks) {
  return ranks > pf_cores() ? 1 : 32;
}

/** Local. Waits until another rank has set a flag to @p value at least.  Other ranks may wait for
 * the core, which is given up after every @p looks looks, or for messages of this one, which leave
 * only if MPI is called: so @p progress, which returns an MPI error code, is called now and then.
 * Returns its error, or MPI_SUCCESS. */
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
