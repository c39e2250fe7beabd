/* SPDX-License-Identifier: BSD-3-Clause
 * The names of snapshots. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/report/report.h"
#include "apps/turbulence/snapshot.h"

/* The first # of the name, not of folders before it. */
static const char *mark_of(const snapshots *s) {
  const char *slash = strrchr(s->name, '/');
  return strchr(slash ? slash : s->name, '#');
}

int snapshot_series(const snapshots *s) {
  return mark_of(s) != NULL;
}

char *snapshot_name(const snapshots *s, int number, char out[FILE_SIZE]) {
  const char *mark = mark_of(s);
  size_t width = mark ? strspn(mark, "#") : 0;
  if (mark)
    snprintf(out, FILE_SIZE, "%.*s%0*d%s", (int)(mark - s->name), s->name, (int)width, number,
             mark + width);
  else
    snprintf(out, FILE_SIZE, "%s", s->name);
  return out;
}

int snapshot_is(const snapshots *s, const char *file) {
  char name[FILE_SIZE], real[PATH_MAX];
  if (realpath(file, real)) file = real; /* the target of a link has the number */
  const char *mark = mark_of(s), *slash = strrchr(s->name, '/');
  const char *base = slash ? slash + 1 : s->name, *other = strrchr(file, '/');
  other = other ? other + 1 : file;
  ptrdiff_t before = mark ? mark - base : 0;
  if (before < 0 || (ptrdiff_t)strlen(other) < before) return 0;
  return report_same_file(snapshot_name(s, (int)strtol(other + before, NULL, 10), name), file);
}

char *snapshot_list(const snapshots *s, char out[PATH_MAX]) {
  size_t used = 0;
  const char *mark = mark_of(s);
  for (const char *c = s->name; *c; c++)
    if (*c != '#' || !mark || c < mark) out[used++] = *c;
  out[used] = 0;
  char *dot = strrchr(out, '.'), *slash = strrchr(out, '/');
  if (dot && (!slash || dot > slash)) *dot = 0;
  used = strlen(out);
  snprintf(out + used, PATH_MAX - used, ".xdmf");
  return out;
}
