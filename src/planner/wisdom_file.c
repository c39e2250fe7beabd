/* SPDX-License-Identifier: BSD-3-Clause
 * Wisdom files: which of them are trusted, and how concurrent writers replace one without losing
 * entries.
 *
 * A file is read only if no other user than its owner and root can have written it, and the owner
 * is this user or root.  It is never changed in place: a temporary file is written, synced and
 * renamed, so that readers, which take no lock, see the old file or the new one.  Writers hold a
 * lock on FILE.lock while they read, merge and replace. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/temporary.h"
#include "planner/wisdom.h"

/* The real path of a file. */
typedef struct real_path {
  const char *name;    /* as given by the user */
  char path[PATH_MAX]; /* with symbolic links resolved */
} real_path;

/* Reports one line to the user; control characters in names are replaced. */
__attribute__((format(printf, 2, 3))) static void notice(pfft3d_wisdom *w, const char *format,
                                                         ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(w->notice, sizeof w->notice, format, args);
  va_end(args);
  for (char *p = w->notice; *p; p++)
    if ((unsigned char)*p < ' ') *p = '?';
}

/* ---- trust ---- */

/* In a sticky directory only owners can rename and remove. */
static int check_owner(const char *what, const char *name, const struct stat *s, pfft3d_error *e) {
  int sticky = S_ISDIR(s->st_mode) && s->st_mode & S_ISVTX;
  if (s->st_uid != geteuid() && s->st_uid != 0) {
    pf_hint(e, "wisdom is taken from its user and from root only");
    return pf_fail(e, PFFT3D_ERR_PERMISSION, "wisdom '%.200s' is refused: %s belongs to user %ld",
                   name, what, (long)s->st_uid);
  }
  if (s->st_mode & (S_IWGRP | S_IWOTH) && !sticky) {
    pf_hint(e, "chmod go-w takes that right away");
    return pf_fail(e, PFFT3D_ERR_PERMISSION, "wisdom '%.200s' is refused: others may write to %s",
                   name, what);
  }
  return PFFT3D_OK;
}

static int check_folder(const char *name, const char *folder, pfft3d_error *e) {
  struct stat s;
  if (stat(folder, &s))
    return pf_fail(e, PFFT3D_ERR_IO, "wisdom '%.150s': cannot look at its directory: %s", name,
                   strerror(errno));
  return check_owner("its directory", name, &s, e);
}

/* The directory of a name, "." if it has none. */
static void folder_of(const char *name, char folder[PATH_MAX]) {
  const char *slash = strrchr(name, '/');
  size_t length = slash ? (size_t)(slash - name) : 0;
  snprintf(folder, PATH_MAX, "%.*s", (int)(length ? length : 1), slash ? name : ".");
}

/* Finds the path of the file, which may not exist; both directories must be trusted if it is a
 * link. Returns nonzero if its directory exists. */
static int find_path(const char *name, real_path *p, pfft3d_error *e) {
  char folder[PATH_MAX];
  struct stat s;
  p->name = name;
  if (strlen(name) + 32 >= PATH_MAX) {
    pf_fail(e, PFFT3D_ERR_IO, "wisdom '%.100s...': the name is too long", name);
    return 0;
  }
  folder_of(name, folder);
  if (stat(folder, &s) && (errno == ENOENT || errno == ENOTDIR)) return 0;
  if (check_folder(name, folder, e)) return 0;
  if (!realpath(name, p->path)) {
    if (errno != ENOENT)
      return !pf_fail(e, errno == EACCES ? PFFT3D_ERR_PERMISSION : PFFT3D_ERR_IO,
                      "wisdom '%.150s': %s", name, strerror(errno));
    if (!lstat(name, &s)) /* a dangling link: writing would create an unknown file */
      return !pf_fail(e, PFFT3D_ERR_IO, "wisdom '%.150s' is a link to nothing", name);
    snprintf(p->path, sizeof p->path, "%s", name);
  }
  folder_of(p->path, folder);
  return !check_folder(name, folder, e);
}

/* ---- reading ---- */

/* Reads a file, at most one byte beyond the limit; returns its length, or -1 with errno. */
static ssize_t read_all(int file, char *text) {
  size_t used = 0;
  ssize_t got;
  do {
    got = read(file, text + used, PF_WISDOM_BYTES + 1 - used);
    if (got > 0) used += (size_t)got;
  } while (got > 0 || (got < 0 && errno == EINTR));
  return got < 0 ? -1 : (ssize_t)used;
}

/* Dates in the future are due to a wrong clock: such entries would stay for ever. */
static void correct_dates(pfft3d_wisdom *w) {
  char now[sizeof w->entry->date];
  pf_wisdom_now(now);
  for (int i = 0; i < w->count; i++)
    if (strcmp(w->entry[i].date, now) > 0) memcpy(w->entry[i].date, now, sizeof now);
}

static int read_open(int file, const char *name, pfft3d_wisdom *w, pf_wisdom_verdict *v,
                     pfft3d_error *e) {
  struct stat s;
  v->state = PF_WISDOM_FOREIGN;
  if (fstat(file, &s))
    return pf_fail(e, PFFT3D_ERR_IO, "cannot read wisdom '%.150s': %s", name, strerror(errno));
  v->mode = s.st_mode & 0777;
  if (!S_ISREG(s.st_mode)) {
    snprintf(v->why, sizeof v->why, "it is no regular file");
    return PFFT3D_OK;
  }
  PF_TRY(check_owner("it", name, &s, e));
  char *text = malloc(PF_WISDOM_BYTES + 1);
  if (!text) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a file of wisdom");
  ssize_t length = read_all(file, text);
  if (length < 0)
    pf_fail(e, PFFT3D_ERR_IO, "cannot read wisdom '%.150s': %s", name, strerror(errno));
  else
    pf_wisdom_parse(text, (size_t)length, w, v, e);
  correct_dates(w);
  free(text);
  return e->status;
}

/* Adds the entries of a file to *w.  Does not block on a pipe. */
static int read_entries(const real_path *p, pfft3d_wisdom *w, pf_wisdom_verdict *v,
                        pfft3d_error *e) {
  int file = open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0 && errno == ENOENT) return PFFT3D_OK;
  if (file < 0)
    return pf_fail(e, errno == EACCES ? PFFT3D_ERR_PERMISSION : PFFT3D_ERR_IO,
                   "cannot open wisdom '%.150s': %s", p->name, strerror(errno));
  read_open(file, p->name, w, v, e);
  close(file);
  return e->status;
}

/* Entries of other machines or versions are unusable here, but are kept. */
pf_wisdom_state pf_wisdom_load(const char *name, pfft3d_wisdom *w, pfft3d_error *e) {
  real_path p;
  pf_wisdom_verdict v = {0};
  char machine[sizeof w->entry->question], *its;
  int ours = 0;
  if (find_path(name, &p, e)) read_entries(&p, w, &v, e);
  if (e->status) return v.state;
  pf_wisdom_machine(machine, sizeof machine);
  for (int i = 0; i < w->count; i++)
    ours += (its = strstr(w->entry[i].question, PF_WISDOM_MACHINE)) && !strcmp(its, machine);
  if (v.state == PF_WISDOM_ABSENT)
    notice(w, "there is no wisdom '%.200s'", name);
  else if (v.state != PF_WISDOM_WHOLE)
    notice(w, "wisdom '%.180s' is ignored: %s", name, v.why);
  else if (w->count && !ours)
    notice(w,
           "wisdom '%.140s' has nothing for this processor with these versions of pfft3d, MPI "
           "and FFTW",
           name);
  return v.state;
}

/* Rank 0 needs a file name, all ranks need wisdom. */
static int check_names(MPI_Comm comm, const char *file, const pfft3d_wisdom *w, pfft3d_error *e) {
  if (!file || !w)
    pf_fail(e, PFFT3D_ERR_USAGE, "wisdom: the %s is NULL", w ? "name of its file" : "object");
  return pf_agree(comm, e);
}

int pfft3d_wisdom_read(MPI_Comm comm, const char *file, pfft3d_wisdom *wisdom,
                       pfft3d_error *error) {
  pfft3d_error e = {0};
  pfft3d_wisdom found = {0};
  int rank;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  if (check_names(comm, file, wisdom, &e)) return pf_error_out(&e, error);
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) pf_wisdom_load(file, &found, &e);
  if (!pf_agree(comm, &e)) {
    pf_mpi(&e, MPI_Bcast(&found.count, 1, MPI_INT, 0, comm), "MPI_Bcast");
    if (rank != 0 && found.count) found.entry = malloc((size_t)found.count * sizeof *found.entry);
    if (found.count && !found.entry) pf_fail(&e, PFFT3D_ERR_MEMORY, "no memory for wisdom");
    pf_agree(comm, &e);
  }
  if (!e.status) {
    int bytes = found.count * (int)sizeof *found.entry;
    pf_mpi(&e, MPI_Bcast(found.notice, sizeof found.notice, MPI_CHAR, 0, comm), "MPI_Bcast");
    pf_mpi(&e, MPI_Bcast(found.entry, bytes, MPI_BYTE, 0, comm), "MPI_Bcast");
    memcpy(wisdom->notice, found.notice, sizeof wisdom->notice);
    for (int i = 0; i < found.count && !e.status; i++) pf_wisdom_put(wisdom, &found.entry[i], &e);
    pf_agree(comm, &e);
  }
  free(found.entry);
  return pf_error_out(&e, error);
}

/* ---- writing ---- */

/* Opens and locks the lock file of writers; -1 on failure.  Its holder removes it, so it must still
 * exist after it is locked.  On file systems without locks wisdom is written without one: two
 * concurrent writers may then lose one of their entries. */
static int lock(const real_path *p, char name[PATH_MAX], pfft3d_error *e) {
  enum { TRIES = 1500 };
  const struct timespec moment = {0, 20000000};
  struct stat mine, there;
  snprintf(name, PATH_MAX, "%.*s.lock", PATH_MAX - 6, p->path);
  for (int i = 0; i < TRIES; i++) {
    int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) {
      pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot write wisdom '%.150s': its lock: %s", p->name,
              strerror(errno));
      return -1;
    }
    int free_now = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (free_now && !fstat(file, &mine) && !stat(name, &there) && mine.st_ino == there.st_ino &&
        mine.st_dev == there.st_dev)
      return file;
    close(file);
    nanosleep(&moment, NULL);
  }
  pf_fail(e, PFFT3D_ERR_OUTPUT,
          "cannot write wisdom '%.150s': another program has held its lock "
          "for %d s",
          p->name, (int)(TRIES * (moment.tv_nsec / 1000000) / 1000));
  pf_hint(e, "if there is none, remove '%.150s'", name);
  return -1;
}

static int write_all(int file, const char *text, size_t length) {
  while (length > 0) {
    ssize_t done = write(file, text, length);
    if (done < 0 && errno != EINTR) return -1;
    if (done > 0) text += done, length -= (size_t)done;
  }
  return 0;
}

/* Creates a new temporary file in the same directory and registers it; -1 with errno. */
static int create_neighbour(const real_path *p, char name[PATH_MAX], int *slot) {
  struct stat there;
  for (unsigned k = 0, mine = (unsigned)getpid(); k < 1000; k++) {
    snprintf(name, PATH_MAX, "%.*s.pfft3d-%06u", PATH_MAX - 32, p->path, (mine + k) % 1000000);
    if (lstat(name, &there) == 0) continue;
    *slot = pf_temporary_add(name);
    int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0) return file;
    pf_temporary_drop(*slot);
    if (errno != EEXIST && errno != EINTR) return -1;
  }
  return -1;
}

/* Replaces the file by a text, or only checks if that is possible (NULL). */
static int replace(const real_path *p, mode_t mode, const char *text, size_t length,
                   pfft3d_error *e) {
  char temporary[PATH_MAX];
  int slot = -1, file = create_neighbour(p, temporary, &slot);
  if (file < 0)
    return pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot write wisdom '%.150s': %s", p->name,
                   strerror(errno));
  int failed = 0;
  if (text) failed = fchmod(file, mode) || write_all(file, text, length) || fsync(file);
  int code = errno;
  if (close(file) && !failed) failed = 1, code = errno;
  if (text && !failed && rename(temporary, p->path)) failed = 1, code = errno;
  if (failed || !text) unlink(temporary);
  pf_temporary_drop(slot);
  if (failed)
    return pf_fail(e, PFFT3D_ERR_IO, "cannot write wisdom '%.150s': %s", p->name, strerror(code));
  return PFFT3D_OK;
}

/* Nonzero if a is older.  This process's own timing is newer than entries of files, whatever their
 * dates. */
static int is_older(const pf_wisdom_entry *a, const pf_wisdom_entry *b) {
  return a->own != b->own ? b->own : strcmp(a->date, b->date) < 0;
}

/* Removes the oldest entries so that the list fits its limit. */
static void forget_oldest(pfft3d_wisdom *w) {
  while (w->count > PF_WISDOM_MOST) {
    int oldest = 0;
    for (int i = 1; i < w->count; i++)
      if (is_older(&w->entry[i], &w->entry[oldest])) oldest = i;
    w->entry[oldest] = w->entry[--w->count];
  }
}

/* With the lock held: adds the new entries to those of the file. */
static void update(const real_path *p, pfft3d_wisdom *w, pfft3d_error *e) {
  pfft3d_wisdom all = {0};
  pf_wisdom_verdict v = {.mode = 0600};
  size_t length = 0;
  char *text = NULL;
  read_entries(p, &all, &v, e);
  if (!e->status && v.state == PF_WISDOM_FOREIGN)
    pf_fail(e, PFFT3D_ERR_OUTPUT, "'%.150s' is not replaced by wisdom: %s", p->name, v.why);
  if (!e->status && v.state == PF_WISDOM_DAMAGED)
    notice(w, "wisdom '%.160s' begins anew: %s", p->name, v.why);
  for (int i = 0; i < w->count; i++) pf_wisdom_put(&all, &w->entry[i], e);
  forget_oldest(&all);
  if (w->count && !e->status && !(text = pf_wisdom_print(&all, &length)))
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %d entries of wisdom", all.count);
  if (!e->status) replace(p, v.mode, text, length, e);
  free(text);
  free(all.entry);
}

/* Rank 0's part of writing. */
static void write_file(const char *name, pfft3d_wisdom *w, pfft3d_error *e) {
  real_path p;
  char lock_name[PATH_MAX];
  w->notice[0] = 0;
  if (!find_path(name, &p, e)) {
    pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot write wisdom '%.150s': its directory is not there", name);
    return;
  }
  int file = lock(&p, lock_name, e);
  if (file < 0) return;
  int slot = pf_temporary_add(lock_name); /* the lock file is ours now */
  update(&p, w, e);
  pf_temporary_drop(slot); /* first: a signal must not remove the next writer's file */
  unlink(lock_name);
  close(file);
}

int pfft3d_wisdom_write(MPI_Comm comm, const char *file, pfft3d_wisdom *wisdom,
                        pfft3d_error *error) {
  pfft3d_error e = {0};
  int rank;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  if (check_names(comm, file, wisdom, &e)) return pf_error_out(&e, error);
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) write_file(file, wisdom, &e);
  if (!pf_agree(comm, &e)) MPI_Bcast(wisdom->notice, sizeof wisdom->notice, MPI_CHAR, 0, comm);
  return pf_error_out(&e, error);
}

int pfft3d_wisdom_read_f(const pfft3d_fint *comm, const char *file, pfft3d_wisdom *wisdom,
                         pfft3d_error *error) {
  return pfft3d_wisdom_read(pf_comm_f(comm), file, wisdom, error);
}

int pfft3d_wisdom_write_f(const pfft3d_fint *comm, const char *file, pfft3d_wisdom *wisdom,
                          pfft3d_error *error) {
  return pfft3d_wisdom_write(pf_comm_f(comm), file, wisdom, error);
}
