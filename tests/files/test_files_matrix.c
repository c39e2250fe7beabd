/* ranks: 2 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Every number of ranks that writes, with every one that reads: all types of output, and inputs in
 * both byte orders and all ways of storage.  More modes, for tests/long/files.sh (the first is this
 * test, on more ranks):
 *   test_files_matrix
 *   test_files_matrix --large PLANES FILE   a field of PLANES x 1024 x 1024 complex numbers: 16 MiB
 *                                           each */
#ifdef HAVE_CONFIG_H
#include "base/hooks.h"
#include "config.h"
#endif
#ifdef PF_HAVE_HDF5

#include "files_move.h"

static long matrix_cases;

/* Collective. Reads a file on each number of ranks. */
static void read_on_all(const char *name, int is_complex, int *turn) {
  for (int q = 1; q <= world_size; q++) {
    MPI_Comm few;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank < q ? 0 : MPI_UNDEFINED, 0, &few);
    (*turn)++;
    matrix_cases++;
    if (few == MPI_COMM_NULL) continue;
    read_and_compare(few, name, is_complex, *turn % CUTS_READ);
    MPI_Comm_free(&few);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void test_outputs(void) {
  const ptrdiff_t n[3] = {9, 7, 5};
  int turn = 0;
  for (int p = 1; p <= world_size; p++)
    for (int kind = 0; kind < 4; kind++) {
      MPI_Comm few;
      const char *name = in_directory("matrix.h5:/data");
      pfft3d_output_spec spec = {.name = name, .dims = 3, .overwrite = 1};
      spec.precision = kind % 2 ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
      spec.numbers = kind / 2 ? PFFT3D_REAL : PFFT3D_COMPLEX;
      memcpy(spec.n, n, sizeof spec.n);
      pf_hooks.round_bytes = turn % 2 ? 16 * 11 : 0;
      pf_hooks.mpi_io = turn / 2 % 2;
      MPI_Comm_split(MPI_COMM_WORLD, world_rank < p ? 0 : MPI_UNDEFINED, 0, &few);
      if (few != MPI_COMM_NULL) {
        write_numbers(few, &spec, turn % CUTS);
        MPI_Comm_free(&few);
      }
      read_on_all(name, spec.numbers == PFFT3D_COMPLEX, &turn);
    }
  pf_hooks.round_bytes = 0;
  pf_hooks.mpi_io = 0;
}

static void test_inputs(void) {
  static const char *const ri[] = {"r", "i"};
  const hid_t types[] = {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE};
  const hsize_t storage[] = {0, 2, MADE_COMPACT};
  int turn = 0;
  for (int k = 0; k < 4 * 2 * 3; k++) {
    const char *name = in_directory("input.h5:/data");
    int is_complex = k / 4 % 2;
    made m = {types[k % 4], is_complex ? ri : NULL, 3, {9, 7, 5}, storage[k / 8], 0};
    if (world_rank == 0) CHECK(make_file(in_directory("input.h5"), "/data", &m), "case %d", k);
    pf_io_set_probe(k % 3 ? probe_program() : NULL); /* and in this process */
    read_on_all(name, is_complex, &turn);
  }
  pfft3d_dataset *d;
  pfft3d_error e;
  pf_io_set_probe(""); /* as without /proc */
  CHECK(pfft3d_dataset_probe(MPI_COMM_SELF, in_directory("input.h5"), &d, &e) ==
                PFFT3D_ERR_INTERNAL &&
            strstr(e.hint, "/proc"),
        "%s (%s)", e.text, e.hint);
  pf_io_set_probe(probe_program());
}

/* ---- Much data in few bytes --------------------------------------------------------------- */

enum { MANY = 1 << 20, PER_CHUNK = 1 << 16, FEW = 256, WRITTEN = 7, ELSEWHERE = 3 };

/* Local. How such a dataset is made. */
static void filter_two_gzips(hid_t list) {
  H5Pset_deflate(list, 9);
  H5Pset_deflate(list, 9);
}
static void filter_scale_offset(hid_t list) {
  H5Pset_scaleoffset(list, H5Z_SO_INT, 0);
}
static void filter_szip(hid_t list) {
  if (H5Zfilter_avail(H5Z_FILTER_SZIP) > 0) H5Pset_szip(list, H5_SZIP_NN_OPTION_MASK, 32);
}
static void no_filter(hid_t list) {
  const hsize_t few = FEW;
  H5Pset_chunk(list, 1, &few);
}

/* Local. A dataset of equal numbers, of which only the first chunk is written, or all of them. */
static void make_equal(const char *file, void (*add_filters)(hid_t), hsize_t n, hsize_t written) {
  const hsize_t chunk = PER_CHUNK, first = 0;
  const int elsewhere = ELSEWHERE;
  int *numbers = malloc(MANY * sizeof *numbers);
  for (int k = 0; k < MANY; k++) numbers[k] = WRITTEN;
  hid_t f = open_file(file, 0), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_fill_value(list, H5T_NATIVE_INT, written < MANY ? &elsewhere : NULL);
  add_filters(list);
  hid_t space = H5Screate_simple(1, &n, NULL), memory = H5Screate_simple(1, &written, NULL);
  hid_t d = H5Dcreate2(f, "/data", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &written, NULL);
  CHECK(H5Dwrite(d, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, numbers) >= 0, "%s", file);
  H5Dclose(d);
  H5Sclose(memory);
  H5Sclose(space);
  H5Pclose(list);
  H5Fclose(f);
  free(numbers);
}

static void test_equal(const char *what, void (*add_filters)(hid_t), ptrdiff_t written) {
  const char *file = in_directory("equal.h5");
  pfft3d_dataset *d;
  pfft3d_error e;
  if (world_rank == 0) make_equal(file, add_filters, MANY, (hsize_t)written);
  MPI_Barrier(MPI_COMM_WORLD);
  matrix_cases++;
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, &e) == 0, "%s: %s", what, e.text);
  if (!d) return;
  pfft3d_box box = box_of(d->found.n, world_rank, world_size, CUT_02);
  double *array = box_array(&box);
  CHECK(pfft3d_dataset_read(d, PFFT3D_DOUBLE, PFFT3D_REAL, &box, array, &e) == 0, "%s: %s", what,
        e.text);
  ptrdiff_t wrong = 0;
  for (ptrdiff_t i = 0; i < box_count(&box); i++)
    wrong += array[i] != (box.lo[2] + i < written ? WRITTEN : ELSEWHERE);
  CHECK(wrong == 0, "%s: %td numbers are wrong", what, wrong);
  pfft3d_dataset_free(&d);
  free(array);
}

/* A small file makes nobody allocate more than 1 GiB, which complex doubles of 2^26 points have. */
static void test_claims(void) {
  const char *file = in_directory("equal.h5");
  for (int more = 0; more < 2; more++) {
    pfft3d_dataset *d;
    pfft3d_error e;
    if (world_rank == 0) make_equal(file, no_filter, ((hsize_t)1 << 26) + (hsize_t)more, FEW);
    MPI_Barrier(MPI_COMM_WORLD);
    matrix_cases++;
    int status = pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, &e);
    CHECK(status == (more ? PFFT3D_ERR_DATA : PFFT3D_OK), "%d: %s", status, e.text);
    CHECK(!more || (strstr(e.text, "it claims 256.0 MiB, the file holds 1 KiB") &&
                    strstr(e.hint, "h5repack")),
          "%s (%s)", e.text, e.hint);
    pfft3d_dataset_free(&d);
  }
}

static void test_large(ptrdiff_t planes, const char *file) {
  pfft3d_output_spec spec = {.name = file, .path = "/data", .dims = 3, .n = {planes, 1024, 1024}};
  pfft3d_dataset *d;
  pfft3d_error e;
  if (write_numbers(MPI_COMM_WORLD, &spec, CUT_SLABS)) return;
  CHECK(pfft3d_dataset_probe(MPI_COMM_WORLD, file, &d, &e) == 0, "%s", e.text);
  pfft3d_box box = box_of(d->found.n, world_rank, world_size, CUT_12);
  void *array = box_array(&box);
  read_box(file, (elements){PFFT3D_DOUBLE, PFFT3D_COMPLEX}, d, &box, array);
  pfft3d_dataset_free(&d);
  matrix_cases++;
  free(array);
}

int main(int argc, char **argv) {
  files_begin(&argc, &argv);
  if (argc == 4 && strcmp(argv[1], "--large") == 0) {
    test_large(atol(argv[2]), argv[3]);
  } else {
    test_outputs();
    test_inputs();
    test_equal("scale-offset", filter_scale_offset, MANY);
    test_equal("gzip of gzip", filter_two_gzips, MANY);
    test_equal("szip", filter_szip, MANY);
    test_equal("one small chunk", no_filter, FEW);
    test_equal("five elements", filter_two_gzips, 5);
    test_claims();
  }
  if (world_rank == 0) printf("tried %ld wrong %ld\n", matrix_cases, check_failed);
  return files_end();
}

#else
#include "no_hdf5.h"
#endif
