/* SPDX-License-Identifier: BSD-3-Clause
 * Devices of CUDA, by the functions of its driver alone: libcuda is loaded when devices are
 * requested, so that programs start without it.  The kernels were compiled by nvcc, and are linked
 * in.  Everything is in the default stream, which runs in order. */
#include "device/cuda.h"

#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/load.h"

/* clang-format off */
#define FUNCTIONS(F) \
  F(cuInit) F(cuDeviceGetCount) F(cuDeviceGet) F(cuDeviceGetName) F(cuDeviceTotalMem) \
  F(cuDeviceGetAttribute) F(cuDriverGetVersion) F(cuDevicePrimaryCtxRetain) F(cuCtxSetCurrent) \
  F(cuCtxSynchronize) F(cuMemAlloc) F(cuMemFree) F(cuMemAllocHost) F(cuMemFreeHost) \
  F(cuMemcpyHtoD) F(cuMemcpyDtoH) F(cuModuleLoadData) F(cuModuleGetFunction) F(cuLaunchKernel) \
  F(cuGetErrorName)

static struct { FUNCTIONS(PF_MEMBER) } api;
/* clang-format on */

typedef struct cuda_module {
  const pf_device_text *text;
  int version;
  CUmodule module;
} cuda_module;

enum { MODULES = 16, ARGUMENTS = 16 };

typedef struct cuda_device {
  pf_device base;
  CUdevice id;
  CUcontext context;
  cuda_module module[MODULES];
  int modules;
} cuda_device;

static cuda_device devices[PF_DEVICES];
static char none[400];

static cuda_device *of(pf_device *d) {
  return (cuda_device *)d;
}

/* ---- errors ---- */

static const char *name_of(int code) {
  const char *name = NULL;
  api.cuGetErrorName((CUresult)code, &name);
  return name ? name : "error";
}

static int is_memory(int code) {
  return code == CUDA_ERROR_OUT_OF_MEMORY;
}

/* ---- finding and opening ---- */

static int attribute(CUdevice id, CUdevice_attribute key) {
  int value = 0;
  api.cuDeviceGetAttribute(&value, key, id);
  return value;
}

static void read_facts(pf_device_facts *f, CUdevice id) {
  int version = 0;
  size_t memory = 0;
  api.cuDriverGetVersion(&version);
  api.cuDeviceGetName(f->name, (int)sizeof f->name, id);
  api.cuDeviceTotalMem(&memory, id);
  snprintf(f->driver, sizeof f->driver, "CUDA %d.%d, compute capability %d.%d", version / 1000,
           version % 1000 / 10, attribute(id, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
           attribute(id, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  f->kind = "gpu";
  f->memory = f->largest = (double)memory;
  f->fp64 = 1;
  f->units = attribute(id, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
}

static int find(pf_device **list) {
  static const char *const files[] = {"libcuda.so.1", NULL};
  static const pf_symbol symbols[] = {FUNCTIONS(PF_ENTRY)};
  const char *why = pf_load(files, symbols, sizeof symbols / sizeof *symbols);
  int there = 0, count = 0;
  if (why) {
    snprintf(none, sizeof none, "CUDA's driver is not on this machine: %s", why);
    return 0;
  }
  int code = api.cuInit(0);
  if (!code) code = api.cuDeviceGetCount(&there);
  for (int k = 0; k < there && count < PF_DEVICES; k++) {
    cuda_device *d = &devices[count];
    if (api.cuDeviceGet(&d->id, k)) continue;
    read_facts(&d->base.facts, d->id);
    list[count++] = &d->base;
  }
  snprintf(none, sizeof none, "CUDA's driver finds none: %s", code ? name_of(code) : "no GPU");
  return count;
}

int pf_cuda_enter(pf_device *d) {
  return (int)api.cuCtxSetCurrent(of(d)->context);
}

/* The primary context, which cuFFT also uses. */
static int open_device(pf_device *d, pfft3d_error *e) {
  int code = api.cuDevicePrimaryCtxRetain(&of(d)->context, of(d)->id);
  return code ? pf_driver_fail(d, code, "cuDevicePrimaryCtxRetain", e) : PFFT3D_OK;
}

/* ---- memory ---- */

static CUdeviceptr address(const pf_device_memory *m) {
  return (CUdeviceptr)(uintptr_t)m->handle;
}

static int take(pf_device_memory *m, int pinned) {
  CUdeviceptr got = 0;
  int code = pf_cuda_enter(m->device);
  if (code) return code;
  if (pinned) {
    code = api.cuMemAllocHost(&m->host, m->bytes);
    m->handle = m->host;
    return code;
  }
  code = api.cuMemAlloc(&got, m->bytes);
  m->handle = (void *)(uintptr_t)got;
  return code;
}

static void drop(pf_device_memory *m) {
  if (pf_cuda_enter(m->device)) return;
  if (m->host)
    api.cuMemFreeHost(m->host);
  else
    api.cuMemFree(address(m));
}

static void copy_up(const pf_device_memory *to, const void *from, size_t bytes,
                    const pf_device_event *after, pf_device_event *done) {
  (void)after, (void)done;
  int code = pf_cuda_enter(to->device);
  if (!code) code = api.cuMemcpyHtoD(address(to), from, bytes);
  pf_driver_note(to->device, code, "a copy to it");
}

static void copy_down(void *to, const pf_device_memory *from, size_t bytes,
                      const pf_device_event *after, pf_device_event *done) {
  (void)after, (void)done;
  int code = pf_cuda_enter(from->device);
  if (!code) code = api.cuMemcpyDtoH(to, address(from), bytes);
  pf_driver_note(from->device, code, "a copy from it");
}

static void finish(pf_device *d) {
  int code = pf_cuda_enter(d);
  if (!code) code = api.cuCtxSynchronize();
  pf_driver_note(d, code, "waiting for it");
}

/* ---- kernels ---- */

static int load(cuda_device *d, const pf_device_text *text, int version, const char *name,
                CUmodule *module, pfft3d_error *e) {
  for (int k = 0; k < d->modules; k++)
    if (d->module[k].text == text && d->module[k].version == version) {
      *module = d->module[k].module;
      return PFFT3D_OK;
    }
  PF_CHECK(d->modules < MODULES, e, PFFT3D_ERR_INTERNAL, "more than %d programs", MODULES);
  int code = api.cuModuleLoadData(module, text->cuda[version]);
  if (code) return pf_driver_build_failed(&d->base, code, name, "", e);
  d->module[d->modules++] = (cuda_module){text, version, *module};
  return PFFT3D_OK;
}

static int kernel_make(pf_device *d, const pf_device_text *text, int version, const char *name,
                       pf_device_kernel *kernel, pfft3d_error *e) {
  CUmodule module;
  CUfunction function;
  int code = pf_cuda_enter(d);
  if (code) return pf_driver_fail(d, code, "cuCtxSetCurrent", e);
  PF_TRY(load(of(d), text, version, name, &module, e));
  code = api.cuModuleGetFunction(&function, module, name);
  if (code) return pf_driver_fail(d, code, "cuModuleGetFunction", e);
  kernel->handle = (void *)function;
  return PFFT3D_OK;
}

static void kernel_drop(pf_device_kernel *kernel) {
  (void)kernel; /* it belongs to its module */
}

static void launch(const pf_device_kernel *kernel, const pf_device_argument *arguments, int count,
                   size_t items, size_t group) {
  CUdeviceptr memory[ARGUMENTS];
  void *at[ARGUMENTS];
  for (int k = 0; k < count; k++) {
    const pf_device_argument *a = &arguments[k];
    if (a->memory) memory[k] = address(a->memory);
    at[k] = a->memory ? (void *)&memory[k] : (void *)(uintptr_t)a->value;
  }
  int code = pf_cuda_enter(kernel->device);
  if (!code)
    code = api.cuLaunchKernel((CUfunction)kernel->handle, (unsigned)(items / group), 1, 1,
                              (unsigned)group, 1, 1, 0, NULL, at, NULL);
  pf_driver_note(kernel->device, code, "a kernel");
}

const pf_driver pf_driver_cuda = {.none = none,
                                  .find = find,
                                  .error = name_of,
                                  .is_memory = is_memory,
                                  .open = open_device,
                                  .take = take,
                                  .drop = drop,
                                  .write = copy_up,
                                  .read = copy_down,
                                  .finish = finish,
                                  .kernel_make = kernel_make,
                                  .kernel_drop = kernel_drop,
                                  .launch = launch};
