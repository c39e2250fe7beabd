/* SPDX-License-Identifier: BSD-3-Clause
 * The usual tiles: whole, and read and written directly by the engine.  Minimum overhead: the lines
 * of a job move from tile to tile and from plane to plane, and some engines transform all tiles of
 * a plane in one call.
 *
 * Filling in and copying a structure for each tile would cost as much as a butterfly: the wide
 * loads of the copy wait until all stores before them, including those of the previous tile, are in
 * the cache.  (One rank, relative to a look-up in the tables for each tile: 16^3 0.86 of the time,
 * 8^3 0.85.) */
#include "base/memory.h"
#include "local/sweep.h"

/* The cache lines to which a tile is written, to be prefetched for writing (pf_tuning.claim). */
static void claim_lines(const pf_pass *p, const pf_lines *to, pf_fetch *claim) {
  ptrdiff_t points = p->to->len[p->line], width = p->fft->width, rows = p->fft->rows;
  claim->at = to->at;
  claim->offset = to->offset;
  claim->rows = to->gap || to->images ? 0 : rows ? width : p->fft->n;
  claim->lines = (int)((rows ? points : width) * (ptrdiff_t)p->to->element / PF_ALIGN);
}

/* The first lines of whole tiles for which both tables have the addresses. */
static pf_range served(const pf_sweep *x) {
  const pf_table *a = &x->from, *b = &x->to;
  ptrdiff_t lo = a->lo > b->lo ? a->lo : b->lo, hi = a->hi < b->hi ? a->hi : b->hi;
  ptrdiff_t starts = hi - x->p->fft->width + 1 - lo;
  return (pf_range){lo, a->images || b->images || starts < 0 ? 0 : starts};
}

/* Moves the lines of a job to line t of this item. */
static void move_lines(const pf_sweep *x, ptrdiff_t t, int side, pf_lines *lines) {
  const pf_view *v = side ? x->p->to : x->p->from;
  ptrdiff_t further = t - x->line;
  lines->offset += x->shift[side] - x->there[side];
  if (x->p->fft->rows)
    lines->at += further;
  else
    lines->offset += further * (ptrdiff_t)v->element;
}

/* The lines of a plain tile: mostly at a constant offset from those of the previous tile. */
static int find_plain(pf_sweep *x, ptrdiff_t t, ptrdiff_t count) {
  const pf_pass *p = x->p;
  pf_job *job = &x->job;
  int known = t >= x->served.lo && t < x->served.lo + x->served.len;
  if (known) {
    move_lines(x, t, 0, &job->from);
    move_lines(x, t, 1, &job->to);
  } else {
    x->served.len = 0;
    if (count < p->fft->width) return pf_last_rows(x, t, count, job);
    if (!pf_sweep_lines(x, p->to, &x->to, t, &job->to)) return 0;
    if (p->tuning.stream && p->fft->rows && !job->to.aligned) return 0;
    if (!pf_sweep_lines(x, p->from, &x->from, t, &job->from)) return 0;
    x->served = served(x);
  }
  x->line = t;
  for (int side = 0; side < 2; side++) x->there[side] = x->shift[side];
  return 1;
}

/* Number of tiles after this one, `more` at most, that the engine can transform with it. */
static ptrdiff_t find_more(const pf_sweep *x, ptrdiff_t t, ptrdiff_t more) {
  const pf_pass *p = x->p;
  if (!p->fft->several || !x->served.len || p->tuning.stream || p->tuning.fetch || p->tuning.claim)
    return 0;
  if (x->job.from.gap || x->job.to.gap) return 0;
  ptrdiff_t beside = (x->served.lo + x->served.len - 1 - t) / p->fft->width;
  return beside < more ? beside : more;
}

ptrdiff_t pf_sweep_plain(pf_sweep *x, ptrdiff_t t, ptrdiff_t count, ptrdiff_t more) {
  const pf_pass *p = x->p;
  pf_job *job = &x->job;
  if (!find_plain(x, t, count)) return 0;
  job->more = find_more(x, t, more);
  if (p->tuning.fetch) pf_sweep_fetch(x, t, &job->fetch);
  if (p->tuning.claim) claim_lines(p, &job->to, &job->claim);
  job->claim_butterflies = job->to.gap || job->to.images ? 0 : p->tuning.claim_butterflies;
  pf_fft_run(p->fft, x->w->tile, job);
  return 1 + job->more;
}
