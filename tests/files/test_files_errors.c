/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are wrong, and outputs that cannot be: the right status and the same words on every
 * rank, nothing under a name that was not there before, no temporary file left. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include <sys/mount.h>
#include <sys/stat.h>

#include "files.h"

static const made plain = {.dims = 3, .n = {4, 3, 2}}; /* uint8, see main() */

/* Collective. Checks a failure: the status, a word of the text, and that all ranks say the same. */
static void expect(const char *what, int status, const pfft3d_error *e, int wanted,
                   const char *word) {
  pfft3d_error first = *e;
  CHECK(status == wanted && e->status == wanted, "%s: status %d, not %d: %s", what, status, wanted,
        e->text);
  CHECK(strstr(e->text, word) || strstr(e->hint, word), "%s: no '%s' in: %s (%s)", what, word,
        e->text, e->hint);
  CHECK(!strchr(e->text, '\n') && !strchr(e->hint, '\n'), "%s: more than one line", what);
  MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  CHECK(memcmp(&first, e, sizeof first) == 0, "%s: ranks differ: %s", what, e->text);
  if (world_rank == 0 && getenv("SHOW"))
    printf("%d %s%s%s\n", e->status, e->text, e->hint[0] ? "\n     hint: " : "", e->hint);
}

/* ---- Bad input, each made by a function in the open file `f` or under the name `file` ----------
 */

static void make_plain(const char *file) {
  made m = plain;
  m.type = H5T_STD_U8LE;
  CHECK(make_file(file, "/data", &m), "%s", file);
}

static void make_empty(const char *file) {
  FILE *f = fopen(file, "w");
  if (f) fclose(f);
}

static void make_text(const char *file) {
  FILE *f = fopen(file, "w");
  if (!f) return;
  for (int k = 0; k < 1000; k++) fprintf(f, "no HDF5 %d\n", k);
  fclose(f);
}

static void make_truncated(const char *file) {
  struct stat st;
  make_plain(file);
  CHECK(stat(file, &st) == 0 && truncate(file, st.st_size - 10) == 0, "truncate");
}

static void make_fifo(const char *file) {
  CHECK(mkfifo(file, 0600) == 0, "mkfifo");
}

static void make_directory(const char *file) {
  CHECK(mkdir(file, 0700) == 0, "mkdir");
}

static void make_four(const char *file) {
  made m = {H5T_IEEE_F32LE, NULL, 4, {2, 2, 2, 2}, 0, 0};
  CHECK(make_file(file, "/four", &m), "four");
}

static void make_none(const char *file) {
  hid_t f = open_file(file, 0);
  H5Gclose(H5Gcreate2(f, "/group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(f);
}

static void make_several(const char *file) {
  char name[] = "/a";
  made m = plain;
  m.type = H5T_STD_U8LE;
  hid_t f = open_file(file, 0);
  for (; name[1] < 'g'; name[1]++) make_dataset(f, name, &m);
  H5Fclose(f);
}

static void make_scalar(const char *file) {
  make_bare(file, H5T_IEEE_F64LE, 0, NULL, H5P_DEFAULT);
}

static void make_zero(const char *file) {
  const hsize_t n[3] = {4, 0, 2};
  make_bare(file, H5T_IEEE_F64LE, 3, n, H5P_DEFAULT);
}

static void make_string(const char *file) {
  const hsize_t n[3] = {4, 3, 2};
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 8);
  make_bare(file, type, 3, n, H5P_DEFAULT);
  H5Tclose(type);
}

/* A compound of two members that is no complex number: integers. */
static void make_integers(const char *file) {
  static const char *const ri[] = {"r", "i"};
  made m = plain;
  m.type = H5T_STD_I32LE;
  m.names = ri;
  CHECK(make_file(file, "/pairs", &m), "pairs");
}

static void make_unwritten(const char *file) {
  const hsize_t n[3] = {(hsize_t)1 << 20, 1 << 20, 1 << 14};
  make_bare(file, H5T_IEEE_F64LE, 3, n, H5P_DEFAULT);
}

static void make_overflow(const char *file) {
  const hsize_t n[3] = {(hsize_t)1 << 30, 1 << 30, 1 << 2}, chunk[3] = {1, 1, 1};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 3, chunk);
  make_bare(file, H5T_STD_U8LE, 3, n, list);
  H5Pclose(list);
}

/* One small chunk written of a dataset of 2^50 elements. */
static void make_claim_chunked(const char *file) {
  const hsize_t n[3] = {1 << 20, 1 << 20, 1 << 10}, chunk[3] = {4, 4, 4};
  const hsize_t start[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  unsigned char value = 1;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 3, chunk);
  make_bare(file, H5T_STD_U8LE, 3, n, list);
  H5Pclose(list);
  hid_t f = open_file(file, 1), d = H5Dopen2(f, "/data", H5P_DEFAULT), space = H5Dget_space(d);
  hid_t memory = H5Screate_simple(3, one, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL);
  CHECK(H5Dwrite(d, H5T_NATIVE_UCHAR, memory, space, H5P_DEFAULT, &value) >= 0, "write");
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(d);
  H5Fclose(f);
}

/* A contiguous dataset whose recorded dimension is changed by hand afterwards. */
static void make_claim_contiguous(const char *file) {
  made m = {H5T_STD_U8LE, NULL, 1, {100003}, 0, 0};
  CHECK(make_file(file, "/data", &m), "claim");
  unsigned char head[4096];
  const uint64_t old = 100003, claim = (uint64_t)1 << 40;
  FILE *f = fopen(file, "r+b");
  size_t size = f ? fread(head, 1, sizeof head, f) : 0;
  for (size_t k = 0; k + 16 <= size; k++)
    if (memcmp(head + k, &old, 8) == 0 && memcmp(head + k + 8, &old, 8) == 0) {
      memcpy(head + k, &claim, 8); /* size and maximal size stand side by side */
      memcpy(head + k + 8, &claim, 8);
    }
  rewind(f);
  CHECK(fwrite(head, 1, size, f) == size, "patch");
  fclose(f);
}

static void make_external(const char *file) {
  const hsize_t n[3] = {1, 1, 8};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(list, "/etc/hostname", 0, 64);
  make_bare(file, H5T_IEEE_F64LE, 3, n, list);
  H5Pclose(list);
}

static void make_virtual(const char *file) {
  const hsize_t n[3] = {4, 3, 2};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(3, n, NULL);
  H5Pset_virtual(list, space, in_directory("good.h5"), "/data", space);
  make_bare(file, H5T_STD_U8LE, 3, n, list);
  H5Sclose(space);
  H5Pclose(list);
}

static void make_link(const char *file) {
  hid_t f = open_file(file, 0);
  H5Lcreate_external(in_directory("good.h5"), "/data", f, "away", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/away", f, "data", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(f);
}

/* A file whose only dataset is in another one. */
static void make_only_link(const char *file) {
  hid_t f = open_file(file, 0);
  H5Lcreate_external(in_directory("good.h5"), "/data", f, "away", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(f);
}

static void make_nothing(const char *file) {
  (void)file;
}

static const struct {
  const char *name; /* of the file, with the path that is asked for */
  void (*make)(const char *file);
  int status;
  const char *word;
} inputs[] = {
    {"missing.h5", make_nothing, PFFT3D_ERR_NOINPUT, "No such file"},
    {"missing.h5:/data", make_nothing, PFFT3D_ERR_NOINPUT, "No such file"},
    {"directory.h5", make_directory, PFFT3D_ERR_NOINPUT, "a directory"},
    {"fifo.h5", make_fifo, PFFT3D_ERR_NOINPUT, "a FIFO"},
    {"empty.h5", make_empty, PFFT3D_ERR_DATA, "empty"},
    {"text.h5", make_text, PFFT3D_ERR_DATA, "not an HDF5 file"},
    {"truncated.h5", make_truncated, PFFT3D_ERR_DATA, "truncated"},
    {"path.h5:/other", make_plain, PFFT3D_ERR_DATA, "/data"},
    {"several.h5", make_several, PFFT3D_ERR_DATA, "/a /b /c /d ..."},
    {"none.h5", make_none, PFFT3D_ERR_DATA, "no dataset"},
    {"group.h5:/group", make_none, PFFT3D_ERR_DATA, "no dataset"},
    {"four.h5", make_four, PFFT3D_ERR_DATA, "4 dimensions"},
    {"scalar.h5", make_scalar, PFFT3D_ERR_DATA, "0 dimensions"},
    {"zero.h5", make_zero, PFFT3D_ERR_DATA, "dimension 1 is 0"},
    {"string.h5", make_string, PFFT3D_ERR_DATA, "type is a string"},
    {"integers.h5", make_integers, PFFT3D_ERR_DATA, "compound of 2"},
    {"unwritten.h5", make_unwritten, PFFT3D_ERR_DATA, "the file holds"},
    {"overflow.h5", make_overflow, PFFT3D_ERR_DATA, "overflows"},
    {"chunked.h5", make_claim_chunked, PFFT3D_ERR_DATA, "claims 1 PiB"},
    {"contiguous.h5", make_claim_contiguous, PFFT3D_ERR_DATA, ""},
    {"external.h5", make_external, PFFT3D_ERR_DATA, "external storage"},
    {"virtual.h5", make_virtual, PFFT3D_ERR_DATA, "virtual"},
    {"link.h5:/away", make_link, PFFT3D_ERR_DATA, "another file"},
    {"soft.h5:/data", make_link, PFFT3D_ERR_DATA, "another file"},
    {"filtered.h5", make_filtered, PFFT3D_ERR_DATA, "filter 299 (rare)"},
    {"path.h5:data", make_nothing, PFFT3D_ERR_NOINPUT, "path.h5:/data"},
    {"path.h5:/data/", make_plain, PFFT3D_ERR_DATA, "'/data/'"},
    {"away.h5", make_only_link, PFFT3D_ERR_DATA, "a link to another file"},
    {":/data", make_nothing, PFFT3D_ERR_NOINPUT, "no file name"},
};

static void test_inputs(void) {
  for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
    char file[512];
    const char *name = in_directory(inputs[k].name);
    pfft3d_dataset *d = (pfft3d_dataset *)directory; /* not NULL */
    pfft3d_error e;
    if (inputs[k].name[0] == ':') name = inputs[k].name;
    snprintf(file, sizeof file, "%s", name);
    char *colon = strstr(file, ":/");
    if (colon) *colon = 0;
    if (world_rank == 0) inputs[k].make(file);
    MPI_Barrier(MPI_COMM_WORLD);
    int status = pfft3d_dataset_probe(MPI_COMM_WORLD, name, &d, &e);
    expect(inputs[k].name, status, &e, inputs[k].status, inputs[k].word);
    CHECK(!d, "%s: a failed probe leaves a dataset", name);
  }
}

/* Files that change between the probe and the reading, and boxes that do not fit. */
static void test_reading(void) {
  const char *file = in_directory("good.h5");
  pfft3d_dataset *d;
  pfft3d_error e;
  double array[2 * 4 * 3 * 2];
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, &e) == 0, "%s", e.text);
  pfft3d_box box = box_of(d->found.n, world_rank, world_size, CUT_LAST);
  int last = world_rank == world_size - 1, status;

  status = pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, NULL, &e);
  expect("NULL array", status, &e, PFFT3D_ERR_USAGE, "NULL");
  status = pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_COMPLEX, NULL, array, &e);
  expect("NULL box", status, &e, PFFT3D_ERR_USAGE, "NULL");
  for (int a = 0; a < 3; a++) {
    if (last) box.lo[a] = 1;
    status = pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, array, &e);
    expect("outside", status, &e, PFFT3D_ERR_USAGE, "exceeds the array");
    box.lo[a] = 0;
  }
  status = pfft3d_dataset_read(d, (pfft3d_precision)7, PFFT3D_COMPLEX, &box, array, &e);
  expect("precision", status, &e, PFFT3D_ERR_USAGE, "precision 7");
  status = pfft3d_dataset_read(d, PFFT3D_DOUBLE, (pfft3d_numbers)7, &box, array, &e);
  expect("numbers", status, &e, PFFT3D_ERR_USAGE, "numbers 7");
  status = pfft3d_dataset_attribute(d, "units", (char *)array, 0, &e);
  expect("no bytes", status, &e, PFFT3D_ERR_USAGE, "0 bytes");
  CHECK(pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, array, &e) == 0, "%s", e.text);
  snprintf(d->found.file, sizeof d->found.file, "%s", in_directory("vanished.h5"));
  status = pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, array, &e);
  expect("vanished", status, &e, PFFT3D_ERR_NOINPUT, "No such file");
  status = pfft3d_dataset_attribute(d, "units", (char *)array, 8, &e);
  expect("vanished attribute", status, &e, PFFT3D_ERR_NOINPUT, "No such file");
  pfft3d_dataset_free(&d);
}

/* ---- Bad output --------------------------------------------------------------------------- */

/* Collective. Checks that an output cannot be created, and that nothing is left of the try. */
static void refuse_output(const char *what, const pfft3d_output_spec *spec, int wanted,
                          const char *word) {
  pfft3d_output *out;
  pfft3d_error e;
  int temporary, before = entries(&temporary);
  MPI_Barrier(MPI_COMM_WORLD);
  int status = pfft3d_output_create(MPI_COMM_WORLD, spec, sizeof *spec, &out, &e);
  expect(what, status, &e, wanted, word);
  CHECK(!out, "%s", what);
  CHECK(entries(&temporary) == before && temporary == 0, "%s: files are left", what);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void test_refusals(void) {
  pfft3d_dataset *d;
  char name[600];
  const char *good = in_directory("good.h5");
  pfft3d_output_spec spec = {.name = good, .path = "/out", .dims = 3, .n = {4, 3, 2}};
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, good, &d, NULL) == 0, "probe");
  refuse_output("exists", &spec, PFFT3D_ERR_OUTPUT, "--force, or overwrite in the library");
  spec.overwrite = 1;
  spec.source = d;
  refuse_output("is the input", &spec, PFFT3D_ERR_USAGE, "it is the input");
  if (world_rank == 0) CHECK(symlink("good.h5", in_directory("alias.h5")) == 0, "symlink");
  MPI_Barrier(MPI_COMM_WORLD);
  spec.name = in_directory("alias.h5");
  refuse_output("is the input by a link", &spec, PFFT3D_ERR_USAGE, "it is the input");
  spec.source = NULL;
  pfft3d_dataset_free(&d);
  spec.name = in_directory("fifo.h5");
  refuse_output("is a FIFO", &spec, PFFT3D_ERR_OUTPUT, "not a regular file");
  spec.name = in_directory("nowhere/out.h5");
  refuse_output("no directory", &spec, PFFT3D_ERR_OUTPUT, "must exist");
  spec.name = "/proc/out.h5";
  refuse_output("no files in it", &spec, PFFT3D_ERR_OUTPUT, "no files can be created");
  spec.name = in_directory("out.h5");
  spec.path = NULL;
  refuse_output("no path", &spec, PFFT3D_ERR_USAGE, "needs a name");
  snprintf(name, sizeof name, "%s:/group/", in_directory("out.h5"));
  spec.name = name;
  refuse_output("a group", &spec, PFFT3D_ERR_USAGE, "needs a name");
  snprintf(name, sizeof name, "%s:/out", in_directory("out.h5"));
  spec.dims = 2;
  refuse_output("dimensions", &spec, PFFT3D_ERR_USAGE, "2 dimensions");
  spec.dims = 3;
  spec.precision = (pfft3d_precision)7;
  refuse_output("precision", &spec, PFFT3D_ERR_USAGE, "precision 7");
  spec.precision = PFFT3D_DOUBLE;
  spec.numbers = (pfft3d_numbers)7;
  refuse_output("numbers", &spec, PFFT3D_ERR_USAGE, "numbers 7");
  spec.numbers = PFFT3D_COMPLEX;
  spec.n[0] = spec.n[1] = spec.n[2] = 1 << 21;
  refuse_output("overflow", &spec, PFFT3D_ERR_USAGE, "overflows");
  spec.n[0] = 1 << 14;
  refuse_output("no space for 1 EiB", &spec, PFFT3D_ERR_OUTPUT, "1.0 EiB");
}

/* What can never be replaced: nobody is told to force it. */
static void test_special_files(void) {
  const char *const names[] = {in_directory("directory.h5"), in_directory("fifo.h5"), "/dev/null"};
  pfft3d_output_spec spec = {.path = "/out", .dims = 3, .n = {4, 3, 2}};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    pfft3d_output *out;
    pfft3d_error e;
    spec.name = names[k];
    refuse_output(names[k], &spec, PFFT3D_ERR_OUTPUT, "not a regular file");
    CHECK(pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, &e) != 0, "%s", names[k]);
    CHECK(!strstr(e.hint, "--force"), "%s: %s", names[k], e.hint);
  }
}

/* Names that cannot be, or are not meant: found before anything is computed. */
static void test_output_names(void) {
  char name[600];
  pfft3d_output_spec spec = {.name = name, .path = "/out", .dims = 3, .n = {4, 3, 2}};
  snprintf(name, sizeof name, "%s%0256d", in_directory(""), 1);
  refuse_output("a name of 256 bytes", &spec, PFFT3D_ERR_OUTPUT, "File name too long");
  snprintf(name, sizeof name, "%s", in_directory("out.h5:spec"));
  refuse_output("a path without slash", &spec, PFFT3D_ERR_USAGE, "out.h5:/spec");
  snprintf(name, sizeof name, "%s", in_directory("out_12:30.h5")); /* a colon is no mistake */
  spec.n[0] = 0;
  refuse_output("a name with a colon", &spec, PFFT3D_ERR_USAGE, "3 dimensions");
}

/* Collective. An output of the plain size under that name, written but not yet committed. */
static pfft3d_output *begin_output(const char *name, int overwrite) {
  pfft3d_output *out;
  pfft3d_error e;
  pfft3d_output_spec spec = {.name = name, .path = "/out", .dims = 3, .n = {4, 3, 2}};
  spec.overwrite = overwrite;
  CHECK(pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, &e) == 0, "%s", e.text);
  pfft3d_box box = box_of(spec.n, world_rank, world_size, CUT_SLABS);
  void *array = box_array(&box);
  box_numbers(spec.n, &box, (elements){spec.precision, spec.numbers}, array, 1, 0);
  CHECK(pfft3d_output_write(out, &box, array, &e) == 0, "%s", e.text);
  free(array);
  return out;
}

static void test_commit(void) {
  int temporary, status, before = entries(&temporary);
  const char *file = in_directory("late.h5");
  struct stat st;
  pfft3d_error e;
  MPI_Barrier(MPI_COMM_WORLD);

  pfft3d_output *out = begin_output(file, 0);
  CHECK(access(file, F_OK) != 0, "the final name stands too early");
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank == 0) make_text(file); /* someone else's, meanwhile */
  status = pfft3d_output_commit(&out, &e);
  expect("appeared", status, &e, PFFT3D_ERR_OUTPUT, "appeared");
  CHECK(!out && stat(file, &st) == 0 && st.st_size == 11890, "the other file was harmed");

  out = begin_output(file, 1);
  pfft3d_output_discard(&out);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!out && stat(file, &st) == 0 && st.st_size == 11890, "discard harmed the old file");
  CHECK(entries(&temporary) == before + 1 && temporary == 0, "files are left");
  pfft3d_output_discard(&out); /* NULL by now */
  MPI_Barrier(MPI_COMM_WORLD);

  out = begin_output(file, 1);
  CHECK(pfft3d_output_commit(&out, &e) == 0, "%s", e.text);
  mode_t mask = umask(0);
  umask(mask);
  CHECK(stat(file, &st) == 0 && (st.st_mode & 0777) == (0666 & ~mask), "mode %o", st.st_mode);
  pfft3d_dataset *d;
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, &e) == 0, "%s", e.text);
  pfft3d_dataset_free(&d);

  pfft3d_output_spec spec = {.name = file, .path = "/out", .dims = 3, .n = {4, 3, 2}};
  spec.overwrite = 1;
  CHECK(pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, &e) == 0, "%s", e.text);
  status = pfft3d_output_commit(&out, &e);
  expect("not written", status, &e, PFFT3D_ERR_IO, "not written");
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(entries(&temporary) == before + 1 && temporary == 0, "files are left");
  MPI_Barrier(MPI_COMM_WORLD);
}

/* 48 MB on a file system of 8 MB, which only root can make. */
static void test_full_disk(void) {
  char whole[sizeof directory];
  const char *disk = in_directory("disk");
  int mounted = 0;
  if (world_rank == 0) {
    mounted = mkdir(disk, 0700) == 0 && mount("tmpfs", disk, "tmpfs", 0, "size=8m") == 0;
    if (!mounted) printf("full disk: not tried, mounting a small one is not permitted\n");
  }
  MPI_Bcast(&mounted, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!mounted) return;
  snprintf(whole, sizeof whole, "%s", directory);
  snprintf(directory, sizeof directory, "%.240s", disk);
  const char *name = in_directory("big.h5:/out");
  pfft3d_output_spec spec = {.name = name, .dims = 3, .n = {3, 1024, 1024}};
  refuse_output("full disk", &spec, PFFT3D_ERR_OUTPUT, "cannot reserve 48");
  spec.precision = PFFT3D_SINGLE;
  refuse_output("full disk, floats", &spec, PFFT3D_ERR_OUTPUT, "cannot reserve 24");
  spec.numbers = PFFT3D_REAL;
  refuse_output("full disk, real floats", &spec, PFFT3D_ERR_OUTPUT, "cannot reserve 12");
  spec.numbers = PFFT3D_COMPLEX;
  spec.precision = PFFT3D_DOUBLE;
  spec.n[1] = 100; /* this one fits */
  pfft3d_output *out;
  pfft3d_error e;
  CHECK(pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, &e) == 0, "%s", e.text);
  pfft3d_output_spec second = spec;
  second.name = in_directory("second.h5:/out");
  pfft3d_output *none;
  int status = pfft3d_output_create(MPI_COMM_WORLD, &second, sizeof second, &none, &e);
  expect("reserved space is taken", status, &e, PFFT3D_ERR_OUTPUT, "cannot reserve 4.");
  pfft3d_output_discard(&out);
  MPI_Barrier(MPI_COMM_WORLD);
  snprintf(directory, sizeof directory, "%s", whole);
  if (world_rank == 0) CHECK(umount(disk) == 0, "umount");
}

static void test_all(void) {
  if (world_rank == 0) make_plain(in_directory("good.h5"));
  test_inputs();
  long ids = open_ids(), communicator = next_communicator();
  test_reading();
  test_refusals();
  test_special_files();
  test_output_names();
  test_commit();
  test_full_disk();
  CHECK(open_ids() == ids, "%ld HDF5 ids now, %ld before", open_ids(), ids);
  CHECK(next_communicator() == communicator, "a communicator leaks");
}

int main(int argc, char **argv) {
  files_begin(&argc, &argv);
  test_all();
  return files_end();
}

#else
#include "no_hdf5.h"
#endif
