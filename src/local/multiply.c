/* SPDX-License-Identifier: BSD-3-Clause
 * Multiplies a tile by factors from a function, for blocks of a few points of all lines, so that
 * they stay in the L1 cache and need no memory of the plan. */
#include "local/sweep.h"

enum { FACTORS = 8 * PF_WIDEST };

/* The factors of a block, and their strides. */
typedef struct block {
  ptrdiff_t lo[3], len[3];     /* in the view of the pass */
  ptrdiff_t first2, stride[3]; /* first index on axis 2 without components; of the factors */
  ptrdiff_t components;
  double factor[FACTORS];
} block;

static ptrdiff_t factor_index(const block *b, int axis, ptrdiff_t i) {
  if (axis == 2 && b->components > 1) return (b->lo[2] + i) / b->components - b->first2;
  return i * b->stride[axis];
}

static void ask(const pf_multiplier *m, block *b) {
  ptrdiff_t lo[3], len[3] = {b->len[0], b->len[1], b->len[2]};
  b->components = m->components;
  b->first2 = b->lo[2] / m->components;
  len[2] = (b->lo[2] + b->len[2] - 1) / m->components - b->first2 + 1;
  for (int a = 0; a < 3; a++) lo[a] = m->lo[a] + (a == 2 ? b->first2 : b->lo[a]);
  b->stride[2] = 1;
  b->stride[1] = len[2];
  b->stride[0] = len[1] * len[2];
  m->factors(m->context, lo, len, b->factor);
}

/* Multiplies contiguous points of one or two numbers. */
static void multiply(const pf_fft *f, void *points, ptrdiff_t count, const double *factor) {
  int pairs = f->element == pf_element(f->precision);
  double *d = points;
  float *s = points;
  if (f->precision == PFFT3D_DOUBLE && pairs)
    for (ptrdiff_t i = 0; i < count; i++) d[2 * i] *= factor[i], d[2 * i + 1] *= factor[i];
  else if (f->precision == PFFT3D_DOUBLE)
    for (ptrdiff_t i = 0; i < count; i++) d[i] *= factor[i];
  else if (pairs)
    for (ptrdiff_t i = 0; i < count; i++)
      s[2 * i] *= (float)factor[i], s[2 * i + 1] *= (float)factor[i];
  else
    for (ptrdiff_t i = 0; i < count; i++) s[i] *= (float)factor[i];
}

/* Multiplies points of all lines, from element `at` of the tile on. */
static void multiply_block(const pf_sweep *x, const block *b, void *tile, ptrdiff_t at) {
  const pf_fft *f = x->p->fft;
  pf_tile_shape s = pf_tile_shape_of(f);
  int rows = s.along == 1, outer = rows ? x->p->tile : x->p->line;
  int inner = rows ? x->p->line : x->p->tile;
  ptrdiff_t across = rows ? s.across : s.along, count = b->len[inner];
  int apart = inner != 2 || b->components > 1;
  double together[FACTORS];
  for (ptrdiff_t j = 0; j < b->len[outer]; j++) {
    const double *factor = b->factor + factor_index(b, outer, j);
    for (ptrdiff_t i = 0; i < count && apart; i++) together[i] = factor[factor_index(b, inner, i)];
    multiply(f, (char *)tile + (size_t)(at + j * across) * f->element, count,
             apart ? together : factor);
  }
}

void pf_sweep_multiply(const pf_sweep *x, const pf_tile *where, void *tile) {
  const pf_pass *p = x->p;
  ptrdiff_t points = p->from->len[p->line], most = FACTORS / where->width, count;
  pf_range gap = p->gap[0];
  block b;
  b.lo[x->s->outer] = x->plane;
  b.len[x->s->outer] = 1;
  b.lo[p->tile] = where->t;
  b.len[p->tile] = where->width;
  for (ptrdiff_t i = 0; i < points; i += count) {
    ptrdiff_t end = gap.len && i < gap.lo ? gap.lo : points;
    count = end - i < most ? end - i : most;
    b.lo[p->line] = i;
    b.len[p->line] = count;
    ask(p->multiplier, &b);
    multiply_block(x, &b, tile, pf_sweep_beyond(i, gap) * pf_tile_shape_of(p->fft).along);
  }
}
