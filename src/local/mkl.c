/* SPDX-License-Identifier: BSD-3-Clause
 * Engine mkl: oneMKL's DFTI on a cache-resident tile.
 *
 * A descriptor is for one length, direction of the lines and precision; it chooses its code without
 * measuring and holds no data, so threads share it.  In double precision oneMKL's code for AVX-512
 * has errors of up to 37 times the limit that engines keep (tests/lib/oracle.c) if a prime factor
 * exceeds 13, unless the length is itself prime: such lengths are refused, on all processors, so
 * that ranks agree.
 * Source: Intel, "Developer Reference for oneMKL for C", FFT functions. */
#include <limits.h>
#include <mkl_dfti.h>

#include "local/engine.h"
#include "local/simd.h"

enum { longest = INT_MAX / 64 };

static int supports(ptrdiff_t n, pfft3d_precision precision) {
  static const ptrdiff_t exact[] = {2, 3, 5, 7, 11, 13};
  ptrdiff_t rest = n;
  if (n > longest) return 0;
  if (precision == PFFT3D_SINGLE || pf_is_prime(n)) return 1;
  for (size_t k = 0; k < sizeof exact / sizeof *exact; k++)
    while (rest % exact[k] == 0) rest /= exact[k];
  return rest == 1;
}

static int always(ptrdiff_t n) {
  (void)n;
  return 1;
}

static void destroy(pf_fft *f) {
  DFTI_DESCRIPTOR_HANDLE handle = f->state;
  DftiFreeDescriptor(&handle);
}

/* Sets the lines of a tile and commits. */
static MKL_LONG commit(const pf_fft *f, DFTI_DESCRIPTOR_HANDLE handle) {
  const pf_tile_shape s = pf_tile_shape_of(f);
  MKL_LONG stride[2] = {0, s.along}, status;
  status = DftiSetValue(handle, DFTI_NUMBER_OF_TRANSFORMS, (MKL_LONG)f->width);
  if (!status) status = DftiSetValue(handle, DFTI_FWD_STRIDES, stride);
  if (!status) status = DftiSetValue(handle, DFTI_BWD_STRIDES, stride);
  if (!status) status = DftiSetValue(handle, DFTI_FWD_DISTANCE, (MKL_LONG)s.across);
  if (!status) status = DftiSetValue(handle, DFTI_BWD_DISTANCE, (MKL_LONG)s.across);
  if (!status) status = DftiSetValue(handle, DFTI_THREAD_LIMIT, (MKL_LONG)1);
  return status ? status : DftiCommitDescriptor(handle);
}

static int plan(pf_fft *f, int estimate, pfft3d_error *e) {
  DFTI_DESCRIPTOR_HANDLE handle = NULL;
  (void)estimate;
  f->bytes = pf_tile_shape_of(f).bytes;
  MKL_LONG status = f->precision == PFFT3D_DOUBLE
                        ? DftiCreateDescriptor_d_1d(&handle, DFTI_COMPLEX, (MKL_LONG)f->n)
                        : DftiCreateDescriptor_s_1d(&handle, DFTI_COMPLEX, (MKL_LONG)f->n);
  if (!status) status = commit(f, handle);
  f->state = handle;
  if (!status) return PFFT3D_OK;
  if (handle) destroy(f);
  f->state = NULL;
  return pf_fail(
      e, DftiErrorClass(status, DFTI_MEMORY_ERROR) ? PFFT3D_ERR_MEMORY : PFFT3D_ERR_UNAVAILABLE,
      "oneMKL made no plan for %td points: %s", f->n, DftiErrorMessage(status));
}

/* A committed descriptor that fits its data does not fail. */
static void run(const pf_fft *f, void *tile, const pf_job *job) {
  pf_tile_read(f, tile, job);
  if (f->sign < 0)
    DftiComputeForward(f->state, tile);
  else
    DftiComputeBackward(f->state, tile);
  pf_tile_write(f, tile, job);
}

const pf_engine pf_engine_mkl = {.name = "mkl",
                                 .summary = "oneMKL on cache-resident tiles",
                                 .lengths = "primes and products of primes up to 13, up to",
                                 .longest = longest,
                                 .supports = supports,
                                 .width = pf_tile_width,
                                 .weighs = always,
                                 .skips = always,
                                 .plan = plan,
                                 .run = run,
                                 .destroy = destroy};
