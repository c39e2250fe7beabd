/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that control groups of Linux (of a container, of a batch job) leave to this process.
 * Sources: the kernel's Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst. */
#include "base/cgroup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double pf_read_number(const char *path, const char *word) {
  FILE *f = fopen(path, "r");
  char line[256];
  double value = 0;
  if (!f) return 0;
  while (fgets(line, sizeof line, f)) {
    size_t n = strlen(word);
    if (strncmp(line, word, n) == 0 && sscanf(line + n, "%lf", &value) == 1) break;
  }
  fclose(f);
  return value;
}

/* Files and keys of both versions.  The page cache can be reclaimed, except for shared memory. */
static const struct version {
  const char *controller, *folder, *most, *used, *cache, *shared;
} versions[] = {{"", "/sys/fs/cgroup", "memory.max", "memory.current", "file ", "shmem "},
                {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                 "memory.usage_in_bytes", "total_cache ", "total_shmem "}};

enum { PATH = 1200 };

/* Bytes that a group leaves, given as a folder of one version; infinite if it has no limit. */
static double left_by(const struct version *v, const char *folder) {
  char path[PATH + 40];
  snprintf(path, sizeof path, "%s/%s", folder, v->most);
  double most = pf_read_number(path, "");            /* "max", or about 2^63: no limit */
  if (!(most > 0) || most > 0x1p60) return INFINITY; /* the figures below take time to read */
  snprintf(path, sizeof path, "%s/%s", folder, v->used);
  double used = pf_read_number(path, "");
  snprintf(path, sizeof path, "%s/memory.stat", folder);
  used -= pf_read_number(path, v->cache) - pf_read_number(path, v->shared);
  return most > used ? most - used : 0;
}

/* The minimum over a group and all its ancestors. */
static double left_from(const char *root, const struct version *v, const char *group) {
  char folder[PATH];
  size_t top = strlen(root) + strlen(v->folder);
  int length = snprintf(folder, sizeof folder, "%s%s%s", root, v->folder, group);
  double least = INFINITY;
  if (length < 0 || (size_t)length >= sizeof folder) return least;
  for (char *end = folder + length; end; end = strrchr(folder, '/')) {
    *end = 0;
    if (strlen(folder) < top) break;
    least = fmin(least, left_by(v, folder));
  }
  return least;
}

/* Nonzero if a list "cpu,memory" has this word. */
static int has_word(const char *list, const char *word) {
  size_t n = strlen(word);
  for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
    if (strncmp(p, word, n) == 0 && (p[n] == ',' || !p[n])) return 1;
  return 0;
}

double pf_cgroup_memory(const char *root) {
  char path[PATH], line[PATH];
  double least = INFINITY;
  snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f)) { /* "0::/path" or "5:cpu,memory:/path" */
    line[strcspn(line, "\n")] = 0;
    char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
    if (!group) continue;
    *group++ = 0;
    for (int k = 0; k < 2; k++)
      if (has_word(list + 1, versions[k].controller))
        least = fmin(least, left_from(root, &versions[k], group));
  }
  if (f) fclose(f);
  return least;
}
