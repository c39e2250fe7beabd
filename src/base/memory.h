/* SPDX-License-Identifier: BSD-3-Clause
 * Sizes that cannot overflow silently, and buffers that suit the machine. */
#ifndef PF_BASE_MEMORY_H
#define PF_BASE_MEMORY_H

#include <stddef.h>

#include "base/status.h"

enum { PF_ALIGN = 64 }; /* bytes: a cache line and the widest vector */

/** Local. a*b and a+b in *result; 0, or 1 when it does not fit. */
static inline int pf_mul(size_t a, size_t b, size_t *result) {
  return __builtin_mul_overflow(a, b, result);
}
static inline int pf_add(size_t a, size_t b, size_t *result) {
  return __builtin_add_overflow(a, b, result);
}

/** Local. At least @p bytes, aligned to PF_ALIGN, on huge pages where the buffer is large and the
 *  kernel grants them; first touched here, by the rank that will use it, so that no page fault is
 *  left for the transform.  0 bytes give a valid buffer too.  NULL when there is no memory. */
void *pf_alloc(size_t bytes);
void pf_free(void *buffer);

/** Collective on comm. Checks that @p bytes on every rank fit into the memory that is available
 *  on each node; MEMORY with both figures in *e otherwise, agreed. */
int pf_memory_agree(MPI_Comm comm, size_t bytes, pfft3d_error *e);

/** Local. Writes a size for people, "1.5 GiB"; returns out. */
char *pf_bytes(double bytes, char out[32]);

/** Local. Bytes of the second-level data cache of one core. */
size_t pf_cache_bytes(void);

/** Local. In how many places of that cache a line of memory can be kept. */
ptrdiff_t pf_cache_ways(void);

#endif
