/* SPDX-License-Identifier: BSD-3-Clause
 * Makes results wrong, by LD_PRELOAD: those of FFTW a little and now and then, or with SPOIL=nan in
 * the environment no numbers: the checks of the program must see it.  With SPOIL=backward those of
 * pfft3d_execute() backward, in the shared library: the first number of the last rank is none,
 * which a maximum over the others, or over ranks, may hide. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fftw3.h>
#include <math.h>
#include <pfft3d.h>
#include <stdlib.h>
#include <string.h>

enum { OFTEN = 7 }; /* every 7th call is spoilt */

void fftw_execute_dft(const fftw_plan plan, fftw_complex *in, fftw_complex *out) {
  static void (*real)(const fftw_plan, fftw_complex *, fftw_complex *);
  static int calls;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "fftw_execute_dft");
  real(plan, in, out);
  if (++calls % OFTEN == 0) out[0][0] += getenv("SPOIL") ? (double)NAN : 1e-3;
}

int pfft3d_execute(pfft3d_plan *plan, pfft3d_direction direction, const void *in, void *out) {
  int (*real)(pfft3d_plan *, pfft3d_direction, const void *, void *);
  const char *how = getenv("SPOIL");
  int rank, ranks;
  *(void **)&real = dlsym(RTLD_NEXT, "pfft3d_execute");
  int status = real(plan, direction, in, out);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (direction == PFFT3D_BACKWARD && rank == ranks - 1 && how && strcmp(how, "backward") == 0)
    *(double *)out = (double)NAN;
  return status;
}
