/* SPDX-License-Identifier: BSD-3-Clause
 * Tiles from view to view, plane by plane.
 *
 * For each plane the addresses of the lines are looked up in the views once; a tile is then
 * whatever the engine finds there.  Tiles that are not whole, or whose lines lie otherwise, pass
 * through a spare piece of memory.  A partial tile is transformed whole: its missing lines hold
 * whatever finite numbers were there.  So every line always meets the same arithmetic, at any size
 * and on any number of ranks. */
#include "local/stage.h"

#include <stdint.h>

#include "base/memory.h"
#include "local/move.h"

/* The addresses of lines lo .. hi-1 of a plane, as in pf_lines: of columns those of line 0. */
typedef struct table {
  char **at;
  ptrdiff_t lo, hi;
  int direct; /* an engine can read or write there */
  int aligned;
} table;

/* One pass over one plane. */
typedef struct sweep {
  const pf_stage *s;
  const pf_pass *p;
  pf_worker *w;
  ptrdiff_t plane, lines;
  table from, to;
} sweep;

static char *place(const sweep *x, const pf_block *b) {
  return x->w->memory.base[b->slot] + b->offset * (ptrdiff_t)x->s->element;
}

/* What goes through a view on this plane. */
static void count_moved(const sweep *x, const pf_view *v) {
  pf_tile all = {x->p->line, x->p->tile, x->plane, 0, x->lines};
  pf_block b;
  int first, last;
  pf_view_segments(v, &all, &first, &last);
  for (int k = first; k <= last; k++)
    if (pf_view_block(v, &all, k, &b))
      x->w->memory.moved[b.slot] += (double)b.points * (double)b.lines * (double)x->s->element;
}

/* Looks up all lines, or those of columns that share a segment with line t. */
static void look_up(const sweep *x, const pf_view *v, ptrdiff_t t, table *a) {
  pf_tile all = {x->p->line, x->p->tile, x->plane, 0, x->lines};
  ptrdiff_t element = (ptrdiff_t)x->s->element;
  int rows = x->p->fft->rows, first, last;
  uintptr_t bits = 0;
  pf_block b;
  pf_view_segments(v, &all, &first, &last);
  if (!rows && v->cut == x->p->tile) first = last = pf_view_find(v, t);
  a->lo = 0;
  a->hi = x->lines;
  a->direct = 1;
  for (int k = first; k <= last; k++) {
    if (!pf_view_block(v, &all, k, &b)) continue;
    char *base = place(x, &b) - (rows ? 0 : b.first_line * element);
    char **at = a->at + (rows ? b.first_line : b.first_point);
    ptrdiff_t count = rows ? b.lines : b.points, step = (rows ? b.across : b.along) * element;
    a->direct &= rows ? b.along == 1 && b.points == x->p->fft->n : b.across == 1;
    for (ptrdiff_t i = 0; i < count; i++) {
      at[i] = base + i * step;
      bits |= (uintptr_t)at[i];
    }
    if (first != last || rows) continue;
    a->lo = b.first_line;
    a->hi = b.first_line + b.lines;
  }
  a->aligned = bits % PF_ALIGN == 0;
}

/* The lines of a whole tile, where the engine can have them as they are. */
static int find_lines(const sweep *x, const pf_view *v, table *a, ptrdiff_t t, pf_lines *lines) {
  ptrdiff_t width = x->p->fft->width;
  if (t < a->lo || t >= a->hi) look_up(x, v, t, a);
  if (!a->direct || t + width > a->hi) return 0;
  if (x->p->fft->rows)
    *lines = (pf_lines){a->at + t, 0, a->aligned};
  else
    *lines = (pf_lines){a->at, t * (ptrdiff_t)x->s->element, a->aligned};
  return 1;
}

/* ---- tiles that are not whole ---- */

static pf_lines spare_lines(const sweep *x) {
  const pf_fft *f = x->p->fft;
  pf_tile_shape s = pf_tile_shape_of(f);
  ptrdiff_t step = (f->rows ? s.across : s.along) * (ptrdiff_t)x->s->element;
  char **at = x->w->at[2];
  for (ptrdiff_t i = 0; i < (f->rows ? f->width : f->n); i++) at[i] = x->w->spare + i * step;
  return (pf_lines){at, 0, 0};
}

/* Moves lines between a buffer of our own and their places in a view. */
static void move_lines(const sweep *x, const pf_view *v, pf_strided here, const pf_tile *where,
                       int in) {
  pf_block b;
  int first, last;
  pf_view_segments(v, where, &first, &last);
  for (int k = first; k <= last; k++) {
    if (!pf_view_block(v, where, k, &b)) continue;
    ptrdiff_t offset = b.first_point * here.along + b.first_line * here.across;
    pf_strided part = {here.data + offset * (ptrdiff_t)x->s->element, here.along, here.across};
    pf_strided there = {place(x, &b), b.along, b.across};
    if (in)
      pf_move(x->s->element, part, there, b.points, b.lines, 0);
    else
      pf_move(x->s->element, there, part, b.points, b.lines, x->p->stream);
  }
}

/* What there is of a tile. */
static void move_spare(const sweep *x, const pf_view *v, const pf_tile *where, int in) {
  pf_tile_shape s = pf_tile_shape_of(x->p->fft);
  move_lines(x, v, (pf_strided){x->w->spare, s.along, s.across}, where, in);
}

/* ---- reading and writing together ---- */

size_t pf_strip_bytes(ptrdiff_t n, size_t element) {
  return (size_t)(n * PF_STRIP_STRIDE) * element;
}

/* The lines of several tiles, from line t on. */
static void move_strip(const sweep *x, const pf_view *v, char *strip, ptrdiff_t t, int in) {
  pf_tile where = {x->p->line, x->p->tile, x->plane, t, PF_STRIP};
  if (where.width > x->lines - t) where.width = x->lines - t;
  move_lines(x, v, (pf_strided){strip, PF_STRIP_STRIDE, 1}, &where, in);
}

static void look_up_strip(const sweep *x, char *strip, char **at) {
  ptrdiff_t step = PF_STRIP_STRIDE * (ptrdiff_t)x->s->element;
  for (ptrdiff_t i = 0; i < x->p->fft->n; i++) at[i] = strip + i * step;
}

static pf_lines strip_lines(const sweep *x, char **at, ptrdiff_t t) {
  return (pf_lines){at, t % PF_STRIP * (ptrdiff_t)x->s->element, 0};
}

/* While the tiles of one strip are computed, each asks for its share of the points of the next
 * strip: of this plane, or of the thread's next one. */
static pf_fetch fetch_ahead(const sweep *x, ptrdiff_t t) {
  const pf_pass *p = x->p;
  ptrdiff_t width = p->fft->width, strip = p->fetch, points = p->fft->n;
  ptrdiff_t element = (ptrdiff_t)x->s->element, offset = 0;
  ptrdiff_t begin = t / strip * strip, end = begin + strip < x->lines ? begin + strip : x->lines;
  ptrdiff_t tiles = (end - begin + width - 1) / width, mine = (t - begin) / width;
  ptrdiff_t lo = points * mine / tiles, hi = points * (mine + 1) / tiles;
  if (!x->from.direct || p->from->cut == p->tile) return (pf_fetch){.rows = 0};
  if (end == x->lines) {
    if (p != &x->s->pass[0] || x->plane + x->s->at_once >= x->s->planes)
      return (pf_fetch){.rows = 0};
    end = 0;
    offset = p->from->segment[0].stride[x->s->outer] * x->s->at_once * element;
  }
  ptrdiff_t next = x->lines - end < strip ? x->lines - end : strip;
  return (pf_fetch){.at = x->from.at + lo,
                    .offset = offset + end * element,
                    .rows = hi - lo,
                    .lines = (int)((next * element + PF_ALIGN - 1) / PF_ALIGN)};
}

/* ---- tiles ---- */

static pf_lines find_input(sweep *x, const pf_tile *where, const pf_lines *spare) {
  const pf_pass *p = x->p;
  pf_lines lines = *spare;
  if (p->strip) {
    char *strip = x->w->memory.base[PF_SLOT_STRIP];
    if (where->t % PF_STRIP == 0) move_strip(x, p->from, strip, where->t, 1);
    return strip_lines(x, x->from.at, where->t);
  }
  if (where->width < p->fft->width || !find_lines(x, p->from, &x->from, where->t, &lines))
    move_spare(x, p->from, where, 1);
  return lines;
}

static void transform_tile(sweep *x, const pf_tile *where) {
  const pf_pass *p = x->p;
  pf_job job = {.scale = p->scale, .stream = p->stream};
  pf_lines spare = spare_lines(x);
  ptrdiff_t end = where->t + where->width;
  int whole = where->width == p->fft->width;
  int direct = whole && find_lines(x, p->to, &x->to, where->t, &job.to);
  int together = p->stream && !x->to.aligned; /* short runs, or partial lines, would be written */
  job.from = find_input(x, where, &spare);
  if (p->fetch) job.fetch = fetch_ahead(x, where->t);
  if (together && !p->fft->rows)
    job.to = strip_lines(x, x->w->at[3], where->t);
  else if (together || !direct)
    job.to = spare;
  p->fft->engine->run(p->fft, x->w->tile, &job);
  if (job.to.at == spare.at)
    move_spare(x, p->to, where, 0);
  else if (job.to.at == x->w->at[3] && (end % PF_STRIP == 0 || end == x->lines))
    move_strip(x, p->to, x->w->collect, (end - 1) / PF_STRIP * PF_STRIP, 0);
}

/* Moves a tile straight from view to view. */
static void copy_tile(const sweep *x, const pf_tile *where) {
  const pf_pass *p = x->p;
  pf_block b, whole;
  int first, last;
  if (!pf_view_block(p->to, where, 0, &whole)) return;
  pf_view_segments(p->from, where, &first, &last);
  for (int k = first; k <= last; k++) {
    if (!pf_view_block(p->from, where, k, &b)) continue;
    pf_block to = whole;
    to.offset += b.first_point * whole.along + b.first_line * whole.across;
    pf_strided target = {place(x, &to), to.along, to.across};
    pf_strided source = {place(x, &b), b.along, b.across};
    pf_move(x->s->element, target, source, b.points, b.lines, p->stream);
  }
}

static sweep begin_sweep(const pf_stage *s, const pf_pass *p, pf_worker *w, ptrdiff_t plane) {
  sweep x = {.s = s, .p = p, .w = w, .plane = plane, .lines = p->from->len[p->tile]};
  x.from.at = w->at[0];
  x.to.at = w->at[1];
  if (!x.lines) return x;
  count_moved(&x, p->from);
  count_moved(&x, p->to);
  if (p->strip) look_up_strip(&x, w->memory.base[PF_SLOT_STRIP], x.from.at);
  if (p->stream && p->fft && !p->fft->rows) look_up_strip(&x, w->collect, w->at[3]);
  return x;
}

void pf_stage_plane(const pf_stage *s, pf_worker *w, ptrdiff_t plane, ptrdiff_t first,
                    pf_tick *tick, void *context) {
  for (int k = 0; k < s->passes; k++) {
    const pf_pass *p = &s->pass[k];
    sweep x = begin_sweep(s, p, w, plane);
    int final = k == s->passes - 1;
    ptrdiff_t width = p->fft ? p->fft->width : x.lines;
    ptrdiff_t tiles = x.lines ? (x.lines + width - 1) / width : 0;
    ptrdiff_t start = final ? first / (width ? width : 1) : 0;
    for (ptrdiff_t i = 0; i < tiles; i++) {
      ptrdiff_t t = (start + i) % tiles * width;
      pf_tile where = {p->line, p->tile, plane, t, x.lines - t < width ? x.lines - t : width};
      if (p->fft)
        transform_tile(&x, &where);
      else
        copy_tile(&x, &where);
      if (tick) tick(context, t, final ? where.width : 0);
    }
  }
}

void pf_stage_planes(const pf_stage *s, pf_worker *worker, ptrdiff_t plane, int count,
                     ptrdiff_t first) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(count) schedule(static, 1)
#endif
  for (int k = 0; k < count; k++) {
    pf_stage_plane(s, &worker[k], plane + k, first, NULL, NULL);
    pf_move_fence(); /* of this thread's stores */
  }
}
