/* SPDX-License-Identifier: BSD-3-Clause
 * Shared windows in anonymous memory (memfd).  The windows of MPI are files under /dev/shm, which
 * get no huge pages and remain when a job is killed.
 *
 * A barrier is a dissemination: in round k each rank sets a flag of the rank 2^k further, so that
 * after log2 P rounds each rank has heard of all others.  Messages of MPI_Barrier() take about
 * three times as long.  Source: Hensgen, Finkel and Manber, Two algorithms for barrier
 * synchronization, Int. J. of Parallel Programming 17, 1988. */
#define _GNU_SOURCE
#include "base/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/flags.h"
#include "base/memory.h"
#include "base/simulate.h"

static const size_t huge_page = (size_t)2 << 20;

static int one_node(MPI_Comm comm, pfft3d_error *e) {
  MPI_Comm node;
  int ranks, here = 0;
  MPI_Comm_size(comm, &ranks);
  int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Comm_split_type");
  MPI_Comm_size(node, &here);
  MPI_Comm_free(&node);
  if (here != ranks)
    pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
            "shared memory: %d ranks are here, the others of %d elsewhere", here, ranks);
  return pf_agree(comm, e);
}

/* Address of rank 0's memory, and how to recognise it. */
typedef struct there {
  long process, descriptor, device, inode;
} there;

/* Opens the memory of rank 0.  If ranks are in separate containers, its process number may be that
 * of another process here. */
static int find_memory(const there *t, pfft3d_error *e) {
  struct stat s;
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/fd/%ld", t->process, t->descriptor);
  if (stat(path, &s) == 0 && ((long)s.st_dev != t->device || (long)s.st_ino != t->inode)) {
    pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "shared memory: %s is something else here", path);
    return -1;
  }
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "shared memory: %s: %s", path, strerror(errno));
  return fd;
}

int pf_shared_allowed(size_t bytes, pfft3d_error *e) {
  struct rlimit most;
  if (getrlimit(RLIMIT_FSIZE, &most) || most.rlim_cur == RLIM_INFINITY || bytes <= most.rlim_cur)
    return PFFT3D_OK;
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE,
                 "shared memory of %zu bytes: more than a file may have (ulimit -f)", bytes);
}

int pf_window_room(size_t bytes, pfft3d_error *e) {
#ifdef OPEN_MPI
  enum { MORE = 1 << 16 }; /* of MPI's own */
  char need[32], have[32];
  struct statvfs fs;
  if (statvfs("/dev/shm", &fs) || fs.f_blocks == 0) return PFFT3D_OK;
  double room = (double)fs.f_bavail * (double)fs.f_frsize;
  if (room >= (double)bytes + MORE) return PFFT3D_OK;
  pf_hint(e, "other exchanges need no window; a container gets more by --shm-size");
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "windows of MPI need %s in /dev/shm, where %s are free",
                 pf_bytes((double)bytes, need), pf_bytes(room, have));
#else
  (void)bytes;
  return e->status;
#endif
}

/* Rank 0 creates the memory; the others open it through its entry in /proc. */
static int open_memory(MPI_Comm comm, size_t bytes, pfft3d_error *e) {
  there t = {.descriptor = -1};
  int rank, fd = -1;
  MPI_Comm_rank(comm, &rank);
#ifdef MFD_CLOEXEC
  if (rank == 0) {
    fd = memfd_create("pfft3d", MFD_CLOEXEC);
    struct stat s = {0};
    if (!pf_shared_allowed(bytes, e) && (fd < 0 || ftruncate(fd, (off_t)bytes) || fstat(fd, &s)))
      pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "shared memory of %zu bytes: %s", bytes, strerror(errno));
    t = (there){(long)getpid(), fd, (long)s.st_dev, (long)s.st_ino};
  }
#else
  pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "shared memory: this system has no memfd_create");
#endif
  pf_mpi(e, MPI_Bcast(&t, (int)sizeof t, MPI_BYTE, 0, comm), "MPI_Bcast");
  if (rank && !e->status && t.descriptor >= 0) fd = find_memory(&t, e);
  pf_agree(comm, e); /* now rank 0 may close its descriptor */
  if (e->status && fd >= 0) {
    close(fd);
    fd = -1;
  }
  return fd;
}

/* Maps the file, aligned to huge pages. */
static void map_memory(int fd, pf_shared *w, size_t bytes, pfft3d_error *e) {
  w->mapped = bytes + huge_page;
  w->mapping = mmap(NULL, w->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (w->mapping == MAP_FAILED) {
    w->mapping = NULL;
    pf_fail(e, PFFT3D_ERR_MEMORY, "no room for a shared window of %zu bytes", bytes);
    return;
  }
  uintptr_t at = ((uintptr_t)w->mapping + huge_page - 1) / huge_page * huge_page;
  w->base = mmap((void *)at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
  if (w->base == MAP_FAILED) {
    w->base = NULL;
    pf_fail(e, PFFT3D_ERR_MEMORY, "cannot map a shared window of %zu bytes: %s", bytes,
            strerror(errno));
    return;
  }
#ifdef MADV_HUGEPAGE
  madvise(w->base, bytes, MADV_HUGEPAGE); /* advice: failure changes nothing */
#endif
}

/* First touch of this rank's part, on huge pages as far as it fills them: for shared memory the
 * kernel grants them only under a setting that is commonly off, or when asked to collapse pages
 * (Linux 6.1 and later), which requires that each huge page has a page in use. */
static void touch(char *part, size_t bytes) {
#if defined(MADV_COLLAPSE) || defined(__linux__)
  enum { collapse = 25 };
  size_t large = bytes / huge_page * huge_page;
  for (size_t i = 0; i < large; i += huge_page) part[i] = 0;
  if (large && madvise(part, large, collapse) == 0) {
    memset(part + large, 0, bytes - large);
    return;
  }
#endif
  memset(part, 0, bytes);
}

/* ---- barriers ---- */

/* Rounds of a barrier. */
static int rounds_of(int ranks) {
  int rounds = 0;
  while ((1 << rounds) < ranks) rounds++;
  return rounds;
}

static uint64_t *flag_of(const pf_shared *w, int rank, int round) {
  size_t line = (size_t)rank * (size_t)rounds_of(w->ranks) + (size_t)round;
  return (uint64_t *)(void *)(w->flags + line * PF_ALIGN);
}

static int progress(void *data) {
  const pf_shared *w = data;
  int ignored;
  return MPI_Iprobe(MPI_ANY_SOURCE, 0, w->comm, &ignored, MPI_STATUS_IGNORE);
}

static int wait_for_all(pf_shared *w) {
  if (PF_SIMULATED) return MPI_Barrier(w->comm); /* its time counts */
  uint64_t barrier = ++w->barriers;
  int code = MPI_SUCCESS;
  for (int k = 0; code == MPI_SUCCESS && (1 << k) < w->ranks; k++) {
    pf_flag_set(flag_of(w, (w->rank + (1 << k)) % w->ranks, k), barrier);
    code = pf_flag_wait(flag_of(w, w->rank, k), barrier, w->looks, progress, w);
  }
  return code;
}

int pf_shared_barrier(pf_shared *w) {
  if (!w->timeline) return wait_for_all(w);
  pf_event e = {.begin = pf_clock(), .kind = PF_EVENT_BARRIER};
  int code = wait_for_all(w);
  e.end = pf_clock();
  pf_timeline_add(w->timeline, &e);
  return code;
}

/* ---- windows ---- */

static size_t round_up(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

size_t pf_shared_bytes(size_t bytes) {
  return round_up(bytes, 4096);
}

size_t pf_shared_part(size_t bytes) {
  return bytes >= huge_page ? round_up(bytes, huge_page) : pf_shared_bytes(bytes);
}

int pf_shared_create(MPI_Comm comm, size_t bytes, pf_shared *w, pfft3d_error *e) {
  size_t total;
  *w = (pf_shared){.comm = comm};
  MPI_Comm_rank(comm, &w->rank);
  MPI_Comm_size(comm, &w->ranks);
  w->looks = pf_flag_looks(w->ranks);
  PF_TRY(one_node(comm, e));
  if (pf_add(bytes, huge_page, &total) || pf_mul(total, (size_t)w->ranks, &total) ||
      total > PTRDIFF_MAX)
    pf_fail(e, PFFT3D_ERR_MEMORY, "a shared window of %d parts of %zu bytes is too large", w->ranks,
            bytes);
  PF_TRY(pf_agree(comm, e));
  bytes = pf_shared_bytes(bytes ? bytes : 1);
  w->part = pf_shared_part(bytes);
  size_t parts = w->part * (size_t)w->ranks;
  total = parts + (size_t)w->ranks * (size_t)rounds_of(w->ranks) * PF_ALIGN;
  PF_TRY(pf_memory_agree(comm, bytes, e));
  int fd = open_memory(comm, total, e);
  if (fd < 0) return e->status;
  map_memory(fd, w, total, e);
  close(fd);
  if (!e->status) {
    w->flags = w->base + parts;
    touch(w->base + (size_t)w->rank * w->part, bytes);
  }
  if (pf_agree(comm, e)) pf_shared_destroy(w);
  return e->status;
}

void pf_shared_destroy(pf_shared *w) {
  if (w->mapping) munmap(w->mapping, w->mapped);
  *w = (pf_shared){0};
}
