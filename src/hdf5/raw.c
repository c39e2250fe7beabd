/* SPDX-License-Identifier: BSD-3-Clause
 * Contiguous data is read as bytes: each rank calculates where its elements are in the file, and
 * HDF5 only converts numbers in memory.
 *
 * Ranks on several nodes read together through MPI-IO, which collects the short runs of thin boxes.
 * A collective read needs every rank: all make as many rounds as the largest box needs; ranks that
 * are done, or have failed, take part with nothing.
 *
 * Ranks of a single node read independently.  A collective read gains little there, and for it Open
 * MPI 4.1 takes a semaphore that is named after the last component of the file name only: if a
 * killed job has left it locked, it blocks all later jobs, and the semaphore of another user's file
 * of the same name cannot be taken at all. */
#include "hdf5/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hooks.h"
#include "base/progress.h"
#include "hdf5/sidecar.h"

/* Bytes of the buffer for numbers that are longer in the file than in memory, before conversion. */
enum { BUFFER = 1 << 26 };

typedef struct raw_file {
  MPI_Comm comm;
  MPI_File file;
  pf_sidecar sidecar;
  int fd;    /* descriptor for independent reads; -1: collective reads through MPI-IO */
  int parts; /* parts of an element in the file: 1 or 2 */
  size_t number, element; /* bytes in the file: of a number, of an element */
  /* Axes in the order of the file, the slowest first: their pitches in the file, the box, and their
   * strides in the array, in elements. */
  int in_order; /* nonzero: this is the order of the array */
  ptrdiff_t pitch[PF_IO_DIMS], stride[PF_IO_DIMS];
  pf_io_box box;
  char *buffer; /* NULL: read and convert in place */
  size_t most;  /* maximum bytes of a round */
} raw_file;

int pf_raw_fail(int code, const char *file, int status, const char *what, pfft3d_error *e) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (code == MPI_SUCCESS) return PFFT3D_OK;
  MPI_Error_string(code, text, &length);
  pf_failed(2, "MPI-IO", text);
  return pf_fail(e, status, "cannot %s '%.200s': %.200s", what, file, text);
}

/* Sorts the axes by their pitches. */
static void order_axes(raw_file *f, const pf_raw_job *m) {
  const pf_io_box *box = m->box;
  int order[PF_IO_DIMS] = {0}, last = box->axes - 1;
  ptrdiff_t stride[PF_IO_DIMS];
  stride[last] = 1;
  for (int a = last; a > 0; a--) stride[a - 1] = stride[a] * box->len[a];
  for (int k = 1; k <= last; k++) {
    order[k] = k;
    for (int a = k; a > 0; a--) {
      if (m->d->stored.pitch[order[a]] <= m->d->stored.pitch[order[a - 1]]) break;
      int axis = order[a];
      order[a] = order[a - 1];
      order[a - 1] = axis;
    }
  }
  f->in_order = 1;
  f->box.axes = box->axes;
  for (int k = 0; k <= last; k++) {
    f->in_order = f->in_order && order[k] == k;
    f->pitch[k] = (ptrdiff_t)m->d->stored.pitch[order[k]];
    f->stride[k] = stride[order[k]];
    f->box.n[k] = box->n[order[k]];
    f->box.lo[k] = box->lo[order[k]];
    f->box.len[k] = box->len[order[k]];
  }
}

/* The offset of an element in the file. */
static off_t offset_of(const raw_file *f, const pf_dataset *d, const ptrdiff_t *at) {
  long long first = d->stored.first;
  for (int k = 0; k < f->box.axes; k++) first += at[k] * f->pitch[k];
  return (off_t)d->stored.offset + (off_t)first * (off_t)f->element;
}

static int fail_shorter(const pf_dataset *d, pfft3d_error *e) {
  return pf_fail(e, PFFT3D_ERR_DATA,
                 "cannot read '%.200s': it has become shorter since it was opened", d->file);
}

static int check_length(const pf_dataset *d, long long bytes, pfft3d_error *e) {
  return bytes - d->stored.offset < d->stored.bytes ? fail_shorter(d, e) : PFFT3D_OK;
}

/* ---- Independent reads -------------------------------------------------------------------- */
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
  *one = here == all && !pf_hooks.mpi_io;
  return pf_agree(comm, e);
}

/* O_NONBLOCK: does not block if it is no longer a regular file. */
static int open_independent(raw_file *f, const pf_dataset *d, pfft3d_error *e) {
  struct stat s;
  f->fd = open(d->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  PF_CHECK(f->fd >= 0, e, PFFT3D_ERR_NOINPUT, "cannot open '%.200s': %s", d->file, strerror(errno));
  PF_CHECK(fstat(f->fd, &s) == 0 && S_ISREG(s.st_mode), e, PFFT3D_ERR_NOINPUT,
           "cannot open '%.200s': it is not a regular file any more", d->file);
  return check_length(d, s.st_size, e);
}

/* Reads contiguous bytes of the file. */
static int read_run(const raw_file *f, const pf_dataset *d, char *to, size_t bytes, off_t at,
                    pfft3d_error *e) {
  while (bytes > 0) {
    ssize_t got = pread(f->fd, to, bytes, at);
    if (got < 0 && errno == EINTR) continue;
    PF_CHECK(got >= 0, e, PFFT3D_ERR_IO, "cannot read '%.200s': %s", d->file, strerror(errno));
    if (got == 0) return fail_shorter(d, e);
    to += got;
    at += got;
    bytes -= (size_t)got;
  }
  return PFFT3D_OK;
}

/* Reads `count` elements of a row with gaps between them in the file: several elements at once,
 * with their gaps, if these are shorter than a page. */
static int read_apart(const raw_file *f, const pf_dataset *d, char *to, ptrdiff_t count, off_t at,
                      pfft3d_error *e) {
  enum { SPAN = 1 << 16, PAGE = 4096 };
  char span[SPAN];
  size_t step = (size_t)f->pitch[f->box.axes - 1] * f->element;
  ptrdiff_t most = step < PAGE ? (ptrdiff_t)(SPAN / step) : 1;
  for (ptrdiff_t i = 0, some; i < count; i += some) {
    some = count - i < most ? count - i : most;
    off_t first = at + (off_t)i * (off_t)step;
    PF_TRY(read_run(f, d, span, (size_t)(some - 1) * step + f->element, first, e));
    for (ptrdiff_t k = 0; k < some; k++, to += f->element)
      memcpy(to, span + (size_t)k * step, f->element);
  }
  return PFFT3D_OK;
}

/* The element at which the first @p outer axes of a round have their k-th indices, counted in C
 * order, and all others their first ones. */
static void index_of(const pf_io_round *p, int outer, ptrdiff_t k, ptrdiff_t at[PF_IO_DIMS]) {
  memcpy(at, p->start, sizeof p->start);
  for (int a = outer - 1; a >= 0; k /= p->size[a--]) at[a] += k % p->size[a];
}

/* Reads a round in as few contiguous runs as possible. */
static int read_independent(const raw_file *f, const pf_raw_job *m, const pf_io_round *p, char *to,
                            pfft3d_error *e) {
  int last = f->box.axes - 1, outer = last, packed = f->pitch[last] == 1;
  ptrdiff_t run = p->size[last], at[PF_IO_DIMS];
  for (; packed && outer > 0 && (p->size[outer - 1] == 1 || f->pitch[outer - 1] == run); outer--)
    run *= p->size[outer - 1];
  size_t bytes = (size_t)run * f->element;
  for (ptrdiff_t k = 0; k < p->count / run; k++, to += bytes) {
    index_of(p, outer, k, at);
    off_t where = offset_of(f, m->d, at);
    PF_TRY(packed ? read_run(f, m->d, to, bytes, where, e)
                  : read_apart(f, m->d, to, run, where, e));
  }
  return PFFT3D_OK;
}

/* ---- Collective reads --------------------------------------------------------------------- */

int pf_raw_type(int axes, const ptrdiff_t *pitch, size_t element, const pf_io_round *p,
                MPI_Datatype *type) {
  int code = MPI_Type_contiguous((int)element, MPI_BYTE, type);
  for (int k = axes - 1; k >= 0 && code == MPI_SUCCESS; k--) {
    MPI_Datatype inner = *type;
    code = MPI_Type_create_hvector((int)p->size[k], 1, (MPI_Aint)pitch[k] * (MPI_Aint)element,
                                   inner, type);
    MPI_Type_free(&inner);
  }
  return code == MPI_SUCCESS ? MPI_Type_commit(type) : code;
}

/* One collective read to `to`: a round, or nothing if it is NULL. */
static int read_collective(const raw_file *f, const pf_raw_job *m, const pf_io_round *p, void *to,
                           pfft3d_error *e) {
  MPI_Datatype type = MPI_BYTE;
  MPI_Offset at = 0;
  MPI_Status status;
  int count = 0, got = 0, code = MPI_SUCCESS;
  char nothing = 0;
  if (p) {
    at = offset_of(f, m->d, p->start);
    count = (int)(p->count * (ptrdiff_t)f->element);
    code = pf_raw_type(f->box.axes, f->pitch, f->element, p, &type);
    if (code != MPI_SUCCESS) {
      pf_fail_mpi(e, code, "MPI_Type_create_hvector");
      type = MPI_BYTE;
      count = 0;
    }
  }
  /* both calls are collective: they are entered even after a failure */
  code = MPI_File_set_view(f->file, at, MPI_BYTE, type, "native", MPI_INFO_NULL);
  pf_raw_fail(code, m->d->file, PFFT3D_ERR_IO, "read", e);
  code = MPI_File_read_at_all(f->file, 0, count ? to : &nothing, count, MPI_BYTE, &status);
  pf_raw_fail(code, m->d->file, PFFT3D_ERR_IO, "read", e);
  if (code == MPI_SUCCESS && count) MPI_Get_count(&status, MPI_BYTE, &got);
  if (type != MPI_BYTE) MPI_Type_free(&type);
  return e->status || got == count ? e->status : fail_shorter(m->d, e);
}

/* Maximum bytes of a file name without its directory: MPI-IO of Open MPI 4 appends to it, and
 * crashes if the result is too long. */
enum { NAME_BEST = 215 };

static int check_name(const char *file, pfft3d_error *e) {
  const char *slash = strrchr(file, '/');
  size_t length = strlen(slash ? slash + 1 : file);
  if (length > NAME_BEST) pf_hint(e, "a link with a shorter name will do");
  PF_CHECK(length <= NAME_BEST, e, PFFT3D_ERR_NOINPUT,
           "cannot open '%.200s': its name has %zu bytes, MPI-IO takes %d", file, length,
           NAME_BEST);
  return PFFT3D_OK;
}

/* Collective. The length of the file is checked first: a collective read of Open MPI 4.1 may report
 * success beyond the end of the file, as it ignores the bytes that other ranks read for this
 * one. */
static int open_shared(raw_file *f, const pf_dataset *d, pfft3d_error *e) {
  MPI_Offset bytes = 0;
  PF_TRY(check_name(d->file, e));
  PF_TRY(pf_sidecar_register(f->comm, d->file, 0, &f->sidecar, e));
  int code = MPI_File_open(f->comm, d->file, MPI_MODE_RDONLY, MPI_INFO_NULL, &f->file);
  PF_TRY(pf_raw_fail(code, d->file, PFFT3D_ERR_NOINPUT, "open", e));
  PF_TRY(pf_raw_fail(MPI_File_get_size(f->file, &bytes), d->file, PFFT3D_ERR_NOINPUT, "open", e));
  return check_length(d, bytes, e);
}

/* ---- Rounds ------------------------------------------------------------------------------- */

static int read_round(const raw_file *f, const pf_raw_job *m, const pf_io_round *p, void *to,
                      pfft3d_error *e) {
  if (f->fd < 0) return read_collective(f, m, p, to, e);
  return p ? read_independent(f, m, p, to, e) : e->status;
}

/* Copies an array in C order to one with these strides, along three axes. */
static void place_three(char *to, const ptrdiff_t stride[3], const char *from,
                        const ptrdiff_t size[3], size_t bytes) {
  enum { BLOCK = 16 };
  for (ptrdiff_t j = 0; j < size[1]; j++)
    for (ptrdiff_t k0 = 0; k0 < size[2]; k0 += BLOCK)
      for (ptrdiff_t i = 0; i < size[0]; i++)
        for (ptrdiff_t k = k0; k < k0 + BLOCK && k < size[2]; k++)
          memcpy(to + (i * stride[0] + j * stride[1] + k * stride[2]) * (ptrdiff_t)bytes,
                 from + ((i * size[1] + j) * size[2] + k) * (ptrdiff_t)bytes, bytes);
}

/* Copies the elements of a round, in the order of the file, to where they are in the array: in
 * blocks, so that both are read and written in whole cache lines. */
static void place(const raw_file *f, const pf_raw_job *m, const pf_io_round *p, const char *from) {
  int outer = f->box.axes - 3;
  const ptrdiff_t *size = p->size + outer;
  ptrdiff_t inner = size[0] * size[1] * size[2], bytes = (ptrdiff_t)m->x->bytes, at[PF_IO_DIMS];
  for (ptrdiff_t k = 0; k < p->count / inner; k++, from += inner * bytes) {
    char *to = m->array;
    index_of(p, outer, k, at);
    for (int a = 0; a < f->box.axes; a++) to += (at[a] - f->box.lo[a]) * f->stride[a] * bytes;
    place_three(to, f->stride + outer, from, size, m->x->bytes);
  }
}

/* Converts a round from the number format of the file to that of the array. */
static void convert(const raw_file *f, const pf_raw_job *m, void *from, char *to,
                    const pf_io_round *p) {
  const pf_number *stored = pf_number_at(m->d->stored.number);
  pf_number_convert(stored, from, to, m->x->part_bytes, p->count * (ptrdiff_t)f->parts);
  if (m->unpack) m->unpack(m->context, to, p->count);
  if (!f->in_order) place(f, m, p, to);
}

static int read_rounds(const raw_file *f, const pf_raw_job *m, pfft3d_error *e) {
  size_t larger = f->element > m->x->bytes ? f->element : m->x->bytes;
  pf_io_rounds mine = pf_io_split_box(&f->box, larger, f->most);
  long long most = mine.count;
  int code = MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_LONG_LONG, MPI_MAX, f->comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  for (ptrdiff_t k = 0; k < most; k++) {
    pf_progress_at(k, most);
    if (k >= mine.count || e->status) {
      read_round(f, m, NULL, NULL, e);
      continue;
    }
    pf_io_round p = pf_io_round_at(&mine, &f->box, k);
    char *to = f->in_order ? m->array + p.offset * (ptrdiff_t)m->x->bytes : f->buffer,
         *from = f->buffer ? f->buffer : to;
    if (!read_round(f, m, &p, from, e)) convert(f, m, from, to, &p);
  }
  return e->status;
}

/* Collective. Opens the file, reads all rounds, closes it.  Agreed. */
static int read_file(raw_file *f, const pf_raw_job *m, pfft3d_error *e) {
  int one_node = 0;
  pf_io_check_access(m->d->file, 0, PFFT3D_ERR_NOINPUT, e);
  PF_TRY(on_one_node(f->comm, &one_node, e));
  one_node ? open_independent(f, m->d, e) : open_shared(f, m->d, e);
  if (!pf_agree(f->comm, e)) read_rounds(f, m, e);
  if (f->fd >= 0) close(f->fd);
  if (f->file != MPI_FILE_NULL)
    pf_raw_fail(MPI_File_close(&f->file), m->d->file, PFFT3D_ERR_IO, "close", e);
  pf_sidecar_release(&f->sidecar);
  return pf_agree(f->comm, e);
}

int pf_raw_read(MPI_Comm comm, const pf_raw_job *m, pfft3d_error *e) {
  raw_file f = {.comm = comm,
                .file = MPI_FILE_NULL,
                .sidecar = pf_sidecar_none,
                .fd = -1,
                .parts = m->d->is_complex ? 2 : 1,
                .most = SIZE_MAX};
  f.number = pf_number_at(m->d->stored.number)->bytes;
  f.element = f.number * (size_t)f.parts;
  order_axes(&f, m);
  if (f.number > m->x->part_bytes || !f.in_order) {
    f.most = BUFFER;
    f.buffer = malloc(BUFFER);
    if (!f.buffer) pf_fail(e, PFFT3D_ERR_MEMORY, "not enough memory to read '%.200s'", m->d->file);
  }
  read_file(&f, m, e);
  free(f.buffer);
  return e->status;
}
