/* SPDX-License-Identifier: BSD-3-Clause
 * Arithmetic of sizes that detects overflow, and buffers that suit the machine. */
#ifndef PF_BASE_MEMORY_H
#define PF_BASE_MEMORY_H

#include <stddef.h>

#include "base/status.h"

enum { PF_ALIGN = 64 }; /* bytes: a cache line and the widest vector */

/** Local. a*b and a+b in *result; returns 0, or 1 on overflow. */
static inline int pf_mul(size_t a, size_t b, size_t *result) {
  return __builtin_mul_overflow(a, b, result);
}
static inline int pf_add(size_t a, size_t b, size_t *result) {
  return __builtin_add_overflow(a, b, result);
}

/** Local. At least @p bytes, zeroed, aligned to PF_ALIGN, on huge pages if the buffer is large and
 *  the kernel grants them.  First touched here, by the rank that will use it: transforms meet no
 *  page faults.  0 bytes give a valid buffer, too.  NULL if there is no memory. */
void *pf_alloc(size_t bytes);
void pf_free(void *buffer);

/** Collective on comm. Checks that @p bytes of every rank fit into the available memory of its
 * node; MEMORY, with both figures in the text, otherwise; agreed. */
int pf_memory_agree(MPI_Comm comm, size_t bytes, pfft3d_error *e);

/** Local. Formats a size, "1.5 GiB"; returns out. */
char *pf_bytes(double bytes, char out[32]);

/** Local. L2 cache of one core, bytes. */
size_t pf_cache_bytes(void);

/** Local. L2 associativity. */
ptrdiff_t pf_cache_ways(void);

/** Local. How many cache lines, so many bytes apart, a cache of `ways` ways of `way` bytes holds:
 * few at multiples of large powers of two, which map to few sets. */
ptrdiff_t pf_cache_lines(ptrdiff_t distance, ptrdiff_t way, ptrdiff_t ways);

/** Local. Last-level cache of a core, in bytes: L3, which cores share, or L2 if there is no L3. */
size_t pf_cache_last(void);

/** Local. Number of ranks of a node that share a last-level cache, if they are spread evenly over
 * its cores; all of them if the system does not tell. */
int pf_cache_ranks(int node_ranks);

/** Local. Nonzero if the processor is AMD's: some variants are faster there, and only there. */
int pf_amd(void);

/** Local. Nonzero if prefetching lines for writing, before they are stored, saves time for lines in
 *  the last-level cache. */
int pf_cache_claims(void);

/** Local. Cores of this node that are online. */
int pf_cores(void);

#endif
