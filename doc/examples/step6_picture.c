/* SPDX-License-Identifier: BSD-3-Clause
 * Step 6: a picture of a head.  Reads a volume from an HDF5 file, takes away what is finer than 8
 * voxels, and writes the plane in the middle before and after, side by side:
 *
 *     mpirun -n 2 step6_picture data/colin27.h5 head.pgm */
#include <complex.h>
#include <math.h>
#include <pfft3d_hdf5.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;
static pfft3d_error error; /* of functions with a communicator: the same on all ranks */

static void check(int status) {
  if (!status) return;
  if (rank == 0) fprintf(stderr, "step6_picture: %s\n", error.text);
  MPI_Abort(MPI_COMM_WORLD, status);
}

/* Removes waves shorter than 8 voxels; those that remain are multiplied by `scale`. */
static void smooth(const pfft3d_box *b, const ptrdiff_t n[3], double scale, double complex *v) {
  for (ptrdiff_t k0 = b->lo[0]; k0 < b->lo[0] + b->len[0]; k0++)
    for (ptrdiff_t k1 = b->lo[1]; k1 < b->lo[1] + b->len[1]; k1++)
      for (ptrdiff_t k2 = b->lo[2]; k2 < b->lo[2] + b->len[2]; k2++, v++) {
        const ptrdiff_t k[3] = {k0, k1, k2};
        double squares = 0; /* of cycles per voxel */
        for (int a = 0; a < 3; a++) {
          double f = (double)(2 * k[a] <= n[a] ? k[a] : k[a] - n[a]) / (double)n[a];
          squares += f * f;
        }
        *v *= squares <= 1.0 / 64 ? scale : 0;
      }
}

static unsigned char grey(double value) {
  double level = floor(value + 0.5);
  return (unsigned char)(level < 0 ? 0 : level > 255 ? 255 : level);
}

/* On the rank that has the plane in the middle of axis 0. */
static void draw(const char *name, const pfft3d_box *b, const double *before, const double *after) {
  FILE *f = fopen(name, "wb");
  if (!f) perror(name), MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_OUTPUT);
  fprintf(f, "P5\n%td %td\n255\n", 2 * b->len[2], b->len[1]);
  for (ptrdiff_t i1 = b->len[1] - 1; i1 >= 0; i1--) /* the axis points up */
    for (int side = 0; side < 2; side++)
      for (ptrdiff_t i2 = 0; i2 < b->len[2]; i2++)
        putc(grey((side ? after : before)[i1 * b->len[2] + i2]), f);
  if (fclose(f)) perror(name), MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_IO);
}

int main(int argc, char **argv) {
  pfft3d_dataset *input = NULL;
  pfft3d_dataset_info info;
  pfft3d_request *request = NULL;
  pfft3d_plan *plan = NULL;
  pfft3d_box space, spectrum;
  void *field = NULL, *modes = NULL;
  char text[120];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 3) {
    if (rank == 0) fprintf(stderr, "usage: step6_picture INPUT.h5 OUTPUT.pgm\n");
    MPI_Finalize();
    return PFFT3D_ERR_USAGE;
  }
  check(pfft3d_dataset_probe(MPI_COMM_WORLD, argv[1], &input, &error));
  pfft3d_dataset_get_info(input, &info, sizeof info);

  const ptrdiff_t *n = info.n;
  snprintf(text, sizeof text, "r2c:d:%tdx%tdx%td decomp=slab", n[0], n[1], n[2]);
  check(pfft3d_request_create(&request, &error));
  check(pfft3d_request_parse(request, text, &error));
  check(pfft3d_plan_create(MPI_COMM_WORLD, request, &plan, &error));
  pfft3d_request_destroy(&request);
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &space);
  pfft3d_plan_box(plan, PFFT3D_SPECTRUM, rank, &spectrum);
  check(pfft3d_alloc(plan, &field, &error));
  check(pfft3d_alloc(plan, &modes, &error));

  check(pfft3d_dataset_read(input, PFFT3D_DOUBLE, PFFT3D_REAL, &space, field, &error));
  ptrdiff_t plane = space.len[1] * space.len[2], middle = n[0] / 2 - space.lo[0];
  int mine = middle >= 0 && middle < space.len[0];
  double *before = calloc((size_t)(plane > 0 ? plane : 1), sizeof *before), *u = field;
  if (!before) MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_MEMORY);
  for (ptrdiff_t i = 0; i < plane && mine; i++) before[i] = u[middle * plane + i];

  int status = pfft3d_execute(plan, PFFT3D_FORWARD, field, modes);
  smooth(&spectrum, n, 1 / ((double)n[0] * (double)n[1] * (double)n[2]), modes);
  if (!status) status = pfft3d_execute(plan, PFFT3D_BACKWARD, modes, field);
  if (!status && mine) draw(argv[2], &space, before, u + middle * plane);

  free(before);
  pfft3d_dataset_free(&input);
  pfft3d_plan_destroy(&plan);
  MPI_Finalize();
  return status;
}
