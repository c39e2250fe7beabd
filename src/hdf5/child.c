/* SPDX-License-Identifier: BSD-3-Clause
 * The process that inspects a possibly hostile file: it drops its rights, serves one request, and
 * exits.  Whatever HDF5 does in it harms no other process. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "hdf5/child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/hooks.h"

#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { IN_USE = 32, MORE_FILES = IN_USE + 16, HIGHEST = 1 << 16 };
extern char **environ;

/* ---- Restrictions ------------------------------------------------------------------------- */

/* Closes files of the rank that its children inherit.  Their numbers, and those of files that
 * threads of libraries have opened before main(), remain in use: a thread that closes its file late
 * must not close one of HDF5's.  UCX 1.23 has such threads. */
static void close_inherited(void) {
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC), first = null < 0 ? 3 : IN_USE;
  for (int fd = 3; fd < first; fd++)
    if (fd != null) dup2(null, fd);
#ifdef HAVE_CLOSE_RANGE
  if (!close_range((unsigned)first, ~0U, 0)) return; /* not with Linux before 5.9 */
#endif
  struct rlimit limit = {0, 0};
  getrlimit(RLIMIT_NOFILE, &limit);
  int end = limit.rlim_cur < HIGHEST ? (int)limit.rlim_cur : HIGHEST;
  for (int fd = first; fd < end; fd++) close(fd);
}

/* Removes the settings of HDF5 from the environment, except the one for file locking. */
static void clear_environment(void) {
  for (int k = 0; environ[k];) {
    char name[128];
    size_t length = strcspn(environ[k], "=");
    int known = strncmp(environ[k], "HDF5_", 5) == 0 && length < sizeof name &&
                strncmp(environ[k], "HDF5_USE_FILE_LOCKING=", 22) != 0;
    if (known) {
      memcpy(name, environ[k], length);
      name[length] = 0;
    }
    if (!known || unsetenv(name)) k++;
  }
}

static void limit_to(int resource, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit)) return;
  if (limit.rlim_max != RLIM_INFINITY && most > limit.rlim_max) most = limit.rlim_max;
  limit.rlim_cur = most;
  if (resource != RLIMIT_CPU) limit.rlim_max = most; /* every round extends the CPU limit */
  setrlimit(resource, &limit);
}

/* Bytes of address space in use. */
static rlim_t memory_used(void) {
  double pages = pf_read_number("/proc/self/statm", ""); /* the first number of a line */
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Limits the time of processors until the next reply, and all time to more than the rank's. */
static void allow_seconds(unsigned seconds) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  limit_to(RLIMIT_CPU, (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds + 1);
  alarm(PF_CHILD_WAIT_SECONDS + 1);
}

static void restrict_process(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
  allow_seconds(PF_CHILD_SECONDS);
  close_inherited();
  clear_environment();
  limit_to(RLIMIT_AS, memory_used() + (rlim_t)pf_child_memory);
  limit_to(RLIMIT_FSIZE, 0);
  limit_to(RLIMIT_CORE, 0);
  limit_to(RLIMIT_NOFILE, MORE_FILES);
}

/* ---- Messages ----------------------------------------------------------------------------- */

/* Exits on failure, which cannot be reported. */
static void send_bytes(const void *from, size_t bytes) {
  const char *at = from;
  while (bytes > 0) {
    ssize_t n = write(STDOUT_FILENO, at, bytes);
    if (n <= 0) _exit(PFFT3D_ERR_IO);
    at += n;
    bytes -= (size_t)n;
  }
}

static void send_reply(char type, const void *content, size_t bytes) {
  send_bytes(&type, 1);
  send_bytes(content, bytes);
}

static int receive(pf_child_request *request) {
  size_t have = 0;
  while (have < sizeof *request) {
    ssize_t n = read(STDIN_FILENO, (char *)request + have, sizeof *request - have);
    if (n <= 0) return 0;
    have += (size_t)n;
  }
  return request->bytes == sizeof *request &&
         memchr(request->version, 0, sizeof request->version) &&
         strcmp(request->version, pfft3d_version()) == 0;
}

/* ---- Tasks -------------------------------------------------------------------------------- */

static void inspect(pf_child_request *request, pfft3d_error *e) {
  pf_h5_handles open;
  if (!pf_h5_inspect(&request->d, &open, e))
    send_reply(PF_REPLY_DATASET, &request->d, sizeof request->d);
}

static void send_attributes(pf_child_request *request, pfft3d_error *e) {
  void *image;
  size_t bytes;
  if (pf_h5_image(&request->d, &image, &bytes, e)) return;
  send_reply(PF_REPLY_ATTRIBUTES, &bytes, sizeof bytes);
  send_bytes(image, bytes);
}

static void send_data(pf_child_request *request, pfft3d_error *e) {
  pf_io_element x;
  pf_h5_decoding c;
  if (pf_io_element_of(request->precision, request->numbers, &x, e) ||
      pf_io_check_box(&request->box, &x, e) ||
      pf_h5_decode_begin(&request->d, pf_h5_memory_type(&x), &c, e))
    return;
  pf_hooks.round_bytes = request->round_bytes;
  pf_io_rounds rounds = pf_io_split_box(&request->box, x.bytes, PF_CHILD_READ_BYTES);
  size_t each = (request->d.is_complex ? 2 : 1) * x.part_bytes;
  void *buffer =
      rounds.count ? malloc((size_t)pf_io_round_at(&rounds, &request->box, 0).count * each) : 0;
  if (!buffer) pf_fail(e, PFFT3D_ERR_MEMORY, "not enough memory to read '%.200s'", request->d.file);
  for (ptrdiff_t k = 0; buffer && k < rounds.count && !e->status; k++) {
    allow_seconds(PF_CHILD_READ_SECONDS);
    pf_io_round p = pf_io_round_at(&rounds, &request->box, k);
    if (!pf_h5_decode(&c, &p, buffer, e)) send_reply(PF_REPLY_DATA, buffer, (size_t)p.count * each);
  }
  free(buffer);
}

void pf_child_main(void) {
  pf_child_request request;
  pfft3d_error e;
  pf_h5_guard guard;
  pf_error_clear(&e);
  memset(&request, 0, sizeof request);
  restrict_process();
  if (!receive(&request))
    pf_fail(&e, PFFT3D_ERR_UNAVAILABLE, "the program that inspects files is of another version");
  else if (!pf_h5_begin_local(&guard, &e)) {
    if (request.task == PF_TASK_INSPECT) inspect(&request, &e);
    if (request.task == PF_TASK_ATTRIBUTES) send_attributes(&request, &e);
    if (request.task == PF_TASK_READ) send_data(&request, &e);
  }
  if (e.status) send_reply(PF_REPLY_ERROR, &e, sizeof e);
  _exit(e.status); /* without the exit handlers of HDF5: its state may be corrupt */
}
