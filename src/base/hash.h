/* SPDX-License-Identifier: BSD-3-Clause
 * FNV-1a of 64 bits (Fowler, Noll, Vo).  Each step is a bijection: the change of a single byte
 * always changes the hash. */
#ifndef PF_BASE_HASH_H
#define PF_BASE_HASH_H

#include <stddef.h>

#define PF_HASH_START 0xcbf29ce484222325ull

/** Local. Extends a hash, PF_HASH_START at first, by these bytes. */
static inline unsigned long long pf_hash(unsigned long long before, const void *data,
                                         size_t bytes) {
  const unsigned char *byte = data;
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): callers have set them all */
  for (size_t i = 0; i < bytes; i++) before = (before ^ byte[i]) * 0x100000001b3ull;
  return before;
}

#endif
