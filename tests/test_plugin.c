/* ranks: 1 2 */
/* SPDX-License-Identifier: BSD-3-Clause
 * A file that asks for a filter of somebody else's, which HDF5 would load: it is refused, and nothing
 * is loaded, neither in the process that looks at files nor, where there is none, in this one. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include "files.h"

static size_t same(unsigned flags, size_t count, const unsigned values[], size_t bytes,
                   size_t *size, void **data) {
  (void)flags, (void)count, (void)values, (void)size, (void)data;
  return bytes;
}

/* Local. Chunks that have gone through filter 299. */
static void make_filtered(const char *file) {
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, 299, 1, 1, "rare", NULL, NULL, same};
  const hsize_t n[3] = {4, 3, 2};
  const char data[4 * 3 * 2] = {0};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(3, n, NULL);
  CHECK(H5Zregister(&filter) >= 0, "no filter");
  H5Pset_chunk(list, 3, n);
  H5Pset_filter(list, 299, H5Z_FLAG_MANDATORY, 0, NULL);
  hid_t f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t d = H5Dcreate2(f, "data", H5T_STD_U8LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  CHECK(H5Dwrite(d, H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0, "%s", file);
  H5Dclose(d);
  H5Fclose(f);
  H5Sclose(space);
  H5Pclose(list);
  H5Zunregister(299);
}

static void refused(const char *file, const char *program) {
  pfft3d_dataset d;
  pfft3d_error e;
  pf_io_set_probe(program);
  int status = pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, &e);
  CHECK(status == PFFT3D_ERR_DATA && strstr(e.text, "filter 299"), "%d: %s", status, e.text);
  CHECK(!getenv("PFFT3D_TEST_PLUGIN"), "the plugin was loaded");
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
  /* and it could have been */
  int can = there && H5Zfilter_avail(299) > 0;
  CHECK(!there || (can && getenv("PFFT3D_TEST_PLUGIN")), "HDF5 does not find %s", to);
  unlink(to);
  rmdir(here);
  return files_end();
}

#else /* see test_files.c */

#include <stdio.h>

int main(void) {
  puts("a build without HDF5");
  return 77;
}

#endif
