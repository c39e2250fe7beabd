/* SPDX-License-Identifier: BSD-3-Clause
 * Engine opencl: lines are transformed on a device, powers of two in tiles by the Stockham kernel
 * of src/kernels/fft.cl, everything else by VkFFT.
 *
 * A tile is small for a device: its copies and launches take longer than its transform.  planes.c
 * therefore passes whole planes if a stage consists of transforms alone; this file serves the other
 * stages, by tiles: other kinds, multipliers, dropped modes, lines as matrices. */
#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "device/device.h"
#include "device/vkfft.h"
#include "kernels/kernel.h"
#include "local/engine.h"

enum { longest = 1 << 20 };

/* The buffer has the tile, then its lines one after another, before and after the transform. */
typedef struct state {
  pf_kernel_plan plan;
  pthread_mutex_t lock; /* threads share the device */
  size_t tile, lines;
} state;

static int supports(ptrdiff_t n, pfft3d_precision precision) {
  (void)precision;
  return n <= longest && (pf_vkfft_is_there() || (n & (n - 1)) == 0);
}

/* Our kernel is compiled once for all its lengths, VkFFT for each length. */
static const pf_kernel *find_kernel(ptrdiff_t n) {
  const char *name = n & (n - 1) ? "vkfft" : "opencl-stockham4";
  int i = 0;
  while (pf_kernel_at(i) && strcmp(pf_kernel_at(i)->name, name) != 0) i++;
  return pf_kernel_at(i);
}

static int plan(pf_fft *f, int estimate, pfft3d_error *e) {
  (void)estimate;
  state *s = f->state = pf_alloc(sizeof *s);
  pf_kernel_spec spec = {.kernel = find_kernel(f->n),
                         .precision = f->precision,
                         .size = (size_t)f->n,
                         .batch = (size_t)f->width,
                         .sign = f->sign,
                         .threads = 1,
                         .device = f->device};
  if (!s) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan of %td points", f->n);
  if (pf_kernel_make(&s->plan, &spec, e)) {
    pf_free(s);
    f->state = NULL;
    return e->status;
  }
  pthread_mutex_init(&s->lock, NULL);
  s->tile = (pf_tile_shape_of(f).bytes + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  s->lines = (size_t)(f->n * f->width) * pf_element(f->precision);
  s->lines = (s->lines + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  f->bytes = s->tile + 2 * s->lines;
  return PFFT3D_OK;
}

/* All lines of a tile, to or from a buffer that holds them one after another. */
#define COPY_OF(number)                                                               \
  static void copy_##number(const pf_fft *f, number *tile, number *lines, int back) { \
    pf_tile_shape s = pf_tile_shape_of(f);                                            \
    for (ptrdiff_t j = 0; j < f->width; j++)                                          \
      for (ptrdiff_t i = 0; i < f->n; i++)                                            \
        for (ptrdiff_t c = 0; c < 2; c++) {                                           \
          number *a = &tile[2 * (i * s.along + j * s.across) + c];                    \
          number *b = &lines[2 * (j * f->n + i) + c];                                 \
          if (back)                                                                   \
            *a = *b;                                                                  \
          else                                                                        \
            *b = *a;                                                                  \
        }                                                                             \
  }
COPY_OF(double)
COPY_OF(float)

static void copy(const pf_fft *f, void *tile, void *lines, int back) {
  if (f->precision == PFFT3D_DOUBLE)
    copy_double(f, tile, lines, back);
  else
    copy_float(f, tile, lines, back);
}

static void run(const pf_fft *f, void *tile, const pf_job *job) {
  state *s = f->state;
  char *in = (char *)tile + s->tile, *out = in + s->lines;
  pf_tile_read(f, tile, job);
  copy(f, tile, in, 0);
  pthread_mutex_lock(&s->lock);
  pf_kernel_run(&s->plan, in, out);
  pthread_mutex_unlock(&s->lock);
  copy(f, tile, out, 1);
  pf_tile_write(f, tile, job);
}

static void destroy(pf_fft *f) {
  state *s = f->state;
  pthread_mutex_destroy(&s->lock);
  pf_kernel_free(&s->plan);
  pf_free(s);
}

const pf_engine pf_engine_opencl = {
    .name = "opencl",
    .summary = "a device, by VkFFT if there; whole planes are copied to it and back",
    .device = 1,
    .longest = longest,
    .lengths = "powers of two up to",
    .supports = supports,
    .width = pf_tile_width,
    .plan = plan,
    .run = run,
    .destroy = destroy};
