/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of real numbers in engine simd that are transposed once, part of simd_kernel.h: lines of two
 * rows as in simd_real.h, passes as in simd_four_step.h.  The input is one row in order, as real
 * parts, and another one, as imaginary parts. */
/* The first pass of a line. */
INLINE void four_step_first_reals(walk *x, const real *re, const real *im, real *line) {
  ptrdiff_t m = x->p->n / four_step_radix;
  for (ptrdiff_t j = 0; j < m; j += PF_VL) {
    vec r[four_step_radix], i[four_step_radix];
    fetch_some(x);
#pragma GCC unroll 16
    for (int q = 0; q < four_step_radix; q++) {
      r[q] = *(const vec_any *)(re + q * m + j);
      i[q] = *(const vec_any *)(im + q * m + j);
    }
    four_step_butterfly(x, j, PF_VL, line, line, r, i);
  }
}

/* All passes of a line, in order at the end. */
static void four_step_line(walk *x, const real *re, const real *im, real *line) {
  const pf_simd_plan *p = x->p;
  ptrdiff_t blocks = p->n / four_step_radix, m = 1;
  four_step_first_reals(x, re, im, line);
  for (int s = 1; s < p->passes; m *= p->radix[s++])
    BY_FOUR_STEP(p->radix[s], four_step_inner, x, line, blocks, m, p->grouped[s])
}

/* Real parts of the points from k on, a multiple of PF_VL; imaginary parts: four_step_radix numbers
 * further. */
INLINE const real *four_step_at(const real *line, ptrdiff_t k) {
  return line + k / four_step_radix * four_step_block + k % four_step_radix;
}

/* A product that compilers do not fuse with sums: kernels that keep it in a tile do not either. */
INLINE vec rounded(vec product) {
#ifdef __x86_64__
  __asm__("" : "+v"(product));
#endif
  return product;
}

/* The modes of both rows from a transformed line. */
INLINE void four_step_split(const walk *x, const real *line, char *to_a, char *to_b, int stream) {
  ptrdiff_t n = x->p->n, half = n / 2;
  const vec scale = (vec){0} + x->scale;
  for (ptrdiff_t k = 0; k < half; k += PF_VL) {
    const real *at = four_step_at(line, k), *low = four_step_at(line, n - k - PF_VL);
    const real *high = four_step_at(line, k ? n - k : 0);
    vec r = *(const vec *)at, s = SHUFFLE(*(const vec *)low, *(const vec *)high, MIRROR);
    at += four_step_radix, low += four_step_radix, high += four_step_radix;
    vec i = *(const vec *)at, j = SHUFFLE(*(const vec *)low, *(const vec *)high, MIRROR);
    r = rounded(scale * r), i = rounded(scale * i), s = rounded(scale * s), j = rounded(scale * j);
    store_point(to_a, (int)k, 0, stream, (real)0.5 * (r + s), (real)0.5 * (i - j));
    store_point(to_b, (int)k, 0, stream, (real)0.5 * (i + j), (real)0.5 * (s - r));
  }
  real *a = (real *)(void *)to_a + n, *b = (real *)(void *)to_b + n;
  a[0] = x->scale * four_step_at(line, half)[0], a[1] = 0;
  b[0] = x->scale * four_step_at(line, half)[four_step_radix], b[1] = 0;
}

/* A line from the modes of both rows: real and imaginary parts are exchanged. */
INLINE void four_step_merge(const walk *x, const char *from_a, const char *from_b, real *re,
                            real *im) {
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
INLINE void four_step_part(const walk *x, const real *line, char *to_a, char *to_b, int stream) {
  real *a = (real *)(void *)to_a, *b = (real *)(void *)to_b;
  const vec scale = (vec){0} + x->scale;
  for (ptrdiff_t k = 0; k < x->p->n; k += PF_VL) {
    const real *at = four_step_at(line, k);
    put(a + k, scale * *(const vec *)(at + four_step_radix), stream);
    put(b + k, scale * *(const vec *)at, stream);
  }
}

static void four_step_forward(walk *x, int h, int stream) {
  const pf_lines *from = &x->job->from, *to = &x->job->to;
  char *a = to->at[h] + to->offset, *b = to->at[lanes + h] + to->offset;
  four_step_line(x, (const real *)(const void *)(from->at[h] + from->offset),
                 (const real *)(const void *)(from->at[lanes + h] + from->offset), x->tile);
  if (stream)
    four_step_split(x, x->tile, a, b, 1);
  else
    four_step_split(x, x->tile, a, b, 0);
}

static void four_step_backward(walk *x, int h, int stream) {
  const pf_lines *from = &x->job->from, *to = &x->job->to;
  char *a = to->at[h] + to->offset, *b = to->at[lanes + h] + to->offset;
  real *re = x->tile + 2 * x->p->n, *im = re + x->p->n + PF_VL;
  four_step_merge(x, from->at[h] + from->offset, from->at[lanes + h] + from->offset, re, im);
  four_step_line(x, re, im, x->tile);
  if (stream)
    four_step_part(x, x->tile, a, b, 1);
  else
    four_step_part(x, x->tile, a, b, 0);
}

static void run_four_step_reals(walk *x) {
  int stream = streams(x);
  for (int h = 0; h < lanes; h++)
    (x->p->swap ? four_step_backward : four_step_forward)(x, h, stream);
}
