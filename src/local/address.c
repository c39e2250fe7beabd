/* SPDX-License-Identifier: BSD-3-Clause
 * Addresses of the lines of a plane: they are looked up in the views once, and serve all planes if
 * these are at equal distances in memory. */
#include <stdint.h>

#include "base/memory.h"
#include "local/sweep.h"

int pf_sweep_steps(const pf_sweep *x, const pf_view *v, pf_steps *steps) {
  const pf_segment *one = NULL;
  if ((v->cut == x->s->outer && v->count > 1) || v->chunk) return 0;
  if (x->p->gap[v == x->p->to].len) return 0; /* columns of zeros have one address */
  if (pf_sweep_images(v)) return 0;           /* images have the opposite order */
  for (int k = 0; k < v->count; k++) {
    const pf_segment *s = &v->segment[k];
    if (s->lines.len) return 0;
    if (!s->part.len) continue;
    if (one && (s->stride[x->s->outer] != one->stride[x->s->outer] || s->field != one->field))
      return 0;
    one = s;
  }
  if (!one) return 0;
  steps->plane = one->stride[x->s->outer] * (ptrdiff_t)v->element;
  steps->field = one->field * (ptrdiff_t)v->element;
  if (v == x->p->from || !x->p->tuning.stream) return 1;
  return steps->plane % PF_ALIGN == 0 && (steps->field % PF_ALIGN == 0 || v->fields == 1);
}

ptrdiff_t pf_sweep_distance(const pf_sweep *x, int side, ptrdiff_t item) {
  const pf_view *v = side ? x->p->to : x->p->from;
  ptrdiff_t plane = pf_stage_plane_of(x->s, item), fields = 0;
  if (v->fields > 1) {
    ptrdiff_t field = x->s->first_field + pf_stage_field_of(x->s, item);
    fields = field % v->fields - x->field % v->fields;
  }
  return (plane - x->plane) * x->step[side].plane + fields * x->step[side].field;
}

/* Nonzero if the engine can skip the points of a gap; it always reads columns of zeros. */
static int leaves_out(const pf_sweep *x, const pf_view *v) {
  return x->p->fft->skips || (v == x->p->from && !x->p->fft->rows);
}

/* Notes the images of columns; returns the address of line 0's. */
static char *find_images(const pf_sweep *x, const pf_block *b, char *base, ptrdiff_t element,
                         pf_table *a) {
  pf_range lines = {b->first_line, b->lines};
  if (!a->images || b->first_point < a->images) a->images = b->first_point;
  a->whole = lines;
  a->direct &= x->p->fft && x->p->fft->skips && !x->p->fft->rows;
  return base + 2 * b->first_line * element;
}

/* Looks up the addresses of all lines, or of the columns in the same segment as line t. */
static void look_up(const pf_sweep *x, const pf_view *v, ptrdiff_t t, pf_table *a) {
  pf_tile all = pf_sweep_tile(x, 0, x->lines);
  ptrdiff_t element = (ptrdiff_t)v->element, n = v->len[x->p->line];
  ptrdiff_t cyclic = x->p->cyclic[v == x->p->to];
  pf_range gap = x->p->gap[v == x->p->to];
  int rows = x->p->fft->rows, in_order = rows || (cyclic <= 1 && !gap.len), first, last;
  uintptr_t bits = 0;
  pf_block b;
  pf_view_segments(v, &all, &first, &last);
  if (!rows && v->cut == x->p->tile) first = last = pf_view_find(v, t);
  a->lo = 0;
  a->hi = x->lines;
  a->shift = x->shift[v == x->p->to];
  a->images = 0;
  a->gap = gap.len ? &x->p->gap[v == x->p->to] : NULL;
  a->direct = !v->narrow && (!gap.len || leaves_out(x, v));
  for (int k = first; k <= last; k++) {
    if (!pf_view_block(v, &all, k, &b)) continue;
    char *base = pf_sweep_address(x, v, &b) - (rows ? 0 : b.first_line * element);
    ptrdiff_t from = rows ? b.first_line : b.first_point;
    ptrdiff_t count = rows ? b.lines : b.points, step = (rows ? b.across : b.along) * element;
    if (b.conjugate) base = find_images(x, &b, base, element, a);
    a->direct &=
        rows ? b.along == 1 && b.points == n && cyclic <= 1 : b.across == (b.conjugate ? -1 : 1);
    bits |= (uintptr_t)base | (count > 1 ? (uintptr_t)step : 0);
    for (ptrdiff_t i = 0; i < count && in_order; i++) a->at[from + i] = base + i * step;
    for (ptrdiff_t i = from; i < from + count && !in_order; i++, base += step)
      a->at[cyclic > 1 ? pf_sweep_point(i, n, cyclic) : pf_sweep_beyond(i, gap)] = base;
    if (first != last || rows) continue;
    a->lo = b.first_line;
    a->hi = b.first_line + b.lines;
  }
  for (ptrdiff_t i = 0; i < gap.len && !rows; i++)
    a->at[gap.lo + i] = v == x->p->to ? NULL : x->w->zeros;
  a->aligned = bits % PF_ALIGN == 0;
  if (pf_sweep_images(v) && !a->images && !rows) a->direct = 0;
}

int pf_sweep_columns_aligned(const pf_sweep *x, const pf_view *v) {
  pf_tile all = pf_sweep_tile(x, 0, x->lines);
  uintptr_t bits = 0;
  pf_block b;
  int first, last;
  pf_view_segments(v, &all, &first, &last);
  for (int k = first; k <= last; k++)
    if (pf_view_block(v, &all, k, &b) && !b.conjugate)
      bits |= ((uintptr_t)pf_sweep_address(x, v, &b) - (uintptr_t)b.first_line * v->element) |
              ((uintptr_t)b.along * v->element);
  return bits % PF_ALIGN == 0;
}

int pf_sweep_lines(const pf_sweep *x, const pf_view *v, pf_table *a, ptrdiff_t t, pf_lines *lines) {
  ptrdiff_t width = x->p->fft->width;
  if (t < a->lo || t >= a->hi) look_up(x, v, t, a);
  if (!a->direct || t + width > a->hi) return 0;
  if (a->images && (t < a->whole.lo || t + width > a->whole.lo + a->whole.len)) return 0;
  ptrdiff_t shift = x->shift[v == x->p->to] - a->shift;
  if (x->p->fft->rows)
    *lines = (pf_lines){.at = a->at + t, .offset = shift, .aligned = a->aligned, .gap = a->gap};
  else
    *lines = (pf_lines){.at = a->at,
                        .offset = shift + t * (ptrdiff_t)v->element,
                        .aligned = a->aligned,
                        .gap = a->gap,
                        .images = a->images};
  return 1;
}

int pf_sweep_runs(const pf_sweep *x, const pf_view *v, const pf_tile *where, pf_lines *lines) {
  ptrdiff_t width = x->p->fft->width, cyclic = x->p->cyclic[1], n = v->len[x->p->line];
  uintptr_t bits = 0;
  int first, last, runs = 0;
  pf_block b;
  if (v->narrow) return 0;
  pf_view_segments(v, where, &first, &last);
  for (int k = first; k <= last; k++) {
    if (!pf_view_block(v, where, k, &b)) continue;
    if (b.along != 1 || b.lines != where->width) return 0;
    pf_run *run = &x->w->run[runs];
    *run = (pf_run){b.first_point, 1, b.points};
    if (cyclic > 1) *run = (pf_run){pf_sweep_point(b.first_point, n, cyclic), cyclic, b.points};
    if (cyclic > 1 && run->first != runs) return 0;
    char *at = pf_sweep_address(x, v, &b);
    for (ptrdiff_t j = 0; j < width; j++) {
      x->to.at[runs * width + j] = at + j * b.across * (ptrdiff_t)v->element;
      bits |= (uintptr_t)x->to.at[runs * width + j];
    }
    runs++;
  }
  *lines =
      (pf_lines){.at = x->to.at, .aligned = bits % PF_ALIGN == 0, .runs = runs, .run = x->w->run};
  return runs > 0;
}
