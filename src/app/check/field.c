/* SPDX-License-Identifier: BSD-3-Clause
 * Synthetic fields and sums over them.  All functions process an array row by row along axis 2: a
 * piece of a row of the field is computed in a small buffer, then stored, compared or summed.  In
 * single precision the numbers of a row are rounded to float: sums then use the input of the
 * transform, so that the transform's error is not hidden by the rounding of its input. */
#include "app/check/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/factors.h"
#include "app/common/number.h"
#include "app/common/watch.h"

typedef long double complex wide;

/* ---- Arrays ------------------------------------------------------------------------------- */

field_type field_type_of(const pfft3d_problem *p, pfft3d_side side) {
  size_t complex_bytes = 2 * (p->precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double));
  int real = pfft3d_element_bytes(p, side) < complex_bytes;
  field_form form = p->kind == PFFT3D_C2C ? FIELD_COMPLEX : real ? FIELD_REAL : FIELD_HALF;
  field_type type = {.form = form, .precision = p->precision, .half = field_half_axis(p)};
  memcpy(type.n, p->n, sizeof type.n);
  for (int a = 0; a < 3; a++) {
    pfft3d_axis_kind kind = p->axis[a];
    if (kind == PFFT3D_DCT1) type.ends[a] = FIELD_FIRST | FIELD_LAST;
    if (kind == (side == PFFT3D_SPACE ? PFFT3D_DCT3 : PFFT3D_DCT2)) type.ends[a] = FIELD_FIRST;
    if (kind == (side == PFFT3D_SPACE ? PFFT3D_DST3 : PFFT3D_DST2)) type.ends[a] = FIELD_LAST;
    if (kind == (side == PFFT3D_SPACE ? PFFT3D_HC2R : PFFT3D_R2HC)) type.ends[a] = FIELD_PAIRS;
  }
  return type;
}

double complex field_get(field_type type, const void *array, ptrdiff_t at) {
  if (type.form == FIELD_REAL) return number_get(array, type.precision == PFFT3D_SINGLE, at);
  return type.precision == PFFT3D_SINGLE ? (double complex)((const float complex *)array)[at]
                                         : ((const double complex *)array)[at];
}

static void put(field_type type, void *array, ptrdiff_t at, double complex value) {
  int single = type.precision == PFFT3D_SINGLE;
  if (type.form == FIELD_REAL)
    number_set(array, single, at, creal(value));
  else if (single)
    ((float complex *)array)[at] = (float complex)value;
  else
    ((double complex *)array)[at] = value;
}

/* The weight of an index along an axis in the energy. */
static double share(const field_type *type, int axis, ptrdiff_t i) {
  int ends = type->ends[axis];
  if (ends & FIELD_PAIRS) return i == 0 || 2 * i == type->n[axis] ? 1 : 2;
  double first = i == 0 && (ends & FIELD_FIRST) ? 0.5 : 1;
  return i == type->n[axis] - 1 && (ends & FIELD_LAST) ? first / 2 : first;
}

/* ---- Kept modes --------------------------------------------------------------------------- */

/* The kept modes of an axis, n of them; the first `low` have the same index in the whole
 * spectrum. */
typedef struct kept_modes {
  ptrdiff_t n, low, dropped;
} kept_modes;

static kept_modes kept_of(const pfft3d_problem *p, int axis) {
  ptrdiff_t kept[3], all[3];
  pfft3d_problem whole = *p;
  memset(whole.keep, 0, sizeof whole.keep);
  pfft3d_problem_extents(p, PFFT3D_SPECTRUM, kept);
  pfft3d_problem_extents(&whole, PFFT3D_SPECTRUM, all);
  int two = p->axis[axis] == PFFT3D_DFT && all[axis] == p->n[axis]; /* positive and negative */
  return (kept_modes){kept[axis], two ? (kept[axis] + 1) / 2 : kept[axis], all[axis] - kept[axis]};
}

ptrdiff_t field_mode(const pfft3d_problem *p, int axis, ptrdiff_t i) {
  kept_modes m = kept_of(p, axis);
  return i < m.low ? i : i + m.dropped;
}

ptrdiff_t field_kept(const pfft3d_problem *p, int axis, ptrdiff_t mode) {
  kept_modes m = kept_of(p, axis);
  ptrdiff_t i = mode < m.low ? mode : mode - m.dropped;
  return i < m.n && field_mode(p, axis, i) == mode ? i : -1;
}

/* ---- Elements of arrays ---------------------------------------------------------------------- */

field_place field_place_of(const field_place *place, ptrdiff_t number) {
  field_place p = *place;
  p.box.offset += number * p.box.distance;
  return p;
}

enum { PIECE = 2048, KICK = 1 << 20 }; /* elements that are summed in less than a second */

/* Consecutive elements of the row (i0, i1, :) of an array: their indices along axis 2, and the
 * offset of the first one. */
typedef struct piece {
  ptrdiff_t i0, i1, at, count; /* i0, i1: indices in the array */
  ptrdiff_t row[2];            /* indices of the row in the whole field */
  ptrdiff_t from;              /* index of the first one in the row */
  ptrdiff_t since;             /* elements since the last report to the watchdog */
  ptrdiff_t index[PIECE];
} piece;

/* The number of elements of the whole field that element i of a piece represents. */
static int weight(const field_type *type, const piece *s, ptrdiff_t i) {
  ptrdiff_t k = type->form != FIELD_HALF ? 0 : type->half < 2 ? s->row[type->half] : s->index[i];
  return k && 2 * k != type->n[type->half] ? 2 : 1;
}

static void piece_start(piece *s, const field_place *p) {
  s->i0 = p->box.lo[0];
  s->i1 = p->box.lo[1];
  s->from = s->count = s->since = 0;
}

static void piece_modes(piece *s, const pfft3d_problem *cut) {
  kept_modes m = kept_of(cut, 2);
  for (ptrdiff_t i = 0; i < s->count; i++)
    if (s->index[i] >= m.low) s->index[i] += m.dropped;
}

/* The first piece after piece_start(), or the next one; 0 after the last. */
static int piece_next(piece *s, const field_place *p) {
  const pfft3d_box *b = &p->box;
  s->from += s->count;
  s->since += s->count;
  if (s->since >= KICK) {
    s->since = 0;
    watch_kick(watch_phase());
  }
  if (s->from >= b->len[2]) s->from = 0, s->i1++;
  if (s->i1 >= b->lo[1] + b->len[1]) s->i1 = b->lo[1], s->i0++;
  if (s->i0 >= b->lo[0] + b->len[0] || b->len[1] <= 0 || b->len[2] <= 0) return 0;
  ptrdiff_t left = b->len[2] - s->from;
  s->count = left < PIECE ? left : PIECE;
  s->at = b->offset + (s->i0 - b->lo[0]) * b->stride[0] + (s->i1 - b->lo[1]) * b->stride[1] +
          s->from * b->stride[2];
  for (ptrdiff_t i = 0; i < s->count; i++)
    s->index[i] = p->line ? pfft3d_plan_index(p->line, p->side, p->rank, s->from + i)
                          : b->lo[2] + s->from + i;
  s->row[0] = p->cut ? field_mode(p->cut, 0, s->i0) : s->i0;
  s->row[1] = p->cut ? field_mode(p->cut, 1, s->i1) : s->i1;
  if (p->cut) piece_modes(s, p->cut);
  return 1;
}

ptrdiff_t field_find(const field_place *place, const ptrdiff_t k[3]) {
  const pfft3d_box *b = &place->box;
  ptrdiff_t at = b->offset;
  for (int a = 0; a < 3; a++) {
    ptrdiff_t mode = place->cut ? field_kept(place->cut, a, k[a]) : k[a], i = mode - b->lo[a];
    if (place->line &&
        a == 2) /* the library gives the index of an element, but not the element of an index */
      for (i = 0; i < b->len[2]; i++)
        if (pfft3d_plan_index(place->line, place->side, place->rank, i) == k[2]) break;
    if (i < 0 || i >= b->len[a]) return -1;
    at += i * b->stride[a];
  }
  return at;
}

/* ---- Fields ------------------------------------------------------------------------------- */

field field_seeded(const pfft3d_problem *p, pfft3d_side side, uint64_t seed) {
  field f = {.kind = FIELD_SEEDED, .seed = {seed, 0}, .times = {1, 0}};
  f.type = field_type_of(p, side);
  memcpy(f.n, p->n, sizeof f.n);
  memcpy(f.span, p->n, sizeof f.span);
  memcpy(f.axis, p->axis, sizeof f.axis);
  return f;
}

field field_of_batch(const field *f, ptrdiff_t number) {
  field g = *f;
  if (f->kind == FIELD_SEEDED) {
    uint64_t far = (uint64_t)number * 0x9e3779b97f4a7c15u; /* far from seeds that users increment */
    g.seed[0] += far;
    if (g.seed[1]) g.seed[1] += far;
    return g;
  }
  for (int a = 0; a < 3; a++) g.k[a] = (f->k[a] + number % f->span[a]) % f->span[a];
  g.times[0] *= 1 + (double)(number % 7);
  return g;
}

/* Sebastiano Vigna's splitmix64: mixes a counter so well that neighbours look unrelated. */
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* A number in (-0.5, 0.5) from the upper 53 bits. */
static double centred(uint64_t bits) {
  return ((double)(int64_t)(bits >> 11) + 0.5) * 0x1p-53 - 0.5;
}

/* An element of one seeded field, whose seed is already mixed. */
static double complex seeded_value(uint64_t mixed, uint64_t index) {
  uint64_t x = mix(mixed ^ index);
  return centred(x) + centred(mix(x)) * I;
}

/* The tables that a field needs, and a piece of it. */
typedef struct maker {
  const field *f;
  factors wave[3];
  uint64_t seed[2]; /* mixed */
  piece piece;
  double complex row[PIECE], opposite_row[PIECE];
} maker;

static void maker_close(maker *m) {
  factors_close(m->wave);
  free(m);
}

/* NULL if there is no memory. */
static maker *maker_open(const field *f, const field_place *place) {
  maker *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->f = f;
  for (int i = 0; i < 2; i++) m->seed[i] = mix(f->seed[i]);
  piece_start(&m->piece, place);
  const factors_spec spec = {f->n, f->k, f->axis, f->sign, 0};
  if (f->kind != FIELD_WAVE || !factors_open(&spec, m->wave)) return m;
  maker_close(m);
  return NULL;
}

/* Computes the elements of the piece of the complex field in double precision; or, if `opposite`,
 * the elements at n - i instead of i. */
static void make_complex_row(const maker *m, double complex *row, int opposite) {
  const field *f = m->f;
  const piece *s = &m->piece;
  const ptrdiff_t *n = f->n, at[3] = {s->row[0], s->row[1], 0};
  int wave = f->kind == FIELD_WAVE, peak = f->kind == FIELD_PEAK, two = f->seed[1] != 0;
  ptrdiff_t shift[3], j[3];
  int mirror[3];
  for (int a = 0; a < 3; a++) mirror[a] = opposite && f->axis[a] == PFFT3D_DFT;
  for (int a = 0; a < 3; a++) shift[a] = wave || peak ? 0 : f->k[a];
  for (int a = 0; a < 3; a++) j[a] = ((mirror[a] ? n[a] - at[a] : at[a]) + shift[a]) % n[a];
  wide w = wave ? f->times[0] * factors_at(&m->wave[0], j[0]) * factors_at(&m->wave[1], j[1]) : 0;
  uint64_t base = (uint64_t)(j[0] * n[1] + j[1]) * (uint64_t)n[2];
  for (ptrdiff_t i = 0; i < s->count; i++) {
    j[2] = (mirror[2] ? n[2] - s->index[i] : s->index[i]) + shift[2];
    while (j[2] >= n[2]) j[2] -= n[2];
    uint64_t index = base + (uint64_t)j[2];
    if (wave) {
      row[i] = (double complex)factors_product(w, factors_at(&m->wave[2], j[2]));
    } else if (peak) {
      row[i] = j[0] == f->k[0] && j[1] == f->k[1] && j[2] == f->k[2] ? f->times[0] : 0;
    } else {
      row[i] = seeded_value(m->seed[0], index);
      if (two) /* products only if necessary: they cost more than the numbers */
        row[i] = f->times[0] * row[i] + f->times[1] * seeded_value(m->seed[1], index);
    }
  }
}

/* Nonzero if the mirror image of a row of half a spectrum is dropped: an even number of modes has
 * one more negative than positive ones.  Fields leave out such a row, because its other half is
 * missing. */
static int single_row(const maker *m, const pfft3d_problem *cut) {
  for (int a = 0; a < 2; a++) {
    ptrdiff_t mode = m->piece.row[a], mirror = mode ? m->f->n[a] - mode : 0;
    if (a != m->f->type.half && m->f->axis[a] == PFFT3D_DFT && field_kept(cut, a, mirror) < 0)
      return 1;
  }
  return 0;
}

/* Computes the next piece in the form of the arrays: its real or Hermitian part, rounded to the
 * precision of the arrays. Returns 0 after the last. */
static int make_row(maker *m, const field_place *place) {
  const field_type type = m->f->type;
  if (!piece_next(&m->piece, place)) return 0;
  ptrdiff_t len = m->piece.count;
  make_complex_row(m, m->row, 0);
  if (type.form == FIELD_REAL)
    for (ptrdiff_t i = 0; i < len; i++) m->row[i] = creal(m->row[i]);
  if (type.form == FIELD_HALF) {
    make_complex_row(m, m->opposite_row, 1);
    for (ptrdiff_t i = 0; i < len; i++) m->row[i] = (m->row[i] + conj(m->opposite_row[i])) / 2;
    if (place->paired && single_row(m, place->cut)) memset(m->row, 0, (size_t)len * sizeof *m->row);
  }
  if (type.precision == PFFT3D_SINGLE)
    for (ptrdiff_t i = 0; i < len; i++) m->row[i] = (float complex)m->row[i];
  return 1;
}

static long double square(double complex z) {
  long double re = creal(z), im = cimag(z);
  return re * re + im * im;
}

int field_fill(const field *f, const field_place *place, void *array) {
  maker *m = maker_open(f, place);
  if (!m) return 1;
  while (make_row(m, place))
    for (ptrdiff_t i = 0; i < m->piece.count; i++)
      put(f->type, array, m->piece.at + i * place->box.stride[2], m->row[i]);
  maker_close(m);
  return 0;
}

int field_compare(const field *f, const field_place *place, const void *array, double scale,
                  field_sums *sums) {
  maker *m = maker_open(f, place);
  *sums = (field_sums){0, 0, 0};
  if (!m) return 1;
  while (make_row(m, place))
    for (ptrdiff_t i = 0; i < m->piece.count; i++) {
      double complex z = field_get(f->type, array, m->piece.at + i * place->box.stride[2]);
      int times = weight(&f->type, &m->piece, i);
      long double off = square(z * scale - m->row[i]);
      sums->energy += times * square(m->row[i]);
      sums->difference += times * off;
      if (!(off <= sums->largest)) sums->largest = off; /* NaN remains in the sum */
    }
  sums->largest = sqrtl(sums->largest);
  maker_close(m);
  return 0;
}

/* William Kahan's sum over rows, which keeps the rounding errors of additions: most elements of a
 * field may be noise, each too small compared with the sum of the rest, but not all together. */
long double field_energy(field_type type, const field_place *place, const void *array) {
  long double sum = 0, lost = 0;
  piece s;
  piece_start(&s, place);
  while (piece_next(&s, place)) {
    long double row = 0, before = sum;
    for (ptrdiff_t i = 0; i < s.count; i++)
      row += weight(&type, &s, i) * share(&type, 2, s.index[i]) *
             square(field_get(type, array, s.at + i * place->box.stride[2]));
    row = lost + row * share(&type, 0, s.row[0]) * share(&type, 1, s.row[1]);
    sum += row;
    lost = row - (sum - before);
  }
  return sum;
}

/* Adds a piece of a row to the direct sum of one index with factors w. */
static void dft_row(const maker *m, const factors w[3], wide *sum) {
  const piece *s = &m->piece;
  long double re = 0, im = 0;
  for (ptrdiff_t i = 0; i < s->count; i++) {
    long double x = creal(m->row[i]), y = cimag(m->row[i]);
    wide along = factors_at(&w[2], s->index[i]);
    long double c = creall(along), d = cimagl(along);
    re += x * c - y * d;
    im += x * d + y * c;
  }
  *sum += (re + (wide)I * im) * factors_at(&w[0], s->row[0]) * factors_at(&w[1], s->row[1]);
}

int field_dft(const field *f, const field_place *place, field_dft_sums *sums) {
  maker *m = maker_open(f, place);
  if (!m) return 1;
  factors(*w)[3] = calloc((size_t)sums->count, sizeof *w);
  int failed = !w;
  sums->energy = 0;
  for (int s = 0; w && s < sums->count; s++) {
    const factors_spec spec = {f->n, sums->k[s], sums->axis, sums->sign, 1};
    failed |= factors_open(&spec, w[s]);
    sums->sum[s] = 0;
  }
  while (!failed && make_row(m, place)) {
    for (ptrdiff_t i = 0; i < m->piece.count; i++) {
      const piece *at = &m->piece;
      int times = weight(&f->type, at, i);
      sums->energy += times * square(m->row[i]) * share(&f->type, 0, at->row[0]) *
                      share(&f->type, 1, at->row[1]) * share(&f->type, 2, at->index[i]);
      m->row[i] *= times;
    }
    for (int s = 0; s < sums->count; s++) dft_row(m, w[s], &sums->sum[s]);
  }
  for (int s = 0; w && s < sums->count; s++) {
    if (f->type.form == FIELD_HALF)
      sums->sum[s] = creall(sums->sum[s]); /* the rest belongs to the other half */
    factors_close(w[s]);
  }
  free(w);
  maker_close(m);
  return failed;
}
