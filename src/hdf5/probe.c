/* SPDX-License-Identifier: BSD-3-Clause
 * The rank's side of hdf5/child.h: starts the process that inspects a file, waits for its replies
 * with a time limit, and checks each one. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

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

#include "base/hooks.h"
#include "base/memory.h"
#include "hdf5/child.h"

extern char **environ;

#ifdef PF_PROBE
static const char *program = PF_PROBE; /* the installed program */
#else
static const char *program;
#endif
static int required; /* it existed before: an error if it is missing now */

void pf_io_set_probe(const char *path) {
  program = path;
  required = path != NULL;
}
static int have_program(void) {
  return program && (required || access(program, X_OK) == 0);
}

void pfft3d_hdf5_start(int argc, char *const *argv, const char *job) {
  static char self[4096]; /* ends with 0 */
  if (argc == 2 && argv && argv[1] && strcmp(argv[1], PF_CHILD_WORD) == 0) pf_child_main();
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  /* if the program is unknown, files are refused */
  pf_io_set_probe(length > 0 ? self : "");
  pf_io_set_job(job);
}

/* ---- The process -------------------------------------------------------------------------- */

typedef struct child {
  pid_t pid;        /* -1: no process */
  int from;         /* pipe of its replies; -1: closed */
  const char *file; /* for messages */
} child;

/* Moves a descriptor above the standard ones, of which some may be closed. */
static int move_up(int fd) {
  int high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  close(fd);
  return high;
}

enum { PIPE_BYTES = 1 << 20 };

static int make_pipe(int fd[2]) {
  if (pipe2(fd, O_CLOEXEC)) return 0;
  fd[0] = move_up(fd[0]);
  fd[1] = move_up(fd[1]);
#ifdef F_SETPIPE_SZ
  if (fd[1] >= 0) fcntl(fd[1], F_SETPIPE_SZ, PIPE_BYTES); /* may fail: it is then slower */
#endif
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
  char first[] = PF_CHILD_WORD;
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

/* Starts the child, after writing its request to the pipe, which can hold it. */
static int child_start(const pf_child_request *request, child *c, pfft3d_error *e) {
  int to[2], from[2], code = 0;
  *c = (child){-1, -1, request->d.file};
  if (!make_pipe(to)) return pf_fail(e, PFFT3D_ERR_INTERNAL, "no pipe: %s", strerror(errno));
  if (!make_pipe(from)) {
    code = errno;
    close(to[0]);
    close(to[1]);
    return pf_fail(e, PFFT3D_ERR_INTERNAL, "no pipe: %s", strerror(code));
  }
  fcntl(to[1], F_SETFL, O_NONBLOCK);
  if (write(to[1], request, sizeof *request) != (ssize_t)sizeof *request) code = EIO;
  if (!code) code = start(to[0], from[1], &c->pid);
  close(to[0]);
  close(to[1]);
  close(from[1]);
  c->from = from[0];
  if (!code) return PFFT3D_OK;
  c->pid = -1;
  close(c->from);
  if (!program[0]) pf_hint(e, "/proc says where this program is, and is not mounted");
  return pf_fail(e, PFFT3D_ERR_INTERNAL, "cannot start '%.200s', which inspects files: %s", program,
                 strerror(code));
}

/* Kills the child and waits for it; returns its status as waitpid() does, or -1. */
static int child_stop(child *c) {
  int how = -1;
  if (c->from >= 0) close(c->from);
  c->from = -1;
  if (c->pid < 0) return how;
  kill(c->pid, SIGKILL); /* no effect if it has ended */
  pid_t got;
  do got = waitpid(c->pid, &how, 0);
  while (got < 0 && errno == EINTR);
  if (got < 0) how = -1; /* the application ignores SIGCHLD */
  c->pid = -1;
  return how;
}

/* Reports a child that has closed its end of the pipe too early.  Normally it is about to exit;
 * after a second child_stop() kills it. */
static int child_died(child *c, pfft3d_error *e) {
  const struct timespec moment = {0, 5000000};
  int how = -1;
  pid_t got = 0;
  for (int k = 0; k < 200 && (got == 0 || (got < 0 && errno == EINTR)); k++) {
    if (k > 0) nanosleep(&moment, NULL);
    got = waitpid(c->pid, &how, WNOHANG);
  }
  if (got > 0) c->pid = -1; /* else child_stop() kills it */
  if (got > 0 && WIFSIGNALED(how)) {
    int number = WTERMSIG(how);
    const char *what =
        number == SIGXCPU || number == SIGALRM ? "takes too long for it" : "fails on it";
    return pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%.200s': the HDF5 library %s (signal %d)",
                   c->file, what, number);
  }
  return pf_fail(e, PFFT3D_ERR_DATA,
                 "cannot read '%.200s': the process that inspects it does not answer", c->file);
}

/* Milliseconds of the monotonic clock. */
static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Receives exactly that many bytes.  A file system may be slow, and a machine loaded: what a
 * damaged file costs is processor time, which the child limits. */
static int child_receive(child *c, void *to, size_t bytes, pfft3d_error *e) {
  int seconds = pf_hooks.patience ? pf_hooks.patience : PF_CHILD_WAIT_SECONDS;
  long long end = now() + seconds * 1000LL;
  for (size_t have = 0; have < bytes;) {
    struct pollfd p = {.fd = c->from, .events = POLLIN};
    long long left = end - now();
    if (left <= 0) {
      pf_hint(e, "its file system may be slow now: try again, or with a copy elsewhere");
      return pf_fail(e, PFFT3D_ERR_WATCHDOG,
                     "cannot read '%.200s': nothing has come from it for %d s", c->file, seconds);
    }
    int ready = poll(&p, 1, (int)left);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    ssize_t n = read(c->from, (char *)to + have, bytes - have);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return child_died(c, e);
    have += (size_t)n;
  }
  return PFFT3D_OK;
}

/* Receives the error that it reports; accepts only a valid status and terminated texts. */
static int child_error(child *c, pfft3d_error *e) {
  pfft3d_error reported;
  PF_TRY(child_receive(c, &reported, sizeof reported, e));
  reported.text[sizeof reported.text - 1] = reported.hint[sizeof reported.hint - 1] = 0;
  int known = reported.status >= PFFT3D_ERR_USAGE && reported.status <= PFFT3D_ERR_WATCHDOG;
  if (reported.hint[0]) pf_hint(e, "%s", reported.hint);
  return pf_fail(e, known ? reported.status : PFFT3D_ERR_DATA, "%s", reported.text);
}

/* Receives the type of a reply, which must be `wanted`. */
static int child_expect(child *c, char wanted, pfft3d_error *e) {
  char type;
  PF_TRY(child_receive(c, &type, 1, e));
  if (type == wanted) return PFFT3D_OK;
  if (type == PF_REPLY_ERROR) return child_error(c, e);
  return pf_fail(e, PFFT3D_ERR_DATA,
                 "cannot read '%.200s': the process that inspects it gives an invalid answer",
                 c->file);
}

static pf_child_request request_of(pf_child_task task, const pf_dataset *d) {
  pf_child_request request;
  memset(&request, 0, sizeof request); /* including padding, which is sent to another process */
  snprintf(request.version, sizeof request.version, "%s", pfft3d_version());
  request.bytes = sizeof request;
  request.task = task;
  memcpy(&request.d, d, sizeof request.d);
  return request;
}

/* ---- Inspection --------------------------------------------------------------------------- */

/* Nonzero if the selected elements are in the contiguous data, and the data in the file. */
static int is_inside(const pf_dataset *d, long long file_size) {
  const pf_stored *s = &d->stored;
  const pf_number *number = pf_number_at(s->number);
  size_t last = (size_t)s->first, along;
  if (!number || s->first < 0 || s->offset < 0 || s->bytes < 0) return 0;
  for (int a = 0; a < pf_io_axes(d->dims); a++)
    if (s->pitch[a] < 1 || pf_mul((size_t)(d->n[a] - 1), (size_t)s->pitch[a], &along) ||
        along > PTRDIFF_MAX || (last += along) > PTRDIFF_MAX)
      return 0;
  size_t element = number->bytes * (d->is_complex ? 2 : 1);
  return last < (size_t)s->bytes / element && s->bytes <= file_size &&
         s->offset <= file_size - s->bytes;
}

/* Nonzero if the reported size and location of the data are possible. */
static int is_possible(const pf_dataset *d, long long file_size) {
  size_t bytes = 2 * sizeof(double);
  if (d->dims < 1 || d->dims > d->most || (d->is_complex != 0 && d->is_complex != 1)) return 0;
  for (int a = 0; a < pf_io_axes(d->dims); a++)
    if (d->n[a] < 1 || (a < pf_io_axes(d->dims) - d->dims && d->n[a] != 1) ||
        pf_mul(bytes, (size_t)d->n[a], &bytes) || bytes > PTRDIFF_MAX)
      return 0;
  return d->stored.number < 0 ? d->stored.number == -1 : is_inside(d, file_size);
}

/* Nonzero if a text is terminated and printable. */
static int is_text(const char *text, size_t size) {
  if (!memchr(text, 0, size)) return 0;
  for (; *text; text++)
    if ((unsigned char)*text < ' ') return 0;
  return 1;
}

static int are_names(const pf_dataset *d) {
  int ok = 1;
  for (int a = 0; a < PF_IO_DIMS; a++)
    ok = ok && is_text(d->axis[a], sizeof d->axis[a]) && !strchr(d->axis[a], '/') &&
         is_text(d->units[a], sizeof d->units[a]);
  return ok;
}

/* Checks the reported dataset and copies it field by field. */
static int accept_dataset(const pf_dataset *reported, pf_dataset *d, pfft3d_error *e) {
  struct stat st;
  long long file[5];
  PF_TRY(pf_io_stat(d->file, &st, e));
  pf_io_fingerprint(&st, file);
  PF_CHECK(memcmp(file, reported->stored.fingerprint, sizeof file) == 0, e, PFFT3D_ERR_DATA,
           "cannot read '%.200s': it changes while it is read", d->file);
  PF_CHECK(memchr(reported->path, 0, sizeof reported->path) && reported->path[0] &&
               (!d->path[0] || strcmp(d->path, reported->path) == 0) &&
               is_text(reported->type, sizeof reported->type) && reported->most == d->most &&
               are_names(reported) && is_possible(reported, file[2]) &&
               pf_packing_possible(&reported->packing),
           e, PFFT3D_ERR_DATA, "cannot read '%.200s': its description is inconsistent", d->file);
  snprintf(d->path, sizeof d->path, "%s", reported->path);
  snprintf(d->type, sizeof d->type, "%s", reported->type);
  d->dims = reported->dims;
  d->is_complex = reported->is_complex;
  d->unwritten = reported->unwritten != 0;
  memcpy(d->n, reported->n, sizeof d->n);
  memcpy(d->axis, reported->axis, sizeof d->axis);
  memcpy(d->units, reported->units, sizeof d->units);
  d->packing = reported->packing;
  d->stored = reported->stored;
  return PFFT3D_OK;
}

/* Inspects a file, in another process or in this one. */
static int inspect(const pf_dataset *d, pf_dataset *found, pfft3d_error *e) {
  if (!have_program()) {
    pf_h5_handles open;
    PF_CHECK(!d->filters[0], e, PFFT3D_ERR_UNAVAILABLE,
             "cannot load filters for '%.200s': the program pfft3d, which does so, is missing",
             d->file);
    memcpy(found, d, sizeof *found);
    PF_TRY(pf_h5_inspect(found, &open, e));
    pf_h5_close(&open);
    return PFFT3D_OK;
  }
  child c;
  pf_child_request request = request_of(PF_TASK_INSPECT, d);
  PF_TRY(child_start(&request, &c, e));
  if (!child_expect(&c, PF_REPLY_DATASET, e)) child_receive(&c, found, sizeof *found, e);
  child_stop(&c);
  return e->status;
}

int pf_probe_hdf5(pf_dataset *d, pfft3d_error *e) {
  pf_dataset found = {.file = ""};
  PF_TRY(inspect(d, &found, e));
  return accept_dataset(&found, d, e);
}

/* ---- Attributes --------------------------------------------------------------------------- */

static int receive_image(child *c, void **image, size_t *bytes, pfft3d_error *e) {
  PF_TRY(child_expect(c, PF_REPLY_ATTRIBUTES, e));
  PF_TRY(child_receive(c, bytes, sizeof *bytes, e));
  PF_CHECK(*bytes > 0 && *bytes <= PF_H5_IMAGE_BYTES, e, PFFT3D_ERR_DATA,
           "cannot read '%.200s': the process that inspects it gives an invalid answer", c->file);
  *image = malloc(*bytes);
  PF_CHECK(*image, e, PFFT3D_ERR_MEMORY, "not enough memory for attributes");
  return child_receive(c, *image, *bytes, e);
}

int pf_probe_image(const pf_dataset *d, void **image, size_t *bytes, pfft3d_error *e) {
  struct stat st;
  child c;
  *image = NULL;
  PF_TRY(pf_io_stat(d->file, &st, e));
  pf_child_request request = request_of(PF_TASK_ATTRIBUTES, d);
  if (!have_program()) return pf_h5_image(&request.d, image, bytes, e);
  PF_TRY(child_start(&request, &c, e));
  receive_image(&c, image, bytes, e);
  child_stop(&c);
  if (!e->status) return PFFT3D_OK;
  free(*image);
  *image = NULL;
  return e->status;
}

int pf_probe_attribute(const pf_dataset *d, const char *name, char *text, size_t size,
                       pfft3d_error *e) {
  void *image;
  size_t bytes;
  hid_t file, group;
  PF_TRY(pf_probe_image(d, &image, &bytes, e));
  if (!pf_h5_open_image(image, bytes, &file, &group, e)) {
    pf_h5_read_text(group, name, text, size, e);
    H5Gclose(group);
    H5Fclose(file);
  }
  free(image);
  return e->status;
}

/* ---- The data ----------------------------------------------------------------------------- */

struct pf_probe_reader {
  int local; /* nonzero: decoded in this process */
  pf_h5_decoding decoding;
  child other;
};

pf_probe_reader *pf_probe_read_begin(const pf_dataset *d, const pf_io_element *x,
                                     const pf_io_box *box, pf_io_rounds *rounds, pfft3d_error *e) {
  pf_probe_reader *r = calloc(1, sizeof *r);
  if (!r) {
    pf_fail(e, PFFT3D_ERR_MEMORY, "not enough memory to read '%.200s'", d->file);
    return NULL;
  }
  r->local = !have_program();
  if (r->local) {
    *rounds = pf_io_split_box(box, x->bytes, SIZE_MAX);
    pf_h5_decode_begin(d, pf_h5_memory_type(x), &r->decoding, e);
  } else {
    pf_child_request request = request_of(PF_TASK_READ, d);
    request.precision = x->part_bytes == sizeof(float) ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
    request.numbers = x->parts == 1 ? PFFT3D_REAL : PFFT3D_COMPLEX;
    request.box = *box;
    request.round_bytes = pf_io_round_bytes();
    *rounds = pf_io_split_box(box, x->bytes, PF_CHILD_READ_BYTES);
    child_start(&request, &r->other, e);
  }
  if (e->status) {
    free(r);
    return NULL;
  }
  r->other.file = d->file;
  return r;
}

int pf_probe_read(pf_probe_reader *r, const pf_io_round *p, size_t bytes, void *to,
                  pfft3d_error *e) {
  if (r->local) return pf_h5_decode(&r->decoding, p, to, e);
  PF_TRY(child_expect(&r->other, PF_REPLY_DATA, e));
  return child_receive(&r->other, to, bytes, e);
}

void pf_probe_read_end(pf_probe_reader **reader) {
  pf_probe_reader *r = *reader;
  *reader = NULL;
  if (!r) return;
  if (r->local)
    pf_h5_decode_end(&r->decoding);
  else
    child_stop(&r->other);
  free(r);
}
