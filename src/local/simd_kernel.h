/* SPDX-License-Identifier: BSD-3-Clause
 * The kernels of engine simd, in C with vector extensions.  Included once per instruction set by a
 * file that defines
 *
 *   PF_VL            doubles per vector: 2, 4 or 8
 *   PF_NAME(x)       x with the instruction set's name
 *   PF_STREAM(p, v)  store vector v to aligned address p around the caches
 *
 * Every butterfly works on whole vectors, one line per lane, so that none needs a shuffle: all
 * shuffling is in the gather, which splits real and imaginary parts (and transposes small blocks
 * where lines are contiguous) and puts each point where the digit reversal wants it, and in the
 * scatter, which joins them again.  Decimation in time, in place, radices 8, 7, 5, 4, 3, 2.
 * Source: Van Loan, Computational Frameworks for the FFT, 1992, chapters 1 and 2. */
#include "base/memory.h"
#include "local/simd.h"

typedef double vec __attribute__((vector_size(8 * PF_VL), may_alias));
typedef double vec_any __attribute__((vector_size(8 * PF_VL), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* ---- shuffles ---- */

#if PF_VL == 8
#define SPLIT_RE  0, 2, 4, 6, 8, 10, 12, 14
#define SPLIT_IM  1, 3, 5, 7, 9, 11, 13, 15
#define JOIN_LOW  0, 8, 1, 9, 2, 10, 3, 11
#define JOIN_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#elif PF_VL == 4
#define SPLIT_RE  0, 2, 4, 6
#define SPLIT_IM  1, 3, 5, 7
#define JOIN_LOW  0, 4, 1, 5
#define JOIN_HIGH 2, 6, 3, 7
#else
#define SPLIT_RE  0, 2
#define SPLIT_IM  1, 3
#define JOIN_LOW  0, 2
#define JOIN_HIGH 1, 3
#endif

#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/* Exchanges the off-diagonal blocks of two rows: one step of a transpose by halving. */
#define SWAP_BLOCKS(x, y, low, high)    \
  do {                                  \
    vec x_ = SHUFFLE(x, y, LIST_##low); \
    y = SHUFFLE(x, y, LIST_##high);     \
    x = x_;                             \
  } while (0)

#if PF_VL == 8
#define LIST_1A 0, 8, 2, 10, 4, 12, 6, 14
#define LIST_1B 1, 9, 3, 11, 5, 13, 7, 15
#define LIST_2A 0, 1, 8, 9, 4, 5, 12, 13
#define LIST_2B 2, 3, 10, 11, 6, 7, 14, 15
#define LIST_4A 0, 1, 2, 3, 8, 9, 10, 11
#define LIST_4B 4, 5, 6, 7, 12, 13, 14, 15
#elif PF_VL == 4
#define LIST_1A 0, 4, 2, 6
#define LIST_1B 1, 5, 3, 7
#define LIST_2A 0, 1, 4, 5
#define LIST_2B 2, 3, 6, 7
#else
#define LIST_1A 0, 2
#define LIST_1B 1, 3
#endif

/* A PF_VL x PF_VL block of doubles, transposed. */
INLINE void transpose(vec x[PF_VL]) {
#pragma GCC unroll 8
  for (int r = 0; r < PF_VL; r += 2) SWAP_BLOCKS(x[r], x[r + 1], 1A, 1B);
#if PF_VL >= 4
#pragma GCC unroll 8
  for (int r = 0; r < PF_VL; r += 4) {
    SWAP_BLOCKS(x[r], x[r + 2], 2A, 2B);
    SWAP_BLOCKS(x[r + 1], x[r + 3], 2A, 2B);
  }
#endif
#if PF_VL == 8
#pragma GCC unroll 4
  for (int r = 0; r < 4; r++) SWAP_BLOCKS(x[r], x[r + 4], 4A, 4B);
#endif
}

/* ---- gather and scatter ---- */

/* Eight lines side by side: a point is 16 numbers in a row. */
static void PF_NAME(gather_columns)(const pf_simd_plan *p, double *tile, const pf_piece *piece) {
  const double *from = piece->at.data;
  const int32_t *place = p->place + piece->first_point;
  double *re = tile + (p->swap ? PF_LANES : 0), *im = tile + (p->swap ? 0 : PF_LANES);
  for (ptrdiff_t i = 0; i < piece->points; i++, from += 2 * piece->at.along) {
    ptrdiff_t at = (ptrdiff_t)place[i] * PF_POINT;
#pragma GCC unroll 4
    for (int h = 0; h < PF_LANES; h += PF_VL) {
      vec a = *(const vec_any *)(from + 2 * h), b = *(const vec_any *)(from + 2 * h + PF_VL);
      *(vec *)(re + at + h) = SHUFFLE(a, b, SPLIT_RE);
      *(vec *)(im + at + h) = SHUFFLE(a, b, SPLIT_IM);
    }
  }
}

INLINE void put(double *to, vec v, int stream) {
  if (stream)
    PF_STREAM(to, v);
  else
    *(vec_any *)to = v;
}

INLINE void scatter_columns(const pf_simd_plan *p, const double *tile, const pf_piece *piece,
                            int stream) {
  double *to = piece->at.data;
  const double *re = tile + piece->first_point * PF_POINT + (p->swap ? PF_LANES : 0);
  const double *im = tile + piece->first_point * PF_POINT + (p->swap ? 0 : PF_LANES);
  for (ptrdiff_t i = 0; i < piece->points; i++, to += 2 * piece->at.along) {
#pragma GCC unroll 4
    for (int h = 0; h < PF_LANES; h += PF_VL) {
      vec a = *(const vec *)(re + i * PF_POINT + h), b = *(const vec *)(im + i * PF_POINT + h);
      put(to + 2 * h, SHUFFLE(a, b, JOIN_LOW), stream);
      put(to + 2 * h + PF_VL, SHUFFLE(a, b, JOIN_HIGH), stream);
    }
  }
}

static void PF_NAME(scatter_columns)(const pf_simd_plan *p, const double *tile,
                                     const pf_piece *piece, int stream) {
  if (stream)
    scatter_columns(p, tile, piece, 1);
  else
    scatter_columns(p, tile, piece, 0);
}

/* The points of PF_VL contiguous lines that fill one vector each: transposed, they are vectors of
 * real and imaginary parts in turn. */
enum { block_points = PF_VL / 2 };

static void PF_NAME(gather_rows)(const pf_simd_plan *p, double *tile, const pf_piece *piece) {
  const int32_t *place = p->place + piece->first_point;
  int odd = p->swap ? 0 : PF_LANES, even = p->swap ? PF_LANES : 0;
  ptrdiff_t whole = piece->points / block_points * block_points;
  for (int h = 0; h < PF_LANES; h += PF_VL) {
    const double *from = (const double *)piece->at.data + 2 * h * piece->at.across;
    for (ptrdiff_t i = 0; i < whole; i += block_points) {
      vec x[PF_VL];
#pragma GCC unroll 8
      for (int r = 0; r < PF_VL; r++)
        x[r] = *(const vec_any *)(from + 2 * (r * piece->at.across + i));
      transpose(x);
#pragma GCC unroll 4
      for (int k = 0; k < block_points; k++) {
        double *to = tile + (ptrdiff_t)place[i + k] * PF_POINT + h;
        *(vec *)(to + even) = x[2 * k];
        *(vec *)(to + odd) = x[2 * k + 1];
      }
    }
    for (ptrdiff_t i = whole; i < piece->points; i++)
      for (int r = 0; r < PF_VL; r++) {
        double *to = tile + (ptrdiff_t)place[i] * PF_POINT + h + r;
        to[even] = from[2 * (r * piece->at.across + i)];
        to[odd] = from[2 * (r * piece->at.across + i) + 1];
      }
  }
}

INLINE void scatter_rows(const pf_simd_plan *p, const double *tile, const pf_piece *piece,
                         int stream) {
  int odd = p->swap ? 0 : PF_LANES, even = p->swap ? PF_LANES : 0;
  ptrdiff_t whole = piece->points / block_points * block_points;
  for (int h = 0; h < PF_LANES; h += PF_VL) {
    double *to = (double *)piece->at.data + 2 * h * piece->at.across;
    const double *from = tile + piece->first_point * PF_POINT + h;
    for (ptrdiff_t i = 0; i < whole; i += block_points) {
      vec x[PF_VL];
#pragma GCC unroll 4
      for (int k = 0; k < block_points; k++) {
        x[2 * k] = *(const vec *)(from + (i + k) * PF_POINT + even);
        x[2 * k + 1] = *(const vec *)(from + (i + k) * PF_POINT + odd);
      }
      transpose(x);
#pragma GCC unroll 8
      for (int r = 0; r < PF_VL; r++) put(to + 2 * (r * piece->at.across + i), x[r], stream);
    }
    for (ptrdiff_t i = whole; i < piece->points; i++)
      for (int r = 0; r < PF_VL; r++) {
        to[2 * (r * piece->at.across + i)] = from[i * PF_POINT + even + r];
        to[2 * (r * piece->at.across + i) + 1] = from[i * PF_POINT + odd + r];
      }
  }
}

static void PF_NAME(scatter_rows)(const pf_simd_plan *p, const double *tile, const pf_piece *piece,
                                  int stream) {
  if (stream)
    scatter_rows(p, tile, piece, 1);
  else
    scatter_rows(p, tile, piece, 0);
}

/* ---- butterflies: forward DFTs of R vectors, in place, in natural order ---- */

/* (a, b) <- (a + b, a - b) */
#define SUM_DIFF(a, b) \
  do {                 \
    vec d_ = a - b;    \
    a = a + b;         \
    b = d_;            \
  } while (0)

INLINE void dft2(vec *r, vec *i) {
  SUM_DIFF(r[0], r[1]);
  SUM_DIFF(i[0], i[1]);
}

INLINE void dft4(vec *r, vec *i) {
  SUM_DIFF(r[0], r[2]);
  SUM_DIFF(i[0], i[2]);
  SUM_DIFF(r[1], r[3]);
  SUM_DIFF(i[1], i[3]);
  SUM_DIFF(r[0], r[1]); /* outputs 0 and 2 */
  SUM_DIFF(i[0], i[1]);
  vec r1 = r[2] + i[3], i1 = i[2] - r[3], r3 = r[2] - i[3], i3 = i[2] + r[3];
  r[2] = r[1], i[2] = i[1];
  r[1] = r1, i[1] = i1;
  r[3] = r3, i[3] = i3;
}

INLINE void dft8(vec *r, vec *i) {
  const double h = 0.70710678118654752440;
  vec er[4] = {r[0], r[2], r[4], r[6]}, ei[4] = {i[0], i[2], i[4], i[6]};
  vec or [4] = {r[1], r[3], r[5], r[7]}, oi[4] = {i[1], i[3], i[5], i[7]};
  dft4(er, ei);
  dft4(or, oi);
  vec a = or [1], b = oi[1], c = or [3], d = oi[3], e = or [2];
  or [1] = h * (a + b), oi[1] = h * (b - a); /* times exp(-i pi/4) */
  or [2] = oi[2], oi[2] = -e;                /* times -i */
  or [3] = h * (d - c), oi[3] = -h * (c + d);
#pragma GCC unroll 4
  for (int k = 0; k < 4; k++) {
    r[k] = er[k] + or [k], i[k] = ei[k] + oi[k];
    r[k + 4] = er[k] - or [k], i[k + 4] = ei[k] - oi[k];
  }
}

/* Odd prime R: pairs (j, R-j) share sums s and differences d, output k and R-k share products. */
#define DFT_ODD(R, ...)                                                   \
  INLINE void dft##R(vec *r, vec *i) {                                    \
    enum { half = (R - 1) / 2 };                                          \
    static const double cs[R][2] = {__VA_ARGS__};                         \
    vec sr[half], si[half], dr[half], di[half], r0 = r[0], i0 = i[0];     \
    vec tr = r0, ti = i0;                                                 \
    _Pragma("GCC unroll 8") for (int j = 0; j < half; j++) {              \
      sr[j] = r[j + 1] + r[R - 1 - j], si[j] = i[j + 1] + i[R - 1 - j];   \
      dr[j] = r[j + 1] - r[R - 1 - j], di[j] = i[j + 1] - i[R - 1 - j];   \
      tr += sr[j], ti += si[j];                                           \
    }                                                                     \
    r[0] = tr, i[0] = ti;                                                 \
    _Pragma("GCC unroll 8") for (int k = 1; k <= half; k++) {             \
      vec ar = r0, ai = i0, br = cs[k][1] * di[0], bi = cs[k][1] * dr[0]; \
      _Pragma("GCC unroll 8") for (int j = 0; j < half; j++) {            \
        int m = (j + 1) * k % R;                                          \
        ar += cs[m][0] * sr[j], ai += cs[m][0] * si[j];                   \
        if (j > 0) br += cs[m][1] * di[j], bi += cs[m][1] * dr[j];        \
      }                                                                   \
      r[k] = ar + br, i[k] = ai - bi;                                     \
      r[R - k] = ar - br, i[R - k] = ai + bi;                             \
    }                                                                     \
  }

/* cos and sin of 2 pi m/R */
DFT_ODD(3, {1, 0}, {-0.5, 0.86602540378443864676}, {-0.5, -0.86602540378443864676})
DFT_ODD(5, {1, 0}, {0.30901699437494742410, 0.95105651629515357212},
        {-0.80901699437494742410, 0.58778525229247312917},
        {-0.80901699437494742410, -0.58778525229247312917},
        {0.30901699437494742410, -0.95105651629515357212})
DFT_ODD(7, {1, 0}, {0.62348980185873353053, 0.78183148246802980871},
        {-0.22252093395631440429, 0.97492791218182360702},
        {-0.90096886790241912624, 0.43388373911755812048},
        {-0.90096886790241912624, -0.43388373911755812048},
        {-0.22252093395631440429, -0.97492791218182360702},
        {0.62348980185873353053, -0.78183148246802980871})

/* ---- fetching ahead, some cache lines with each butterfly ---- */

typedef struct {
  const pf_fetch *what;
  const char *row;
  int line, block;
  ptrdiff_t left;             /* rows of the block */
  ptrdiff_t due, each, share; /* each/share pairs of lines are due with a butterfly */
} fetcher;

static void next_block(fetcher *f) {
  const pf_fetch *w = f->what;
  if (f->block == w->blocks) {
    f->each = f->due = 0; /* all asked for */
    return;
  }
  f->row = w->block[f->block].first;
  f->left = w->block[f->block].rows;
  f->block++;
}

static fetcher start_fetching(const pf_fetch *what, ptrdiff_t butterflies) {
  fetcher f = {.what = what, .share = butterflies};
  if (!what || !what->blocks) return f;
  for (int k = 0; k < what->blocks; k++) f.each += what->block[k].rows;
  f.each *= (what->lines + 1) / 2;
  next_block(&f);
  return f;
}

INLINE void fetch_some(fetcher *f) {
  for (f->due += f->each; f->due >= f->share; f->due -= f->share) {
    const char *p = f->row + f->line * PF_ALIGN;
    __builtin_prefetch(p, 0, 2);
    __builtin_prefetch(p + PF_ALIGN, 0, 2);
    f->line += 2;
    if (f->line < f->what->lines) continue;
    f->line = 0;
    f->row += f->what->block[f->block - 1].stride;
    if (--f->left == 0) next_block(f);
  }
}

/* ---- passes ---- */

/* One pass: R sub-transforms of m points each become one of m R points. */
#define PASS(R)                                                                           \
  INLINE void butterfly##R(double *t, ptrdiff_t step, const double *w, int twiddle) {     \
    for (int h = 0; h < PF_LANES; h += PF_VL) {                                           \
      vec r[R], i[R];                                                                     \
      _Pragma("GCC unroll 8") for (int q = 0; q < R; q++) {                               \
        r[q] = *(vec *)(t + q * step + h);                                                \
        i[q] = *(vec *)(t + q * step + h + PF_LANES);                                     \
        if (twiddle && q) {                                                               \
          vec a = r[q];                                                                   \
          r[q] = a * w[2 * q - 2] - i[q] * w[2 * q - 1];                                  \
          i[q] = a * w[2 * q - 1] + i[q] * w[2 * q - 2];                                  \
        }                                                                                 \
      }                                                                                   \
      dft##R(r, i);                                                                       \
      _Pragma("GCC unroll 8") for (int q = 0; q < R; q++) {                               \
        *(vec *)(t + q * step + h) = r[q];                                                \
        *(vec *)(t + q * step + h + PF_LANES) = i[q];                                     \
      }                                                                                   \
    }                                                                                     \
  }                                                                                       \
  static void pass##R(double *t, ptrdiff_t n, ptrdiff_t m, const double *w, fetcher *f) { \
    if (m == 1) {                                                                         \
      for (ptrdiff_t k = 0; k < n; k += R) {                                              \
        fetch_some(f);                                                                    \
        butterfly##R(t + k * PF_POINT, PF_POINT, w, 0);                                   \
      }                                                                                   \
      return;                                                                             \
    }                                                                                     \
    for (ptrdiff_t k = 0; k < n; k += R * m)                                              \
      for (ptrdiff_t j = 0; j < m; j++) {                                                 \
        fetch_some(f);                                                                    \
        butterfly##R(t + (k + j) * PF_POINT, m * PF_POINT, w + 2 * (R - 1) * j, 1);       \
      }                                                                                   \
  }

PASS(2)
PASS(3)
PASS(4)
PASS(5)
PASS(7)
PASS(8)

static void PF_NAME(run)(const pf_simd_plan *p, double *tile, const pf_fetch *fetch) {
  fetcher f = start_fetching(fetch, p->butterflies);
  ptrdiff_t m = 1;
  for (int s = 0; s < p->passes; s++) {
    switch (p->radix[s]) {
      case 2: pass2(tile, p->n, m, p->twiddle[s], &f); break;
      case 3: pass3(tile, p->n, m, p->twiddle[s], &f); break;
      case 4: pass4(tile, p->n, m, p->twiddle[s], &f); break;
      case 5: pass5(tile, p->n, m, p->twiddle[s], &f); break;
      case 7: pass7(tile, p->n, m, p->twiddle[s], &f); break;
      default: pass8(tile, p->n, m, p->twiddle[s], &f); break;
    }
    m *= p->radix[s];
  }
}

const pf_simd_isa PF_NAME(pf_simd) = {.name = PF_ISA_NAME,
                                      .available = PF_NAME(available),
                                      .gather_columns = PF_NAME(gather_columns),
                                      .gather_rows = PF_NAME(gather_rows),
                                      .scatter_columns = PF_NAME(scatter_columns),
                                      .scatter_rows = PF_NAME(scatter_rows),
                                      .run = PF_NAME(run)};
