/* SPDX-License-Identifier: BSD-3-Clause
 * Columns of real numbers in engine simd, part of simd_kernel.h: two neighbouring columns have the
 * memory layout of a complex line, and are read and written as such.  This file computes their
 * modes, n/2+1 of each line (formulas: real.c), and writes rows if columns become rows: lane k
 * holds lines 2k (real parts) and 2k+1. */

/* The line of a lane of a point in a tile: real parts, then imaginary parts. */
INLINE int line_of(int lane) {
  return lane < lanes ? 2 * lane : 2 * (lane - lanes) + 1;
}

/* Mode k of lines side by side. */
INLINE two load_two(const char *from, int h) {
  const real *s = (const real *)(const void *)from + 4 * h;
  vec x[4];
#pragma GCC unroll 4
  for (int r = 0; r < 4; r++) x[r] = *(const vec_any *)(s + r * PF_VL);
  vec a = SHUFFLE(x[0], x[1], UNZIP_A), c = SHUFFLE(x[2], x[3], UNZIP_A);
  vec b = SHUFFLE(x[0], x[1], UNZIP_B), d = SHUFFLE(x[2], x[3], UNZIP_B);
  return (two){SHUFFLE(a, c, SPLIT_RE), SHUFFLE(a, c, SPLIT_IM), SHUFFLE(b, d, SPLIT_RE),
               SHUFFLE(b, d, SPLIT_IM)};
}

INLINE void store_two(char *to, int h, int stream, two t) {
  real *s = (real *)(void *)to + 4 * h;
  vec a = SHUFFLE(t.a_re, t.a_im, JOIN_LOW), c = SHUFFLE(t.a_re, t.a_im, JOIN_HIGH);
  vec b = SHUFFLE(t.b_re, t.b_im, JOIN_LOW), d = SHUFFLE(t.b_re, t.b_im, JOIN_HIGH);
  put(s, SHUFFLE(a, b, ZIP_LOW), stream);
  put(s + PF_VL, SHUFFLE(a, b, ZIP_HIGH), stream);
  put(s + 2 * PF_VL, SHUFFLE(c, d, ZIP_LOW), stream);
  put(s + 3 * PF_VL, SHUFFLE(c, d, ZIP_HIGH), stream);
}

static void gather_modes(const pf_simd_plan *p, real *tile, const pf_job *job) {
  const pf_lines *from = &job->from;
  ptrdiff_t ahead = 8 * (ptrdiff_t)job->fetch_butterflies;
  for (ptrdiff_t k = 0; k <= p->n / 2; k++) {
    if (ahead && k + ahead <= p->n / 2)
      for (int c = 0; c < 4; c++)
        __builtin_prefetch(from->at[k + ahead] + from->offset + c * PF_ALIGN, 0, 3);
    for (int h = 0; h < lanes; h += PF_VL)
      merge_two(p, tile, 0, h, k, load_two(from->at[k] + from->offset, h));
  }
}

INLINE void scatter_modes(const pf_simd_plan *p, const real *tile, const pf_lines *to, int stream) {
  for (ptrdiff_t k = 0; k <= p->n / 2; k++)
    for (int h = 0; h < lanes && to->at[k]; h += PF_VL)
      store_two(to->at[k] + to->offset, h, stream, part_two(p, tile, NULL, h, k));
}

/* Mode k times its factors. */
INLINE two factored(const pf_simd_plan *p, const real *tile, const pf_factors *f, int h,
                    ptrdiff_t k) {
  two t = part_two(p, tile, NULL, h, k);
  if (f) {
    multiply_point(f, k, pair, h, &t.a_re, &t.a_im);
    multiply_point(f, k, pair, lanes + h, &t.b_re, &t.b_im);
  }
  return t;
}

/* A run of modes to rows, which begin at `at`. */
INLINE void scatter_half_run(const pf_simd_plan *p, const real *tile, const pf_run *run,
                             char *const *at, ptrdiff_t offset, const pf_factors *f, int stream) {
  ptrdiff_t whole = run->count / block_points * block_points;
  for (int h = 0; h < lanes; h += PF_VL) {
    real *a[PF_VL], *b[PF_VL];
    for (int r = 0; r < PF_VL; r++) {
      a[r] = (real *)(void *)(at[2 * (h + r)] + offset);
      b[r] = (real *)(void *)(at[2 * (h + r) + 1] + offset);
    }
    for (ptrdiff_t i = 0; i < whole; i += block_points) {
      vec x[PF_VL], y[PF_VL];
#pragma GCC unroll 8
      for (int k = 0; k < block_points; k++) {
        two t = factored(p, tile, f, h, run->first + (i + k) * run->step);
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
    for (ptrdiff_t i = whole; i < run->count; i++) {
      two t = factored(p, tile, f, h, run->first + i * run->step);
      for (int r = 0; r < PF_VL; r++) {
        a[r][2 * i] = t.a_re[r], a[r][2 * i + 1] = t.a_im[r];
        b[r][2 * i] = t.b_re[r], b[r][2 * i + 1] = t.b_im[r];
      }
    }
  }
}

/* A run of real numbers to rows; backward, real and imaginary parts are exchanged. */
INLINE void scatter_real_run(const real *tile, const pf_run *run, char *const *at, ptrdiff_t offset,
                             int stream) {
  for (int h = 0; h < 2 * lanes; h += PF_VL) {
    real *row[PF_VL];
    const real *from = tile + run->first * pair + (h + lanes) % (2 * lanes);
    for (int r = 0; r < PF_VL; r++) row[r] = (real *)(void *)(at[line_of(h + r)] + offset);
    scatter_numbers(from, NULL, run->step * pair, run->count, row, stream);
  }
}

/* All points of a tile, scaled. */
INLINE void scatter_real_columns(const pf_simd_plan *p, const real *tile, const pf_job *job,
                                 int stream) {
  const pf_lines *to = &job->to;
  const pf_run all = {0, 1, p->swap ? p->n : p->n / 2 + 1};
  if (!p->transpose) {
    scatter_modes(p, tile, to, stream);
    return;
  }
  for (int r = 0; r < (to->runs ? to->runs : 1); r++) {
    const pf_run *run = to->runs ? &to->run[r] : &all;
    if (p->swap)
      scatter_real_run(tile, run, to->at + r * pair, to->offset, stream);
    else if (job->factors)
      scatter_half_run(p, tile, run, to->at + r * pair, to->offset, job->factors, stream);
    else
      scatter_half_run(p, tile, run, to->at + r * pair, to->offset, NULL, stream);
  }
}

/* ---- lines of real numbers, rows and columns ---- */

static void gather_reals(const pf_simd_plan *p, real *tile, const pf_job *job) {
  if (p->swap && p->rows && p->many > 1)
    gather_half(p, tile, 1, &job->from);
  else if (p->swap && p->rows)
    gather_half(p, tile, 0, &job->from);
  else if (p->swap)
    gather_modes(p, tile, job);
  else
    gather_real(p, tile, &job->from);
}
