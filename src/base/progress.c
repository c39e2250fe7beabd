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

static _Atomic double known = -1; /* share of the call; < 0: unknown */

double pfft3d_progress(void) {
  return atomic_load(&known);
}

void pfft3d_internal_progress_at(double share) {
  atomic_store(&known, share);
  pfft3d_internal_progress();
  atomic_store(&known, -1);
}

void pfft3d_internal_progress(void) {
  void (*moved)(void) = atomic_load(&listener);
  if (moved) moved();
}
