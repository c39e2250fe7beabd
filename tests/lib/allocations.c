/* SPDX-License-Identifier: BSD-3-Clause
 * Allocations of the library; see allocations.h. */
#include "allocations.h"

#include <errno.h>

allocations memory;

/* What is not freed, as a hash table. */
enum { SLOTS = 1 << 16 };
static void *slots[SLOTS];

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
  while (slots[i] && slots[i] != p) i = (i + 1) % SLOTS;
  return &slots[i];
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
  size_t i = (size_t)(slot - slots);
  for (i = (i + 1) % SLOTS; slots[i]; i = (i + 1) % SLOTS) { /* close the gap */
    void *other = slots[i];
    slots[i] = NULL;
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
