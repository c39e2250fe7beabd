/* SPDX-License-Identifier: BSD-3-Clause
 * The process that looks at a file which may be hostile: it gives up what it does not need, answers
 * one question, and ends.  Whatever libhdf5 does to it harms nobody else. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include "hdf5/child.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { MORE_FILES = 16, HIGHEST = 1 << 16 };
extern char **environ;

/* ---- Giving up ---------------------------------------------------------------------------- */

/* Files of the rank that were left open for its children. */
static void close_others(void) {
  struct rlimit limit = {0, 0};
  getrlimit(RLIMIT_NOFILE, &limit);
  int end = limit.rlim_cur < HIGHEST ? (int)limit.rlim_cur : HIGHEST;
  for (int fd = 3; fd < end; fd++) close(fd);
}

/* What HDF5 would take from the environment, but whether it should lock files. */
static void forget_settings(void) {
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
  if (resource != RLIMIT_CPU) limit.rlim_max = most; /* that one grows with the work done */
  setrlimit(resource, &limit);
}

/* Bytes of address space in use. */
static rlim_t memory_used(void) {
  unsigned long long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%llu", &pages) != 1) pages = 0;
  if (f) fclose(f);
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* So much time for the next part, from now on: of computing, too. */
static void allow_seconds(unsigned seconds) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  limit_to(RLIMIT_CPU, (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds + 1);
  alarm(seconds + 1); /* the rank has stopped waiting, or is gone */
}

static void give_up(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
  allow_seconds(PF_CHILD_SECONDS);
  close_others();
  forget_settings();
  limit_to(RLIMIT_AS, memory_used() + (rlim_t)pf_child_memory);
  limit_to(RLIMIT_FSIZE, 0);
  limit_to(RLIMIT_CORE, 0);
  limit_to(RLIMIT_NOFILE, MORE_FILES);
}

/* ---- Saying ------------------------------------------------------------------------------- */

/* Everything, or the end: nobody is there to be told. */
static void say(const void *from, size_t bytes) {
  const char *at = from;
  while (bytes > 0) {
    ssize_t n = write(STDOUT_FILENO, at, bytes);
    if (n <= 0) _exit(PFFT3D_ERR_IO);
    at += n;
    bytes -= (size_t)n;
  }
}

static void say_part(char part, const void *what, size_t bytes) {
  say(&part, 1);
  say(what, bytes);
}

static int hear(pf_ask *ask) {
  size_t have = 0;
  while (have < sizeof *ask) {
    ssize_t n = read(STDIN_FILENO, (char *)ask + have, sizeof *ask - have);
    if (n <= 0) return 0;
    have += (size_t)n;
  }
  return ask->bytes == sizeof *ask && memchr(ask->version, 0, sizeof ask->version) &&
         strcmp(ask->version, pfft3d_version()) == 0;
}

/* ---- Answering ---------------------------------------------------------------------------- */

static void look(pf_ask *ask, pfft3d_error *e) {
  pf_h5_look_at open;
  if (!pf_h5_look(&ask->d, &open, e)) say_part(PF_PART_FOUND, &ask->d, sizeof ask->d);
}

static void imagine(pf_ask *ask, pfft3d_error *e) {
  void *image;
  size_t bytes;
  if (pf_h5_image(&ask->d, &image, &bytes, e)) return;
  say_part(PF_PART_IMAGE, &bytes, sizeof bytes);
  say(image, bytes);
}

static void read_box(pf_ask *ask, pfft3d_error *e) {
  pf_h5_element x;
  pf_h5_decoding c;
  if (pf_h5_element_of(ask->precision, ask->numbers, &x, e) ||
      pf_io_check_box(ask->d.n, &ask->box, &x, e) || pf_h5_decode_begin(&ask->d, x.memory, &c, e))
    return;
  pf_io_set_round_bytes(ask->round_bytes);
  pf_transfer rounds = pf_io_cut(ask->d.n, &ask->box, x.bytes, PF_CHILD_PIECE);
  size_t each = (ask->d.is_complex ? 2 : 1) * x.part_bytes;
  void *buffer = rounds.count ? malloc((size_t)pf_io_piece(&rounds, &ask->box, 0).count * each) : 0;
  if (!buffer) pf_fail(e, PFFT3D_ERR_MEMORY, "not enough memory to read '%s'", ask->d.file);
  for (ptrdiff_t k = 0; buffer && k < rounds.count && !e->status; k++) {
    allow_seconds(PF_CHILD_PIECE_SECONDS);
    pf_portion p = pf_io_piece(&rounds, &ask->box, k);
    if (!pf_h5_decode(&c, &p, buffer, e)) say_part(PF_PART_PIECE, buffer, (size_t)p.count * each);
  }
  free(buffer);
}

int pf_io_child(void) {
  pf_ask ask;
  pfft3d_error e;
  pf_h5_guard guard;
  pf_error_clear(&e);
  memset(&ask, 0, sizeof ask);
  give_up();
  if (!hear(&ask))
    pf_fail(&e, PFFT3D_ERR_UNAVAILABLE, "the program that looks at files is of another version");
  else if (!pf_h5_begin_here(&guard, &e)) {
    if (ask.kind == PF_ASK_LOOK) look(&ask, &e);
    if (ask.kind == PF_ASK_IMAGE) imagine(&ask, &e);
    if (ask.kind == PF_ASK_READ) read_box(&ask, &e);
  }
  if (e.status) say_part(PF_PART_ERROR, &e, sizeof e);
  _exit(e.status); /* without the library's own end: it may be in disorder */
}

#endif
