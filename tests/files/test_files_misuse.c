/* ranks: 1 2 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Wrong use of the functions for files: NULL in every pointer, communicators that cannot be used,
 * calls before MPI_Init and after MPI_Finalize.  Each is a USAGE error with a text on all ranks
 * that call, never a crash, an abort or a hang, and leaves neither a file nor a communicator. */
#ifdef HAVE_CONFIG_H
#include "base/hooks.h"
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "files_move.h"
#include "hdf5/library.h"

static char file[512];
static pfft3d_dataset *dataset; /* of that file */

/* Local. The status is USAGE, with a text. */
static void expect(const char *what, int status, const pfft3d_error *e) {
  CHECK(status == PFFT3D_ERR_USAGE && e->status == status && e->text[0], "%s: status %d: %s", what,
        status, e->text);
  CHECK(!strchr(e->text, '\n'), "%s: more than one line", what);
}

static pfft3d_output_spec small_spec(void) {
  static char name[512];
  snprintf(name, sizeof name, "%s/new.h5:/data", directory);
  return (pfft3d_output_spec){.name = name, .dims = 3, .n = {4, 3, 2}};
}

/* ---- Communicators ------------------------------------------------------------------------ */

/* Every function that takes a communicator, as a C and as a Fortran handle. */
static void refuse_communicator(const char *what, MPI_Comm comm, const MPI_Fint *handle) {
  pfft3d_error e;
  pfft3d_dataset *d = NULL;
  pfft3d_output *out = NULL;
  pfft3d_output_spec spec = small_spec();
  expect(what, pfft3d_dataset_probe(comm, file, &d, &e), &e);
  expect(what, pfft3d_output_create(comm, &spec, sizeof spec, &out, &e), &e);
  CHECK(pfft3d_dataset_probe(comm, file, &d, NULL) == PFFT3D_ERR_USAGE, "%s, no error", what);
  expect(what, pfft3d_dataset_probe_f(handle, file, &d, &e), &e);
  expect(what, pfft3d_output_create_f(handle, &spec, sizeof spec, &out, &e), &e);
  CHECK(!d && !out, "%s: something was made", what);
}

static void test_communicators(void) {
  MPI_Fint null = MPI_Comm_c2f(MPI_COMM_NULL), world = MPI_Comm_c2f(MPI_COMM_WORLD);
  pfft3d_error e;
  pfft3d_dataset *d = NULL;
  refuse_communicator("MPI_COMM_NULL", MPI_COMM_NULL, &null);
  refuse_communicator("no handle", MPI_COMM_NULL, NULL);
  if (world_size > 1) {
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank > 0, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, world_rank > 0 ? 0 : 1, 1, &inter);
    MPI_Fint handle = MPI_Comm_c2f(inter);
    refuse_communicator("an inter-communicator", inter, &handle);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
  }
  /* and the Fortran handle of a good one is taken */
  CHECK(pfft3d_dataset_probe_f(&world, file, &d, &e) == 0, "%s", e.text);
  pfft3d_dataset_free(&d);
  pfft3d_output *out = NULL;
  pfft3d_output_spec spec = small_spec();
  CHECK(pfft3d_output_create_f(&world, &spec, sizeof spec, &out, &e) == 0, "%s", e.text);
  pfft3d_output_discard(&out);
}

/* ---- Pointers ----------------------------------------------------------------------------- */

static void test_dataset_pointers(void) {
  pfft3d_error e;
  pfft3d_dataset *d = NULL, *none = NULL;
  pfft3d_dataset_info info;
  char text[8];
  double array[2 * 4 * 3 * 2];
  pfft3d_box box = box_of(dataset->found.n, world_rank, world_size, CUT_SLABS);
  expect("probe, no name", pfft3d_dataset_probe(MPI_COMM_WORLD, NULL, &d, &e), &e);
  int last = world_rank == world_size - 1;
  expect("probe, no name on one rank",
         pfft3d_dataset_probe(MPI_COMM_WORLD, last ? NULL : file, &d, &e), &e);
  expect("probe, no dataset", pfft3d_dataset_probe(MPI_COMM_WORLD, file, NULL, &e), &e);
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, NULL, NULL, NULL) == PFFT3D_ERR_USAGE, "all NULL");
  CHECK(pfft3d_dataset_get_info(NULL, &info, sizeof info) == PFFT3D_ERR_USAGE, "info, no dataset");
  CHECK(pfft3d_dataset_get_info(dataset, NULL, sizeof info) == PFFT3D_ERR_USAGE, "no info");
  expect("read, no dataset",
         pfft3d_dataset_read(NULL, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, array, &e), &e);
  expect("read, no box",
         pfft3d_dataset_read(dataset, PFFT3D_DOUBLE, PFFT3D_COMPLEX, NULL, array, &e), &e);
  box = box_of(dataset->found.n, 0, 1, CUT_SLABS);
  expect("read, no array",
         pfft3d_dataset_read(dataset, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, NULL, &e), &e);
  CHECK(pfft3d_dataset_read(dataset, PFFT3D_DOUBLE, PFFT3D_COMPLEX, NULL, NULL, NULL) ==
            PFFT3D_ERR_USAGE,
        "read, all NULL");
  expect("attribute, no dataset", pfft3d_dataset_attribute(NULL, "a", text, sizeof text, &e), &e);
  expect("attribute, no name", pfft3d_dataset_attribute(dataset, NULL, text, sizeof text, &e), &e);
  expect("attribute, no text", pfft3d_dataset_attribute(dataset, "a", NULL, 8, &e), &e);
  expect("attribute, no bytes", pfft3d_dataset_attribute(dataset, "a", text, 0, &e), &e);
  pfft3d_dataset_free(NULL);
  pfft3d_dataset_free(&none);
}

static void test_output_pointers(void) {
  pfft3d_error e;
  pfft3d_output *out = NULL, *none = NULL;
  pfft3d_output_spec spec = small_spec(), nameless = spec;
  struct {
    pfft3d_output_spec spec;
    char more[8];
  } later = {.spec = spec, .more = "\1"};
  double array[2 * 4 * 3 * 2] = {0};
  pfft3d_box box = box_of(spec.n, 0, 1, CUT_SLABS);
  nameless.name = NULL;
  expect("no specification", pfft3d_output_create(MPI_COMM_WORLD, NULL, sizeof spec, &out, &e), &e);
  expect("of 0 bytes", pfft3d_output_create(MPI_COMM_WORLD, &spec, 0, &out, &e), &e);
  expect("too long", pfft3d_output_create(MPI_COMM_WORLD, &later.spec, sizeof later, &out, &e), &e);
  expect("no name", pfft3d_output_create(MPI_COMM_WORLD, &nameless, sizeof spec, &out, &e), &e);
  expect("no output", pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, NULL, &e), &e);
  CHECK(!out, "an output");
  expect("write, no output", pfft3d_output_write(NULL, &box, array, &e), &e);
  expect("commit NULL", pfft3d_output_commit(NULL, &e), &e);
  expect("commit nothing", pfft3d_output_commit(&none, &e), &e);
  CHECK(pfft3d_output_temporary(NULL)[0] == 0, "a name of NULL");
  pfft3d_output_discard(NULL);
  pfft3d_output_discard(&none);
  later.more[0] = 0; /* later members that are 0 are the default */
  CHECK(pfft3d_output_create(MPI_COMM_WORLD, &later.spec, sizeof later, &out, &e) == 0, "%s",
        e.text);
  expect("write, no box", pfft3d_output_write(out, NULL, array, &e), &e);
  expect("add, no output", pfft3d_output_add(NULL, &nameless, sizeof spec, &e), &e);
  expect("add, no specification", pfft3d_output_add(out, NULL, sizeof spec, &e), &e);
  expect("add, nothing written", pfft3d_output_add(out, &nameless, sizeof spec, &e), &e);
  expect("write, no array", pfft3d_output_write(out, &box, NULL, &e), &e);
  pfft3d_output_discard(&out);
}

/* Complex numbers are not read as real ones: half of them would be lost. */
static void test_complex_as_real(void) {
  static const char *const ri[] = {"r", "i"};
  const made m = {H5T_IEEE_F64LE, ri, 3, {4, 3, 2}, 0, 0};
  const char *name = in_directory("complex.h5");
  pfft3d_dataset *d;
  pfft3d_error e;
  double array[4 * 3 * 2] = {0};
  if (world_rank == 0) CHECK(make_file(name, "/data", &m), "complex");
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, name, &d, &e) == 0, "%s", e.text);
  pfft3d_box box = box_of(d->found.n, world_rank, world_size, CUT_SLABS);
  int status = pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_REAL, &box, array, &e);
  expect("complex as real", status, &e);
  CHECK(strstr(e.text, "they are complex128"), "%s", e.text);
  CHECK(array[0] == 0, "something was read");
  pfft3d_dataset_free(&d);
}

/* ---- Outputs after an error --------------------------------------------------------------- */

/* Local. The status, and that the text gives this reason. */
static void expect_reason(const char *what, int status, const pfft3d_error *e, int wanted,
                          const char *word) {
  CHECK(status == wanted && strstr(e->text, word), "%s: status %d, not %d, no '%s' in: %s", what,
        status, wanted, word, e->text);
  CHECK(!strstr(e->text, "gives no reason"), "%s: %s", what, e->text);
}

/* Collective. An output of the plain size, and this rank's box of it. */
static pfft3d_output *begin_output(pfft3d_box *box) {
  pfft3d_output *out = NULL;
  pfft3d_error e;
  pfft3d_output_spec spec = small_spec();
  spec.overwrite = 1;
  *box = box_of(spec.n, world_rank, world_size, CUT_SLABS);
  CHECK(pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, &e) == 0, "%s", e.text);
  return out;
}

/* Local. Whether the file, which is complete, has /data and /b, and nothing else. */
static int is_as_wanted(void) {
  hid_t f = H5Fopen(in_directory("new.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
  H5G_info_t info = {.nlinks = 0};
  int is = H5Gget_info(f, &info) >= 0 && info.nlinks == 2 &&
           H5Lexists(f, "/data", H5P_DEFAULT) > 0 && H5Lexists(f, "/b", H5P_DEFAULT) > 0 &&
           H5Aexists(f, "title") == 0;
  H5Fclose(f);
  return is;
}

/* Collective. A small file with an attribute of its root. */
static void make_titled(const char *name, pfft3d_dataset **d) {
  const double one = 1;
  if (world_rank == 0) {
    const made m = {H5T_STD_U8LE, NULL, 3, {4, 3, 2}, 0, 0};
    CHECK(make_file(name, "/data", &m), "%s", name);
    hid_t f = open_file(name, 1), space = H5Screate(H5S_SCALAR);
    hid_t a = H5Acreate2(f, "title", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Awrite(a, H5T_NATIVE_DOUBLE, &one) >= 0, "title");
    H5Aclose(a);
    H5Sclose(space);
    H5Fclose(f);
  }
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, name, d, NULL) == 0, "%s", name);
}

/* What could not be added is not in the file, and can be added again. */
static void test_failed_add(void) {
  static char large[99999];
  const double array[2 * 4 * 3 * 2] = {0};
  const pfft3d_attribute given[] = {{"small", "text"}, {"large", large}, {NULL, NULL}};
  pfft3d_output_spec spec = {.dims = 3, .n = {4, 3, 2}, .attributes = given};
  pfft3d_dataset *titled;
  pfft3d_error e;
  pfft3d_box box;
  pfft3d_output *out = begin_output(&box);
  memset(large, 'x', sizeof large - 1);
  make_titled(in_directory("titled.h5"), &titled);
  spec.source = titled;
  CHECK(pfft3d_output_write(out, &box, array, &e) == 0, "%s", e.text);
  const struct {
    const char *path;
    const pfft3d_attribute *given;
    const char *why;
  } wrong[] = {{"/b", given, "too large"},
               {"/g/h/b", given, "too large"},
               {"/data", NULL, "exists"},
               {"/data/b", NULL, "/data/b"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    spec.path = wrong[k].path;
    spec.attributes = wrong[k].given;
    int status = pfft3d_output_add(out, &spec, sizeof spec, &e);
    expect_reason(spec.path, status, &e, PFFT3D_ERR_OUTPUT, wrong[k].why);
  }
  spec.path = "/b";
  spec.source = NULL;
  pfft3d_dataset_free(&titled);
  CHECK(pfft3d_output_add(out, &spec, sizeof spec, &e) == 0, "%s", e.text);
  CHECK(pfft3d_output_write(out, &box, array, &e) == 0, "%s", e.text);
  CHECK(pfft3d_output_commit(&out, &e) == 0, "%s", e.text);
  if (world_rank == 0) CHECK(is_as_wanted(), "what is in the file");
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Boxes without elements are no data, and wrong arguments on one rank do no harm. */
static void test_written(void) {
  const double array[2 * 4 * 3 * 2] = {0};
  const pfft3d_box empty = {.len = {0, 0, 0}};
  pfft3d_output_spec spec = {.path = "/b", .dims = 3, .n = {4, 3, 2}};
  pfft3d_error e;
  pfft3d_box box;
  pfft3d_output *out = begin_output(&box);
  CHECK(pfft3d_output_write(out, &empty, NULL, &e) == 0, "%s", e.text);
  expect("add after empty boxes", pfft3d_output_add(out, &spec, sizeof spec, &e), &e);
  int status = pfft3d_output_commit(&out, &e);
  expect_reason("commit after empty boxes", status, &e, PFFT3D_ERR_IO, "not written");
  out = begin_output(&box);
  expect("no box on one rank", pfft3d_output_write(out, world_rank ? &box : NULL, array, &e), &e);
  CHECK(pfft3d_output_write(out, &box, array, &e) == 0, "%s", e.text);
  CHECK(pfft3d_output_add(out, &spec, sizeof spec, &e) == 0, "%s", e.text);
  CHECK(pfft3d_output_write(out, &box, array, &e) == 0, "%s", e.text);
  CHECK(pfft3d_output_commit(&out, &e) == 0, "%s", e.text);
}

/* Where writing itself fails, HDF5's reason is told; and nothing is written or finished after it.
 */
static void test_failed_write(void) {
  const double array[2 * 4 * 3 * 2] = {0};
  pfft3d_output_spec spec = {.path = "/b", .dims = 3, .n = {4, 3, 2}};
  pfft3d_error e = {0};
  pfft3d_box box;
  pf_h5_open open;
  long long rounds;
  pfft3d_output *out = begin_output(&box);
  const char *name = pfft3d_output_temporary(out);
  const pf_io_box part = {
      3, {4, 3, 2}, {box.lo[0], box.lo[1], box.lo[2]}, {box.len[0], box.len[1], box.len[2]}};
  const pf_h5_data no_type = {3, &part, H5I_INVALID_HID, 2 * sizeof(double), array};
  CHECK(pf_h5_open_all(MPI_COMM_WORLD, name, "/data", &open, &e) == 0, "%s", e.text);
  pf_h5_write(&open, &no_type, &rounds, &e);
  expect_reason("no type", e.status, &e, PFFT3D_ERR_IO, "type");
  pf_h5_close_all(&open, &e);
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank == 0) { /* the dataset goes, under the name by which it is written */
    hid_t f = open_file(name, 1);
    CHECK(H5Ldelete(f, "/data", H5P_DEFAULT) >= 0, "delete");
    H5Fclose(f);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const char *word = "cannot open";
  for (int k = 0; k < 2; k++, word = "an earlier write failed")
    expect_reason("write", pfft3d_output_write(out, &box, array, &e), &e, PFFT3D_ERR_IO, word);
  expect_reason("add", pfft3d_output_add(out, &spec, sizeof spec, &e), &e, PFFT3D_ERR_IO, word);
  expect_reason("commit", pfft3d_output_commit(&out, &e), &e, PFFT3D_ERR_IO, "an earlier write");
}

/* ---- What messages and names have room for, and handlers of the application ---------------- */

/* The reason is told whatever the names are. */
static void test_long_names(void) {
  char name[1200], path[500];
  pfft3d_error e;
  pfft3d_dataset *d;
  pfft3d_output *out;
  pfft3d_output_spec spec = {.name = name, .path = "/x", .dims = 3, .n = {4, 3, 2}};
  snprintf(name, sizeof name, "%s", directory);
  for (int k = 0; k < 8; k++)
    snprintf(name + strlen(name), sizeof name - strlen(name), "/%090d", k);
  int status = pfft3d_dataset_probe(MPI_COMM_WORLD, name, &d, &e);
  expect_reason("a long file", status, &e, PFFT3D_ERR_NOINPUT, "No such file");
  status = pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, &e);
  expect_reason("a long output", status, &e, PFFT3D_ERR_OUTPUT, "No such file");
  snprintf(path, sizeof path, "/%0*d", (int)sizeof path - 2, 0);
  snprintf(name, sizeof name, "%s:%s", file, path);
  status = pfft3d_dataset_probe(MPI_COMM_WORLD, name, &d, &e);
  expect_reason("a long path", status, &e, PFFT3D_ERR_DATA, "': ");
}

/* A file that this user may not open: the system's reason, not HDF5's.  Root gives up its rights.
 */
static void test_forbidden(void) {
  pfft3d_error e;
  pfft3d_dataset *d;
  uid_t user = geteuid();
  if (world_rank == 0) CHECK(!chmod(directory, 0755) && !chmod(file, 0), "chmod");
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(user || seteuid(65534) == 0, "seteuid");
  /* in this process where the build is in a folder of root alone, as /root */
  if (probe_program() && faccessat(AT_FDCWD, probe_program(), X_OK, AT_EACCESS))
    pf_io_set_probe(NULL);
  int status = pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, &e);
  CHECK(user || seteuid(user) == 0, "seteuid");
  pf_io_set_probe(probe_program());
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 1); /* lost with the rights: MPI reads the memory of other ranks */
#endif
  expect_reason("a forbidden file", status, &e, PFFT3D_ERR_NOINPUT, "Permission denied");
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank == 0) CHECK(chmod(file, 0600) == 0, "chmod");
  MPI_Barrier(MPI_COMM_WORLD);
}

/* What can be written can be read; but MPI-IO of Open MPI has no room for the longest names. */
static void test_longest_name(void) {
  pfft3d_error e;
  pfft3d_dataset *d;
  double array[2 * 4 * 3 * 2];
  pfft3d_output_spec spec = {.path = "/data", .dims = 3, .n = {4, 3, 2}};
  pfft3d_box box = box_of(spec.n, world_rank, world_size, CUT_SLABS);
  for (int length = 215; length <= 216; length++) {
    char base[256];
    snprintf(base, sizeof base, "%0*d.h5", length - 3, 0);
    const char *name = in_directory(base);
    spec.name = name;
    CHECK(write_numbers(MPI_COMM_WORLD, &spec, CUT_SLABS) == 0, "%d bytes", length);
    read_and_compare(MPI_COMM_WORLD, name, 1, CUT_SLABS);
    CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, name, &d, &e) == 0, "%s", e.text);
    pf_hooks.mpi_io = 1;
    int status = pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, array, &e);
    pf_hooks.mpi_io = 0;
    if (length == 215)
      CHECK(status == 0, "%s", e.text);
    else
      expect_reason("216 bytes", status, &e, PFFT3D_ERR_NOINPUT, "has 216 bytes, MPI-IO takes 215");
    pfft3d_dataset_free(&d);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0) unlink(name);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* What is known, but not possible here, is not called unknown. */
static void test_indices(void) {
  pfft3d_error e;
  double array[2 * 4 * 3 * 2];
  pfft3d_box box = box_of(dataset->found.n, 0, 1, CUT_SLABS);
  int status = pfft3d_dataset_read(dataset, PFFT3D_DOUBLE, PFFT3D_INDICES, &box, array, &e);
  expect_reason("indices", status, &e, PFFT3D_ERR_USAGE, "indices");
}

/* A handler of HDF5's first version. */
static herr_t old_handler(void *data) {
  (void)data;
  return 0;
}

static void test_old_handler(void) {
  unsigned is_new = 1;
  H5E_auto1_t handler = NULL;
  H5E_auto2_t new_handler = NULL;
  void *data = NULL;
  pfft3d_dataset *d;
  H5Eset_auto1(old_handler, &is_new);
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, NULL) == 0, "%s", file);
  pfft3d_dataset_free(&d);
  H5Eauto_is_v2(H5E_DEFAULT, &is_new);
  CHECK(!is_new, "the handler is one of the second version");
  if (!is_new) H5Eget_auto1(&handler, &data);
  CHECK(handler == old_handler && data == &is_new, "the handler is lost");
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, NULL) == 0, "%s", file);
  pfft3d_dataset_free(&d);
  H5Eauto_is_v2(H5E_DEFAULT, &is_new);
  CHECK(is_new && H5Eget_auto2(H5E_DEFAULT, &new_handler, &data) >= 0 && !new_handler, "v2");
}

/* ---- Before and after MPI ----------------------------------------------------------------- */

static void test_without_mpi(const char *when, pfft3d_output **out) {
  MPI_Fint world = 0;
  pfft3d_error e;
  double array[2 * 4 * 3 * 2] = {0};
  char text[8];
  pfft3d_box box = {.len = {4, 3, 2}};
  pfft3d_output_spec spec = small_spec();
  refuse_communicator(when, MPI_COMM_WORLD, &world);
  if (!dataset) return;
  expect(when, pfft3d_dataset_read(dataset, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, array, &e), &e);
  expect(when, pfft3d_dataset_attribute(dataset, "a", text, sizeof text, &e), &e);
  expect(when, pfft3d_output_write(*out, &box, array, &e), &e);
  expect(when, pfft3d_output_add(*out, &spec, sizeof spec, &e), &e);
  expect(when, pfft3d_output_commit(out, &e), &e);
  pfft3d_dataset_free(&dataset);
  pfft3d_output_discard(out);
  CHECK(!dataset && !*out, "%s: something is left", when);
}

int main(int argc, char **argv) {
  int temporary;
  pfft3d_output *out = NULL;
  pfft3d_error e;
  pfft3d_output_spec spec;
  const made m = {H5T_STD_U8LE, NULL, 3, {4, 3, 2}, 0, 0};
  test_without_mpi("before MPI_Init", &out);
  files_begin(&argc, &argv);
  snprintf(file, sizeof file, "%s", in_directory("data.h5"));
  if (world_rank == 0) CHECK(make_file(file, "/data", &m), "%s", file);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, &dataset, &e) == 0, "%s", e.text);
  long communicator = next_communicator();
  test_communicators();
  test_dataset_pointers();
  test_output_pointers();
  test_complex_as_real();
  test_failed_add();
  test_written();
  test_failed_write();
  test_long_names();
  test_forbidden();
  test_longest_name();
  test_indices();
  test_old_handler();
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(next_communicator() == communicator, "a communicator leaks");
  CHECK(entries(&temporary) == 4 && temporary == 0, "%d files are left", entries(&temporary));
  MPI_Barrier(MPI_COMM_WORLD);
  spec = small_spec();
  spec.overwrite = 1;
  CHECK(pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, &e) == 0, "%s", e.text);
  int wrong = files_end(); /* which finalises MPI */
  long failed = check_failed;
  test_without_mpi("after MPI_Finalize", &out);
  return wrong || check_failed > failed;
}

#else
#include "no_hdf5.h"
#endif
