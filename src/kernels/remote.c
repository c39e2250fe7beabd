/* SPDX-License-Identifier: BSD-3-Clause
 * Plans of kernels on devices.  A run copies all lines to the device, transforms them there, and
 * copies them back; the copies are a separate phase. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "kernels/remote.h"

#include <string.h>

#include "base/memory.h"

static const char opencl_text[] = {
#include "fft_cl.h"
    "\n"};
static const char opengl_text[] = {
#include "fft_comp.h"
    "\n"};
#ifdef PF_HAVE_CUDA
#include "fft_cuda.h"
#define CUDA_TEXT \
  { fft_cuda_0, fft_cuda_1, fft_cuda_2, fft_cuda_3 }
#else
#define CUDA_TEXT \
  { NULL }
#endif
static const pf_device_text text = {
    .opencl = opencl_text, .opengl = opengl_text, .cuda = CUDA_TEXT};

static size_t points_of(const pf_kernel_plan *p) {
  return p->size * p->rows * p->batch;
}

static size_t number_of(const pf_kernel_plan *p) {
  return p->precision == PFFT3D_DOUBLE ? 2 * sizeof(double) : 2 * sizeof(float);
}

/* Nonzero if 32 bits can count the points, including unused items of the last group. */
static int is_short(const pf_kernel_plan *p) {
  return points_of(p) < (size_t)1 << 31;
}

void pf_remote_launch(const pf_kernel_plan *p, int kernel, const pf_remote_pass *pass, int done,
                      size_t items, size_t group) {
  const pf_remote_plan *s = p->state;
  unsigned long count = items;
  unsigned few = (unsigned)items;
  int sign = p->sign;
  const pf_device_argument arguments[] = {
      {.memory = s->in_y ? &s->y : &s->x},
      {.memory = s->in_y ? &s->x : &s->y},
      {.memory = &s->roots},
      is_short(p) ? (pf_device_argument){.value = &few, .bytes = sizeof few}
                  : (pf_device_argument){.value = &count, .bytes = sizeof count},
      {.value = &pass->bits, .bytes = sizeof pass->bits},
      {.value = &done, .bytes = sizeof done},
      {.value = &pass->inner, .bytes = sizeof pass->inner},
      {.value = &sign, .bytes = sizeof sign}};
  pf_device_launch(&s->kernel[kernel], arguments, 8, (items + group - 1) / group * group, group);
}

/* ---- plans ---- */

static int compile(pf_kernel_plan *p, pfft3d_error *e) {
  pf_remote_plan *s = p->state;
  const pf_remote *r = p->kernel->remote;
  int version =
      (p->precision == PFFT3D_SINGLE ? PF_TEXT_SINGLE : 0) | (is_short(p) ? PF_TEXT_SHORT : 0);
  for (int k = 0; k < PF_LAUNCHES && r->launch[k]; k++)
    PF_TRY(pf_device_kernel_make(s->device, &text, version, r->launch[k], &s->kernel[k], e));
  return PFFT3D_OK;
}

/* Copies the table of roots to the device.  The table for the longer side of a matrix contains the
 * roots of the other side. */
static int copy_roots(pf_kernel_plan *p, pfft3d_error *e) {
  pf_remote_plan *s = p->state;
  size_t points = p->size > p->rows ? p->size : p->rows, bytes = points * number_of(p);
  PF_TRY(pf_device_take(s->device, p->kernel->roots ? bytes : 1, 0, &s->roots, e));
  if (!p->kernel->roots) return PFFT3D_OK;
  void *table = pf_alloc(bytes);
  if (!table) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu bytes of roots", bytes);
  (p->precision == PFFT3D_DOUBLE ? pf_roots_double : pf_roots_single)(table, points, p->sign,
                                                                      p->kernel->roots);
  pf_device_write(&s->roots, table, bytes, NULL, NULL);
  pf_device_finish(s->device);
  pf_free(table);
  return pf_device_fault(s->device, e);
}

static int make_library(pf_kernel_plan *p, pfft3d_error *e) {
  pf_remote_plan *s = p->state;
  pf_library_spec spec = {
      .precision = p->precision, .n = p->size, .rows = p->rows, .batch = p->batch, .sign = p->sign};
  if (p->size * p->rows == 1) return PFFT3D_OK;
  s->other = p->kernel->remote->library->make(s->device, &spec, e);
  return s->other ? PFFT3D_OK : e->status;
}

static int prepare(pf_kernel_plan *p, pfft3d_error *e) {
  pf_remote_plan *s = p->state;
  size_t bytes = points_of(p) * number_of(p);
  PF_TRY(pf_device_take(s->device, bytes, 0, &s->x, e));
  PF_TRY(pf_device_take(s->device, bytes, 0, &s->y, e));
  PF_TRY(copy_roots(p, e));
  return p->kernel->remote->library ? make_library(p, e) : compile(p, e);
}

int pf_remote_make(pf_kernel_plan *p, int device, pfft3d_error *e) {
  PF_CHECK(p->kernel->remote->run || p->kernel->remote->library, e, PFFT3D_ERR_UNAVAILABLE,
           "this build does not have it");
  pf_device_wanted wanted = {
      .api = p->kernel->remote->api, .index = device, .precision = p->precision};
  pf_device *d;
  PF_TRY(pf_device_open(&wanted, &d, e));
  pf_remote_plan *s = p->state = pf_alloc(sizeof *s);
  if (!s) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  s->device = d;
  if (prepare(p, e)) pf_remote_free(p);
  return e->status;
}

static int log2_of(size_t n) {
  int bits = 0;
  while ((size_t)1 << bits < n) bits++;
  return bits;
}

/* Rows, then columns. */
static void transform(pf_kernel_plan *p) {
  pf_remote_plan *s = p->state;
  const pf_remote *r = p->kernel->remote;
  s->in_y = 0;
  if (s->other) r->library->run(s->other, &s->x);
  if (r->library) return; /* a single point has no plan */
  pf_remote_pass rows = {.bits = p->bits, .count = p->rows * p->batch};
  pf_remote_pass columns = {
      .bits = p->bits + log2_of(p->rows), .inner = p->bits, .count = p->batch};
  r->run(p, &rows);
  if (p->rows > 1) r->run(p, &columns);
}

void pf_remote_run(pf_kernel_plan *p, const void *in, void *out) {
  pf_remote_plan *s = p->state;
  size_t bytes = points_of(p) * number_of(p);
  double times[4];
  for (int k = 0; k < PF_PHASES; k++) p->phase[k] = 0;
  times[0] = pf_kernel_clock();
  pf_device_write(&s->x, in, bytes, NULL, NULL);
  pf_device_finish(s->device);
  times[1] = pf_kernel_clock();
  transform(p);
  pf_device_finish(s->device);
  times[2] = pf_kernel_clock();
  pf_device_read(out, s->in_y ? &s->y : &s->x, bytes, NULL, NULL);
  pf_device_finish(s->device);
  times[3] = pf_kernel_clock();
  p->phase[PF_TRANSFERS] = times[1] - times[0] + times[3] - times[2];
  p->phase[PF_BUTTERFLY1] = times[2] - times[1] - p->phase[PF_BIT_REVERSAL];
}

int pf_remote_fault(const pf_kernel_plan *p, pfft3d_error *e) {
  return pf_device_fault(((const pf_remote_plan *)p->state)->device, e);
}

const char *pf_remote_device_name(const pf_kernel_plan *p) {
  return pf_device_about(((const pf_remote_plan *)p->state)->device)->name;
}

void pf_remote_free(pf_kernel_plan *p) {
  pf_remote_plan *s = p->state;
  if (!s) return;
  if (s->other) p->kernel->remote->library->drop(s->other);
  for (int k = 0; k < PF_LAUNCHES; k++) pf_device_kernel_drop(&s->kernel[k]);
  pf_device_drop(&s->x);
  pf_device_drop(&s->y);
  pf_device_drop(&s->roots);
  pf_free(s);
  p->state = NULL;
}
