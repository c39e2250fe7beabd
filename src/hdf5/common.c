/* SPDX-License-Identifier: BSD-3-Clause
 * Names, elements, files and communicators. */
#include "hdf5/common.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fails unless there is memory for the buffers of HDF5 and MPI-IO (the largest has 32 MiB): both
 * crash when they cannot allocate them.  The memory is not touched. */
static int check_memory(pfft3d_error *e) {
  enum { ROOM = 64 << 20 };
  void *volatile room = malloc(ROOM);
  int there = room != NULL;
  free(room);
  PF_CHECK(there, e, PFFT3D_ERR_MEMORY,
           "not enough memory for HDF5 and MPI-IO: they may need %d MiB", ROOM >> 20);
  return PFFT3D_OK;
}

int pf_h5_begin(MPI_Comm comm, pf_h5_guard *guard, pfft3d_error *e) {
  int begun = !check_memory(e) && !pf_h5_begin_local(guard, e);
  if (pf_agree(comm, e) && begun) pf_h5_end(guard);
  return e->status;
}

int pf_io_parse_name(const char *name, char file[PF_IO_FILE], char path[PF_IO_PATH], int status,
                     pfft3d_error *e) {
  const char *colon = NULL;
  PF_CHECK(name, e, PFFT3D_ERR_USAGE, "no file: its name is NULL");
  for (const char *c = strstr(name, ":/"); c; c = strstr(c + 1, ":/")) colon = c;
  size_t length = colon ? (size_t)(colon - name) : strlen(name);
  PF_CHECK(length > 0, e, status, "no file: '%.200s' has no file name", name);
  PF_CHECK(length < PF_IO_FILE, e, status, "cannot use a file name of %zu bytes: the limit is %d",
           length, PF_IO_FILE - 1);
  PF_CHECK(!colon || strlen(colon + 1) < PF_IO_PATH, e, status,
           "cannot use a path of %zu bytes in '%.*s': the limit is %d", strlen(colon + 1),
           length < 200 ? (int)length : 200, name, PF_IO_PATH - 1);
  memcpy(file, name, length);
  file[length] = 0;
  snprintf(path, PF_IO_PATH, "%s", colon ? colon + 1 : "");
  return PFFT3D_OK;
}

const char *pf_io_missing_slash(const char *file) {
  static const char *const extensions[] = {".h5", ".hdf5", ".he5", ".hdf", ".nc"};
  const char *slash = strrchr(file, '/'), *colon = strrchr(slash ? slash : file, ':');
  for (size_t k = 0; colon && k < sizeof extensions / sizeof *extensions; k++) {
    size_t length = strlen(extensions[k]);
    if ((size_t)(colon - file) > length && strncmp(colon - length, extensions[k], length) == 0)
      return colon;
  }
  return NULL;
}

int pf_io_element_of(pfft3d_precision precision, pfft3d_numbers numbers, pf_io_element *element,
                     pfft3d_error *e) {
  int single = precision == PFFT3D_SINGLE, real = numbers == PFFT3D_REAL;
  PF_CHECK(single || precision == PFFT3D_DOUBLE, e, PFFT3D_ERR_USAGE, "precision %d: unknown",
           (int)precision);
  PF_CHECK(numbers != PFFT3D_INDICES, e, PFFT3D_ERR_USAGE,
           "cannot read indices: integers are read as real numbers (only outputs have indices)");
  PF_CHECK(real || numbers == PFFT3D_COMPLEX, e, PFFT3D_ERR_USAGE, "numbers %d: unknown",
           (int)numbers);
  element->parts = real ? 1 : 2;
  element->part_bytes = single ? sizeof(float) : sizeof(double);
  element->bytes = (size_t)element->parts * element->part_bytes;
  element->indices = 0;
  return PFFT3D_OK;
}

int pf_io_output_element(pfft3d_precision precision, pfft3d_numbers numbers, pf_io_element *element,
                         pfft3d_error *e) {
  int indices = numbers == PFFT3D_INDICES; /* they have as many bytes as floats and doubles */
  PF_TRY(pf_io_element_of(precision, indices ? PFFT3D_REAL : numbers, element, e));
  element->indices = indices;
  return PFFT3D_OK;
}

int pf_io_stat(const char *file, struct stat *st, pfft3d_error *e) {
  PF_CHECK(stat(file, st) == 0, e, PFFT3D_ERR_NOINPUT, "cannot open '%.200s': %s", file,
           strerror(errno));
  const char *what = S_ISDIR(st->st_mode)    ? "a directory"
                     : S_ISFIFO(st->st_mode) ? "a FIFO"
                     : S_ISREG(st->st_mode)  ? NULL
                                             : "a device or socket";
  PF_CHECK(!what, e, PFFT3D_ERR_NOINPUT, "cannot open '%.200s': it is %s, not a regular file", file,
           what);
  PF_CHECK(st->st_size > 0, e, PFFT3D_ERR_DATA, "cannot read '%.200s': the file is empty", file);
  return PFFT3D_OK;
}

void pf_io_fingerprint(const struct stat *st, long long file[5]) {
  file[0] = (long long)st->st_dev;
  file[1] = (long long)st->st_ino;
  file[2] = (long long)st->st_size;
  file[3] = (long long)st->st_mtim.tv_sec;
  file[4] = (long long)st->st_mtim.tv_nsec;
}

int pf_io_is_hdf5(const char *file) {
  static const char signature[8] = "\x89HDF\r\n\x1a\n";
  char head[sizeof signature];
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK), is = 0;
  for (off_t at = 0; !is && fd >= 0 && pread(fd, head, sizeof head, at) == (ssize_t)sizeof head;
       at = at ? 2 * at : 512)
    is = memcmp(head, signature, sizeof head) == 0;
  if (fd >= 0) close(fd);
  return is;
}

int pf_io_comm(MPI_Comm comm, MPI_Comm *plain, pfft3d_error *e) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  *plain = MPI_COMM_NULL;
  /* unlike a dup, a split drops the topology and the attributes */
  pf_mpi(e, MPI_Comm_split(comm, 0, rank, plain), "MPI_Comm_split");
  if (*plain != MPI_COMM_NULL) pf_errors_return(*plain);
  if (pf_agree(comm, e)) pf_comm_free(plain);
  return e->status;
}

void pf_io_comm_free(MPI_Comm *comm) {
  pf_comm_free(comm);
  *comm = MPI_COMM_NULL;
}

int pf_io_check_access(const char *file, int writing, int status, pfft3d_error *e) {
  if (!e->status && access(file, writing ? W_OK : R_OK)) {
    pf_fail(e, status, "cannot open '%.200s': %s", file, strerror(errno));
    pf_hint(e, "every rank must see the file under this name: use a shared file system");
  }
  return e->status;
}
