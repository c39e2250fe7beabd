/* SPDX-License-Identifier: BSD-3-Clause
 * The names of snapshots. */
#include <stdio.h>
#include <string.h>

#include "app/turbulence/snapshot.h"

int snapshot_series(const snapshots *s) {
  return strchr(s->name, '#') != NULL;
}

char *snapshot_name(const snapshots *s, int number, char out[FILE_SIZE]) {
  const char *mark = strchr(s->name, '#');
  size_t width = mark ? strspn(mark, "#") : 0;
  if (mark)
    snprintf(out, FILE_SIZE, "%.*s%0*d%s", (int)(mark - s->name), s->name, (int)width, number,
             mark + width);
  else
    snprintf(out, FILE_SIZE, "%s", s->name);
  return out;
}
