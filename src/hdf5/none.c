/* SPDX-License-Identifier: BSD-3-Clause
 * The functions for files in a build without parallel HDF5: they say so. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifndef PF_HAVE_HDF5

#include <unistd.h>

#include "base/status.h"
#include "hdf5/files.h"

static int unavailable(pfft3d_error *error) {
  pfft3d_error e;
  pf_error_clear(&e);
  pf_fail(&e, PFFT3D_ERR_UNAVAILABLE, "cannot use files: this build has no parallel HDF5");
  pf_hint(&e, "install it (Debian: libhdf5-openmpi-dev), then configure and build again");
  return pf_error_out(&e, error);
}

void pf_io_set_round_bytes(size_t bytes) {
  (void)bytes;
}

void pf_io_set_together(int always) {
  (void)always;
}

void pf_io_set_probe(const char *path) {
  (void)path;
}

void pf_io_set_job(const char *name) {
  (void)name;
}

void pf_io_set_patience(int seconds) {
  (void)seconds;
}

int pf_io_child(void) {
  _exit(PFFT3D_ERR_UNAVAILABLE); /* nobody asks */
}

int pfft3d_dataset_probe(MPI_Comm comm, const char *name, pfft3d_dataset *d, pfft3d_error *error) {
  (void)comm, (void)name, (void)d;
  return unavailable(error);
}

int pfft3d_dataset_read(MPI_Comm comm, pfft3d_dataset *d, pfft3d_precision precision,
                        pfft3d_numbers numbers, const pfft3d_box *box, void *array,
                        pfft3d_error *error) {
  (void)comm, (void)d, (void)precision, (void)numbers, (void)box, (void)array;
  return unavailable(error);
}

int pfft3d_dataset_attribute(MPI_Comm comm, const pfft3d_dataset *d, const char *name, char *text,
                             size_t size, pfft3d_error *error) {
  (void)comm, (void)d, (void)name;
  if (size > 0) text[0] = 0;
  return unavailable(error);
}

int pfft3d_output_create(MPI_Comm comm, const pfft3d_output_spec *spec, pfft3d_output **output,
                         pfft3d_error *error) {
  (void)comm, (void)spec;
  *output = NULL;
  return unavailable(error);
}

const char *pfft3d_output_temporary(const pfft3d_output *output) {
  (void)output;
  return "";
}

int pfft3d_output_write(pfft3d_output *output, const pfft3d_box *box, const void *array,
                        pfft3d_error *error) {
  (void)output, (void)box, (void)array;
  return unavailable(error);
}

int pfft3d_output_commit(pfft3d_output **output, pfft3d_error *error) {
  (void)output;
  return unavailable(error);
}

void pfft3d_output_discard(pfft3d_output **output) {
  (void)output;
}

#endif
