/* SPDX-License-Identifier: BSD-3-Clause
 * FFTW's functions in double precision. */
#define REAL         double
#define PRECISION    PFFT3D_DOUBLE
#define FFTW(name)   fftw_##name
#define LEGACY(name) dfftw_##name##_

#include "fftw3_mpi/exports.h"
