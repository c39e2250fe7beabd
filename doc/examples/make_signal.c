/* SPDX-License-Identifier: BSD-3-Clause
 * A signal and the same with noise, for filter.c:
 *
 *     mpirun -n 4 make_signal 1000000 noisy.h5 clean.h5
 *
 * The signal is x(t) = sin 7t + sin(5t)/2 at N points t = 2 pi j/N of the interval [0, 2 pi), the
 * noise is Gaussian with standard deviation 1, more than the signal has.  Both are functions of the
 * index j alone: the files are the same for any number of ranks, each of which makes and writes its
 * own piece. */
#include <math.h>
#include <pfft3d_hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const double two_pi = 6.283185307179586;

/* A random number in (0, 1) that belongs to an index (the mixing of splitmix64). */
static double uniform(uint64_t index) {
  uint64_t x = (index + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return ((double)((x ^ (x >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/* Two uniform numbers make a Gaussian one (Box and Muller 1958). */
static double gaussian(uint64_t index) {
  return sqrt(-2 * log(uniform(2 * index))) * cos(two_pi * uniform(2 * index + 1));
}

static double signal_at(double t) {
  return sin(7 * t) + 0.5 * sin(5 * t);
}

/* Writes the piece of every rank into one file.  The box is that of an array of three dimensions,
 * of which a line has the last. */
static int write_line(const char *name, ptrdiff_t n, const pfft3d_box *mine, const double *x) {
  pfft3d_output_spec spec = {.name = name,
                             .path = "/signal",
                             .numbers = PFFT3D_REAL,
                             .precision = PFFT3D_DOUBLE,
                             .dims = 1,
                             .n = {1, 1, n},
                             .overwrite = 1};
  pfft3d_output *output = NULL;
  pfft3d_error error;
  int rank, status = pfft3d_output_create(MPI_COMM_WORLD, &spec, sizeof spec, &output, &error);
  if (!status) status = pfft3d_output_write(output, mine, x, &error);
  if (!status) status = pfft3d_output_commit(&output, &error);
  pfft3d_output_discard(&output); /* of a failure nothing stays behind */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (status && rank == 0) fprintf(stderr, "make_signal: %s\n", error.text);
  return status;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  long long n = argc == 4 ? atoll(argv[1]) : 0;
  if (n < 1) {
    if (rank == 0) fprintf(stderr, "usage: make_signal POINTS NOISY.h5 CLEAN.h5\n");
    MPI_Finalize();
    return PFFT3D_ERR_USAGE;
  }

  /* Neighbours are dealt out evenly: the first n mod ranks get one more. */
  pfft3d_box mine = {.len = {1, 1, n / ranks + (rank < n % ranks)}};
  mine.lo[2] = n / ranks * rank + (rank < n % ranks ? rank : n % ranks);
  double *clean = malloc((size_t)(mine.len[2] + 1) * sizeof *clean);
  double *noisy = malloc((size_t)(mine.len[2] + 1) * sizeof *noisy);
  if (!clean || !noisy) MPI_Abort(MPI_COMM_WORLD, PFFT3D_ERR_MEMORY);
  for (ptrdiff_t i = 0; i < mine.len[2]; i++) {
    ptrdiff_t j = mine.lo[2] + i;
    clean[i] = signal_at(two_pi * (double)j / (double)n);
    noisy[i] = clean[i] + gaussian((uint64_t)j);
  }
  int status = write_line(argv[2], n, &mine, noisy);
  if (!status) status = write_line(argv[3], n, &mine, clean);
  free(clean);
  free(noisy);
  MPI_Finalize();
  return status;
}
