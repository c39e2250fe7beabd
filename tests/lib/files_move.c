/* SPDX-License-Identifier: BSD-3-Clause
 * Writing and reading whole datasets; see files_move.h. */
#include "files_move.h"

void read_box(const char *name, elements x, pfft3d_dataset *d, const pfft3d_box *box,
              unsigned char *array) {
  pfft3d_error e = {0};
  size_t count = (size_t)box_count(box), touched = 0;
  if (count) memset(array, 0x5a, count * 2 * sizeof(double));
  int status = pfft3d_dataset_read(d, x.precision, x.numbers, box, array, &e);
  CHECK(status == 0, "%s: %s", name, e.text);
  if (status) return;
  ptrdiff_t wrong = box_numbers(d->found.n, box, x, array, d->found.is_complex, 1);
  CHECK(wrong == 0, "%td numbers of %s (%s) differ in precision %d, numbers %d", wrong, name,
        d->found.type, (int)x.precision, (int)x.numbers);
  for (size_t k = count * bytes_of(x); k < count * 2 * sizeof(double); k++)
    touched += array[k] != 0x5a;
  CHECK(touched == 0, "%zu bytes behind the box of %s are touched", touched, name);
  CHECK(d->nonfinite == 0, "%g", d->nonfinite);
}

void read_and_compare(MPI_Comm comm, const char *name, int is_complex, int cut) {
  pfft3d_dataset *d;
  pfft3d_error e = {0};
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int status = pfft3d_dataset_probe(comm, name, &d, &e);
  CHECK(status == 0, "%s: %s", name, e.text);
  if (status) return;
  CHECK(d->found.is_complex == is_complex, "%s is %s", name, d->found.type);
  pfft3d_box box = box_of(d->found.n, rank, ranks, cut);
  void *array = box_array(&box);
  for (int k = 0; k < (is_complex ? 2 : 4); k++)
    read_box(name, (elements){(pfft3d_precision)(k % 2), (pfft3d_numbers)(k / 2)}, d, &box, array);
  free(array);
  pfft3d_dataset_free(&d);
}

int write_numbers(MPI_Comm comm, const pfft3d_output_spec *spec, int cut) {
  static const char *const types[2][2] = {{"complex128", "complex64"}, {"float64", "float32"}};
  elements x = {spec->precision, spec->numbers};
  pfft3d_output *out = NULL;
  pfft3d_error e = {0};
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int status = pfft3d_output_create(comm, spec, sizeof *spec, &out, &e);
  CHECK(status == 0, "%s: %s", spec->name, e.text);
  if (status) return status;
  CHECK(access(pfft3d_output_temporary(out), R_OK) == 0, "%s", pfft3d_output_temporary(out));
  pfft3d_box box = box_of(spec->n, rank, ranks, cut);
  void *array = box_array(&box);
  box_numbers(spec->n, &box, x, array, 1, 0);
  status = pfft3d_output_write(out, &box, array, &e);
  CHECK(status == 0, "%s: %s", spec->name, e.text);
  CHECK(box_numbers(spec->n, &box, x, array, 1, 1) == 0, "the array was changed");
  status = pfft3d_output_commit(&out, &e);
  CHECK(status == 0 && !out, "%s: %s", spec->name, e.text);
  free(array);
  pfft3d_dataset *d;
  const char *type = types[x.numbers][x.precision];
  CHECK(pfft3d_dataset_probe(comm, spec->name, &d, &e) == 0, "%s: %s", spec->name, e.text);
  if (d)
    CHECK(strcmp(d->found.type, type) == 0, "%s is %s, not %s", spec->name, d->found.type, type);
  pfft3d_dataset_free(&d);
  return status;
}
