/* SPDX-License-Identifier: BSD-3-Clause
 * A driver of CUDA (libcuda.so.1) whose device is the processor: what pfft3d calls of it, for the
 * kernels of fft.cl, in one precision.  So the calls are tested where there is no GPU: what they
 * are given, in which order, and what is said when they fail, as PFFT3D_TEST_DEVICE has it: none
 * there is no device full     it has no memory build    it takes no kernels lost:N   its Nth
 * kernel, and all later ones, fail The code that nvcc makes runs on a GPU only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the kernels: fft.cl as C ---- */

typedef struct float2 {
  float x, y;
} float2;
typedef struct double2 {
  double x, y;
} double2;
static size_t item;
#define __kernel static
#define __global
#define get_global_id(k) item
#define PF_SHORT
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
static inline double cospi(double x) {
  return cos(M_PI * x);
}
static inline double sinpi(double x) {
  return sin(M_PI * x);
}
#include "../../src/kernels/fft.cl"

typedef void kernel(const number *x, number *y, const number *roots, count items, int bits,
                    int done, int inner, int sign);
static const struct named {
  const char *name;
  kernel *run;
} kernels[] = {{"bit_reversal", bit_reversal}, {"radix2", radix2},
               {"stockham2", stockham2},       {"stockham4", stockham4},
               {"multistage2", multistage2},   {"multistage4", multistage4},
               {"multistage8", multistage8}};

/* ---- the driver ---- */

enum {
  NO_MEMORY = 2,
  NO_DEVICE = 100,
  NO_CONTEXT = 201,
  NO_IMAGE = 209,
  NOT_FOUND = 500,
  FAILED = 719
};
enum { MEMORY = 1 << 28 };
static int context; /* current: 1 */

static const char *sickness(const char *name) {
  const char *is = getenv("PFFT3D_TEST_DEVICE");
  size_t length = strlen(name);
  return is && !strncmp(is, name, length) ? is + length : NULL;
}

int cuInit(unsigned flags) {
  (void)flags;
  return sickness("none") ? NO_DEVICE : 0;
}
int cuDeviceGetCount(int *there) {
  *there = 1;
  return 0;
}
int cuDeviceGet(int *device, int index) {
  *device = index;
  return 0;
}
int cuDeviceGetName(char *name, int size, int device) {
  (void)device;
  snprintf(name, (size_t)size, "processor as CUDA");
  return 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  (void)device;
  *bytes = MEMORY;
  return 0;
}
int cuDeviceGetAttribute(int *value, int key, int device) {
  (void)key, (void)device;
  *value = 9;
  return 0;
}
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **made, int device) {
  (void)device;
  *made = &context;
  return 0;
}
int cuCtxSetCurrent(void *wanted) {
  context = wanted == &context;
  return context ? 0 : NO_CONTEXT;
}
int cuCtxSynchronize(void) {
  return context ? 0 : NO_CONTEXT;
}
int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  void *got = sickness("full") ? NULL : malloc(bytes);
  *address = (unsigned long long)(size_t)got;
  return !context ? NO_CONTEXT : got ? 0 : NO_MEMORY;
}
int cuMemFree_v2(unsigned long long address) {
  free((void *)(size_t)address);
  return 0;
}
int cuMemAllocHost_v2(void **address, size_t bytes) {
  *address = malloc(bytes);
  return *address ? 0 : NO_MEMORY;
}
int cuMemFreeHost(void *address) {
  free(address);
  return 0;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
  memcpy((void *)(size_t)to, from, bytes);
  return context ? 0 : NO_CONTEXT;
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
  memcpy(to, (void *)(size_t)from, bytes);
  return context ? 0 : NO_CONTEXT;
}

/* What nvcc makes begins with this number. */
int cuModuleLoadData(void **module, const void *image) {
  unsigned magic;
  memcpy(&magic, image, sizeof magic);
  *module = &context;
  return sickness("build") || magic != 0xba55ed50u ? NO_IMAGE : 0;
}
int cuModuleGetFunction(const void **function, void *module, const char *name) {
  (void)module;
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    if (!strcmp(kernels[k].name, name)) {
      *function = &kernels[k];
      return 0;
    }
  return NOT_FOUND;
}
int cuLaunchKernel(const void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                   unsigned by, unsigned bz, unsigned shared, void *stream, void **a,
                   void **extra) {
  static int calls;
  const struct named *k = function;
  const char *at = sickness("lost:");
  if (at && ++calls >= atoi(at)) return FAILED;
  if (!context || gy != 1 || gz != 1 || by != 1 || bz != 1 || shared || stream || extra) return 1;
  for (item = 0; item < (size_t)gx * bx; item++)
    k->run(*(number **)a[0], *(number **)a[1], *(number **)a[2], *(count *)a[3], *(int *)a[4],
           *(int *)a[5], *(int *)a[6], *(int *)a[7]);
  return 0;
}
int cuGetErrorName(int code, const char **name) {
  *name = code == NO_DEVICE   ? "CUDA_ERROR_NO_DEVICE"
          : code == NO_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == NO_IMAGE  ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : code == FAILED    ? "CUDA_ERROR_LAUNCH_FAILED"
                              : "CUDA_ERROR";
  return 0;
}
