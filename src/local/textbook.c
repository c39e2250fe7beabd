/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels of the textbooks (src/kernels) as engines, so that whole transforms use them: a line of a
 * tile is copied, transformed by the kernel, and copied back.  They support powers of two; lines of
 * other lengths are passed to engine simd.  Threads work on tiles, as with all engines. */
#include "base/memory.h"
#include "kernels/kernel.h"
#include "local/engine.h"
#include "local/simd.h"

enum { longest = 1 << 20 };

extern const pf_engine pf_engine_simd;

/* The buffer has the tile, then two lines and the work memory of the kernel. */
typedef struct state {
  pf_kernel_plan plan;
  size_t tile, line;
} state;

static int is_power(ptrdiff_t n) {
  return (n & (n - 1)) == 0;
}

static int supports(ptrdiff_t n, pfft3d_precision precision) {
  return is_power(n) ? n <= longest : pf_engine_simd.supports(n, precision);
}

static ptrdiff_t width(ptrdiff_t n, pfft3d_precision precision) {
  return is_power(n) ? pf_tile_width(n, precision) : pf_engine_simd.width(n, precision);
}

/* Nonzero if engine simd transforms the lines, with its own features; with kernels, stage.c and
 * real.c implement these. */
static int others(ptrdiff_t n) {
  return !is_power(n);
}
static int others_real(ptrdiff_t n) {
  return others(n) && pf_engine_simd.reals(n);
}
static int others_transpose(ptrdiff_t n) {
  return others(n) && pf_engine_simd.transposes(n);
}
static int others_weigh(ptrdiff_t n) {
  return others(n) && pf_engine_simd.weighs(n);
}
static int others_skip(ptrdiff_t n) {
  return others(n) && pf_engine_simd.skips(n);
}

static int plan(pf_fft *f, int estimate, pfft3d_error *e, const pf_kernel *kernel) {
  if (!is_power(f->n)) return pf_engine_simd.plan(f, estimate, e);
  state *s = f->state = pf_alloc(sizeof *s);
  pf_kernel_spec spec = {.kernel = kernel,
                         .precision = f->precision,
                         .size = (size_t)f->n,
                         .sign = f->sign,
                         .threads = 1};
  if (!s) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan of %td points", f->n);
  if (pf_kernel_make(&s->plan, &spec, e)) {
    pf_free(s);
    f->state = NULL;
    return e->status;
  }
  s->line = pf_kernel_line_bytes(&s->plan);
  s->tile = (pf_tile_shape_of(f).bytes + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  f->bytes = s->tile + (2 + kernel->work) * s->line;
  return PFFT3D_OK;
}

/* Copies points with a stride of `along` elements to or from a row. */
#define COPY_OF(number)                                                                        \
  static void copy_##number(const number *from, ptrdiff_t from_step, number *to,               \
                            ptrdiff_t to_step, ptrdiff_t n) {                                  \
    for (ptrdiff_t i = 0; i < n; i++)                                                          \
      for (ptrdiff_t c = 0; c < 2; c++) to[2 * i * to_step + c] = from[2 * i * from_step + c]; \
  }
COPY_OF(double)
COPY_OF(float)

static void copy(const pf_fft *f, const char *from, ptrdiff_t from_step, char *to,
                 ptrdiff_t to_step) {
  if (f->precision == PFFT3D_DOUBLE)
    copy_double((const void *)from, from_step, (void *)to, to_step, f->n);
  else
    copy_float((const void *)from, from_step, (void *)to, to_step, f->n);
}

static void run(const pf_fft *f, void *tile, const pf_job *job) {
  if (!is_power(f->n)) {
    pf_engine_simd.run(f, tile, job);
    return;
  }
  const state *s = f->state;
  pf_tile_shape shape = pf_tile_shape_of(f);
  char *lines = (char *)tile + s->tile;
  pf_kernel_line l = {.in = lines, .out = lines + s->line, .work = lines + 2 * s->line};
  pf_tile_read(f, tile, job);
  for (ptrdiff_t j = 0; j < f->width; j++) {
    char *at = (char *)tile + (size_t)(j * shape.across) * pf_element(f->precision);
    copy(f, at, shape.along, lines, 1);
    s->plan.kernel->line[f->precision](&s->plan, &l);
    copy(f, lines + s->line, 1, at, shape.along);
  }
  pf_tile_write(f, tile, job);
}

static void destroy(pf_fft *f) {
  if (!is_power(f->n)) {
    pf_engine_simd.destroy(f);
    return;
  }
  state *s = f->state;
  pf_kernel_free(&s->plan);
  pf_free(s);
}

#define ENGINE_OF(kernel, words)                                        \
  static int plan_##kernel(pf_fft *f, int estimate, pfft3d_error *e) {  \
    return plan(f, estimate, e, &pf_kernel_##kernel);                   \
  }                                                                     \
  const pf_engine pf_engine_##kernel = {.name = #kernel,                \
                                        .summary = words,               \
                                        .longest = longest,             \
                                        .supports = supports,           \
                                        .width = width,                 \
                                        .reals = others_real,           \
                                        .real_columns = others_real,    \
                                        .transposes = others_transpose, \
                                        .weighs = others_weigh,         \
                                        .skips = others_skip,           \
                                        .plan = plan_##kernel,          \
                                        .run = run,                     \
                                        .destroy = destroy};

ENGINE_OF(recursive, "textbook, divide and conquer; powers of two, others by simd")
ENGINE_OF(stockham4, "textbook, Stockham radix 4; powers of two, others by simd")
