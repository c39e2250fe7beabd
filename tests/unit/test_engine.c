/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Every registered engine on one tile, from lines to lines, against the DFT in long double, which
 * is the tests' own and not the naive engine's (test_oracle compares it with the definition): lines
 * of complex numbers, of real ones with half of their spectra, and all real-to-real kinds. */
#include "base/hooks.h"
#include "local/engine.h"

#include "base/memory.h"
#include "local/move.h"
#include "local/simd.h"
#include "kinds.h"
#include "line_trial.h"

enum { GUARD = 64 };                  /* bytes behind the tile */
static const double poison = -777.25; /* in memory that nobody may write to */

/* One tile: lines at irregular distances, of which none may touch what lies between. */
typedef struct {
  const pf_fft *f;
  double scale;
  double huge; /* numbers of every second line are that large; the others are near 1 */
  int stream, in_place, aligned, weighs;
  const char *name;
  size_t number;    /* bytes of a real number */
  int parts[2];     /* of an element on each side: 2, or 1 where it is real */
  ptrdiff_t points; /* of a line on the complex side: half the spectrum of a real line */
  ptrdiff_t runs;   /* what is contiguous: rows, or points of all lines; and its bytes */
  size_t run;
  char *memory[2], **at[2]; /* of the input and of the output */
  size_t bytes;
} tile_case;

static double read_number(const tile_case *c, const char *at, int part) {
  if (c->f->precision == PFFT3D_DOUBLE) return ((const double *)(const void *)at)[part];
  return ((const float *)(const void *)at)[part];
}

static void write_number(const tile_case *c, char *at, int part, double x) {
  if (c->f->precision == PFFT3D_DOUBLE)
    ((double *)(void *)at)[part] = x;
  else
    ((float *)(void *)at)[part] = (float)x;
}

/* Points of a line on a side. */
static ptrdiff_t points(const tile_case *c, int side) {
  return c->parts[side] == 1 ? c->f->n : c->points;
}

/* An element; `from` says whose numbering it has where both sides are the same memory. */
static char *address(const tile_case *c, int side, int from, ptrdiff_t point, ptrdiff_t line) {
  ptrdiff_t run = c->f->rows ? line : point, inside = c->f->rows ? point : line;
  return c->at[side][run] + inside * c->parts[from] * (ptrdiff_t)c->number;
}

static int is_huge(const tile_case *c, ptrdiff_t line) {
  return c->huge != 1 && line % 2 == 0;
}

/* The weight of a point and of a line: products are exact. */
static double weight_of(ptrdiff_t point) {
  return point % 3 ? 0.5 : 1;
}

static double line_weight(ptrdiff_t line) {
  return line % 5 ? 1 : 2;
}

/* A number that both precisions can hold. */
static double sample(const tile_case *c, ptrdiff_t point, ptrdiff_t line, int part) {
  double x = value_of((uint64_t)(2 * (point * 64 + line) + part + 1000 * c->f->n));
  if (is_huge(c, line)) x *= c->huge;
  return c->f->precision == PFFT3D_DOUBLE ? x : (float)x;
}

static void make_lines(tile_case *c, int side) {
  size_t gap = c->aligned ? 0 : 2 * c->number, at = gap;
  c->memory[side] = pf_alloc(c->bytes);
  c->at[side] = get((size_t)c->runs * sizeof(char *));
  for (size_t i = 0; i < c->bytes / c->number; i++)
    write_number(c, c->memory[side] + i * c->number, 0, poison);
  for (ptrdiff_t k = 0; k < c->runs; k++) {
    c->at[side][k] = c->memory[side] + at;
    at += (c->run + gap + 63) / 64 * 64 + (c->aligned ? 64 * (size_t)(k % 3) : gap);
  }
  for (ptrdiff_t j = 0; j < c->f->width && !side; j++)
    for (ptrdiff_t i = 0; i < points(c, 0); i++)
      for (int part = 0; part < c->parts[0]; part++)
        write_number(c, address(c, 0, 0, i, j), part, sample(c, i, j, part));
}

/* Line j of the input as the definition wants it: complex, and whole.  The spectrum of a real line
 * is real where k = 0 or 2 k = n; what the input has there must be ignored. */
static void input_line(const tile_case *c, ptrdiff_t j, wide *x) {
  ptrdiff_t n = c->f->n;
  int half = c->f->real && c->parts[0] == 2;
  for (ptrdiff_t i = 0; i < points(c, 0); i++) {
    x[i].re = sample(c, i, j, 0);
    x[i].im = c->parts[0] == 2 && !(half && (i == 0 || 2 * i == n)) ? sample(c, i, j, 1) : 0;
    long double w = c->weighs ? weight_of(i) * line_weight(j) : 1;
    x[i] = (wide){x[i].re * w, x[i].im * w};
    if (half && i) x[n - i] = (wide){x[i].re, -x[i].im};
  }
}

/* Adds || result - definition ||^2 and || definition ||^2 of line j. */
static void tile_error(const tile_case *c, ptrdiff_t j, wide *x, long double sum[2]) {
  input_line(c, j, x);
  if (pf_kind_is_real(c->f->kind))
    kind_lines(x, c->f->kind, c->f->n, 1, 1, 1);
  else
    dft_line_by_factors(x, c->f->n, c->f->sign);
  for (ptrdiff_t i = 0; i < points(c, 1); i++) {
    const char *y = address(c, !c->in_place, 1, i, j);
    long double want[2] = {x[i].re * c->scale, x[i].im * c->scale};
    for (int part = 0; part < c->parts[1]; part++) {
      long double d = read_number(c, y, part) - want[part];
      sum[0] += d * d;
      sum[1] += want[part] * want[part];
    }
  }
}

/* Line j as the input or the result is poison again. */
static void wipe_line(const tile_case *c, int from, ptrdiff_t j) {
  for (ptrdiff_t i = 0; i < points(c, from); i++)
    for (int part = 0; part < c->parts[from]; part++)
      write_number(c, address(c, !c->in_place, from, i, j), part, poison);
}

/* Whether line j is compared: all of short tiles; of longer ones the first, the last, and one that
 * is not always the same; of long ones that one alone. */
static int is_compared(const tile_case *c, ptrdiff_t j) {
  ptrdiff_t n = c->f->n, width = c->f->width;
  if (n <= 32 || take_all() || j == n % width) return 1;
  return (n <= 128 || c->huge != 1) && (j == 0 || j == width - 1);
}

/* The limit is for random numbers on the average: one line of three points may exceed it, all lines
 * of one size may not. */
static void check_lines(const tile_case *c) {
  const pf_fft *f = c->f;
  wide *x = get((size_t)f->n * sizeof *x);
  long double sum[2][2] = {{0, 0}, {0, 0}};
  int side = !c->in_place;
  for (ptrdiff_t j = 0; j < f->width; j++) {
    if (is_compared(c, j)) tile_error(c, j, x, sum[is_huge(c, j)]);
    wipe_line(c, 1, j);
  }
  for (ptrdiff_t j = 0; j < f->width && c->in_place; j++) wipe_line(c, 0, j); /* what is left */
  ptrdiff_t inner = f->n;
  if (pf_kind_is_real(f->kind)) { /* factors that are rounded, even of one point */
    pf_kind_steps steps;
    pf_kind_shape(f->kind, f->n, &steps);
    inner = 2 * steps.runs * steps.m + 1;
  }
  int smooth = f->n == inner ? is_smooth(inner) : is_smooth((inner - 1) / 2);
  if (!strcmp(f->engine->name, "mkl")) smooth = 0; /* oracle_allowed() says why */
  double limit = error_limit(inner, smooth);
  if (f->precision == PFFT3D_SINGLE) limit *= 0x1p29; /* 2^-24 for 2^-53 */
  for (int k = 0; k < 2 && (k == 0 || c->huge != 1); k++) {
    double error = sum[k][0] == 0 ? 0 : (double)sqrtl(sum[k][0] / sum[k][1]);
    CHECK(error <= limit, "%s: n %td, scale %g, %s lines: error %.3g, allowed %.3g", c->name, f->n,
          c->scale, k ? "huge" : "usual", error, limit);
  }
  ptrdiff_t touched = 0;
  for (size_t i = 0; i < c->bytes / c->number; i++)
    touched += read_number(c, c->memory[side] + i * c->number, 0) != poison;
  CHECK(!touched, "%s: n %td: %td numbers written between the lines", c->name, f->n, touched);
  free(x);
}

/* Not in place, the input stays. */
static void check_input(const tile_case *c) {
  ptrdiff_t changed = 0;
  for (ptrdiff_t j = 0; j < c->f->width && !c->in_place; j++)
    for (ptrdiff_t i = 0; i < points(c, 0); i++)
      for (int part = 0; part < c->parts[0]; part++)
        changed += read_number(c, address(c, 0, 0, i, j), part) != sample(c, i, j, part);
  CHECK(!changed, "%s: n %td: %td numbers of the input changed", c->name, c->f->n, changed);
}

static void set_shape(tile_case *c) {
  const pf_fft *f = c->f;
  c->number = pf_element(f->precision) / 2;
  c->parts[0] = f->real && f->sign < 0 ? 1 : 2;
  c->parts[1] = f->real && f->sign > 0 ? 1 : 2;
  c->points = f->real ? f->n / 2 + 1 : f->n;
  if (f->element == c->number) c->parts[0] = c->parts[1] = 1;
  c->runs = f->rows ? f->width : f->n;
  ptrdiff_t elements = f->rows ? c->points : f->width; /* a real line is never longer */
  c->run = 2 * (size_t)elements * c->number;
  c->bytes = (size_t)c->runs * (c->run + 256) + 64;
}

static void test_tile(tile_case *c) {
  const pf_fft *f = c->f;
  unsigned char *tile = pf_alloc(f->bytes + GUARD);
  double *weights = get((size_t)(f->n + f->width) * sizeof(double));
  const pf_weights both = {weights, weights + f->n};
  for (ptrdiff_t i = 0; i < f->n; i++) weights[i] = weight_of(i);
  for (ptrdiff_t j = 0; j < f->width; j++) weights[f->n + j] = line_weight(j);
  set_shape(c);
  for (int side = 0; side < 2; side++) make_lines(c, side);
  memset(tile + f->bytes, 0x5a, GUARD);
  pf_job job = {.from = {c->at[0], 0, c->aligned},
                .to = {c->at[!c->in_place], 0, c->aligned},
                .scale = c->scale,
                .stream = c->stream,
                .weights = c->weighs ? &both : NULL};
  job.fetch = (pf_fetch){.at = c->at[0], .rows = c->runs, .lines = 2};
  if (f->n <= 32 && !c->in_place && !c->stream) pf_fft_run(f, tile, &job); /* a used tile */
  pf_fft_run(f, tile, &job);
  pf_move_fence();
  for (int k = 0; k < GUARD; k++)
    CHECK(tile[f->bytes + (size_t)k] == 0x5a, "%s: n %td: written behind the tile", c->name, f->n);
  check_input(c);
  check_lines(c);
  for (int side = 0; side < 2; side++) {
    free(c->at[side]);
    pf_free(c->memory[side]);
  }
  free(weights);
  pf_free(tile);
}

/* One of the ways to run a tile. */
static void test_way(const pf_fft *f, int k, double huge, const char *name) {
  tile_case c = {.f = f, .scale = 1, .huge = huge, .name = name};
  c.stream = k == 1 || k == 2;
  c.aligned = k >= 2;
  c.in_place = k == 3;
  c.weighs = k == 4;
  if (k >= 2) c.scale = 0.25; /* exact, so that n 1 stays exact */
  test_tile(&c);
}

/* Makes a transform, or counts a failure. */
static int make_fft(pf_fft *f, const pf_fft_spec *s, int estimate, const char *name) {
  pfft3d_error e;
  pf_error_clear(&e);
  int status = pf_fft_create(f, s, estimate, &e);
  CHECK(!status, "%s: n %td: %s", name, s->n, e.text);
  if (status) return status;
  CHECK(f->width >= 1 && f->width == pf_fft_width(s) && f->n == s->n && f->sign == s->sign &&
            f->rows == s->rows && f->real == s->real && f->precision == s->precision,
        "%s: n %td", name, s->n);
  return 0;
}

/* Whether rows have a function of their own: all ways are tested. */
static int is_whole(const pf_engine *engine, ptrdiff_t n) {
  return !strcmp(engine->name, "simd") && n >= 32 && n <= 512 && (n & (n - 1)) == 0;
}

static void test_length(const pf_engine *engine, ptrdiff_t n, int estimate) {
  char name[120];
  if (is_textbook(engine->name) && (n & (n - 1)) && n % one_of(9)) return;
  for (int k = 0; k < 8; k++) {
    pf_fft f;
    pf_fft_spec s = {.engine = engine, .n = n, .sign = k & 1 ? 1 : -1, .rows = k >> 1 & 1};
    s.precision = k >> 2 ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
    if (!engine->supports(n, s.precision)) continue;
    /* signs and orientations in turn */
    if (n > 128 && !is_whole(engine, n) && (n % 7 + k) % (n < 512 ? 4 : 8)) continue;
    snprintf(name, sizeof name, "%s sign %d rows %d single %d estimate %d", engine->name, s.sign,
             s.rows, k >> 2, estimate);
    if (make_fft(&f, &s, estimate, name)) continue;
    for (int way = 0; way < 4; way++)
      if (f.n <= 128 || is_whole(engine, n) || way == 2) test_way(&f, way, 1, name);
    if (f.weighs && (n <= 20 || (n + k) % 5 == 0)) test_way(&f, 4, 1, name);
    pf_fft_destroy(&f);
  }
}

/* Lines of real numbers: two by two, or alone; then a line takes no harm from what is in another.
 * The ways to run take turns. */
static void test_real_length(const pf_engine *engine, ptrdiff_t n, int estimate) {
  char name[120];
  if (is_textbook(engine->name) && (n & (n - 1)) && n % one_of(9)) return;
  for (int k = 0; k < 16; k++) {
    pf_fft f;
    pf_fft_spec s = {.engine = engine, .n = n, .real = 1, .sign = k & 1 ? 1 : -1};
    s.precision = k >> 1 & 1 ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
    s.alone = k >> 2 & 1;
    s.rows = k < 8;
    if (!engine->supports(n, s.precision)) continue;
    snprintf(name, sizeof name, "%s %s single %d alone %d rows %d estimate %d", engine->name,
             k & 1 ? "c2r" : "r2c", k >> 1 & 1, s.alone, s.rows, estimate);
    if (make_fft(&f, &s, estimate, name)) continue;
    for (int way = 0; way < 4; way++)
      if (n <= 16 || is_whole(engine, n) || way == (n + k) % 4) test_way(&f, way, 1, name);
    if (s.alone && n <= 256) test_way(&f, 0, s.precision == PFFT3D_SINGLE ? 0x1p40 : 0x1p300, name);
    pf_fft_destroy(&f);
  }
}

/* Real-to-real transforms of complex lines, of real lines two by two, and of real lines alone. */
static void test_kind_length(const pf_engine *engine, ptrdiff_t n) {
  char name[120];
  if (is_textbook(engine->name) && (n & (n - 1)) && n % one_of(9)) return;
  for (pfft3d_axis_kind kind = PFFT3D_DCT1; kind <= PFFT3D_HC2R; kind++)
    for (int k = 0; k < 24; k += 2) {
      pf_fft f;
      pf_fft_spec s = {.engine = engine, .n = n, .kind = kind};
      s.precision = k & 2 ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
      s.rows = k >> 2 & 1;
      s.scalar = k / 8 > 0;
      s.alone = k / 8 > 1;
      if (n < pf_kind_least(kind)) continue;
      if (!engine->supports(pf_kind_points(kind, n), s.precision)) continue;
      if (n > 16 && (n + k + (int)kind) % 5) continue;
      snprintf(name, sizeof name, "%s %s single %d rows %d scalar %d alone %d", engine->name,
               pf_kind_at((int)kind, NULL), k & 2, s.rows, s.scalar, s.alone);
      if (make_fft(&f, &s, 1, name)) continue;
      for (int way = 0; way < 4; way++)
        if (n <= 8 || way == (n + k) % 4) test_way(&f, way, 1, name);
      if (s.alone && n <= 64) test_way(&f, 0, k & 2 ? 0x1p40 : 0x1p300, name);
      pf_fft_destroy(&f);
    }
}

/* ---- rows of several fields ---- */

/* Rows of a tile, at these addresses, of which a field has every point or every `fields`th. */
typedef struct {
  char *memory, *at[PF_WIDEST];
  size_t row, bytes; /* from row to row; of all */
} rows;

static rows make_rows(ptrdiff_t width, size_t length, size_t gap) {
  rows r = {.row = (length + 63) / 64 * 64 + gap};
  r.bytes = (size_t)width * r.row + 64;
  r.memory = pf_alloc(r.bytes);
  memset(r.memory, 0x55, r.bytes);
  for (ptrdiff_t k = 0; k < width; k++) r.at[k] = r.memory + (size_t)k * r.row + gap;
  return r;
}

/* Both transforms, of one field and of all, with the same scale; nothing behind the tile is
 * written. */
static void run_rows(const pf_fft *f, const rows *from, const rows *to, int stream, int aligned) {
  enum { behind = 4096 };
  char *tile = pf_alloc(f->bytes + behind);
  pf_job job = {.from = {.at = from->at, .aligned = aligned},
                .to = {.at = to->at, .aligned = aligned},
                .scale = 1. / 3,
                .stream = stream};
  int written = 0;
  memset(tile, 0, f->bytes);
  memset(tile + f->bytes, 0x55, behind);
  pf_fft_run(f, tile, &job);
  pf_move_fence();
  for (int k = 0; k < behind; k++) written += tile[f->bytes + (size_t)k] != 0x55;
  CHECK(!written, "n %td, %td fields: written behind the tile", f->n, f->many);
  pf_free(tile);
}

/* What all fields together become is what each becomes alone, bit for bit, and nothing else is
 * written.  `way`: 0 plain, 1 rows at odd addresses, 2 streamed, 3 in place. */
static void check_fields(const pf_fft *all, const pf_fft *one, int way, const char *name) {
  size_t whole = pf_element(all->precision), number = whole / 2;
  ptrdiff_t w = all->width, n = one->n, fields = all->many, points[2] = {n, n};
  size_t element[2] = {whole, whole}, gap = way == 1 ? number : 0, longest;
  int half = all->sign < 0, wrong = 0;
  if (all->real) element[!half] = number, points[half] = n / 2 + 1;
  longest = (size_t)(n / 2 + 1) * whole > (size_t)n * element[0] ? (size_t)(n / 2 + 1) * whole
                                                                 : (size_t)n * element[0];
  if (element[1] * (size_t)points[1] > longest) longest = element[1] * (size_t)points[1];
  rows in = make_rows(w, longest * (size_t)fields, gap), out = in, a = make_rows(w, longest, 0);
  rows want = make_rows(w, longest * (size_t)fields, gap);
  if (way != 3) out = make_rows(w, longest * (size_t)fields, gap);
  for (ptrdiff_t k = 0; k < w; k++)
    for (ptrdiff_t i = 0; i < points[0] * fields * (ptrdiff_t)(element[0] / number); i++) {
      double x = value_of((uint64_t)(k * 100000 + i + n));
      char *to = in.at[k] + (size_t)i * number;
      if (number == sizeof(double))
        *(double *)(void *)to = x;
      else
        *(float *)(void *)to = (float)x;
    }
  if (way == 3) memcpy(want.memory, in.memory, in.bytes);
  for (ptrdiff_t c = 0; c < fields; c++) {
    for (ptrdiff_t k = 0; k < w; k++)
      for (ptrdiff_t i = 0; i < points[0]; i++)
        memcpy(a.at[k] + (size_t)i * element[0], in.at[k] + (size_t)(i * fields + c) * element[0],
               element[0]);
    run_rows(one, &a, &a, 0, 0);
    for (ptrdiff_t k = 0; k < w; k++)
      for (ptrdiff_t i = 0; i < points[1]; i++)
        memcpy(want.at[k] + (size_t)(i * fields + c) * element[1], a.at[k] + (size_t)i * element[1],
               element[1]);
  }
  run_rows(all, &in, &out, way == 2, way != 1);
  wrong = memcmp(out.memory, want.memory, out.bytes) != 0;
  CHECK(!wrong, "%s n %td, way %d: other numbers than field by field", name, n, way);
  if (way != 3) pf_free(out.memory);
  pf_free(in.memory);
  pf_free(a.memory);
  pf_free(want.memory);
}

/* Rows of `fields` fields, complex and real, both signs and precisions. */
static void test_fields(const pf_engine *engine, ptrdiff_t n, ptrdiff_t fields) {
  char name[120];
  if (is_textbook(engine->name) && (n & (n - 1))) return;
  for (int k = 0; k < 8; k++) {
    pf_fft all, one;
    pf_fft_spec s = {
        .engine = engine, .n = n, .sign = k & 1 ? 1 : -1, .rows = 1, .real = k >> 1 & 1};
    s.precision = k >> 2 ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
    snprintf(name, sizeof name, "%s, %td fields, sign %d, real %d, single %d,", engine->name,
             fields, s.sign, s.real, k >> 2);
    if (!engine->supports(n, s.precision) || make_fft(&one, &s, 1, name)) continue;
    s.many = fields;
    pfft3d_error e;
    int status = pf_fft_create(&all, &s, 1, &e);
    CHECK(!status && all.n == n * fields && all.many == fields, "%s n %td", name, n);
    for (int way = 0; way < 4 && !status; way++) check_fields(&all, &one, way, name);
    if (!status) pf_fft_destroy(&all);
    pf_fft_destroy(&one);
  }
}

/* The length after n: all of them up to `all`, then one of `step`. */
static ptrdiff_t next(ptrdiff_t n, ptrdiff_t all, ptrdiff_t step) {
  return n + (n < all || take_all() ? 1 : step);
}

/* Short lengths of an engine, and longer ones: `every` one that matters, or some.  An engine of
 * ours has kernels for all primes up to 127; above, steps that grow meet all remainders. */
static void test_engine(const pf_engine *engine, int every) {
  static const ptrdiff_t longer[] = {243, 256, 343, 512, 625, 1000, 1009, 1024, 2048};
  static const ptrdiff_t real[] = {211, 251, 256, 375, 509, 512, 720, 1009, 1024, 2003};
  ptrdiff_t most = strcmp(engine->name, "naive") ? 2048 : 300; /* which is slow */
  for (ptrdiff_t n = 1; n <= 128; n = next(n, every ? 128 : 40, 7)) test_length(engine, n, 1);
  for (ptrdiff_t n = 1; n <= 128; n += n < 17 ? 1 : 37) test_length(engine, n, 0);
  for (ptrdiff_t n = 129; n <= 2048 && every; n = next(n, 384, n / 90)) test_length(engine, n, 1);
  for (size_t k = 0; k < sizeof longer / sizeof *longer; k++)
    if (longer[k] <= most) test_length(engine, longer[k], 1);
  for (ptrdiff_t n = 1; n <= 200; n = next(n, every ? 200 : 24, 7)) test_real_length(engine, n, 1);
  for (ptrdiff_t n = 1; n <= 128; n += n < 9 ? 1 : 29) test_real_length(engine, n, 0);
  for (size_t k = 0; k < sizeof real / sizeof *real; k++)
    if (real[k] < most) test_real_length(engine, real[k], 1);
  for (ptrdiff_t n = 1; n <= 64; n = next(n, every ? 64 : 12, 7)) test_fields(engine, n, 2 + n % 5);
  for (ptrdiff_t n = 128; n <= 512; n *= 2) test_fields(engine, n, 3);
  for (ptrdiff_t n = 1; n <= 130; n = next(n, every ? 34 : 8, 5)) test_kind_length(engine, n);
  for (size_t k = 0; k < sizeof real / sizeof *real; k++)
    if (real[k] < most && real[k] < 600) test_kind_length(engine, real[k]);
  char *text = engine->export_wisdom ? engine->export_wisdom() : NULL;
  if (text) engine->import_wisdom(text); /* what was measured can be learnt again */
  free(text);
}

/* Engine simd as on other machines: with other instruction sets, and where other ways are the
 * fastest. */
static void test_other_machines(const pf_engine *engine) {
  const char *isa, *better = pf_simd_leave_out(0);
  pf_hooks.amd = 1 + !pf_amd();
  for (ptrdiff_t n = 32; n <= 1024; n *= 2) {
    test_length(engine, n, 1);
    test_real_length(engine, n, 1);
  }
  pf_hooks.amd = 0;
  for (int k = 1; (isa = pf_simd_leave_out(k)); k++) {
    printf("%s as well\n", isa);
    CHECK(strcmp(isa, better) != 0, "%s twice: not the best one first", isa);
    better = isa;
    for (ptrdiff_t n = 1; n <= 128; n++) test_length(engine, n, 1);
    for (ptrdiff_t n = 128; n <= 512; n *= 2) test_fields(engine, n, 3);
    for (ptrdiff_t n = 1; n <= 64; n++) test_real_length(engine, n, 1);
    for (ptrdiff_t n = 1; n <= 64; n += 3) test_fields(engine, n, 2 + n % 5);
    for (ptrdiff_t n = 143; n <= 2048; n += n / 8) test_length(engine, n, 1);
    for (ptrdiff_t n = 256; n <= 1024; n += 256) { /* rows that are transposed once */
      test_length(engine, n, 1);
      test_real_length(engine, n, 1);
    }
  }
  pf_simd_leave_out(0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; pf_engine_at(i); i++) {
    const pf_engine *engine = pf_engine_at(i);
    if (engine->device) continue; /* tests/device has these */
    CHECK(engine->name && engine->summary, "engine %d has no name", i);
    int ours = !strcmp(engine->name, "simd"); /* which no other tests */
    test_engine(engine, ours);
    if (!ours) continue;
    test_other_machines(engine);
  }
  /* n 1 is exact: error_limit() is 0. */
  CHECK(error_limit(1, 1) == 0 && is_smooth(2 * 3 * 5 * 7) && !is_smooth(22), "support.h");
  return check_result();
}
