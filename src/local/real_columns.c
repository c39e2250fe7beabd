/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of real numbers that are columns: two neighbouring columns have the memory layout of a
 * complex line a + ib, which the engine reads and writes directly.  The formulas are those of
 * real.c, for all lines of a tile at once.  Lines that are transformed alone have 0 for b, and are
 * copied.  Engine simd has its own implementation of the others (simd_columns.h). */
#include <string.h>

#include "base/memory.h"
#include "local/engine.h"
#include "local/move.h"

typedef struct real_columns {
  pf_fft complex; /* columns of n points */
  int alone;
  size_t point;  /* bytes of a point of all complex lines */
  size_t tile;   /* bytes of the tile of the engine; n points follow ... */
  size_t points; /* ... of so many bytes, and their addresses */
} real_columns;

static int plan(pf_fft *f, const pf_fft_spec *real, int estimate, pfft3d_error *e) {
  pf_fft_spec spec = {.engine = f->engine,
                      .precision = f->precision,
                      .n = f->n,
                      .sign = f->sign,
                      .device = f->device};
  real_columns *r = f->state = pf_alloc(sizeof *r);
  if (!r) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan of real lines");
  r->alone = real->alone;
  PF_TRY(pf_fft_begin(&r->complex, &spec, e));
  PF_TRY(f->engine->plan(&r->complex, estimate, e));
  r->point = (size_t)r->complex.width * pf_element(f->precision);
  r->tile = (r->complex.bytes + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  r->points = (size_t)f->n * r->point;
  f->bytes = r->tile + r->points + (size_t)f->n * sizeof(char *);
  return PFFT3D_OK;
}

static void destroy(pf_fft *f) {
  real_columns *r = f->state;
  if (r->complex.state) f->engine->destroy(&r->complex);
  pf_free(r);
}

/* One mode of `lines` complex lines, p, and q at n - k; `half` is the mode of the real lines, in
 * pairs, or of one line each if they are transformed alone. */
#define MODES(number, split, merge)                                                               \
  static void split(const number *p, const number *q, number *half, ptrdiff_t lines, int alone) { \
    for (ptrdiff_t j = 0; j < lines; j++, p += 2, q += 2, half += alone ? 2 : 4) {                \
      number pr = p[0], pi = p[1], qr = q[0], qi = q[1];                                          \
      half[0] = (pr + qr) / 2, half[1] = (pi - qi) / 2;                                           \
      if (!alone) half[2] = (pi + qi) / 2, half[3] = (qr - pr) / 2;                               \
    }                                                                                             \
  }                                                                                               \
  static void merge(const number *half, number *p, number *q, ptrdiff_t lines, int alone) {       \
    int real = p == q; /* the imaginary part of a real line is 0 there; it is ignored */          \
    for (ptrdiff_t j = 0; j < lines; j++, p += 2, q += 2, half += alone ? 2 : 4) {                \
      number ar = half[0], ai = real ? 0 : half[1];                                               \
      number br = alone ? 0 : half[2], bi = alone || real ? 0 : half[3];                          \
      q[0] = ar + bi, q[1] = br - ai;                                                             \
      p[0] = ar - bi, p[1] = br + ai;                                                             \
    }                                                                                             \
  }

MODES(double, split_double, merge_double)
MODES(float, split_float, merge_float)

/* Moves modes between complex lines, at these addresses, and half spectra; dropped modes have no
 * address. */
static void move_modes(const pf_fft *f, char *const *at, const pf_lines *half) {
  const real_columns *r = f->state;
  ptrdiff_t lines = r->complex.width;
  for (ptrdiff_t k = 0; k <= f->n / 2; k++) {
    void *p = at[k], *q = at[k ? f->n - k : 0], *h = half->at[k];
    if (!h) continue;
    h = half->at[k] + half->offset;
    if (f->sign < 0 && f->precision == PFFT3D_DOUBLE)
      split_double(p, q, h, lines, r->alone);
    else if (f->sign < 0)
      split_float(p, q, h, lines, r->alone);
    else if (f->precision == PFFT3D_DOUBLE)
      merge_double(h, p, q, lines, r->alone);
    else
      merge_float(h, p, q, lines, r->alone);
  }
}

/* Copies real lines to the real parts of complex ones, or back. */
static void move_alone(const pf_fft *f, char *const *at, const pf_lines *lines, int in) {
  const real_columns *r = f->state;
  size_t number = pf_element(f->precision) / 2;
  if (in) memset(at[0], 0, r->points);
  for (ptrdiff_t i = 0; i < f->n; i++) {
    pf_strided wide = {at[i], 2, 1, number};
    pf_strided plain = {lines->at[i] + lines->offset, 1, 1, number};
    pf_move(in ? wide : plain, in ? plain : wide, f->width, 1, (pf_move_mode){0});
  }
}

static void run(const pf_fft *f, void *tile, const pf_job *job) {
  const real_columns *r = f->state;
  char *first = (char *)tile + r->tile, **at = (char **)(void *)(first + r->points);
  for (ptrdiff_t i = 0; i < f->n; i++) at[i] = first + (size_t)i * r->point;
  pf_job inner = {.from = {.at = at}, .to = {.at = at}, .scale = job->scale, .fetch = job->fetch};
  if (f->sign > 0)
    move_modes(f, at, &job->from);
  else if (r->alone)
    move_alone(f, at, &job->from, 1);
  else
    inner.from = job->from, inner.fetch_butterflies = job->fetch_butterflies;
  if (f->sign > 0 && !r->alone) inner.to = job->to, inner.stream = job->stream;
  f->engine->run(&r->complex, tile, &inner);
  if (f->sign < 0)
    move_modes(f, at, &job->to);
  else if (r->alone)
    move_alone(f, at, &job->to, 0);
}

const pf_around pf_around_real_columns = {plan, run, destroy};
