/* SPDX-License-Identifier: BSD-3-Clause
 * Functions common to engines: the tile of complex numbers, gathering and scattering its lines. */
#include "local/engine.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "local/move.h"

size_t pf_element(pfft3d_precision precision) {
  return precision == PFFT3D_DOUBLE ? 2 * sizeof(double) : 2 * sizeof(float);
}

int pf_engine_check(const pf_engine *engine, ptrdiff_t n, pfft3d_precision precision,
                    pfft3d_error *e) {
  if (engine->supports(n, precision)) return PFFT3D_OK;
  return pf_fail(
      e, PFFT3D_ERR_UNAVAILABLE, "engine '%s': cannot do %td points: it takes %s %td", engine->name,
      n, n <= engine->longest && engine->lengths ? engine->lengths : "at most", engine->longest);
}

/* Two real lines are combined into one complex line. */
ptrdiff_t pf_fft_width(const pf_fft_spec *spec) {
  ptrdiff_t points = pf_kind_points(spec->kind, spec->n);
  ptrdiff_t width = spec->engine->width(points, spec->precision);
  return (spec->real || spec->scalar) && !spec->alone ? 2 * width : width;
}

int pf_fft_owns_reals(const pf_fft_spec *spec) {
  const pf_engine *e = spec->engine;
  int (*owns)(ptrdiff_t) = spec->rows ? e->reals : e->real_columns;
  return !spec->alone && owns && owns(spec->n);
}

int pf_fft_transposes(const pf_fft_spec *spec) {
  const pf_engine *e = spec->engine;
  int own = !spec->real || pf_fft_owns_reals(spec);
  return spec->transpose && own && e->transposes && e->transposes(spec->n);
}

/* Nonzero if the engine itself transforms such lines and skips points of a gap; real_columns.c
 * skips them. */
static int skips(const pf_fft_spec *spec) {
  const pf_engine *e = spec->engine;
  if (spec->real && !spec->rows) return 1;
  int own = !spec->real || pf_fft_owns_reals(spec);
  return own && !pf_kind_is_real(spec->kind) && e->skips && e->skips(spec->n);
}

int pf_fft_begin(pf_fft *f, const pf_fft_spec *spec, pfft3d_error *e) {
  ptrdiff_t many = spec->many > 1 ? spec->many : 1;
  *f = (pf_fft){.engine = spec->engine,
                .precision = spec->precision,
                .n = spec->n * many,
                .many = many,
                .sign = spec->sign,
                .rows = spec->rows,
                .transpose = pf_fft_transposes(spec),
                .weighs = !spec->real && many == 1 && !pf_kind_is_real(spec->kind) &&
                          spec->engine->weighs && spec->engine->weighs(spec->n),
                .skips = skips(spec),
                .real = spec->real,
                .kind = spec->kind,
                .element = pf_element(spec->precision) / (spec->scalar ? 2 : 1),
                .width = pf_fft_width(spec),
                .device = spec->device};
  if (f->n > PTRDIFF_MAX / 64 / f->width)
    return pf_fail(e, PFFT3D_ERR_MEMORY, "a line of %td points is too long", f->n);
  return PFFT3D_OK;
}

/* The points of all lines with one index fill two cache lines: this uses all data that a strided
 * access loads, and with lines of up to some thousand points the tile stays in the L2 cache.  Long
 * lines use narrower tiles. */
ptrdiff_t pf_tile_width(ptrdiff_t n, pfft3d_precision precision) {
  ptrdiff_t width = n <= 8192 ? 8 : n <= 32768 ? 4 : 2;
  return precision == PFFT3D_DOUBLE ? width : 2 * width;
}

static pf_tile_shape shape(const pf_fft *f, int rows) {
  enum { pad = 4 };
  pf_tile_shape s = {f->width, 1, 0};
  if (rows) s = (pf_tile_shape){1, (f->n + 7) / 8 * 8 + pad, 0};
  s.bytes = (size_t)(rows ? f->width * s.across : f->n * s.along) * f->element;
  return s;
}

pf_tile_shape pf_tile_shape_of(const pf_fft *f) {
  return shape(f, f->rows);
}

pf_tile_shape pf_tile_shape_to(const pf_fft *f) {
  return shape(f, f->rows || f->transpose);
}

/* A tile consists of contiguous runs: its lines, or the points of all lines with one index. */
typedef struct runs {
  ptrdiff_t count;
  size_t stride, bytes;
} runs;

static runs runs_of(const pf_fft *f) {
  pf_tile_shape s = pf_tile_shape_of(f);
  size_t element = f->element;
  if (f->rows) return (runs){f->width, (size_t)s.across * element, (size_t)f->n * element};
  return (runs){f->n, (size_t)s.along * element, (size_t)f->width * element};
}

/* Copies the parts of a row on both sides of a gap. */
static void move_row(const pf_fft *f, char *row, const pf_lines *lines, ptrdiff_t k, int in) {
  size_t element = f->element, before = (size_t)lines->gap->lo * element;
  size_t gap = (size_t)lines->gap->len * element;
  size_t behind = (size_t)f->n * element - before - gap;
  char *stored = lines->at[k] + lines->offset;
  pf_move_run(in ? row : stored, in ? stored : row, before, 0);
  if (in) memset(row + before, 0, gap);
  row += before + gap;
  stored += before;
  pf_move_run(in ? row : stored, in ? stored : row, behind, 0);
}

/* Copies the images of a point: they are stored in the reverse order of lines. */
static void move_images(const pf_fft *f, char *here, const pf_lines *lines, ptrdiff_t k, int in,
                        int stream) {
  pf_strided plain = {here, 1, 0, f->element};
  pf_strided images = {lines->at[k] - lines->offset, -1, 0, f->element};
  pf_move(in ? plain : images, in ? images : plain, f->width, 1,
          (pf_move_mode){.stream = stream, .conjugate = 1});
}

void pf_tile_gather(const pf_fft *f, void *tile, const pf_lines *from) {
  runs r = runs_of(f);
  char *to = tile;
  for (ptrdiff_t k = 0; k < r.count; k++, to += r.stride)
    if (f->rows && from->gap)
      move_row(f, to, from, k, 1);
    else if (from->images && k >= from->images)
      move_images(f, to, from, k, 1, 0);
    else
      pf_move_run(to, from->at[k] + from->offset, r.bytes, 0);
}

void pf_tile_scatter(const pf_fft *f, void *tile, const pf_lines *to, int stream) {
  runs r = runs_of(f);
  char *from = tile;
  for (ptrdiff_t k = 0; k < r.count; k++, from += r.stride)
    if (f->rows && to->gap)
      move_row(f, from, to, k, 0);
    else if (to->images && k >= to->images)
      move_images(f, from, to, k, 0, stream);
    else if (!to->gap || to->at[k])
      pf_move_run(to->at[k] + to->offset, from, r.bytes, stream);
}

void pf_tile_scale(const pf_fft *f, void *tile, double scale) {
  size_t bytes = pf_tile_shape_of(f).bytes;
  if (scale == 1) return;
  if (f->precision == PFFT3D_DOUBLE)
    for (size_t i = 0; i < bytes / sizeof(double); i++) ((double *)tile)[i] *= scale;
  else
    for (size_t i = 0; i < bytes / sizeof(float); i++) ((float *)tile)[i] *= (float)scale;
}

void pf_tile_weigh(const pf_fft *f, void *tile, ptrdiff_t points, const pf_weights *weights) {
  pf_tile_shape s = pf_tile_shape_of(f);
  ptrdiff_t parts = 2 * (ptrdiff_t)f->element / (ptrdiff_t)pf_element(f->precision);
  for (ptrdiff_t j = 0; j < f->width; j++)
    for (ptrdiff_t i = 0; i < points; i++) {
      ptrdiff_t at = parts * (i * s.along + j * s.across);
      double w = weights->point[i] * weights->line[j];
      for (ptrdiff_t c = at; c < at + parts; c++)
        if (f->precision == PFFT3D_DOUBLE)
          ((double *)tile)[c] *= w;
        else
          ((float *)tile)[c] *= (float)w;
    }
}

void pf_tile_read(const pf_fft *f, void *tile, const pf_job *job) {
  pf_tile_gather(f, tile, &job->from);
  if (job->weights) pf_tile_weigh(f, tile, f->n, job->weights);
}

void pf_tile_write(const pf_fft *f, void *tile, const pf_job *job) {
  pf_tile_scale(f, tile, job->scale);
  pf_tile_scatter(f, tile, &job->to, job->stream);
}
