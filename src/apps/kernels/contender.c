/* SPDX-License-Identifier: BSD-3-Clause
 * The three kinds of contenders. */
#include "apps/kernels/contender.h"

#include <stdio.h>
#include <string.h>

#include "app/common/message.h"
#include "apps/kernels/fftw_lines.h"

/* ---- kernels ---- */

static int open_kernel(contender *c, const app *a, const lines *l, pfft3d_error *e) {
  pf_kernel_spec s = {.kernel = c->kernel,
                      .precision = l->precision,
                      .size = l->n / l->rows,
                      .rows = l->rows,
                      .batch = l->batch,
                      .sign = -1,
                      .threads = c->threads,
                      .device = -1};
  if (options_given(&a->opt, "device")) s.device = (int)options_number(&a->opt, "device");
  if (!pf_kernel_make(&c->plan, &s, e))
    snprintf(c->device, sizeof c->device, "%s", pf_kernel_device_name(&c->plan));
  return e->status;
}

static void run_kernel(contender *c, const lines *l) {
  pf_kernel_run(&c->plan, l->in, l->out);
}

static void close_kernel(contender *c) {
  pf_kernel_free(&c->plan);
}

/* ---- engine simd: the library on one rank ---- */

/* Lines that are transformed as they are if there are many for a tile; else each is a matrix, whose
 * rows and columns fill tiles. */
enum { IN_TILES = 8192, MANY = 8 };

/* Fields that need no exchange: matrices, or rows. */
static pfft3d_problem fields(const lines *l) {
  int matrices = l->rows > 1;
  ptrdiff_t batch = (ptrdiff_t)l->batch, rows = matrices ? (ptrdiff_t)l->rows : batch;
  return (pfft3d_problem){.dims = 3,
                          .n = {matrices ? batch : 1, rows, (ptrdiff_t)(l->n / l->rows)},
                          .axis = {PFFT3D_NONE, matrices ? PFFT3D_DFT : PFFT3D_NONE, PFFT3D_DFT},
                          .batch = 1};
}

static int open_simd(contender *c, const app *a, const lines *l, pfft3d_error *e) {
  char problem[160], text[256];
  int together = l->rows > 1 || (l->n <= IN_TILES && l->batch >= MANY);
  pfft3d_problem p = {.dims = 1, .n = {1, 1, (ptrdiff_t)l->n}, .batch = (ptrdiff_t)l->batch};
  if (together) p = fields(l);
  p.precision = l->precision;
  snprintf(text, sizeof text, "%s %s exchange=packed engine=simd threads=%d node-ranks=1",
           pfft3d_problem_print(&p, problem, sizeof problem),
           together ? "decomp=slab" : "method=transpose", c->threads);
  return pfft3d_plan_create_text(a->comm, text, &c->line, e);
}

static void run_simd(contender *c, const lines *l) {
  pfft3d_execute(c->line, PFFT3D_FORWARD, l->in, l->out);
}

static void close_simd(contender *c) {
  pfft3d_plan_destroy(&c->line);
}

/* ---- FFTW ---- */

static int open_fftw(contender *c, const app *a, const lines *l, pfft3d_error *e) {
  (void)a;
  c->fftw = fftw_lines_make(l, e);
  c->precision = l->precision;
  return e->status;
}

static void run_fftw(contender *c, const lines *l) {
  fftw_lines_run(c->fftw, l, c->threads);
}

static void close_fftw(contender *c) {
  fftw_lines_free(c->fftw, c->precision);
}

/* ---- all ---- */

static const contender_kind of_kernels = {open_kernel, run_kernel, close_kernel};
static const contender_kind of_simd = {open_simd, run_simd, close_simd};
static const contender_kind of_fftw = {open_fftw, run_fftw, close_fftw};

int contender_at(int index, contender *c) {
  int kernels = 0;
  while (pf_kernel_at(kernels)) kernels++;
  *c = (contender){.device = "cpu", .kernel = pf_kernel_at(index)};
  if (c->kernel) {
    c->name = c->kernel->name;
    c->kind = &of_kernels;
  } else if (index == kernels) {
    c->name = "simd";
    c->kind = &of_simd;
  } else if (index == kernels + 1) {
    c->name = "fftw";
    c->kind = &of_fftw;
  }
  return c->kind != NULL;
}

const char *contender_takes(const contender *c, const lines *l) {
  if (!c->kernel) return NULL;
  if (l->rows > 1 && !c->kernel->remote) return "lines only";
  const char *why = pf_kernel_takes(c->kernel, l->n / l->rows);
  return why ? why : pf_kernel_takes(c->kernel, l->rows);
}

double contender_patience(const contender *c, const lines *l) {
  static const double rate = 5e8, patience = 30; /* products in a second, at least; seconds */
  double n = (double)l->n;
  double expected = c->kernel && c->kernel->square ? n * n * (double)l->batch / rate : 0;
  return expected > patience ? expected : 0;
}

int contender_open(contender *c, const app *a, const lines *l, pfft3d_error *e) {
  c->is_open = !c->kind->open(c, a, l, e);
  return e->status;
}

void contender_close(contender *c) {
  if (c->is_open) c->kind->close(c);
  c->is_open = 0;
}

double contender_run(contender *c, const lines *l) {
  double start = pf_kernel_clock();
  c->kind->run(c, l);
  return pf_kernel_clock() - start;
}
