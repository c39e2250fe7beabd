/* SPDX-License-Identifier: BSD-3-Clause
 * The algorithms of fft.cl as lists of launches, and VkFFT to compare with (its errors are larger).
 * A run copies all lines to the device, transforms them there, and copies them back; the copies are
 * a phase of their own.
 */
#include "kernels/remote.h"

#include "base/memory.h"
#include "device/vkfft.h"

static const char text[] = {
#include "fft_cl.h"
    "\n"};

enum { GROUP = 64 }; /* work items that run together, at least */

static size_t bytes_of(const pf_kernel_plan *p) {
  return p->size * p->batch *
         (p->precision == PFFT3D_DOUBLE ? 2 * sizeof(double) : 2 * sizeof(float));
}

static int is_single(const pf_kernel_plan *p) {
  return p->precision == PFFT3D_SINGLE;
}

/* Whether 32 bits can count the points, and the items that are too many in the last group. */
static int is_short(const pf_kernel_plan *p) {
  return p->size * p->batch < (size_t)1 << 31;
}

/* ---- launches ---- */

void pf_remote_launch(const pf_kernel_plan *p, int kernel, int back, size_t items, int done) {
  const pf_remote_plan *s = p->state;
  unsigned long count = items;
  unsigned few = (unsigned)items;
  int bits = p->bits, sign = p->sign;
  const pf_device_argument arguments[] = {
      {.memory = back ? &s->y : &s->x},
      {.memory = back ? &s->x : &s->y},
      {.memory = &s->roots},
      is_short(p) ? (pf_device_argument){.value = &few, .bytes = sizeof few}
                  : (pf_device_argument){.value = &count, .bytes = sizeof count},
      {.value = &bits, .bytes = sizeof bits},
      {.value = &done, .bytes = sizeof done},
      {.value = &sign, .bytes = sizeof sign}};
  pf_device_launch(&s->kernel[kernel], arguments, 7, (items + GROUP - 1) / GROUP * GROUP, GROUP);
}

/* In one launch after the other the lines move from x to y and back. */
static int run_stockham2(pf_kernel_plan *p) {
  int in_y = 0;
  for (int done = 0; done < p->bits; done++, in_y = !in_y)
    pf_remote_launch(p, 0, in_y, p->size / 2 * p->batch, done);
  return in_y;
}

static int run_stockham4(pf_kernel_plan *p) {
  int in_y = 0, done = 0;
  for (; done + 1 < p->bits; done += 2, in_y = !in_y)
    pf_remote_launch(p, 0, in_y, p->size / 4 * p->batch, done);
  if (done == p->bits) return in_y;
  pf_remote_launch(p, 1, in_y, p->size / 2 * p->batch, done);
  return !in_y;
}

static int run_multistage(pf_kernel_plan *p) {
  int in_y = 0;
  for (int done = 0, few; done < p->bits; done += few, in_y = !in_y) {
    few = p->bits - done < 3 ? p->bits - done : 3;
    pf_remote_launch(p, few - 1, in_y, (p->size >> few) * p->batch, done);
  }
  return in_y;
}

static int run_radix2(pf_kernel_plan *p) {
  pf_remote_plan *s = p->state;
  double start = pf_kernel_clock();
  pf_remote_launch(p, 0, 0, p->size * p->batch, 0);
  pf_device_finish(s->device);
  p->phase[PF_BIT_REVERSAL] = pf_kernel_clock() - start;
  for (int done = 0; done < p->bits; done++)
    pf_remote_launch(p, 1, 0, p->size / 2 * p->batch, done);
  return 1;
}

/* ---- VkFFT ---- */

static int make_vkfft(pf_kernel_plan *p, pfft3d_error *e) {
  pf_remote_plan *s = p->state;
  pf_vkfft_spec spec = {.precision = p->precision,
                        .n = p->size,
                        .rows = p->batch,
                        .columns = p->size,
                        .matrices = 1,
                        .sign = p->sign};
  if (p->size > 1) s->other = pf_vkfft_make(s->device, &spec, e);
  return p->size > 1 && !s->other ? e->status : PFFT3D_OK;
}

static int run_vkfft(pf_kernel_plan *p) {
  pf_remote_plan *s = p->state;
  if (s->other) pf_vkfft_run(s->other, &s->x);
  return 0;
}

static void free_vkfft(pf_kernel_plan *p) {
  pf_vkfft_free(((pf_remote_plan *)p->state)->other);
}

/* ---- plans ---- */

static int compile(pf_kernel_plan *p, pfft3d_error *e) {
  pf_remote_plan *s = p->state;
  const pf_remote *r = p->kernel->remote;
  static const char *const all[2][2] = {{"", "-DPF_SHORT"},
                                        {"-DPF_SINGLE", "-DPF_SINGLE -DPF_SHORT"}};
  const char *options = all[is_single(p)][is_short(p)];
  for (int k = 0; k < 4 && r->launch[k]; k++)
    PF_TRY(pf_device_kernel_make(s->device, text, options, r->launch[k], &s->kernel[k], e));
  return PFFT3D_OK;
}

/* The table of roots, made here and copied. */
static int copy_roots(pf_kernel_plan *p, pfft3d_error *e) {
  pf_remote_plan *s = p->state;
  size_t bytes = p->size * (bytes_of(p) / p->size / p->batch);
  PF_TRY(pf_device_take(s->device, p->kernel->roots ? bytes : 1, 0, &s->roots, e));
  if (!p->kernel->roots) return PFFT3D_OK;
  void *table = pf_alloc(bytes);
  if (!table) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for %zu bytes of roots", bytes);
  (is_single(p) ? pf_roots_single : pf_roots_double)(table, p->size, p->sign, p->kernel->roots);
  pf_device_write(&s->roots, table, bytes, NULL, NULL);
  pf_device_finish(s->device);
  pf_free(table);
  return pf_device_fault(s->device, e);
}

static int prepare(pf_kernel_plan *p, pfft3d_error *e) {
  pf_remote_plan *s = p->state;
  const pf_remote *r = p->kernel->remote;
  PF_TRY(pf_device_take(s->device, bytes_of(p), 0, &s->x, e));
  PF_TRY(pf_device_take(s->device, bytes_of(p), 0, &s->y, e));
  PF_TRY(copy_roots(p, e));
  return r->make ? r->make(p, e) : compile(p, e);
}

int pf_remote_make(pf_kernel_plan *p, int device, pfft3d_error *e) {
  pf_device *d;
  PF_TRY(pf_device_open(device, p->precision, &d, e));
  pf_remote_plan *s = p->state = pf_alloc(sizeof *s);
  if (!s) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan");
  s->device = d;
  if (prepare(p, e)) pf_remote_free(p);
  return e->status;
}

void pf_remote_run(pf_kernel_plan *p, const void *in, void *out) {
  pf_remote_plan *s = p->state;
  double times[4];
  for (int k = 0; k < PF_PHASES; k++) p->phase[k] = 0;
  times[0] = pf_kernel_clock();
  pf_device_write(&s->x, in, bytes_of(p), NULL, NULL);
  pf_device_finish(s->device);
  times[1] = pf_kernel_clock();
  int in_y = p->kernel->remote->run(p);
  pf_device_finish(s->device);
  times[2] = pf_kernel_clock();
  pf_device_read(out, in_y ? &s->y : &s->x, bytes_of(p), NULL, NULL);
  pf_device_finish(s->device);
  times[3] = pf_kernel_clock();
  p->phase[PF_TRANSFERS] = times[1] - times[0] + times[3] - times[2];
  p->phase[PF_BUTTERFLY1] = times[2] - times[1] - p->phase[PF_BIT_REVERSAL];
}

int pf_remote_fault(const pf_kernel_plan *p, pfft3d_error *e) {
  return pf_device_fault(((const pf_remote_plan *)p->state)->device, e);
}

void pf_remote_free(pf_kernel_plan *p) {
  pf_remote_plan *s = p->state;
  if (!s) return;
  if (p->kernel->remote->free) p->kernel->remote->free(p);
  for (int k = 0; k < 4; k++) pf_device_kernel_drop(&s->kernel[k]);
  pf_device_drop(&s->x);
  pf_device_drop(&s->y);
  pf_device_drop(&s->roots);
  pf_free(s);
  p->state = NULL;
}

/* ---- the list ---- */

#define PHASES (1u << PF_BUTTERFLY1 | 1u << PF_TRANSFERS)

static const pf_remote radix2 = {.launch = {"bit_reversal", "radix2"}, .run = run_radix2};
static const pf_remote stockham2 = {.launch = {"stockham2"}, .run = run_stockham2};
static const pf_remote stockham4 = {.launch = {"stockham4", "stockham2"}, .run = run_stockham4};
static const pf_remote multistage = {.launch = {"multistage2", "multistage4", "multistage8"},
                                     .run = run_multistage};
static const pf_remote vkfft = {.make = make_vkfft, .run = run_vkfft, .free = free_vkfft};

static const pf_kernel kernels[] = {
    {.name = "opencl-radix2",
     .summary = "bit reversal, then radix 2 in place, a launch a stage",
     .roots = PF_STAGE_ROOTS,
     .phases = PHASES | 1u << PF_BIT_REVERSAL,
     .remote = &radix2},
    {.name = "opencl-stockham2",
     .summary = "Stockham, radix 2, a launch a stage",
     .roots = PF_STAGE_ROOTS,
     .phases = PHASES,
     .remote = &stockham2},
    {.name = "opencl-stockham4",
     .summary = "Stockham, radix 4, a launch a stage",
     .roots = PF_STAGE_ROOTS,
     .phases = PHASES,
     .remote = &stockham4},
    {.name = "opencl-multistage",
     .summary = "kernels of 8, 4 and 2 points in registers, roots on the fly",
     .phases = PHASES,
     .remote = &multistage},
    {.name = "vkfft",
     .summary = "VkFFT, to compare with",
     .any_size = 1,
     .loose = 4,
     .phases = PHASES,
     .remote = &vkfft}};

const pf_kernel *pf_remote_at(int index) {
  int count = (int)(sizeof kernels / sizeof *kernels) - !pf_vkfft_is_there();
  return index >= 0 && index < count ? &kernels[index] : NULL;
}
