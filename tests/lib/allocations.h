/* SPDX-License-Identifier: BSD-3-Clause
 * Allocations of the library, counted, remembered until they are freed, and made to fail.  The
 * linker's --wrap leads every call of malloc and its relatives from a test program's own objects,
 * the library's among them, to the functions here; those of MPI, FFTW and HDF5 stay as they are. */
#ifndef PF_TESTS_ALLOCATIONS_H
#define PF_TESTS_ALLOCATIONS_H

#include <errno.h>

#include "support.h"

enum { SLOTS = 1 << 16 };

static struct {
  long count, fail; /* calls so far, and the one that fails; 0: none */
  long frees;       /* calls of free() */
  long live;        /* not freed */
  int hit;
  void *slot[SLOTS];
} memory;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
void *__real_aligned_alloc(size_t align, size_t bytes);
int __real_posix_memalign(void **p, size_t align, size_t bytes);
void __real_free(void *p);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
void *__wrap_aligned_alloc(size_t align, size_t bytes);
int __wrap_posix_memalign(void **p, size_t align, size_t bytes);
void __wrap_free(void *p);

/* The place of a pointer in the table, or the free one where it belongs. */
static void **slot_of(const void *p) {
  size_t i = (size_t)mix((uint64_t)(uintptr_t)p) % SLOTS;
  while (memory.slot[i] && memory.slot[i] != p) i = (i + 1) % SLOTS;
  return &memory.slot[i];
}

static void *keep(void *p) {
  if (!p) return p;
  *slot_of(p) = p;
  memory.live++;
  return p;
}

/* What other libraries have allocated is not in the table. */
static void drop(const void *p) {
  void **slot = p ? slot_of(p) : NULL;
  if (!slot || !*slot) return;
  memory.live--;
  *slot = NULL;
  size_t i = (size_t)(slot - memory.slot);
  for (i = (i + 1) % SLOTS; memory.slot[i]; i = (i + 1) % SLOTS) { /* close the gap */
    void *other = memory.slot[i];
    memory.slot[i] = NULL;
    *slot_of(other) = other;
  }
}

static int fails(void) {
  if (++memory.count != memory.fail) return 0;
  memory.hit = 1;
  errno = ENOMEM;
  return 1;
}

void *__wrap_malloc(size_t bytes) {
  return fails() ? NULL : keep(__real_malloc(bytes));
}
void *__wrap_calloc(size_t count, size_t bytes) {
  return fails() ? NULL : keep(__real_calloc(count, bytes));
}
void *__wrap_realloc(void *p, size_t bytes) {
  if (fails()) return NULL;
  void *q = __real_realloc(p, bytes);
  if (q) drop(p);
  return keep(q);
}
void *__wrap_aligned_alloc(size_t align, size_t bytes) {
  return fails() ? NULL : keep(__real_aligned_alloc(align, bytes));
}
int __wrap_posix_memalign(void **p, size_t align, size_t bytes) {
  if (fails()) return ENOMEM;
  int code = __real_posix_memalign(p, align, bytes);
  if (!code) keep(*p);
  return code;
}
void __wrap_free(void *p) {
  memory.frees++;
  drop(p);
  __real_free(p);
}

#endif
