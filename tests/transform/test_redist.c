/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Redistributions between any boxes, and ghost cells, element by element: every element carries its
 * global index, arrays have gaps that stay as they are, axes lie in memory in any order.  All
 * exchanges, 1 to 4 dimensions, elements of odd sizes, empty ranks; doubles that are rounded to
 * single precision between ranks.
 *
 * Arguments: [seed [first case [count]]], 1, 0 and 40 by default. */
#include "pfft3d_redist.h"
#include "tiles.h"

enum { AXES = TILE_AXES };
static int rank, ranks;
static const unsigned char poison = 0xA5;

/* Memory for a box: axes in a random order with gaps, or C order (which & 1).  Returns its
 * elements. All ranks roll alike. */
static ptrdiff_t roll_memory(dice *d, int dims, pfft3d_region *p) {
  int order[AXES], plain = roll(d, 3) == 0;
  ptrdiff_t stride = 1 + roll(d, 2), elements = 1;
  for (int a = 0; a < dims; a++) order[a] = a;
  for (int a = dims - 1; a > 0; a--) {
    int other = (int)roll(d, a + 1), old = order[a];
    order[a] = order[other];
    order[other] = old;
  }
  ptrdiff_t offset = roll(d, 4);
  for (int k = 0; k < dims; k++) {
    int a = order[k];
    ptrdiff_t gap = roll(d, 2);
    int none = roll(d, 2) && p->len[a] == 1; /* which one index may have */
    p->stride[a] = plain || none ? 0 : stride;
    stride *= p->len[a] + gap + (p->len[a] == 0);
    elements *= p->len[a];
  }
  p->offset = offset;
  return offset + (plain ? elements : stride) + 1;
}

/* ---- arrays ---- */

typedef struct shape {
  int dims;
  ptrdiff_t n[AXES];
  size_t size;
  int numbers; /* elements are doubles, or pairs of them */
} shape;

static ptrdiff_t place_of(const shape *s, const pfft3d_region *p, const ptrdiff_t i[AXES]) {
  ptrdiff_t at = p->offset, stride = 1, plain = 1;
  for (int a = 0; a < s->dims; a++) plain = plain && !p->stride[a];
  for (int a = s->dims - 1; a >= 0; a--) {
    at += i[a] * (plain ? stride : p->stride[a]);
    stride *= p->len[a];
  }
  return at;
}

static void put(const shape *s, ptrdiff_t global, unsigned char *at, int rounded) {
  for (size_t k = 0; k < s->size && s->numbers; k += sizeof(double)) {
    double x = value_of((uint64_t)(2 * global) + k / sizeof(double));
    if (rounded) x = (double)(float)x;
    memcpy(at + k, &x, sizeof x);
  }
  if (s->numbers) return;
  for (size_t k = 0; k < s->size; k++)
    at[k] = (unsigned char)(mix((uint64_t)global) >> (k % 8 * 8)) ^ (unsigned char)k;
}

static ptrdiff_t global_of(const shape *s, const pfft3d_region *p, const ptrdiff_t i[AXES]) {
  ptrdiff_t global = 0;
  for (int a = 0; a < s->dims; a++) global = global * s->n[a] + p->lo[a] + i[a];
  return global;
}

/* The next index of a box; 0 at its end. */
static int step(int dims, const ptrdiff_t len[AXES], ptrdiff_t i[AXES]) {
  for (int a = dims - 1; a >= 0; a--) {
    if (++i[a] < len[a]) return 1;
    i[a] = 0;
  }
  return 0;
}

static int is_empty(const shape *s, const pfft3d_region *p) {
  for (int a = 0; a < s->dims; a++)
    if (!p->len[a]) return 1;
  return 0;
}

/* What an array must be: poison everywhere but in the elements of the box. */
static unsigned char *wanted(const shape *s, const pfft3d_region *p, ptrdiff_t elements,
                             int rounded) {
  unsigned char *w = get((size_t)elements * s->size);
  ptrdiff_t i[AXES] = {0, 0, 0, 0};
  memset(w, poison, (size_t)elements * s->size);
  if (!is_empty(s, p)) do
      put(s, global_of(s, p, i), w + (size_t)place_of(s, p, i) * s->size, rounded);
    while (step(s->dims, p->len, i));
  return w;
}

/* ---- redistributions ---- */

static void test_there_and_back(const shape *s, const pfft3d_redist_spec *spec,
                                const ptrdiff_t elements[2]) {
  pfft3d_redist *r;
  pfft3d_error e;
  const pfft3d_region *region[2] = {&spec->from, &spec->to};
  int single = spec->wire == PFFT3D_SINGLE && ranks > 1;
  int rounded = single && strcmp(spec->exchange, "shared") && strcmp(spec->exchange, "auto");
  int refuses = (spec->in_place || single) && !strcmp(spec->exchange, "alltoallw");
  int status = pfft3d_redist_create(MPI_COMM_WORLD, spec, &r, &e);
  CHECK(refuses ? status == PFFT3D_ERR_UNAVAILABLE && !r : !status, "%s: %d: %s", spec->exchange,
        status, e.text);
  for (int turn = 0; turn < 3 && !status; turn++) {
    int d = turn % 2;
    ptrdiff_t larger = elements[0] > elements[1] ? elements[0] : elements[1];
    unsigned char *in = wanted(s, region[d], elements[d], 0),
                  *copy = get((size_t)elements[d] * s->size);
    unsigned char *want = wanted(s, region[!d], elements[!d], rounded);
    unsigned char *out = get((size_t)larger * s->size);
    memset(out, poison, (size_t)larger * s->size);
    memcpy(copy, in, (size_t)elements[d] * s->size);
    CHECK(!pfft3d_redist_execute(r, (pfft3d_direction)d, in, out), "%s", spec->exchange);
    CHECK(!memcmp(out, want, (size_t)elements[!d] * s->size),
          "%s, %d dims, %zu bytes, direction %d, rounded %d", spec->exchange, s->dims, s->size, d,
          rounded);
    CHECK(!memcmp(in, copy, (size_t)elements[d] * s->size), "%s: the input changed",
          spec->exchange);
    memset(out, poison, (size_t)larger * s->size);
    memcpy(out, in, (size_t)elements[d] * s->size);
    int again = pfft3d_redist_execute(r, (pfft3d_direction)d, out, out);
    CHECK(again == (spec->in_place ? PFFT3D_OK : PFFT3D_ERR_USAGE), "in place: %d", again);
    ptrdiff_t i[AXES] = {0, 0, 0, 0}, wrong = 0;
    if (spec->in_place && !is_empty(s, region[!d])) do {
        size_t at = (size_t)place_of(s, region[!d], i) * s->size;
        wrong += memcmp(out + at, want + at, s->size) != 0;
      } while (step(s->dims, region[!d]->len, i));
    CHECK(!wrong, "%s, %d dims, %zu bytes, direction %d, in place: %td wrong", spec->exchange,
          s->dims, s->size, d, wrong);
    free(in), free(copy), free(want), free(out);
  }
  pfft3d_redist_destroy(&r);
}

static void test_boxes(dice *d, const char *exchange) {
  static const size_t size[] = {1, 2, 3, 4, 8, 12, 16, 24, 100};
  shape s = {.dims = 1 + (int)roll(d, AXES), .n = {1, 1, 1, 1}};
  pfft3d_redist_spec spec = {.exchange = exchange, .in_place = roll(d, 2) == 0};
  tiles t[2];
  ptrdiff_t elements[2];
  s.size = size[roll(d, (int)(sizeof size / sizeof *size))];
  s.numbers = (s.size == 8 || s.size == 16) && roll(d, 2);
  if (s.numbers) spec.wire = PFFT3D_SINGLE;
  for (int a = 0; a < s.dims; a++) s.n[a] = 1 + roll(d, s.dims < 3 ? 40 : 9);
  spec.dims = s.dims;
  memcpy(spec.n, s.n, sizeof s.n);
  spec.element = s.size;
  for (int side = 0; side < 2; side++) {
    pfft3d_region *p = side ? &spec.to : &spec.from;
    roll_tiles(d, ranks, s.dims, s.n, &t[side]);
    memcpy(p->lo, t[side].lo[rank], sizeof p->lo);
    memcpy(p->len, t[side].len[rank], sizeof p->len);
    elements[side] = roll_memory(d, s.dims, p);
  }
  test_there_and_back(&s, &spec, elements);
}

/* Boxes larger than a cache, which are stored past it: elements of a number and others, rows that
 * begin anywhere, rows to columns. */
static void test_large(dice *d) {
  static const size_t size[] = {16, 8, 24};
  for (int k = 0; k < 10; k++) {
    shape s = {
        .dims = 3, .n = {61, 66, 70, 1}, .size = size[k % 3], .numbers = k >= 6 && k % 3 < 2};
    pfft3d_redist_spec spec = {.dims = 3, .n = {61, 66, 70}, .element = s.size, .exchange = "auto"};
    if (k >= 6) spec.exchange = "packed";
    if (s.numbers) spec.wire = PFFT3D_SINGLE;
    ptrdiff_t elements[2];
    for (int side = 0; side < 2; side++) {
      pfft3d_region *p = side ? &spec.to : &spec.from;
      memcpy(p->len, s.n, sizeof p->len);
      p->lo[side] = s.n[side] * rank / ranks;
      p->len[side] = s.n[side] * (rank + 1) / ranks - p->lo[side];
      elements[side] = roll_memory(d, 3, p);
    }
    test_there_and_back(&s, &spec, elements);
  }
}

/* ---- ghost cells ---- */

static void test_halo(dice *d, const char *exchange) {
  static const size_t size[] = {8, 16, 4, 3};
  shape s = {.dims = 1 + (int)roll(d, AXES), .n = {1, 1, 1, 1}, .size = size[roll(d, 4)]};
  pfft3d_halo_spec h = {.exchange = exchange, .dims = s.dims, .element = s.size};
  pfft3d_region around = {.offset = 0}; /* the box with its ghost cells */
  tiles t;
  pfft3d_redist *r;
  pfft3d_error e;
  ptrdiff_t elements = 1;
  for (int a = 0; a < s.dims; a++) s.n[a] = 1 + roll(d, s.dims < 3 ? 20 : 6);
  roll_tiles(d, ranks, s.dims, s.n, &t);
  memcpy(h.n, s.n, sizeof s.n);
  memcpy(h.box.lo, t.lo[rank], sizeof h.box.lo);
  memcpy(h.box.len, t.len[rank], sizeof h.box.len);
  for (int a = 0; a < s.dims; a++) {
    h.below[a] = roll(d, 4) ? roll(d, 3) : roll(d, 9); /* several turns of a short axis */
    h.above[a] = roll(d, 4) ? roll(d, 3) : roll(d, 9);
    h.periodic[a] = (int)roll(d, 2);
    around.len[a] = h.below[a] + h.box.len[a] + h.above[a];
    elements *= around.len[a];
  }
  if (is_empty(&s, &h.box)) elements = 0;
  unsigned char *have = get((size_t)elements * s.size + 1),
                *want = get((size_t)elements * s.size + 1);
  memset(have, poison, (size_t)elements * s.size + 1);
  memset(want, poison, (size_t)elements * s.size + 1);
  ptrdiff_t i[AXES] = {0, 0, 0, 0};
  if (elements) do {
      ptrdiff_t global = 0;
      int inside = 1, there = 1;
      for (int a = 0; a < s.dims; a++) {
        ptrdiff_t g = h.box.lo[a] + i[a] - h.below[a];
        inside = inside && i[a] >= h.below[a] && i[a] < h.below[a] + h.box.len[a];
        there = there && (h.periodic[a] || (g >= 0 && g < s.n[a]));
        global = global * s.n[a] + ((g % s.n[a]) + s.n[a]) % s.n[a];
      }
      size_t at = (size_t)place_of(&s, &around, i) * s.size;
      if (inside) put(&s, global, have + at, 0);
      if (there) put(&s, global, want + at, 0);
    } while (step(s.dims, around.len, i));
  int status = pfft3d_halo_create(MPI_COMM_WORLD, &h, &r, &e);
  CHECK(!status, "%s: %s", exchange, e.text);
  for (int turn = 0; turn < 2 && !status; turn++) {
    CHECK(!pfft3d_redist_execute(r, PFFT3D_FORWARD, have, have), "%s", exchange);
    CHECK(!memcmp(have, want, (size_t)elements * s.size + 1), "%s: ghost cells, %d dims, %zu bytes",
          exchange, s.dims, s.size);
  }
  if (!status) {
    CHECK(pfft3d_redist_execute(r, PFFT3D_BACKWARD, have, have) == PFFT3D_ERR_USAGE, "backward");
    if (elements)
      CHECK(pfft3d_redist_execute(r, PFFT3D_FORWARD, have, want) == PFFT3D_ERR_USAGE, "two arrays");
  }
  pfft3d_redist_destroy(&r);
  free(have), free(want);
}

/* ---- errors ---- */

static void refuse(const pfft3d_redist_spec *spec, const char *says) {
  pfft3d_redist *r;
  pfft3d_error e;
  int status = pfft3d_redist_create(MPI_COMM_WORLD, spec, &r, &e);
  CHECK(status == PFFT3D_ERR_USAGE && !r && strstr(e.text, says), "%d: %s, not %s", status, e.text,
        says);
}

/* Slabs of 12 x 5, with one thing wrong. */
static pfft3d_redist_spec slabs(void) {
  pfft3d_redist_spec s = {.dims = 2, .n = {12, 5}, .element = 8};
  s.from.lo[0] = s.to.lo[0] = 12 / ranks * rank;
  s.from.len[0] = s.to.len[0] = 12 / ranks;
  s.from.len[1] = s.to.len[1] = 5;
  return s;
}

/* A rank without elements may say so with the strides that its lengths have in C order. */
static void test_empty(void) {
  pfft3d_error e;
  pfft3d_redist *r;
  pfft3d_redist_spec spec = {.dims = 2, .n = {4, 1}, .element = 8};
  for (int k = 0; k < 2; k++) {
    pfft3d_region *g = k ? &spec.to : &spec.from;
    *g = (pfft3d_region){.lo = {0, rank > 0}, .len = {4, rank == 0}, .stride = {rank == 0, 1}};
  }
  CHECK(!pfft3d_redist_create(MPI_COMM_WORLD, &spec, &r, &e), "%s", e.text);
  pfft3d_redist_destroy(&r);
}

/* Arrays with ghost cells that 64 bits cannot count, with strides and without. */
static void test_huge_ghosts(void) {
  pfft3d_error e;
  pfft3d_redist *r;
  for (int given = 0; given < 2; given++) {
    pfft3d_halo_spec spec = {.dims = 3, .n = {ranks, 2, 2}, .element = 8};
    spec.box = (pfft3d_region){.lo = {rank}, .len = {1, 2, 2}};
    for (int a = 0; a < 3; a++) {
      spec.below[a] = given ? 1 : 1 << 30;
      spec.box.stride[a] = given ? (ptrdiff_t)1 << (58 - a) : 0;
    }
    CHECK(pfft3d_halo_create(MPI_COMM_WORLD, &spec, &r, &e) == PFFT3D_ERR_USAGE && !r &&
              strstr(e.text, "64 bits"),
          "%d: %s", given, e.text);
  }
}

/* Ghost cells beyond the ends of an axis are no one's, however many are asked for. */
static void test_far_ghosts(void) {
  pfft3d_error e;
  pfft3d_redist *r;
  pfft3d_halo_spec spec = {.dims = 1, .n = {ranks}, .element = 1};
  spec.box = (pfft3d_region){.lo = {rank}, .len = {1}};
  spec.below[0] = spec.above[0] = 1 << 22;
  unsigned char *cells = calloc(1, (2u << 22) + 1);
  int status = pfft3d_halo_create(MPI_COMM_WORLD, &spec, &r, &e);
  CHECK(!status && cells, "%s", e.text);
  if (status || !cells) return;
  for (int k = -(1 << 22); k <= 1 << 22; k++)
    cells[(1 << 22) + k] = k ? 0 : (unsigned char)(1 + rank);
  CHECK(!pfft3d_redist_execute(r, PFFT3D_FORWARD, cells, cells), "ghost cells");
  for (int k = -(1 << 22); k <= 1 << 22; k++) {
    int of = rank + k, want = of >= 0 && of < ranks ? 1 + of : 0;
    if (cells[(1 << 22) + k] == want) continue;
    CHECK(0, "cell %d is %d, not %d", k, cells[(1 << 22) + k], want);
    break;
  }
  pfft3d_redist_destroy(&r);
  free(cells);
}

static void test_errors(void) {
  pfft3d_redist_spec s = slabs();
  char text[120];
  int planes = 12 / ranks;
  s.to.stride[0] = s.to.stride[1] = (ptrdiff_t)1 << 60; /* times 8 it would be 0 */
  refuse(&s, "more bytes than 64 bits can count");
  s = slabs();
  s.from.offset = -((ptrdiff_t)1 << 60);
  s.from.stride[0] = s.from.stride[1] = (ptrdiff_t)1
                                        << 57; /* of a part of which this may be the size */
  refuse(&s, "more bytes than 64 bits can count");
  s = slabs();
  s.from.offset = PTRDIFF_MAX / 4;
  refuse(&s, "more bytes than 64 bits can count");
  s = slabs();
  if (ranks == 1) {
    s.to.len[0]--;
    refuse(&s, "no rank holds elements (11..11, 0..4) after it, between ranks 0 and -1");
  }
  if (ranks > 1) {
    if (rank == 1) s.from.lo[0]--;
    snprintf(text, sizeof text, "ranks 0 and 1 both hold elements (%d..%d, 0..4) before it",
             planes - 1, planes - 1);
    refuse(&s, text);
    s = slabs();
    if (rank == 0) s.to.len[0]--;
    snprintf(text, sizeof text,
             "no rank holds elements (%d..%d, 0..4) after it, between ranks 0 "
             "and 1",
             planes - 1, planes - 1);
    refuse(&s, text);
    s = slabs();
    if (rank == ranks - 1) s.element = 4;
    pfft3d_redist *r;
    pfft3d_error e;
    CHECK(pfft3d_redist_create(MPI_COMM_WORLD, &s, &r, &e) == PFFT3D_ERR_INTERNAL && !r, "%s",
          e.text);
  }
  s = slabs();
  if (rank == ranks - 1) s.to.len[1] = 6;
  refuse(&s, "6 indices from 0 on along axis 1, which has 5");
  s = slabs();
  s.exchange = "shaerd";
  refuse(&s, "shaerd");
  s = slabs();
  s.dims = 5;
  refuse(&s, "5 dimensions");
  s = slabs();
  s.element = 0;
  refuse(&s, "elements of 0 bytes");
  s = slabs();
  s.element = 4;
  s.wire = PFFT3D_SINGLE;
  refuse(&s, "elements of 4 bytes in single precision");
  s = slabs();
  s.to.stride[0] = 5;
  refuse(&s, "stride 0 of an axis");
}

static void test_fixed(dice *d) {
  test_large(d);
  test_empty();
  test_far_ghosts();
  test_huge_ghosts();
  if (12 % ranks == 0) test_errors();
}

static void test_case(dice *d, uint64_t seed, long number, int all) {
  (void)seed;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ranks = all;
  if (number == 0) test_fixed(d);
  case_tell("boxes and ghost cells with every exchange");
  FOR_LIST(PFFT3D_EXCHANGES, exchange) {
    test_boxes(d, exchange);
    test_halo(d, exchange);
  }
  test_halo(d, "auto");
}

int main(int argc, char **argv) {
  return run_cases(argc, argv, 40, "transform/test_redist", test_case);
}
