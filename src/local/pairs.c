/* SPDX-License-Identifier: BSD-3-Clause
 * The steps of real-to-real transforms on a tile: each pair of points of all lines times a 2x2
 * matrix of complex numbers.  With the compiler's vectors, for several instruction sets. */
#include <string.h>

#include "local/kind.h"

#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define CLONES __attribute__((target_clones("avx512f", "avx2,fma", "default")))
#else
#define CLONES
#endif

#if defined(__SSE2__)
#include <emmintrin.h>
/* Streaming store: results that are not read soon would first be read into the cache. */
static inline void stream(char *to, const void *from) {
  const double *v = from;
  _mm_stream_pd((double *)(void *)to, _mm_loadu_pd(v));
  _mm_stream_pd((double *)(void *)(to + 16), _mm_loadu_pd(v + 2));
}
#else
static inline void stream(char *to, const void *from) {
  memcpy(to, from, 32);
}
#endif

#define SWAPPED(x, ...) __builtin_shufflevector(x, x, __VA_ARGS__)

#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* gcc 14: all of re[][] is set */
#endif

/* Vectors of 32 bytes at any address of a number.  A complex product is x re + swapped(x) im, where
 * `im` has the sign of each part. */
#define PAIRS(name, real, swap, sign)                                                         \
  typedef real name##_vec __attribute__((vector_size(32), aligned(sizeof(real)), may_alias)); \
  CLONES static void name(const pf_pair *p, ptrdiff_t count, pf_points from, pf_points to,    \
                          size_t bytes, int streams) {                                        \
    const name##_vec signs = {sign};                                                          \
    for (; count > 0; count--, p++) {                                                         \
      const char *x = from.at[p->in[0]] + from.offset, *y = from.at[p->in[1]] + from.offset;  \
      char *u = to.at[p->out[0]] + to.offset,                                                 \
           *v = p->out[1] < 0 ? NULL : to.at[p->out[1]] + to.offset;                          \
      name##_vec re[2][2], im[2][2];                                                          \
      for (int k = 0; k < 2; k++)                                                             \
        for (int j = 0; j < 2; j++) {                                                         \
          re[k][j] = (real)p->m[k][j][0] - (name##_vec){0};                                   \
          im[k][j] = (real)p->m[k][j][1] * signs;                                             \
        }                                                                                     \
      for (size_t i = 0; i < bytes; i += 32) {                                                \
        name##_vec a = *(const name##_vec *)(x + i), b = *(const name##_vec *)(y + i);        \
        name##_vec ta = SWAPPED(a, swap), tb = SWAPPED(b, swap);                              \
        name##_vec r = a * re[0][0] + ta * im[0][0] + (b * re[0][1] + tb * im[0][1]);         \
        name##_vec t = a * re[1][0] + ta * im[1][0] + (b * re[1][1] + tb * im[1][1]);         \
        if (streams) {                                                                        \
          stream(u + i, &r);                                                                  \
          if (v) stream(v + i, &t);                                                           \
        } else {                                                                              \
          *(name##_vec *)(u + i) = r;                                                         \
          if (v) *(name##_vec *)(v + i) = t;                                                  \
        }                                                                                     \
      }                                                                                       \
    }                                                                                         \
  }

#define SWAP_4 1, 0, 3, 2
#define SIGN_4 -1, 1, -1, 1
#define SWAP_8 1, 0, 3, 2, 5, 4, 7, 6
#define SIGN_8 -1, 1, -1, 1, -1, 1, -1, 1
PAIRS(pairs_double, double, SWAP_4, SIGN_4)
PAIRS(pairs_single, float, SWAP_8, SIGN_8)

void pf_pairs_apply(const pf_pair *pair, ptrdiff_t count, pf_points from, pf_points to,
                    size_t bytes, pfft3d_precision precision, int streams) {
  (precision == PFFT3D_DOUBLE ? pairs_double : pairs_single)(pair, count, from, to, bytes, streams);
}
