/* SPDX-License-Identifier: BSD-3-Clause
 * Data that lies in one piece of a file, in a plain number format, is read as bytes: the ranks need
 * no HDF5 for it, which a crafted file could lead astray.  Only the conversion of the numbers is
 * HDF5's, between two of its own types.
 *
 * Ranks of many nodes read together through MPI-IO, which knows how to spare a parallel file
 * system. A collective call needs every rank: all make as many rounds as the largest box needs,
 * those that are done (or have failed) with nothing.
 *
 * Ranks of one node read by themselves.  There is little to gain there, and Open MPI 4.1 takes,
 * when ranks of one node open a file, a semaphore named after the last part of the file's name
 * only: one that a killed job has left locked stops all later ones, and that of another user's
 * input of the same name cannot be taken at all. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include "hdf5/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/progress.h"
#include "hdf5/sidecar.h"

/* Where numbers are longer in the file than in the array, a piece is converted elsewhere. */
enum { SPARE = 1 << 26 };

typedef struct raw_file {
  MPI_Comm comm;
  MPI_File file;
  pf_sidecar sidecar;
  int alone; /* the file of a rank that reads by itself; -1: all together, through MPI-IO */
  size_t number, element; /* bytes in the file: of a number, of one or two of them */
  int parts;
  char *spare; /* NULL: read and convert in place */
  size_t most; /* bytes of a round */
} raw_file;

static int fail_mpi_io(int code, const pfft3d_dataset *d, int status, const char *what,
                       pfft3d_error *e) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (code == MPI_SUCCESS) return PFFT3D_OK;
  MPI_Error_string(code, text, &length);
  return pf_fail(e, status, "cannot %s '%s': %.200s", what, d->file, text);
}

/* Where a number of the dataset is in the file. */
static off_t place_of(const raw_file *f, const pfft3d_dataset *d, ptrdiff_t i, ptrdiff_t j,
                      ptrdiff_t k) {
  ptrdiff_t first = (i * d->n[1] + j) * d->n[2] + k;
  return (off_t)d->stored.offset + (off_t)first * (off_t)f->element;
}

static int fail_shorter(const pfft3d_dataset *d, pfft3d_error *e) {
  return pf_fail(e, PFFT3D_ERR_DATA, "cannot read '%s': it has become shorter since it was opened",
                 d->file);
}

static int check_length(const pfft3d_dataset *d, long long bytes, pfft3d_error *e) {
  return bytes - d->stored.offset < d->stored.bytes ? fail_shorter(d, e) : PFFT3D_OK;
}

/* ---- by oneself ---- */

static int always_together; /* changed by tests only */

void pf_io_set_together(int always) {
  always_together = always;
}

/* Collective on comm. */
static int on_one_node(MPI_Comm comm, int *one, pfft3d_error *e) {
  MPI_Comm node = MPI_COMM_NULL;
  int here = 0, all = 0;
  MPI_Comm_size(comm, &all);
  int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (!pf_mpi(e, code, "MPI_Comm_split_type") && node != MPI_COMM_NULL) {
    MPI_Comm_size(node, &here);
    MPI_Comm_free(&node);
  }
  *one = here == all && !always_together;
  return pf_agree(comm, e);
}

/* What is no regular file any more is not waited for. */
static int open_alone(raw_file *f, const pfft3d_dataset *d, pfft3d_error *e) {
  struct stat s;
  f->alone = open(d->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  PF_CHECK(f->alone >= 0, e, PFFT3D_ERR_NOINPUT, "cannot open '%s': %s", d->file, strerror(errno));
  PF_CHECK(fstat(f->alone, &s) == 0 && S_ISREG(s.st_mode), e, PFFT3D_ERR_NOINPUT,
           "cannot open '%s': it is no regular file any more", d->file);
  return check_length(d, s.st_size, e);
}

/* Bytes that lie in one piece of the file. */
static int read_run(const raw_file *f, const pfft3d_dataset *d, char *to, size_t bytes, off_t at,
                    pfft3d_error *e) {
  while (bytes > 0) {
    ssize_t got = pread(f->alone, to, bytes, at);
    if (got < 0 && errno == EINTR) continue;
    PF_CHECK(got >= 0, e, PFFT3D_ERR_IO, "cannot read '%s': %s", d->file, strerror(errno));
    if (got == 0) return fail_shorter(d, e);
    to += got;
    at += got;
    bytes -= (size_t)got;
  }
  return PFFT3D_OK;
}

/* A piece, in as few runs as it is in the file. */
static int read_alone(const raw_file *f, const pf_raw_read *m, const pf_portion *p, char *to,
                      pfft3d_error *e) {
  const ptrdiff_t *n = m->d->n;
  ptrdiff_t planes = p->size[0], rows = p->size[1], run = p->size[2];
  if (run == n[2]) {
    run *= rows;
    rows = 1;
    if (p->size[1] == n[1]) {
      run *= planes;
      planes = 1;
    }
  }
  size_t bytes = (size_t)run * f->element;
  for (ptrdiff_t i = 0; i < planes; i++)
    for (ptrdiff_t j = 0; j < rows; j++, to += bytes) {
      off_t at = place_of(f, m->d, p->start[0] + i, p->start[1] + j, p->start[2]);
      PF_TRY(read_run(f, m->d, to, bytes, at, e));
    }
  return PFFT3D_OK;
}

/* ---- together ---- */

/* The bytes of a piece as a type of MPI: rows of planes.  Free it. */
static int piece_type(const raw_file *f, const pf_portion *p, const ptrdiff_t n[3],
                      MPI_Datatype *type) {
  MPI_Datatype row, plane;
  MPI_Aint line = (MPI_Aint)((size_t)n[2] * f->element), sheet = line * (MPI_Aint)n[1];
  int code = MPI_Type_contiguous((int)(p->size[2] * (ptrdiff_t)f->element), MPI_BYTE, &row);
  if (code != MPI_SUCCESS) return code;
  code = MPI_Type_create_hvector((int)p->size[1], 1, line, row, &plane);
  MPI_Type_free(&row);
  if (code != MPI_SUCCESS) return code;
  code = MPI_Type_create_hvector((int)p->size[0], 1, sheet, plane, type);
  MPI_Type_free(&plane);
  return code == MPI_SUCCESS ? MPI_Type_commit(type) : code;
}

/* One collective read: a piece, or nothing where it is NULL, to `to`. */
static int read_together(const raw_file *f, const pf_raw_read *m, const pf_portion *p, void *to,
                         pfft3d_error *e) {
  MPI_Datatype type = MPI_BYTE;
  MPI_Offset at = 0;
  MPI_Status status;
  int count = 0, got = 0, code = MPI_SUCCESS;
  char nothing = 0;
  if (p) {
    at = place_of(f, m->d, p->start[0], p->start[1], p->start[2]);
    count = (int)(p->count * (ptrdiff_t)f->element);
    code = piece_type(f, p, m->d->n, &type);
    if (code != MPI_SUCCESS) {
      pf_fail_mpi(e, code, "MPI_Type_create_hvector");
      type = MPI_BYTE;
      count = 0;
    }
  }
  /* both are collective: they are entered even after a failure */
  code = MPI_File_set_view(f->file, at, MPI_BYTE, type, "native", MPI_INFO_NULL);
  fail_mpi_io(code, m->d, PFFT3D_ERR_IO, "read", e);
  code = MPI_File_read_at_all(f->file, 0, count ? to : &nothing, count, MPI_BYTE, &status);
  fail_mpi_io(code, m->d, PFFT3D_ERR_IO, "read", e);
  if (code == MPI_SUCCESS && count) MPI_Get_count(&status, MPI_BYTE, &got);
  if (type != MPI_BYTE) MPI_Type_free(&type);
  return e->status || got == count ? e->status : fail_shorter(m->d, e);
}

/* Collective. A collective read of Open MPI 4.1 may say that all has come where it met the end of
 * the file: what another rank reads in a rank's place is not counted. */
static int open_together(raw_file *f, const pfft3d_dataset *d, pfft3d_error *e) {
  MPI_Offset bytes = 0;
  PF_TRY(pf_sidecar_note(f->comm, d->file, 0, &f->sidecar, e));
  int code = MPI_File_open(f->comm, d->file, MPI_MODE_RDONLY, MPI_INFO_NULL, &f->file);
  PF_TRY(fail_mpi_io(code, d, PFFT3D_ERR_NOINPUT, "open", e));
  PF_TRY(fail_mpi_io(MPI_File_get_size(f->file, &bytes), d, PFFT3D_ERR_NOINPUT, "open", e));
  return check_length(d, bytes, e);
}

/* ---- either way ---- */

static int read_piece(const raw_file *f, const pf_raw_read *m, const pf_portion *p, void *to,
                      pfft3d_error *e) {
  if (f->alone < 0) return read_together(f, m, p, to, e);
  return p ? read_alone(f, m, p, to, e) : e->status;
}

/* Makes numbers of the array of `count` elements as the file has them. */
static int convert(const raw_file *f, const pf_raw_read *m, void *from, char *to, ptrdiff_t count,
                   pfft3d_error *e) {
  char why[PF_IO_WHY];
  size_t numbers = (size_t)count * (size_t)f->parts;
  hid_t stored = pf_h5_number(m->d->stored.number);
  PF_CHECK(H5Tconvert(stored, m->x->memory, numbers, from, NULL, H5P_DEFAULT) >= 0, e,
           PFFT3D_ERR_INTERNAL, "cannot convert the numbers of '%s': %s", m->d->file,
           pf_h5_why(why));
  if (from != to) memcpy(to, from, numbers * m->x->part_bytes);
  if (m->arrived) m->arrived(m->context, to, count);
  return PFFT3D_OK;
}

/* All rounds. */
static int read_rounds(const raw_file *f, const pf_raw_read *m, pfft3d_error *e) {
  size_t larger = f->element > m->x->bytes ? f->element : m->x->bytes;
  pf_transfer mine = pf_io_cut(m->d->n, m->box, larger, f->most);
  long long most = mine.count;
  int code = MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_LONG_LONG, MPI_MAX, f->comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  for (ptrdiff_t k = 0; k < most; k++) {
    pf_progress();
    if (k >= mine.count || e->status) {
      read_piece(f, m, NULL, NULL, e);
      continue;
    }
    pf_portion p = pf_io_piece(&mine, m->box, k);
    char *to = m->array + p.at * (ptrdiff_t)m->x->bytes, *from = f->spare ? f->spare : to;
    if (!read_piece(f, m, &p, from, e)) convert(f, m, from, to, p.count, e);
  }
  return e->status;
}

int pf_raw_read_all(MPI_Comm comm, const pf_raw_read *m, pfft3d_error *e) {
  raw_file f = {.comm = MPI_COMM_NULL,
                .file = MPI_FILE_NULL,
                .sidecar = pf_sidecar_none,
                .alone = -1,
                .most = SIZE_MAX};
  int one_node = 0;
  f.number = H5Tget_size(pf_h5_number(m->d->stored.number));
  f.parts = m->d->is_complex ? 2 : 1;
  f.element = f.number * (size_t)f.parts;
  if (f.number > m->x->part_bytes) {
    f.most = SPARE;
    f.spare = malloc(SPARE);
    if (!f.spare) pf_fail(e, PFFT3D_ERR_MEMORY, "not enough memory to read '%s'", m->d->file);
  }
  pf_io_see(m->d->file, 0, PFFT3D_ERR_NOINPUT, e);
  if (!pf_io_comm(comm, &f.comm, e)) {
    if (!on_one_node(f.comm, &one_node, e))
      one_node ? open_alone(&f, m->d, e) : open_together(&f, m->d, e);
    if (!pf_agree(comm, e)) read_rounds(&f, m, e);
    if (f.alone >= 0) close(f.alone);
    if (f.file != MPI_FILE_NULL)
      fail_mpi_io(MPI_File_close(&f.file), m->d, PFFT3D_ERR_IO, "close", e);
    pf_sidecar_drop(&f.sidecar);
    MPI_Comm_free(&f.comm);
  }
  free(f.spare);
  return pf_agree(comm, e);
}

#endif
