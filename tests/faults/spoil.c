/* SPDX-License-Identifier: BSD-3-Clause
 * Makes the results of FFTW wrong, by LD_PRELOAD, a little and now and then, or with SPOIL=nan in
 * the environment no numbers: the checks of the program must see it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fftw3.h>
#include <math.h>
#include <stdlib.h>

enum { OFTEN = 7 }; /* every 7th call is spoilt */

void fftw_execute_dft(const fftw_plan plan, fftw_complex *in, fftw_complex *out) {
  static void (*real)(const fftw_plan, fftw_complex *, fftw_complex *);
  static int calls;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "fftw_execute_dft");
  real(plan, in, out);
  if (++calls % OFTEN == 0) out[0][0] += getenv("SPOIL") ? (double)NAN : 1e-3;
}
