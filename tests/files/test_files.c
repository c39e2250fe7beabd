/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are right: every type is read in both precisions, by boxes of any shape, what P ranks
 * write Q ranks read, attributes travel, and nothing is left behind.  Two more modes serve
 * tests/files/files_h5py.sh:
 *   test_files --write PROBLEM FILE...  fields as /a/b; PROBLEM is like c2c:s:5x4x3
 *   test_files --read NAME COMPLEX [NAME COMPLEX]...   compares; COMPLEX is 0 or 1 */
#ifdef HAVE_CONFIG_H
#include "base/hooks.h"
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include <sys/stat.h>

#include "files_move.h"
#include "hdf5/inspect.h"

/* ---- Types -------------------------------------------------------------------------------- */

static const char *const ri[] = {"r", "i"}, *const reim[] = {"re", "im"},
                         *const realimag[] = {"real", "imag"};

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NATIVE_ORDER " big-endian"
#else
#define NATIVE_ORDER
#endif

/* Local. What is told about a dataset of 7 x 5 x 3 elements. */
static void check_found(const pfft3d_dataset *d, const char *type, int is_complex) {
  pfft3d_dataset_info info = {.dims = -1}, old = {.dims = -1};
  CHECK(pfft3d_dataset_get_info(d, &info, sizeof info) == 0, "no information");
  CHECK(strcmp(info.type, type) == 0, "%s, not %s", info.type, type);
  CHECK(strcmp(info.path, "/data") == 0 && info.dims == 3, "%s", info.path);
  CHECK(info.n[0] == 7 && info.n[1] == 5 && info.n[2] == 3, "%td", info.n[0]);
  CHECK(info.numbers == (is_complex ? PFFT3D_COMPLEX : PFFT3D_REAL), "%d", (int)info.numbers);
  CHECK(strstr(info.file, "types.h5") && info.nonfinite == 0, "%s", info.file);
  /* an application of a version that knew the first two members only */
  CHECK(pfft3d_dataset_get_info(d, &old, 2 * sizeof(char *)) == 0, "no information");
  CHECK(old.file == info.file && old.path == info.path && !old.type && old.dims == -1, "%d",
        old.dims);
}

static void test_types(void) {
  const struct {
    const char *says;
    hid_t type;
    const char *const *names;
  } types[] = {
      {"uint8", H5T_STD_U8LE, NULL},
      {"int8", H5T_STD_I8BE, NULL},
      {"uint16", H5T_STD_U16LE, NULL},
      {"int16 big-endian", H5T_STD_I16BE, NULL},
      {"uint32 big-endian", H5T_STD_U32BE, NULL},
      {"int32", H5T_STD_I32LE, NULL},
      {"uint64", H5T_STD_U64LE, NULL},
      {"int64 big-endian", H5T_STD_I64BE, NULL},
      {"float32", H5T_IEEE_F32LE, NULL},
      {"float32 big-endian", H5T_IEEE_F32BE, NULL},
      {"float64", H5T_IEEE_F64LE, NULL},
      {"float64 big-endian", H5T_IEEE_F64BE, NULL},
      {"float128" NATIVE_ORDER, H5T_NATIVE_LDOUBLE, NULL},
      {"complex64", H5T_IEEE_F32LE, ri},
      {"complex128", H5T_IEEE_F64LE, ri},
      {"complex128 big-endian", H5T_IEEE_F64BE, reim},
      {"complex64 big-endian", H5T_IEEE_F32BE, realimag},
      {"complex256" NATIVE_ORDER, H5T_NATIVE_LDOUBLE, ri},
  };
  const size_t caps[] = {0, 16, 5 * 16, 1000};
  const struct {
    hsize_t chunk;
    int deflate;
  } stored[] = {{0, 0}, {3, 0}, {2, 1}};
  const char *file = in_directory("types.h5");
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (size_t k = 0; k < 3; k++) {
      if (k && (t + k) % 2) continue; /* each in chunks, every other one compressed */
      made m = {types[t].type, types[t].names, 3, {7, 5, 3}, stored[k].chunk, stored[k].deflate};
      pfft3d_dataset *d = NULL;
      if (world_rank == 0) CHECK(make_file(file, "/data", &m), "%s", types[t].says);
      MPI_Barrier(MPI_COMM_WORLD);
      CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, NULL) == 0, "%s", types[t].says);
      check_found(d, types[t].says, types[t].names != NULL);
      pfft3d_dataset_free(&d);
      pf_hooks.round_bytes = caps[(t + k) % 4];
      pf_hooks.mpi_io = (int)(t / 2 + k) % 2;
      read_and_compare(MPI_COMM_WORLD, file, types[t].names != NULL, (int)(t + k) % CUTS_READ);
      pf_hooks.round_bytes = 0;
      pf_hooks.mpi_io = 0;
    }
}

/* A larger compressed dataset whose chunks lie across boxes and rounds. */
static void test_chunks(void) {
  const char *file = in_directory("chunks.h5");
  made m = {H5T_STD_I16LE, NULL, 3, {37, 41, 43}, 16, 1};
  if (world_rank == 0) CHECK(make_file(file, "/g", &m), "cannot make it");
  MPI_Barrier(MPI_COMM_WORLD);
  const size_t caps[] = {0, 16 * 41 * 43 * 3, 16 * 43 * 5};
  for (size_t k = 0; k < 3; k++) {
    pf_hooks.round_bytes = caps[k];
    read_and_compare(MPI_COMM_WORLD, file, 0, CUT_SLABS);
    read_and_compare(MPI_COMM_WORLD, file, 0, CUT_01 + (int)k);
  }
  pf_hooks.round_bytes = 0;
}

/* What a double holds may be infinite as a float. */
static void test_nonfinite(pfft3d_numbers numbers) {
  elements x = {PFFT3D_DOUBLE, numbers};
  const char *file = in_directory("nan.h5");
  pfft3d_output *out;
  pfft3d_output_spec spec = {.name = file, .path = "x", .dims = 2, .n = {1, 6, 4}, .overwrite = 1};
  spec.numbers = numbers;
  pfft3d_box box = box_of(spec.n, world_rank, world_size, CUT_LAST);
  double *array = box_array(&box);
  box_numbers(spec.n, &box, x, array, 1, 0);
  if (array) array[3] = array[8] = array[9] = 0.0 / 0.0, array[20] = 1e308 * 1e10, array[22] = 1e40;
  CHECK(pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, NULL) == 0, "create");
  CHECK(pfft3d_output_write(out, &box, array, NULL) == 0, "write");
  CHECK(pfft3d_output_commit(&out, NULL) == 0, "commit");
  pfft3d_dataset *d;
  pfft3d_dataset_info i;
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, NULL) == 0, "probe");
  CHECK(pfft3d_dataset_get_info(d, &i, sizeof i) == 0, "no information");
  CHECK(i.dims == 2 && i.n[0] == 1 && i.n[1] == 6 && i.n[2] == 4, "%d", i.dims);
  for (int p = 0; p < 2; p++) {
    double wanted = (numbers == PFFT3D_REAL ? 4 : 3) + (p == PFFT3D_SINGLE); /* 8, 9: one element */
    CHECK(pfft3d_dataset_read(d, (pfft3d_precision)p, numbers, &box, array, NULL) == 0, "read");
    pfft3d_dataset_get_info(d, &i, sizeof i);
    CHECK(i.nonfinite == wanted, "%g", i.nonfinite);
  }
  pfft3d_dataset_free(&d);
  free(array);
}

/* ---- Written on P, read on Q -------------------------------------------------------------- */

static void test_ranks(void) {
  const struct {
    int dims;
    ptrdiff_t n[3];
  } grids[] = {{3, {7, 5, 3}}, {3, {2, 3, 9}}, {3, {1, 1, 17}}, {1, {1, 1, 11}}, {2, {1, 4, 5}}};
  const size_t caps[] = {0, 16, 16 * 4, 16 * 11};
  int turn = 0;
  for (int p = 1; p <= world_size; p += p < 4 ? 1 : 2)
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
      MPI_Comm few;
      const char *name = in_directory("ranks.h5:/deep/er/data");
      pfft3d_output_spec spec = {.name = name, .dims = grids[g].dims, .overwrite = 1};
      spec.precision = turn / 4 % 2 ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
      spec.numbers = turn % 2 ? PFFT3D_REAL : PFFT3D_COMPLEX;
      memcpy(spec.n, grids[g].n, sizeof spec.n);
      pf_hooks.round_bytes = caps[turn++ % 4];
      pf_hooks.mpi_io = turn / 2 % 2;
      MPI_Comm_split(MPI_COMM_WORLD, world_rank < p ? 0 : MPI_UNDEFINED, -world_rank, &few);
      if (few != MPI_COMM_NULL) {
        write_numbers(few, &spec, turn % CUTS);
        MPI_Comm_free(&few);
      }
      for (int q = 1; q <= world_size; q += q < 4 ? 1 : 2) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Comm_split(MPI_COMM_WORLD, world_rank < q ? 0 : MPI_UNDEFINED, 0, &few);
        if (few == MPI_COMM_NULL) continue;
        read_and_compare(few, name, spec.numbers == PFFT3D_COMPLEX, (turn + q) % CUTS_READ);
        MPI_Comm_free(&few);
      }
    }
  pf_hooks.round_bytes = 0;
  pf_hooks.mpi_io = 0;
}

/* A file that loses its end after it was inspected: collective and independent reads. */
static void test_shorter(void) {
  const char *file = in_directory("shorter.h5");
  struct stat st;
  pfft3d_dataset *d;
  pfft3d_error e;
  double array[2 * 4 * 3 * 2];
  make_small(file, &d);
  pfft3d_box box = box_of(d->found.n, world_rank, world_size, CUT_LAST);
  if (world_rank == 0) CHECK(truncate(file, d->found.stored.offset + 1) == 0, "%s", file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (stat(file, &st) == 0) pf_io_fingerprint(&st, d->found.stored.fingerprint); /* as inspected */
  for (int together = 0; together < 2; together++) {
    pf_hooks.mpi_io = together;
    int status = pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_COMPLEX, &box, array, &e);
    CHECK(status == PFFT3D_ERR_DATA && strstr(e.text, "has become shorter"), "%d: %d, %s", together,
          status, e.text);
  }
  pf_hooks.mpi_io = 0;
  pfft3d_dataset_free(&d);
}

/* A Cartesian communicator, which Open MPI's file layer does not like. */
static void test_cartesian(void) {
  MPI_Comm cart;
  int periodic = 1;
  pfft3d_output_spec spec = {.name = in_directory("cart.h5:/c"), .dims = 3, .n = {5, 4, 3}};
  MPI_Cart_create(MPI_COMM_WORLD, 1, &world_size, &periodic, 0, &cart);
  write_numbers(cart, &spec, 0);
  for (int together = 1; together >= 0; together--) {
    pf_hooks.mpi_io = together;
    read_and_compare(cart, spec.name, 1, 0);
  }
  MPI_Comm_free(&cart);
}

/* Indices, which doubles hold exactly as far as they are read. */
static void test_indices(int single) {
  const char *file = in_directory("indices.h5");
  pfft3d_output_spec spec = {.name = file,
                             .path = "/i",
                             .precision = single ? PFFT3D_SINGLE : PFFT3D_DOUBLE,
                             .numbers = PFFT3D_INDICES,
                             .dims = 1,
                             .n = {1, 1, 7},
                             .overwrite = 1};
  pfft3d_box box = box_of(spec.n, world_rank, world_size, CUT_02);
  uint64_t large[7] = {0};
  uint32_t small[7] = {0};
  double back[7] = {0};
  pfft3d_output *out = NULL;
  pfft3d_dataset *d = NULL;
  pfft3d_dataset_info info;
  pfft3d_error e;
  for (int i = 0; i < 7; i++) {
    small[i] = UINT32_MAX - 3U * (unsigned)(box.lo[2] + i);
    large[i] = single ? small[i] : ((uint64_t)1 << 53) - (uint64_t)(box.lo[2] + i);
  }
  const void *array = single ? (const void *)small : large;
  CHECK(pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &out, &e) == 0, "%s", e.text);
  CHECK(pfft3d_output_write(out, &box, array, &e) == 0, "%s", e.text);
  CHECK(pfft3d_output_commit(&out, &e) == 0, "%s", e.text);
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, &e) == 0, "%s", e.text);
  pfft3d_dataset_get_info(d, &info, sizeof info);
  CHECK(strcmp(info.type, single ? "uint32" : "uint64") == 0, "%s", info.type);
  CHECK(pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_REAL, &box, back, &e) == 0, "%s", e.text);
  for (ptrdiff_t i = 0; i < box_count(&box); i++)
    CHECK(back[i] == (double)large[i], "%td: %.17g", i, back[i]);
  CHECK(pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_INDICES, &box, back, &e) == PFFT3D_ERR_USAGE,
        "indices are for outputs");
  pfft3d_dataset_free(&d);
}

/* A file of two datasets of other shapes, numbers and precision, in boxes of other kinds. */
static void test_add(void) {
  char name[2][320];
  const char *file = in_directory("added.h5");
  const pfft3d_attribute given[] = {{"axes", "second"}, {NULL, NULL}};
  pfft3d_output_spec spec[2] = {{.name = file, .path = "/a", .dims = 3, .n = {5, 4, 3}},
                                {.path = "/group/b",
                                 .precision = PFFT3D_SINGLE,
                                 .numbers = PFFT3D_REAL,
                                 .dims = 2,
                                 .n = {1, 7, 9},
                                 .attributes = given}};
  pfft3d_output *out = NULL;
  pfft3d_error e;
  for (int k = 0; k < 2; k++) {
    const elements x = {spec[k].precision, spec[k].numbers};
    pfft3d_box box = box_of(spec[k].n, world_rank, world_size, k ? CUT_12 : CUT_SLABS);
    void *array = box_array(&box);
    box_numbers(spec[k].n, &box, x, array, 1, 0);
    int status = k ? pfft3d_output_add(out, &spec[k], sizeof *spec, &e)
                   : pfft3d_output_create(MPI_COMM_WORLD, &spec[k], sizeof *spec, &out, &e);
    CHECK(status == 0, "%s", e.text);
    if (k) { /* nothing can come between, nor twice: the output is as before */
      CHECK(pfft3d_output_add(out, &spec[k], sizeof *spec, &e) == PFFT3D_ERR_USAGE, "%s", e.text);
    }
    CHECK(pfft3d_output_write(out, &box, array, &e) == 0, "%s", e.text);
    free(array);
  }
  CHECK(pfft3d_output_add(out, &spec[1], sizeof *spec, &e) == PFFT3D_ERR_OUTPUT, "%s", e.text);
  CHECK(pfft3d_output_add(out, &spec[0], sizeof *spec, &e) == PFFT3D_ERR_USAGE, "%s", e.text);
  CHECK(pfft3d_output_commit(&out, &e) == 0, "%s", e.text);
  for (int k = 0; k < 2; k++) {
    snprintf(name[k], sizeof name[k], "%s:%s", file, spec[k].path);
    read_and_compare(MPI_COMM_WORLD, name[k], !k, CUT_SLABS);
  }
  if (world_rank == 0) {
    hid_t f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT), o = H5Dopen2(f, "/group/b", H5P_DEFAULT);
    CHECK(H5Aexists(o, "axes") > 0, "attributes of the second");
    H5Dclose(o);
    H5Fclose(f);
  }
}

/* ---- Attributes --------------------------------------------------------------------------- */

/* Local. Gives an object a string, of fixed or variable length. */
static void put_string(hid_t to, const char *name, const char *value, int variable) {
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, variable ? H5T_VARIABLE : strlen(value));
  hid_t a = H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(H5Awrite(a, type, variable ? (const void *)&value : value) >= 0, "%s", name);
  H5Aclose(a);
  H5Sclose(space);
  H5Tclose(type);
}

/* Local. Whether the object has that string. */
static int has_string(hid_t object, const char *name, const char *value) {
  char text[256] = "", *pointer = NULL;
  hid_t a = H5Aopen(object, name, H5P_DEFAULT);
  if (a < 0) return 0;
  hid_t type = H5Aget_type(a);
  if (H5Tis_variable_str(type) > 0) {
    if (H5Aread(a, type, &pointer) >= 0 && pointer) snprintf(text, sizeof text, "%s", pointer);
    H5free_memory(pointer);
  } else if (H5Tget_size(type) < sizeof text) {
    H5Aread(a, type, text);
  }
  H5Tclose(type);
  H5Aclose(a);
  return strcmp(text, value) == 0;
}

static void make_source(const char *file) {
  made m = {H5T_STD_U8LE, NULL, 3, {4, 3, 2}, 0, 0};
  CHECK(make_file(file, "/in", &m), "source");
  hid_t f = open_file(file, 1), d = H5Dopen2(f, "/in", H5P_DEFAULT);
  hsize_t three = 3;
  double spacing[3] = {1, 0.5, 0.25}, back[3] = {0, 0, 0};
  hid_t space = H5Screate_simple(1, &three, NULL);
  hid_t a = H5Acreate2(d, "spacing", H5T_IEEE_F64BE, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, H5T_NATIVE_DOUBLE, spacing);
  H5Aread(a, H5T_NATIVE_DOUBLE, back);
  H5Aclose(a);
  hobj_ref_t reference;
  hid_t one = H5Screate(H5S_SCALAR);
  H5Rcreate(&reference, f, "/in", H5R_OBJECT, -1);
  a = H5Acreate2(d, "reference", H5T_STD_REF_OBJ, one, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, H5T_STD_REF_OBJ, &reference);
  H5Aclose(a);
  H5Sclose(one);
  H5Sclose(space);
  put_string(f, "title", "of the root", 1);
  put_string(d, "units", "variable", 1);
  put_string(d, "note", "fixed", 0);
  put_string(d, "axes", "t,u,v", 1);
  put_string(d, "direction", "from the source", 1);
  put_string(d, "nothing", "", 1);
  H5Dclose(d);
  H5Fclose(f);
}

/* Collective. Reads an attribute of the source, into few bytes if `size` is small. */
static void read_text(const pfft3d_dataset *d, const char *name, size_t size, const char *want) {
  char text[32] = "what was there before";
  pfft3d_error e = {0};
  CHECK(pfft3d_dataset_attribute(d, name, text, size, &e) == 0, "%s: %s", name, e.text);
  CHECK(strcmp(text, want) == 0, "%s is '%s', not '%s'", name, text, want);
}

static void test_attributes(void) {
  const char *source = in_directory("source.h5"), *file = in_directory("result.h5");
  const pfft3d_attribute given[] = {
      {"direction", "forward"}, {"axes", "z,y,x"}, {"empty", ""}, {NULL, NULL}};
  pfft3d_dataset *d;
  if (world_rank == 0) make_source(source);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, source, &d, NULL) == 0, "probe");
  read_text(d, "units", 32, "variable");
  read_text(d, "note", 32, "fixed");
  read_text(d, "note", 4, "fix");
  read_text(d, "units", 1, "");
  read_text(d, "missing", 32, "");
  read_text(d, "spacing", 32, "");
  read_text(d, "reference", 32, "");
  read_text(d, "nothing", 32, "");
  pfft3d_output_spec spec = {.name = file,
                             .path = d->found.path,
                             .dims = 3,
                             .n = {4, 3, 2},
                             .source = d,
                             .attributes = given};
  write_numbers(MPI_COMM_WORLD, &spec, 0);
  if (world_rank == 0) {
    double spacing[3] = {0, 0, 0};
    hid_t f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT), o = H5Dopen2(f, "/in", H5P_DEFAULT);
    CHECK(has_string(f, "title", "of the root"), "title");
    CHECK(has_string(o, "units", "variable"), "units");
    CHECK(has_string(o, "note", "fixed"), "note");
    CHECK(has_string(o, "axes", "z,y,x"), "the given axes win");
    CHECK(has_string(o, "direction", "forward"), "the given direction wins");
    CHECK(has_string(o, "empty", ""), "empty");
    CHECK(H5Aexists(o, "reference") == 0, "references are not copied");
    hid_t a = H5Aopen(o, "spacing", H5P_DEFAULT);
    CHECK(H5Aread(a, H5T_NATIVE_DOUBLE, spacing) >= 0 && spacing[1] == 0.5, "%g", spacing[1]);
    H5Aclose(a);
    H5Dclose(o);
    H5Fclose(f);
  }
  read_and_compare(MPI_COMM_WORLD, file, 1, CUT_SLABS);
  spec.overwrite = 1; /* the same without a source */
  spec.source = NULL;
  write_numbers(MPI_COMM_WORLD, &spec, 0);
  if (world_rank == 0) {
    hid_t f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT), o = H5Dopen2(f, "/in", H5P_DEFAULT);
    CHECK(has_string(o, "axes", "z,y,x"), "given axes");
    H5Dclose(o);
    H5Fclose(f);
  }
  pfft3d_dataset_free(&d);
}

/* ---- Main --------------------------------------------------------------------------------- */

static void test_all(void) {
  int temporary;
  test_types(); /* also what HDF5 opens once and keeps */
  long ids = open_ids(), communicator = next_communicator();
  test_chunks();
  test_nonfinite(PFFT3D_COMPLEX);
  test_nonfinite(PFFT3D_REAL);
  test_ranks();
  test_cartesian();
  test_shorter();
  test_add();
  test_indices(0);
  test_indices(1);
  test_attributes();
  CHECK(open_ids() == ids, "%ld HDF5 ids now, %ld before", open_ids(), ids);
  CHECK(next_communicator() == communicator, "a communicator leaks");
  entries(&temporary);
  CHECK(temporary == 0, "%d temporary files are left", temporary);
}

/* Collective. Writes a file for h5py: a field of such a problem. */
static void write_problem(const char *problem, const char *file) {
  const pfft3d_attribute given[] = {{"problem", problem}, {NULL, NULL}};
  pfft3d_output_spec spec = {.name = file, .path = "/a/b", .dims = 3, .attributes = given};
  pfft3d_problem p;
  CHECK(pfft3d_problem_parse(problem, &p, NULL) == 0, "%s", problem);
  spec.precision = p.precision;
  spec.numbers = p.kind == PFFT3D_R2C ? PFFT3D_REAL : PFFT3D_COMPLEX;
  memcpy(spec.n, p.n, sizeof spec.n);
  write_numbers(MPI_COMM_WORLD, &spec, CUT_12);
}

int main(int argc, char **argv) {
  files_begin(&argc, &argv);
  if (argc >= 4 && strcmp(argv[1], "--write") == 0) {
    for (int k = 2; k + 1 < argc; k += 2) write_problem(argv[k], argv[k + 1]);
  } else if (argc >= 4 && strcmp(argv[1], "--read") == 0) {
    for (int k = 2; k + 1 < argc; k += 2) {
      pf_hooks.round_bytes = k % 4 ? 16 * 11 : 0;
      read_and_compare(MPI_COMM_WORLD, argv[k], atoi(argv[k + 1]), k / 2 % CUTS_READ);
    }
  } else {
    test_all();
  }
  return files_end();
}

#else
#include "no_hdf5.h"
#endif
