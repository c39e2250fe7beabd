/* SPDX-License-Identifier: BSD-3-Clause
 * The rank's side: starts the process that looks at a file (hdf5/child.c), waits for it with
 * patience that ends, and believes nothing that it says before it has looked at it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include "hdf5/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "hdf5/child.h"

extern char **environ;

#ifdef PF_PROBE
static const char *program = PF_PROBE; /* where it will be installed */
#else
static const char *program;
#endif
static int required; /* it was there: files are not looked at by this process when it is gone */

void pf_io_set_probe(const char *path) {
  program = path;
  required = path != NULL;
}

static int patience; /* changed by tests only */

void pf_io_set_patience(int seconds) {
  patience = seconds;
}

static int have_program(void) {
  return program && (required || access(program, X_OK) == 0);
}

/* ---- The process -------------------------------------------------------------------------- */

typedef struct child {
  pid_t pid;        /* -1: none */
  int from;         /* what it says; -1: nothing more */
  const char *file; /* for messages */
} child;

/* Numbers of open files above the standard ones, whichever of these are closed. */
static int keep_high(int fd) {
  int high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  close(fd);
  return high;
}

static int make_pipe(int fd[2]) {
  if (pipe2(fd, O_CLOEXEC)) return 0;
  fd[0] = keep_high(fd[0]);
  fd[1] = keep_high(fd[1]);
  if (fd[0] >= 0 && fd[1] >= 0) return 1;
  close(fd[0]);
  close(fd[1]);
  return 0;
}

/* Starts the program between two pipes; 0 or errno. */
static int start(int from_us, int to_us, pid_t *pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  char first[] = PF_IO_PROBE_WORD;
  char *words[] = {(char *)program, first, NULL};
  sigemptyset(&none);
  sigfillset(&all);
  int code = posix_spawn_file_actions_init(&files);
  if (code) return code;
  code = posix_spawnattr_init(&attributes);
  if (!code) {
    code = posix_spawn_file_actions_adddup2(&files, from_us, STDIN_FILENO);
    if (!code) code = posix_spawn_file_actions_adddup2(&files, to_us, STDOUT_FILENO);
    if (!code)
      code = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!code) code = posix_spawn(pid, program, &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&files);
  return code;
}

/* The process with its question.  It is written before anybody reads it: it fits into a pipe. */
static int child_start(const pf_ask *ask, child *c, pfft3d_error *e) {
  int to[2], from[2], code = 0;
  *c = (child){-1, -1, ask->d.file};
  if (!make_pipe(to)) return pf_fail(e, PFFT3D_ERR_INTERNAL, "no pipe: %s", strerror(errno));
  if (!make_pipe(from)) {
    code = errno;
    close(to[0]);
    close(to[1]);
    return pf_fail(e, PFFT3D_ERR_INTERNAL, "no pipe: %s", strerror(code));
  }
  fcntl(to[1], F_SETFL, O_NONBLOCK);
  if (write(to[1], ask, sizeof *ask) != (ssize_t)sizeof *ask) code = EIO;
  if (!code) code = start(to[0], from[1], &c->pid);
  close(to[0]);
  close(to[1]);
  close(from[1]);
  c->from = from[0];
  if (!code) return PFFT3D_OK;
  c->pid = -1;
  close(c->from);
  return pf_fail(e, PFFT3D_ERR_INTERNAL, "cannot start '%s', which looks at files: %s", program,
                 strerror(code));
}

/* Ends it, if need be by force; how it ended, as waitpid() says, or -1. */
static int child_stop(child *c) {
  int how = -1;
  if (c->from >= 0) close(c->from);
  c->from = -1;
  if (c->pid < 0) return how;
  kill(c->pid, SIGKILL); /* one that has ended does not mind */
  pid_t got;
  do got = waitpid(c->pid, &how, 0);
  while (got < 0 && errno == EINTR);
  if (got < 0) how = -1; /* the caller's program lets nobody wait for processes */
  c->pid = -1;
  return how;
}

/* It said too little, and has closed its end of the pipe: what else than ending can it want?  In
 * the end it is made to. */
static int child_died(child *c, pfft3d_error *e) {
  const struct timespec moment = {0, 5000000};
  int how = -1;
  pid_t got = 0;
  for (int k = 0; k < 200 && (got == 0 || (got < 0 && errno == EINTR)); k++) {
    if (k > 0) nanosleep(&moment, NULL);
    got = waitpid(c->pid, &how, WNOHANG);
  }
  if (got > 0) c->pid = -1; /* else it is stopped like any other */
  if (got > 0 && WIFSIGNALED(how)) {
    int number = WTERMSIG(how);
    const char *what =
        number == SIGXCPU || number == SIGALRM ? "takes too long for it" : "fails on it";
    return pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%s': the HDF5 library %s (signal %d)", c->file,
                   what, number);
  }
  return pf_fail(e, PFFT3D_ERR_DATA,
                 "cannot read '%s': the process that looks at it gives no answer", c->file);
}

/* Milliseconds of a clock that only goes forward. */
static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Waits for exactly so many bytes. */
static int child_hear(child *c, void *to, size_t bytes, int seconds, pfft3d_error *e) {
  if (patience) seconds = patience;
  long long end = now() + seconds * 1000LL;
  for (size_t have = 0; have < bytes;) {
    struct pollfd p = {.fd = c->from, .events = POLLIN};
    long long left = end - now();
    if (left <= 0)
      return pf_fail(e, PFFT3D_ERR_DATA,
                     "cannot read '%s': the HDF5 library takes more than %d s for it", c->file,
                     seconds);
    int ready = poll(&p, 1, (int)left);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    ssize_t n = read(c->from, (char *)to + have, bytes - have);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return child_died(c, e);
    have += (size_t)n;
  }
  return PFFT3D_OK;
}

/* The error that it reports: its words, but in a form that fits. */
static int child_error(child *c, pfft3d_error *e) {
  pfft3d_error said;
  PF_TRY(child_hear(c, &said, sizeof said, PF_CHILD_SECONDS, e));
  said.text[sizeof said.text - 1] = said.hint[sizeof said.hint - 1] = 0;
  int known = said.status >= PFFT3D_ERR_USAGE && said.status <= PFFT3D_ERR_WATCHDOG;
  if (said.hint[0]) pf_hint(e, "%s", said.hint);
  return pf_fail(e, known ? said.status : PFFT3D_ERR_DATA, "%s", said.text);
}

/* The part of an answer that was asked for, up to what belongs to it. */
static int child_part(child *c, char wanted, int seconds, pfft3d_error *e) {
  char part;
  PF_TRY(child_hear(c, &part, 1, seconds, e));
  if (part == wanted) return PFFT3D_OK;
  if (part == PF_PART_ERROR) return child_error(c, e);
  return pf_fail(e, PFFT3D_ERR_DATA,
                 "cannot read '%s': the process that looks at it gives no proper answer", c->file);
}

static pf_ask ask_for(pf_ask_kind kind, const pfft3d_dataset *d) {
  pf_ask ask;
  memset(&ask, 0, sizeof ask); /* gaps too: it leaves this process */
  snprintf(ask.version, sizeof ask.version, "%s", pfft3d_version());
  ask.bytes = sizeof ask;
  ask.kind = kind;
  memcpy(&ask.d, d, sizeof ask.d);
  return ask;
}

/* Bytes that a name may have, without its directory: MPI-IO of Open MPI 4 adds to it, and crashes
 * where the sum is no name any more. */
enum { NAME_BEST = 215 };

static int check_name(const char *file, pfft3d_error *e) {
  const char *slash = strrchr(file, '/');
  size_t length = strlen(slash ? slash + 1 : file);
  if (length > NAME_BEST) pf_hint(e, "a link with a shorter name will do");
  PF_CHECK(length <= NAME_BEST, e, PFFT3D_ERR_NOINPUT,
           "cannot open '%s': its name has %zu bytes, MPI-IO takes %d", file, length, NAME_BEST);
  return PFFT3D_OK;
}

/* ---- The look ----------------------------------------------------------------------------- */

/* Whether what was said of the size and the place of the data can be. */
static int place_is_true(const pfft3d_dataset *d, long long file_size) {
  size_t bytes = 2 * sizeof(double);
  if (d->dims < 1 || d->dims > 3 || (d->is_complex != 0 && d->is_complex != 1)) return 0;
  for (int a = 0; a < 3; a++)
    if (d->n[a] < 1 || (a < 3 - d->dims && d->n[a] != 1) ||
        pf_mul(bytes, (size_t)d->n[a], &bytes) || bytes > PTRDIFF_MAX)
      return 0;
  if (d->stored.number < 0) return d->stored.number == -1;
  hid_t number = pf_h5_number(d->stored.number);
  if (number < 0) return 0;
  long long stored = (long long)(bytes / (2 * sizeof(double))) * (long long)H5Tget_size(number);
  if (d->is_complex) stored *= 2; /* still less than `bytes` */
  return d->stored.bytes == stored && d->stored.offset >= 0 && stored <= file_size &&
         d->stored.offset <= file_size - stored;
}

/* Whether a text ends and is made of what can be printed. */
static int is_text(const char *text, size_t size) {
  if (!memchr(text, 0, size)) return 0;
  for (; *text; text++)
    if ((unsigned char)*text < ' ') return 0;
  return 1;
}

/* Takes over what was said of the dataset that was asked for, field by field. */
static int believe(const pfft3d_dataset *said, pfft3d_dataset *d, pfft3d_error *e) {
  struct stat st;
  long long file[5];
  PF_TRY(pf_io_stat(d->file, &st, e));
  pf_io_mark(&st, file);
  PF_CHECK(memcmp(file, said->stored.file, sizeof file) == 0, e, PFFT3D_ERR_DATA,
           "cannot read '%s': it changes while it is read", d->file);
  PF_CHECK(memchr(said->path, 0, sizeof said->path) && said->path[0] &&
               (!d->path[0] || strcmp(d->path, said->path) == 0) &&
               is_text(said->type, sizeof said->type) && place_is_true(said, file[2]),
           e, PFFT3D_ERR_DATA, "cannot believe '%s': what was found in it cannot be", d->file);
  snprintf(d->path, sizeof d->path, "%s", said->path);
  snprintf(d->type, sizeof d->type, "%s", said->type);
  d->dims = said->dims;
  d->is_complex = said->is_complex;
  memcpy(d->n, said->n, sizeof d->n);
  d->stored = said->stored;
  return PFFT3D_OK;
}

/* What was found, by another process or by this one. */
static int find(const pfft3d_dataset *d, pfft3d_dataset *found, pfft3d_error *e) {
  if (!have_program()) {
    pf_h5_look_at open;
    memcpy(found, d, sizeof *found);
    PF_TRY(pf_h5_look(found, &open, e));
    pf_h5_look_away(&open);
    return PFFT3D_OK;
  }
  child c;
  pf_ask ask = ask_for(PF_ASK_LOOK, d);
  PF_TRY(child_start(&ask, &c, e));
  if (!child_part(&c, PF_PART_FOUND, PF_CHILD_SECONDS, e))
    child_hear(&c, found, sizeof *found, PF_CHILD_SECONDS, e);
  child_stop(&c);
  return e->status;
}

int pf_probe_look(const char *name, pfft3d_dataset *d, pfft3d_error *e) {
  struct stat st;
  pfft3d_dataset found = {.file = ""};
  memset(d, 0, sizeof *d);
  PF_TRY(pf_io_split(name, d->file, d->path, PFFT3D_ERR_NOINPUT, e));
  PF_TRY(check_name(d->file, e));
  PF_TRY(pf_io_stat(d->file, &st, e));
  PF_TRY(find(d, &found, e));
  return believe(&found, d, e);
}

/* ---- Attributes --------------------------------------------------------------------------- */

static int hear_image(child *c, void **image, size_t *bytes, pfft3d_error *e) {
  PF_TRY(child_part(c, PF_PART_IMAGE, PF_CHILD_SECONDS, e));
  PF_TRY(child_hear(c, bytes, sizeof *bytes, PF_CHILD_SECONDS, e));
  PF_CHECK(*bytes > 0 && *bytes <= PF_H5_IMAGE_BYTES, e, PFFT3D_ERR_DATA,
           "cannot read '%s': the process that looks at it gives no proper answer", c->file);
  *image = malloc(*bytes);
  PF_CHECK(*image, e, PFFT3D_ERR_MEMORY, "not enough memory for attributes");
  return child_hear(c, *image, *bytes, PF_CHILD_SECONDS, e);
}

int pf_probe_image(const pfft3d_dataset *d, void **image, size_t *bytes, pfft3d_error *e) {
  struct stat st;
  child c;
  *image = NULL;
  PF_TRY(pf_io_stat(d->file, &st, e));
  pf_ask ask = ask_for(PF_ASK_IMAGE, d);
  if (!have_program()) return pf_h5_image(&ask.d, image, bytes, e);
  PF_TRY(child_start(&ask, &c, e));
  hear_image(&c, image, bytes, e);
  child_stop(&c);
  if (!e->status) return PFFT3D_OK;
  free(*image);
  *image = NULL;
  return e->status;
}

/* ---- The data ----------------------------------------------------------------------------- */

struct pf_probe_reader {
  int here; /* in this process */
  pf_h5_decoding decoding;
  child other;
};

int pf_probe_read_begin(const pfft3d_dataset *d, const pf_h5_element *x, const pfft3d_box *box,
                        pf_transfer *rounds, pf_probe_reader **reader, pfft3d_error *e) {
  pf_probe_reader *r = calloc(1, sizeof *r);
  *reader = NULL;
  PF_CHECK(r, e, PFFT3D_ERR_MEMORY, "not enough memory to read '%s'", d->file);
  r->here = !have_program();
  if (r->here) {
    *rounds = pf_io_cut(d->n, box, x->bytes, SIZE_MAX);
    pf_h5_decode_begin(d, x->memory, &r->decoding, e);
  } else {
    pf_ask ask = ask_for(PF_ASK_READ, d);
    ask.precision = x->part_bytes == sizeof(float) ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
    ask.numbers = x->parts == 1 ? PFFT3D_REAL : PFFT3D_COMPLEX;
    ask.box = *box;
    ask.round_bytes = pf_io_round_bytes();
    *rounds = pf_io_cut(d->n, box, x->bytes, PF_CHILD_PIECE);
    child_start(&ask, &r->other, e);
  }
  if (!e->status)
    *reader = r;
  else
    free(r);
  if (*reader) r->other.file = d->file;
  return e->status;
}

int pf_probe_read(pf_probe_reader *r, const pf_portion *p, size_t bytes, void *to,
                  pfft3d_error *e) {
  if (r->here) return pf_h5_decode(&r->decoding, p, to, e);
  PF_TRY(child_part(&r->other, PF_PART_PIECE, PF_CHILD_PIECE_SECONDS, e));
  return child_hear(&r->other, to, bytes, PF_CHILD_PIECE_SECONDS, e);
}

void pf_probe_read_end(pf_probe_reader **reader) {
  pf_probe_reader *r = *reader;
  *reader = NULL;
  if (!r) return;
  if (r->here)
    pf_h5_decode_end(&r->decoding);
  else
    child_stop(&r->other);
  free(r);
}

#endif
