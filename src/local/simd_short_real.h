/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of up to 16 real numbers in engine simd, part of simd_short.h: two rows are the parts of a
 * line, as in simd_real.h, and stay in registers until their modes or points are stored. */

/* PF_VL numbers of as many rows, from row `first` on: vector k has number k of all rows. */
INLINE void load_rows(char *const *row, ptrdiff_t offset, int first, vec *v) {
#pragma GCC unroll 16
  for (int k = 0; k < PF_VL; k++)
    v[k] = *(const vec_any *)((const real *)(row[k] + offset) + first);
  transpose(v);
}

INLINE void store_rows(char *const *row, ptrdiff_t offset, int first, vec *v) {
  transpose(v);
#pragma GCC unroll 16
  for (int k = 0; k < PF_VL; k++) *(vec_any *)((real *)(row[k] + offset) + first) = v[k];
}

#define MODES(N)        ((N) / 2 + 1)
#define MIRROR_OF(k, N) ((k) && (k) < (N) ? (N) - (k) : 0)

#define SHORT_REAL(N)                                                                            \
  INLINE void modes##N(const vec *r, const vec *i, char *const *a, char *const *b,               \
                       ptrdiff_t offset) {                                                       \
    _Pragma("GCC unroll 16") for (int t = 0; t < MODES(N); t += block_points) {                  \
      const int at = PLACE_OF(t, block_points, MODES(N));                                        \
      vec v[PF_VL], w[PF_VL];                                                                    \
      _Pragma("GCC unroll 16") for (int q = 0; q < block_points; q++) {                          \
        const int k = at + q, n = MIRROR_OF(k, N);                                               \
        v[2 * q] = (real)0.5 * (r[k] + r[n]), v[2 * q + 1] = (real)0.5 * (i[k] - i[n]);          \
        w[2 * q] = (real)0.5 * (i[k] + i[n]), w[2 * q + 1] = (real)0.5 * (r[n] - r[k]);          \
      }                                                                                          \
      store_rows(a, offset, 2 * at, v);                                                          \
      store_rows(b, offset, 2 * at, w);                                                          \
    }                                                                                            \
  }                                                                                              \
  INLINE void merge_modes##N(vec *r, vec *i, char *const *a, char *const *b, ptrdiff_t offset) { \
    _Pragma("GCC unroll 16") for (int t = 0; t < MODES(N); t += block_points) {                  \
      const int at = PLACE_OF(t, block_points, MODES(N));                                        \
      vec v[PF_VL], w[PF_VL];                                                                    \
      load_rows(a, offset, 2 * at, v);                                                           \
      load_rows(b, offset, 2 * at, w);                                                           \
      _Pragma("GCC unroll 16") for (int q = 0; q < block_points; q++) {                          \
        const int k = at + q, n = MIRROR_OF(k, N);                                               \
        if (k == n) { /* the transform of a real line has no imaginary part here */              \
          r[k] = w[2 * q], i[k] = v[2 * q];                                                      \
          continue;                                                                              \
        }                                                                                        \
        r[k] = w[2 * q] + v[2 * q + 1], i[k] = v[2 * q] - w[2 * q + 1];                          \
        r[n] = w[2 * q] - v[2 * q + 1], i[n] = v[2 * q] + w[2 * q + 1];                          \
      }                                                                                          \
    }                                                                                            \
  }                                                                                              \
  INLINE void points##N(vec *r, char *const *row, ptrdiff_t offset, int store) {                 \
    _Pragma("GCC unroll 16") for (int t = 0; t < N; t += PF_VL) {                                \
      const int at = PLACE_OF(t, PF_VL, N);                                                      \
      vec v[PF_VL];                                                                              \
      if (!store) load_rows(row, offset, at, v);                                                 \
      _Pragma("GCC unroll 16") for (int k = 0; k < PF_VL; k++) if (store) v[k] = r[at + k];      \
      else r[at + k] = v[k];                                                                     \
      if (store) store_rows(row, offset, at, v);                                                 \
    }                                                                                            \
  }                                                                                              \
  /* Backward, real and imaginary parts are exchanged. */                                        \
  INLINE void short_real##N(const walk *x, int swap) {                                           \
    ptrdiff_t in = x->job->from.offset, out = x->job->to.offset;                                 \
    if ((N) < PF_VL) return;                                                                     \
    for (ptrdiff_t h = 0; h < (1 + x->job->more) * lanes; h += PF_VL) {                          \
      ptrdiff_t row = h / lanes * pair + h % lanes;                                              \
      char *const *from = x->job->from.at + row, *const *to = x->job->to.at + row;               \
      vec r[PLACES(PF_VL, N)], i[PLACES(PF_VL, N)];                                              \
      if (swap) {                                                                                \
        merge_modes##N(r, i, from, from + lanes, in);                                            \
      } else {                                                                                   \
        points##N(r, from, in, 0);                                                               \
        points##N(i, from + lanes, in, 0);                                                       \
      }                                                                                          \
      short_lines##N(x, 0, r, i);                                                                \
      if (swap) {                                                                                \
        points##N(i, to, out, 1);                                                                \
        points##N(r, to + lanes, out, 1);                                                        \
      } else {                                                                                   \
        modes##N(r, i, to, to + lanes, out);                                                     \
      }                                                                                          \
    }                                                                                            \
  }                                                                                              \
  static void short_reals##N(const walk *x) {                                                    \
    if (x->p->swap)                                                                              \
      short_real##N(x, 1);                                                                       \
    else                                                                                         \
      short_real##N(x, 0);                                                                       \
  }

SHORT_REAL(1)
SHORT_REAL(2)
SHORT_REAL(3)
SHORT_REAL(4)
SHORT_REAL(5)
SHORT_REAL(6)
SHORT_REAL(7)
SHORT_REAL(8)
SHORT_REAL(9)
SHORT_REAL(10)
SHORT_REAL(11)
SHORT_REAL(12)
SHORT_REAL(13)
SHORT_REAL(14)
SHORT_REAL(15)
SHORT_REAL(16)
