/* SPDX-License-Identifier: BSD-3-Clause
 * A stack trace that never ends, by LD_PRELOAD: as one that needs a lock that is held. */
#include <unistd.h>

int backtrace(void **buffer, int size);

int backtrace(void **buffer, int size) {
  (void)buffer;
  (void)size;
  for (;;) pause();
}
