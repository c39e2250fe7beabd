/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of any length as a convolution with a chirp, by transforms of m >= 2n - 1 points:
 *
 *   X_k = c_k sum_j (x_j c_j) conj(c)_(k-j),  c_j = exp(-pi i j^2/n)
 *
 * The exponents j^2 mod 2n are integers, computed by differences: exact also for long lines.
 * Between the two transforms the elements may be in any order, if the kernel has the same order.
 * Source: Bluestein, IEEE Trans. Audio Electroacoust. 18(4), 1970. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "line/work.h"
#include "pipeline/views.h"

/* Number of elements from element i on whose indices have a constant step. */
static ptrdiff_t together(const pf_vector *v, int rank, ptrdiff_t i, ptrdiff_t *step) {
  ptrdiff_t count = pf_vector_count(v, rank) - i;
  *step = v->distribution == PF_CYCLIC ? v->ranks : 1;
  if (v->distribution != PF_COLUMNS) return count;
  ptrdiff_t width = pf_vector_width(v, rank), left = width - i % width;
  return left < count ? left : count;
}

static ptrdiff_t product(ptrdiff_t a, ptrdiff_t b, ptrdiff_t n) {
  return (ptrdiff_t)((__int128)a * b % n);
}

static ptrdiff_t sum(ptrdiff_t a, ptrdiff_t b, ptrdiff_t n) {
  return a >= n - b ? a - (n - b) : a + b;
}

/* Iterator over the exponents j^2 mod 2n of indices with a constant step. */
typedef struct squares {
  ptrdiff_t n2, at, difference, second;
} squares;

static squares squares_from(ptrdiff_t n, ptrdiff_t j, ptrdiff_t step) {
  ptrdiff_t n2 = 2 * n, jm = j % n2, s = step % n2;
  squares q = {n2, product(jm, jm, n2), 0, 0};
  q.difference = sum(product(2 * jm % n2, s, n2), product(s, s, n2), n2);
  q.second = product(2 * s % n2, s, n2);
  return q;
}

static ptrdiff_t next_square(squares *q) {
  ptrdiff_t now = q->at;
  q->at = sum(q->at, q->difference, q->n2);
  q->difference = sum(q->difference, q->second, q->n2);
  return now;
}

#define MULTIPLY(type)                                                                      \
  static void multiply_##type(const pf_line_chirp *c, squares q, ptrdiff_t count, int sign, \
                              double scale, const type *from, type *to) {                   \
    double w[2], rest[2];                                                                   \
    for (ptrdiff_t i = 0; i < count; i++) {                                                 \
      pf_roots_at(&c->roots, next_square(&q), w, rest);                                     \
      double re = scale * w[0], im = -sign * scale * w[1];                                  \
      double x = (double)from[2 * i], y = (double)from[2 * i + 1];                          \
      to[2 * i] = (type)(x * re - y * im);                                                  \
      to[2 * i + 1] = (type)(x * im + y * re);                                              \
    }                                                                                       \
  }                                                                                         \
  static void kernel_##type(const type *kernel, ptrdiff_t count, int sign, type *data) {    \
    for (ptrdiff_t i = 0; i < count; i++) {                                                 \
      type re = kernel[2 * i], im = sign < 0 ? kernel[2 * i + 1] : -kernel[2 * i + 1];      \
      type x = data[2 * i], y = data[2 * i + 1];                                            \
      data[2 * i] = x * re - y * im;                                                        \
      data[2 * i + 1] = x * im + y * re;                                                    \
    }                                                                                       \
  }

MULTIPLY(double)
MULTIPLY(float)

void pf_line_chirp_multiply(const pf_line *line, pfft3d_direction direction, pf_line_action action,
                            const void *from, void *to) {
  const pf_line_chirp *c = &line->chirp;
  int forward = direction == PFFT3D_FORWARD, in = action == PF_LINE_CHIRP_IN;
  int rank = line->rank, sign = forward ? -1 : 1;
  pf_vector v = pf_line_inside(&line->choice, in == forward ? PFFT3D_SPACE : PFFT3D_SPECTRUM);
  double scale = in ? 1 : line->scale[direction];
  ptrdiff_t all = pf_vector_count(&v, rank), step, count;
  for (ptrdiff_t i = 0; i < all; i += count) {
    count = together(&v, rank, i, &step);
    squares q = squares_from(c->n, pf_vector_index(&v, rank, i), step);
    if (line->precision == PFFT3D_DOUBLE)
      multiply_double(c, q, count, sign, scale, (const double *)from + 2 * i, (double *)to + 2 * i);
    else
      multiply_float(c, q, count, sign, scale, (const float *)from + 2 * i, (float *)to + 2 * i);
  }
}

void pf_line_chirp_kernel(const pf_line *line, pfft3d_direction direction, void *data) {
  const pf_line_chirp *c = &line->chirp;
  const void *kernel = c->kernel;
  int sign = direction == PFFT3D_FORWARD ? -1 : 1;
  if (line->precision == PFFT3D_DOUBLE)
    kernel_double(kernel, c->count, sign, data);
  else
    kernel_float(kernel, c->count, sign, data);
}

/* ---- making ---- */

/* Fills this rank's block of the chirp conj(c), centred at 0 in a line of m points and divided by
 * m. */
static void fill(const pf_line_chirp *c, const pf_vector *v, int rank, double *at) {
  pf_range block = pf_vector_block(v, rank);
  double w[2], rest[2];
  for (ptrdiff_t i = 0; i < block.len; i++) {
    ptrdiff_t j = block.lo + i, mirror = v->total - j;
    if (mirror < j) j = mirror;
    at[2 * i] = at[2 * i + 1] = 0;
    if (j >= c->n) continue;
    pf_roots_at(&c->roots, product(j, j, 2 * c->n), w, rest);
    at[2 * i] = w[0] / (double)v->total;
    at[2 * i + 1] = -w[1] / (double)v->total;
  }
}

/* Element k of the kernel by its definition.  The chirp is the same on both sides of 0. */
static void define(const pf_line_chirp *c, ptrdiff_t m, ptrdiff_t k, double x[2]) {
  long double w[2], v[2], sum[2] = {1, 0};
  for (ptrdiff_t j = 1; j < c->n; j++) {
    pf_root(product(j, j, 2 * c->n), 2 * c->n, w);
    pf_root(product(j, k, m), m, v);
    sum[0] += 2 * w[0] * v[0];
    sum[1] -= 2 * w[1] * v[0];
  }
  for (int i = 0; i < 2; i++) x[i] = (double)(sum[i] / (long double)m);
}

/* Computes the whole kernel by its definition if that is cheap: the error of a transform would be
 * larger than the error of a short line. */
static int define_all(const pf_line_chirp *c, const pf_vector *v, int rank, double *at) {
  enum { cheap = 512 };
  if (v->total > cheap) return 0;
  for (ptrdiff_t i = 0; i < c->count; i++)
    define(c, v->total, pf_vector_index(v, rank, i), at + 2 * i);
  return 1;
}

/* A forward transform by pipelines and their edges; returns a status. */
static int transform(pf_pipelines *p, const char *in, char *out) {
  pf_pipeline *w = &p->pipeline[PFFT3D_FORWARD];
  pfft3d_stats unused = {0};
  PF_TRY(pf_run_status(pf_matrix_before(p, w, in)));
  PF_TRY(pf_pipelines_run(p, PFFT3D_FORWARD, in, out, 1, &unused));
  return pf_run_status(pf_matrix_after(p, w, out));
}

/* Transforms the kernel once, always in double precision, by pipelines of its own. */
static int make_kernel(pf_line_chirp *c, pf_pipelines *p, pfft3d_precision precision,
                       pfft3d_error *e) {
  const pf_geometry *g = &p->geometry;
  const size_t *side = g->side_bytes;
  c->count = pf_vector_count(&g->vector[PFFT3D_SPECTRUM], g->rank);
  size_t bytes = (size_t)c->count * pf_element(precision);
  PF_TRY(pf_memory_agree(p->comm, side[PFFT3D_SPACE] + side[PFFT3D_SPECTRUM] + bytes, e));
  char *in = pf_alloc(side[PFFT3D_SPACE]), *out = pf_alloc(side[PFFT3D_SPECTRUM]);
  c->kernel = pf_alloc(bytes);
  if (!in || !out || !c->kernel)
    pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a kernel of %td numbers", c->count);
  if (!pf_agree(p->comm, e)) {
    fill(c, &g->vector[PFFT3D_SPACE], g->rank, (double *)(void *)in);
    if (!define_all(c, &g->vector[PFFT3D_SPECTRUM], g->rank, (double *)(void *)out) &&
        transform(p, in, out) && !pf_pipelines_fault(p, e))
      pf_fail(e, PFFT3D_ERR_INTERNAL, "an MPI call failed in the first transform");
    const double *from = (const double *)(void *)out;
    float *single = (float *)(void *)c->kernel;
    if (precision == PFFT3D_DOUBLE)
      memcpy(c->kernel, out, bytes);
    else
      for (ptrdiff_t i = 0; i < 2 * c->count; i++) single[i] = (float)from[i];
    pf_agree(p->comm, e);
  }
  pf_free(in);
  pf_free(out);
  return e->status;
}

int pf_line_chirp_make(pf_line_chirp *c, const pf_setting *s, const pf_decision *core, ptrdiff_t n,
                       pfft3d_error *e) {
  pf_decision r = *core;
  pf_pipelines *p;
  int ranks;
  MPI_Comm_size(s->comm, &ranks);
  c->n = n;
  r.problem.precision = PFFT3D_DOUBLE;
  r.wire = PFFT3D_DOUBLE; /* rounding here would affect every run */
  r.scale[0] = r.scale[1] = 1;
  r.matrix.side[PFFT3D_SPACE].distribution = ranks > 1 ? PF_BLOCK : PF_COLUMNS;
  r.matrix.side[PFFT3D_SPACE].total = r.matrix.n[0] * r.matrix.n[1];
  r.matrix.side[PFFT3D_SPACE].cuts = (pf_cuts){PF_CUTS_BALANCED, NULL};
  pf_roots_make(&c->roots, 2 * n, e);
  PF_TRY(pf_agree(s->comm, e));
  PF_TRY(pf_pipelines_create(s, &r, &p, e));
  make_kernel(c, p, core->problem.precision, e);
  pf_pipelines_destroy(p);
  return e->status;
}

void pf_line_chirp_free(pf_line_chirp *c) {
  pf_roots_free(&c->roots);
  pf_free(c->kernel);
}
