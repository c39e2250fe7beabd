/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Random arrays of one to eight dimensions along any axes, with any engine, exchange and setting,
 * against the definition; some of them come from a file, which has more, by a selection with steps.
 *
 * Arguments: [seed [first case [count]]], 1, 0 and 150 by default. */
#include <stdio.h>
#include <unistd.h>

#include "cases.h"
#include "kinds.h"
#include "pfft3d_hdf5.h"
#include "pfft3d_nd.h"
#include "request/problem.h"
#include "request/text.h"

enum { DIMS = 8, MOST = 6000, NAIVE = 300, FILE_MOST = 100000 };
static int rank, ranks;
static dice *hand; /* of the case */

static int draw(int n) {
  return roll(hand, n);
}

/* A problem: on each side the shape and the whole array, for a real side the imaginary parts are 0.
 */
typedef struct trial {
  pfft3d_nd_spec spec;
  pfft3d_axis_kind kind[DIMS];
  char text[96];
  int real, half, single, wire, sign, scalar;
  double scale[2], logical; /* what forward and then backward multiplies by, without the scales */
  ptrdiff_t n[2][DIMS], elements[2];
  wide *whole[2];
} trial;

static ptrdiff_t product(const ptrdiff_t *n, int from, int to) {
  ptrdiff_t all = 1;
  for (int k = from; k < to; k++) all *= n[k];
  return all;
}

/* Transforms along one axis by the definition. */
static void along_axis(wide *x, const trial *t, int axis, int direction) {
  ptrdiff_t n = t->n[0][axis], along = product(t->n[0], axis + 1, t->spec.dims);
  for (ptrdiff_t block = 0; block < product(t->n[0], 0, axis); block++) {
    wide *at = x + block * n * along;
    pfft3d_axis_kind kind = direction ? kind_back(t->kind[axis]) : t->kind[axis];
    if (kind == PFFT3D_DFT)
      dft_lines(at, n, along, along, 1, direction ? -t->sign : t->sign);
    else if (kind != PFFT3D_NONE)
      kind_lines(at, kind, n, along, along, 1);
  }
}

/* The first half of an array along an axis. */
static wide *take_half(const wide *x, const trial *t) {
  wide *out = get((size_t)t->elements[1] * sizeof *out);
  ptrdiff_t n = t->n[0][t->half], m = t->n[1][t->half],
            after = product(t->n[0], t->half + 1, t->spec.dims);
  for (ptrdiff_t b = 0; b < product(t->n[0], 0, t->half); b++)
    memcpy(out + b * m * after, x + b * n * after, (size_t)(m * after) * sizeof *out);
  return out;
}

static void draw_shape(trial *t) {
  static const ptrdiff_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 16};
  ptrdiff_t all = 1;
  t->spec.dims = 1 + draw(DIMS);
  for (int k = 0; k < t->spec.dims; k++) {
    ptrdiff_t n = lengths[draw(10)];
    while (all * n > MOST) n = (n + 1) / 2;
    t->spec.n[k] = t->n[0][k] = t->n[1][k] = n;
    all *= n;
  }
}

static void draw_kinds(trial *t) {
  int plain = draw(3) == 0, any = 0, dft[DIMS], dfts = 0, longer = 0, real_kinds = 0;
  char *at = t->text;
  t->half = -1;
  t->logical = 1;
  for (int k = 0; k < t->spec.dims; k++) {
    pfft3d_axis_kind kind = PFFT3D_DFT;
    if (!plain && draw(3)) kind = draw(2) ? PFFT3D_NONE : (pfft3d_axis_kind)draw(PF_KINDS);
    if (t->n[0][k] < pf_kind_least(kind)) kind = PFFT3D_DFT;
    if (k == t->spec.dims - 1 && !any && kind == PFFT3D_NONE) kind = PFFT3D_DFT;
    any |= kind != PFFT3D_NONE;
    t->kind[k] = kind;
    at += sprintf(at, "%s%s", k ? "," : "", pf_kind_at((int)kind, NULL));
    t->logical *= pf_kind_logical(kind, t->n[0][k]);
    real_kinds |= pf_kind_is_real(kind);
    if (kind != PFFT3D_DFT) continue;
    dft[dfts++] = k;
    longer |= t->n[0][k] > 1;
  }
  t->spec.kind = plain ? NULL : t->text;
  t->scalar = t->real && (!dfts || (real_kinds && !longer));
  if (!t->real || t->scalar) return;
  t->half = dft[dfts - 1];
  if (draw(2)) {
    t->half = dft[draw(dfts)];
    t->spec.half = 1 + t->half;
  }
  t->n[1][t->half] = t->n[0][t->half] / 2 + 1;
}

/* The arrays of both sides: that of the spectrum by the definition. */
static void fill(trial *t) {
  int dims = t->spec.dims;
  for (int side = 0; side < 2; side++) t->elements[side] = product(t->n[side], 0, dims);
  wide *x = get((size_t)t->elements[0] * sizeof *x), *y = get((size_t)t->elements[0] * sizeof *x);
  for (ptrdiff_t i = 0; i < t->elements[0]; i++)
    y[i] = x[i] = (wide){value_of(2 * (uint64_t)i), t->real ? 0 : value_of(2 * (uint64_t)i + 1)};
  for (int axis = 0; axis < dims; axis++) along_axis(y, t, axis, 0);
  t->whole[0] = x;
  t->whole[1] = y;
  if (t->half < 0) return;
  t->whole[1] = take_half(y, t);
  free(y);
}

/* spec.kind is in the trial itself. */
static void draw_trial(trial *t) {
  memset(t, 0, sizeof *t);
  t->real = draw(2);
  t->single = draw(2);
  t->wire = !t->single && draw(5) == 0;
  draw_shape(t);
  t->sign = !t->real && draw(2) ? 1 : -1;
  draw_kinds(t);
  t->scale[0] = 0.5 + draw(4);
  t->scale[1] = 0.25 + draw(4);
  fill(t);
}

static void put(const trial *t, void *array, ptrdiff_t i, long double value) {
  if (t->single)
    ((float *)array)[i] = (float)value;
  else
    ((double *)array)[i] = (double)value;
}

static double number(const trial *t, const void *array, ptrdiff_t i) {
  return t->single ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

/* The elements of this rank's block: fills an array, or gives the sums of squares of differences
 * from it, and of the expected numbers. */
static void compare(const trial *t, const pfft3d_nd *nd, int side, void *array, long double factor,
                    long double sum[2]) {
  pfft3d_block b;
  CHECK(!pfft3d_nd_block(nd, (pfft3d_side)side, rank, &b), "block");
  int one = side == 0 ? t->real : t->scalar;
  ptrdiff_t row = product(t->n[side], 1, t->spec.dims), count = b.len[0] * row;
  for (ptrdiff_t i = 0; i < count; i++) {
    wide v = t->whole[side][b.lo[0] * row + i];
    for (int part = 0; part < (one ? 1 : 2); part++) {
      long double value = factor * (part ? v.im : v.re);
      ptrdiff_t at = one ? i : 2 * i + part;
      if (!sum) {
        put(t, array, at, value);
        continue;
      }
      sum[0] += powl(number(t, array, at) - value, 2);
      sum[1] += value * value;
    }
  }
}

/* ---- the input from a file ---- */

/* A file with more elements around and between those of a side. */
typedef struct stored {
  char layout[160], selection[200];
  ptrdiff_t all, n[DIMS], first[DIMS], step[DIMS];
} stored;

static stored draw_stored(const trial *t, int side, int one) {
  stored s = {.all = t->elements[side]};
  char *layout = s.layout, *part = s.selection;
  layout += sprintf(layout, "%s", one ? t->single ? "f4" : "f8" : t->single ? "c8" : "c16");
  for (int k = 0; k < t->spec.dims; k++) {
    ptrdiff_t m = t->n[side][k], room = FILE_MOST / s.all;
    s.first[k] = room > 3 ? draw(3) : 0;
    s.step[k] = room > 6 ? 1 + draw(3) : 1;
    ptrdiff_t end = s.first[k] + (m - 1) * s.step[k] + 1;
    s.n[k] = end + (room > 6 ? draw(3) : 0);
    s.all = s.all / m * s.n[k];
    layout += sprintf(layout, "%c%td", k ? 'x' : ':', s.n[k]);
    part += sprintf(part, "%c%td:", k ? ',' : '[', s.first[k] - (draw(2) ? s.n[k] : 0));
    if (end < s.n[k] || draw(2)) part += sprintf(part, "%td", end);
    part += sprintf(part, ":%td", s.step[k]);
  }
  strcpy(part, "]");
  return s;
}

/* Writes the file: between the selected elements there is what would be seen in the result. */
static void write_stored(const trial *t, int side, int one, const stored *s, const char *file) {
  ptrdiff_t parts = one ? 1 : 2;
  size_t bytes = (size_t)(s->all * parts) * (t->single ? sizeof(float) : sizeof(double));
  void *array = get(bytes);
  for (ptrdiff_t i = 0; i < s->all; i++) {
    ptrdiff_t rest = i, at = 0, stride = 1, inside = 1;
    for (int k = t->spec.dims - 1; k >= 0; rest /= s->n[k], stride *= t->n[side][k], k--) {
      ptrdiff_t x = rest % s->n[k] - s->first[k];
      inside &= x >= 0 && x % s->step[k] == 0 && x / s->step[k] < t->n[side][k];
      at += x / s->step[k] * stride;
    }
    wide v = inside ? t->whole[side][at] : (wide){1e30L, 1e30L};
    put(t, array, parts * i, v.re);
    if (!one) put(t, array, 2 * i + 1, v.im);
  }
  FILE *f = fopen(file, "wb");
  CHECK(f && fwrite(array, 1, bytes, f) == bytes && !fclose(f), "%s", file);
  free(array);
}

/* Collective. Reads the input of a direction from a part of a file. */
static void read_stored(const trial *t, const pfft3d_nd *nd, int side, void *array) {
  int one = side == 0 ? t->real : t->scalar;
  stored s = draw_stored(t, side, one);
  char file[] = "/tmp/pfft3d-test-nd-XXXXXX", name[sizeof file + sizeof s.selection];
  pfft3d_dataset *d = NULL;
  pfft3d_block b;
  pfft3d_error e;
  if (rank == 0) {
    int made = mkstemp(file);
    CHECK(made >= 0 && !close(made), "%s", file);
    write_stored(t, side, one, &s, file);
  }
  MPI_Bcast(file, sizeof file, MPI_CHAR, 0, MPI_COMM_WORLD);
  snprintf(name, sizeof name, "%s%s", file, s.selection);
  const pfft3d_input_spec spec = {.name = name, .layout = s.layout, .dims = DIMS};
  case_tell("; %s of %s", s.selection, s.layout);
  memset(array, 0xff, pfft3d_nd_bytes(nd));
  CHECK(!pfft3d_nd_block(nd, (pfft3d_side)side, rank, &b), "block");
  CHECK(!pfft3d_dataset_open(MPI_COMM_WORLD, &spec, sizeof spec, &d, &e) &&
            !pfft3d_dataset_read_block(d, t->single ? PFFT3D_SINGLE : PFFT3D_DOUBLE,
                                       one ? PFFT3D_REAL : PFFT3D_COMPLEX, &b, array, &e),
        "%s of %s: %s", s.selection, s.layout, e.text);
  pfft3d_dataset_free(&d);
  if (rank == 0) unlink(file);
}

/* Forward, or backward from the spectrum: the field comes back, as the spectrum is by the
 * definition. */
static void run(const trial *t, pfft3d_nd *nd, int direction, int in_place, const char *name) {
  void *in, *out;
  long double sum[2] = {0, 0}, factor = t->scale[direction] * (direction ? t->logical : 1);
  CHECK(!pfft3d_nd_alloc(nd, &in, NULL), "%s", name);
  out = in_place ? in : get(pfft3d_nd_bytes(nd));
  void *copy = get(pfft3d_nd_bytes(nd));
  if (percent(hand, 12))
    read_stored(t, nd, direction, in);
  else
    compare(t, nd, direction, in, 1, NULL);
  memcpy(copy, in, pfft3d_nd_bytes(nd));
  CHECK(!pfft3d_nd_execute(nd, (pfft3d_direction)direction, in, out), "%s", name);
  CHECK(in_place || !memcmp(copy, in, pfft3d_nd_bytes(nd)), "%s direction %d: input changed", name,
        direction);
  compare(t, nd, !direction, out, factor, sum);
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double error = (double)sqrtl(sum[0] / (sum[1] > 0 ? sum[1] : 1)),
         limit = 6 * error_limit(t->elements[0] + 16, 0) * (t->single || t->wire ? 0x1p29 : 1);
  CHECK(error <= limit, "%s direction %d in place %d on %d ranks: %g > %g", name, direction,
        in_place, ranks, error, limit);
  free(copy);
  if (!in_place) free(out);
}

/* Any way to compute it. */
static void draw_decision(const trial *t, pfft3d_request *r) {
  pf_name_set(r->decision.scheme, roll_name(hand, PFFT3D_SCHEMES));
  pf_name_set(r->decision.algo, roll_name(hand, PFFT3D_EXCHANGES));
  pf_name_set(r->decision.engine, roll_engine(hand));
  if (!strcmp(r->decision.engine, "naive") && t->elements[0] > NAIVE)
    pf_name_set(r->decision.engine, "auto");
  roll_machine(hand, &r->machine);
  roll_settings(hand, ranks, r);
  roll_deterministic(hand, 30, r);
  r->wire = t->wire ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
}

/* Collective. One case. */
static void test_case(dice *d, uint64_t seed, long number, int count) {
  (void)seed, (void)number;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ranks = count;
  hand = d;
  trial t;
  draw_trial(&t);
  pfft3d_request *r;
  pfft3d_nd *nd;
  pfft3d_error e;
  char name[240], *at = name;
  ptrdiff_t n[DIMS];
  int real;
  at += sprintf(at, "%s %s half %d sign %d ", t.real ? "r2c" : "c2c", t.spec.kind ? t.text : "dft",
                t.spec.half, t.sign);
  for (int k = 0; k < t.spec.dims; k++) at += sprintf(at, "%s%td", k ? "x" : "", t.n[0][k]);
  pfft3d_request_create(&r, NULL);
  pfft3d_request_set(r, "type", t.real ? "r2c" : "c2c", NULL);
  pfft3d_request_set(r, "precision", t.single ? "single" : "double", NULL);
  pfft3d_request_set(r, "sign", t.sign > 0 ? "+1" : "-1", NULL);
  pfft3d_request_scale(r, t.scale[0], t.scale[1]);
  draw_decision(&t, r);
  case_tell("%s; decomp %s, exchange %s, engine %s, chunk %td, threads %d, wire %d, scales %g %g",
            name, r->decision.scheme, r->decision.algo, r->decision.engine, r->decision.chunk,
            r->threads, t.wire, t.scale[0], t.scale[1]);
  int status = pfft3d_nd_create(MPI_COMM_WORLD, r, &t.spec, sizeof t.spec, &nd, &e);
  int some = !strcmp(r->decision.engine, "simd") || !strcmp(r->decision.engine, "mkl");
  CHECK(!status || (some && status == PFFT3D_ERR_UNAVAILABLE), "%s: %s", name, e.text);
  if (nd) {
    for (int side = 0; side < 2; side++)
      CHECK(!pfft3d_nd_extents(nd, (pfft3d_side)side, n, &real) &&
                !memcmp(n, t.n[side], (size_t)t.spec.dims * sizeof *n) &&
                real == (side ? t.scalar : t.real),
            "%s", name);
    for (int direction = 0; direction < 2; direction++)
      for (int in_place = 0; in_place < 2; in_place++) run(&t, nd, direction, in_place, name);
  }
  pfft3d_nd_destroy(&nd);
  pfft3d_request_destroy(&r);
  free(t.whole[0]);
  free(t.whole[1]);
}

static int refused(const char *set, const pfft3d_nd_spec *spec, size_t size, const char *words) {
  pfft3d_request *r;
  pfft3d_nd *nd;
  pfft3d_error e;
  pfft3d_request_create(&r, NULL);
  pfft3d_request_parse(r, set, NULL);
  int status = pfft3d_nd_create(MPI_COMM_WORLD, r, spec, size, &nd, &e);
  pfft3d_request_destroy(&r);
  CHECK(!nd && strstr(e.text, words), "%s: '%s'", set, e.text);
  return status == PFFT3D_ERR_USAGE;
}

static void test_errors(void) {
  pfft3d_nd_spec s = {.dims = 4, .n = {4, 4, 4, 4}}, bad = s;
  pfft3d_nd *nd = NULL;
  CHECK(refused("batch=2", &s, sizeof s, "not with a batch"), "batch");
  CHECK(refused("size=4x4x4 keep=2", &s, sizeof s, "not with kept modes"), "keep");
  CHECK(refused("bricks=1x1x1", &s, sizeof s, "not with boxes"), "bricks");
  CHECK(refused("cuts=ceil", &s, sizeof s, "not with cuts"), "cuts");
  CHECK(refused("order=transposed", &s, sizeof s, "natural blocks"), "order");
  bad.kind = "none";
  CHECK(refused("", &bad, sizeof bad, "no axis is transformed"), "none");
  bad.kind = "dft,none";
  CHECK(refused("", &bad, sizeof bad, "one for all axes, or 4"), "kinds");
  bad.kind = "dft,none,dfx,dft";
  CHECK(refused("", &bad, sizeof bad, "dfx"), "kind");
  bad = s;
  bad.n[2] = 0;
  CHECK(refused("", &bad, sizeof bad, "axis 2"), "size");
  bad.n[1] = bad.n[2] = bad.n[3] = PTRDIFF_MAX / 4;
  CHECK(refused("", &bad, sizeof bad, "overflows"), "overflow");
  bad = s;
  bad.dims = 9;
  CHECK(refused("", &bad, sizeof bad, "9 dimensions"), "dims");
  bad = s;
  bad.half = 5;
  CHECK(refused("type=r2c", &bad, sizeof bad, "has no dft"), "half");
  CHECK(refused("", &s, 0, "0 bytes"), "size of the specification");
  CHECK(pfft3d_nd_create(MPI_COMM_WORLD, NULL, &s, sizeof s, &nd, NULL) == PFFT3D_ERR_USAGE,
        "NULL");
  CHECK(pfft3d_nd_create(MPI_COMM_NULL, NULL, &s, sizeof s, &nd, NULL) == PFFT3D_ERR_USAGE, "NULL");
  CHECK(pfft3d_nd_execute(NULL, PFFT3D_FORWARD, NULL, NULL) == PFFT3D_ERR_USAGE, "NULL");
  CHECK(!pfft3d_nd_bytes(NULL) && !pfft3d_nd_step(NULL, 0), "NULL");
  pfft3d_nd_destroy(NULL);
  pfft3d_nd_destroy(&nd);
}

int main(int argc, char **argv) {
  if (argc == 1) check_at_end = test_errors;
  return run_cases(argc, argv, 150, "transform/test_nd", test_case);
}
