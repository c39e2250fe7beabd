/* SPDX-License-Identifier: BSD-3-Clause
 * Makes the second-level caches of the ranks unlike, by LD_PRELOAD, as on a machine of different
 * processors; or, with PFFT3D_TEST_CACHE=BYTES, the second-level and last-level cache of every rank
 * as small as that, so that small fields are large ones to the library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int rank_of_launcher(void) {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!rank) rank = getenv("PMI_RANK");
  return rank ? atoi(rank) : 0;
}

long sysconf(int name) {
  static const long bytes[] = {1 << 14, 4 << 20, 1 << 18}, ways[] = {4, 16, 6};
  static long (*real)(int);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "sysconf");
  const char *small = getenv("PFFT3D_TEST_CACHE");
  if (small && (name == _SC_LEVEL2_CACHE_SIZE || name == _SC_LEVEL3_CACHE_SIZE)) return atol(small);
  if (name == _SC_LEVEL2_CACHE_SIZE) return bytes[rank_of_launcher() % 3];
  if (name == _SC_LEVEL2_CACHE_ASSOC) return ways[rank_of_launcher() % 3];
  return real(name);
}
