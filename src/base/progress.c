/* SPDX-License-Identifier: BSD-3-Clause
 * The progress listener: one for the whole process, as there is one watchdog. */
#include "base/progress.h"

#include <pfft3d.h>
#include <stddef.h>

static void (*listener)(void);

void pfft3d_on_progress(void (*moved)(void)) {
  listener = moved;
}

void pfft3d_internal_progress(void) {
  if (listener) listener();
}
