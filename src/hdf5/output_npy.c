/* SPDX-License-Identifier: BSD-3-Clause
 * Output in .npy files: rank 0 writes the header, all ranks their parts of the array, through
 * MPI-IO.  These files have no attributes. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "hdf5/npy.h"
#include "hdf5/output.h"
#include "hdf5/raw.h"

static int create(pfft3d_output *o, const pfft3d_output_spec *spec, int is_new, pfft3d_error *e) {
  char header[PF_NPY_HEADER];
  size_t bytes = o->element.bytes;
  (void)spec, (void)is_new;
  for (int a = 0; a < pf_io_axes(o->dims); a++) bytes *= (size_t)o->n[a];
  pf_npy_header(&o->element, o->dims, o->n, header);
  PF_CHECK(ftruncate(o->fd, (off_t)(sizeof header + bytes)) == 0 &&
               pwrite(o->fd, header, sizeof header, 0) == (ssize_t)sizeof header,
           e, PFFT3D_ERR_OUTPUT, "cannot create '%.200s': %s", o->file, strerror(errno));
  return PFFT3D_OK;
}

/* Adds an error of MPI-IO to *e. */
static void check(int code, const pfft3d_output *o, pfft3d_error *e) {
  pf_raw_fail(code, o->file, PFFT3D_ERR_IO, "write", e);
}

/* One collective write: a round, or nothing if @p p is NULL. */
static void write_round(MPI_File file, const pfft3d_output *o, const pf_io_round *p,
                        const char *array, pfft3d_error *e) {
  int axes = pf_io_axes(o->dims);
  ptrdiff_t pitch[PF_IO_DIMS];
  size_t element = o->element.bytes;
  MPI_Datatype type = MPI_BYTE;
  MPI_Offset at = PF_NPY_HEADER;
  const char nothing = 0;
  int count = 0;
  pitch[axes - 1] = 1;
  for (int a = axes - 1; a > 0; a--) pitch[a - 1] = pitch[a] * o->n[a];
  if (p) {
    int code = pf_raw_type(axes, pitch, element, p, &type);
    check(code, o, e);
    if (code == MPI_SUCCESS) {
      count = (int)(p->count * (ptrdiff_t)element);
      for (int a = 0; a < axes; a++) at += p->start[a] * pitch[a] * (ptrdiff_t)element;
      array += p->offset * (ptrdiff_t)element;
    } else {
      type = MPI_BYTE;
    }
  }
  /* both calls are collective: they are entered even after a failure */
  check(MPI_File_set_view(file, at, MPI_BYTE, type, "native", MPI_INFO_NULL), o, e);
  check(
      MPI_File_write_at_all(file, 0, count ? array : &nothing, count, MPI_BYTE, MPI_STATUS_IGNORE),
      o, e);
  if (type != MPI_BYTE) MPI_Type_free(&type);
}

static int write_box(pfft3d_output *o, const pf_io_box *box, const void *array, long long *rounds,
                     pfft3d_error *e) {
  MPI_File file = MPI_FILE_NULL;
  pf_io_rounds mine = pf_io_split_box(box, o->element.bytes, SIZE_MAX);
  *rounds = mine.count;
  pf_io_check_access(o->temporary, 1, PFFT3D_ERR_IO, e);
  PF_TRY(pf_agree(o->comm, e));
  check(MPI_File_open(o->comm, o->temporary, MPI_MODE_WRONLY, MPI_INFO_NULL, &file), o, e);
  PF_TRY(pf_agree(o->comm, e));
  check(MPI_Allreduce(MPI_IN_PLACE, rounds, 1, MPI_LONG_LONG, MPI_MAX, o->comm), o, e);
  for (ptrdiff_t k = 0; k < *rounds; k++) {
    pf_progress_at(k, *rounds);
    pf_io_round p = k < mine.count ? pf_io_round_at(&mine, box, k) : (pf_io_round){.count = 0};
    write_round(file, o, k < mine.count && !e->status ? &p : NULL, array, e);
  }
  check(MPI_File_sync(file), o, e);
  check(MPI_File_close(&file), o, e);
  return pf_agree(o->comm, e);
}

const pf_output_format pf_output_npy = {".npy", PF_NPY_PATH, create, write_box};
