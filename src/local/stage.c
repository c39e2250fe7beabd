/* SPDX-License-Identifier: BSD-3-Clause
 * Tiles through gather, transform, scale and scatter, plane by plane.
 *
 * A partial tile is transformed whole: its missing lines hold whatever finite numbers were there.
 * So every line always meets the same arithmetic, at any size and on any number of ranks. */
#include "local/stage.h"

#include "base/memory.h"
#include "local/move.h"

enum { element = 16 };

/* Where a block of a view lies; what is moved there is counted. */
static pf_strided at(pf_memory *m, const pf_block *b) {
  m->moved[b->slot] += (double)(b->points * b->lines * element);
  return (pf_strided){m->base[b->slot] + b->offset * element, b->along, b->across};
}

static pf_piece piece_of(pf_memory *m, const pf_block *b) {
  return (pf_piece){b->first_point, b->points, b->first_line, b->lines, at(m, b)};
}

/* Brings the lines of several tiles into the strip. */
static void fill_strip(const pf_pass *p, pf_memory *m, const pf_tile *where) {
  pf_block b;
  int first, last;
  pf_view_segments(p->from, where, &first, &last);
  for (int k = first; k <= last; k++)
    if (pf_view_block(p->from, where, k, &b)) {
      ptrdiff_t offset = b.first_point * PF_STRIP_STRIDE + b.first_line;
      pf_strided to = {m->base[PF_SLOT_STRIP] + offset * element, PF_STRIP_STRIDE, 1};
      pf_move(to, at(m, &b), b.points, b.lines, 0);
    }
}

static void gather_tile(const pf_pass *p, pf_memory *m, void *tile, const pf_tile *where) {
  const pf_engine *engine = p->fft->engine;
  pf_block b;
  pf_piece piece;
  int first, last;
  if (p->strip) {
    char *lines = m->base[PF_SLOT_STRIP] + where->t % p->strip * element;
    piece = (pf_piece){0, p->fft->n, 0, where->width, {lines, PF_STRIP_STRIDE, 1}};
    engine->gather(p->fft, tile, &piece);
    return;
  }
  pf_view_segments(p->from, where, &first, &last);
  for (int k = first; k <= last; k++)
    if (pf_view_block(p->from, where, k, &b)) {
      piece = piece_of(m, &b);
      engine->gather(p->fft, tile, &piece);
    }
}

static void add_block(pf_fetch *f, const char *first, ptrdiff_t rows, ptrdiff_t stride) {
  int k = f->blocks - 1;
  if (k >= 0 && f->block[k].stride == stride &&
      f->block[k].first + f->block[k].rows * stride == first) {
    f->block[k].rows += rows;
  } else if (f->blocks < PF_FETCH_BLOCKS) {
    f->block[f->blocks].first = first;
    f->block[f->blocks].rows = rows;
    f->block[f->blocks++].stride = stride;
  }
}

/* While the tiles of one strip are computed, each asks for its share of the points of the next
 * strip: of this plane, or of the thread's next one. */
static pf_fetch fetch_ahead(const pf_stage *s, const pf_pass *p, const pf_memory *m,
                            const pf_tile *where) {
  const pf_view *v = p->from;
  ptrdiff_t lines = v->len[p->tile], width = p->fft->width, strip = p->fetch, points = p->fft->n;
  ptrdiff_t begin = where->t / strip * strip, end = begin + strip < lines ? begin + strip : lines;
  ptrdiff_t tiles = (end - begin + width - 1) / width, mine = (where->t - begin) / width;
  ptrdiff_t lo = points * mine / tiles, hi = points * (mine + 1) / tiles;
  pf_tile next = {p->line, p->tile, where->o, end, strip};
  pf_fetch f = {.blocks = 0};
  if (end == lines) {
    next.t = 0;
    next.o += s->at_once;
    if (p != &s->pass[0] || next.o >= s->planes) return f;
  }
  if (next.width > lines - next.t) next.width = lines - next.t;
  f.lines = (int)((next.width * element + PF_ALIGN - 1) / PF_ALIGN);
  int first, last;
  pf_block b;
  if (v->cut == p->line && hi > lo) {
    first = pf_view_find(v, lo);
    last = pf_view_find(v, hi - 1);
  } else {
    pf_view_segments(v, &next, &first, &last);
  }
  for (int k = first; k <= last; k++) {
    if (!pf_view_block(v, &next, k, &b)) continue;
    ptrdiff_t from = b.first_point > lo ? b.first_point : lo;
    ptrdiff_t to = b.first_point + b.points < hi ? b.first_point + b.points : hi;
    ptrdiff_t offset = b.offset + (from - b.first_point) * b.along;
    if (to > from) add_block(&f, m->base[b.slot] + offset * element, to - from, b.along * element);
  }
  return f;
}

static void transform_tile(const pf_stage *s, const pf_pass *p, pf_memory *m, void *tile,
                           const pf_tile *where) {
  const pf_engine *engine = p->fft->engine;
  pf_block b;
  pf_piece piece;
  int first, last;
  pf_fetch fetch = {.blocks = 0};
  if (p->fetch) fetch = fetch_ahead(s, p, m, where);
  gather_tile(p, m, tile, where);
  engine->run(p->fft, tile, p->scale, &fetch);
  pf_view_segments(p->to, where, &first, &last);
  for (int k = first; k <= last; k++)
    if (pf_view_block(p->to, where, k, &b)) {
      piece = piece_of(m, &b);
      engine->scatter(p->fft, tile, &piece, p->stream);
    }
}

/* Moves a tile straight from view to view. */
static void copy_tile(const pf_pass *p, pf_memory *m, const pf_tile *where) {
  pf_block b, whole;
  int first, last;
  if (!pf_view_block(p->to, where, 0, &whole)) return;
  pf_view_segments(p->from, where, &first, &last);
  for (int k = first; k <= last; k++) {
    if (!pf_view_block(p->from, where, k, &b)) continue;
    pf_block to = whole;
    to.offset += b.first_point * whole.along + b.first_line * whole.across;
    to.points = b.points;
    to.lines = b.lines;
    pf_move(at(m, &to), at(m, &b), b.points, b.lines, p->stream);
  }
}

void pf_stage_plane(const pf_stage *s, pf_memory *m, void *tile, ptrdiff_t plane, ptrdiff_t first,
                    pf_tick *tick, void *context) {
  for (int k = 0; k < s->passes; k++) {
    const pf_pass *p = &s->pass[k];
    int final = k == s->passes - 1;
    ptrdiff_t lines = p->from->len[p->tile], width = p->fft ? p->fft->width : lines;
    ptrdiff_t tiles = (lines + width - 1) / width, start = final ? first / width : 0;
    for (ptrdiff_t i = 0; i < tiles; i++) {
      ptrdiff_t t = (start + i) % tiles * width;
      pf_tile where = {p->line, p->tile, plane, t, lines - t < width ? lines - t : width};
      if (p->strip && t % p->strip == 0) {
        pf_tile strip = where;
        strip.width = lines - t < p->strip ? lines - t : p->strip;
        fill_strip(p, m, &strip);
      }
      if (p->fft)
        transform_tile(s, p, m, tile, &where);
      else
        copy_tile(p, m, &where);
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
    pf_stage_plane(s, &worker[k].memory, worker[k].tile, plane + k, first, NULL, NULL);
    pf_move_fence(); /* of this thread's stores */
  }
}
