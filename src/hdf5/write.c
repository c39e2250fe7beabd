/* SPDX-License-Identifier: BSD-3-Clause
 * Parallel writing: all ranks open one dataset and write their boxes, in rounds.
 *
 * A collective call needs every rank: all make as many rounds as the largest box needs; ranks that
 * are done, or have failed, take part with an empty selection. */
#include <stdint.h>

#include "base/progress.h"
#include "hdf5/library.h"

static const pf_h5_open closed = {MPI_COMM_NULL, -1, -1, -1, -1};

/* Opens file and dataset over MPI-IO; every rank makes the same calls. */
static int open_dataset(const char *file, const char *path, pf_h5_open *o, pfft3d_error *e) {
  char reason[PF_IO_REASON];
  hid_t files = H5Pcreate(H5P_FILE_ACCESS);
  o->list = H5Pcreate(H5P_DATASET_XFER);
  if (files < 0 || o->list < 0 || H5Pset_fapl_mpio(files, o->comm, MPI_INFO_NULL) < 0) {
    pf_fail(e, PFFT3D_ERR_INTERNAL, "cannot prepare MPI-IO: %s", pf_h5_reason(reason));
  } else if ((o->file = H5Fopen(file, H5F_ACC_RDWR, files)) < 0) {
    pf_fail(e, PFFT3D_ERR_IO, "cannot open '%.200s' on all ranks: %s", file, pf_h5_reason(reason));
  } else if ((o->dataset = H5Dopen2(o->file, path, H5P_DEFAULT)) < 0 ||
             (o->space = H5Dget_space(o->dataset)) < 0 ||
             H5Pset_dxpl_mpio(o->list, H5FD_MPIO_COLLECTIVE) < 0) {
    pf_fail(e, PFFT3D_ERR_IO, "cannot open '%.100s' in '%.100s' on all ranks: %s", path, file,
            pf_h5_reason(reason));
  }
  if (files >= 0) H5Pclose(files);
  return e->status;
}

int pf_h5_open_all(MPI_Comm comm, const char *file, const char *path, pf_h5_open *o,
                   pfft3d_error *e) {
  *o = closed;
  o->comm = comm;
  pf_io_check_access(file, 1, PFFT3D_ERR_IO, e);
  PF_TRY(pf_agree(comm, e));
  open_dataset(file, path, o, e);
  if (pf_agree(comm, e)) pf_h5_close_all(o, e);
  return e->status;
}

int pf_h5_close_all(pf_h5_open *o, pfft3d_error *e) {
  char reason[PF_IO_REASON];
  if (o->space >= 0) H5Sclose(o->space);
  if (o->list >= 0) H5Pclose(o->list);
  if (o->file >= 0 && H5Fflush(o->file, H5F_SCOPE_GLOBAL) < 0)
    pf_fail(e, PFFT3D_ERR_IO, "cannot flush the output: %s", pf_h5_reason(reason));
  if (o->dataset >= 0 && H5Dclose(o->dataset) < 0)
    pf_fail(e, PFFT3D_ERR_IO, "cannot close the dataset: %s", pf_h5_reason(reason));
  if (o->file >= 0 && H5Fclose(o->file) < 0)
    pf_fail(e, PFFT3D_ERR_IO, "cannot close the file: %s", pf_h5_reason(reason));
  *o = closed;
  return e->status;
}

/* Keeps HDF5's reason for the first failure, before the next call clears it. */
static void note(herr_t rc, char reason[PF_IO_REASON]) {
  if (rc < 0 && !reason[0]) pf_h5_reason(reason);
}

/* Round k, or an empty selection if k is negative.  The reason is "" unless it failed. */
static void write_round(const pf_h5_open *o, const pf_h5_data *m, const pf_io_rounds *r,
                        ptrdiff_t k, char reason[PF_IO_REASON]) {
  hsize_t start[PF_IO_DIMS], size[PF_IO_DIMS], count = 1;
  const char nothing[2 * sizeof(double)] = {0}, *array = nothing;
  reason[0] = 0;
  if (k < 0) {
    note(H5Sselect_none(o->space), reason);
  } else {
    pf_io_round p = pf_io_round_at(r, m->box, k);
    int first = m->box->axes - m->dims;
    for (int a = 0; a < m->box->axes; a++) {
      start[a] = (hsize_t)p.start[a];
      size[a] = (hsize_t)p.size[a];
    }
    count = (hsize_t)p.count;
    array = (const char *)m->array + p.offset * (ptrdiff_t)m->bytes;
    herr_t rc =
        H5Sselect_hyperslab(o->space, H5S_SELECT_SET, start + first, NULL, size + first, NULL);
    note(rc, reason);
  }
  hid_t memory = H5Screate_simple(1, &count, NULL);
  if (k < 0) note(H5Sselect_none(memory), reason);
  /* the transfer is collective: it is entered even after a failure above */
  note(H5Dwrite(o->dataset, m->type, memory, o->space, o->list, array), reason);
  if (memory >= 0) H5Sclose(memory);
}

int pf_h5_write(const pf_h5_open *o, const pf_h5_data *m, long long *rounds, pfft3d_error *e) {
  char reason[PF_IO_REASON];
  pf_io_rounds mine = pf_io_split_box(m->box, m->bytes, SIZE_MAX);
  long long most = mine.count;
  int code = MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_LONG_LONG, MPI_MAX, o->comm);
  *rounds = 0;
  if (code != MPI_SUCCESS) return pf_fail_mpi(e, code, "MPI_Allreduce");
  *rounds = most;
  for (ptrdiff_t k = 0; k < most; k++) {
    pf_progress_at(k, most);
    int active = k < mine.count && !e->status;
    write_round(o, m, &mine, active ? k : -1, reason);
    if (reason[0])
      pf_fail(e, PFFT3D_ERR_IO, "cannot write part %td of %lld: %s", k + 1, most, reason);
  }
  return e->status;
}
