/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of 32 to 512 points, a power of two, in engine simd, part of simd_kernel.h: the passes of
 * simd_four_step.h with all loops unrolled, from memory to memory without a tile.  Short lines stay
 * in registers; compilers spill the rest to the stack.  A line is a row, or a pair of real rows
 * (simd_real.h); its vectors have its points in order.  Lines of 32 points are transformed two at a
 * time: the first half of the lanes belongs to one of them, the second half to the other. */
#if PF_VL == 8

/* ---- lines from memory ---- */

/* The points of a row, or of two rows of 32 points. */
INLINE void whole_rows(const char *from_a, const char *from_b, int n, int swap, vec *r, vec *i) {
  const real *a = (const real *)(const void *)from_a, *b = (const real *)(const void *)from_b;
  const int step = n == 32 ? PF_VL : 2 * PF_VL, count = n == 32 ? PF_VL : n / PF_VL;
#pragma GCC unroll 64
  for (int q = 0; q < count; q++) {
    vec v = any(a + q * step), w = any(b + q * step + step - PF_VL);
    vec re = SHUFFLE(v, w, SPLIT_RE), im = SHUFFLE(v, w, SPLIT_IM);
    r[q] = swap ? im : re;
    i[q] = swap ? re : im;
  }
}

/* A pair of real rows. */
INLINE void whole_pair(const char *from_a, const char *from_b, int n, vec *re, vec *im) {
  const real *a = (const real *)(const void *)from_a, *b = (const real *)(const void *)from_b;
#pragma GCC unroll 64
  for (int q = 0; q < n / PF_VL; q++) {
    re[q] = any(a + q * PF_VL);
    im[q] = any(b + q * PF_VL);
  }
}

/* The line whose transform the modes of a pair are. */
INLINE void whole_modes(const char *from_a, const char *from_b, int n, vec *re, vec *im) {
  const real *a = (const real *)(const void *)from_a, *b = (const real *)(const void *)from_b;
  const int half = n / PF_VL / 2;
  vec mr[512 / PF_VL / 2 + 1], mi[512 / PF_VL / 2 + 1];
#pragma GCC unroll 32
  for (int q = 0; q < half; q++) {
    vec ar, ai, br, bi;
    load_point(from_a, q * PF_VL, 0, &ar, &ai);
    load_point(from_b, q * PF_VL, 0, &br, &bi);
    re[q] = br + ai;
    im[q] = ar - bi;
    mr[q] = br - ai;
    mi[q] = ar + bi;
  }
  re[0][0] = b[0], im[0][0] = a[0]; /* the transform of a real line has no imaginary part here */
  mr[half] = (vec){0} + b[n], mi[half] = (vec){0} + a[n];
#pragma GCC unroll 32
  for (int q = 0; q < half; q++) {
    re[n / PF_VL - 1 - q] = SHUFFLE(mr[q], mr[q + 1], MIRROR);
    im[n / PF_VL - 1 - q] = SHUFFLE(mi[q], mi[q + 1], MIRROR);
  }
}

/* Lines of 32 points: the halves of vectors with the same points, from both lines, become one
 * vector. */
INLINE void whole_beside(vec *x) {
  vec y[PF_VL];
#pragma GCC unroll 8
  for (int q = 0; q < PF_VL / 2; q++) {
    y[2 * q] = SHUFFLE(x[q], x[PF_VL / 2 + q], LIST_4A);
    y[2 * q + 1] = SHUFFLE(x[q], x[PF_VL / 2 + q], LIST_4B);
  }
#pragma GCC unroll 8
  for (int q = 0; q < PF_VL; q++) x[q] = y[q];
}

/* ---- passes ---- */

/* A butterfly of a later pass: R vectors, each multiplied by its factors. */
#define WHOLE_BUTTERFLY(R, w, a, b)                                                             \
  do {                                                                                          \
    _Pragma("GCC unroll 8") for (int q_ = 1; q_ < R; q_++) {                                    \
      MULTIPLY((a)[q_], (b)[q_], four_step_factor(w, q_, 0, 0), four_step_factor(w, q_, 0, 1)); \
    }                                                                                           \
    dft##R(a, b);                                                                               \
  } while (0)

INLINE void whole_scale(real by, vec *r, vec *i, int count) {
  if (by == 1) return;
  const vec scale = (vec){0} + by;
#pragma GCC unroll 8
  for (int q = 0; q < count; q++) r[q] = rounded(r[q] * scale), i[q] = rounded(i[q] * scale);
}

/* Two passes, of radices 8 and R. */
#define WHOLE_TWO(R, N)                                                   \
  INLINE void whole_passes##N(walk *x, vec *r, vec *i) {                  \
    const real *w = x->p->grouped[1], scale = x->scale;                   \
    dft8(r, i);                                                           \
    transpose(r);                                                         \
    transpose(i);                                                         \
    _Pragma("GCC unroll 8") for (int line = 0; line < PF_VL; line += R) { \
      WHOLE_BUTTERFLY(R, w, r + line, i + line);                          \
      whole_scale(scale, r + line, i + line, R);                          \
    }                                                                     \
  }

/* Three passes, of radices 8, R and S: butterfly j of the first one is element j / S of the
 * sub-transform j % S of the second one. */
#define WHOLE_THREE(R, S, N)                                                              \
  INLINE void whole_passes##N(walk *x, vec *r, vec *i) {                                  \
    const real *second = x->p->grouped[1], *third = x->p->grouped[2], scale = x->scale;   \
    const int parts = N / four_step_radix / PF_VL;                                        \
    vec a[S][R], b[S][R];                                                                 \
    _Pragma("GCC unroll 8") for (int part = 0; part < parts; part++) {                    \
      vec s[four_step_radix], t[four_step_radix];                                         \
      _Pragma("GCC unroll 8") for (int q = 0; q < four_step_radix; q++) {                 \
        s[q] = r[q * parts + part];                                                       \
        t[q] = i[q * parts + part];                                                       \
      }                                                                                   \
      fetch_some(x);                                                                      \
      dft8(s, t);                                                                         \
      transpose(s);                                                                       \
      transpose(t);                                                                       \
      _Pragma("GCC unroll 8") for (int l = 0; l < PF_VL; l++) {                           \
        a[l % S][(part * PF_VL + l) / S] = s[l];                                          \
        b[l % S][(part * PF_VL + l) / S] = t[l];                                          \
      }                                                                                   \
    }                                                                                     \
    _Pragma("GCC unroll 8") for (int k = 0; k < S; k++) {                                 \
      fetch_some(x);                                                                      \
      WHOLE_BUTTERFLY(R, second, a[k], b[k]);                                             \
    }                                                                                     \
    _Pragma("GCC unroll 8") for (int j = 0; j < R; j++) {                                 \
      vec s[S], t[S];                                                                     \
      _Pragma("GCC unroll 8") for (int k = 0; k < S; k++) s[k] = a[k][j], t[k] = b[k][j]; \
      fetch_more(&x->ahead, 0);                                                           \
      WHOLE_BUTTERFLY(S, third + (S - 1) * j * four_step_block, s, t);                    \
      whole_scale(scale, s, t, S);                                                        \
      _Pragma("GCC unroll 8") for (int k = 0; k < S; k++) {                               \
        r[j + R * k] = s[k];                                                              \
        i[j + R * k] = t[k];                                                              \
      }                                                                                   \
    }                                                                                     \
  }

/* ---- lines to memory ---- */

INLINE void whole_points(const vec *r, const vec *i, int n, char *to, int swap, int stream) {
#pragma GCC unroll 64
  for (int v = 0; v < n / PF_VL; v++) store_point(to, v * PF_VL, swap, stream, r[v], i[v]);
}

/* The modes of a transformed pair. */
INLINE void whole_halves(const vec *r, const vec *i, int n, char *to_a, char *to_b, int stream) {
  const int all = n / PF_VL;
#pragma GCC unroll 32
  for (int q = 0; q < all / 2; q++) {
    vec s = SHUFFLE(r[all - 1 - q], r[(all - q) % all], MIRROR);
    vec j = SHUFFLE(i[all - 1 - q], i[(all - q) % all], MIRROR);
    store_point(to_a, q * PF_VL, 0, stream, (real)0.5 * (r[q] + s), (real)0.5 * (i[q] - j));
    store_point(to_b, q * PF_VL, 0, stream, (real)0.5 * (i[q] + j), (real)0.5 * (s - r[q]));
  }
  real *a = (real *)(void *)to_a + n, *b = (real *)(void *)to_b + n;
  a[0] = r[all / 2][0], a[1] = 0;
  b[0] = i[all / 2][0], b[1] = 0;
}

/* The numbers of a transformed pair: real and imaginary parts are exchanged. */
INLINE void whole_numbers(const vec *r, const vec *i, int n, char *to_a, char *to_b, int stream) {
#pragma GCC unroll 64
  for (int q = 0; q < n / PF_VL; q++) {
    put((real *)(void *)to_a + q * PF_VL, i[q], stream);
    put((real *)(void *)to_b + q * PF_VL, r[q], stream);
  }
}

/* ---- tiles ---- */

/* `early`: number of butterflies before the passes begin to prefetch. */
#define WHOLE_ROWS(LINES, N, early)                                                              \
  INLINE void whole_rows##N(walk *x, int swap, int stream) {                                     \
    const pf_lines *from = &x->job->from, *to = &x->job->to;                                     \
    for (int h = 0; h < lanes; h += LINES) {                                                     \
      vec r[LINES * N / PF_VL], i[LINES * N / PF_VL];                                            \
      _Pragma("GCC unroll 4") for (int k = 0; k < early; k++) fetch_some(x);                     \
      whole_rows(from->at[h] + from->offset, from->at[h + LINES - 1] + from->offset, N, swap, r, \
                 i);                                                                             \
      whole_passes##N(x, r, i);                                                                  \
      _Pragma("GCC unroll 2") for (int k = 0; k < LINES; k++) whole_points(                      \
          r + k * N / PF_VL, i + k * N / PF_VL, N, to->at[h + k] + to->offset, swap, stream);    \
    }                                                                                            \
  }

/* Here the type of stores is tested line by line, which costs nothing: the stored numbers are
 * computed separately, from all results. */
#define WHOLE_REALS(LINES, N, early)                                                            \
  INLINE void whole_reals##N(walk *x, int swap) {                                               \
    char *const *from = x->job->from.at, *const *to = x->job->to.at;                            \
    ptrdiff_t in = x->job->from.offset, out = x->job->to.offset;                                \
    int stream = streams(x);                                                                    \
    for (int h = 0; h < lanes; h += LINES) {                                                    \
      vec r[LINES * N / PF_VL], i[LINES * N / PF_VL];                                           \
      _Pragma("GCC unroll 4") for (int k = 0; k < early; k++) fetch_some(x);                    \
      _Pragma("GCC unroll 2") for (int k = 0; k < LINES; k++)(swap ? whole_modes : whole_pair)( \
          from[h + k] + in, from[lanes + h + k] + in, N, r + k * N / PF_VL, i + k * N / PF_VL); \
      if (LINES > 1) {                                                                          \
        whole_beside(r);                                                                        \
        whole_beside(i);                                                                        \
      }                                                                                         \
      whole_passes##N(x, r, i);                                                                 \
      _Pragma("GCC unroll 2") for (int k = 0; k < LINES; k++) {                                 \
        const vec *re = r + k * N / PF_VL, *im = i + k * N / PF_VL;                             \
        char *a = to[h + k] + out, *b = to[lanes + h + k] + out;                                \
        if (stream)                                                                             \
          (swap ? whole_numbers : whole_halves)(re, im, N, a, b, 1);                            \
        else                                                                                    \
          (swap ? whole_numbers : whole_halves)(re, im, N, a, b, 0);                            \
      }                                                                                         \
    }                                                                                           \
  }

/* A function for each type of rows, and within for each sign. */
#define WHOLE(LINES, N, early)     \
  WHOLE_ROWS(LINES, N, early)      \
  WHOLE_REALS(LINES, N, early)     \
  APART void complex##N(walk *x) { \
    BY_STORES(whole_rows##N, x);   \
  }                                \
  APART void reals##N(walk *x) {   \
    if (x->p->swap)                \
      whole_reals##N(x, 1);        \
    else                           \
      whole_reals##N(x, 0);        \
  }

WHOLE_TWO(4, 32)
WHOLE_TWO(8, 64)
WHOLE_THREE(8, 2, 128)
WHOLE_THREE(8, 4, 256)
WHOLE_THREE(8, 8, 512)
WHOLE(2, 32, 3)
WHOLE(1, 64, 2)
WHOLE(1, 128, 0)
WHOLE(1, 256, 0)
WHOLE(1, 512, 0)

/* Transforms a tile of rows, if they have one of these lengths. */
static int run_whole(walk *x) {
  int is_real = x->p->real;
  if (!x->p->whole) return 0;
  switch (x->p->n) {
    case 32: (is_real ? reals32 : complex32)(x); break;
    case 64: (is_real ? reals64 : complex64)(x); break;
    case 128: (is_real ? reals128 : complex128)(x); break;
    case 256: (is_real ? reals256 : complex256)(x); break;
    default: (is_real ? reals512 : complex512)(x); break;
  }
  return 1;
}

#endif
