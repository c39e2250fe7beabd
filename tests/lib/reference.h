/* SPDX-License-Identifier: BSD-3-Clause
 * The reference transform, in long double: by serial FFTW, or by the definition if FFTW in long
 * double is not available.  test_oracle compares both. */
#ifndef PF_TESTS_REFERENCE_H
#define PF_TESTS_REFERENCE_H

#include "support.h"

/* Local. The 3D DFT of a whole field in C order, in place. */
void reference_field(wide *x, const ptrdiff_t n[3], int sign);

/* Local. The DFTs of some lines; arguments as of dft_lines(). */
void reference_lines(wide *x, ptrdiff_t n, ptrdiff_t along, ptrdiff_t lines, ptrdiff_t across,
                     int sign);

#endif
