/* SPDX-License-Identifier: BSD-3-Clause
 * The transform that others are compared with; see reference.h. */
#include "reference.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifdef PF_HAVE_FFTW_LONG
#include <fftw3.h>
#endif

void reference_lines(wide *x, ptrdiff_t n, ptrdiff_t along, ptrdiff_t lines, ptrdiff_t across,
                     int sign) {
#ifdef PF_HAVE_FFTW_LONG
  enum { WORTH = 30000 }; /* products; a plan takes as long */
  int length = (int)n;
  fftwl_complex *at = (fftwl_complex *)x;
  fftwl_plan plan = NULL;
  if (n * n * lines > WORTH)
    plan = fftwl_plan_many_dft(1, &length, (int)lines, at, NULL, (int)along, (int)across, at, NULL,
                               (int)along, (int)across, sign, FFTW_ESTIMATE);
  if (plan) {
    fftwl_execute(plan);
    fftwl_destroy_plan(plan);
    return;
  }
#endif
  dft_lines(x, n, along, lines, across, sign);
}

void reference_field(wide *x, const ptrdiff_t n[3], int sign) {
#ifdef PF_HAVE_FFTW_LONG
  int dims[3] = {(int)n[0], (int)n[1], (int)n[2]};
  fftwl_complex *at = (fftwl_complex *)x;
  fftwl_plan plan = fftwl_plan_dft(3, dims, at, at, sign, FFTW_ESTIMATE);
  if (!plan) {
    fprintf(stderr, "FFTW has no plan for %tdx%tdx%td\n", n[0], n[1], n[2]);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  fftwl_execute(plan);
  fftwl_destroy_plan(plan);
#else
  dft_field(x, n, sign);
#endif
}
