/* ranks: 1 2 */
/* SPDX-License-Identifier: BSD-3-Clause
 * A file that asks for a filter of somebody else's, which HDF5 would load: it is refused, and
 * nothing is loaded, neither in the process that inspects files nor, where there is none, in this
 * one. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include "files.h"

static void refused(const char *file, const char *program) {
  pfft3d_dataset *d;
  pfft3d_error e;
  pf_io_set_probe(program);
  int status = pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, &e);
  CHECK(status == PFFT3D_ERR_DATA && strstr(e.text, "filter 299"), "%d: %s", status, e.text);
  CHECK(!getenv("PFFT3D_TEST_PLUGIN"), "the plugin was loaded");
}

/* With the folder that the caller names, it is. */
static void accepted(const char *file, const char *program, const char *folder) {
  const pfft3d_input_spec spec = {.name = file, .filters = folder};
  const pfft3d_box box = {.len = {4, 3, 2}};
  pfft3d_dataset *d;
  pfft3d_error e;
  double array[4 * 3 * 2];
  pf_io_set_probe(program);
  int status = pfft3d_dataset_open(MPI_COMM_WORLD, &spec, sizeof spec, &d, &e);
  if (!status) status = pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_REAL, &box, array, &e);
  CHECK(!status, "%d: %s", status, e.text);
  pfft3d_dataset_free(&d);
}

/* Nothing is loaded into the caller's process. */
static void unavailable(const char *file, const char *folder) {
  const pfft3d_input_spec spec = {.name = file, .filters = folder};
  pfft3d_dataset *d;
  pf_io_set_probe(NULL);
  CHECK(pfft3d_dataset_open(MPI_COMM_WORLD, &spec, sizeof spec, &d, NULL) == PFFT3D_ERR_UNAVAILABLE,
        "without the program");
  CHECK(!getenv("PFFT3D_TEST_PLUGIN"), "the plugin was loaded in this process");
}

int main(int argc, char **argv) {
  /* HDF5 opens every lib*.so in the folder: this has the plugin alone */
  char here[] = "/tmp/pfft3d-plugin-XXXXXX", from[512], to[64];
  const char *build = getenv("builddir");
  snprintf(from, sizeof from, "%s/tests/faults/.libs/plugin.so", build ? build : ".");
  if (!mkdtemp(here)) return 99;
  snprintf(to, sizeof to, "%s/librare.so", here);
  int there = access(from, R_OK) == 0 && symlink(from, to) == 0;
  setenv("HDF5_PLUGIN_PATH", here, 1);
  files_begin(&argc, &argv);
  const char *file = in_directory("filtered.h5");
  if (world_rank == 0) make_filtered(file);
  MPI_Barrier(MPI_COMM_WORLD);
  refused(file, NULL);
  if (probe_program()) refused(file, probe_program());
  if (there && probe_program()) accepted(file, probe_program(), here);
  CHECK(!getenv("PFFT3D_TEST_PLUGIN"), "the plugin was loaded in this process");
  unavailable(file, here);
  /* and it could have been */
  int can = there && H5Zfilter_avail(299) > 0;
  CHECK(!there || (can && getenv("PFFT3D_TEST_PLUGIN")), "HDF5 does not find %s", to);
  unlink(to);
  rmdir(here);
  return files_end();
}

#else
#include "no_hdf5.h"
#endif
