/* SPDX-License-Identifier: BSD-3-Clause
 * Planned transforms of tiles: by the engine, or by steps around complex transforms of the
 * engine. */
#include "base/memory.h"
#include "local/engine.h"

/* ---- rows of several fields ---- */

/* Rows that hold the points of several fields side by side, as vectors are stored: the points of a
 * tile's rows are sorted by field in cache, transformed as rows of one field each, and sorted back.
 * Memory is read and written in order, once for all fields. */
typedef struct pf_many {
  pf_fft one;    /* rows of one field */
  size_t row;    /* bytes from row to row of a field in the buffer */
  size_t points; /* bytes of all rows; the tile of `one` follows */
} pf_many;

static int plan_many(pf_fft *f, const pf_fft_spec *spec, int estimate, pfft3d_error *e) {
  pf_fft_spec single = *spec;
  pf_many *m = f->state = pf_alloc(sizeof *m);
  if (!m) return pf_fail(e, PFFT3D_ERR_MEMORY, "no memory for a plan of several fields");
  single.many = 1;
  m->one.state = NULL;
  PF_TRY(pf_fft_create(&m->one, &single, estimate, e));
  m->row = (size_t)pf_tile_shape_of(&m->one).across * m->one.element;
  m->points = (size_t)(f->many * f->width) * m->row;
  m->points = (m->points + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
  f->bytes = m->points + m->one.bytes;
  return PFFT3D_OK;
}

static void destroy_many(pf_fft *f) {
  pf_many *m = f->state;
  pf_fft_destroy(&m->one);
  pf_free(m);
}

/* Copies `points` points of one field between a row of all fields and a row of this field. */
#define SORT(number, parts)                                                                \
  static void sort_##number##parts(char *row, char *own, ptrdiff_t points, ptrdiff_t many, \
                                   int back) {                                             \
    typedef struct {                                                                       \
      number part[parts];                                                                  \
    } point;                                                                               \
    point *a = (point *)(void *)row, *b = (point *)(void *)own;                            \
    if (back)                                                                              \
      for (ptrdiff_t i = 0; i < points; i++) a[i * many] = b[i];                           \
    else                                                                                   \
      for (ptrdiff_t i = 0; i < points; i++) b[i] = a[i * many];                           \
  }
SORT(double, 1)
SORT(double, 2)
SORT(float, 1)
SORT(float, 2)

/* Sorts the points of all rows of a tile, `bytes` each. */
static void sort(const pf_fft *f, const pf_lines *lines, char *buffer, ptrdiff_t points,
                 size_t bytes, int back) {
  const pf_many *m = f->state;
  int is_single = f->precision == PFFT3D_SINGLE, is_real = bytes < pf_element(f->precision);
  void (*move)(char *, char *, ptrdiff_t, ptrdiff_t, int) =
      is_single ? (is_real ? sort_float1 : sort_float2) : (is_real ? sort_double1 : sort_double2);
  for (ptrdiff_t k = 0; k < f->width; k++)
    for (ptrdiff_t c = 0; c < f->many; c++)
      move(lines->at[k] + lines->offset + (size_t)c * bytes,
           buffer + (size_t)(c * f->width + k) * m->row, points, f->many, back);
}

/* Rows that are prefetched while those of field c are transformed. */
static pf_fetch share_of(const pf_fetch *fetch, ptrdiff_t c, ptrdiff_t many) {
  pf_fetch share = *fetch;
  ptrdiff_t first = fetch->rows * c / many;
  share.at += first;
  share.rows = fetch->rows * (c + 1) / many - first;
  return share;
}

static void run_many(const pf_fft *f, void *tile, const pf_job *job) {
  const pf_many *m = f->state;
  char *buffer = tile, *at[PF_WIDEST];
  int reals_in = f->real && f->sign < 0, reals_out = f->real && f->sign > 0;
  ptrdiff_t n = m->one.n, half = n / 2 + 1;
  sort(f, &job->from, buffer, f->real && !reals_in ? half : n,
       reals_in ? f->element / 2 : f->element, 0);
  for (ptrdiff_t c = 0; c < f->many; c++) {
    for (ptrdiff_t k = 0; k < f->width; k++) at[k] = buffer + (size_t)(c * f->width + k) * m->row;
    pf_job inner = {.from = {.at = at}, .to = {.at = at}, .scale = job->scale};
    inner.fetch = share_of(&job->fetch, c, f->many);
    pf_fft_run(&m->one, buffer + m->points, &inner);
  }
  sort(f, &job->to, buffer, f->real && !reals_out ? half : n,
       reals_out ? f->element / 2 : f->element, 1);
}

static const pf_around around_many = {plan_many, run_many, destroy_many};

/* ---- all ---- */

/* Nonzero if the engine itself transforms rows of several fields. */
static int owns_many(const pf_fft_spec *spec) {
  const pf_engine *e = spec->engine;
  if (pf_kind_is_real(spec->kind) || (spec->real && !pf_fft_owns_reals(spec))) return 0;
  return e->many && e->many(spec->n, spec->many);
}

/* The steps around the engine, or NULL. */
static const pf_around *around(const pf_fft *f, const pf_fft_spec *spec) {
  if (spec->many > 1) return owns_many(spec) ? NULL : &around_many;
  if (pf_kind_is_real(spec->kind)) return &pf_around_kind;
  if (!f->real || pf_fft_owns_reals(spec)) return NULL;
  return f->rows ? &pf_around_real : &pf_around_real_columns;
}

int pf_fft_create(pf_fft *f, const pf_fft_spec *spec, int estimate, pfft3d_error *e) {
  PF_TRY(pf_fft_begin(f, spec, e));
  f->around = around(f, spec);
  return f->around ? f->around->plan(f, spec, estimate, e) : f->engine->plan(f, estimate, e);
}

void pf_fft_destroy(pf_fft *f) {
  if (f->state && f->around)
    f->around->destroy(f);
  else if (f->state)
    f->engine->destroy(f);
  f->state = NULL;
}

void pf_fft_run(const pf_fft *f, void *tile, const pf_job *job) {
  if (f->around)
    f->around->run(f, tile, job);
  else
    f->engine->run(f, tile, job);
}
