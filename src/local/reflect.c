/* SPDX-License-Identifier: BSD-3-Clause
 * Points that are conjugates of other points of the same line (pf_reflection). */
#include "local/sweep.h"

static char *address(const pf_sweep *x, const pf_view *v, ptrdiff_t t, ptrdiff_t point) {
  const pf_segment *s = &v->segment[pf_view_find(v, point)];
  ptrdiff_t at = s->offset + x->field % v->fields * s->field +
                 (point - s->part.lo) * s->stride[x->p->line] + t * s->stride[x->p->tile] +
                 x->plane * s->stride[x->s->outer];
  return x->w->memory.base[s->slot] + at * (ptrdiff_t)v->element;
}

#define CONJUGATE(type)                                      \
  static void conjugate_##type(const char *from, char *to) { \
    const type *x = (const void *)from;                      \
    type *y = (void *)to;                                    \
    y[0] = x[0], y[1] = from == to ? 0 : -x[1];              \
  }
CONJUGATE(double)
CONJUGATE(float)

void pf_sweep_reflect_tile(const pf_sweep *x, const pf_strided *tile, const pf_tile *where) {
  ptrdiff_t size = (ptrdiff_t)tile->element;
  for (int k = 0; k < x->p->reflections; k++) {
    const pf_reflection *r = &x->p->reflection[k];
    ptrdiff_t line = r->line - x->plane * x->p->from->len[x->p->tile] - where->t;
    if (line < 0 || line >= where->width) continue;
    char *at = tile->data + line * tile->across * size;
    for (ptrdiff_t i = r->points.lo; i < r->points.lo + r->points.len; i++)
      (size == 2 * sizeof(double) ? conjugate_double : conjugate_float)(
          at + (r->sum - i) * tile->along * size, at + i * tile->along * size);
  }
}

void pf_sweep_reflect(const pf_sweep *x, const pf_view *v, ptrdiff_t t, ptrdiff_t width) {
  void (*conjugate)(const char *, char *) =
      v->element == 2 * sizeof(double) ? conjugate_double : conjugate_float;
  for (int k = 0; k < x->p->reflections; k++) {
    const pf_reflection *r = &x->p->reflection[k];
    ptrdiff_t line = r->line - x->plane * v->len[x->p->tile];
    if (line < t || line >= t + width) continue;
    for (ptrdiff_t i = r->points.lo; i < r->points.lo + r->points.len; i++)
      conjugate(address(x, v, line, r->sum - i), address(x, v, line, i));
  }
}
