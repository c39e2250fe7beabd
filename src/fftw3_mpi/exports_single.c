/* SPDX-License-Identifier: BSD-3-Clause
 * FFTW's functions in single precision. */
#define REAL         float
#define PRECISION    PFFT3D_SINGLE
#define FFTW(name)   fftwf_##name
#define LEGACY(name) sfftw_##name##_

#include "fftw3_mpi/exports.h"
