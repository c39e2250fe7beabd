/* SPDX-License-Identifier: BSD-3-Clause
 * Output: a file that is complete, or does not exist.
 *
 * Rank 0 creates the file alone, under a temporary name in the same directory, and reserves all its
 * space before anything is computed: on a full disk a parallel write was seen to hang, or to lose
 * data and report success, which no later check would find.  Then all ranks open and write it. When
 * every rank has closed it, rank 0 renames it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fallocate, renameat2 */
#endif
#include "hdf5/probe.h"

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
#include "base/temporary.h"
#include "hdf5/sidecar.h"

enum { SUFFIX = 6, TRIES = 100, METADATA = 1 << 16 };

struct pfft3d_output {
  MPI_Comm comm;
  int fd;   /* of the temporary file, on rank 0; else -1 */
  int slot; /* of the temporary file, in the list of temporary files */
  pf_sidecar sidecar;
  int written; /* writes that succeeded; negative after one that did not */
  int overwrite, dims;
  pf_h5_element element;
  ptrdiff_t n[3];
  char file[PF_IO_FILE], path[PF_IO_PATH];
  char temporary[PF_IO_FILE + 256];
};

/* ---- Names -------------------------------------------------------------------------------- */

/* The directory of a file, "." if none is named. */
static void directory_of(const char *file, char out[PF_IO_FILE]) {
  const char *slash = strrchr(file, '/');
  size_t length = slash ? (size_t)(slash - file) : 0;
  if (slash && length == 0) length = 1; /* the root */
  snprintf(out, PF_IO_FILE, "%.*s", length ? (int)length : 1, length ? file : ".");
}

/* What a file is, if it is not a regular one. */
static const char *kind_of(const struct stat *st) {
  return S_ISREG(st->st_mode)    ? NULL
         : S_ISDIR(st->st_mode)  ? "a directory"
         : S_ISFIFO(st->st_mode) ? "a FIFO"
         : S_ISLNK(st->st_mode)  ? NULL /* a dangling link is replaced */
                                 : "a device or socket";
}

/* Checks what exists under the final name.  A link is followed, so that the file it points to is
 * the one replaced. */
static int check_final(pfft3d_output *o, const pf_dataset *source, pfft3d_error *e) {
  struct stat mine, other;
  char *real = realpath(o->file, NULL);
  if (real && strlen(real) < sizeof o->file && lstat(o->file, &mine) == 0 && S_ISLNK(mine.st_mode))
    snprintf(o->file, sizeof o->file, "%s", real);
  free(real);
  if (lstat(o->file, &mine)) {
    PF_CHECK(errno != ENAMETOOLONG, e, PFFT3D_ERR_OUTPUT, "cannot create '%.200s': %s", o->file,
             strerror(ENAMETOOLONG));
    return PFFT3D_OK; /* it does not exist: creating it will show whether it can */
  }
  if (source && stat(source->file, &other) == 0 && mine.st_dev == other.st_dev &&
      mine.st_ino == other.st_ino) {
    pf_hint(e, "write to another file");
    return pf_fail(e, PFFT3D_ERR_USAGE, "cannot write '%s': it is the input", o->file);
  }
  PF_CHECK(!kind_of(&mine), e, PFFT3D_ERR_OUTPUT, "cannot write '%s': it is %s, not a regular file",
           o->file, kind_of(&mine));
  if (!o->overwrite) pf_hint(e, "--force overwrites it");
  PF_CHECK(o->overwrite, e, PFFT3D_ERR_OUTPUT, "cannot create '%s': it exists", o->file);
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
  pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot create '%s': %s", o->file, strerror(code));
  directory_of(o->file, directory);
  if (code == ENOENT) pf_hint(e, "the directory '%.150s' must exist", directory);
  return e->status;
}

/* ---- Space -------------------------------------------------------------------------------- */

static int no_space(const pfft3d_output *o, double bytes, double room, int code, pfft3d_error *e) {
  char need[32], have[32], directory[PF_IO_FILE];
  directory_of(o->file, directory);
  if (room >= 0)
    pf_hint(e, "%s free in %.100s; write elsewhere with --output", pf_bytes(room, have), directory);
  return pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot reserve %s for '%s': %s", pf_bytes(bytes, need),
                 o->file, strerror(code));
}

/* Bytes of the file system that are free for this user; negative if unknown. */
static double free_bytes(int fd) {
  struct statvfs fs;
  if (fstatvfs(fd, &fs) || fs.f_blocks == 0) return -1;
  return (double)(geteuid() == 0 ? fs.f_bfree : fs.f_bavail) * (double)fs.f_frsize;
}

/* Reserves the first `bytes` of the file.  If the file system does not support that, the C library
 * would write zeros instead; here free_bytes(), checked before, has to suffice. */
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
      code == EINVAL) /* at least checks the limit of a file's size */
    code = ftruncate(fd, bytes) ? errno : 0;
  return code;
}

/* ---- Creation, by rank 0 alone ------------------------------------------------------------ */

/* The type of an element in the file, or in memory; to be closed. */
static hid_t element_type(const pf_h5_element *x, int in_file) {
  static const char *const names[] = {"r", "i"};
  return pf_h5_type(x->parts == 2 ? names : NULL, in_file ? x->file : x->memory);
}

/* A new dataset with its groups; its space is allocated now and not filled. */
static hid_t create_dataset(hid_t file, const pfft3d_output *o) {
  hsize_t n[3];
  for (int a = 0; a < 3; a++) n[a] = (hsize_t)o->n[a];
  hid_t type = element_type(&o->element, 1), dataset = -1;
  hid_t space = H5Screate_simple(o->dims, n + 3 - o->dims, NULL);
  hid_t groups = H5Pcreate(H5P_LINK_CREATE), made = H5Pcreate(H5P_DATASET_CREATE);
  /* without times, so that equal data gives equal files */
  if (type >= 0 && space >= 0 && groups >= 0 && made >= 0 &&
      H5Pset_create_intermediate_group(groups, 1) >= 0 &&
      H5Pset_alloc_time(made, H5D_ALLOC_TIME_EARLY) >= 0 &&
      H5Pset_fill_time(made, H5D_FILL_TIME_NEVER) >= 0 && H5Pset_obj_track_times(made, 0) >= 0)
    dataset = H5Dcreate2(file, o->path, type, space, groups, made, H5P_DEFAULT);
  if (made >= 0) H5Pclose(made);
  if (groups >= 0) H5Pclose(groups);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return dataset;
}

/* Copies the attributes of the source's root and dataset to those of the output. */
static int copy_source(hid_t file, hid_t dataset, const pfft3d_output_spec *spec, pfft3d_error *e) {
  void *image;
  size_t bytes, room = PF_H5_IMAGE_BYTES;
  hid_t from, group;
  PF_TRY(pf_probe_image(&spec->source->found, &image, &bytes, e));
  if (!pf_h5_open_image(image, bytes, &from, &group, e)) {
    if (!pf_h5_copy_attributes(from, file, NULL, &room, e))
      pf_h5_copy_attributes(group, dataset, spec->attributes, &room, e);
    H5Gclose(group);
    H5Fclose(from);
  }
  free(image);
  return e->status;
}

/* A name that always leads to the open temporary file, even if it is replaced: HDF5 opens by name,
 * follows links, and truncates what it finds. */
static const char *name_of_open(const pfft3d_output *o, char name[64]) {
  struct stat by_fd, by_name;
  snprintf(name, 64, "/proc/self/fd/%d", o->fd);
  int same = fstat(o->fd, &by_fd) == 0 && stat(name, &by_name) == 0 &&
             by_fd.st_dev == by_name.st_dev && by_fd.st_ino == by_name.st_ino;
  return same ? name : o->temporary; /* no /proc */
}

/* Writes everything but the data. */
static int create_contents(const pfft3d_output *o, const pfft3d_output_spec *spec,
                           pfft3d_error *e) {
  char reason[PF_IO_REASON], name[64];
  hid_t file = H5Fcreate(name_of_open(o, name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t dataset = file >= 0 ? create_dataset(file, o) : -1;
  if (dataset < 0) {
    pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot create '%s' in '%s': %s", o->path, o->file,
            pf_h5_reason(reason));
    pf_h5_hint_locks(reason, e);
  }
  if (!e->status && spec->source) copy_source(file, dataset, spec, e);
  if (!e->status) pf_h5_write_attributes(dataset, spec->attributes, e);
  if (dataset >= 0) H5Dclose(dataset);
  if (file >= 0 && H5Fclose(file) < 0)
    pf_fail(e, PFFT3D_ERR_OUTPUT, "cannot create '%s': %s", o->file, pf_h5_reason(reason));
  return e->status;
}

/* Fails unless the temporary file is still the one that was created: other users with access to the
 * directory could replace it. */
static int check_temporary(const pfft3d_output *o, int status, pfft3d_error *e) {
  struct stat by_fd, by_name;
  PF_CHECK(fstat(o->fd, &by_fd) == 0 && lstat(o->temporary, &by_name) == 0 &&
               by_fd.st_dev == by_name.st_dev && by_fd.st_ino == by_name.st_ino,
           e, status, "cannot write '%s': its temporary file was removed or replaced", o->file);
  return PFFT3D_OK;
}

/* On rank 0, before anything is created. */
static int prepare_file(pfft3d_output *o, const pfft3d_output_spec *spec, size_t *bytes,
                        pfft3d_error *e) {
  *bytes = o->element.bytes;
  for (int a = 0; a < 3; a++)
    PF_CHECK(!pf_mul(*bytes, (size_t)o->n[a], bytes) && *bytes < PTRDIFF_MAX - METADATA, e,
             PFFT3D_ERR_USAGE, "cannot write '%s': its size overflows", o->file);
  PF_TRY(check_final(o, spec->source ? &spec->source->found : NULL, e));
  choose_temporary(o);
  return PFFT3D_OK;
}

/* On rank 0. */
static int create_file(pfft3d_output *o, const pfft3d_output_spec *spec, size_t bytes,
                       pfft3d_error *e) {
  struct stat st;
  PF_TRY(create_temporary(o, e));
  double room = free_bytes(o->fd), need = (double)bytes + METADATA;
  if (room >= 0 && need > room) return no_space(o, need, room, ENOSPC, e);
  /* HDF5 truncates the file again.  But if HDF5 cannot close a file for lack of space or quota, it
   * crashes at the end of the program: so space is checked first. */
  int code = reserve(o->fd, (off_t)bytes + METADATA);
  if (code) return no_space(o, need, room, code, e);
  PF_TRY(check_temporary(o, PFFT3D_ERR_OUTPUT, e));
  PF_TRY(create_contents(o, spec, e));
  PF_TRY(check_temporary(o, PFFT3D_ERR_OUTPUT, e));
  code = fstat(o->fd, &st) ? errno : reserve(o->fd, st.st_size);
  if (code) return no_space(o, need, room, code, e);
  return PFFT3D_OK;
}

/* ---- The public functions ----------------------------------------------------------------- */

/* Collective. Removes the temporary file, if any, and frees *output. */
static void drop(pfft3d_output **output) {
  pfft3d_output *o = *output;
  *output = NULL;
  if (!o) return;
  if (o->fd >= 0) {
    unlink(o->temporary);
    close(o->fd);
  }
  pf_temporary_drop(o->slot);
  pf_sidecar_release(&o->sidecar);
  pf_io_comm_free(&o->comm);
  free(o);
}

/* Local. Checks the specification and copies it. */
static int specify(const pfft3d_output_spec *spec, pfft3d_output *o, pfft3d_error *e) {
  PF_TRY(pf_io_parse_name(spec->name, o->file, o->path, PFFT3D_ERR_USAGE, e));
  const char *colon = o->path[0] ? NULL : pf_io_missing_slash(o->file);
  if (colon) pf_hint(e, "write %.*s:/%s", (int)(colon - o->file), o->file, colon + 1);
  PF_CHECK(!colon, e, PFFT3D_ERR_USAGE, "cannot write '%s': a path begins with '/'", spec->name);
  if (!o->path[0] && spec->path) {
    PF_CHECK(strlen(spec->path) < sizeof o->path, e, PFFT3D_ERR_USAGE,
             "cannot use a path of %zu bytes: the limit is %d", strlen(spec->path), PF_IO_PATH - 1);
    snprintf(o->path, sizeof o->path, "%s", spec->path);
  }
  size_t length = strlen(o->path), file = strlen(o->file);
  PF_CHECK(length > 0 && o->path[length - 1] != '/', e, PFFT3D_ERR_USAGE,
           "cannot write '%s': the dataset needs a name, as in FILE:/PATH", spec->name);
  PF_CHECK(o->file[file - 1] != '/', e, PFFT3D_ERR_USAGE, "cannot write '%s': it is a directory",
           o->file);
  PF_CHECK(spec->dims >= 1 && spec->dims <= 3, e, PFFT3D_ERR_USAGE,
           "cannot write %d dimensions: 1 to 3 are possible", spec->dims);
  PF_TRY(pf_h5_element_of(spec->precision, spec->numbers, &o->element, e));
  o->dims = spec->dims;
  o->overwrite = spec->overwrite;
  for (int a = 0; a < 3; a++) {
    o->n[a] = spec->n[a];
    PF_CHECK(o->n[a] >= 1 && (a >= 3 - o->dims || o->n[a] == 1), e, PFFT3D_ERR_USAGE,
             "cannot write %td x %td x %td as %d dimensions", spec->n[0], spec->n[1], spec->n[2],
             o->dims);
  }
  return PFFT3D_OK;
}

/* Collective. Rank 0 chooses the names. */
static int share_names(pfft3d_output *o, pfft3d_error *e) {
  char names[sizeof o->file + sizeof o->temporary]; /* following a link changes the first */
  memcpy(names, o->file, sizeof o->file);
  memcpy(names + sizeof o->file, o->temporary, sizeof o->temporary);
  PF_TRY(pf_mpi(e, MPI_Bcast(names, (int)sizeof names, MPI_BYTE, 0, o->comm), "MPI_Bcast"));
  memcpy(o->file, names, sizeof o->file);
  memcpy(o->temporary, names + sizeof o->file, sizeof o->temporary);
  return PFFT3D_OK;
}

/* Collective. Between pf_h5_begin() and pf_h5_end(); agreed.  *output is to be dropped after a
 * failure. */
static int create(MPI_Comm comm, const pfft3d_output_spec *spec, pfft3d_output **output,
                  pfft3d_error *e) {
  int rank;
  size_t bytes = 0;
  pfft3d_output *o = calloc(1, sizeof *o);
  *output = o;
  if (o) {
    o->fd = o->slot = -1;
    o->sidecar = pf_sidecar_none;
    o->comm = MPI_COMM_NULL;
    specify(spec, o, e);
  } else {
    pf_fail(e, PFFT3D_ERR_MEMORY, "not enough memory for an output");
  }
  PF_TRY(pf_agree(comm, e));
  PF_TRY(pf_io_comm(comm, &o->comm, e));
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) prepare_file(o, spec, &bytes, e);
  PF_TRY(pf_agree(comm, e));
  PF_TRY(share_names(o, e));
  /* listed by all ranks before it exists: any of them may be the last to be killed */
  o->slot = pf_temporary_add(o->temporary);
  PF_TRY(pf_sidecar_register(o->comm, o->temporary, 1, &o->sidecar, e));
  if (rank == 0) create_file(o, spec, bytes, e);
  return pf_agree(comm, e);
}

/* The specification as this version knows it: members that the caller does not know are 0, and
 * those that only the caller knows must be. */
static int read_spec(const pfft3d_output_spec *spec, size_t size, pfft3d_output_spec *known,
                     pfft3d_error *e) {
  memset(known, 0, sizeof *known);
  PF_CHECK(spec, e, PFFT3D_ERR_USAGE, "cannot create an output: its specification is NULL");
  PF_CHECK(size > 0, e, PFFT3D_ERR_USAGE, "cannot create an output: its specification has 0 bytes");
  for (size_t k = sizeof *known; k < size; k++)
    PF_CHECK(!((const char *)spec)[k], e, PFFT3D_ERR_USAGE,
             "cannot create an output: its specification is of a later version");
  memcpy(known, spec, size < sizeof *known ? size : sizeof *known);
  return PFFT3D_OK;
}

int pfft3d_output_create(MPI_Comm comm, const pfft3d_output_spec *spec, size_t size,
                         pfft3d_output **output, pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  pfft3d_output_spec known;
  pf_error_clear(&e);
  if (output) *output = NULL;
  if (pf_comm_ready(comm, &e)) return pf_error_out(&e, error);
  if (!output) pf_fail(&e, PFFT3D_ERR_USAGE, "cannot create an output: no address for it (NULL)");
  read_spec(spec, size, &known, &e);
  if (!pf_h5_begin(comm, &guard, &e)) {
    if (create(comm, &known, output, &e)) drop(output);
    pf_h5_end(&guard);
  }
  return pf_error_out(&e, error);
}

int pfft3d_output_create_f(const MPI_Fint *comm, const pfft3d_output_spec *spec, size_t size,
                           pfft3d_output **output, pfft3d_error *error) {
  return pfft3d_output_create(pf_comm_f(comm), spec, size, output, error);
}

const char *pfft3d_output_temporary(const pfft3d_output *output) {
  return output ? output->temporary : "";
}

/* USAGE for NULL in place of an output, and where its communicator cannot be used any more. */
static int check_output(const pfft3d_output *output, pfft3d_error *e) {
  PF_CHECK(output, e, PFFT3D_ERR_USAGE, "cannot write: the output is NULL");
  return pf_mpi_ready(e);
}

/* Collective. Between pf_h5_begin() and pf_h5_end(); agreed. */
static int write_box(const pfft3d_output *o, const pfft3d_box *box, const void *array,
                     pfft3d_error *e) {
  pf_h5_open h;
  hid_t type = element_type(&o->element, 0);
  pf_h5_data m = {o->n, o->dims, box, type, o->element.bytes, array};
  if (type < 0) pf_fail(e, PFFT3D_ERR_INTERNAL, "cannot make an HDF5 type");
  if (o->fd >= 0) check_temporary(o, PFFT3D_ERR_IO, e);
  pf_io_check_box(o->n, box, array, e);
  if (!pf_h5_open_all(o->comm, o->temporary, o->path, &h, e)) {
    pf_h5_write(&h, &m, e);
    pf_h5_close_all(&h, e);
    pf_agree(o->comm, e);
  }
  if (type >= 0) H5Tclose(type);
  return e->status;
}

int pfft3d_output_write(pfft3d_output *output, const pfft3d_box *box, const void *array,
                        pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  pf_error_clear(&e);
  if (check_output(output, &e)) return pf_error_out(&e, error);
  if (!pf_h5_begin(output->comm, &guard, &e)) {
    write_box(output, box, array, &e);
    pf_h5_end(&guard);
  }
  output->written = e.status || output->written < 0 ? -1 : output->written + 1;
  return pf_error_out(&e, error);
}

/* Renames the file; replaces an existing one only on request.  0 or errno. */
static int rename_to_final(const pfft3d_output *o) {
  struct stat st;
  if (o->overwrite) return rename(o->temporary, o->file) ? errno : 0;
#ifdef RENAME_NOREPLACE
  if (renameat2(AT_FDCWD, o->temporary, AT_FDCWD, o->file, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  if (link(o->temporary, o->file) == 0) {
    unlink(o->temporary);
    return 0;
  }
  if (errno == EEXIST) return errno;
  /* neither is supported here: check, then rename */
  if (lstat(o->file, &st) == 0) return EEXIST;
  return rename(o->temporary, o->file) ? errno : 0;
}

/* Rank 0's part of the commit; closes the file. */
static int finish_file(pfft3d_output *o, pfft3d_error *e) {
  char directory[PF_IO_FILE];
  int code = fsync(o->fd) ? errno : 0;
  PF_CHECK(!code, e, PFFT3D_ERR_IO, "cannot write '%s': %s", o->file, strerror(code));
  PF_TRY(check_temporary(o, PFFT3D_ERR_IO, e));
  code = rename_to_final(o);
  if (code == EEXIST) pf_hint(e, "it appeared while this one was written; --force overwrites it");
  PF_CHECK(!code, e, PFFT3D_ERR_OUTPUT, "cannot name the output '%s': %s", o->file, strerror(code));
  close(o->fd);
  o->fd = -1;
  directory_of(o->file, directory);
  int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    (void)!fsync(fd); /* the file is complete whatever this returns */
    close(fd);
  }
  return PFFT3D_OK;
}

int pfft3d_output_commit(pfft3d_output **output, pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  if (check_output(output ? *output : NULL, &e)) return pf_error_out(&e, error);
  if ((*output)->written <= 0)
    pf_fail(&e, PFFT3D_ERR_IO, "cannot finish '%s': it was not written", (*output)->file);
  pf_agree((*output)->comm,
           &e); /* every rank has written and closed the file before it is renamed */
  if (!e.status) {
    if ((*output)->fd >= 0) finish_file(*output, &e);
    pf_agree((*output)->comm, &e);
  }
  drop(output);
  return pf_error_out(&e, error);
}

void pfft3d_output_discard(pfft3d_output **output) {
  if (output) drop(output);
}
