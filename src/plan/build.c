/* SPDX-License-Identifier: BSD-3-Clause
 * What the library tells about itself: version, build, names of the statuses. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <string.h>

#include "local/simd.h"
#include "pfft3d_tune.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif
#ifndef PF_COMPILER
#define PF_COMPILER "unknown"
#endif
#ifndef PF_CFLAGS
#define PF_CFLAGS "unknown"
#endif

#ifndef PF_HDF5_VERSION /* the version of libpfft3d_hdf5 */
#define PF_HDF5_VERSION "no"
#endif

#if defined(__x86_64__)
#define ISA_TEXT "x86-64"
#elif defined(__aarch64__)
#define ISA_TEXT "aarch64"
#else
#define ISA_TEXT "other"
#endif

#ifdef PF_HAVE_FFTW
#include <fftw3.h>
#define FFTW_TEXT fftw_version
#else
#define FFTW_TEXT "no"
#endif
#ifdef PF_HAVE_MKL
#include <mkl_version.h>
#endif

/* The version that this was compiled with; the one at run time may differ. */
#define TEXT_OF(x)  #x
#define VALUE_OF(x) TEXT_OF(x)
#if defined(OPEN_MPI)
#define MPI_TEXT                                                                          \
  "Open MPI " VALUE_OF(OMPI_MAJOR_VERSION) "." VALUE_OF(OMPI_MINOR_VERSION) "." VALUE_OF( \
      OMPI_RELEASE_VERSION)
#elif defined(MPICH_VERSION)
#define MPI_TEXT "MPICH " MPICH_VERSION
#elif defined MPI_ABI_VERSION && MPI_ABI_VERSION > 0
#define MPI_TEXT "the ABI of MPI " VALUE_OF(MPI_VERSION) "." VALUE_OF(MPI_SUBVERSION)
#else
#define MPI_TEXT "MPI " VALUE_OF(MPI_VERSION) "." VALUE_OF(MPI_SUBVERSION)
#endif

#ifdef PF_HAVE_MKL
#define MKL_TEXT "oneMKL " VALUE_OF(__INTEL_MKL__) "." VALUE_OF(__INTEL_MKL_UPDATE__)
#else
#define MKL_TEXT "no"
#endif

#ifdef PF_HAVE_OPENMP
#define OPENMP_TEXT "yes"
#else
#define OPENMP_TEXT "no"
#endif

#if defined(PF_HAVE_VKFFT)
#define OPENCL_TEXT "yes, with VkFFT"
#elif defined(PF_HAVE_OPENCL)
#define OPENCL_TEXT "yes, without VkFFT"
#else
#define OPENCL_TEXT "no"
#endif

#ifdef PF_HAVE_CUDA
#define CUDA_TEXT "kernels; the driver and cuFFT are opened where they are"
#else
#define CUDA_TEXT "no"
#endif
#ifdef PF_HAVE_OPENGL
#define OPENGL_TEXT "kernels; EGL is opened where it is"
#else
#define OPENGL_TEXT "no"
#endif

const char *pfft3d_version(void) {
  return PACKAGE_VERSION;
}

static const struct {
  const char *key, *text;
} facts[] = {
    {"mpi", MPI_TEXT},       {"fftw", FFTW_TEXT},       {"hdf5", PF_HDF5_VERSION},
    {"openmp", OPENMP_TEXT}, {"opencl", OPENCL_TEXT},   {"cuda", CUDA_TEXT},
    {"opengl", OPENGL_TEXT}, {"compiler", PF_COMPILER}, {"flags", PF_CFLAGS},
    {"isa", ISA_TEXT},       {"mkl", MKL_TEXT},
};

const char *pfft3d_build(const char *key) {
  if (!key) return NULL;
  for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
    if (!strcmp(key, facts[k].key)) return facts[k].text;
  return strcmp(key, "simd") ? NULL : pf_simd_isa_of(PFFT3D_DOUBLE)->name;
}

const char *pfft3d_status_name(int status) {
  switch (status) {
    case PFFT3D_OK: return "success";
    case PFFT3D_ERR_USAGE: return "usage";
    case PFFT3D_ERR_DATA: return "data not acceptable";
    case PFFT3D_ERR_NOINPUT: return "input cannot be opened";
    case PFFT3D_ERR_UNAVAILABLE: return "not available here";
    case PFFT3D_ERR_INTERNAL: return "internal error";
    case PFFT3D_ERR_MEMORY: return "out of memory";
    case PFFT3D_ERR_OUTPUT: return "output cannot be created";
    case PFFT3D_ERR_IO: return "I/O error";
    case PFFT3D_ERR_SIGNAL: return "stopped by a signal";
    case PFFT3D_ERR_CHECK: return "a check failed";
    case PFFT3D_ERR_PERMISSION: return "not permitted";
    case PFFT3D_ERR_WISDOM: return "wisdom unusable";
    case PFFT3D_ERR_WATCHDOG: return "no progress";
    default: return "unknown status";
  }
}
