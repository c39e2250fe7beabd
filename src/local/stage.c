/* SPDX-License-Identifier: BSD-3-Clause
 * Transforms of tiles from view to view, plane by plane.
 *
 * For each plane the addresses of the lines are looked up in the views once; engines access tiles
 * directly at these addresses.  Partial tiles (except those of late.c), and tiles whose lines are
 * stored otherwise, are copied through a spare buffer.  A partial tile is transformed as a whole:
 * its missing lines contain arbitrary finite numbers.  The arithmetic on each line is therefore the
 * same for any size and any number of ranks. */
#include "local/stage.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "local/move.h"
#include "local/sweep.h"

/* Notes the bytes that pass through a view in this plane. */
static void count_moved(pf_sweep *x, const pf_view *v) {
  pf_tile all = pf_sweep_tile(x, 0, x->lines);
  pf_block b;
  int first, last;
  pf_view_segments(v, &all, &first, &last);
  for (int k = first; k <= last; k++)
    if (pf_view_block(v, &all, k, &b))
      x->moved[b.slot] += (double)b.points * (double)b.lines * (double)v->element;
}

static void add_moved(const pf_sweep *x) {
  for (int k = 0; k < PF_SLOTS; k++) x->w->memory.moved[k] += x->moved[k];
}

/* ---- partial tiles ---- */

/* The lines of the spare buffer, with the shape for input or output. */
static pf_lines spare_lines(const pf_sweep *x, int to) {
  const pf_fft *f = x->p->fft;
  pf_tile_shape s = to ? pf_tile_shape_to(f) : pf_tile_shape_of(f);
  int rows = f->rows || (to && f->transpose);
  ptrdiff_t step = (rows ? s.across : s.along) * (ptrdiff_t)f->element;
  char **at = x->w->at[PF_AT_SPARE + to];
  for (ptrdiff_t i = 0; i < (rows ? f->width : f->n); i++) at[i] = x->w->spare + i * step;
  return (pf_lines){.at = at};
}

/* Bytes of an element of a view as the passes process it. */
static size_t inner_element(const pf_view *v) {
  return v->narrow ? 2 * v->element : v->element;
}

/* Moves the existing lines of a tile; missing lines are set to 0: values left there would grow from
 * run to run, until they overflow. */
static void move_spare(const pf_sweep *x, const pf_view *v, const pf_tile *where, int in) {
  const pf_fft *f = x->p->fft;
  pf_tile_shape s = in ? pf_tile_shape_of(f) : pf_tile_shape_to(f);
  ptrdiff_t times = (ptrdiff_t)(f->element / inner_element(v)); /* 2 if lines are real */
  if (in && where->width < f->width) memset(x->w->spare, 0, s.bytes);
  if (f->rows || (!in && f->transpose))
    s.across *= times;
  else
    s.along *= times;
  pf_sweep_move(x, v, (pf_strided){x->w->spare, s.along, s.across, inner_element(v)}, where, in);
}

/* ---- reading and writing together ---- */

/* Moves the lines of several tiles. */
static void move_strip(const pf_sweep *x, const pf_view *v, char *strip, pf_range lines, int in) {
  pf_tile where = pf_sweep_tile(x, lines.lo, lines.len);
  ptrdiff_t along = pf_strip_stride(x) * (ptrdiff_t)(x->p->fft->element / inner_element(v));
  pf_sweep_move(x, v, (pf_strided){strip, along, 1, inner_element(v)}, &where, in);
}

static void look_up_strip(const pf_sweep *x, char *strip, char **at) {
  ptrdiff_t step = pf_strip_stride(x) * (ptrdiff_t)x->p->fft->element;
  for (ptrdiff_t i = 0; i < x->p->fft->n; i++) at[i] = strip + i * step;
}

static pf_lines strip_lines(const pf_sweep *x, const pf_view *v, char **at, ptrdiff_t t) {
  ptrdiff_t line = t - pf_strip_at(x, t, pf_strip_width(x)).lo;
  return (pf_lines){.at = at, .offset = line * (ptrdiff_t)inner_element(v)};
}

/* ---- tiles ---- */

/* The weights of a tile, 0 for missing lines; returns 1 if the engine applies them. */
static int find_weights(const pf_sweep *x, const pf_tile *where, double *line,
                        pf_weights *weights) {
  const pf_pass *p = x->p;
  const pf_fft *f = p->fft;
  if (!p->multiplier || p->multiplier->factors) return 0;
  const double *const *factor = p->multiplier->factor;
  for (ptrdiff_t j = 0; j < f->width; j++)
    line[j] = j < where->width ? factor[p->tile][where->t + j] * factor[x->s->outer][x->plane] : 0;
  *weights = (pf_weights){p->gap[0].len ? x->w->factor : factor[p->line], line};
  return f->weighs;
}

/* Copies the factors of stored points to all points of a line; those of the gap are 1. */
static void spread_factors(const pf_sweep *x) {
  const double *factor = x->p->multiplier->factor[x->p->line];
  pf_range gap = x->p->gap[0];
  ptrdiff_t behind = x->p->from->len[x->p->line] - gap.lo;
  memcpy(x->w->factor, factor, (size_t)gap.lo * sizeof *factor);
  for (ptrdiff_t i = 0; i < gap.len; i++) x->w->factor[gap.lo + i] = 1;
  memcpy(x->w->factor + gap.lo + gap.len, factor + gap.lo, (size_t)behind * sizeof *factor);
}

/* Fills in points that are missing in `from`. */
static void reflect(const pf_sweep *x, pf_strided tile, const pf_tile *where) {
  tile.element = x->p->fft->element;
  if (x->p->reflects == 2) pf_sweep_reflect_tile(x, &tile, where);
}

static pf_lines find_input(pf_sweep *x, const pf_tile *where, const pf_lines *spare,
                           const pf_job *job, const pf_weights *weights) {
  const pf_pass *p = x->p;
  pf_lines lines = *spare;
  if (p->multiplier && !job->weights) {
    move_spare(x, p->from, where, 1);
    if (p->multiplier->factors)
      pf_sweep_multiply(x, where, x->w->spare);
    else
      pf_tile_weigh(p->fft, x->w->spare, p->from->len[p->line] + p->gap[0].len, weights);
    return lines;
  }
  int apart = where->width < p->fft->width && pf_fft_in_pairs(p->fft);
  if (p->tuning.strip && !apart) {
    pf_range part = pf_strip_at(x, where->t, pf_strip_width(x));
    char *strip = x->w->memory.base[PF_SLOT_STRIP];
    pf_tile all = pf_sweep_tile(x, part.lo, part.len);
    if (where->t == part.lo) move_strip(x, p->from, strip, part, 1);
    if (where->t == part.lo) reflect(x, (pf_strided){strip, pf_strip_stride(x), 1, 0}, &all);
    return strip_lines(x, p->from, x->from.at, where->t);
  }
  int as_it_is = !p->reflections || p->reflects != 2;
  if (as_it_is && where->width == p->fft->width &&
      pf_sweep_lines(x, p->from, &x->from, where->t, &lines))
    return lines;
  move_spare(x, p->from, where, 1);
  pf_tile_shape s = pf_tile_shape_of(p->fft);
  reflect(x, (pf_strided){x->w->spare, s.along, s.across, 0}, where);
  return lines;
}

/* Writes the strip if this tile was its last. */
static void collect(const pf_sweep *x, const pf_tile *where) {
  pf_range lines = pf_strip_at(x, where->t, pf_strip_width(x));
  if (where->t + where->width == lines.lo + lines.len)
    move_strip(x, x->p->to, x->w->collect, lines, 0);
}

/* ---- streaming tile by tile ---- */

/* Stride of the points of a streamed tile, in bytes, including PF_ALIGN bytes for the end of the
 * previous tile. */
static ptrdiff_t portion_step(const pf_pass *p) {
  ptrdiff_t bytes = p->fft->width * (ptrdiff_t)p->fft->element;
  return PF_ALIGN + (bytes + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
}

/* Nonzero if columns that do not begin at cache lines can be streamed tile by tile: they are
 * contiguous in the caller's output, and are not sent before the plane is complete. */
static int in_portions(const pf_pass *p) {
  const pf_view *v = p->to;
  const pf_segment *s = v->segment;
  return v->count == 1 && s->slot == PF_SLOT_OUT && s->stride[p->tile] == 1 && !s->conjugate &&
         !s->lines.len && !v->chunk && !v->narrow && !p->reflections &&
         p->fft->width * (ptrdiff_t)v->element >= PF_ALIGN;
}

static void look_up_portions(const pf_sweep *x) {
  for (ptrdiff_t i = 0; i < x->p->fft->n; i++)
    x->w->at[PF_AT_COLLECT][i] = x->w->collect + i * portion_step(x->p) + PF_ALIGN;
}

/* Streams the results of a tile; the first tile of a plane may begin at any line. */
static void stream_tile(pf_sweep *x, const pf_tile *where) {
  const pf_view *v = x->p->to;
  ptrdiff_t element = (ptrdiff_t)v->element, end = where->t + where->width;
  pf_lines lines;
  pf_sweep_lines(x, v, &x->to, where->t, &lines); /* looks them up, partial tiles too */
  if (x->next < 0) x->start = where->t;
  pf_portions portions = {.to = x->to.at,
                          .offset = x->shift[1] - x->to.shift + where->t * element,
                          .from = x->w->collect + PF_ALIGN,
                          .step = portion_step(x->p),
                          .count = v->len[x->p->line] + x->p->gap[1].len,
                          .bytes = where->width * element,
                          .begins = where->t != x->next,
                          .ends = end == x->lines || end == x->start};
  pf_move_portions(&portions);
  x->next = portions.ends ? x->lines : end;
}

/* The lines to which the results can be written directly; returns 0 if there are none. */
static int find_output(pf_sweep *x, const pf_tile *where, pf_lines *to) {
  const pf_pass *p = x->p;
  if (where->width < p->fft->width) return 0;
  if (!p->transpose) return pf_sweep_lines(x, p->to, &x->to, where->t, to);
  return p->fft->transpose && pf_sweep_runs(x, p->to, where, to);
}

static void transform_tile(pf_sweep *x, const pf_tile *where) {
  const pf_pass *p = x->p;
  pf_job job = {.scale = p->scale,
                .stream = p->tuning.stream,
                .fetch_butterflies = p->tuning.fetch_butterflies};
  pf_lines spare = spare_lines(x, 0);
  pf_factors factors;
  pf_weights weights;
  double of_line[PF_WIDEST];
  int weighs = find_weights(x, where, of_line, &weights);
  int direct = find_output(x, where, &job.to), rows = p->fft->rows || p->transpose;
  /* Direct output would write short runs or partial cache lines. */
  int together =
      !rows ? x->together : p->tuning.stream && !(p->transpose ? job.to.aligned : x->to.aligned);
  if (weighs) job.weights = &weights;
  job.from = find_input(x, where, &spare, &job, &weights);
  pf_sweep_fetch(x, where->t, &job.fetch);
  if (p->roots) {
    ptrdiff_t line = x->plane * p->to->len[p->tile] + where->t;
    pf_factors_spec spec = {p->to->len[p->line], p->fft->width,
                            p->fft->precision,   p->number[0] + line * p->number[1],
                            p->number[1],        p->fft->real && p->fft->transpose};
    factors = pf_factors_make(p->roots, &spec, x->w->factors);
    if (p->fft->transpose) job.factors = &factors;
  }
  if (together && x->portions)
    job.to = (pf_lines){.at = x->w->at[PF_AT_COLLECT]};
  else if (together && !rows)
    job.to = strip_lines(x, p->to, x->w->at[PF_AT_COLLECT], where->t);
  else if (together || !direct)
    job.to = spare_lines(x, 1);
  pf_fft_run(p->fft, x->w->tile, &job);
  if (p->roots && !p->fft->transpose) {
    pf_tile_shape shape = pf_tile_shape_of(p->fft);
    pf_factors_apply(&factors, p->fft->sign, x->w->spare, shape.along, shape.across);
  }
  if (together && x->portions)
    stream_tile(x, where);
  else if (together && !rows)
    collect(x, where);
  else if (together || !direct)
    move_spare(x, p->to, where, 0);
  if (p->reflections && p->reflects == 1) pf_sweep_reflect(x, p->to, where->t, where->width);
}

static void begin_streams(pf_sweep *x) {
  const pf_pass *p = x->p;
  x->together = p->to->narrow || (!pf_sweep_images(p->to) && !pf_sweep_columns_aligned(x, p->to));
  x->plain &= !x->together;
  if (x->together) x->late = 0;
  x->portions = x->together && in_portions(p);
  x->next = -1;
  if (x->portions)
    look_up_portions(x);
  else
    look_up_strip(x, x->w->collect, x->w->at[PF_AT_COLLECT]);
}

/* Notes the beginning of a sweep that may be reused in the next run. */
static void keep(pf_sweep *x) {
  memcpy(&x->pass, x->p, sizeof x->pass);
  memcpy(x->base, x->w->memory.base, sizeof x->base);
}

void pf_sweep_begin(pf_sweep *x, const pf_stage *s, const pf_pass *p, pf_worker *w,
                    ptrdiff_t item) {
  memset(x, 0, sizeof *x);
  x->s = s;
  x->p = p;
  x->w = w;
  x->item = item;
  x->lines = p->from->len[p->tile];
  x->plane = pf_stage_plane_of(s, item);
  if (s->last_lines && x->plane == s->planes - 1) x->lines = s->last_lines;
  x->field = s->first_field + pf_stage_field_of(s, item);
  x->job.scale = p->scale;
  x->job.stream = p->tuning.stream;
  x->job.fetch_butterflies = p->tuning.fetch_butterflies;
  x->tiles = p->fft ? (x->lines + p->fft->width - 1) / p->fft->width : x->lines > 0;
  ptrdiff_t first = (ptrdiff_t)w->addresses * s->entry;
  x->from.at = w->at[PF_AT_PASS + 2 * (p - s->pass)] + first;
  x->to.at = w->at[PF_AT_PASS + 2 * (p - s->pass) + 1] + first;
  if (!x->lines) return;
  if (p->reflections && !p->reflects) pf_sweep_reflect(x, p->from, 0, x->lines);
  count_moved(x, p->from);
  count_moved(x, p->to);
  add_moved(x);
  x->steady = !s->last_lines && !p->reflections && pf_sweep_steps(x, p->from, &x->step[0]) &&
              pf_sweep_steps(x, p->to, &x->step[1]);
  x->plain =
      p->fft && !p->multiplier && !p->roots && !p->reflections && !p->tuning.strip && !p->transpose;
  if (p->multiplier && !p->multiplier->factors && p->gap[0].len) spread_factors(x);
  if (p->tuning.strip) look_up_strip(x, w->memory.base[PF_SLOT_STRIP], x->from.at);
  x->late = x->plain && !pf_fft_in_pairs(p->fft) ? pf_late_lines(x) : 0;
  if (p->tuning.stream && p->fft && !p->fft->rows && !p->transpose) begin_streams(x);
  if (w->entries > 1 && x->plain && x->steady) keep(x);
}

void pf_sweep_next(pf_sweep *x, const pf_stage *s, const pf_pass *p, pf_worker *w, ptrdiff_t item) {
  if (x->s != s || !x->steady) {
    pf_sweep_begin(x, s, p, w, item);
    return;
  }
  for (int side = 0; side < 2; side++) x->shift[side] += pf_sweep_distance(x, side, item);
  x->item = item;
  x->plane = pf_stage_plane_of(s, item);
  x->field = s->first_field + pf_stage_field_of(s, item);
  x->next = -1;
  add_moved(x);
}

/* Nonzero if a sweep can be reused: looking up the lines again would take a sixth of the time of
 * 8^3 points. */
static int stays(const pf_sweep *x, const pf_stage *s, const pf_pass *p) {
  /* NOLINTNEXTLINE(bugprone-*,cert-*): different padding only causes another look-up */
  return x->s == s && !memcmp(&x->pass, p, sizeof *p) &&
         !memcmp(x->base, x->w->memory.base, sizeof x->base);
}

void pf_stage_begin(const pf_stage *s, pf_worker *w, int count) {
  for (int k = 0; k < count; k++) {
    w[k].ahead.len = 0;
    for (int i = 0; i < s->passes; i++) {
      pf_sweep *x = pf_sweep_of(s, &w[k], i);
      if (w[k].entries == 1 || !stays(x, s, &s->pass[i])) x->s = NULL;
    }
  }
}

/* Transforms the tile from line t on, and up to `more` after it; returns their number. */
static ptrdiff_t run_tiles(pf_sweep *x, ptrdiff_t t, ptrdiff_t more) {
  const pf_fft *f = x->p->fft;
  ptrdiff_t left = x->lines - t, count = f && left > f->width ? f->width : left;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): only transforms are late */
  if (x->late && count < f->width) {
    pf_late_add(x);
    return 1;
  }
  ptrdiff_t done = x->plain ? pf_sweep_plain(x, t, count, more) : 0;
  if (done) return done;
  pf_tile where = pf_sweep_tile(x, t, count);
  if (f)
    transform_tile(x, &where);
  else
    pf_sweep_copy(x, &where);
  return 1;
}

void pf_stage_run(const pf_stage *s, pf_worker *w, ptrdiff_t item, ptrdiff_t first,
                  const pf_stage_listener *listener) {
  for (int k = 0; k < s->passes; k++) {
    const pf_pass *p = &s->pass[k];
    pf_sweep *x = pf_sweep_of(s, w, k);
    pf_sweep_next(x, s, p, w, item);
    int final = k == s->passes - 1;
    ptrdiff_t width = p->fft ? p->fft->width : x->lines, tiles = x->tiles, done;
    ptrdiff_t start = final && first && tiles ? first / width : 0;
    for (ptrdiff_t i = 0; i < tiles; i += done) {
      int wrapped = start + i >= tiles;
      ptrdiff_t t = (wrapped ? start + i - tiles : start + i) * width;
      done = run_tiles(x, t, tiles - i - 1);
      ptrdiff_t lines = x->lines - t < done * width ? x->lines - t : done * width;
      if (listener) listener->tick(listener->context, done, t, final ? lines : 0);
    }
  }
}

void pf_stage_end(const pf_stage *s, pf_worker *w, int count) {
  for (int k = 0; k < count; k++)
    if (w[k].late.parts) pf_late_finish(pf_sweep_of(s, &w[k], s->passes - 1));
}

void pf_stage_run_threads(const pf_stage *s, pf_worker *worker, ptrdiff_t item, int count,
                          ptrdiff_t first) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(count) schedule(static, 1)
#endif
  for (int k = 0; k < count; k++) {
    pf_stage_run(s, &worker[k], item + k, first, NULL);
    pf_move_fence(); /* orders the stores of this thread */
  }
}
