/* SPDX-License-Identifier: BSD-3-Clause
 * Sizes of the L2 and the last-level cache, and the number of cores.  The system is asked once: the
 * call costs more than a short line of a transform. */
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/hooks.h"

/* A value of sysconf(), or @p otherwise. */
static long asked(int name, long otherwise) {
  long value = name >= 0 ? sysconf(name) : 0;
  return value > 0 ? value : otherwise;
}

/* As asked(), cached in *known, which is 0 at first. */
static long known_or_asked(atomic_long *known, int name, long otherwise) {
  long value = atomic_load_explicit(known, memory_order_relaxed);
  if (value > 0) return value;
  value = asked(name, otherwise);
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

static ptrdiff_t common_divisor(ptrdiff_t a, ptrdiff_t b) {
  return b ? common_divisor(b, a % b) : a;
}

ptrdiff_t pf_cache_lines(ptrdiff_t distance, ptrdiff_t way, ptrdiff_t ways) {
  return way / common_divisor(distance, way) * ways;
}

/* Opens a file of Linux on the last-level cache of the first core; NULL if there is none. */
static FILE *open_last(const char *what) {
  char path[80];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index3/%s", what);
  return fopen(path, "r");
}

/* Bytes of this cache; LONG_MAX if unknown. */
static long one_last_cache(void) {
  FILE *file = open_last("size");
  long kib = 0;
  if (file && fscanf(file, "%ldK", &kib) != 1) kib = 0;
  if (file) fclose(file);
  return kib > 0 && kib <= LONG_MAX >> 10 ? kib << 10 : LONG_MAX;
}

/* Number of entries in a list like 0-7,64-71; 0 if it is no list. */
static long count_list(FILE *file) {
  long count = 0, first, last;
  while (fscanf(file, "%ld", &first) == 1) {
    int next = getc(file);
    last = first;
    if (next == '-') {
      if (fscanf(file, "%ld", &last) != 1) return 0;
      next = getc(file);
    }
    if (last >= first) count += last - first + 1;
    if (next != ',') break;
  }
  return count;
}

/* Number of processors that share this cache. */
static long sharing_last_cache(void) {
  FILE *file = open_last("shared_cpu_list");
  long count = file ? count_list(file) : 0;
  if (file) fclose(file);
  return count > 0 ? count : LONG_MAX;
}

/* On AMD processors sysconf() of glibc adds up the last-level caches of a socket; a core uses only
 * one. */
static long last_cache(void) {
  long all = asked(_SC_LEVEL3_CACHE_SIZE, (long)pf_cache_bytes()), one = one_last_cache();
  return one < all ? one : all;
}

/* The result of a function, cached in *known, which is 0 at first. */
static long remembered(atomic_long *known, long (*find)(void)) {
  long value = atomic_load_explicit(known, memory_order_relaxed);
  if (value > 0) return value;
  value = find();
  atomic_store_explicit(known, value, memory_order_relaxed);
  return value;
}

size_t pf_cache_last(void) {
  static atomic_long known;
  return (size_t)remembered(&known, last_cache);
}

int pf_cache_ranks(int node_ranks) {
  static atomic_long known;
  long sharing = remembered(&known, sharing_last_cache), all = pf_cores();
  if (sharing >= all) return node_ranks;
  return (int)(((long)node_ranks * sharing + all - 1) / all);
}

int pf_amd(void) {
  if (pf_hooks.amd) return pf_hooks.amd - 1;
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_is("amd") != 0;
#else
  return 0;
#endif
}

/* AMD's Zen 5 prefetches the lines of waiting stores itself.  With prefetches of ours, 40^3 and
 * 56^3 points take 1.12 and 1.25 of the time on one rank, 1.05 and 1.1 on two; 80^3 on two, whose
 * lines come from memory, takes 0.93.  Zen 4: 32^3 1.16, 64^3 1.04, r2c 1.1 on one rank; 1.01, 1.05
 * and 1.09 on two. */
int pf_cache_claims(void) {
  return !pf_amd();
}

int pf_cores(void) {
  static atomic_long known;
  return (int)known_or_asked(&known, _SC_NPROCESSORS_ONLN, 1);
}
