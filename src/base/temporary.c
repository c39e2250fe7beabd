/* SPDX-License-Identifier: BSD-3-Clause
 * Names are written before their slot is, and slots are atomic: a handler that comes at any moment
 * finds whole names only. */
#include "base/temporary.h"

#include <pfft3d.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 16, NAME = 8192 };
enum { FREE, TAKEN, UNDER_WAY };

static struct {
  atomic_int state;
  char name[NAME];
} file[SLOTS];

int pf_temporary_add(const char *name) {
  size_t length = strlen(name);
  if (length >= NAME) return -1;
  for (int slot = 0; slot < SLOTS; slot++) {
    int expected = FREE;
    if (!atomic_compare_exchange_strong(&file[slot].state, &expected, TAKEN)) continue;
    memcpy(file[slot].name, name, length + 1);
    atomic_store(&file[slot].state, UNDER_WAY);
    return slot;
  }
  return -1;
}

void pf_temporary_drop(int slot) {
  if (slot >= 0) atomic_store(&file[slot].state, FREE);
}

void pfft3d_remove_temporary(void) {
  for (int slot = 0; slot < SLOTS; slot++)
    if (atomic_load(&file[slot].state) == UNDER_WAY) unlink(file[slot].name);
}
