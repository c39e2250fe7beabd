/* SPDX-License-Identifier: BSD-3-Clause
 * The progress listener: one for the whole process, as there is one watchdog. */
#include "base/progress.h"

#include <pfft3d_tune.h>
#include <stdatomic.h>
#include <stddef.h>

static void (*_Atomic listener)(void);

void pfft3d_on_progress(void (*moved)(void)) {
  atomic_store(&listener, moved);
}

void pfft3d_internal_progress(void) {
  void (*moved)(void) = atomic_load(&listener);
  if (moved) moved();
}
