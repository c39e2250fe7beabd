/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of up to 16 points in engine simd, part of simd_kernel.h: all points of PF_VL lines are
 * read into registers, transformed and written, without a tile.  The arithmetic is the same as in
 * the passes. */

/* Rows are moved in blocks of `size` points; the last two may overlap.  Rows shorter than a block
 * are not supported. */
#define PLACE_OF(b, size, all) ((all) < (size) || (b) + (size) <= (all) ? (b) : (all) - (size))
#define PLACES(size, all)      ((all) < (size) ? (size) : (all))

#define SHORT(N)                                                                              \
  INLINE void short_lines##N(const walk *x, int swap, vec *r, vec *i) {                       \
    dft##N(swap ? i : r, swap ? r : i);                                                       \
    if (x->scale == 1) return;                                                                \
    _Pragma("GCC unroll 16") for (int k = 0; k < N; k++) r[k] *= x->scale, i[k] *= x->scale;  \
  }                                                                                           \
  INLINE void short_columns##N(const walk *x, int swap) {                                     \
    char *const *from = x->job->from.at, *const *to = x->job->to.at;                          \
    ptrdiff_t in = x->job->from.offset, out = x->job->to.offset;                              \
    for (ptrdiff_t h = 0; h < (1 + x->job->more) * lanes; h += PF_VL) {                       \
      vec r[N], i[N];                                                                         \
      _Pragma("GCC unroll 16") for (int k = 0; k < N; k++)                                    \
          load_lanes(from[k] + in, h, 0, 1, &r[k], &i[k]);                                    \
      short_lines##N(x, swap, r, i);                                                          \
      _Pragma("GCC unroll 16") for (int k = 0; k < N; k++)                                    \
          store_lanes(to[k] + out, h, 0, 1, 0, r[k], i[k]);                                   \
    }                                                                                         \
  }                                                                                           \
  INLINE void short_rows##N(const walk *x, int swap) {                                        \
    char *const *from = x->job->from.at, *const *to = x->job->to.at;                          \
    ptrdiff_t in = x->job->from.offset, out = x->job->to.offset;                              \
    if (N < block_points) return;                                                             \
    for (ptrdiff_t h = 0; h < (1 + x->job->more) * lanes; h += PF_VL) {                       \
      vec r[PLACES(block_points, N)], i[PLACES(block_points, N)], v[PF_VL];                   \
      _Pragma("GCC unroll 16") for (int b = 0; b < N; b += block_points) {                    \
        const int at = PLACE_OF(b, block_points, N);                                          \
        _Pragma("GCC unroll 16") for (int k = 0; k < PF_VL; k++) v[k] =                       \
            *(const vec_any *)((const real *)(from[h + k] + in) + 2 * at);                    \
        transpose(v);                                                                         \
        _Pragma("GCC unroll 16") for (int k = 0; k < block_points; k++) {                     \
          r[at + k] = v[2 * k], i[at + k] = v[2 * k + 1];                                     \
        }                                                                                     \
      }                                                                                       \
      short_lines##N(x, swap, r, i);                                                          \
      _Pragma("GCC unroll 16") for (int b = 0; b < N; b += block_points) {                    \
        const int at = PLACE_OF(b, block_points, N);                                          \
        _Pragma("GCC unroll 16") for (int k = 0; k < block_points; k++) {                     \
          v[2 * k] = r[at + k], v[2 * k + 1] = i[at + k];                                     \
        }                                                                                     \
        transpose(v);                                                                         \
        _Pragma("GCC unroll 16") for (int k = 0; k < PF_VL; k++) *                            \
            (vec_any *)((real *)(to[h + k] + out) + 2 * at) = v[k];                           \
      }                                                                                       \
    }                                                                                         \
  }                                                                                           \
  /* One function for each sign: a branch among products keeps compilers from fusing them. */ \
  static void short_forward##N(const walk *x) {                                               \
    if (x->p->rows)                                                                           \
      short_rows##N(x, 0);                                                                    \
    else                                                                                      \
      short_columns##N(x, 0);                                                                 \
  }                                                                                           \
  static void short_backward##N(const walk *x) {                                              \
    if (x->p->rows)                                                                           \
      short_rows##N(x, 1);                                                                    \
    else                                                                                      \
      short_columns##N(x, 1);                                                                 \
  }

SHORT(1)
SHORT(2)
SHORT(3)
SHORT(4)
SHORT(5)
SHORT(6)
SHORT(7)
SHORT(8)
SHORT(9)
SHORT(10)
SHORT(11)
SHORT(12)
SHORT(13)
SHORT(14)
SHORT(15)
SHORT(16)

#include "local/simd_short_real.h"

/* Transforms a tile, if its lines are short and all points are at the addresses of the job. */
static int run_short(walk *x) {
  const pf_lines *from = &x->job->from, *to = &x->job->to;
  if (!x->p->is_short || x->job->stream || x->job->weights) return 0;
  if (from->gap || to->gap || from->images || to->images) return 0;
  fetch_all(&x->job->fetch, 0);
  fetch_all(&x->job->claim, 1);
  if (x->p->real)
    BY_RADIX((int)x->p->n, short_reals, x)
  else if (x->p->swap)
    BY_RADIX((int)x->p->n, short_backward, x)
  else
    BY_RADIX((int)x->p->n, short_forward, x)
  return 1;
}
