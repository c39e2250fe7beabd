/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of real numbers in engine simd that are transposed once, part of simd_kernel.h: lines of two
 * rows as in simd_real.h, passes as in simd_turned.h.  The points that go in are one row in order,
 * as real parts, and another one, as imaginary parts. */
/* The first pass of a line. */
INLINE void turned_first_reals(walk *x, const real *re, const real *im, real *line) {
  ptrdiff_t m = x->p->n / turned_radix;
  for (ptrdiff_t j = 0; j < m; j += PF_VL) {
    vec r[turned_radix], i[turned_radix];
    fetch_some(x);
#pragma GCC unroll 16
    for (int q = 0; q < turned_radix; q++) {
      r[q] = *(const vec_any *)(re + q * m + j);
      i[q] = *(const vec_any *)(im + q * m + j);
    }
    turned_butterfly(x, j, PF_VL, line, line, r, i);
  }
}

/* All passes of a line, in order at the end. */
static void turned_line(walk *x, const real *re, const real *im, real *line) {
  const pf_simd_plan *p = x->p;
  ptrdiff_t blocks = p->n / turned_radix, m = 1;
  turned_first_reals(x, re, im, line);
  for (int s = 1; s < p->passes; m *= p->radix[s++])
    BY_RADIX(p->radix[s], turned_inner, x, line, blocks, m, p->turned[s])
}

/* Points from k on, a multiple of PF_VL: real parts, after a block's imaginary parts. */
INLINE const real *turned_at(const real *line, ptrdiff_t k) {
  return line + k / turned_radix * turned_block + k % turned_radix;
}

/* A product that compilers do not fuse with sums: kernels that keep it in a tile do not either. */
INLINE vec rounded(vec product) {
#ifdef __x86_64__
  __asm__("" : "+v"(product));
#endif
  return product;
}

/* The modes of both rows from a transformed line. */
INLINE void turned_split(const walk *x, const real *line, char *to_a, char *to_b, int stream) {
  ptrdiff_t n = x->p->n, half = n / 2;
  const vec scale = (vec){0} + x->scale;
  for (ptrdiff_t k = 0; k < half; k += PF_VL) {
    const real *at = turned_at(line, k), *low = turned_at(line, n - k - PF_VL);
    const real *high = turned_at(line, k ? n - k : 0);
    vec r = *(const vec *)at, s = SHUFFLE(*(const vec *)low, *(const vec *)high, MIRROR);
    at += turned_radix, low += turned_radix, high += turned_radix;
    vec i = *(const vec *)at, j = SHUFFLE(*(const vec *)low, *(const vec *)high, MIRROR);
    r = rounded(scale * r), i = rounded(scale * i), s = rounded(scale * s), j = rounded(scale * j);
    store_point(to_a, (int)k, 0, stream, (real)0.5 * (r + s), (real)0.5 * (i - j));
    store_point(to_b, (int)k, 0, stream, (real)0.5 * (i + j), (real)0.5 * (s - r));
  }
  real *a = (real *)(void *)to_a + n, *b = (real *)(void *)to_b + n;
  a[0] = x->scale * turned_at(line, half)[0], a[1] = 0;
  b[0] = x->scale * turned_at(line, half)[turned_radix], b[1] = 0;
}

/* A line from the modes of both rows: the parts are exchanged. */
INLINE void turned_join(const walk *x, const char *from_a, const char *from_b, real *re, real *im) {
  ptrdiff_t n = x->p->n, half = n / 2;
  for (ptrdiff_t k = 0; k < half; k += PF_VL) {
    vec ar, ai, br, bi;
    load_point(from_a, (int)k, 0, &ar, &ai);
    load_point(from_b, (int)k, 0, &br, &bi);
    *(vec *)(re + k) = br + ai;
    *(vec *)(im + k) = ar - bi;
    vec mr = br - ai, mi = ar + bi;
    *(vec_any *)(re + n - k - PF_VL + 1) = SHUFFLE(mr, mr, REVERSE);
    *(vec_any *)(im + n - k - PF_VL + 1) = SHUFFLE(mi, mi, REVERSE);
  }
  const real *a = (const real *)(const void *)from_a, *b = (const real *)(const void *)from_b;
  re[0] = b[0], im[0] = a[0]; /* the transform of a real line has no imaginary part here */
  re[half] = b[n], im[half] = a[n];
}

/* The points of both rows. */
INLINE void turned_part(const walk *x, const real *line, char *to_a, char *to_b, int stream) {
  real *a = (real *)(void *)to_a, *b = (real *)(void *)to_b;
  const vec scale = (vec){0} + x->scale;
  for (ptrdiff_t k = 0; k < x->p->n; k += PF_VL) {
    const real *at = turned_at(line, k);
    put(a + k, scale * *(const vec *)(at + turned_radix), stream);
    put(b + k, scale * *(const vec *)at, stream);
  }
}

static void turned_forward(walk *x, int h, int stream) {
  const pf_lines *from = &x->job->from, *to = &x->job->to;
  char *a = to->at[h] + to->offset, *b = to->at[lanes + h] + to->offset;
  turned_line(x, (const real *)(const void *)(from->at[h] + from->offset),
              (const real *)(const void *)(from->at[lanes + h] + from->offset), x->tile);
  if (stream)
    turned_split(x, x->tile, a, b, 1);
  else
    turned_split(x, x->tile, a, b, 0);
}

static void turned_backward(walk *x, int h, int stream) {
  const pf_lines *from = &x->job->from, *to = &x->job->to;
  char *a = to->at[h] + to->offset, *b = to->at[lanes + h] + to->offset;
  real *re = x->tile + 2 * x->p->n, *im = re + x->p->n + PF_VL;
  turned_join(x, from->at[h] + from->offset, from->at[lanes + h] + from->offset, re, im);
  turned_line(x, re, im, x->tile);
  if (stream)
    turned_part(x, x->tile, a, b, 1);
  else
    turned_part(x, x->tile, a, b, 0);
}

static void run_turned_reals(walk *x) {
  int stream = x->job->stream && x->job->to.aligned;
  for (int h = 0; h < lanes; h++) (x->p->swap ? turned_backward : turned_forward)(x, h, stream);
}

#if PF_VL == 8
/* Rows of 64 numbers, a pair at a time, and of 32, two pairs at a time, without a tile: in
 * registers alone where there are 32. */

/* The n points of a pair, or backward those that its n/2+1 modes are of: vectors in order. */
INLINE void turned_pair(const char *from_a, const char *from_b, int n, vec *re, vec *im) {
  const real *a = (const real *)(const void *)from_a, *b = (const real *)(const void *)from_b;
#pragma GCC unroll 8
  for (int q = 0; q < n / PF_VL; q++) {
    re[q] = any(a + q * PF_VL);
    im[q] = any(b + q * PF_VL);
  }
}

INLINE void turned_modes(const char *from_a, const char *from_b, int n, vec *re, vec *im) {
  enum { most = 64 / PF_VL / 2 };
  const real *a = (const real *)(const void *)from_a, *b = (const real *)(const void *)from_b;
  const int half = n / PF_VL / 2;
  vec mr[most + 1], mi[most + 1];
#pragma GCC unroll 8
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
#pragma GCC unroll 8
  for (int q = 0; q < half; q++) {
    re[n / PF_VL - 1 - q] = SHUFFLE(mr[q], mr[q + 1], MIRROR);
    im[n / PF_VL - 1 - q] = SHUFFLE(mi[q], mi[q + 1], MIRROR);
  }
}

/* The modes of a transformed pair. */
INLINE void turned_halves(const vec *r, const vec *i, int n, char *to_a, char *to_b, int stream) {
  const int all = n / PF_VL;
#pragma GCC unroll 8
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

/* The numbers of a transformed pair: parts are exchanged. */
INLINE void turned_numbers(const vec *r, const vec *i, int n, char *to_a, char *to_b, int stream) {
#pragma GCC unroll 8
  for (int q = 0; q < n / PF_VL; q++) {
    put((real *)(void *)to_a + q * PF_VL, i[q], stream);
    put((real *)(void *)to_b + q * PF_VL, r[q], stream);
  }
}

/* Of two lines, whose vectors come one after the other, halves of those with the same points. */
INLINE void turned_beside(vec *x) {
  vec y[PF_VL];
#pragma GCC unroll 8
  for (int q = 0; q < PF_VL / 2; q++) {
    y[2 * q] = SHUFFLE(x[q], x[PF_VL / 2 + q], LIST_4A);
    y[2 * q + 1] = SHUFFLE(x[q], x[PF_VL / 2 + q], LIST_4B);
  }
#pragma GCC unroll 8
  for (int q = 0; q < PF_VL; q++) x[q] = y[q];
}

#define TURNED_WHOLE_REALS(R, N)                                                              \
  INLINE void turned_reals##N(walk *x, int backward, int stream) {                            \
    char *const *from = x->job->from.at, *const *to = x->job->to.at;                          \
    ptrdiff_t in = x->job->from.offset, out = x->job->to.offset;                              \
    for (int h = 0; h < lanes; h += PF_VL / R) {                                              \
      vec r[PF_VL], i[PF_VL];                                                                 \
      _Pragma("GCC unroll 8") for (int k = 0; k < 1 + PF_VL / R; k++) fetch_some(x);          \
      _Pragma("GCC unroll 8") for (int row = 0; row < PF_VL / R;                              \
                                   row++)(backward ? turned_modes : turned_pair)(             \
          from[h + row] + in, from[lanes + h + row] + in, N, r + row * R, i + row * R);       \
      if (R < PF_VL) {                                                                        \
        turned_beside(r);                                                                     \
        turned_beside(i);                                                                     \
      }                                                                                       \
      turned_passes##N(x, r, i);                                                              \
      _Pragma("GCC unroll 8") for (int row = 0; row < PF_VL / R;                              \
                                   row++)(backward ? turned_numbers : turned_halves)(         \
          r + row * R, i + row * R, N, to[h + row] + out, to[lanes + h + row] + out, stream); \
    }                                                                                         \
  }

TURNED_WHOLE_REALS(4, 32)
TURNED_WHOLE_REALS(8, 64)
TURNED_STORES(turned_whole_reals32, turned_reals32)
TURNED_STORES(turned_whole_reals64, turned_reals64)
#endif
