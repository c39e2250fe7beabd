/* SPDX-License-Identifier: BSD-3-Clause
 * A fault in one call of pfft3d's own code, by LD_PRELOAD, with the program as it is.
 *
 *   PFFT3D_FAULT=malloc:17:1:error   the 17th allocation on rank 1 gives NULL
 *   PFFT3D_FAULT=size:4096:0:error   every allocation of so many bytes on rank 0 does
 *   PFFT3D_FAULT=mpi:23:0:error      the 23rd call of MPI on rank 0 does nothing and gives an error
 *   PFFT3D_FAULT=mpi:23:0:late       ... does its work, then gives an error
 *
 * and instead of an error what happens to the process in that call: kill, segv, stop, term, int,
 * usr2, exit.  PFFT3D_FAULT_FILE=NAME: NAME.fired appears when the fault happens, with the call and
 * the process; without a fault, NAME.RANK holds "malloc N mpi M", how many calls were made.
 *
 * "Own code" is the executable and libpfft3d: calls that come from MPI, HDF5, FFTW or jansson are
 * neither counted nor touched; with PFFT3D_FAULT_IN=library nor are those of the executable.  As in
 * a real failure, MPI's error handler is called before an error is returned. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "own.h"

enum { MALLOC, MPI, SIZE, KINDS };
static const char *const kind_names[KINDS] = {"malloc", "mpi", "size"};

static struct {
  int kind, rank, target; /* kind -1: none, calls are counted */
  long number, count[KINDS];
  char action[16];
} shim = {.kind = -1};
static MPI_Comm last_comm = MPI_COMM_NULL;

/* NAME.SUFFIX with a line of text. */
static void leave_word(const char *suffix, const char *text) {
  char name[4096];
  const char *stem = getenv("PFFT3D_FAULT_FILE");
  if (!stem) return;
  snprintf(name, sizeof name, "%s.%s", stem, suffix);
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return;
  ssize_t written = write(fd, text, strlen(text));
  (void)written;
  close(fd);
}

__attribute__((constructor)) static void begin(void) {
  char kind[16];
  const char *fault = getenv("PFFT3D_FAULT"), *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!rank) rank = getenv("PMI_RANK");
  shim.rank = rank ? atoi(rank) : 0;
  if (fault && fault[0]) {
    if (sscanf(fault, "%15[a-z]:%ld:%d:%15[a-z0-9]", kind, &shim.number, &shim.target,
               shim.action) == 4)
      for (int k = 0; k < KINDS; k++)
        if (!strcmp(kind, kind_names[k])) shim.kind = k;
    if (shim.kind < 0) {
      fprintf(stderr, "PFFT3D_FAULT=%s is not KIND:NUMBER:RANK:ACTION\n", fault);
      _exit(99);
    }
  }
  own_find();
}

__attribute__((destructor)) static void end(void) {
  char suffix[16], text[80];
  if (shim.kind >= 0 || !own.ranges) return;
  snprintf(suffix, sizeof suffix, "%d", shim.rank);
  snprintf(text, sizeof text, "malloc %ld mpi %ld\n", shim.count[MALLOC], shim.count[MPI]);
  leave_word(suffix, text);
}

/* What happens to the process; an error is left to the caller. */
static void happen(const char *what) {
  static const struct {
    const char *name;
    int number;
  } signals[] = {{"kill", SIGKILL}, {"segv", SIGSEGV}, {"stop", SIGSTOP},
                 {"term", SIGTERM}, {"int", SIGINT},   {"usr2", SIGUSR2}};
  char text[100];
  snprintf(text, sizeof text, "%s %s %ld\n", kind_names[shim.kind], what, (long)getpid());
  leave_word("fired", text);
  if (!strcmp(shim.action, "exit")) _exit(0);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    if (!strcmp(shim.action, signals[i].name)) kill(getpid(), signals[i].number);
}

/* Counts a call of own code, an allocation of so many bytes or one of MPI; whether it is the one.
 */
static int is_due(int kind, size_t bytes, const void *caller, const char *name) {
  if (!is_own(caller)) return 0;
  long now = __atomic_add_fetch(&shim.count[kind], 1, __ATOMIC_RELAXED);
  int named = shim.kind == SIZE ? kind == MALLOC && (long)bytes == shim.number
                                : kind == shim.kind && now == shim.number;
  if (!named || shim.rank != shim.target) return 0;
  int saved = errno;
  happen(name);
  errno = saved;
  return 1;
}

static int is_action(const char *name) {
  return !strcmp(shim.action, name);
}

/* ---- memory ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#define ALLOCATE(name, bytes, call)                                                     \
  if (is_due(MALLOC, bytes, __builtin_return_address(0), name) && is_action("error")) { \
    errno = ENOMEM;                                                                     \
    return NULL;                                                                        \
  }                                                                                     \
  return call

void *malloc(size_t size) {
  ALLOCATE("malloc", size, __libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
  ALLOCATE("calloc", count * size, __libc_calloc(count, size));
}

void *realloc(void *old, size_t size) {
  ALLOCATE("realloc", size, __libc_realloc(old, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
  ALLOCATE("aligned_alloc", size, __libc_memalign(alignment, size));
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  if (is_due(MALLOC, size, __builtin_return_address(0), "posix_memalign") && is_action("error"))
    return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

/* ---- MPI ---- */

/* An error as MPI reports it. */
static int raise_error(MPI_Comm comm) {
  if (comm != MPI_COMM_NULL) PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}

#define CALL(name, comm_, parameters, arguments)                  \
  int name parameters {                                           \
    int ours = is_own(__builtin_return_address(0));               \
    int due = is_due(MPI, 0, __builtin_return_address(0), #name); \
    MPI_Comm where = ours ? comm_ : MPI_COMM_NULL;                \
    if (due && is_action("error")) return raise_error(where);     \
    if (where != MPI_COMM_NULL) last_comm = where;                \
    int code = P##name arguments;                                 \
    return due && is_action("late") ? raise_error(where) : code;  \
  }
#include "mpi_list.h"
#undef CALL
