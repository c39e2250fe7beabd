/* SPDX-License-Identifier: BSD-3-Clause
 * Lines that are moved: between a view and a private buffer, and, in a pass without arithmetic,
 * directly from view to view. */
#include <string.h>

#include "local/move.h"
#include "local/sweep.h"

/* The part of a block that begins at a given point and line of the plane. */
static pf_strided part_of(const pf_sweep *x, const pf_view *v, const pf_block *b, ptrdiff_t point,
                          ptrdiff_t line) {
  ptrdiff_t offset = (point - b->first_point) * b->along + (line - b->first_line) * b->across;
  return (pf_strided){pf_sweep_address(x, v, b) + offset * (ptrdiff_t)v->element, b->along,
                      b->across, v->element};
}

static ptrdiff_t larger(ptrdiff_t a, ptrdiff_t b) {
  return a > b ? a : b;
}

static ptrdiff_t round_up(ptrdiff_t a, ptrdiff_t b) {
  return a <= 0 ? 0 : (a + b - 1) / b;
}

/* Moves the intersection of two blocks. */
static void move_common(const pf_sweep *x, const pf_block *from, const pf_block *to) {
  const pf_pass *p = x->p;
  ptrdiff_t point = larger(from->first_point, to->first_point);
  ptrdiff_t line = larger(from->first_line, to->first_line);
  ptrdiff_t points = -larger(-from->first_point - from->points, -to->first_point - to->points);
  ptrdiff_t lines = -larger(-from->first_line - from->lines, -to->first_line - to->lines);
  if (points <= point || lines <= line) return;
  pf_move(part_of(x, p->to, to, point, line), part_of(x, p->from, from, point, line),
          points - point, lines - line,
          (pf_move_mode){p->tuning.stream, &x->w->loss, from->conjugate != to->conjugate});
}

/* Moves this intersection if one side is distributed cyclically (pf_pass.cyclic): each part of it
 * holds every `cyclic`-th point of the other side. */
static void move_cyclic(const pf_sweep *x, const pf_block *from, const pf_block *to) {
  int side = x->p->cyclic[1] > 1;
  const pf_block *spread = side ? to : from, *plain = side ? from : to;
  ptrdiff_t cyclic = x->p->cyclic[side], part = x->p->from->len[x->p->line] / cyclic, count;
  ptrdiff_t line = larger(from->first_line, to->first_line);
  ptrdiff_t lines = -larger(-from->first_line - from->lines, -to->first_line - to->lines) - line;
  for (ptrdiff_t i = 0; i < spread->points && lines > 0; i += count) {
    ptrdiff_t index = spread->first_point + i, number = index / part, skip = index % part;
    count = larger(1, part - skip < spread->points - i ? part - skip : spread->points - i);
    ptrdiff_t lo = larger(skip, round_up(plain->first_point - number, cyclic));
    ptrdiff_t end = round_up(plain->first_point + plain->points - number, cyclic);
    if (end > skip + count) end = skip + count;
    if (end <= lo) continue;
    const pf_view *spread_view = side ? x->p->to : x->p->from;
    const pf_view *plain_view = side ? x->p->from : x->p->to;
    pf_strided a = part_of(x, spread_view, spread, index + lo - skip, line);
    pf_strided b = part_of(x, plain_view, plain, lo * cyclic + number, line);
    b.along *= cyclic;
    pf_move(side ? a : b, side ? b : a, end - lo, lines,
            (pf_move_mode){.stream = x->p->tuning.stream, .loss = &x->w->loss});
  }
}

/* Moves lines directly from view to view. */
void pf_sweep_copy(const pf_sweep *x, const pf_tile *where) {
  int first, last, first_to, last_to, cyclic = x->p->cyclic[0] > 1 || x->p->cyclic[1] > 1;
  pf_block from, to;
  pf_view_segments(x->p->from, where, &first, &last);
  pf_view_segments(x->p->to, where, &first_to, &last_to);
  for (int k = first; k <= last; k++) {
    if (!pf_view_block(x->p->from, where, k, &from)) continue;
    for (int j = first_to; j <= last_to; j++)
      if (pf_view_block(x->p->to, where, j, &to))
        (cyclic ? move_cyclic : move_common)(x, &from, &to);
  }
}

/* ---- private buffers ---- */

/* Sets the points of a gap to 0 in a private buffer. */
static void clear_gap(pf_strided here, pf_range gap, ptrdiff_t lines) {
  int rows = here.along == 1;
  ptrdiff_t runs = rows ? lines : gap.len, step = rows ? here.across : here.along;
  char *at = here.data + gap.lo * here.along * (ptrdiff_t)here.element;
  size_t bytes = (size_t)(rows ? gap.len : lines) * here.element;
  for (ptrdiff_t k = 0; k < runs; k++) memset(at + k * step * (ptrdiff_t)here.element, 0, bytes);
}

/* Moves lines between a private buffer and a view. */
void pf_sweep_move(const pf_sweep *x, const pf_view *v, pf_strided here, const pf_tile *where,
                   int in) {
  pf_block b;
  int first, last;
  pf_view_segments(v, where, &first, &last);
  ptrdiff_t cyclic = x->p->cyclic[!in], n = v->len[x->p->line];
  pf_range gap = x->p->gap[!in];
  if (cyclic < 1) cyclic = 1;
  if (in && gap.len) clear_gap(here, gap, where->width);
  for (int k = first; k <= last; k++) {
    if (!pf_view_block(v, where, k, &b)) continue;
    for (ptrdiff_t i = 0, count; i < b.points; i += count) { /* before or after the gap */
      ptrdiff_t index = b.first_point + i, left = pf_sweep_left(index, n, cyclic);
      ptrdiff_t point = cyclic > 1 ? pf_sweep_point(index, n, cyclic) : pf_sweep_beyond(index, gap);
      if (cyclic == 1) left = gap.len && index < gap.lo ? gap.lo - index : b.points - i;
      count = left < b.points - i ? left : b.points - i;
      ptrdiff_t offset = point * here.along + b.first_line * here.across;
      pf_strided part = {here.data + offset * (ptrdiff_t)here.element, cyclic * here.along,
                         here.across, here.element};
      char *at = pf_sweep_address(x, v, &b) + i * b.along * (ptrdiff_t)v->element;
      pf_strided there = {at, b.along, b.across, v->element};
      pf_move_mode mode = {
          .stream = !in && x->p->tuning.stream, .loss = &x->w->loss, .conjugate = b.conjugate};
      pf_move(in ? part : there, in ? there : part, count, b.lines, mode);
    }
  }
}
