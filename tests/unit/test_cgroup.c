/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * What control groups leave, from files as the kernel has them: both versions, groups within
 * groups, shared memory that cannot be given up, no limit, no groups. */
#include "base/cgroup.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char root[] = "/tmp/pfft3d_cgroup_XXXXXX";

/* A file below root, with the folders that lead there. */
static void put(const char *name, const char *text) {
  char path[400];
  snprintf(path, sizeof path, "%s/%s", root, name);
  for (char *c = path + strlen(root) + 1; (c = strchr(c, '/')); *c++ = '/') {
    *c = 0;
    mkdir(path, 0700);
  }
  FILE *f = fopen(path, "w");
  CHECK(f, "cannot write %s", path);
  if (f) fputs(text, f), fclose(f);
}

static void group(const char *folder, int old, const char *most, const char *used,
                  const char *stat) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, old ? "memory.limit_in_bytes" : "memory.max");
  put(path, most);
  snprintf(path, sizeof path, "%s/%s", folder, old ? "memory.usage_in_bytes" : "memory.current");
  put(path, used);
  snprintf(path, sizeof path, "%s/memory.stat", folder);
  put(path, stat);
}

static void expect(double want) {
  double left = pf_cgroup_memory(root);
  CHECK(left == want, "%g bytes are left, not %g", left, want);
}

int main(int argc, char **argv) {
  char command[100];
  MPI_Init(&argc, &argv);
  CHECK(mkdtemp(root), "no folder");
  expect(INFINITY); /* no such files */
  put("proc/self/cgroup", "0::/slurm/job_7/step_0\n");
  expect(INFINITY);
  group("sys/fs/cgroup/slurm/job_7", 0, "1000\n", "700\n", "anon 500\nfile 200\nshmem 150\n");
  expect(350); /* of 700 in use 50 are pages of files */
  group("sys/fs/cgroup/slurm/job_7/step_0", 0, "max\n", "700\n", "anon 500\nfile 200\nshmem 150\n");
  expect(350);
  group("sys/fs/cgroup/slurm", 0, "900\n", "800\n", "anon 700\nfile 100\nshmem 100\n");
  expect(100);
  group("sys/fs/cgroup", 0, "90\n", "95\n", "anon 95\nfile 0\nshmem 0\n"); /* of a container */
  expect(0);
  put("proc/self/cgroup", "7:cpu,cpuacct:/x\n5:hugetlb,memory:/job\n0::/\n");
  put("sys/fs/cgroup/memory.max", "max\n");
  group("sys/fs/cgroup/memory/job", 1, "5000\n", "3000\n",
        "cache 1\nshmem 1\ntotal_cache 1000\ntotal_shmem 400\n");
  expect(2600);
  group("sys/fs/cgroup/memory", 1, "9223372036854771712\n", "3000\n", "total_cache 0\n");
  expect(2600);
  snprintf(command, sizeof command, "rm -r %s", root);
  CHECK(system(command) == 0, "cannot remove %s", root);
  return check_result();
}
