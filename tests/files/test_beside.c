/* ranks: 2 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * What MPI makes beside a file that ranks have open, as where they are on several nodes:
 * pfft3d_remove_temporary() removes it while the file is open, and nothing else.
 *
 * MPI_File_get_size() is called by whoever has just opened a file, HDF5 and pfft3d: the function
 * below stands before MPI's own. */
#ifdef HAVE_CONFIG_H
#include "base/hooks.h"
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include <fcntl.h>

#include "files_move.h"
#include "hdf5/sidecar.h"

static const char *open_now;  /* part of the name of the next file to be opened; NULL: none */
static const char *momentary; /* what ranks make and remove while they open it; NULL: not there */
static int before, after;     /* files beside it */
static int strangers;         /* files beside it that are another run's */

/* Local. Files of MPI's beside a file, or files made to look so. */
static int count_beside(void) {
  int count = 0;
  DIR *d = opendir(directory);
  for (struct dirent *f = d ? readdir(d) : NULL; f; f = readdir(d))
    count += strstr(f->d_name, open_now) && strstr(f->d_name, ".lock");
  if (d) closedir(d);
  return count;
}

/* Local. An empty file in the directory. */
static void put(const char *name) {
  int fd = open(in_directory(name), O_WRONLY | O_CREAT, 0600);
  CHECK(fd >= 0, "%s", name);
  close(fd);
}

int MPI_File_get_size(MPI_File file, MPI_Offset *bytes) {
  int code = PMPI_File_get_size(file, bytes);
  if (!open_now || world_rank != 0) return code;
  if (momentary) put(momentary);
  before = count_beside();
  pfft3d_remove_temporary();
  after = count_beside();
  open_now = NULL;
  return code;
}

/* Local. Whether the directory's file system has locks: without, Open MPI makes no such file. */
static int has_locks(void) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int fd = open(in_directory("locks"), O_RDWR | O_CREAT, 0600);
  int there = fcntl(fd, F_SETLK, &whole) == 0;
  close(fd);
  return there;
}

static void check_beside(const char *what) {
  if (world_rank != 0) return;
  CHECK(!open_now, "%s: nobody has opened it", what);
#ifdef OPEN_MPI
  CHECK(before == has_locks() + strangers + !!momentary, "%s: %d files beside it", what, before);
  CHECK(after == strangers, "%s: %d files beside it are left, not %d", what, after, strangers);
#else
  CHECK(after == before, "%s: %d of %d files beside it are left", what, after, before);
#endif
}

static void test_read(void) {
  const char *file = in_directory("in.h5");
  pfft3d_dataset *d;
  pfft3d_error e;
  double array[2 * 4 * 3 * 2];
  make_small(file, &d);
  pfft3d_box box = box_of(d->found.n, world_rank, world_size, CUT_SLABS);
  strangers = 1;
  momentary = "in.h5.locktest.0";
  if (world_rank == 0) put("in.h5-1-1.lock");
  MPI_Barrier(MPI_COMM_WORLD);
  open_now = "in.h5";
  pf_hooks.mpi_io = 1;
  int status = pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, array, &e);
  pf_hooks.mpi_io = 0;
  CHECK(status == 0, "%s", e.text);
  check_beside("an input");
  pfft3d_dataset_free(&d);
  if (world_rank == 0) CHECK(access(file, R_OK) == 0, "the input is gone");
}

/* What was removed is missed when the output is to get its name. */
static void test_write(void) {
  pfft3d_output_spec spec = {.name = in_directory("out.h5:/data"), .dims = 3, .n = {4, 3, 2}};
  pfft3d_output *out;
  pfft3d_error e;
  double array[2 * 4 * 3 * 2] = {0};
  pfft3d_box box = box_of(spec.n, world_rank, world_size, CUT_SLABS);
  CHECK(pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, &e) == 0, "%s", e.text);
  strangers = 0;
  momentary = NULL;
  open_now = ".out.h5.pfft3d-";
  pfft3d_output_write(out, &box, array, &e);
  check_beside("an output");
  int status = pfft3d_output_commit(&out, &e);
  CHECK(status == PFFT3D_ERR_IO, "status %d: %s", status, e.text);
}

/* Files of each rank where neither shared memory nor locks work; never beside an input, where they
 * could be the user's. */
static void test_pointers(void) {
  pf_sidecar mine = pf_sidecar_none, input = pf_sidecar_none;
  pfft3d_error e = {0};
  char name[64];
  static const char *const forms[] = {"x.h5.data.%d", "x.h5.metadata.%d"};
  for (int unique = 0; unique < 2; unique++) {
    for (int k = 0; k < 2; k++) {
      snprintf(name, sizeof name, forms[k], world_rank);
      put(name);
    }
    pf_sidecar_register(MPI_COMM_WORLD, in_directory("x.h5"), unique, unique ? &mine : &input, &e);
    pfft3d_remove_temporary();
    for (int k = 0; k < 2; k++) {
      snprintf(name, sizeof name, forms[k], world_rank);
      int there = access(in_directory(name), F_OK) == 0;
#ifdef OPEN_MPI
      CHECK(there == !unique, "%s, unique %d: there %d", name, unique, there);
#else
      CHECK(there, "%s", name);
#endif
    }
    pf_sidecar_release(unique ? &mine : &input);
  }
}

int main(int argc, char **argv) {
  setenv("OMPI_MCA_sharedfp", "^sm", 1);
  files_begin(&argc, &argv);
  pf_io_set_job(getenv("PMIX_NAMESPACE"));
  test_read();
  test_write();
  test_pointers();
  return files_end();
}

#else
#include "no_hdf5.h"
#endif
