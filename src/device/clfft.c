/* SPDX-License-Identifier: BSD-3-Clause
 * clFFT, loaded on request. */
#include "device/opencl.h" /* before clFFT.h: selects the version of OpenCL */

#include <clFFT.h>

#include "base/memory.h"
#include "device/library.h"
#include "device/load.h"

/* clang-format off */
#define FUNCTIONS(F) \
  F(clfftSetup) F(clfftCreateDefaultPlan) F(clfftSetPlanPrecision) F(clfftSetLayout) \
  F(clfftSetResultLocation) F(clfftSetPlanBatchSize) F(clfftSetPlanScale) F(clfftBakePlan) \
  F(clfftEnqueueTransform) F(clfftDestroyPlan) F(clfftTeardown)

static struct { FUNCTIONS(PF_MEMBER) } api;
/* clang-format on */

typedef struct clfft_lines {
  pf_opencl_device *device;
  clfftPlanHandle plan;
  clfftDirection direction;
} clfft_lines;

static int plans; /* plans of this process: clFFT is set up while there are any */

static int load(pfft3d_error *e) {
#define FILE_NAME "libclFFT.so." PF_VALUE_OF(clfftVersionMajor)
  static const char *const files[] = {FILE_NAME, NULL};
  static const pf_symbol symbols[] = {FUNCTIONS(PF_ENTRY)};
  clfftSetupData setup = {clfftVersionMajor, clfftVersionMinor, clfftVersionPatch, 0};
  const char *why = plans ? NULL : pf_load(files, symbols, sizeof symbols / sizeof *symbols);
  if (!why && !plans && api.clfftSetup(&setup) != CLFFT_SUCCESS) why = "clfftSetup() fails";
  if (why)
    return pf_fail(e, PFFT3D_ERR_UNAVAILABLE, "clFFT is not on this machine (" FILE_NAME "): %s",
                   why);
  plans++;
  return PFFT3D_OK;
}

static void unload(void) {
  if (--plans == 0) api.clfftTeardown();
}

static int plan(clfft_lines *c, const pf_library_spec *s) {
  size_t n[2] = {s->n, s->rows};
  pf_opencl_device *d = c->device;
  int code =
      (int)api.clfftCreateDefaultPlan(&c->plan, d->context, s->rows > 1 ? CLFFT_2D : CLFFT_1D, n);
  if (code) return code;
  clfftPrecision precision = s->precision == PFFT3D_SINGLE ? CLFFT_SINGLE : CLFFT_DOUBLE;
  api.clfftSetPlanPrecision(c->plan, precision);
  api.clfftSetLayout(c->plan, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED);
  api.clfftSetResultLocation(c->plan, CLFFT_INPLACE);
  api.clfftSetPlanBatchSize(c->plan, s->batch);
  api.clfftSetPlanScale(c->plan, CLFFT_BACKWARD, 1);
  code = (int)api.clfftBakePlan(c->plan, 1, &d->queue[PF_RUN], NULL, NULL);
  if (code) api.clfftDestroyPlan(&c->plan);
  return code;
}

static void *make(pf_device *d, const pf_library_spec *s, pfft3d_error *e) {
  if (load(e)) return NULL;
  clfft_lines *c = pf_alloc(sizeof *c);
  if (!c) {
    pf_note(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
    unload();
    return NULL;
  }
  *c = (clfft_lines){.device = pf_opencl_of(d),
                     .direction = s->sign < 0 ? CLFFT_FORWARD : CLFFT_BACKWARD};
  int code = plan(c, s);
  if (!code) return c;
  pf_free(c);
  unload();
  int memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
  pf_note(e, memory ? PFFT3D_ERR_MEMORY : PFFT3D_ERR_UNAVAILABLE,
          "device '%s': clFFT makes no plan for %zu points: error %d", d->facts.name, s->n, code);
  return NULL;
}

static void run(void *lines, const pf_device_memory *m) {
  clfft_lines *c = lines;
  cl_mem buffer = m->handle;
  if (c->device->base.fault) return;
  int code = (int)api.clfftEnqueueTransform(c->plan, c->direction, 1, &c->device->queue[PF_RUN], 0,
                                            NULL, NULL, &buffer, NULL, NULL);
  pf_driver_note(&c->device->base, code, "a kernel of clFFT");
}

static void drop(void *lines) {
  clfft_lines *c = lines;
  api.clfftDestroyPlan(&c->plan);
  pf_free(c);
  unload();
}

const pf_library pf_library_clfft = {.make = make, .run = run, .drop = drop};
