/* SPDX-License-Identifier: BSD-3-Clause
 * cuFFT, loaded on request: it is some 100 MB. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <cuda.h>
#include <cufft.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda.h"
#include "device/library.h"
#include "device/load.h"

/* clang-format off */
#define FUNCTIONS(F) \
  F(cufftPlanMany) F(cufftExecC2C) F(cufftExecZ2Z) F(cufftDestroy)

static struct { FUNCTIONS(PF_MEMBER) } api;
/* clang-format on */

typedef struct cufft_lines {
  pf_device *device;
  cufftHandle plan;
  pfft3d_precision precision;
  int direction;
} cufft_lines;

/* The version of the header, from the system's path or from the folder that configure found. */
static int load(pfft3d_error *e) {
#define FILE_NAME "libcufft.so." PF_VALUE_OF(CUFFT_VER_MAJOR)
  static const char *const files[] = {FILE_NAME, PF_CUDA_LIBRARIES "/" FILE_NAME, NULL};
  static const pf_symbol symbols[] = {FUNCTIONS(PF_ENTRY)};
  static int loaded;
  if (loaded) return PFFT3D_OK;
  const char *why = pf_load(files, symbols, sizeof symbols / sizeof *symbols);
  if (why)
    return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "cuFFT is not on this machine (" FILE_NAME "): %s",
                   why);
  loaded = 1;
  return PFFT3D_OK;
}

static int plan(cufft_lines *c, const pf_library_spec *s, pfft3d_error *e) {
  int n[2] = {(int)s->rows, (int)s->n};
  cufftType type = s->precision == PFFT3D_SINGLE ? CUFFT_C2C : CUFFT_Z2Z;
  PF_CHECK(s->n <= INT32_MAX / s->rows / s->batch, e, PFFT3D_ERR_UNAVAILABLE,
           "cuFFT: %zu points are too many for its int", s->n * s->rows * s->batch);
  int code = pf_cuda_enter(c->device);
  if (code) return pf_driver_fail(c->device, code, "cuCtxSetCurrent", e);
  int is_matrix = s->rows > 1;
  cufftResult result = api.cufftPlanMany(&c->plan, 1 + is_matrix, n + !is_matrix, NULL, 1, 0, NULL,
                                         1, 0, type, (int)s->batch);
  if (result == CUFFT_ALLOC_FAILED)
    return pf_fail(e, PFFT3D_ERR_MEMORY, "device '%s': no memory for a plan of cuFFT",
                   pf_device_about(c->device)->name);
  PF_CHECK(result == CUFFT_SUCCESS, e, PFFT3D_ERR_UNAVAILABLE,
           "device '%s': cuFFT makes no plan for %zu points: error %d",
           pf_device_about(c->device)->name, s->n, (int)result);
  return PFFT3D_OK;
}

static void *make(pf_device *d, const pf_library_spec *s, pfft3d_error *e) {
  if (load(e)) return NULL;
  cufft_lines *c = pf_alloc(sizeof *c);
  if (!c) {
    pf_note(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
    return NULL;
  }
  *c = (cufft_lines){.device = d,
                     .precision = s->precision,
                     .direction = s->sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE};
  if (!plan(c, s, e)) return c;
  pf_free(c);
  return NULL;
}

static void run(void *lines, const pf_device_memory *m) {
  cufft_lines *c = lines;
  if (c->device->fault) return;
  int code = pf_cuda_enter(c->device);
  pf_driver_note(c->device, code, "cuCtxSetCurrent");
  if (code) return;
  cufftResult result = c->precision == PFFT3D_SINGLE
                           ? api.cufftExecC2C(c->plan, m->handle, m->handle, c->direction)
                           : api.cufftExecZ2Z(c->plan, m->handle, m->handle, c->direction);
  if (result != CUFFT_SUCCESS) pf_driver_note(c->device, CUDA_ERROR_UNKNOWN, "a kernel of cuFFT");
}

static void drop(void *lines) {
  cufft_lines *c = lines;
  if (!pf_cuda_enter(c->device)) api.cufftDestroy(c->plan);
  pf_free(c);
}

const pf_library pf_library_cufft = {.make = make, .run = run, .drop = drop};
