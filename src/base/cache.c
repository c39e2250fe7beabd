/* SPDX-License-Identifier: BSD-3-Clause
 * The second-level data cache, the last one, and the number of cores.  The system is asked once:
 * the call costs more than a short line of a transform. */
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "base/memory.h"

/* A value of sysconf(), or @p otherwise, remembered in *known, which is 0 at first. */
static long known_or_asked(atomic_long *known, int name, long otherwise) {
  long value = atomic_load_explicit(known, memory_order_relaxed);
  if (value > 0) return value;
  value = name >= 0 ? sysconf(name) : 0;
  if (value <= 0) value = otherwise;
  atomic_store_explicit(known, value, memory_order_relaxed);
  return value;
}

#ifndef _SC_LEVEL2_CACHE_SIZE
enum { _SC_LEVEL2_CACHE_SIZE = -1, _SC_LEVEL2_CACHE_ASSOC = -1, _SC_LEVEL3_CACHE_SIZE = -1 };
#endif

size_t pf_cache_bytes(void) {
  static atomic_long known;
  return (size_t)known_or_asked(&known, _SC_LEVEL2_CACHE_SIZE, 1 << 20);
}

ptrdiff_t pf_cache_ways(void) {
  static atomic_long known;
  return known_or_asked(&known, _SC_LEVEL2_CACHE_ASSOC, 8);
}

size_t pf_cache_last(void) {
  static atomic_long known;
  return (size_t)known_or_asked(&known, _SC_LEVEL3_CACHE_SIZE, (long)pf_cache_bytes());
}

int pf_cores(void) {
  static atomic_long known;
  return (int)known_or_asked(&known, _SC_NPROCESSORS_ONLN, 1);
}
