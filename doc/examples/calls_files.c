/* ranks: 1 2 3 5 */
/* SPDX-License-Identifier: BSD-3-Clause
 * An example of each function of pfft3d_hdf5.h: see calls.h. */
#include <pfft3d_hdf5.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"

/* Rank 0 has the first half of 12 planes, the last rank the others. */
static pfft3d_box my_planes(void) {
  pfft3d_box box = {.len = {0, 5, 4}};
  if (rank == 0) box.len[0] = ranks > 1 ? 6 : 12;
  if (rank == ranks - 1 && ranks > 1) box.lo[0] = box.len[0] = 6;
  return box;
}

static void outputs(const pfft3d_box *box, const double *array) {
  pfft3d_output *output;

  /* Example: pfft3d_output_create pfft3d_output_write pfft3d_output_add pfft3d_output_commit */
  pfft3d_output_spec spec = {.name = "calls.h5:/u", .numbers = PFFT3D_REAL, .dims = 3, .n = {12, 5, 4}, .overwrite = 1};
  expect(!pfft3d_output_create(comm, &spec, sizeof spec, &output, &error));
  expect(!pfft3d_output_write(output, box, array, &error)); /* this rank's part, by its indices */
  pfft3d_output_spec second = {.path = "/v", .numbers = PFFT3D_REAL, .dims = 3, .n = {12, 5, 4}};
  expect(!pfft3d_output_add(output, &second, sizeof second, &error)); /* another dataset */
  expect(!pfft3d_output_write(output, box, array, &error));
  expect(!pfft3d_output_commit(&output, &error)); /* now the file has its name */

  /* Example: pfft3d_output_temporary pfft3d_output_discard */
  expect(!pfft3d_output_create(comm, &spec, sizeof spec, &output, &error));
  expect(strstr(pfft3d_output_temporary(output), "calls.h5")); /* its name until then */
  pfft3d_output_discard(&output); /* the old file stays */

  /* Example: pfft3d_output_write_block */
  pfft3d_output_spec four = {.name = "calls.npy", .numbers = PFFT3D_REAL, .dims = 4, .overwrite = 1,
                             .extent = {2, 6, 5, 4}};
  pfft3d_block block = {.len = {rank ? 0 : 2, 6, 5, 4}}; /* rank 0 has all of it */
  double *all = calloc(2 * 6 * 5 * 4, sizeof *all);
  expect(all && !pfft3d_output_create(comm, &four, sizeof four, &output, &error));
  expect(!pfft3d_output_write_block(output, &block, all, &error));
  expect(!pfft3d_output_commit(&output, &error));
  free(all);
}

static void inputs(const pfft3d_box *box, const double *written) {
  pfft3d_dataset *dataset;
  double *array = calloc(12 * 5 * 4, sizeof *array);
  expect(array != NULL);

  /* Example: pfft3d_dataset_probe pfft3d_dataset_get_info pfft3d_dataset_read pfft3d_dataset_free */
  pfft3d_dataset_info info;
  expect(!pfft3d_dataset_probe(comm, "calls.h5:/u", &dataset, &error));
  expect(!pfft3d_dataset_get_info(dataset, &info, sizeof info) && info.n[0] == 12);
  expect(!pfft3d_dataset_read(dataset, PFFT3D_DOUBLE, PFFT3D_REAL, box, array, &error));
  expect(!memcmp(array, written, (size_t)box->len[0] * 5 * 4 * sizeof *array));
  pfft3d_dataset_free(&dataset);

  /* Example: pfft3d_dataset_open pfft3d_dataset_read_block */
  pfft3d_input_spec spec = {.name = "calls.npy", .dims = 8}; /* up to eight dimensions */
  pfft3d_block block = {.len = {1, 6, 5, 4}};
  expect(!pfft3d_dataset_open(comm, &spec, sizeof spec, &dataset, &error));
  expect(!pfft3d_dataset_read_block(dataset, PFFT3D_DOUBLE, PFFT3D_REAL, &block, array, &error));

  /* Example: pfft3d_dataset_attribute */
  char units[40];
  expect(!pfft3d_dataset_attribute(dataset, "units", units, sizeof units, &error) && !units[0]);
  pfft3d_dataset_free(&dataset);

  free(array);
}

#ifndef MPI_ABI_VERSION
static void fortran_handles(void) {
  pfft3d_fint handle = MPI_Comm_c2f(comm);
  pfft3d_dataset *dataset;
  pfft3d_output *output;

  /* Example: pfft3d_dataset_probe_f pfft3d_dataset_open_f pfft3d_output_create_f */
  pfft3d_input_spec in = {.name = "calls.h5:/v"};
  pfft3d_output_spec out = {.name = "calls_f.h5:/w", .dims = 1, .n = {1, 1, 8}};
  expect(!pfft3d_dataset_probe_f(&handle, "calls.h5:/u", &dataset, &error)); /* handle: MPI_Comm_c2f(comm) */
  pfft3d_dataset_free(&dataset);
  expect(!pfft3d_dataset_open_f(&handle, &in, sizeof in, &dataset, &error));
  pfft3d_dataset_free(&dataset);
  expect(!pfft3d_output_create_f(&handle, &out, sizeof out, &output, &error));
  pfft3d_output_discard(&output);
}
#endif

int main(int argc, char **argv) {
  /* Example: pfft3d_hdf5_start */
  pfft3d_hdf5_start(argc, argv, getenv("PMIX_NAMESPACE")); /* the first call of main() */

  begin(&argc, &argv);
  pfft3d_box box = my_planes();
  double array[12 * 5 * 4];
  for (int i = 0; i < 12 * 5 * 4; i++) array[i] = (double)(box.lo[0] * 20 + i);
  outputs(&box, array);
  inputs(&box, array);
#ifndef MPI_ABI_VERSION
  fortran_handles();
#endif
  MPI_Barrier(comm);
  if (rank == 0) unlink("calls.h5"), unlink("calls.npy");
  MPI_Finalize();
  return 0;
}
