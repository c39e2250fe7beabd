/* SPDX-License-Identifier: BSD-3-Clause
 * The kernels of engine simd, in C with vector extensions.  Compiled once per instruction set and
 * precision, by a file that defines
 *
 *   PF_VECTOR        bytes per vector: 16, 32 or 64
 *   PF_NAME(x)       x with the instruction set's name
 *   PF_STREAM(p, v)  store vector v to aligned address p around the caches
 *
 * Every butterfly works on whole vectors, one line per lane, so that none needs a shuffle: all
 * shuffling is on the way in, which splits real and imaginary parts (and transposes small blocks
 * where lines are contiguous), and on the way out, which joins them again.  Decimation in time, in
 * place, radices 8, 7, 5, 4, 3, 2.  The first pass reads the points in the order of their reversed
 * digits straight from memory and the last one writes straight to memory; between them a tile is
 * worked on in pieces that stay in the first-level cache.
 * Source: Van Loan, Computational Frameworks for the FFT, 1992, chapters 1 and 2; the order of
 * the work: Frigo and Johnson, Proc. IEEE 93(2), 2005, section II. */
#include "base/memory.h"
#include "local/simd.h"

#ifdef PF_SINGLE
typedef float real;
enum { lanes = PF_LANES_SINGLE };
#define PF_VL (PF_VECTOR / 4)
#else
typedef double real;
enum { lanes = PF_LANES_DOUBLE };
#define PF_VL (PF_VECTOR / 8)
#endif
enum { pair = 2 * lanes }; /* numbers of a point of a tile: real parts, then imaginary parts */

typedef real vec __attribute__((vector_size(PF_VECTOR), may_alias));
typedef real vec_any __attribute__((vector_size(PF_VECTOR), aligned(sizeof(real)), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* ---- shuffles ---- */

#if PF_VL == 16
#define SPLIT_RE  0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define SPLIT_IM  1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define JOIN_LOW  0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define JOIN_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define LIST_1A   0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define LIST_1B   1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#define LIST_2A   0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define LIST_2B   2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define LIST_4A   0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define LIST_4B   4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define LIST_8A   0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define LIST_8B   8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#elif PF_VL == 8
#define SPLIT_RE  0, 2, 4, 6, 8, 10, 12, 14
#define SPLIT_IM  1, 3, 5, 7, 9, 11, 13, 15
#define JOIN_LOW  0, 8, 1, 9, 2, 10, 3, 11
#define JOIN_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define LIST_1A   0, 8, 2, 10, 4, 12, 6, 14
#define LIST_1B   1, 9, 3, 11, 5, 13, 7, 15
#define LIST_2A   0, 1, 8, 9, 4, 5, 12, 13
#define LIST_2B   2, 3, 10, 11, 6, 7, 14, 15
#define LIST_4A   0, 1, 2, 3, 8, 9, 10, 11
#define LIST_4B   4, 5, 6, 7, 12, 13, 14, 15
#elif PF_VL == 4
#define SPLIT_RE  0, 2, 4, 6
#define SPLIT_IM  1, 3, 5, 7
#define JOIN_LOW  0, 4, 1, 5
#define JOIN_HIGH 2, 6, 3, 7
#define LIST_1A   0, 4, 2, 6
#define LIST_1B   1, 5, 3, 7
#define LIST_2A   0, 1, 4, 5
#define LIST_2B   2, 3, 6, 7
#else
#define SPLIT_RE  0, 2
#define SPLIT_IM  1, 3
#define JOIN_LOW  0, 2
#define JOIN_HIGH 1, 3
#define LIST_1A   0, 2
#define LIST_1B   1, 3
#endif

#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/* Exchanges the off-diagonal blocks of pairs of rows at a distance: one step of a transpose. */
#define SWAP_BLOCKS(x, distance)                                                  \
  _Pragma("GCC unroll 16") for (int r = 0; r < PF_VL; r++) if (!(r & distance)) { \
    vec a_ = x[r], b_ = x[r + distance];                                          \
    x[r] = SHUFFLE(a_, b_, LIST_##distance##A);                                   \
    x[r + distance] = SHUFFLE(a_, b_, LIST_##distance##B);                        \
  }

/* A block of PF_VL x PF_VL numbers, transposed. */
INLINE void transpose(vec x[PF_VL]) {
  SWAP_BLOCKS(x, 1)
#if PF_VL >= 4
  SWAP_BLOCKS(x, 2)
#endif
#if PF_VL >= 8
  SWAP_BLOCKS(x, 4)
#endif
#if PF_VL >= 16
  SWAP_BLOCKS(x, 8)
#endif
}

/* ---- in and out ---- */

INLINE void put(real *to, vec v, int stream) {
  if (stream)
    PF_STREAM(to, v);
  else
    *(vec_any *)to = v;
}

/* A point of lines side by side: pairs in a row.  swap: a backward transform is a forward one whose
 * real and imaginary parts change places on the way in and out. */
INLINE void load_point(const char *from, int h, int swap, vec *r, vec *i) {
  const real *s = (const real *)from + 2 * h;
  vec a = *(const vec_any *)s, b = *(const vec_any *)(s + PF_VL);
  vec re = SHUFFLE(a, b, SPLIT_RE), im = SHUFFLE(a, b, SPLIT_IM);
  *r = swap ? im : re;
  *i = swap ? re : im;
}

INLINE void store_point(char *to, int h, int swap, int stream, vec r, vec i) {
  real *s = (real *)to + 2 * h;
  vec re = swap ? i : r, im = swap ? r : i;
  put(s, SHUFFLE(re, im, JOIN_LOW), stream);
  put(s + PF_VL, SHUFFLE(re, im, JOIN_HIGH), stream);
}

/* The points of PF_VL contiguous lines that fill one vector each: transposed, they are vectors of
 * real and imaginary parts in turn. */
enum { block_points = PF_VL / 2 };

static void gather_rows(const pf_simd_plan *p, real *tile, const pf_lines *from) {
  int even = p->swap ? lanes : 0, odd = lanes - even;
  ptrdiff_t whole = p->n / block_points * block_points;
  for (int h = 0; h < lanes; h += PF_VL) {
    const real *row[PF_VL];
    for (int r = 0; r < PF_VL; r++) row[r] = (const real *)(from->at[h + r] + from->offset);
    for (ptrdiff_t i = 0; i < whole; i += block_points) {
      vec x[PF_VL];
#pragma GCC unroll 16
      for (int r = 0; r < PF_VL; r++) x[r] = *(const vec_any *)(row[r] + 2 * i);
      transpose(x);
#pragma GCC unroll 8
      for (int k = 0; k < block_points; k++) {
        real *to = tile + (ptrdiff_t)p->place[i + k] * pair + h;
        *(vec *)(to + even) = x[2 * k];
        *(vec *)(to + odd) = x[2 * k + 1];
      }
    }
    for (ptrdiff_t i = whole; i < p->n; i++)
      for (int r = 0; r < PF_VL; r++) {
        real *to = tile + (ptrdiff_t)p->place[i] * pair + h + r;
        to[even] = row[r][2 * i];
        to[odd] = row[r][2 * i + 1];
      }
  }
}

INLINE void scatter_rows(const pf_simd_plan *p, const real *tile, const pf_lines *to,
                         ptrdiff_t first, ptrdiff_t points, int stream) {
  int even = p->swap ? lanes : 0, odd = lanes - even;
  ptrdiff_t whole = points / block_points * block_points;
  for (int h = 0; h < lanes; h += PF_VL) {
    real *row[PF_VL];
    for (int r = 0; r < PF_VL; r++) row[r] = (real *)(to->at[h + r] + to->offset) + 2 * first;
    const real *from = tile + first * pair + h;
    for (ptrdiff_t i = 0; i < whole; i += block_points) {
      vec x[PF_VL];
#pragma GCC unroll 8
      for (int k = 0; k < block_points; k++) {
        x[2 * k] = *(const vec *)(from + (i + k) * pair + even);
        x[2 * k + 1] = *(const vec *)(from + (i + k) * pair + odd);
      }
      transpose(x);
#pragma GCC unroll 16
      for (int r = 0; r < PF_VL; r++) put(row[r] + 2 * i, x[r], stream);
    }
    for (ptrdiff_t i = whole; i < points; i++)
      for (int r = 0; r < PF_VL; r++) {
        row[r][2 * i] = from[i * pair + even + r];
        row[r][2 * i + 1] = from[i * pair + odd + r];
      }
  }
}

/* ---- butterflies: forward DFTs of R vectors, in place, in natural order ---- */

/* (a, b) <- (a + b, a - b) */
#define SUM_DIFF(a, b) \
  do {                 \
    vec d_ = a - b;    \
    a = a + b;         \
    b = d_;            \
  } while (0)

INLINE void dft1(vec *r, vec *i) {
  (void)r, (void)i;
}

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
  const real h = (real)0.70710678118654752440;
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
    static const real cs[R][2] = {__VA_ARGS__};                           \
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

#define R_(x) (real) x
/* cos and sin of 2 pi m/R */
DFT_ODD(3, {1, 0}, {R_(-0.5), R_(0.86602540378443864676)}, {R_(-0.5), R_(-0.86602540378443864676)})
DFT_ODD(5, {1, 0}, {R_(0.30901699437494742410), R_(0.95105651629515357212)},
        {R_(-0.80901699437494742410), R_(0.58778525229247312917)},
        {R_(-0.80901699437494742410), R_(-0.58778525229247312917)},
        {R_(0.30901699437494742410), R_(-0.95105651629515357212)})
DFT_ODD(7, {1, 0}, {R_(0.62348980185873353053), R_(0.78183148246802980871)},
        {R_(-0.22252093395631440429), R_(0.97492791218182360702)},
        {R_(-0.90096886790241912624), R_(0.43388373911755812048)},
        {R_(-0.90096886790241912624), R_(-0.43388373911755812048)},
        {R_(-0.22252093395631440429), R_(-0.97492791218182360702)},
        {R_(0.62348980185873353053), R_(-0.78183148246802980871)})

/* ---- fetching ahead, some cache lines with each butterfly ---- */

typedef struct {
  const pf_fetch *what;
  ptrdiff_t row;
  int line;
  ptrdiff_t due, each, share; /* each/share pairs of lines are due with a butterfly */
} fetcher;

INLINE void fetch_some(fetcher *f) {
  for (f->due += f->each; f->due >= f->share; f->due -= f->share) {
    const char *p = f->what->at[f->row] + f->what->offset + f->line * PF_ALIGN;
    __builtin_prefetch(p, 0, 2);
    __builtin_prefetch(p + PF_ALIGN, 0, 2);
    f->line += 2;
    if (f->line < f->what->lines) continue;
    f->line = 0;
    if (++f->row == f->what->rows) f->due = f->each = 0; /* all asked for */
  }
}

/* ---- passes ---- */

/* A tile on its way. */
typedef struct {
  const pf_simd_plan *p;
  const pf_job *job;
  real *tile, scale;
  fetcher ahead;
} walk;

/* One pass: R sub-transforms of m points each become one of m R points.
 *   first   m is 1; points come from memory
 *   inner   in the tile
 *   last    points go to memory (columns) or, so that blocks of them can be transposed, stay in the
 *           tile (rows) */
#define PASS(R)                                                                                    \
  INLINE void take##R(const real *t, ptrdiff_t step, const real *w, int twiddle, vec *r, vec *i) { \
    _Pragma("GCC unroll 8") for (int q = 0; q < R; q++) {                                          \
      r[q] = *(const vec *)(t + q * step);                                                         \
      i[q] = *(const vec *)(t + q * step + lanes);                                                 \
      if (!twiddle || !q) continue;                                                                \
      vec a = r[q];                                                                                \
      r[q] = a * w[2 * q - 2] - i[q] * w[2 * q - 1];                                               \
      i[q] = a * w[2 * q - 1] + i[q] * w[2 * q - 2];                                               \
    }                                                                                              \
    dft##R(r, i);                                                                                  \
  }                                                                                                \
  INLINE void keep##R(real *t, ptrdiff_t step, const vec *r, const vec *i) {                       \
    _Pragma("GCC unroll 8") for (int q = 0; q < R; q++) {                                          \
      *(vec *)(t + q * step) = r[q];                                                               \
      *(vec *)(t + q * step + lanes) = i[q];                                                       \
    }                                                                                              \
  }                                                                                                \
  INLINE void first_pass##R(walk *x, ptrdiff_t begin, ptrdiff_t points, int swap) {                \
    const pf_lines *from = &x->job->from;                                                          \
    for (ptrdiff_t k = begin; k < begin + points; k += R) {                                        \
      fetch_some(&x->ahead);                                                                       \
      for (int h = 0; h < lanes; h += PF_VL) {                                                     \
        vec r[R], i[R];                                                                            \
        _Pragma("GCC unroll 8") for (int q = 0; q < R; q++)                                        \
            load_point(from->at[x->p->input[k + q]] + from->offset, h, swap, &r[q], &i[q]);        \
        dft##R(r, i);                                                                              \
        keep##R(x->tile + k * pair + h, pair, r, i);                                               \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void first##R(walk *x, ptrdiff_t begin, ptrdiff_t points) {                               \
    if (x->p->swap)                                                                                \
      first_pass##R(x, begin, points, 1);                                                          \
    else                                                                                           \
      first_pass##R(x, begin, points, 0);                                                          \
  }                                                                                                \
  static void inner##R(walk *x, real *tile, ptrdiff_t points, ptrdiff_t m, const real *w) {        \
    for (ptrdiff_t k = 0; k < points; k += R * m)                                                  \
      for (ptrdiff_t j = 0; j < m; j++) {                                                          \
        fetch_some(&x->ahead);                                                                     \
        for (int h = 0; h < lanes; h += PF_VL) {                                                   \
          vec r[R], i[R];                                                                          \
          real *t = tile + (k + j) * pair + h;                                                     \
          if (m == 1)                                                                              \
            take##R(t, pair, NULL, 0, r, i);                                                       \
          else                                                                                     \
            take##R(t, m *pair, w + 2 * (R - 1) * j, 1, r, i);                                     \
          keep##R(t, m *pair, r, i);                                                               \
        }                                                                                          \
      }                                                                                            \
  }                                                                                                \
  INLINE void last_pass##R(walk *x, ptrdiff_t m, const real *w, int swap, int stream) {            \
    const pf_lines *to = &x->job->to;                                                              \
    for (ptrdiff_t j = 0; j < m; j++) {                                                            \
      fetch_some(&x->ahead);                                                                       \
      for (int h = 0; h < lanes; h += PF_VL) {                                                     \
        vec r[R], i[R];                                                                            \
        take##R(x->tile + j * pair + h, m * pair, w + 2 * (R - 1) * j, 1, r, i);                   \
        if (x->scale != 1)                                                                         \
          _Pragma("GCC unroll 8") for (int q = 0; q < R; q++) r[q] *= x->scale, i[q] *= x->scale;  \
        _Pragma("GCC unroll 8") for (int q = 0; q < R; q++)                                        \
            store_point(to->at[j + q * m] + to->offset, h, swap, stream, r[q], i[q]);              \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void last_columns##R(walk *x, ptrdiff_t m, const real *w) {                               \
    int stream = x->job->stream && x->job->to.aligned;                                             \
    if (x->p->swap && stream)                                                                      \
      last_pass##R(x, m, w, 1, 1);                                                                 \
    else if (x->p->swap)                                                                           \
      last_pass##R(x, m, w, 1, 0);                                                                 \
    else if (stream)                                                                               \
      last_pass##R(x, m, w, 0, 1);                                                                 \
    else                                                                                           \
      last_pass##R(x, m, w, 0, 0);                                                                 \
  }                                                                                                \
  static void last_rows##R(walk *x, ptrdiff_t first, ptrdiff_t count, ptrdiff_t m,                 \
                           const real *w) {                                                        \
    for (ptrdiff_t j = first; j < first + count; j++) {                                            \
      fetch_some(&x->ahead);                                                                       \
      for (int h = 0; h < lanes; h += PF_VL) {                                                     \
        vec r[R], i[R];                                                                            \
        real *t = x->tile + j * pair + h;                                                          \
        take##R(t, m *pair, w + 2 * (R - 1) * j, 1, r, i);                                         \
        if (x->scale != 1)                                                                         \
          _Pragma("GCC unroll 8") for (int q = 0; q < R; q++) r[q] *= x->scale, i[q] *= x->scale;  \
        keep##R(t, m *pair, r, i);                                                                 \
      }                                                                                            \
    }                                                                                              \
  }

PASS(1)
PASS(2)
PASS(3)
PASS(4)
PASS(5)
PASS(7)
PASS(8)

#define BY_RADIX(radix, name, ...)        \
  switch (radix) {                        \
    case 1: name##1(__VA_ARGS__); break;  \
    case 2: name##2(__VA_ARGS__); break;  \
    case 3: name##3(__VA_ARGS__); break;  \
    case 4: name##4(__VA_ARGS__); break;  \
    case 5: name##5(__VA_ARGS__); break;  \
    case 7: name##7(__VA_ARGS__); break;  \
    default: name##8(__VA_ARGS__); break; \
  }

/* Passes 0 .. last on the points from `begin` on: parts of a tile larger than the first-level cache
 * one after the other. */
static void run_block(walk *x, ptrdiff_t begin, ptrdiff_t points, int last) {
  enum { small = 16384 / (pair * (int)sizeof(real)) };
  const pf_simd_plan *p = x->p;
  real *tile = x->tile + begin * pair;
  if (points > small && last > 0) {
    ptrdiff_t m = points / p->radix[last];
    for (ptrdiff_t k = 0; k < points; k += m) run_block(x, begin + k, m, last - 1);
    BY_RADIX(p->radix[last], inner, x, tile, points, m, p->twiddle[last])
    return;
  }
  if (p->rows)
    BY_RADIX(p->radix[0], inner, x, tile, points, 1, NULL)
  else
    BY_RADIX(p->radix[0], first, x, begin, points)
  ptrdiff_t m = p->radix[0];
  for (int s = 1; s <= last; m *= p->radix[s++])
    BY_RADIX(p->radix[s], inner, x, tile, points, m, p->twiddle[s])
}

/* The last pass on rows: in portions that can be transposed, and streamed, at once. */
static void finish_rows(walk *x, ptrdiff_t m, int radix, const real *w) {
  const pf_lines *to = &x->job->to;
  int stream = x->job->stream && to->aligned;
  if (m % block_points) {
    BY_RADIX(radix, last_rows, x, 0, m, m, w)
    if (stream)
      scatter_rows(x->p, x->tile, to, 0, x->p->n, 1);
    else
      scatter_rows(x->p, x->tile, to, 0, x->p->n, 0);
    return;
  }
  for (ptrdiff_t j = 0; j < m; j += block_points) {
    BY_RADIX(radix, last_rows, x, j, block_points, m, w)
    for (ptrdiff_t k = j; k < x->p->n; k += m)
      if (stream)
        scatter_rows(x->p, x->tile, to, k, block_points, 1);
      else
        scatter_rows(x->p, x->tile, to, k, block_points, 0);
  }
}

static void PF_NAME(run)(const pf_simd_plan *p, void *tile, const pf_job *job) {
  walk x = {.p = p, .job = job, .tile = tile, .scale = (real)job->scale};
  x.ahead = (fetcher){.what = &job->fetch, .share = p->butterflies};
  if (job->fetch.rows > 0) x.ahead.each = job->fetch.rows * ((job->fetch.lines + 1) / 2);
  int last = p->passes - 1;
  ptrdiff_t m = p->n / p->radix[last];
  if (p->rows) gather_rows(p, tile, &job->from);
  for (ptrdiff_t begin = 0; begin < p->n; begin += m) run_block(&x, begin, m, last - 1);
  if (p->rows)
    finish_rows(&x, m, p->radix[last], p->twiddle[last]);
  else
    BY_RADIX(p->radix[last], last_columns, &x, m, p->twiddle[last])
}

const pf_simd_isa PF_NAME(pf_simd) = {
    .name = PF_ISA_NAME, .available = PF_NAME(available), .run = PF_NAME(run)};
