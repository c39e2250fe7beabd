/* SPDX-License-Identifier: BSD-3-Clause
 * Input: a look at a dataset by rank 0, then every rank reads its box.
 *
 * A file may come from anyone.  Rank 0 has it looked at (hdf5/probe.c).  Numbers that lie there
 * plainly are then read as bytes by all ranks together (hdf5/raw.c); what only HDF5 can decode,
 * each rank has decoded (hdf5/probe.c again). */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "hdf5/probe.h"
#include "hdf5/raw.h"

int pfft3d_dataset_probe(MPI_Comm comm, const char *name, pfft3d_dataset *d, pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  int rank, code;
  pf_error_clear(&e);
  memset(d, 0, sizeof *d);
  MPI_Comm_rank(comm, &rank);
  if (pf_h5_begin(comm, &guard, &e)) return pf_error_out(&e, error);
  if (rank == 0) pf_probe_look(name, d, &e);
  if (pf_agree(comm, &e))
    memset(d, 0, sizeof *d);
  else if ((code = MPI_Bcast(d, (int)sizeof *d, MPI_BYTE, 0, comm)) != MPI_SUCCESS)
    pf_fail_mpi(&e, code, "MPI_Bcast");
  pf_h5_end(&guard);
  return pf_error_out(&e, error);
}

/* ---- Reading ------------------------------------------------------------------------------ */

/* What to do with the elements of a round. */
typedef struct arrival {
  int expand;   /* real numbers arrive in an array of complex ones */
  int parts;    /* of an element of the array */
  size_t bytes; /* of a part */
  double nonfinite;
} arrival;

/* Number i of an array, a double or a float, read and written. */
static double get(const arrival *a, const void *array, ptrdiff_t i) {
  return a->bytes == sizeof(float) ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static void put(const arrival *a, void *array, ptrdiff_t i, double value) {
  if (a->bytes == sizeof(float))
    ((float *)array)[i] = (float)value;
  else
    ((double *)array)[i] = value;
}

/* Where they are expanded, makes complex numbers of `count` real ones at the start of their own
 * space, from the last one down so that none is overwritten before it is read; counts what is not
 * finite. */
static void arrive(void *context, void *piece, ptrdiff_t count) {
  arrival *a = context;
  ptrdiff_t bad = 0;
  for (ptrdiff_t i = count - 1; i >= 0; i--) {
    if (a->expand) {
      put(a, piece, 2 * i, get(a, piece, i));
      put(a, piece, 2 * i + 1, 0);
    }
    bad += a->parts == 1 ? !isfinite(get(a, piece, i))
                         : !isfinite(get(a, piece, 2 * i)) || !isfinite(get(a, piece, 2 * i + 1));
  }
  a->nonfinite += (double)bad;
}

/* Rank 0 fails unless the file is the one that was looked at. */
static int check_same(MPI_Comm comm, const pfft3d_dataset *d, pfft3d_error *e) {
  struct stat st;
  long long file[5];
  int rank;
  MPI_Comm_rank(comm, &rank);
  PF_TRY(pf_io_stat(d->file, &st, e)); /* by all: none is to open what is no regular file */
  pf_io_mark(&st, file);
  /* other nodes may have other numbers for the same device */
  PF_CHECK(rank > 0 || memcmp(file, d->stored.file, sizeof file) == 0, e, PFFT3D_ERR_DATA,
           "cannot read '%s' in '%s': it has changed since it was opened", d->path, d->file);
  return PFFT3D_OK;
}

/* Whether an array of this size can have been found where the file was said to have it. */
static int check_size(const pfft3d_dataset *d, pfft3d_error *e) {
  size_t bytes = d->is_complex ? 2 : 1;
  hid_t number = pf_h5_number(d->stored.number);
  PF_CHECK(d->dims >= 1 && d->dims <= 3, e, PFFT3D_ERR_USAGE, "cannot read: nothing was probed");
  if (number < 0) return PFFT3D_OK; /* whoever decodes it looks at its size again */
  int over = pf_mul(bytes, H5Tget_size(number), &bytes);
  for (int a = 0; a < 3; a++)
    over |= d->n[a] < 0 || pf_mul(bytes, (size_t)d->n[a], &bytes) || bytes > PTRDIFF_MAX;
  PF_CHECK(!over && (long long)bytes == d->stored.bytes, e, PFFT3D_ERR_DATA,
           "cannot read '%s' in '%s': it has changed since it was opened", d->path, d->file);
  return PFFT3D_OK;
}

/* This rank's box of what has to be decoded. */
static int read_decoded(const pfft3d_dataset *d, const pf_h5_element *x, const pfft3d_box *box,
                        char *array, arrival *a, pfft3d_error *e) {
  pf_transfer rounds = pf_io_cut(d->n, box, x->bytes, SIZE_MAX);
  pf_probe_reader *reader;
  size_t each = (d->is_complex ? 2 : 1) * x->part_bytes;
  if (rounds.count == 0) return PFFT3D_OK;
  PF_TRY(pf_probe_read_begin(d, x, box, &rounds, &reader, e));
  for (ptrdiff_t k = 0; k < rounds.count && !e->status; k++) {
    pf_progress();
    pf_portion p = pf_io_piece(&rounds, box, k);
    char *to = array + p.at * (ptrdiff_t)x->bytes;
    if (!pf_probe_read(reader, &p, (size_t)p.count * each, to, e)) arrive(a, to, p.count);
  }
  pf_probe_read_end(&reader);
  return e->status;
}

/* Between the opening of HDF5 and its end; agreed. */
static int read_box(MPI_Comm comm, pfft3d_dataset *d, const pf_h5_element *x, const pfft3d_box *box,
                    void *array, pfft3d_error *e) {
  arrival a = {x->parts == 2 && !d->is_complex, x->parts, x->part_bytes, 0};
  pf_raw_read raw = {d, x, box, array, arrive, &a};
  if (!check_size(d, e) && !(x->parts == 1 && d->is_complex) &&
      !pf_io_check_box(d->n, box, array, e))
    check_same(comm, d, e);
  if (x->parts == 1 && d->is_complex)
    pf_fail(e, PFFT3D_ERR_USAGE, "cannot read '%s' in '%s' as real numbers: they are %s", d->path,
            d->file, d->type);
  PF_TRY(pf_agree(comm, e));
  if (d->stored.number >= 0)
    pf_raw_read_all(comm, &raw, e);
  else
    read_decoded(d, x, box, array, &a, e);
  if (!e->status) check_same(comm, d, e);
  if (!pf_agree(comm, e)) {
    int code = MPI_Allreduce(&a.nonfinite, &d->nonfinite, 1, MPI_DOUBLE, MPI_SUM, comm);
    if (code != MPI_SUCCESS) pf_fail_mpi(e, code, "MPI_Allreduce");
  }
  return e->status;
}

int pfft3d_dataset_read(MPI_Comm comm, pfft3d_dataset *d, pfft3d_precision precision,
                        pfft3d_numbers numbers, const pfft3d_box *box, void *array,
                        pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  pf_h5_element x;
  pf_error_clear(&e);
  if (!pf_h5_begin(comm, &guard, &e)) {
    if (!pf_h5_element_of(precision, numbers, &x, &e)) read_box(comm, d, &x, box, array, &e);
    pf_h5_end(&guard);
  }
  return pf_error_out(&e, error);
}

/* ---- Attributes --------------------------------------------------------------------------- */

/* The attribute, on one rank. */
static int read_attribute(const pfft3d_dataset *d, const char *name, char *text, size_t size,
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

int pfft3d_dataset_attribute(MPI_Comm comm, const pfft3d_dataset *d, const char *name, char *text,
                             size_t size, pfft3d_error *error) {
  pfft3d_error e;
  pf_h5_guard guard;
  int rank, code;
  pf_error_clear(&e);
  MPI_Comm_rank(comm, &rank);
  if (pf_h5_begin(comm, &guard, &e)) return pf_error_out(&e, error);
  if (size == 0 || size > INT_MAX)
    pf_fail(&e, PFFT3D_ERR_USAGE, "cannot read an attribute into %zu bytes", size);
  else
    memset(text, 0, size);
  if (rank == 0 && !e.status) read_attribute(d, name, text, size, &e);
  if (!pf_agree(comm, &e) && (code = MPI_Bcast(text, (int)size, MPI_BYTE, 0, comm)) != MPI_SUCCESS)
    pf_fail_mpi(&e, code, "MPI_Bcast");
  pf_h5_end(&guard);
  return pf_error_out(&e, error);
}

#endif
