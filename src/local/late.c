/* SPDX-License-Identifier: BSD-3-Clause
 * The last lines of a plane, less than a whole tile.
 *
 * Rows: the engine reads a row of zeros for each missing row, and writes the result of it to an
 * unused row.
 *
 * Columns: they are copied to a separate tile. A tile takes as long with one line as with all.
 * Half spectra of 64 points have 33 columns: five tiles of eight, the last with one line.  If no
 * message depends on a single plane, and planes have few such lines, lines of several planes share
 * a tile: 4 1/8 tiles instead of 5.  The last pass of a stage transforms them after these planes;
 * an earlier one before them, as the next pass reads the results plane by plane.  The buffer of the
 * tile is pf_worker.collect (stage.c), which such passes do not use.
 *
 * (Time of a transform that is written into memory of the other rank, 2 ranks, r2c, relative to the
 * general way through spare tiles: 16^3 0.62, 32^3 0.72, 64^3 0.87, 128^3 0.90.) */
#include <string.h>

#include "base/memory.h"
#include "local/sweep.h"

typedef double half __attribute__((vector_size(8), aligned(4), may_alias));
typedef double whole __attribute__((vector_size(16), aligned(4), may_alias));

/* Nonzero if one table has the addresses of all lines. */
static int looks_up_all(pf_sweep *x, const pf_view *v, pf_table *a) {
  pf_lines lines;
  pf_sweep_lines(x, v, a, 0, &lines);
  return a->direct && a->lo == 0 && a->hi == x->lines && !a->images;
}

ptrdiff_t pf_late_lines(pf_sweep *x) {
  const pf_pass *p = x->p;
  ptrdiff_t lines = x->lines % p->fft->width;
  int suits = !p->fft->rows && lines > 0 && !p->gap[0].len && !p->gap[1].len &&
              looks_up_all(x, p->from, &x->from) && looks_up_all(x, p->to, &x->to);
  return suits ? lines : 0;
}

/* Stride of the points of the tile, in bytes. */
static ptrdiff_t step_of(const pf_sweep *x) {
  return pf_tile_shape_of(x->p->fft).along * (ptrdiff_t)x->p->fft->element;
}

/* Moves the last lines of a plane between the tile, from `tile` on, and these addresses. */
#define MOVE(type)                                                                             \
  for (ptrdiff_t i = 0; i < n; i++, tile += step)                                              \
    for (ptrdiff_t k = 0; k < lines * (ptrdiff_t)sizeof(type); k += (ptrdiff_t)sizeof(type)) { \
      type *here = (type *)(void *)(tile + k);                                                 \
      type *there = (type *)(void *)(at[i] + offset + k);                                      \
      if (in)                                                                                  \
        *here = *there;                                                                        \
      else                                                                                     \
        *there = *here;                                                                        \
    }

static void move(const pf_sweep *x, char *tile, char *const *at, ptrdiff_t offset, int in) {
  const pf_fft *f = x->p->fft;
  ptrdiff_t n = f->n, lines = x->late, step = step_of(x);
  if (f->element == sizeof(whole))
    MOVE(whole)
  else
    MOVE(half)
}

static void run(const pf_sweep *x, char *tile) {
  char **at = x->w->at[PF_AT_COLLECT];
  ptrdiff_t step = step_of(x);
  for (ptrdiff_t i = 0; i < x->p->fft->n; i++) at[i] = tile + i * step;
  pf_job job = {.from = {.at = at}, .to = {.at = at}, .scale = x->p->scale};
  pf_fft_run(x->p->fft, x->w->tile, &job);
}

/* Clears unused lanes: values left there would grow from run to run, until they overflow. */
static void clear(const pf_sweep *x, char *tile) {
  memset(tile, 0, (size_t)(x->p->fft->n * step_of(x)));
}

void pf_late_finish(const pf_sweep *x) {
  pf_late *late = &x->w->late;
  ptrdiff_t bytes = x->late * (ptrdiff_t)x->p->fft->element;
  run(x, x->w->collect);
  for (int k = 0; k < late->parts; k++)
    move(x, x->w->collect + k * bytes, x->to.at, late->to[k], 0);
  late->parts = 0;
}

/* The tile has the last lines of this plane: of as many planes from this one on as fit, if it is
 * the first of them. */
static void look_ahead(const pf_sweep *x, ptrdiff_t from, ptrdiff_t to) {
  pf_range *ahead = &x->w->ahead;
  ptrdiff_t most = x->p->fft->width / x->late, left = x->s->planes * x->s->fields - x->item;
  ptrdiff_t bytes = x->late * (ptrdiff_t)x->p->fft->element;
  if (x->item < ahead->lo || x->item >= ahead->lo + ahead->len) {
    *ahead = (pf_range){x->item, most < left ? most : left};
    clear(x, x->w->collect);
    for (ptrdiff_t k = 0; k < ahead->len; k++)
      move(x, x->w->collect + k * bytes, x->from.at, from + pf_sweep_distance(x, 0, x->item + k),
           1);
    run(x, x->w->collect);
  }
  move(x, x->w->collect + (x->item - ahead->lo) * bytes, x->to.at, to, 0);
}

void pf_late_add(const pf_sweep *x) {
  pf_late *late = &x->w->late;
  ptrdiff_t width = x->p->fft->width, lines = x->late;
  ptrdiff_t element = (ptrdiff_t)x->p->fft->element, first = (x->lines - lines) * element;
  ptrdiff_t from = x->shift[0] - x->from.shift + first, to = x->shift[1] - x->to.shift + first;
  int several = x->steady && 2 * lines <= width; /* planes can share a tile */
  if (several && x->p->tuning.ahead) {
    look_ahead(x, from, to);
    return;
  }
  if (!several || !x->p->tuning.late) {
    clear(x, x->w->spare);
    move(x, x->w->spare, x->from.at, from, 1);
    run(x, x->w->spare);
    move(x, x->w->spare, x->to.at, to, 0);
    return;
  }
  if (!late->parts) clear(x, x->w->collect);
  move(x, x->w->collect + late->parts * lines * element, x->from.at, from, 1);
  late->to[late->parts++] = to;
  if ((late->parts + 1) * lines > width) pf_late_finish(x);
}

/* The addresses of `count` rows from t on; missing rows get `other`. */
static pf_lines complete(const pf_sweep *x, const pf_table *a, ptrdiff_t t, ptrdiff_t count,
                         char *other) {
  int to = a == &x->to;
  ptrdiff_t shift = x->shift[to] - a->shift;
  char **at = x->w->at[PF_AT_SPARE + to];
  for (ptrdiff_t k = 0; k < x->p->fft->width; k++) at[k] = k < count ? a->at[t + k] + shift : other;
  return (pf_lines){.at = at, .gap = a->gap};
}

int pf_last_rows(pf_sweep *x, ptrdiff_t t, ptrdiff_t count, pf_job *job) {
  const pf_pass *p = x->p;
  if (!p->fft->rows || p->tuning.stream) return 0;
  if (!looks_up_all(x, p->from, &x->from) || !looks_up_all(x, p->to, &x->to)) return 0;
  ptrdiff_t row = pf_tile_shape_of(p->fft).across * (ptrdiff_t)p->fft->element;
  memset(x->w->spare, 0, (size_t)row);
  job->from = complete(x, &x->from, t, count, x->w->spare);
  job->to = complete(x, &x->to, t, count, x->w->spare + row);
  return 1;
}
