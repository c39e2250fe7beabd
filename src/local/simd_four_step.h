/* SPDX-License-Identifier: BSD-3-Clause
 * Rows in engine simd that are transposed once, part of simd_kernel.h.  Other kernels transpose
 * rows into a tile, one row in each lane, and back.  Here the lanes of the first pass are
 * neighbouring points of two rows; its results are transposed, so that lanes are results of one
 * butterfly of one row; further passes keep this order.  The arithmetic on each point is the same.
 * (The first two steps of the four-step FFT; D. H. Bailey, FFTs in external or hierarchical memory,
 * J. Supercomputing 4, 1990.) */

#if PF_VL <= 8

/* The radix of the first pass, whose results are whole vectors. */
enum { four_step_radix = 8 };

/* A block: the results of a butterfly of the first pass, real parts, then imaginary parts. */
enum { four_step_block = 2 * four_step_radix, four_step_points = PF_VL / 2 };

/* Part of a factor of block q, for its results from h on. */
INLINE vec four_step_factor(const real *w, int q, int h, int part) {
  return *(const vec *)(w + (q - 1) * four_step_block + part * four_step_radix + h);
}

/* A butterfly of the first pass; its lanes are `points` points from j on of line a, then of line b.
 * Blocks of results are stored in digit-reversed order. */
INLINE void four_step_butterfly(const walk *x, ptrdiff_t j, int points, real *a, real *b, vec *r,
                                vec *i) {
  dft8(r, i);
#pragma GCC unroll 8
  for (int h = 0; h < four_step_radix; h += PF_VL) {
    transpose(r + h);
    transpose(i + h);
  }
#pragma GCC unroll 16
  for (int l = 0; l < PF_VL; l++) {
    ptrdiff_t block = x->p->position[j + l % points] / four_step_radix;
    real *t = (l < points ? a : b) + block * four_step_block;
#pragma GCC unroll 8
    for (int h = 0; h < four_step_radix; h += PF_VL) {
      *(vec *)(t + h) = r[h + l];
      *(vec *)(t + four_step_radix + h) = i[h + l];
    }
  }
}

/* The first pass of two rows. */
INLINE void four_step_first(walk *x, const char *from_a, const char *from_b, real *a, real *b,
                            int swap) {
  const real *row[2] = {(const real *)(const void *)from_a, (const real *)(const void *)from_b};
  ptrdiff_t m = x->p->n / four_step_radix;
  for (ptrdiff_t j = 0; j < m; j += four_step_points) {
    vec r[four_step_radix], i[four_step_radix];
    fetch_some(x);
#pragma GCC unroll 16
    for (int q = 0; q < four_step_radix; q++) {
      vec v = *(const vec_any *)(row[0] + 2 * (q * m + j));
      vec w = *(const vec_any *)(row[1] + 2 * (q * m + j));
      vec re = SHUFFLE(v, w, SPLIT_RE), im = SHUFFLE(v, w, SPLIT_IM);
      r[q] = swap ? im : re;
      i[q] = swap ? re : im;
    }
    four_step_butterfly(x, j, four_step_points, a, b, r, i);
  }
}

/* Further passes of one row: R sub-transforms of m blocks each become one. */
#define FOUR_STEP(R)                                                                               \
  INLINE void four_step_take##R(const real *t, ptrdiff_t step, const real *w, int h, vec *r,       \
                                vec *i) {                                                          \
    _Pragma("GCC unroll 16") for (int q = 0; q < R; q++) {                                         \
      r[q] = *(const vec *)(t + q * step + h);                                                     \
      i[q] = *(const vec *)(t + q * step + four_step_radix + h);                                   \
      if (!q) continue;                                                                            \
      MULTIPLY(r[q], i[q], four_step_factor(w, q, h, 0), four_step_factor(w, q, h, 1));            \
    }                                                                                              \
    dft##R(r, i);                                                                                  \
  }                                                                                                \
  static void four_step_inner##R(walk *x, real *row, ptrdiff_t blocks, ptrdiff_t m,                \
                                 const real *w) {                                                  \
    for (ptrdiff_t k = 0; k < blocks; k += R * m)                                                  \
      for (ptrdiff_t j = 0; j < m; j++) {                                                          \
        real *t = row + (k + j) * four_step_block;                                                 \
        fetch_some(x);                                                                             \
        for (int h = 0; h < four_step_radix; h += PF_VL) {                                         \
          vec r[R], i[R];                                                                          \
          four_step_take##R(t, m *four_step_block, w + (R - 1) * j * four_step_block, h, r, i);    \
          _Pragma("GCC unroll 16") for (int q = 0; q < R; q++) {                                   \
            *(vec *)(t + q * m * four_step_block + h) = r[q];                                      \
            *(vec *)(t + q * m * four_step_block + four_step_radix + h) = i[q];                    \
          }                                                                                        \
        }                                                                                          \
      }                                                                                            \
  }                                                                                                \
  INLINE void four_step_store##R(walk *x, const real *row, ptrdiff_t m, const real *w, char *to,   \
                                 int swap, int stream) {                                           \
    for (ptrdiff_t j = 0; j < m; j++) {                                                            \
      fetch_more(&x->ahead, 0);                                                                    \
      for (int h = 0; h < four_step_radix; h += PF_VL) {                                           \
        vec r[R], i[R];                                                                            \
        four_step_take##R(row + j * four_step_block, m * four_step_block,                          \
                          w + (R - 1) * j * four_step_block, h, r, i);                             \
        if (x->scale != 1)                                                                         \
          _Pragma("GCC unroll 16") for (int q = 0; q < R; q++) r[q] *= x->scale, i[q] *= x->scale; \
        _Pragma("GCC unroll 16") for (int q = 0; q < R; q++)                                       \
            store_point(to, (int)(j + q * m) * four_step_radix + h, swap, stream, r[q], i[q]);     \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void four_step_last##R(walk *x, const real *row, ptrdiff_t m, const real *w, char *to) {  \
    BY_STORES(four_step_store##R, x, row, m, w, to);                                               \
  }

FOUR_STEP(2)
FOUR_STEP(3)
FOUR_STEP(4)
FOUR_STEP(5)
FOUR_STEP(6)
FOUR_STEP(7)
FOUR_STEP(8)
FOUR_STEP(9)
FOUR_STEP(10)
FOUR_STEP(11)
FOUR_STEP(12)
FOUR_STEP(13)

/* The radices after the first one, of lengths without larger prime factors. */
#define BY_FOUR_STEP(radix, name, ...)     \
  switch (radix) {                         \
    CASES_2_TO_12(name, __VA_ARGS__)       \
    default: name##13(__VA_ARGS__); break; \
  }

static void four_step_rest(walk *x, real *row, char *to) {
  const pf_simd_plan *p = x->p;
  ptrdiff_t blocks = p->n / four_step_radix, m = 1;
  for (int s = 1; s < p->passes - 1; m *= p->radix[s++])
    BY_FOUR_STEP(p->radix[s], four_step_inner, x, row, blocks, m, p->grouped[s])
  BY_FOUR_STEP(p->radix[p->passes - 1], four_step_last, x, row, m, p->grouped[p->passes - 1], to)
}

#include "local/simd_four_step_real.h"
#include "local/simd_whole.h"

/* Transforms a tile of rows with such a length, if all points are at the addresses of the job. */
static int run_four_step(walk *x) {
  const pf_lines *from = &x->job->from, *to = &x->job->to;
  const pf_simd_plan *p = x->p;
  if (!p->four_step || x->job->weights || from->gap || to->gap) return 0;
#if PF_VL == 8
  if (run_whole(x)) return 1;
#endif
  if (p->real && p->n < PF_FOUR_STEP_REALS) return 0;
  if (p->real) {
    run_four_step_reals(x);
    return 1;
  }
  real *a = x->tile, *b = a + p->n / four_step_radix * four_step_block;
  for (int h = 0; h < lanes; h += 2) {
    const char *from_a = from->at[h] + from->offset, *from_b = from->at[h + 1] + from->offset;
    if (p->swap)
      four_step_first(x, from_a, from_b, a, b, 1);
    else
      four_step_first(x, from_a, from_b, a, b, 0);
    four_step_rest(x, a, to->at[h] + to->offset);
    four_step_rest(x, b, to->at[h + 1] + to->offset);
  }
  return 1;
}

#else
static int run_four_step(walk *x) {
  (void)x;
  return 0;
}
#endif
