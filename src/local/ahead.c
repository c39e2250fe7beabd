/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of several tiles that are read or written together: their choice, and how the lines of the
 * next tiles are prefetched while one tile is computed (stage.h). */
#include "base/memory.h"
#include "local/sweep.h"

/* ---- strips ---- */

/* Maximum lines of a partial tile: two cache lines, or more of real lines. */
static ptrdiff_t widest(size_t element, ptrdiff_t width) {
  ptrdiff_t usual = 2 * PF_ALIGN / (ptrdiff_t)element;
  return width > usual ? width : usual;
}

/* Lines of a strip of tiles of `tile` lines: PF_STRIP, or fewer, in whole tiles, to fit the cache,
 * but no fewer than may be added to it (pf_strip_at()). */
static ptrdiff_t width_of(ptrdiff_t n, size_t element, ptrdiff_t tile) {
  ptrdiff_t width = PF_STRIP, most = (ptrdiff_t)(pf_cache_bytes() / 2 / element) / n;
  ptrdiff_t few = widest(element, tile), least = few > PF_STRIP / 4 ? few : PF_STRIP / 4;
  while (width > least && width > most) width /= 2;
  return width;
}

static ptrdiff_t stride_of(ptrdiff_t n, size_t element, ptrdiff_t width) {
  return width_of(n, element, width) + widest(element, width);
}

size_t pf_strip_bytes(ptrdiff_t n, size_t element, ptrdiff_t width) {
  return (size_t)(n * stride_of(n, element, width)) * element;
}

ptrdiff_t pf_strip_stride(const pf_sweep *x) {
  return stride_of(x->p->fft->n, x->p->fft->element, x->p->fft->width);
}

ptrdiff_t pf_strip_width(const pf_sweep *x) {
  return width_of(x->p->fft->n, x->p->fft->element, x->p->fft->width);
}

pf_range pf_strip_at(const pf_sweep *x, ptrdiff_t t, ptrdiff_t width) {
  ptrdiff_t few = widest(x->p->fft->element, x->p->fft->width), lo = t / width * width;
  if (lo > 0 && x->lines - lo <= few) lo -= width;
  return (pf_range){lo, x->lines - lo - width <= few ? x->lines - lo : width};
}

/* ---- prefetching ---- */

/* Byte offset from the lines in the table to the lines of this item. */
static ptrdiff_t from_shift(const pf_sweep *x) {
  return x->shift[0] - x->from.shift;
}

/* Elements from this item to the next item of the thread, in one segment. */
static ptrdiff_t to_next_item(const pf_sweep *x) {
  const pf_segment *segment = &x->p->from->segment[0];
  ptrdiff_t next = x->item + x->s->at_once;
  return (pf_stage_plane_of(x->s, next) - x->plane) * segment->stride[x->s->outer] +
         (pf_stage_field_of(x->s, next) - pf_stage_field_of(x->s, x->item)) * segment->field;
}

/* While a tile of rows is computed, the next one is prefetched. */
static void fetch_rows(const pf_sweep *x, ptrdiff_t t, pf_fetch *fetch) {
  const pf_pass *p = x->p;
  ptrdiff_t element = (ptrdiff_t)p->from->element, next = t + p->fft->width;
  ptrdiff_t offset = from_shift(x);
  if (!x->from.direct) return;
  if (next >= x->lines) {
    if (x->item + x->s->at_once >= x->s->planes * x->s->fields) return;
    next = 0;
    offset += to_next_item(x) * element;
  }
  ptrdiff_t rows = x->lines - next < p->fft->width ? x->lines - next : p->fft->width;
  fetch->at = x->from.at + next;
  fetch->offset = offset;
  fetch->rows = rows;
  fetch->lines = (int)(p->from->len[p->line] * element / PF_ALIGN);
}

/* The larger part of a range, of the parts before and after the gap. */
static pf_range beside_gap(pf_range share, pf_range gap) {
  ptrdiff_t before = gap.lo - share.lo;
  if (before >= share.len) return share;
  if (before > share.len / 2) return (pf_range){share.lo, before};
  if (before < 0) before = 0;
  return (pf_range){share.lo + before + gap.len, share.len - before};
}

/* While the tiles of one strip are computed, each prefetches its share of the points of the next
 * strip: of this plane, or of the next plane of the thread. */
static void fetch_ahead(const pf_sweep *x, ptrdiff_t t, pf_fetch *fetch) {
  const pf_pass *p = x->p;
  ptrdiff_t width = p->fft->width, points = p->from->len[p->line];
  ptrdiff_t element = (ptrdiff_t)p->from->element, offset = from_shift(x);
  pf_range strip = pf_strip_at(x, t, p->tuning.fetch);
  ptrdiff_t tiles = (strip.len + (x->late ? 0 : width - 1)) / width, mine = (t - strip.lo) / width;
  ptrdiff_t end = strip.lo + strip.len;
  pf_range share = {points * mine / tiles, 0};
  share.len = points * (mine + 1) / tiles - share.lo;
  if (p->gap[0].len) share = beside_gap(share, p->gap[0]);
  if (!x->from.direct || p->from->cut == p->tile) return;
  if (end == x->lines) {
    if (p != &x->s->pass[0] || x->item + x->s->at_once >= x->s->planes * x->s->fields) return;
    end = 0;
    offset += to_next_item(x) * element;
  }
  ptrdiff_t next = pf_strip_at(x, end, p->tuning.fetch).len;
  ptrdiff_t images = x->from.images ? share.lo + share.len - x->from.images : 0;
  if (images > share.len) images = share.len;
  fetch->at = x->from.at + share.lo;
  fetch->offset = offset + end * element;
  fetch->rows = share.len;
  fetch->mirrored = images > 0 ? images : 0;
  fetch->lines = (int)((next * element + PF_ALIGN - 1) / PF_ALIGN);
}

void pf_sweep_fetch(const pf_sweep *x, ptrdiff_t t, pf_fetch *fetch) {
  fetch->rows = 0;
  if (x->p->tuning.fetch) (x->p->fft->rows ? fetch_rows : fetch_ahead)(x, t, fetch);
}
