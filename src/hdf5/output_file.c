/* SPDX-License-Identifier: BSD-3-Clause
 * Output: the temporary file that rank 0 creates: its name, its space, its datasets. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fallocate */
#endif
#include "hdf5/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/memory.h"

enum { SUFFIX = 6, TRIES = 100, METADATA = 1 << 16 };

/* ---- Names -------------------------------------------------------------------------------- */

void pf_output_directory(const char *file, char out[PF_IO_FILE]) {
  const char *slash = strrchr(file, '/');
  size_t length = slash ? (size_t)(slash - file) : 0;
  if (slash && length == 0) length = 1; /* the root */
  snprintf(out, PF_IO_FILE, "%.*s", length ? (int)length : 1, length ? file : ".");
}

/* The type of a file that is not a regular one. */
static const char *type_of(const struct stat *st) {
  return S_ISREG(st->st_mode)    ? NULL
         : S_ISDIR(st->st_mode)  ? "a directory"
         : S_ISFIFO(st->st_mode) ? "a FIFO"
         : S_ISLNK(st->st_mode)  ? NULL /* NULL: a dangling link is replaced */
                                 : "a device or socket";
}

/* Checks an existing file of the final name.  A link is followed, so that its target is
 * replaced. */
static int check_final(pfft3d_output *o, const pf_dataset *source, pfft3d_error *e) {
  struct stat mine, other;
  char *real = realpath(o->file, NULL);
  if (real && strlen(real) < sizeof o->file && lstat(o->file, &mine) == 0 && S_ISLNK(mine.st_mode))
    snprintf(o->file, sizeof o->file, "%s", real);
  free(real);
  if (lstat(o->file, &mine)) {
    PF_CHECK(errno != ENAMETOOLONG, e, PFFT3D_ERR_OUTPUT, "cannot create '%.200s': %s", o->file,
             strerror(ENAMETOOLONG));
    return PFFT3D_OK; /* it does not exist: creating the temporary file shows errors */
  }
  if (source && !o->into && stat(source->file, &other) == 0 && mine.st_dev == other.st_dev &&
      mine.st_ino == other.st_ino) {
    pf_hint(e, "write to another file");
    return pf_fail(e, PFFT3D_ERR_USAGE, "cannot write '%.200s': it is the input", o->file);
  }
  PF_CHECK(!type_of(&mine), e, PFFT3D_ERR_OUTPUT,
           "cannot write '%.200s': it is %s, not a regular file", o->file, type_of(&mine));
  if (o->into) return PFFT3D_OK;
  if (!o->overwrite) pf_hint(e, "--force, or overwrite in the library, replaces it");
  PF_CHECK(o->overwrite, e, PFFT3D_ERR_OUTPUT, "cannot create '%.200s': it exists", o->file);
  return PFFT3D_OK;
}

/* Chooses an unused name for the temporary file. */
static void choose_temporary(pfft3d_output *o) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
  char suffix[SUFFIX + 1] = "";
  struct stat there;
  const char *slash = strrchr(o->file, '/'), *base = slash ? slash + 1 : o->file;
  for (int k = 0; k < TRIES; k++) {
    unsigned char r[SUFFIX];
    if (getrandom(r, sizeof r, 0) != sizeof r) memset(r, k, sizeof r);
    for (int c = 0; c < SUFFIX; c++) suffix[c] = letters[r[c] % 32];
    snprintf(o->temporary, sizeof o->temporary, "%.*s.%.200s.pfft3d-%s", (int)(base - o->file),
             o->file, base, suffix);
    if (lstat(o->temporary, &there)) return;
  }
}

/* Creates the temporary file, which must not exist, with the permissions of the user's mask. */
static int create_temporary(pfft3d_output *o, pfft3d_error *e) {
  char directory[PF_IO_FILE];
  do {
    o->fd = open(o->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  } while (o->fd < 0 && errno == EINTR);
  if (o->fd >= 0) return PFFT3D_OK;
  int code = errno;
  pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot create '%.200s': %s", o->file, strerror(code));
  pf_output_directory(o->file, directory);
  if (code == ENOENT) /* also in directories of the kernel, such as /proc */
    pf_hint(e,
            access(directory, F_OK) ? "the directory '%.150s' must exist"
                                    : "no files can be created in '%.150s'",
            directory);
  return e->status;
}

/* ---- Space -------------------------------------------------------------------------------- */

static int no_space(const pfft3d_output *o, double bytes, double room, int code, pfft3d_error *e) {
  char need[32], have[32], directory[PF_IO_FILE];
  pf_output_directory(o->file, directory);
  if (room >= 0) pf_hint(e, "%s free in %.100s; write elsewhere", pf_bytes(room, have), directory);
  return pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot reserve %s for '%.200s': %s", pf_bytes(bytes, need),
                 o->file, strerror(code));
}

/* Bytes of the file system that are free for this user; negative if unknown. */
static double free_bytes(int fd) {
  struct statvfs fs;
  if (fstatvfs(fd, &fs) || fs.f_blocks == 0) return -1;
  return (double)(geteuid() == 0 ? fs.f_bfree : fs.f_bavail) * (double)fs.f_frsize;
}

/* Reserves the first `bytes` of the file.  If the file system does not support that, the C library
 * would write zeros instead; here the earlier check of free_bytes() must suffice. */
static int reserve(int fd, off_t bytes) {
  int code;
  do {
#ifdef __linux__
    code = fallocate(fd, 0, 0, bytes) ? errno : 0;
#else
    code = posix_fallocate(fd, 0, bytes);
#endif
  } while (code == EINTR);
  if (code == EOPNOTSUPP || code == ENOSYS ||
      code == EINVAL) /* at least checks the limit of file sizes */
    code = ftruncate(fd, bytes) ? errno : 0;
  return code;
}

/* ---- Creation, by rank 0 alone ------------------------------------------------------------ */

int pf_output_check(const pfft3d_output *o, int status, pfft3d_error *e) {
  struct stat by_fd, by_name;
  PF_CHECK(fstat(o->fd, &by_fd) == 0 && lstat(o->temporary, &by_name) == 0 &&
               by_fd.st_dev == by_name.st_dev && by_fd.st_ino == by_name.st_ino,
           e, status, "cannot write '%.200s': its temporary file was removed or replaced", o->file);
  return PFFT3D_OK;
}

/* Bytes of the current dataset. */
static int count_bytes(const pfft3d_output *o, size_t *bytes, pfft3d_error *e) {
  *bytes = o->element.bytes;
  for (int a = 0; a < pf_io_axes(o->dims); a++)
    PF_CHECK(!pf_mul(*bytes, (size_t)o->n[a], bytes) && *bytes < PTRDIFF_MAX - METADATA, e,
             PFFT3D_ERR_USAGE, "cannot write '%.200s': its size overflows", o->file);
  return PFFT3D_OK;
}

int pf_output_prepare(pfft3d_output *o, const pfft3d_output_spec *spec, pfft3d_error *e) {
  size_t bytes;
  PF_TRY(count_bytes(o, &bytes, e));
  PF_TRY(check_final(o, spec->source ? &spec->source->found : NULL, e));
  choose_temporary(o);
  return PFFT3D_OK;
}

/* Bytes of the scales of a specification in a file, at most. */
static size_t scale_bytes(const pfft3d_output_spec *spec) {
  size_t bytes = 0;
  for (int a = 0; a < pf_io_axes(spec->dims) && spec->axes; a++)
    bytes += (size_t)spec->extent[a] * sizeof(double);
  return bytes;
}

/* A dataset after the first `used` bytes of the file. */
static int make_dataset(pfft3d_output *o, const pfft3d_output_spec *spec, off_t used,
                        pfft3d_error *e) {
  struct stat st;
  size_t bytes;
  PF_TRY(count_bytes(o, &bytes, e));
  size_t more = METADATA + scale_bytes(spec);
  double room = free_bytes(o->fd), need = (double)bytes + (double)more;
  if (room >= 0 && need > room) return no_space(o, need, room, ENOSPC, e);
  /* HDF5 truncates the file again.  But if HDF5 cannot close a file for lack of space or quota, it
   * crashes at the end of the program: so space is checked first. */
  int code = reserve(o->fd, used + (off_t)bytes + (off_t)more);
  if (code) return no_space(o, need, room, code, e);
  PF_TRY(pf_output_check(o, PFFT3D_ERR_OUTPUT, e));
  PF_TRY(o->format->create(o, spec, used == 0, e));
  o->written = -1; /* from here on a failure leaves a dataset without elements */
  PF_TRY(pf_output_check(o, PFFT3D_ERR_OUTPUT, e));
  code = fstat(o->fd, &st) ? errno : reserve(o->fd, st.st_size);
  if (code) return no_space(o, need, room, code, e);
  o->written = 0;
  return PFFT3D_OK;
}

/* Copies the file that a dataset is added to; *bytes are its own, 0 if it does not exist. */
static int copy_file(pfft3d_output *o, off_t *bytes, pfft3d_error *e) {
  struct stat st;
  ssize_t got = 1;
  int from = open(o->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  *bytes = 0;
  if (from < 0 && errno == ENOENT) return PFFT3D_OK;
  PF_CHECK(from >= 0, e, PFFT3D_ERR_OUTPUT, "cannot read '%.200s': %s", o->file, strerror(errno));
  int known = fstat(from, &st) == 0;
  if (known) pf_io_fingerprint(&st, o->copied);
  if (known && reserve(o->fd, st.st_size) == 0)
    while (*bytes < st.st_size && got > 0) {
      got = copy_file_range(from, NULL, o->fd, NULL, (size_t)(st.st_size - *bytes), 0);
      if (got < 0 && errno == EINTR)
        got = 1;
      else if (got > 0)
        *bytes += got;
    }
  int whole = *bytes == st.st_size;
  if (!whole) pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot copy '%.200s': %s", o->file, strerror(errno));
  close(from);
  PF_CHECK(!whole || pf_io_is_hdf5(o->file), e, PFFT3D_ERR_OUTPUT,
           "cannot write into '%.200s': it is not an HDF5 file", o->file);
  return e->status;
}

int pf_output_create_file(pfft3d_output *o, const pfft3d_output_spec *spec, pfft3d_error *e) {
  off_t used = 0;
  PF_TRY(create_temporary(o, e));
  if (o->into) PF_TRY(copy_file(o, &used, e));
  return make_dataset(o, spec, used, e);
}

int pf_output_add_dataset(pfft3d_output *o, const pfft3d_output_spec *spec, pfft3d_error *e) {
  struct stat st;
  PF_CHECK(fstat(o->fd, &st) == 0, e, PFFT3D_ERR_IO, "cannot write '%.200s': %s", o->file,
           strerror(errno));
  return make_dataset(o, spec, st.st_size, e);
}
