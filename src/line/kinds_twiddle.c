/* SPDX-License-Identifier: BSD-3-Clause
 * The factors of lines with a kind, and the signs and zeros of their points. */
#include <string.h>

#include "line/kinds.h"

/* Neighbours of a line: element i is multiplied by scale * root(first + step * i), and conjugated.
 */
typedef struct twiddle {
  const pf_roots *roots;
  ptrdiff_t first, step;
  double scale;
  int conjugate, threads;
} twiddle;

#ifdef _OPENMP
#define THREADS(count) \
  _Pragma("omp parallel for num_threads(t->threads) schedule(static) if (t->threads > 1)")
#else
#define THREADS(count)
#endif

#define STEPS(type)                                                                          \
  static void twiddle_##type(const twiddle *t, type *at, ptrdiff_t count) {                  \
    THREADS(count)                                                                           \
    for (ptrdiff_t i = 0; i < count; i++) {                                                  \
      double w[2], rest[2], x = (double)at[2 * i], y = (double)at[2 * i + 1];                \
      pf_roots_at(t->roots, t->first + t->step * i, w, rest);                                \
      double re = t->scale * w[0], im = t->scale * w[1], sum = x * im + y * re;              \
      at[2 * i] = (type)(x * re - y * im);                                                   \
      at[2 * i + 1] = (type)(t->conjugate ? -sum : sum);                                     \
    }                                                                                        \
  }                                                                                          \
  static void multiply_##type(type *at, ptrdiff_t count, double factor) {                    \
    for (ptrdiff_t i = 0; i < count; i++) at[i] = (type)((double)at[i] * factor);            \
  }                                                                                          \
  static void hartley_##type(type *at, ptrdiff_t count, double scale) {                      \
    for (ptrdiff_t i = 0; i < count; i++) {                                                  \
      double re = (double)at[2 * i] * scale, im = (double)at[2 * i + 1] * scale;             \
      at[2 * i] = (type)(re - im);                                                           \
      at[2 * i + 1] = (type)(re + im);                                                       \
    }                                                                                        \
  }                                                                                          \
  static void swap_##type(type *at, ptrdiff_t count) {                                       \
    for (ptrdiff_t i = 0; i < count; i++) {                                                  \
      type re = at[2 * i];                                                                   \
      at[2 * i] = at[2 * i + 1];                                                             \
      at[2 * i + 1] = re;                                                                    \
    }                                                                                        \
  }                                                                                          \
  static void widen_##type(const type *from, ptrdiff_t every, ptrdiff_t count, type *at) {   \
    for (ptrdiff_t i = 0; i < count; i++) at[2 * i] = from[i * every], at[2 * i + 1] = 0;    \
  }                                                                                          \
  static void narrow_##type(const type *at, ptrdiff_t count, double scale, ptrdiff_t every,  \
                            type *to) {                                                      \
    for (ptrdiff_t i = 0; i < count; i++) to[i * every] = (type)((double)at[2 * i] * scale); \
  }

STEPS(double)
STEPS(float)

/* ---- lines of either precision ---- */

/* An inner line, and the caller's numbers of it. */
typedef struct line {
  const pf_kind_pass *s;
  pf_range block; /* of this rank in the inner line */
  char *at;
  char *array;
  size_t number;
} line;

#define EITHER(l, call, first, ...)                                                      \
  ((l)->number == sizeof(double) ? call##_double((double *)(void *)(first), __VA_ARGS__) \
                                 : call##_float((float *)(void *)(first), __VA_ARGS__))

/* Multiplies elements lo .. end-1 of the block by root(each * index + first), of 8 n. */
static void twiddle_part(const line *l, pf_range part, twiddle t) {
  ptrdiff_t skip = part.lo - l->block.lo;
  char *at = l->at + (size_t)(2 * skip) * l->number;
  t.roots = l->s->roots;
  t.threads = l->s->threads;
  t.first += t.step * part.lo;
  if (l->number == sizeof(double))
    twiddle_double(&t, (double *)(void *)at, part.len);
  else
    twiddle_float(&t, (float *)(void *)at, part.len);
}

/* Changes the signs of real points from index lo on. */
static void negate_from(const line *l, ptrdiff_t lo) {
  ptrdiff_t end = l->block.lo + l->block.len, first = lo > l->block.lo ? lo : l->block.lo;
  if (first >= end) return;
  EITHER(l, multiply, l->at + (size_t)(first - l->block.lo) * l->number, end - first, -1);
}

/* Sets number i of the block to *from, or to 0 if from is NULL. */
static void set(const line *l, ptrdiff_t i, const char *from) {
  if (from)
    memcpy(l->at + (size_t)i * l->number, from, l->number);
  else
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): this rank has elements */
    memset(l->at + (size_t)i * l->number, 0, l->number);
}

static int has(const line *l, ptrdiff_t index) {
  return index >= l->block.lo && index < l->block.lo + l->block.len;
}

/* ---- types ---- */

/* The odd extension. */
static void extend(const line *l) {
  ptrdiff_t half = l->s->k->n + 1;
  negate_from(l, half + 1);
  if (has(l, 0)) set(l, 0, NULL);
  if (has(l, half)) set(l, half - l->block.lo, NULL);
}

/* Results 0 and n/2 have no partner. */
static void set_ends(const line *l) {
  ptrdiff_t n = l->s->k->n, middle = n / 2 - l->block.lo;
  const char *itself = l->at + (size_t)(2 * middle) * l->number;
  if (has(l, 0)) set(l, 1, NULL);
  if (n % 2 == 0 && has(l, n / 2))
    set(l, 2 * middle + 1, l->s->k->type == PF_FROM_HALF ? NULL : itself);
}

/* Converts the numbers of half a spectrum to the caller's results, or back, up to a factor. */
static void results(const line *l, double scale) {
  pf_kind_type type = l->s->k->type;
  if (type == PF_HARTLEY)
    EITHER(l, hartley, l->at, l->block.len, scale);
  else if (type > PF_HARTLEY)
    EITHER(l, multiply, l->at, 2 * l->block.len, scale);
  else
    twiddle_part(l, l->block, (twiddle){.step = 2, .scale = scale, .conjugate = 1});
}

static void before_line(const line *l) {
  const pf_kind_line *k = l->s->k;
  if (k->type == PF_TYPE1) {
    if (k->sine) extend(l);
  } else if (k->type != PF_TYPE4 && l->s->side == PFFT3D_SPECTRUM) {
    set_ends(l);
    results(l, l->s->scale);
  } else if (k->type != PF_TYPE4) {
    if (k->sine) negate_from(l, (k->n + 1) / 2);
  } else if (k->n % 2) {
    EITHER(l, widen, l->array, k->parts, l->block.len, (void *)l->at);
    twiddle_part(l, l->block, (twiddle){.step = 2, .scale = 1});
  } else {
    if (k->sine) EITHER(l, swap, l->at, l->block.len);
    twiddle_part(l, l->block, (twiddle){.step = 4, .scale = 1});
  }
}

/* With an odd number of points, the cosine transform has the opposite sign in its second half. */
static void after_odd(const line *l) {
  const pf_kind_line *k = l->s->k;
  double scale = 2 * l->s->scale;
  twiddle t = {.first = 1, .step = 4, .scale = scale, .conjugate = 1};
  ptrdiff_t end = l->block.lo + l->block.len, middle = (k->n + 1) / 2;
  if (k->sine || middle > end) middle = end;
  if (middle < l->block.lo) middle = l->block.lo;
  twiddle_part(l, (pf_range){l->block.lo, middle - l->block.lo}, t);
  t.scale = -scale;
  twiddle_part(l, (pf_range){middle, end - middle}, t);
}

static void after_line(const line *l) {
  const pf_kind_line *k = l->s->k;
  double scale = l->s->scale;
  if (k->type == PF_TYPE1 && k->sine)
    EITHER(l, multiply, l->at, 2 * l->block.len, -scale);
  else if (k->type == PF_TYPE1)
    EITHER(l, narrow, l->at, l->block.len, scale, k->parts, (void *)l->array);
  else if (k->type != PF_TYPE4 && l->s->side == PFFT3D_SPECTRUM)
    results(l, k->type >= PF_HARTLEY ? scale : 2 * scale);
  else if (k->type != PF_TYPE4 && k->sine)
    negate_from(l, (k->n + 1) / 2);
  else if (k->type == PF_TYPE4 && k->n % 2)
    after_odd(l);
  else if (k->type == PF_TYPE4)
    twiddle_part(l, l->block,
                 (twiddle){.first = 1, .step = 4, .scale = 2 * scale, .conjugate = !k->sine});
}

/* ---- all lines ---- */

/* Calls a step for each line of the caller's array, which is only read before the inner line. */
static void each_line(const pf_kind_pass *s, int side, char *array, void (*step)(const line *)) {
  const pf_line_choice *in = &s->k->inside;
  const pfft3d_problem *p = &s->k->inner.problem;
  size_t number = pf_element(p->precision) / 2;
  size_t apart = (size_t)in->distance[s->side] * pfft3d_element_bytes(p, (pfft3d_side)s->side);
  line l = {.s = s,
            .block = pf_split(in->caller[s->side].total, in->caller[0].ranks, s->rank),
            .number = number};
  if (!l.block.len) return;
  for (ptrdiff_t b = 0; b < in->batch; b++) {
    ptrdiff_t of = b / s->k->parts, part = b % s->k->parts;
    l.at = s->at + (size_t)b * apart;
    l.array = array + (size_t)(of * s->outer->distance[side] * s->k->parts + part) * number;
    step(&l);
  }
}

void pf_kind_before(const pf_kind_pass *s, const void *array) {
  char *read;
  memcpy(&read, &array, sizeof read);
  each_line(s, s->from, read, before_line);
}

void pf_kind_after(const pf_kind_pass *s, void *array) {
  each_line(s, !s->from, array, after_line);
}

double pf_kind_traffic(const pf_kind_line *k, pfft3d_direction direction, int rank) {
  int from = (int)pf_kind_inside(k, direction);
  double bytes = 0;
  for (int after = 0; after < 2; after++) {
    int side = after ? !from : from, all = k->type == PF_TYPE4 || side == PFFT3D_SPECTRUM;
    ptrdiff_t elements = pf_line_elements(&k->inside, side, rank);
    if (all)
      bytes +=
          2 * (double)elements * (double)pfft3d_element_bytes(&k->inner.problem, (pfft3d_side)side);
  }
  return bytes;
}
