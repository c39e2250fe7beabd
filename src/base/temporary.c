/* SPDX-License-Identifier: BSD-3-Clause
 * The list of temporary files.  A name is written before its slot is marked, and marks are atomic:
 * a signal handler that runs at any moment finds complete names only. */
#include "base/temporary.h"

#include <pfft3d.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 16, NAME = 8192 };
enum { FREE, FILLING, LISTED };

static struct {
  atomic_int state;
  char name[NAME];
} file[SLOTS];

int pfft3d_internal_temporary_add(const char *name) {
  size_t length = strlen(name);
  if (length >= NAME) return -1;
  for (int slot = 0; slot < SLOTS; slot++) {
    int expected = FREE;
    if (!atomic_compare_exchange_strong(&file[slot].state, &expected, FILLING)) continue;
    memcpy(file[slot].name, name, length + 1);
    atomic_store(&file[slot].state, LISTED);
    return slot;
  }
  return -1;
}

void pfft3d_internal_temporary_drop(int slot) {
  if (slot >= 0) atomic_store(&file[slot].state, FREE);
}

void pfft3d_remove_temporary(void) {
  for (int slot = 0; slot < SLOTS; slot++)
    if (atomic_load(&file[slot].state) == LISTED) unlink(file[slot].name);
}
