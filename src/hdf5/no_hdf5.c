/* SPDX-License-Identifier: BSD-3-Clause
 * HDF5 files in a build without HDF5: an error.  Files of numpy and of numbers only need none. */
#include "hdf5/hooks.h"
#include "hdf5/output.h"
#include "hdf5/probe.h"

static int refuse(const char *what, const char *file, const char *others, pfft3d_error *e) {
  pf_hint(e, "%s; or install it (Debian: libhdf5-openmpi-dev), then configure and build again",
          others);
  return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "cannot %s '%.200s': this build has no parallel HDF5",
                 what, file);
}

int pf_h5_begin_local(pf_h5_guard *guard, pfft3d_error *e) {
  *guard = (pf_h5_guard){.saved = 0};
  return e->status;
}

void pf_h5_end(const pf_h5_guard *guard) {
  (void)guard;
}

void pf_io_set_probe(const char *path) {
  (void)path;
}

void pfft3d_hdf5_start(int argc, char *const *argv, const char *job) {
  (void)argc, (void)argv;
  pf_io_set_job(job);
}

int pf_probe_hdf5(pf_dataset *d, pfft3d_error *e) {
  return refuse("read", d->file, "it reads .npy files, and by --raw numbers only", e);
}

/* Without a dataset of HDF5 these are not called. */
int pf_probe_attribute(const pf_dataset *d, const char *name, char *text, size_t size,
                       pfft3d_error *e) {
  (void)name, (void)text, (void)size;
  return pf_probe_hdf5((pf_dataset *)d, e);
}

pf_probe_reader *pf_probe_read_begin(const pf_dataset *d, const pf_io_element *x,
                                     const pf_io_box *box, pf_io_rounds *rounds, pfft3d_error *e) {
  (void)x, (void)box, (void)rounds;
  pf_probe_hdf5((pf_dataset *)d, e);
  return NULL;
}

int pf_probe_read(pf_probe_reader *reader, const pf_io_round *p, size_t bytes, void *to,
                  pfft3d_error *e) {
  (void)reader, (void)p, (void)bytes, (void)to;
  return e->status;
}

void pf_probe_read_end(pf_probe_reader **reader) {
  (void)reader;
}

static int create(pfft3d_output *o, const pfft3d_output_spec *spec, int is_new, pfft3d_error *e) {
  (void)spec, (void)is_new;
  return refuse("write", o->file, "a name that ends in .npy is a file of numpy", e);
}

const pf_output_format pf_output_hdf5 = {.create = create};
