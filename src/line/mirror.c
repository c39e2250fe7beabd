/* SPDX-License-Identifier: BSD-3-Clause
 * The arithmetic of elements and their mirror images; half.c has the formulas. */
#include "line/mirror.h"

#include "local/move.h"

/* exp(-2 pi i k/N).  In the upper half it is minus the conjugate of the image's factor: an element
 * and its image then have the same bits on any rank that computes them. */
static void factor(const pf_roots *w, ptrdiff_t k, double root[2]) {
  ptrdiff_t half = w->n / 2;
  double rest[2];
  int upper = 2 * k > half;
  pf_roots_at(w, upper ? half - k : k, root, rest);
  if (upper) root[0] = -root[0];
}

/* A run of neighbours, whose factors are neighbours in the tables (pf_roots_at): c is the coarse
 * factor of all, f the first fine factor. */
typedef struct neighbours {
  const void *x, *y;
  void *to, *image;
  const double *c, *f;
  ptrdiff_t count;
} neighbours;

#define HALVES(type)                                                                               \
  /* The difference t of an element from the mean s of itself and its conjugate image. */          \
  static inline void parts_##type(int merge, const double root[2], const type *x, const type *y,   \
                                  type s[4]) {                                                     \
    type re = (type)root[0], im = (type)(merge ? -root[1] : root[1]),                              \
         half = merge ? 1 : (type)0.5;                                                             \
    type c = half * (x[0] - y[0]), d = half * (x[1] + y[1]);                                       \
    s[0] = half * (x[0] + y[0]), s[1] = half * (x[1] - y[1]);                                      \
    s[2] = re * d + im * c, s[3] = im * d - re * c;                                                \
    if (merge) s[2] = -s[2], s[3] = -s[3];                                                         \
  }                                                                                                \
  /* Any run. */                                                                                   \
  static void run_##type(const pf_mirror *m, const pf_mirror_run *r) {                             \
    const pf_roots *w = m->roots;                                                                  \
    const type *x = (const void *)r->own, *y = (const void *)r->mirror;                            \
    type *to = (void *)r->to, s[4];                                                                \
    double root[2];                                                                                \
    for (ptrdiff_t i = 0; i < r->count; i++) {                                                     \
      factor(w, r->k + i * r->step, root);                                                         \
      parts_##type(m->merge, root, x + 2 * i * r->across[0], y + 2 * i * r->across[1], s);         \
      to[2 * i * r->across[2]] = s[0] + s[2];                                                      \
      to[2 * i * r->across[2] + 1] = s[1] + s[3];                                                  \
    }                                                                                              \
  }                                                                                                \
  /* Neighbours; `upper`: factors of their images are used; `pairs`: images are computed, too. */  \
  static inline void neighbours_##type(int merge, int upper, int pairs, const neighbours *n) {     \
    const type *x = n->x, *y = n->y;                                                               \
    type *to = n->to, *image = n->image;                                                           \
    const double c0 = n->c[0], c1 = n->c[1], c2 = n->c[2], c3 = n->c[3], *f = n->f;                \
    const ptrdiff_t count = n->count, step = upper ? -2 : 2;                                       \
    _Pragma("GCC ivdep") for (ptrdiff_t j = 0; j < count; j++) {                                   \
      double f0 = f[step * j], f1 = f[step * j + 1];                                               \
      double re = c0 + (c2 + (c0 * f0 - c1 * f1)), im = c1 + (c3 + (c0 * f1 + c1 * f0));           \
      double root[2] = {upper ? -re : re, im};                                                     \
      type s[4];                                                                                   \
      parts_##type(merge, root, x + 2 * j, y - 2 * j, s);                                          \
      to[2 * j] = s[0] + s[2];                                                                     \
      to[2 * j + 1] = s[1] + s[3];                                                                 \
      if (pairs) image[-2 * j] = s[0] - s[2];                                                      \
      if (pairs) image[-2 * j + 1] = s[3] - s[1];                                                  \
    }                                                                                              \
  }                                                                                                \
  static void neighbours_merge_##type(int upper, int pairs, const neighbours *n) {                 \
    if (pairs)                                                                                     \
      neighbours_##type(1, 0, 1, n);                                                               \
    else if (upper)                                                                                \
      neighbours_##type(1, 1, 0, n);                                                               \
    else                                                                                           \
      neighbours_##type(1, 0, 0, n);                                                               \
  }                                                                                                \
  static void neighbours_split_##type(int upper, int pairs, const neighbours *n) {                 \
    if (pairs)                                                                                     \
      neighbours_##type(0, 0, 1, n);                                                               \
    else if (upper)                                                                                \
      neighbours_##type(0, 1, 0, n);                                                               \
    else                                                                                           \
      neighbours_##type(0, 0, 0, n);                                                               \
  }                                                                                                \
  /* X_0, X_M from Z_0 or back; NULL: the element is on another rank. */                           \
  static void ends_##type(int merge, const type *zero, const type *last, type *first, type *end) { \
    if (merge) {                                                                                   \
      type a = zero[0], b = last[0];                                                               \
      first[0] = a + b, first[1] = a - b;                                                          \
      return;                                                                                      \
    }                                                                                              \
    type a = zero[0], b = zero[1];                                                                 \
    if (first) first[0] = a + b, first[1] = 0;                                                     \
    if (end) end[0] = a - b, end[1] = 0;                                                           \
  }

/* cppcheck-suppress ctunullpointer ; 0 is a number in the functions that are called */
HALVES(double)
/* cppcheck-suppress ctunullpointer ; as above */
HALVES(float)

/* ---- runs ---- */

void pf_mirror_any(const pf_mirror *m, const pf_mirror_run *r) {
  (m->single ? run_float : run_double)(m, r);
}

/* Returns the number of neighbours from k on, at most `most`, with the same coarse factor. */
static ptrdiff_t with_factor(const pf_mirror *m, ptrdiff_t k, ptrdiff_t most, int *upper) {
  ptrdiff_t fine = (ptrdiff_t)1 << m->roots->shift, index = 2 * k > m->half ? m->half - k : k;
  ptrdiff_t first = index & (fine - 1), count;
  *upper = index != k;
  count = *upper ? first + 1 : fine - first;
  if (count > most) count = most;
  if (!*upper && count > m->half / 2 - k + 1) count = m->half / 2 - k + 1;
  return count;
}

/* Neighbours, in parts with one coarse factor each. */
static void run_parts(const pf_mirror *m, const pf_mirror_run *r) {
  static void (*const part[2][2])(int, int, const neighbours *) = {
      {neighbours_split_double, neighbours_split_float},
      {neighbours_merge_double, neighbours_merge_float}};
  const pf_roots *w = m->roots;
  ptrdiff_t size = (ptrdiff_t)m->element, count;
  for (ptrdiff_t i = 0; i < r->count; i += count) {
    int upper;
    count = with_factor(m, r->k + i, r->count - i, &upper);
    ptrdiff_t index = upper ? m->half - r->k - i : r->k + i;
    part[m->merge][m->single](
        upper, r->image != NULL,
        &(neighbours){.x = r->own + i * size,
                      .y = r->mirror - i * size,
                      .to = r->to + i * size,
                      .image = r->image ? r->image - i * size : NULL,
                      .c = w->coarse + 4 * (index >> w->shift),
                      .f = w->fine + 2 * (index & (((ptrdiff_t)1 << w->shift) - 1)),
                      .count = count});
  }
}

/* As run_parts(), with streaming stores: results are collected first. */
static void run_streaming(const pf_mirror *m, const pf_mirror_run *r) {
  enum { most = 256 };
  double up[2 * most], down[2 * most];
  ptrdiff_t size = (ptrdiff_t)m->element, count;
  for (ptrdiff_t i = 0; i < r->count; i += count) {
    pf_mirror_run some = *r;
    count = r->count - i < most ? r->count - i : most;
    some.k += i, some.count = count;
    some.own += i * size, some.mirror -= i * size;
    some.to = (char *)up, some.image = (char *)down + (count - 1) * size;
    run_parts(m, &some);
    char *end = r->image - (i + count - 1) * size;
    pf_move((pf_strided){r->to + i * size, 1, count, m->element},
            (pf_strided){(char *)up, 1, count, m->element}, count, 1, (pf_move_mode){.stream = 1});
    pf_move((pf_strided){end, 1, count, m->element},
            (pf_strided){(char *)down, 1, count, m->element}, count, 1,
            (pf_move_mode){.stream = 1});
  }
  pf_move_fence();
}

void pf_mirror_neighbours(const pf_mirror *m, const pf_mirror_run *r) {
  enum { part = 16 * 1024 };
  ptrdiff_t size = (ptrdiff_t)m->element, parts = (r->count + part - 1) / part;
#ifdef _OPENMP
#pragma omp parallel for num_threads(m->threads) schedule(static) if (m->threads > 1)
#endif
  for (ptrdiff_t n = 0; n < parts; n++) {
    ptrdiff_t i = (m->down ? parts - 1 - n : n) * part;
    pf_mirror_run some = *r;
    some.k += i;
    some.own += i * size, some.mirror -= i * size, some.to += i * size;
    if (some.image) some.image -= i * size;
    some.count = r->count - i < part ? r->count - i : part;
    int apart = some.image && some.image != some.mirror;
    (apart && m->stream ? run_streaming : run_parts)(m, &some);
  }
}

void pf_mirror_ends(const pf_mirror *m, const char *zero, const char *last, char *first,
                    char *end) {
  if (m->single)
    ends_float(m->merge, (const void *)zero, (const void *)last, (void *)first, (void *)end);
  else
    ends_double(m->merge, (const void *)zero, (const void *)last, (void *)first, (void *)end);
}
