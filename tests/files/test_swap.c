/* ranks: 1 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Where others may rename files: a link to a file of the user's takes the place of the temporary
 * file at the worst moment, when HDF5 is about to create what is in it.  That file stays as it was.
 *
 * The function below stands before HDF5's own. */
#define _GNU_SOURCE
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include <dlfcn.h>
#include <fcntl.h>

#include "files.h"

enum { BYTES = 1000 };
static int armed, swapped;

/* Local. Puts a link to "victim" where the temporary file is. */
static void swap(void) {
  char name[300] = "";
  DIR *d = opendir(directory);
  for (struct dirent *f = d ? readdir(d) : NULL; f; f = readdir(d))
    if (strstr(f->d_name, ".pfft3d-")) snprintf(name, sizeof name, "%s", f->d_name);
  if (d) closedir(d);
  swapped = name[0] && rename(in_directory(name), in_directory("taken")) == 0 &&
            symlink("victim", in_directory(name)) == 0;
}

hid_t H5Fcreate(const char *name, unsigned flags, hid_t create, hid_t access) {
  static hid_t (*real)(const char *, unsigned, hid_t, hid_t);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "H5Fcreate");
  if (armed) swap();
  armed = 0;
  return real(name, flags, create, access);
}

static void put_victim(void) {
  char bytes[BYTES];
  memset(bytes, 'v', sizeof bytes);
  int fd = open(in_directory("victim"), O_WRONLY | O_CREAT, 0600);
  CHECK(fd >= 0 && write(fd, bytes, sizeof bytes) == BYTES, "victim");
  close(fd);
}

static void check_victim(void) {
  char bytes[BYTES + 1];
  int fd = open(in_directory("victim"), O_RDONLY), same = 1;
  ssize_t n = read(fd, bytes, sizeof bytes);
  close(fd);
  for (ssize_t k = 0; k < n; k++) same &= bytes[k] == 'v';
  CHECK(n == BYTES && same, "the user's file has %zd bytes, %s", n, same ? "its own" : "others");
}

static void test_all(void) {
  pfft3d_error e;
  pfft3d_output *out;
  pfft3d_output_spec spec = {.name = in_directory("out.h5:/x"), .dims = 3, .n = {4, 5, 6}};
  if (world_rank == 0) put_victim();
  MPI_Barrier(MPI_COMM_WORLD);
  armed = world_rank == 0;
  int code = pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, &e);
  CHECK(code == PFFT3D_ERR_OUTPUT && strstr(e.text, "removed or replaced"), "code %d: %s", code,
        e.text);
  CHECK(!out, "an output");
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank != 0) return;
  CHECK(swapped, "nothing was put in its place");
  check_victim();
}

int main(int argc, char **argv) {
  files_begin(&argc, &argv);
  test_all();
  return files_end();
}

#else
#include "no_hdf5.h"
#endif
