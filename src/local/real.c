/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of real numbers for engines that support complex lines only: two real lines, a and b, are
 * combined into one complex line a + ib.  For its transform Z, with conj meaning the conjugate,
 *
 *   A[k] = (Z[k] + conj Z[n-k]) / 2,   B[k] = (Z[k] - conj Z[n-k]) / 2i,
 *
 * and backward Z[k] = A[k] + i B[k], Z[n-k] = conj A[k] + i conj B[k].  Valid for any length,
 * without further twiddles.  Rounding errors of the larger line affect the smaller one; if they
 * must not, b is zero.  Source: Press et al., Numerical Recipes, section 12.3. */
#include "base/memory.h"
#include "local/engine.h"

typedef struct pf_real {
  pf_fft complex;
  int alone;
  size_t row;   /* bytes from line to line of the tile */
  size_t lines; /* bytes of the tile's lines; the tile of the engine follows */
} pf_real;

static int plan(pf_fft *f, const pf_fft_spec *real, int estimate, pfft3d_error *e) {
  pf_fft_spec spec = {.engine = f->engine,
                      .precision = f->precision,
                      .n = f->n,
                      .sign = f->sign,
                      .rows = 1,
                      .device = f->device};
  pf_real *r = f->state = pf_alloc(sizeof *r);
  if (!r) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan of real lines");
  r->alone = real->alone;
  PF_TRY(pf_fft_begin(&r->complex, &spec, e));
  PF_TRY(f->engine->plan(&r->complex, estimate, e));
  r->row = (size_t)pf_tile_shape_of(&r->complex).across * pf_element(f->precision);
  r->lines = (r->row * (size_t)r->complex.width + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  f->bytes = r->lines + r->complex.bytes;
  return PFFT3D_OK;
}

static void destroy(pf_fft *f) {
  pf_real *r = f->state;
  if (r->complex.state) f->engine->destroy(&r->complex);
  pf_free(r);
}

/* The work on one pair of lines, for each precision: b is NULL for a single line. */
#define REAL_LINES(number, merge, split, merge_half, part)                                 \
  static void merge(ptrdiff_t n, const number *a, const number *b, number *z) {            \
    for (ptrdiff_t i = 0; i < n; i++) z[2 * i] = a[i], z[2 * i + 1] = b ? b[i] : 0;        \
  }                                                                                        \
  static void split(ptrdiff_t n, const number *z, number *a, number *b) {                  \
    for (ptrdiff_t k = 0; k <= n / 2; k++) {                                               \
      const number *p = z + 2 * k, *q = z + 2 * (k ? n - k : 0);                           \
      a[2 * k] = (p[0] + q[0]) / 2, a[2 * k + 1] = (p[1] - q[1]) / 2;                      \
      if (b) b[2 * k] = (p[1] + q[1]) / 2, b[2 * k + 1] = (q[0] - p[0]) / 2;               \
    }                                                                                      \
  }                                                                                        \
  static void merge_half(ptrdiff_t n, const number *a, const number *b, number *z) {       \
    for (ptrdiff_t k = 0; k <= n / 2; k++) {                                               \
      int single = k == 0 || 2 * k == n; /* the imaginary part of a real line is 0 here */ \
      number ar = a[2 * k], ai = single ? 0 : a[2 * k + 1];                                \
      number br = b ? b[2 * k] : 0, bi = b && !single ? b[2 * k + 1] : 0;                  \
      number *p = z + 2 * k, *q = z + 2 * (k ? n - k : 0);                                 \
      q[0] = ar + bi, q[1] = br - ai;                                                      \
      p[0] = ar - bi, p[1] = br + ai;                                                      \
    }                                                                                      \
  }                                                                                        \
  static void part(ptrdiff_t n, const number *z, number *a, number *b) {                   \
    for (ptrdiff_t i = 0; i < n; i++) {                                                    \
      a[i] = z[2 * i];                                                                     \
      if (b) b[i] = z[2 * i + 1];                                                          \
    }                                                                                      \
  }                                                                                        \
  static void before_##number(const pf_fft *f, const void *a, const void *b, void *z) {    \
    if (f->sign < 0)                                                                       \
      merge(f->n, a, b, z);                                                                \
    else                                                                                   \
      merge_half(f->n, a, b, z);                                                           \
  }                                                                                        \
  static void after_##number(const pf_fft *f, const void *z, void *a, void *b) {           \
    if (f->sign < 0)                                                                       \
      split(f->n, z, a, b);                                                                \
    else                                                                                   \
      part(f->n, z, a, b);                                                                 \
  }

REAL_LINES(double, merge_double, split_double, merge_half_double, part_double)
REAL_LINES(float, merge_float, split_float, merge_half_float, part_float)

static void run(const pf_fft *f, void *tile, const pf_job *job) {
  const pf_real *r = f->state;
  char *at[PF_WIDEST], *z = tile;
  ptrdiff_t width = r->complex.width, second = r->alone ? 0 : width;
  int single = f->precision == PFFT3D_SINGLE;
  for (ptrdiff_t k = 0; k < width; k++) {
    const char *a = job->from.at[k] + job->from.offset;
    const char *b = second ? job->from.at[second + k] + job->from.offset : NULL;
    at[k] = z + (size_t)k * r->row;
    (single ? before_float : before_double)(f, a, b, at[k]);
  }
  pf_job inner = {.from = {.at = at}, .to = {.at = at}, .scale = job->scale};
  f->engine->run(&r->complex, z + r->lines, &inner);
  for (ptrdiff_t k = 0; k < width; k++) {
    char *a = job->to.at[k] + job->to.offset;
    char *b = second ? job->to.at[second + k] + job->to.offset : NULL;
    (single ? after_float : after_double)(f, at[k], a, b);
  }
}

const pf_around pf_around_real = {plan, run, destroy};
