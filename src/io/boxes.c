/* SPDX-License-Identifier: BSD-3-Clause
 * The parallel part: all ranks open one dataset and move their boxes, in rounds.
 *
 * HDF5 over MPI-IO fails beyond 2 GiB per rank and call, so a box travels in pieces of at most 1
 * GiB.  A collective call needs every rank: all make as many rounds as the largest box needs,
 * those that are done (or have failed) with an empty selection. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include "io/hdf5_common.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* In the file a box is many short runs where it is thin.  MPI-IO keeps a list of them, some 50
 * bytes for each, so that a round has a limited number. */
enum { RUNS = 1 << 20 };

static const size_t round_default = (size_t)1 << 30;
static size_t round_bytes = (size_t)1 << 30; /* changed by tests only */

void pf_io_set_round_bytes(size_t bytes) {
  round_bytes = bytes ? bytes : round_default;
}

int pf_io_comm(MPI_Comm comm, MPI_Comm *plain, pfft3d_error *e) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  *plain = MPI_COMM_NULL;
  /* a split forgets the topology and the attributes that a dup would keep */
  int code = MPI_Comm_split(comm, 0, rank, plain);
  if (code != MPI_SUCCESS) pf_fail_mpi(e, code, "MPI_Comm_split");
  if (*plain != MPI_COMM_NULL) MPI_Comm_set_errhandler(*plain, MPI_ERRORS_RETURN);
  if (pf_agree(comm, e) && *plain != MPI_COMM_NULL) MPI_Comm_free(plain);
  return e->status;
}

static const pf_h5_open closed = {MPI_COMM_NULL, -1, -1, -1, -1};

/* Whether the dataset is stored in one piece: then MPI-IO may do collectively what it does best. */
static int is_contiguous(hid_t dataset) {
  hid_t made = H5Dget_create_plist(dataset);
  int yes = made >= 0 && H5Pget_layout(made) == H5D_CONTIGUOUS;
  if (made >= 0) H5Pclose(made);
  return yes;
}

/* Opens file and dataset over MPI-IO; every rank makes the same calls. */
static int open_here(const char *file, const char *path, int writing, int status, pf_h5_open *o,
                     pfft3d_error *e) {
  char why[PF_IO_WHY];
  hid_t files = H5Pcreate(H5P_FILE_ACCESS), links = pf_h5_no_external_links(NULL);
  o->list = H5Pcreate(H5P_DATASET_XFER);
  if (files < 0 || links < 0 || o->list < 0 ||
      H5Pset_fapl_mpio(files, o->comm, MPI_INFO_NULL) < 0) {
    pf_fail(e, PFFT3D_ERR_INTERNAL, "cannot prepare MPI-IO: %s", pf_h5_why(why));
  } else if ((o->file = H5Fopen(file, writing ? H5F_ACC_RDWR : H5F_ACC_RDONLY, files)) < 0) {
    pf_fail(e, status, "cannot open '%s' on all ranks: %s", file, pf_h5_why(why));
  } else if ((o->dataset = H5Dopen2(o->file, path, links)) < 0 ||
             (o->space = H5Dget_space(o->dataset)) < 0 ||
             H5Pset_dxpl_mpio(o->list, is_contiguous(o->dataset) ? H5FD_MPIO_COLLECTIVE
                                                                 : H5FD_MPIO_INDEPENDENT) < 0) {
    pf_fail(e, status, "cannot open '%s' in '%s' on all ranks: %s", path, file, pf_h5_why(why));
  }
  if (links >= 0) H5Pclose(links);
  if (files >= 0) H5Pclose(files);
  return e->status;
}

int pf_h5_open_all(MPI_Comm comm, const char *file, const char *path, int writing, int status,
                   pf_h5_open *o, pfft3d_error *e) {
  *o = closed;
  if (!e->status && access(file, writing ? W_OK : R_OK)) {
    pf_fail(e, status, "cannot open '%s': %s", file, strerror(errno));
    pf_hint(e, "every rank must see the file under this name: use a shared file system");
  }
  PF_TRY(pf_io_comm(comm, &o->comm, e));
  open_here(file, path, writing, status, o, e);
  if (pf_agree(comm, e)) pf_h5_close_all(o, 0, e);
  return e->status;
}

int pf_h5_close_all(pf_h5_open *o, int writing, pfft3d_error *e) {
  char why[PF_IO_WHY];
  if (o->space >= 0) H5Sclose(o->space);
  if (o->list >= 0) H5Pclose(o->list);
  if (writing && o->file >= 0 && H5Fflush(o->file, H5F_SCOPE_GLOBAL) < 0)
    pf_fail(e, PFFT3D_ERR_IO, "cannot flush the output: %s", pf_h5_why(why));
  if (o->dataset >= 0 && H5Dclose(o->dataset) < 0)
    pf_fail(e, PFFT3D_ERR_IO, "cannot close the dataset: %s", pf_h5_why(why));
  if (o->file >= 0 && H5Fclose(o->file) < 0)
    pf_fail(e, PFFT3D_ERR_IO, "cannot close the file: %s", pf_h5_why(why));
  if (o->comm != MPI_COMM_NULL) MPI_Comm_free(&o->comm);
  *o = closed;
  return e->status;
}

static int is_empty(const pfft3d_box *box) {
  return box->len[0] == 0 || box->len[1] == 0 || box->len[2] == 0;
}

int pf_h5_check_box(const ptrdiff_t n[3], const pfft3d_box *box, const void *array,
                    pfft3d_error *e) {
  PF_CHECK(box, e, PFFT3D_ERR_USAGE, "cannot move a box: it is NULL");
  for (int a = 0; a < 3; a++)
    PF_CHECK(box->lo[a] >= 0 && box->len[a] >= 0 && box->len[a] <= n[a] - box->lo[a], e,
             PFFT3D_ERR_USAGE, "box leaves the array: [%td, %td + %td) of %td along axis %d",
             box->lo[a], box->lo[a], box->len[a], n[a], a);
  if (is_empty(box)) return PFFT3D_OK;
  PF_CHECK(array, e, PFFT3D_ERR_USAGE, "cannot move a box: its array is NULL");
  return PFFT3D_OK;
}

/* A box cut into pieces of `step` indices along `axis`, at one index of every axis before it, so
 * that each is contiguous in memory; in the file it is a box again.  `lines` pieces make up the
 * axis. */
typedef struct rounds {
  int axis;
  ptrdiff_t step, lines, count;
} rounds;

static rounds cut(const pf_h5_move *m, size_t element) {
  rounds r = {0, 1, 0, 0};
  const pfft3d_box *box = m->box;
  if (is_empty(box)) return r;
  ptrdiff_t limit = (ptrdiff_t)(round_bytes / element), inner = box->len[1] * box->len[2];
  ptrdiff_t run = box->len[2] < m->n[2] ? box->len[2] : inner; /* contiguous in the file */
  if (run < limit / RUNS) limit = run * RUNS;
  for (; r.axis < 2 && inner > limit; r.axis++) inner /= box->len[r.axis + 1];
  if (limit > inner) r.step = limit / inner;
  r.count = r.lines = (box->len[r.axis] - 1) / r.step + 1;
  for (int a = 0; a < r.axis; a++) r.count *= box->len[a];
  return r;
}

/* Piece k of the box: from `start` (relative to the box) `size`, both by axis. */
static void piece(const rounds *r, const pfft3d_box *box, ptrdiff_t k, ptrdiff_t start[3],
                  ptrdiff_t size[3]) {
  ptrdiff_t outer = k / r->lines, left;
  for (int a = r->axis - 1; a >= 0; outer /= box->len[a], a--) {
    start[a] = outer % box->len[a];
    size[a] = 1;
  }
  start[r->axis] = k % r->lines * r->step;
  left = box->len[r->axis] - start[r->axis];
  size[r->axis] = left < r->step ? left : r->step;
  for (int a = r->axis + 1; a < 3; a++) {
    start[a] = 0;
    size[a] = box->len[a];
  }
}

/* One round: piece k, or nothing when k is negative.  Returns whether it failed. */
static int move(const pf_h5_open *o, const pf_h5_move *m, const rounds *r, ptrdiff_t k, int writing,
                char *array) {
  hsize_t start[3], size[3], count = 1;
  ptrdiff_t from[3], many[3], offset = 0;
  char nothing[2 * sizeof(double)];
  herr_t rc;
  if (k < 0) {
    rc = H5Sselect_none(o->space);
    array = nothing;
  } else {
    int first = 3 - m->dims;
    piece(r, m->box, k, from, many);
    for (int a = 0; a < 3; a++) {
      offset = offset * m->box->len[a] + from[a];
      start[a] = (hsize_t)(m->box->lo[a] + from[a]);
      size[a] = (hsize_t)many[a];
      count *= size[a];
    }
    array += offset * (ptrdiff_t)m->bytes;
    rc = H5Sselect_hyperslab(o->space, H5S_SELECT_SET, start + first, NULL, size + first, NULL);
  }
  hid_t memory = H5Screate_simple(1, &count, NULL);
  if (k < 0 && H5Sselect_none(memory) < 0) rc = -1;
  /* the transfer is collective: it is entered even after a failure just above */
  herr_t moved = writing ? H5Dwrite(o->dataset, m->type, memory, o->space, o->list, array)
                         : H5Dread(o->dataset, m->type, memory, o->space, o->list, array);
  if (moved < 0) rc = -1;
  if (memory >= 0) H5Sclose(memory);
  if (rc >= 0 && k >= 0 && m->arrived) m->arrived(m->context, array, (ptrdiff_t)count);
  return rc < 0;
}

/* Bytes of an element where it takes more: in memory, or in the file. */
static size_t larger_bytes(const pf_h5_open *o, const pf_h5_move *m) {
  hid_t type = H5Dget_type(o->dataset);
  size_t stored = type >= 0 ? H5Tget_size(type) : 0;
  if (type >= 0) H5Tclose(type);
  return stored > m->bytes ? stored : m->bytes;
}

int pf_h5_transfer(const pf_h5_open *o, const pf_h5_move *m, int writing, void *array,
                   pfft3d_error *e) {
  char why[PF_IO_WHY];
  rounds mine = cut(m, larger_bytes(o, m));
  long long most = mine.count;
  int code = MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_LONG_LONG, MPI_MAX, o->comm);
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  for (ptrdiff_t k = 0; k < most; k++) {
    int active = k < mine.count && !e->status;
    if (move(o, m, &mine, active ? k : -1, writing, array))
      pf_fail(e, PFFT3D_ERR_IO, "cannot %s part %td of %lld: %s", writing ? "write" : "read", k + 1,
              most, pf_h5_why(why));
  }
  return e->status;
}

#endif
