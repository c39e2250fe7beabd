/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks and OpenMP threads that share the cores of a node. If there are more threads than cores,
 * each step of a transform waits for threads that do not run. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity() */
#endif

#include "app/cli/threads.h"

#ifdef _OPENMP
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/common/message.h"

#define POLICY "OMP_WAIT_POLICY"
/* Variables by which users choose how threads of OpenMP runtimes wait. */
static const char *const chosen[] = {POLICY, "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY"};

/* The number of ranks of this node from the environment of the launcher, before MPI_Init(); 1 if
 * unknown. */
static int ranks_here(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const char *text = getenv(names[k]);
    long ranks = text ? strtol(text, NULL, 10) : 0;
    if (ranks > 0 && ranks <= 1 << 20) return (int)ranks;
  }
  return 1;
}

void threads_prepare(long long threads, char **argv) {
#ifndef PF_SIMULATE /* a simulator loads the program as a library */
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int own = omp_get_num_procs(), ranks = ranks_here();
  /* enough cores for all threads */
  if (threads < 2 || (threads <= own && (cores < 1 || threads * ranks <= cores))) return;
  for (size_t k = 0; k < sizeof chosen / sizeof *chosen; k++)
    if (getenv(chosen[k])) return;
  if (setenv(POLICY, "passive", 1) == 0) execv("/proc/self/exe", argv);
  unsetenv(POLICY); /* could not restart: the run is slower, but correct */
#else
  (void)threads, (void)argv;
#endif
}

/* The number of cores that all ranks of a node may use together. With OMP_PROC_BIND the runtime
 * has counted the cores of a rank and then bound this thread to one of them; affinity masks are
 * of no use then. */
static int cores_of_node(MPI_Comm node, int own) {
  cpu_set_t mine, all;
  int narrowed, sum, most = (int)sysconf(_SC_NPROCESSORS_ONLN);
  CPU_ZERO(&mine);
  narrowed = sched_getaffinity(0, sizeof mine, &mine) != 0 || CPU_COUNT(&mine) < own;
  MPI_Allreduce(&mine, &all, (int)sizeof mine, MPI_BYTE, MPI_BOR, node);
  MPI_Allreduce(MPI_IN_PLACE, &narrowed, 1, MPI_INT, MPI_MAX, node);
  MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, node);
  if (!narrowed) return CPU_COUNT(&all);
  return most > 0 && most < sum ? most : sum;
}

void threads_warn(const app *a) {
  MPI_Comm node;
  int ranks, own = omp_get_num_procs(), threads = (int)options_number(&a->opt, "threads");
  if (threads < 2) return; /* mpirun warns of more ranks than cores */
  MPI_Comm_split_type(a->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &ranks);
  int cores = cores_of_node(node, own);
  MPI_Comm_free(&node);
  const char *policy = getenv(POLICY), *waiting = "";
  if (policy && strcmp(policy, "passive") == 0)
    waiting = "; threads sleep while they wait (" POLICY "=passive)";
  if ((long long)threads * ranks > cores)
    app_warn(a, "%d rank%s x %d threads exceed the %d core%s of a node: use at most %d per rank%s",
             ranks, ranks > 1 ? "s" : "", threads, cores, cores > 1 ? "s" : "",
             cores > ranks ? cores / ranks : 1, waiting);
  else if (threads > own)
    app_warn(a, "%d threads on %d core%s that this rank is bound to: try mpirun --bind-to none%s",
             threads, own, own > 1 ? "s" : "", waiting);
}

#else
void threads_prepare(long long threads, char **argv) {
  (void)threads, (void)argv; /* more than one thread is refused */
}

void threads_warn(const app *a) {
  (void)a;
}
#endif
