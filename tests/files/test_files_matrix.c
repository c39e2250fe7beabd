/* ranks: 2 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Every number of ranks that writes, with every one that reads: all types of output, and inputs in
 * both byte orders and all ways of storage.  More modes, for tests/long/files.sh (the first is this
 * test, on more ranks):
 *   test_files_matrix
 *   test_files_matrix --large PLANES FILE   a field of PLANES x 1024 x 1024 complex numbers: 16 MiB
 *                                           each */
#ifdef HAVE_CONFIG_H
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
      pf_io_set_round_bytes(turn % 2 ? 16 * 11 : 0);
      pf_io_set_mpi_io(turn / 2 % 2);
      MPI_Comm_split(MPI_COMM_WORLD, world_rank < p ? 0 : MPI_UNDEFINED, 0, &few);
      if (few != MPI_COMM_NULL) {
        write_numbers(few, &spec, turn % CUTS);
        MPI_Comm_free(&few);
      }
      read_on_all(name, spec.numbers == PFFT3D_COMPLEX, &turn);
    }
  pf_io_set_round_bytes(0);
  pf_io_set_mpi_io(0);
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
  pf_io_set_probe(probe_program());
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
  }
  if (world_rank == 0) printf("tried %ld wrong %ld\n", matrix_cases, check_failed);
  return files_end();
}

#else
#include "no_hdf5.h"
#endif
