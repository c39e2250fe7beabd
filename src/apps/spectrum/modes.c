/* SPDX-License-Identifier: BSD-3-Clause
 * Modes.  All of them count, also in the corners of the cube of wavenumbers: the sum of power times
 * modes over all shells is the volume times the variance of the field (Parseval).  In half a
 * spectrum, modes with a mirror image that is not stored count twice.
 *
 * Assignment of particles to a grid damps mode k by prod sinc(k_a h_a / 2)^p (Hockney and Eastwood,
 * 5-3-3), and adds the images of modes that the grid cannot tell from k; of shot noise their sum is
 * known (spline.h). */
#include "apps/spectrum/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/common/message.h"
#include "app/common/number.h"
#include "apps/spectrum/spline.h"

static const double pi = 3.14159265358979323846;

/* ---- tables ---- */

/* The mode of index k: half as many waves as points count as positive. */
static double waves_of(ptrdiff_t n, ptrdiff_t k) {
  return (double)(2 * k <= n ? k : k - n);
}

static void set_axis(const app *a, modes *m, int axis, double unit_length) {
  const modes_wish *w = &m->wish;
  ptrdiff_t extent[3], n = w->problem.n[axis];
  pfft3d_problem_extents(&w->problem, PFFT3D_SPECTRUM, extent);
  size_t count = (size_t)extent[axis];
  m->wave[axis] = app_malloc(a, count, sizeof(double));
  m->repair[axis] = app_malloc(a, count, sizeof(double));
  m->turn[axis] = app_malloc(a, count, sizeof *m->turn[axis]);
  for (int odd = 0; odd < 2; odd++) m->noise[odd][axis] = app_malloc(a, count, sizeof(double));
  for (ptrdiff_t k = 0; k < extent[axis]; k++) {
    double waves = waves_of(n, k), half = pi * waves / (double)n;
    double sinc = k == 0 ? 1 : sin(half) / half, repair = pow(sinc, -w->window);
    m->wave[axis][k] = pow(waves * unit_length / m->length[axis], 2);
    m->repair[axis][k] = repair;
    m->turn[axis][k][0] = cos(half);
    m->turn[axis][k][1] = -sin(half);
    for (int odd = 0; odd < 2; odd++)
      m->noise[odd][axis][k] =
          w->assigned ? spline_images(w->assigned, half, odd) * repair * repair : 0;
  }
}

int modes_open(const app *a, modes *m, const modes_wish *wish, pfft3d_error *e) {
  double longest = 0, most = 0;
  *m = (modes){.wish = *wish};
  for (int k = 0; k < 3; k++) {
    m->length[k] = k < 3 - wish->dims ? 1 : wish->length[k];
    if (k >= 3 - wish->dims) longest = fmax(longest, m->length[k]);
  }
  m->unit = 2 * pi / longest;
  for (int k = 0; k < 3; k++) {
    set_axis(a, m, k, longest);
    most += m->wave[k][wish->problem.n[k] / 2];
  }
  if (isfinite(most)) return PFFT3D_OK;
  return app_fail(e, PFFT3D_ERR_USAGE,
                  "--length: the ratio of the lengths, squared, is beyond double precision");
}

void modes_close(modes *m) {
  for (int k = 0; k < 3; k++) {
    free(m->wave[k]);
    free(m->repair[k]);
    free(m->turn[k]);
    for (int odd = 0; odd < 2; odd++) free(m->noise[odd][k]);
  }
  memset(m, 0, sizeof *m);
}

int modes_pair(int fields, int i, int j) {
  return i * fields - i * (i - 1) / 2 + j - i;
}

void modes_legendre(double mu2, double value[MULTIPOLES]) {
  value[0] = 1;
  value[1] = 2.5 * (3 * mu2 - 1);
  value[2] = 1.125 * ((35 * mu2 - 30) * mu2 + 3);
}

/* ---- single modes ---- */

/* A mode; or a row, with the factors and terms that all its modes share. */
typedef struct mode {
  double waves2, along2,
      across2; /* squares of its wavenumber and its parts; of a row: of axes 0, 1 */
  double repair, noise[2];
  double weight; /* 2: it stands for its mirror image, too */
} mode;

static mode row_of(const modes *m, ptrdiff_t k0, ptrdiff_t k1) {
  mode r = {.waves2 = m->wave[0][k0] + m->wave[1][k1],
            .repair = m->repair[0][k0] * m->repair[1][k1],
            .weight = 1};
  for (int odd = 0; odd < 2; odd++) r.noise[odd] = m->noise[odd][0][k0] * m->noise[odd][1][k1];
  if (m->wish.los == 0) r.along2 = m->wave[0][k0], r.across2 = m->wave[1][k1];
  if (m->wish.los == 1) r.along2 = m->wave[1][k1], r.across2 = m->wave[0][k0];
  if (m->wish.los == 2) r.across2 = r.waves2;
  return r;
}

/* Mode k of a row.  The noise is in noise[0]; with interlacing only images of even order are left.
 */
static inline mode mode_of(const modes *m, const mode *row, ptrdiff_t k) {
  mode r = *row;
  const pfft3d_problem *p = &m->wish.problem;
  r.waves2 += m->wave[2][k];
  r.repair *= m->repair[2][k];
  r.noise[0] *= m->noise[0][2][k];
  if (m->wish.interlaced) r.noise[0] = 0.5 * (r.noise[0] + r.noise[1] * m->noise[1][2][k]);
  if (m->wish.los == 2)
    r.along2 = m->wave[2][k];
  else
    r.across2 += m->wave[2][k];
  if (p->kind == PFFT3D_R2C && k && 2 * k != p->n[2]) r.weight = 2;
  if (m->wish.flat) {
    r.repair /= sqrt(r.noise[0]);
    r.noise[0] = 1;
  }
  return r;
}

/* Calls of `body` for each row of a box: k0, k1 are its indices, `at` that of its first element. */
#define FOR_ROWS(b, i, j, at)                                                     \
  for (ptrdiff_t i = 0; i < (b)->len[0]; i++)                                     \
    for (ptrdiff_t j = 0, at = (b)->offset + i * (b)->stride[0]; j < (b)->len[1]; \
         j++, at += (b)->stride[1])

static inline void turn(double z[2], const double by[2]) {
  double re = z[0] * by[0] - z[1] * by[1];
  z[1] = z[0] * by[1] + z[1] * by[0];
  z[0] = re;
}

/* A row of modes; a loop for each precision. */
static inline __attribute__((always_inline)) long double join_row(const modes *m,
                                                                  const pfft3d_box *b,
                                                                  const double start[2],
                                                                  void *first, const void *second,
                                                                  ptrdiff_t at, int single) {
  const pfft3d_problem *p = &m->wish.problem;
  long double energy = 0;
  for (ptrdiff_t k = 0; k < b->len[2]; k++) {
    ptrdiff_t index = b->lo[2] + k, here = 2 * (at + k * b->stride[2]);
    double one[2], two[2], square = 0, by[2] = {start[0], start[1]};
    for (int part = 0; part < 2; part++) {
      one[part] = number_get(first, single, here + part);
      two[part] = number_get(second, single, here + part);
      square += one[part] * one[part] + two[part] * two[part];
    }
    energy += (p->kind == PFFT3D_R2C && index && 2 * index != p->n[2] ? 2 : 1) * square;
    turn(by, m->turn[2][index]);
    turn(two, by);
    for (int part = 0; part < 2; part++)
      number_set(first, single, here + part, 0.5 * (one[part] + two[part]));
  }
  return energy;
}

void modes_interlace(const modes *m, const pfft3d_box *b, void *first, const void *second,
                     long double *energy) {
  int single = m->wish.problem.precision == PFFT3D_SINGLE;
  *energy = 0;
  FOR_ROWS(b, i, j, at) {
    const double *start = m->turn[0][b->lo[0] + i];
    double by[2] = {start[0], start[1]};
    turn(by, m->turn[1][b->lo[1] + j]);
    *energy += single ? join_row(m, b, by, first, second, at, 1)
                      : join_row(m, b, by, first, second, at, 0);
  }
}

void modes_product(const modes *m, const pfft3d_box *b, const mode_product *p, void *out) {
  int single = m->wish.problem.precision == PFFT3D_SINGLE;
  FOR_ROWS(b, i, j, at) {
    mode row = row_of(m, b->lo[0] + i, b->lo[1] + j);
    for (ptrdiff_t k = 0; k < b->len[2]; k++) {
      ptrdiff_t here = 2 * (at + k * b->stride[2]);
      mode one = mode_of(m, &row, b->lo[2] + k);
      double value = 0;
      for (int part = 0; part < 2; part++)
        value += number_get(p->array[0], single, here + part) *
                 number_get(p->array[1], single, here + part);
      for (int f = 0; f < 2; f++) value *= p->plain[f] ? 1 : one.repair;
      value = p->factor * (value - p->noise * one.noise[0]);
      number_set(out, single, here, one.waves2 > 0 ? value : 0);
      number_set(out, single, here + 1, 0);
    }
  }
}

/* ---- bins ---- */

enum { MOST_BINS = 1 << 22, PER_DECADE = 10 };

static int shell_of(int logarithmic, double waves2) {
  if (waves2 == 0) return 0;
  if (!logarithmic) return (int)(sqrt(waves2) + 0.5);
  return 1 + (int)(0.5 * PER_DECADE * log10(waves2) + 1e-9);
}

/* The bin of a mode, and what its second coordinate is. */
static inline int bin_of(const tally *t, const mode *one, double k, double *along) {
  switch (t->kind) {
    case TALLY_WEDGES: {
      *along = one->waves2 > 0 ? sqrt(one->along2) / k : 0;
      int wedge = (int)(*along * t->across + 1e-9);
      return shell_of(t->logarithmic, one->waves2) * t->across +
             (wedge < t->across ? wedge : t->across - 1);
    }
    case TALLY_CYLINDER:
      *along = sqrt(one->along2);
      return shell_of(t->logarithmic, one->across2) * t->across +
             shell_of(t->logarithmic, one->along2);
    default: *along = 0; return shell_of(t->logarithmic, one->waves2);
  }
}

int tally_open(const app *a, tally *t, tally_kind kind, const modes *m, int fields, int across,
               pfft3d_error *e) {
  int los = m->wish.los, logarithmic = a->opt.bins == BINS_LOG;
  double most[3], all = 0, bins;
  for (int k = 0; k < 3; k++) all += most[k] = m->wave[k][m->wish.problem.n[k] / 2];
  double along = los >= 0 ? most[los] : 0;
  *t = (tally){.kind = kind, .logarithmic = logarithmic, .across = across ? across : 1};
  t->poles = kind == TALLY_SHELLS && los >= 0 ? MULTIPOLES : 1;
  t->pairs = fields * (fields + 1) / 2;
  t->columns = SUM_NOISE + t->poles * (1 + t->pairs);
  bins = sqrt(kind == TALLY_CYLINDER ? all - along : all);
  if (kind == TALLY_CYLINDER) bins *= sqrt(along);
  if (!logarithmic && !(bins * t->across * t->columns / 4 < 0.9 * MOST_BINS)) {
    app_hint(e, "--bins log has ten per factor of 10");
    return app_fail(e, PFFT3D_ERR_USAGE,
                    "--length: the longest axis is so long that there are "
                    "more than %d shells of one fundamental mode",
                    MOST_BINS);
  }
  if (kind == TALLY_CYLINDER) t->across = shell_of(logarithmic, along) + 2;
  t->count = (shell_of(logarithmic, kind == TALLY_CYLINDER ? all - along : all) + 2) * t->across;
  t->sum = app_malloc(a, (size_t)t->count, (size_t)t->columns * sizeof(long double));
  return PFFT3D_OK;
}

void tally_close(tally *t) {
  free(t->sum);
  memset(t, 0, sizeof *t);
}

long double *tally_at(const tally *t, int bin, int column) {
  return &t->sum[(ptrdiff_t)bin * t->columns + column];
}

int tally_column(const tally *t, int pair) {
  return SUM_NOISE + t->poles * (1 + pair);
}

/* ---- sums ---- */

/* Adds a mode with the products of its pairs of fields. */
static inline void add_mode(tally *t, const mode *one, const long double *product, int again) {
  double k = sqrt(one->waves2), along, pole[MULTIPOLES];
  long double *sum = tally_at(t, bin_of(t, one, k, &along), 0);
  if (t->poles > 1) modes_legendre(one->waves2 > 0 ? one->along2 / one->waves2 : 0, pole);
  pole[0] = 1;
  if (!again) {
    sum[SUM_MODES] += one->weight;
    sum[SUM_K] += one->weight * (t->kind == TALLY_CYLINDER ? sqrt(one->across2) : k);
    sum[SUM_ALONG] += one->weight * along;
    for (int l = 0; l < t->poles; l++) sum[SUM_NOISE + l] += one->weight * one->noise[0] * pole[l];
  }
  sum += SUM_NOISE + t->poles;
  for (int p = 0; p < t->pairs; p++)
    for (int l = 0; l < t->poles; l++) *sum++ += one->weight * pole[l] * product[p];
}

/* Adds a row of modes; a loop for each precision. */
static inline __attribute__((always_inline)) void add_row(const modes *m, spectra *s,
                                                          const pfft3d_box *b, const mode *row,
                                                          ptrdiff_t at, tally *const *t, int count,
                                                          int single) {
  long double re[MOST_FIELDS], im[MOST_FIELDS], product[MOST_PAIRS];
  for (ptrdiff_t k = 0; k < b->len[2]; k++) {
    ptrdiff_t here = 2 * (at + k * b->stride[2]);
    mode one = mode_of(m, row, b->lo[2] + k);
    for (int f = 0; f < s->fields; f++) {
      re[f] = number_get(s->array[f], single, here);
      im[f] = number_get(s->array[f], single, here + 1);
      if (one.waves2 > 0) s->energy[f] += one.weight * (re[f] * re[f] + im[f] * im[f]);
      if (s->plain[f]) continue;
      re[f] *= one.repair;
      im[f] *= one.repair;
    }
    for (int f = 0, pair = 0; f < s->fields; f++)
      for (int g = f; g < s->fields; g++) product[pair++] = re[f] * re[g] + im[f] * im[g];
    for (int i = 0; i < count; i++) add_mode(t[i], &one, product, s->again);
  }
}

void modes_add(const modes *m, spectra *s, const pfft3d_box *b, tally *const *t, int count) {
  int single = m->wish.problem.precision == PFFT3D_SINGLE;
  FOR_ROWS(b, i, j, at) {
    mode row = row_of(m, b->lo[0] + i, b->lo[1] + j);
    if (single)
      add_row(m, s, b, &row, at, t, count, 1);
    else
      add_row(m, s, b, &row, at, t, count, 0);
  }
}

void tally_collect(const app *a, tally *t) {
  MPI_Allreduce(MPI_IN_PLACE, t->sum, t->count * t->columns, MPI_LONG_DOUBLE, MPI_SUM, a->comm);
}
