/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of real numbers in engine simd, part of simd_kernel.h: rows 0 .. lanes-1 of a tile are the
 * real parts of its complex lines, the next ones the imaginary parts (formulas: real.c).  Input is
 * transposed in blocks; output separates both lines, from points k and n-k.  Backward, real and
 * imaginary parts are exchanged as for complex rows.  Rows of several fields interleave their
 * points, and k counts all. */

/* ---- n real points of each row ---- */

static void gather_real(const pf_simd_plan *p, real *tile, const pf_lines *from) {
  const int32_t *position = p->position; /* compilers cannot know that no store changes it */
  ptrdiff_t all = p->n * p->many, whole = in_blocks(all, PF_VL, 0);
  for (int h = 0; h < 2 * lanes; h += PF_VL) {
    const real *row[PF_VL];
    for (int r = 0; r < PF_VL; r++) row[r] = (const real *)(from->at[h + r] + from->offset);
    for (ptrdiff_t i = 0; i < whole; i = next_block(i, PF_VL, whole)) {
      vec x[PF_VL];
#pragma GCC unroll 16
      for (int r = 0; r < PF_VL; r++) x[r] = *(const vec_any *)(row[r] + i);
      transpose(x);
#pragma GCC unroll 16
      for (int k = 0; k < PF_VL; k++) *(vec *)(tile + (ptrdiff_t)position[i + k] * pair + h) = x[k];
    }
    for (ptrdiff_t i = whole; i < all; i++)
      for (int r = 0; r < PF_VL; r++) tile[(ptrdiff_t)position[i] * pair + h + r] = row[r][i];
  }
}

/* One number of each of `count` points, `step` numbers apart, to PF_VL rows. */
INLINE void scatter_numbers(const real *from, const int32_t *order, ptrdiff_t step, ptrdiff_t count,
                            real *const row[PF_VL], int stream) {
  ptrdiff_t whole = in_blocks(count, PF_VL, stream);
  for (ptrdiff_t i = 0; i < whole; i = next_block(i, PF_VL, whole)) {
    vec x[PF_VL];
#pragma GCC unroll 16
    for (int k = 0; k < PF_VL; k++) x[k] = *(const vec *)(from + position_of(order, i + k) * step);
    transpose(x);
#pragma GCC unroll 16
    for (int r = 0; r < PF_VL; r++) put(row[r] + i, x[r], stream);
  }
  for (ptrdiff_t i = whole; i < count; i++)
    for (int r = 0; r < PF_VL; r++) row[r][i] = from[position_of(order, i) * step + r];
}

INLINE void scatter_real(const pf_simd_plan *p, const real *tile, const int32_t *order,
                         const pf_lines *to, int stream) {
  for (int h = 0; h < 2 * lanes; h += PF_VL) {
    real *row[PF_VL];
    const real *from = tile + (h + lanes) % (2 * lanes); /* the parts are exchanged */
    for (int r = 0; r < PF_VL; r++) row[r] = (real *)(to->at[h + r] + to->offset);
    scatter_numbers(from, order, pair, p->n * p->many, row, stream);
  }
}

/* ---- n/2+1 complex points of each row ---- */

/* The element of point n-k if this one is point k, and itself for k = 0. */
INLINE ptrdiff_t mirror_of(const pf_simd_plan *p, ptrdiff_t k, int many) {
  return many ? p->mirror[k] : k ? p->n - k : 0;
}

/* Point k of rows a and b, the real and the imaginary part of a line: vectors of PF_VL lines,
 * beginning with line h. */
typedef struct {
  vec a_re, a_im, b_re, b_im;
} two;

INLINE two part_two(const pf_simd_plan *p, const real *tile, const int32_t *order, int h,
                    ptrdiff_t k) {
  const real *at = tile + position_of(order, k) * pair + h;
  const real *mirror = tile + position_of(order, mirror_of(p, k, order != NULL)) * pair + h;
  vec r = *(const vec *)at, i = *(const vec *)(at + lanes);
  vec s = *(const vec *)mirror, j = *(const vec *)(mirror + lanes);
  return (two){(real)0.5 * (r + s), (real)0.5 * (i - j), (real)0.5 * (i + j), (real)0.5 * (s - r)};
}

/* Rows with a gap, which is at their end, are stored only up to it. */
INLINE ptrdiff_t half_points(const pf_simd_plan *p, const pf_lines *lines) {
  return lines->gap ? lines->gap->lo : (p->n / 2 + 1) * p->many;
}

INLINE void scatter_half(const pf_simd_plan *p, const real *tile, const int32_t *order,
                         const pf_lines *to, int stream) {
  ptrdiff_t points = half_points(p, to), whole = in_blocks(points, block_points, stream);
  for (int h = 0; h < lanes; h += PF_VL) {
    real *a[PF_VL], *b[PF_VL];
    for (int r = 0; r < PF_VL; r++) {
      a[r] = (real *)(to->at[h + r] + to->offset);
      b[r] = (real *)(to->at[lanes + h + r] + to->offset);
    }
    for (ptrdiff_t i = 0; i < whole; i = next_block(i, block_points, whole)) {
      vec x[PF_VL], y[PF_VL];
#pragma GCC unroll 8
      for (int k = 0; k < block_points; k++) {
        two t = part_two(p, tile, order, h, i + k);
        x[2 * k] = t.a_re, x[2 * k + 1] = t.a_im;
        y[2 * k] = t.b_re, y[2 * k + 1] = t.b_im;
      }
      transpose(x);
      transpose(y);
#pragma GCC unroll 16
      for (int r = 0; r < PF_VL; r++) {
        put(a[r] + 2 * i, x[r], stream);
        put(b[r] + 2 * i, y[r], stream);
      }
    }
    for (ptrdiff_t i = whole; i < points; i++) {
      two t = part_two(p, tile, order, h, i);
      for (int r = 0; r < PF_VL; r++) {
        a[r][2 * i] = t.a_re[r], a[r][2 * i + 1] = t.a_im[r];
        b[r][2 * i] = t.b_re[r], b[r][2 * i + 1] = t.b_im[r];
      }
    }
  }
}

/* Backward: real and imaginary parts are exchanged. */
INLINE void merge_two(const pf_simd_plan *p, real *tile, int many, int h, ptrdiff_t k, two t) {
  ptrdiff_t other = mirror_of(p, k, many);
  real *at = tile + (ptrdiff_t)p->position[k] * pair + h;
  if (k == other) { /* the transform of a real line has no imaginary part here */
    *(vec *)(at + lanes) = t.a_re;
    *(vec *)at = t.b_re;
    return;
  }
  real *mirror = tile + (ptrdiff_t)p->position[other] * pair + h;
  *(vec *)(at + lanes) = t.a_re - t.b_im;
  *(vec *)at = t.b_re + t.a_im;
  *(vec *)(mirror + lanes) = t.a_re + t.b_im;
  *(vec *)mirror = t.b_re - t.a_im;
}

INLINE vec any(const real *at) {
  return *(const vec_any *)at;
}

INLINE void gather_half(const pf_simd_plan *p, real *tile, int many, const pf_lines *from) {
  ptrdiff_t points = half_points(p, from), whole = in_blocks(points, block_points, 0);
  for (int h = 0; h < lanes; h += PF_VL) {
    const real *a[PF_VL], *b[PF_VL];
    for (int r = 0; r < PF_VL; r++) {
      a[r] = (const real *)(from->at[h + r] + from->offset);
      b[r] = (const real *)(from->at[lanes + h + r] + from->offset);
    }
    for (ptrdiff_t i = 0; i < whole; i = next_block(i, block_points, whole)) {
      vec x[PF_VL], y[PF_VL];
#pragma GCC unroll 16
      for (int r = 0; r < PF_VL; r++) {
        x[r] = *(const vec_any *)(a[r] + 2 * i);
        y[r] = *(const vec_any *)(b[r] + 2 * i);
      }
      transpose(x);
      transpose(y);
#pragma GCC unroll 8
      for (int k = 0; k < block_points; k++)
        merge_two(p, tile, many, h, i + k, (two){x[2 * k], x[2 * k + 1], y[2 * k], y[2 * k + 1]});
    }
    for (ptrdiff_t i = whole; i < points; i++) {
      real t[4][PF_VL];
      for (int r = 0; r < PF_VL; r++) {
        t[0][r] = a[r][2 * i], t[1][r] = a[r][2 * i + 1];
        t[2][r] = b[r][2 * i], t[3][r] = b[r][2 * i + 1];
      }
      merge_two(p, tile, many, h, i, (two){any(t[0]), any(t[1]), any(t[2]), any(t[3])});
    }
    for (ptrdiff_t i = points; i < (p->n / 2 + 1) * p->many; i++)
      merge_two(p, tile, many, h, i, (two){{0}, {0}, {0}, {0}});
  }
}

/* ---- both directions ---- */

INLINE void scatter_either(const pf_simd_plan *p, const real *tile, const int32_t *order,
                           const pf_lines *to, int stream) {
  if (p->swap && stream)
    scatter_real(p, tile, order, to, 1);
  else if (p->swap)
    scatter_real(p, tile, order, to, 0);
  else if (stream)
    scatter_half(p, tile, order, to, 1);
  else
    scatter_half(p, tile, order, to, 0);
}

static void scatter_reals(const pf_simd_plan *p, const real *tile, const pf_lines *to, int stream) {
  scatter_either(p, tile, NULL, to, stream);
}

/* Rows of several fields. */
static void scatter_many_reals(const pf_simd_plan *p, const real *tile, const pf_lines *to,
                               int stream) {
  scatter_either(p, tile, p->order, to, stream);
}
