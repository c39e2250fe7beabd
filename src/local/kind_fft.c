/* SPDX-License-Identifier: BSD-3-Clause
 * Real-to-real transforms of tiles: the steps of kind.c around complex transforms of an engine.
 *
 * Internally, lines are columns, with all numbers of a point contiguous: complex numbers, or pairs
 * of real lines.  If the caller's lines are columns, too, a step that only moves points costs
 * nothing: the engine gets other addresses. */
#include <string.h>

#include "base/memory.h"
#include "local/engine.h"
#include "local/kind.h"
#include "local/move.h"

typedef struct pf_kind_fft {
  pf_kind_steps steps;
  pf_fft complex;      /* columns of steps.m points */
  int alone;           /* the imaginary parts of real lines are 0 */
  int inside;          /* the lines are copied into columns, and back */
  int direct;          /* writes_all() */
  size_t point;        /* bytes of a point of all lines */
  size_t tile;         /* bytes of the tile of the complex transforms */
  size_t outer, inner; /* bytes of n points, and of the points of all complex transforms */
} pf_kind_fft;

/* Nonzero if complex transforms write only points of the result; otherwise some of the points that
 * they write are read again. */
static int writes_all(const pf_kind_steps *s) {
  ptrdiff_t reached = 0;
  for (ptrdiff_t i = 0; i < s->n && !s->pairs[1]; i++) reached += s->move[1][i] >= 0;
  return reached == s->runs * s->m;
}

static int plan(pf_fft *f, const pf_fft_spec *outer, int estimate, pfft3d_error *e) {
  pf_kind_fft *k = f->state = pf_alloc(sizeof *k);
  if (!k) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan of real lines");
  memset(k, 0, sizeof *k);
  k->alone = outer->alone && outer->scalar;
  k->inside = f->rows || k->alone;
  PF_TRY(pf_kind_steps_make(f->kind, f->n, &k->steps, e));
  k->direct = writes_all(&k->steps);
  pf_fft_spec spec = {.engine = f->engine,
                      .precision = f->precision,
                      .n = k->steps.m,
                      .sign = k->steps.sign,
                      .device = f->device};
  PF_TRY(pf_fft_begin(&k->complex, &spec, e));
  PF_TRY(f->engine->plan(&k->complex, estimate, e));
  size_t points = (size_t)(k->steps.runs * k->steps.m);
  k->point = (size_t)k->complex.width * pf_element(f->precision);
  k->outer = (size_t)f->n * k->point;
  k->inner = points * k->point;
  k->tile = (k->complex.bytes + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  f->bytes = k->tile + k->outer + k->inner + ((size_t)f->n + 3 * points) * sizeof(char *);
  return PFFT3D_OK;
}

static void destroy(pf_fft *f) {
  pf_kind_fft *k = f->state;
  if (k->complex.state) f->engine->destroy(&k->complex);
  pf_kind_steps_free(&k->steps);
  pf_free(k);
}

/* Addresses of points, and the buffers behind the tile of the complex transforms. */
typedef struct room {
  char *outer, *inner;  /* n points; the points of the complex transforms */
  char **end, **middle; /* their addresses, in buffers or in the caller's memory */
  char **from, **to;    /* arguments of the complex transforms */
} room;

static room divide(const pf_kind_fft *k, void *tile) {
  size_t points = k->inner / k->point;
  room r = {.outer = (char *)tile + k->tile};
  r.inner = r.outer + k->outer;
  r.end = (char **)(void *)(r.inner + k->inner);
  r.middle = r.end + k->steps.n;
  r.from = r.middle + points;
  r.to = r.from + points;
  for (size_t i = 0; i < points; i++) r.middle[i] = r.inner + i * k->point;
  return r;
}

/* Copies points of real lines to the real parts of complex ones, or back. */
static void spread(const pf_fft *f, const pf_kind_fft *k, const room *r, const pf_lines *lines,
                   int in, int stream) {
  ptrdiff_t point = 2 * f->width, step = f->rows ? 2 : point, along = f->rows ? point : 2;
  ptrdiff_t runs = f->rows ? f->width : f->n, count = f->rows ? f->n : f->width;
  if (in) memset(r->outer, 0, k->outer);
  for (ptrdiff_t j = 0; j < runs; j++) {
    pf_strided wide = {r->outer + j * step * (ptrdiff_t)f->element, along, 1, f->element};
    pf_strided plain = {lines->at[j] + lines->offset, 1, count, f->element};
    pf_move(in ? wide : plain, in ? plain : wide, count, 1, (pf_move_mode){.stream = stream});
  }
}

/* Copies rows into columns, or back. */
static void transpose_rows(const pf_fft *f, const pf_kind_fft *k, const room *r,
                           const pf_lines *lines, int in, int stream) {
  ptrdiff_t element = (ptrdiff_t)f->element, width = f->width, count;
  if (k->alone) {
    spread(f, k, r, lines, in, stream);
    return;
  }
  for (ptrdiff_t j = 0; j < width; j += count) { /* lines at equal distances */
    ptrdiff_t apart = j + 1 < width ? lines->at[j + 1] - lines->at[j] : element;
    for (count = 1; j + count < width; count++)
      if (lines->at[j + count] - lines->at[j + count - 1] != apart || apart % element) break;
    pf_strided column = {r->outer + j * element, width, 1, f->element};
    pf_strided row = {lines->at[j] + lines->offset, 1, apart / element, f->element};
    pf_move(in ? column : row, in ? row : column, f->n, count, (pf_move_mode){.stream = stream});
  }
}

/* The addresses of the n points outside. */
static void find_end(const pf_fft *f, const pf_kind_fft *k, const room *r, const pf_lines *lines,
                     int inside) {
  for (ptrdiff_t i = 0; i < f->n; i++)
    r->end[i] = inside ? r->outer + (size_t)i * k->point : lines->at[i] + lines->offset;
}

static void negate(const pf_fft *f, char *to, const char *from, size_t bytes) {
  if (f->precision == PFFT3D_DOUBLE)
    for (size_t i = 0; i < bytes / sizeof(double); i++)
      ((double *)(void *)to)[i] = -((const double *)(const void *)from)[i];
  else
    for (size_t i = 0; i < bytes / sizeof(float); i++)
      ((float *)(void *)to)[i] = -((const float *)(const void *)from)[i];
}

/* Sets the addresses that the complex transforms read. */
static void before(const pf_fft *f, const pf_kind_fft *k, const room *r) {
  const pf_kind_steps *s = &k->steps;
  ptrdiff_t points = s->runs * s->m;
  if (s->pairs[0])
    pf_pairs_apply(s->pair[0], s->pairs[0], (pf_points){r->end, 0}, (pf_points){r->middle, 0},
                   k->point, f->precision, 0);
  for (ptrdiff_t i = 0; i < points; i++) {
    r->from[i] = r->middle[i];
    if (s->pairs[0]) continue;
    int32_t x = s->move[0][i];
    if (x >= 0)
      r->from[i] = r->end[x];
    else
      negate(f, r->middle[i], r->end[~x], k->point);
  }
}

/* Sets the addresses that the complex transforms write: the result's, if a point is not changed
 * afterwards. */
static void reach(const pf_kind_fft *k, const room *r) {
  const pf_kind_steps *s = &k->steps;
  memcpy(r->to, r->middle, (size_t)(s->runs * s->m) * sizeof(char *));
  if (s->pairs[1]) return;
  for (ptrdiff_t i = 0; i < s->n; i++)
    if (s->move[1][i] >= 0) r->to[s->move[1][i]] = r->end[i];
}

/* Streams results from a buffer, in whole cache lines. */
static void stream_out(const pf_fft *f, const pf_kind_fft *k, const room *r,
                       const pf_lines *lines) {
  for (ptrdiff_t i = 0; i < f->n; i++)
    pf_move_run(lines->at[i] + lines->offset, r->outer + (size_t)i * k->point, k->point, 1);
}

static void after(const pf_fft *f, const pf_kind_fft *k, const room *r, int stream) {
  const pf_kind_steps *s = &k->steps;
  if (s->pairs[1])
    pf_pairs_apply(s->pair[1], s->pairs[1], (pf_points){r->middle, 0}, (pf_points){r->end, 0},
                   k->point, f->precision, stream);
  else
    for (ptrdiff_t i = 0; i < s->n; i++)
      if (s->move[1][i] < 0) negate(f, r->end[i], r->middle[~s->move[1][i]], k->point);
}

static void run(const pf_fft *f, void *tile, const pf_job *job) {
  const pf_kind_fft *k = f->state;
  room r = divide(k, tile);
  if (k->inside) transpose_rows(f, k, &r, &job->from, 1, 0);
  find_end(f, k, &r, &job->from, k->inside);
  before(f, k, &r);
  /* The results may overwrite the input: it has been read, or the only run reads it. */
  int streams = job->stream && job->to.aligned && k->point % PF_ALIGN == 0 && !k->inside;
  int apart = streams && !k->direct && !k->steps.pairs[1];
  find_end(f, k, &r, &job->to, k->inside || apart);
  reach(k, &r);
  for (int run = 0; run < k->steps.runs; run++) {
    ptrdiff_t first = run * k->steps.m;
    pf_job inner = {.from = {.at = r.from + first},
                    .to = {.at = r.to + first, .aligned = job->to.aligned},
                    .scale = job->scale,
                    .stream = streams && k->direct};
    if (run == 0) inner.fetch = job->fetch, inner.claim = job->claim;
    f->engine->run(&k->complex, tile, &inner);
  }
  after(f, k, &r, streams);
  if (apart) stream_out(f, k, &r, &job->to);
  if (k->inside) transpose_rows(f, k, &r, &job->to, 0, job->stream);
}

const pf_around pf_around_kind = {plan, run, destroy};
