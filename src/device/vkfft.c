/* SPDX-License-Identifier: BSD-3-Clause
 * VkFFT, a header of 30000 lines, included by this file alone.
 * Source: Tolmachev, VkFFT, IEEE Access 11, 2023. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "device/vkfft.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/memory.h"
#include "device/library.h"
#include "device/opencl.h"

#ifdef PF_HAVE_VKFFT

/* VkFFT plans by the properties of a device.  A processor has much more local memory than a GPU,
 * and the kernels that VkFFT then generates need more stack than PoCL's threads have: for VkFFT,
 * processors report a GPU's properties. */
static cl_int modest_facts(cl_device_id id, cl_device_info key, size_t bytes, void *value,
                           size_t *used) {
  enum { LOCAL = 48 << 10, ITEMS = 1024 };
  cl_int code = clGetDeviceInfo(id, key, bytes, value, used);
  cl_device_type type = 0;
  if (code != CL_SUCCESS || !value) return code;
  clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  if (!(type & CL_DEVICE_TYPE_CPU)) return code;
  if (key == CL_DEVICE_LOCAL_MEM_SIZE && *(cl_ulong *)value > LOCAL) *(cl_ulong *)value = LOCAL;
  if (key == CL_DEVICE_MAX_WORK_GROUP_SIZE && *(size_t *)value > ITEMS) *(size_t *)value = ITEMS;
  if (key == CL_DEVICE_MAX_WORK_ITEM_SIZES)
    for (size_t k = 0; k < bytes / sizeof(size_t); k++)
      if (((size_t *)value)[k] > ITEMS) ((size_t *)value)[k] = ITEMS;
  return code;
}

/* VkFFT up to 1.3.3 writes its kernels in the locale "C", which it would set for the whole
 * process. */
__attribute__((unused)) static char *no_locale(int category, const char *name) {
  (void)category, (void)name;
  return NULL;
}

/* VkFFT prints kernels that do not compile. */
static int no_words(const char *format, ...) {
  (void)format;
  return 0;
}

#undef printf /* a macro of some C libraries */
#define printf          no_words
#define clGetDeviceInfo modest_facts
#define setlocale       no_locale
#define VKFFT_BACKEND   3
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <vkFFT.h>
#pragma GCC diagnostic pop
#undef clGetDeviceInfo
#undef setlocale
#undef printf

struct pf_vkfft {
  pf_opencl_device *device;
  VkFFTApplication app;
  int inverse;
  uint64_t bytes;
};

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

int pf_vkfft_is_there(void) {
  return 1;
}

static VkFFTConfiguration describe(pf_vkfft *v, const pf_vkfft_spec *s) {
  size_t number = s->precision == PFFT3D_DOUBLE ? 2 * sizeof(double) : 2 * sizeof(float);
  v->bytes = s->rows * s->columns * s->matrices * number;
  VkFFTConfiguration c = {.FFTdim = 1,
                          .size = {s->n, 1, 1},
                          .device = &v->device->id,
                          .context = &v->device->context,
                          .bufferSize = &v->bytes,
                          .numberBatches = s->rows * s->matrices,
                          .doublePrecision = s->precision == PFFT3D_DOUBLE,
                          .performR2C = (uint64_t)s->real,
                          .disableMergeSequencesR2C = 1}; /* rounding errors of a line stay in it */
  c.makeForwardPlanOnly = !v->inverse;
  c.makeInversePlanOnly = (uint64_t)v->inverse;
  if (!s->strided) return c;
  c.FFTdim = 2;
  c.size[0] = s->columns;
  c.size[1] = s->n;
  c.omitDimension[0] = 1;
  c.numberBatches = s->matrices;
  return c;
}

pf_vkfft *pf_vkfft_make(pf_device *d, const pf_vkfft_spec *s, pfft3d_error *e) {
  pf_vkfft *v = pf_alloc(sizeof *v);
  if (!v) {
    pf_note(e, PFFT3D_ERR_MEMORY, "no memory for a plan of %zu points", s->n);
    return NULL;
  }
  v->device = pf_opencl_of(d);
  v->inverse = s->sign > 0;
  pf_locale l = pf_locale_plain();
  pthread_mutex_lock(&planner);
  VkFFTResult result = initializeVkFFT(&v->app, describe(v, s));
  pthread_mutex_unlock(&planner);
  pf_locale_restore(&l);
  if (result == VKFFT_SUCCESS) return v;
  int memory = result == VKFFT_ERROR_FAILED_TO_ALLOCATE || result == VKFFT_ERROR_MALLOC_FAILED;
  pf_note(e, memory ? PFFT3D_ERR_MEMORY : PFFT3D_ERR_UNAVAILABLE,
          "device '%s': VkFFT makes no plan for %zu points: error %d", d->facts.name, s->n,
          (int)result);
  pf_free(v); /* VkFFT has freed its memory */
  return NULL;
}

void pf_vkfft_free(pf_vkfft *v) {
  if (!v) return;
  deleteVkFFT(&v->app);
  pf_free(v);
}

void pf_vkfft_run(pf_vkfft *v, const pf_device_memory *m) {
  cl_mem buffer = m->handle;
  pf_opencl_device *d = v->device;
  VkFFTLaunchParams launch = {.commandQueue = &d->queue[PF_RUN], .buffer = &buffer};
  if (d->base.fault) return;
  VkFFTResult result = VkFFTAppend(&v->app, v->inverse ? 1 : -1, &launch);
  if (result != VKFFT_SUCCESS) pf_driver_note(&d->base, CL_OUT_OF_RESOURCES, "a kernel of VkFFT");
}

/* ---- to compare with ---- */

typedef struct both_ways {
  pf_vkfft *way[2];
} both_ways;

static void free_lines(void *plan) {
  both_ways *b = plan;
  for (int k = 0; k < 2; k++) pf_vkfft_free(b->way[k]);
  pf_free(b);
}

static void *make_lines(pf_device *d, const pf_library_spec *l, pfft3d_error *e) {
  both_ways *b = pf_alloc(sizeof *b);
  pf_vkfft_spec s = {.precision = l->precision, .columns = l->n, .sign = l->sign};
  if (!b) {
    pf_note(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
    return NULL;
  }
  for (s.strided = 0; s.strided < 2 && !e->status; s.strided++) {
    s.n = s.strided ? l->rows : l->n;
    s.rows = s.strided ? l->rows : l->rows * l->batch;
    s.matrices = s.strided ? l->batch : 1;
    if (s.n > 1) b->way[s.strided] = pf_vkfft_make(d, &s, e);
  }
  if (!e->status) return b;
  free_lines(b);
  return NULL;
}

static void run_lines(void *plan, const pf_device_memory *m) {
  both_ways *b = plan;
  for (int k = 0; k < 2; k++)
    if (b->way[k]) pf_vkfft_run(b->way[k], m);
}

const pf_library pf_library_vkfft = {.make = make_lines, .run = run_lines, .drop = free_lines};

#else

int pf_vkfft_is_there(void) {
  return 0;
}

pf_vkfft *pf_vkfft_make(pf_device *d, const pf_vkfft_spec *s, pfft3d_error *e) {
  (void)s;
  pf_note(e, PFFT3D_ERR_UNAVAILABLE, "device '%s': this build has no VkFFT", d->facts.name);
  return NULL;
}

void pf_vkfft_free(pf_vkfft *v) {
  (void)v;
}

void pf_vkfft_run(pf_vkfft *v, const pf_device_memory *m) {
  (void)v, (void)m;
}
#endif
