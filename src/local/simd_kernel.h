/* SPDX-License-Identifier: BSD-3-Clause
 * The kernels of engine simd, in C with vector extensions.  Compiled once per instruction set and
 * precision, by a file that defines
 *
 *   PF_VECTOR        bytes per vector: 16, 32 or 64
 *   PF_NAME(x)       x with the instruction set's name
 *   PF_STREAM(p, v)  streaming store of vector v to the aligned address p
 *
 * Every butterfly works on whole vectors, one line per lane, so that none needs a shuffle: data is
 * shuffled on input, which separates real and imaginary parts (and transposes small blocks if lines
 * are contiguous), and on output, which interleaves them again.  Decimation in time, in place,
 * radices up to 16.  The first pass reads the points in digit-reversed order directly from memory,
 * and the last one writes directly to memory; between them a tile is processed in blocks that stay
 * in the L1 cache.  Source: Van Loan, Computational Frameworks for the FFT, 1992, chapters 1 and 2;
 * the order of the work: Frigo and Johnson, Proc. IEEE 93(2), 2005, section II. */
#include "base/memory.h"
#include "local/simd.h"

#include "local/simd_vector.h"
#include "local/simd_dft.h"

#include "local/simd_rows.h"
#include "local/simd_fetch.h"

/* ---- passes ---- */

/* The transform of one tile. */
typedef struct {
  const pf_simd_plan *p;
  const pf_job *job;
  real *tile, scale;
  const pf_factors *factors; /* of the results of the last pass; NULL: none */
  fetcher ahead, claims;
  ptrdiff_t shift;       /* bytes from the first tile of columns to this one (pf_job.more) */
  ptrdiff_t target, due; /* points to store; number prefetched so far; due 0: nothing to prefetch */
} walk;

/* Called for each butterfly before the last pass, which stores to the lines of pf_job.claim. */
INLINE void fetch_some(walk *x) {
  fetch_more(&x->ahead, 0);
  fetch_more(&x->claims, 1);
}

/* Prefetches cache lines that the results will cover only in part: otherwise each store would wait
 * for its line. */
APART void fetch_target(walk *x) {
  const pf_lines *to = &x->job->to;
  for (int c = 0; c < x->due && x->target < x->p->n; c++, x->target++) {
    ptrdiff_t k = x->target, size = 2 * (ptrdiff_t)sizeof(real);
    if (!to->at[k]) continue;
    const char *at = to->at[k] + (k < to->images ? to->offset : -to->offset - (lanes - 1) * size);
    if ((uintptr_t)at % PF_ALIGN == 0) continue;
    for (ptrdiff_t i = 0; i < lanes * size; i += PF_ALIGN) __builtin_prefetch(at + i, 1, 2);
    __builtin_prefetch(at + lanes * size - 1, 1, 2);
  }
}

/* Multiplies point k by its factors (twiddle.h), forward: for backward transforms, parts are
 * exchanged. */
INLINE void multiply_point(const pf_factors *f, ptrdiff_t k, int width, int h, vec *r, vec *i) {
  const real *c = (const real *)f->coarse + (k >> f->shift) * 4 * width + h;
  const real *s = (const real *)f->fine + (k & (((ptrdiff_t)1 << f->shift) - 1)) * 2 * width + h;
  vec cr = *(const vec *)c, ci = *(const vec *)(c + width);
  vec sr = *(const vec *)s, si = *(const vec *)(s + width), x = *r;
  vec re = cr + (*(const vec *)(c + 2 * width) + (cr * sr - ci * si));
  vec im = ci + (*(const vec *)(c + 3 * width) + (cr * si + ci * sr));
  *r = x * re - *i * im;
  *i = x * im + *i * re;
}

/* Prefetches the points of a butterfly of the first pass, which have large strides. */
INLINE void fetch_points(const walk *x, const pf_lines *from, ptrdiff_t k, int count) {
  for (int q = 0; q < count; q++) {
    ptrdiff_t point = x->p->input[k + q], image = from->images && point >= from->images;
    const char *at = from->at[point] + (image ? -from->offset : from->offset);
    __builtin_prefetch(at, 0, 3);
    __builtin_prefetch(at + (image ? -PF_ALIGN : PF_ALIGN), 0, 3);
  }
}

#include "local/simd_real.h"
#include "local/simd_columns.h"

/* Multiplies a point by a factor, the same for all lanes or one for each.  Everywhere the same
 * expressions, so that compilers fuse the same products: results agree to the last bit. */
#define MULTIPLY(r, i, wr, wi) \
  do {                         \
    vec a_ = r;                \
    r = a_ * (wr)-i * (wi);    \
    i = a_ * (wi) + i * (wr);  \
  } while (0)

/* Nonzero if lanes may have any order: not if columns become rows or if neighbours are a pair. */
INLINE int is_mixed(const pf_simd_plan *p) {
  return !p->transpose && !p->real;
}

INLINE int streams(const walk *x) {
  return x->job->stream && x->job->to.aligned;
}

/* Calls a function whose last arguments are constants here: the sign, and the type of stores.  (For
 * columns of 64 and 128 points GCC's code is slower, 1.03 to 1.09: last_columns has its own
 * branches.) */
#define BY_STORES(name, ...)   \
  do {                         \
    int stream_ = streams(x);  \
    if (x->p->swap && stream_) \
      name(__VA_ARGS__, 1, 1); \
    else if (x->p->swap)       \
      name(__VA_ARGS__, 1, 0); \
    else if (stream_)          \
      name(__VA_ARGS__, 0, 1); \
    else                       \
      name(__VA_ARGS__, 0, 0); \
  } while (0)

/* One pass: combines R sub-transforms of m points each into one of m R points.  Loop invariants are
 * read before the loops, since the compiler must assume that stores of vectors overwrite them.
 *   first   m is 1; points come from memory
 *   inner   in the tile
 *   last    points go to memory (columns), or stay in the tile to be transposed in blocks (rows) */
#define PASS(R)                                                                                    \
  INLINE void take##R(const real *t, ptrdiff_t step, const real *w, int twiddle, vec *r, vec *i) { \
    _Pragma("GCC unroll 16") for (int q = 0; q < R; q++) {                                         \
      r[q] = *(const vec *)(t + q * step);                                                         \
      i[q] = *(const vec *)(t + q * step + lanes);                                                 \
      if (!twiddle || !q) continue;                                                                \
      MULTIPLY(r[q], i[q], w[2 * q - 2], w[2 * q - 1]);                                            \
    }                                                                                              \
    dft##R(r, i);                                                                                  \
  }                                                                                                \
  INLINE void keep##R(real *t, ptrdiff_t step, const vec *r, const vec *i) {                       \
    _Pragma("GCC unroll 16") for (int q = 0; q < R; q++) {                                         \
      *(vec *)(t + q * step) = r[q];                                                               \
      *(vec *)(t + q * step + lanes) = i[q];                                                       \
    }                                                                                              \
  }                                                                                                \
  INLINE void first_pass##R(walk *x, ptrdiff_t begin, ptrdiff_t points, int swap, int mixed,       \
                            int some) {                                                            \
    const pf_lines *from = &x->job->from;                                                          \
    const pf_weights *weights = some ? x->job->weights : NULL;                                     \
    const int32_t *input = x->p->input;                                                            \
    char *const *at = from->at;                                                                    \
    ptrdiff_t ahead = x->job->fetch_butterflies * R, end = begin + points;                         \
    ptrdiff_t offset = from->offset + x->shift;                                                    \
    real *tile = x->tile;                                                                          \
    for (ptrdiff_t k = begin; k < end; k += R) {                                                   \
      fetch_some(x);                                                                               \
      if (x->due) fetch_target(x);                                                                 \
      if (ahead && k + ahead < x->p->n) fetch_points(x, from, k + ahead, R);                       \
      for (int h = 0; h < lanes; h += PF_VL) {                                                     \
        vec r[R], i[R];                                                                            \
        _Pragma("GCC unroll 16") for (int q = 0; q < R; q++) if (some)                             \
            load_any(from, input[k + q], h, swap, mixed, &r[q], &i[q]);                            \
        else load_lanes(at[input[k + q]] + offset, h, swap, mixed, &r[q], &i[q]);                  \
        if (weights)                                                                               \
          _Pragma("GCC unroll 16") for (int q = 0; q < R; q++)                                     \
              weigh_point(weights, input[k + q], h, mixed, &r[q], &i[q]);                          \
        dft##R(r, i);                                                                              \
        keep##R(tile + k * pair + h, pair, r, i);                                                  \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  APART void first_some##R(walk *x, ptrdiff_t begin, ptrdiff_t points, int mixed) {                \
    first_pass##R(x, begin, points, x->p->swap, mixed, 1);                                         \
  }                                                                                                \
  static void first##R(walk *x, ptrdiff_t begin, ptrdiff_t points) {                               \
    int mixed = is_mixed(x->p);                                                                    \
    if (x->job->from.images || x->job->weights)                                                    \
      first_some##R(x, begin, points, mixed);                                                      \
    else if (!mixed)                                                                               \
      first_pass##R(x, begin, points, x->p->swap, 0, 0);                                           \
    else if (x->p->swap)                                                                           \
      first_pass##R(x, begin, points, 1, 1, 0);                                                    \
    else                                                                                           \
      first_pass##R(x, begin, points, 0, 1, 0);                                                    \
  }                                                                                                \
  static void inner##R(walk *x, real *tile, ptrdiff_t points, ptrdiff_t m, const real *w) {        \
    for (ptrdiff_t k = 0; k < points; k += R * m)                                                  \
      for (ptrdiff_t j = 0; j < m; j++) {                                                          \
        fetch_some(x);                                                                             \
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
  INLINE void last_pass##R(walk *x, ptrdiff_t m, const real *w, int swap, int mixed, int stream,   \
                           int some) {                                                             \
    const pf_lines *to = &x->job->to;                                                              \
    char *const *at = to->at;                                                                      \
    ptrdiff_t ahead = some || stream ? 0 : x->job->claim_butterflies;                              \
    ptrdiff_t offset = to->offset + x->shift;                                                      \
    real *tile = x->tile, scale = x->scale;                                                        \
    for (ptrdiff_t j = 0; j < m; j++) {                                                            \
      fetch_more(&x->ahead, 0);                                                                    \
      if (ahead && j + ahead < m) claim_points(to, j + ahead, m, R);                               \
      for (int h = 0; h < lanes; h += PF_VL) {                                                     \
        vec r[R], i[R];                                                                            \
        take##R(tile + j * pair + h, m * pair, w + 2 * (R - 1) * j, 1, r, i);                      \
        if (scale != 1)                                                                            \
          _Pragma("GCC unroll 16") for (int q = 0; q < R; q++) r[q] *= scale, i[q] *= scale;       \
        _Pragma("GCC unroll 16") for (int q = 0; q < R; q++) if (some)                             \
            store_any(to, j + q * m, h, swap, mixed, stream, r[q], i[q]);                          \
        else store_lanes(at[j + q * m] + offset, h, swap, mixed, stream, r[q], i[q]);              \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  APART void last_some##R(walk *x, ptrdiff_t m, const real *w, int mixed) {                        \
    last_pass##R(x, m, w, x->p->swap, mixed, x->job->stream, 1);                                   \
  }                                                                                                \
  static void last_columns##R(walk *x, ptrdiff_t m, const real *w) {                               \
    int stream = x->job->stream && x->job->to.aligned, mixed = is_mixed(x->p);                     \
    if (x->job->to.gap || x->job->to.images)                                                       \
      last_some##R(x, m, w, mixed);                                                                \
    else if (!mixed)                                                                               \
      last_pass##R(x, m, w, x->p->swap, 0, stream, 0);                                             \
    else if (x->p->swap && stream)                                                                 \
      last_pass##R(x, m, w, 1, 1, 1, 0);                                                           \
    else if (x->p->swap)                                                                           \
      last_pass##R(x, m, w, 1, 1, 0, 0);                                                           \
    else if (stream)                                                                               \
      last_pass##R(x, m, w, 0, 1, 1, 0);                                                           \
    else                                                                                           \
      last_pass##R(x, m, w, 0, 1, 0, 0);                                                           \
  }                                                                                                \
  INLINE void last_points##R(walk *x, ptrdiff_t first, ptrdiff_t step, ptrdiff_t count,            \
                             ptrdiff_t m, const real *w, const pf_factors *f) {                    \
    for (ptrdiff_t j = first; j < first + count * step; j += step) {                               \
      fetch_more(&x->ahead, 0);                                                                    \
      for (int h = 0; h < lanes; h += PF_VL) {                                                     \
        vec r[R], i[R];                                                                            \
        real *t = x->tile + j * pair + h;                                                          \
        take##R(t, m *pair, w + 2 * (R - 1) * j, 1, r, i);                                         \
        if (f)                                                                                     \
          _Pragma("GCC unroll 16") for (int q = 0; q < R; q++)                                     \
              multiply_point(f, j + q * m, lanes, h, &r[q], &i[q]);                                \
        if (x->scale != 1)                                                                         \
          _Pragma("GCC unroll 16") for (int q = 0; q < R; q++) r[q] *= x->scale, i[q] *= x->scale; \
        keep##R(t, m *pair, r, i);                                                                 \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void last_rows##R(walk *x, ptrdiff_t first, ptrdiff_t step, ptrdiff_t count, ptrdiff_t m, \
                           const real *w) {                                                        \
    if (x->factors)                                                                                \
      last_points##R(x, first, step, count, m, w, x->factors);                                     \
    else                                                                                           \
      last_points##R(x, first, step, count, m, w, NULL);                                           \
  }

PASS(1)
PASS(2)
PASS(3)
PASS(4)
PASS(5)
PASS(6)
PASS(7)
PASS(8)
PASS(9)
PASS(10)
PASS(11)
PASS(12)
PASS(13)
PASS(14)
PASS(15)
PASS(16)

/* A pass of any odd prime radix: the first pass, from columns, or a pass in the tile. */
static void pass_any(walk *x, ptrdiff_t begin, ptrdiff_t points, ptrdiff_t m, int s) {
  const pf_simd_plan *p = x->p;
  const pf_lines *from = &x->job->from;
  const real *table = p->twiddle[s];
  int R = p->radix[s], take = s == 0 && !p->gathers, mixed = is_mixed(p);
  for (ptrdiff_t k = begin; k < begin + points; k += R * m)
    for (ptrdiff_t j = 0; j < m; j++) {
      const real *w = table + 2 * (R - 1) * j;
      real *tile = x->tile + (k + j) * pair;
      fetch_some(x);
      for (int h = 0; h < lanes; h += PF_VL) {
        vec r[PF_SIMD_PRIME], i[PF_SIMD_PRIME];
        int q = 0;
        do {
          real *t = tile + q * m * pair + h;
          if (take) {
            ptrdiff_t point = p->input[k + q];
            load_any(from, point, h, p->swap, mixed, &r[q], &i[q]);
            if (x->job->weights) weigh_point(x->job->weights, point, h, mixed, &r[q], &i[q]);
            continue;
          }
          r[q] = *(const vec *)t, i[q] = *(const vec *)(t + lanes);
          if (m == 1 || q == 0) continue;
          MULTIPLY(r[q], i[q], w[2 * q - 2], w[2 * q - 1]);
        } while (++q < R);
        dft_any(R, p->roots[s], r, i);
        for (q = 0; q < R; q++) {
          real *t = tile + q * m * pair + h;
          *(vec *)t = r[q], *(vec *)(t + lanes) = i[q];
        }
      }
    }
}

/* clang-format off */
#define CASES_2_TO_12(name, ...) \
  case 2: name##2(__VA_ARGS__); break; \
  case 3: name##3(__VA_ARGS__); break; \
  case 4: name##4(__VA_ARGS__); break; \
  case 5: name##5(__VA_ARGS__); break; \
  case 6: name##6(__VA_ARGS__); break; \
  case 7: name##7(__VA_ARGS__); break; \
  case 8: name##8(__VA_ARGS__); break; \
  case 9: name##9(__VA_ARGS__); break; \
  case 10: name##10(__VA_ARGS__); break; \
  case 11: name##11(__VA_ARGS__); break; \
  case 12: name##12(__VA_ARGS__); break;

#define BY_RADIX(radix, name, ...) \
  switch (radix) { \
    case 1: name##1(__VA_ARGS__); break; \
    CASES_2_TO_12(name, __VA_ARGS__) \
    case 13: name##13(__VA_ARGS__); break; \
    case 14: name##14(__VA_ARGS__); break; \
    case 15: name##15(__VA_ARGS__); break; \
    default: name##16(__VA_ARGS__); break; \
  }
/* clang-format on */

/* Pass s on some of the points, from sub-transforms of m points. */
static void pass_inner(walk *x, ptrdiff_t begin, ptrdiff_t points, ptrdiff_t m, int s) {
  const pf_simd_plan *p = x->p;
  real *tile = x->tile + begin * pair;
  if (p->radix[s] > PF_SIMD_RADIX)
    pass_any(x, begin, points, m, s);
  else if (s == 0 && !p->gathers)
    BY_RADIX(p->radix[s], first, x, begin, points)
  else
    BY_RADIX(p->radix[s], inner, x, tile, points, m, p->twiddle[s])
}

/* Points of a tile in half of a small L1 cache. */
enum { part_points = 16384 / (pair * (int)sizeof(real)) };

/* Passes 0 .. last on the points from `begin` on: blocks larger than the L1 cache are processed
 * part by part. */
static void run_block(walk *x, ptrdiff_t begin, ptrdiff_t points, int last) {
  const pf_simd_plan *p = x->p;
  ptrdiff_t m = 1;
  if (points > part_points && last > 0) {
    /* cppcheck-suppress arrayIndexOutOfBoundsCond ; there are fewer passes than elements */
    m = points / p->radix[last];
    for (ptrdiff_t k = 0; k < points; k += m) run_block(x, begin + k, m, last - 1);
    pass_inner(x, begin, points, m, last);
    return;
  }
  for (int s = 0; s <= last; m *= p->radix[s++]) pass_inner(x, begin, points, m, s);
}

/* All passes but the last one, which combines blocks of m points: pass by pass if the tile fits the
 * L1 cache together with its input, else block by block. */
static void run_blocks(walk *x, ptrdiff_t m) {
  const pf_simd_plan *p = x->p;
  ptrdiff_t part = p->n <= part_points / 2 ? p->n : m;
  for (ptrdiff_t begin = 0; begin < p->n; begin += part) run_block(x, begin, part, p->passes - 2);
}

#include "local/simd_finish.h"
#include "local/simd_short.h"
#include "local/simd_four_step.h"

static void PF_NAME(run)(const pf_simd_plan *p, void *tile, const pf_job *job) {
  walk x;
  x.p = p;
  x.job = job;
  x.tile = tile;
  x.scale = (real)job->scale;
  x.factors = p->real ? NULL : job->factors;
  x.shift = 0;
  x.target = 0;
  x.due = job->to.images && !p->transpose ? p->radix[0] : 0;
  if (run_short(&x)) return;
  int last = p->passes - 1;
  ptrdiff_t m = p->blocks;
  fetch_begin(&x.ahead, &job->fetch, p->butterflies);
  fetch_begin(&x.claims, &job->claim, p->butterflies - m * p->many);
  if (run_four_step(&x)) return;
  if (p->real && p->gathers)
    gather_reals(p, tile, job);
  else if (p->rows && job->weights)
    gather_rows(p, tile, &job->from, job->weights);
  else if (p->rows)
    gather_rows(p, tile, &job->from, NULL);
  if (p->many > 1) {
    transform_many(&x, m);
    return;
  }
  for (ptrdiff_t k = 0; k < job->more; k++) {
    run_blocks(&x, m);
    BY_RADIX(p->radix[last], last_columns, &x, m, p->twiddle[last])
    x.shift += pair * (ptrdiff_t)sizeof(real);
  }
  run_blocks(&x, m);
  if (p->real && !p->rows && (p->transpose || !p->swap))
    finish_real_columns(&x, m, p->radix[last], p->twiddle[last]);
  else if (p->transpose && job->to.runs)
    finish_transposed(&x, m, p->radix[last], p->twiddle[last]);
  else if (p->rows || p->transpose)
    finish_rows(&x, m, p->radix[last], p->twiddle[last]);
  else
    BY_RADIX(p->radix[last], last_columns, &x, m, p->twiddle[last])
}

/* Multiplies points by factors, from rows or columns to columns or rows. */
static void PF_NAME(multiply)(ptrdiff_t n, const pf_simd_side *from, const pf_simd_side *to,
                              const void *factors, double scale) {
  const real *w = factors;
  for (ptrdiff_t i = 0; i < n; i++, w += 2) {
    real wr = w[0] * (real)scale, wi = w[1] * (real)scale;
    if (from->rows || to->rows) {
      for (int j = 0; j < lanes; j++) {
        const real *x = (const real *)(from->lines.at[from->rows ? j : i] + from->lines.offset) +
                        2 * (from->rows ? i : j);
        real *y =
            (real *)(to->lines.at[to->rows ? j : i] + to->lines.offset) + 2 * (to->rows ? i : j);
        real re = x[0] * wr - x[1] * wi, im = x[0] * wi + x[1] * wr;
        y[0] = re;
        y[1] = im;
      }
      continue;
    }
    for (int h = 0; h < lanes; h += PF_VL) {
      vec r, m;
      load_lanes(from->lines.at[i] + from->lines.offset, h, 0, 1, &r, &m);
      store_lanes(to->lines.at[i] + to->lines.offset, h, 0, 1, 0, r * wr - m * wi, r * wi + m * wr);
    }
  }
}

const pf_simd_isa PF_NAME(pf_simd) = {.multiply = PF_NAME(multiply),
                                      .name = PF_ISA_NAME,
                                      .available = PF_NAME(available),
                                      .run = PF_NAME(run)};
