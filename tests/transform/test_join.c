/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Two transforms with a function between them: the bits of whole transforms with the function
 * applied to whole arrays, for all exchanges, decompositions and engines, both sides, several
 * batches, chains of any length; nothing is allocated, no array goes through memory where planes
 * can stay in cache, and calls in another order are refused. */
#include "allocations.h"
#include "plan/plan.h"
#include "planes.h"

static MPI_Comm comm;
static int rank, ranks;

/* ---- a pair of plans ---- */

enum { A, B };

typedef struct pair {
  char text[2][160];
  pfft3d_plan *plan[2];
  void *array[2][3];
  pfft3d_problem problem[2];
  int threads, in_place;
} pair;

static mapping between(const pair *p, int ends, pfft3d_side side) {
  mapping m = {.fields = {p->problem[ends].batch, p->problem[!ends].batch},
               .single = p->problem[0].precision == PFFT3D_SINGLE,
               .threads = p->threads};
  m.parts = side == PFFT3D_SPECTRUM || p->problem[0].kind == PFFT3D_C2C ? 2 : 1;
  pfft3d_plan_box(p->plan[ends], side, rank, &m.from);
  pfft3d_plan_box(p->plan[!ends], side, rank, &m.to);
  return m;
}

static void open_pair(pair *p) {
  pfft3d_error e;
  for (int k = 0; k < 2; k++) {
    CHECK(!pfft3d_plan_create_text(comm, p->text[k], &p->plan[k], &e), "%s: %s", p->text[k],
          e.text);
    if (!p->plan[k]) MPI_Abort(comm, 1);
    p->problem[k] = p->plan[k]->outline.problem;
    for (int a = 0; a < 3; a++) CHECK(!pfft3d_alloc(p->plan[k], &p->array[k][a], &e), "%s", e.text);
  }
}

/* Whether the elements of a side have the same bits in both arrays. */
static int same_bits(const pfft3d_plan *plan, pfft3d_side side, const pfft3d_problem *problem,
                     const void *a, const void *b) {
  pfft3d_box box;
  pfft3d_plan_box(plan, side, rank, &box);
  size_t number = problem->precision == PFFT3D_SINGLE ? sizeof(float) : sizeof(double);
  size_t element = number * (side == PFFT3D_SPECTRUM || problem->kind == PFFT3D_C2C ? 2 : 1);
  return same_elements(&box, problem->batch, element, a, b);
}

/* A in direction d, the function, B back, the function, A in direction d: in whole transforms, and
 * joined.  Array 0 of A is the input, 1 and 2 have the results. */
static void whole(pair *p, pfft3d_direction d) {
  pfft3d_side near = d == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  pfft3d_side far = (pfft3d_side)!near;
  mapping there = between(p, A, near), back = between(p, B, far);
  CHECK(!pfft3d_execute(p->plan[A], d, p->array[A][0], p->array[A][1]), "%s", p->text[A]);
  combine_all(&there, p->array[A][1], p->array[B][0]);
  CHECK(!pfft3d_execute(p->plan[B], (pfft3d_direction)!d, p->array[B][0], p->array[B][1]), "%s",
        p->text[B]);
  combine_all(&back, p->array[B][1], p->array[A][2]);
  CHECK(!pfft3d_execute(p->plan[A], d, p->array[A][2], p->array[A][1]), "%s", p->text[A]);
}

static void joined(pair *p, pfft3d_direction d) {
  pfft3d_side near = d == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
  mapping there = between(p, A, near), back = between(p, B, (pfft3d_side)!near);
  pfft3d_direction other = (pfft3d_direction)!d;
  void *from = p->array[A][2], *to = p->in_place ? from : p->array[B][2];
  long calls = memory.count + memory.frees, sum[2] = {0, 0};
  CHECK(!pfft3d_execute_begin(p->plan[A], d, p->array[A][0]), "%s", p->text[A]);
  CHECK(!pfft3d_execute_between(p->plan[A], d, p->plan[B], combine, &there, from, to), "%s, %s",
        p->text[A], p->text[B]);
  from = p->array[B][0], to = p->array[A][0];
  CHECK(!pfft3d_execute_between(p->plan[B], other, p->plan[A], combine, &back, from, to), "%s, %s",
        p->text[B], p->text[A]);
  CHECK(!pfft3d_execute_end(p->plan[A], d, p->array[A][2]), "%s", p->text[A]);
  CHECK(memory.count + memory.frees == calls, "%s: allocations", p->text[A]);
  for (int t = 0; t < 8; t++) sum[0] += there.calls[t], sum[1] += back.calls[t];
  CHECK(sum[0] <= there.from.len[0] + there.from.len[1] + there.from.len[2], "%ld planes", sum[0]);
}

static double passes_of(const pair *p, int k, pfft3d_direction d) {
  pfft3d_stats s;
  pfft3d_plan_stats(p->plan[k], d, 1, &s, sizeof s);
  return s.passes;
}

static void test_pair(pair *p, uint64_t seed, int must_join) {
  open_pair(p);
  int single = p->problem[0].precision == PFFT3D_SINGLE;
  for (int d = 0; d < 2; d++) {
    pfft3d_direction direction = (pfft3d_direction)d;
    pfft3d_side result = direction == PFFT3D_FORWARD ? PFFT3D_SPECTRUM : PFFT3D_SPACE;
    fill_numbers(p->array[A][0], pfft3d_plan_bytes(p->plan[A]), single,
                 seed + (uint64_t)(1000003 * rank));
    whole(p, direction);
    double before = passes_of(p, A, direction);
    joined(p, direction);
    double after = passes_of(p, A, direction);
    CHECK(same_bits(p->plan[A], result, &p->problem[A], p->array[A][1], p->array[A][2]),
          "%s, then %s: other bits, direction %d", p->text[A], p->text[B], d);
    if (must_join && before > 0)
      CHECK(after < 0.9 * before, "%s: %g passes, %g with whole arrays", p->text[A], after, before);
  }
  for (int k = 0; k < 2; k++) pfft3d_plan_destroy(&p->plan[k]);
}

/* ---- all ways ---- */

static const char *const shapes[] = {"r2c:d:12x10x14",       "c2c:d:5x8x6",  "r2c:s:9x12x11",
                                     "r2c:d:12x13x12/7x9x9", "r2c:d:2x3x33", "c2c:s:16x16x16",
                                     "c2c:d:12x8x1"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void test_way(const char *exchange, uint64_t turn) {
  static const char *const engines[] = {"simd", "naive", "stockham4"};
  static const int batches[][2] = {{2, 1}, {1, 2}, {3, 3}, {1, 1}};
  const char *decomp = turn / 2 % 2 ? "pencil" : "slab";
  const int *batch = batches[turn / 4 % 4];
  const char *shape = shapes[turn % SHAPES];
  int stores = pf_exchange_find(exchange)->stores && turn % 3 == 1;
  int threads = strcmp(pfft3d_build("openmp"), "no") ? 1 + (int)(turn / 3 % 2) : 1;
  pair p = {.threads = threads, .in_place = turn / 8 % 2 && batch[0] == batch[1]};
  for (int k = 0; k < 2; k++)
    snprintf(p.text[k], sizeof p.text[k],
             "%s*%d exchange=%s decomp=%s engine=%s order=%s threads=%d%s%s%s", shape, batch[k],
             exchange, decomp, engines[turn / 5 % 3], turn % 7 == 6 ? "natural" : "transposed",
             threads, turn % 5 ? " joined" : "", turn % 3 ? "" : " deterministic",
             stores ? " local=stores" : "");
  test_pair(&p, turn, 0);
}

static void test_exchanges(void) {
  for (int k = 0; pf_exchange_at(k); k++) {
    const char *name = pf_exchange_at(k)->name;
    if (!strcmp(name, "rma") && ranks == 1) continue; /* no windows on one rank in Open MPI */
    for (uint64_t turn = 0; turn < 24; turn++) test_way(name, turn + 7 * (uint64_t)k);
  }
}

/* Planes must stay in cache where turbulence needs it. */
static void test_joins(void) {
  for (int turn = 0; turn < 8; turn++) {
    pair p = {.threads = 1, .in_place = turn % 2};
    for (int k = 0; k < 2; k++)
      snprintf(p.text[k], sizeof p.text[k],
               "r2c:d:24x24x24%s*%d joined order=transposed exchange=%s decomp=%s",
               turn / 2 % 2 ? "/16x16x16" : "", k ? 2 : 3, turn % 3 ? "shared" : "packed",
               turn / 4 ? "pencil" : "slab");
    test_pair(&p, (uint64_t)turn, turn < 4);
  }
}

/* A plan that takes a field n0 x n1 x 1 for one of two dimensions, and one that does not. */
static void test_flat_and_not(void) {
  for (int turn = 0; turn < 4 && ranks == 1; turn++) {
    pair p = {.threads = 1, .in_place = turn % 2};
    for (int k = 0; k < 2; k++)
      snprintf(p.text[k], sizeof p.text[k],
               "c2c:d:12x8x1*2 joined order=%s exchange=packed decomp=%s",
               turn / 2 ? "natural" : "transposed", k == turn % 2 ? "slab" : "pencil");
    test_pair(&p, (uint64_t)turn, 0);
  }
}

/* Lines, which are joined by whole arrays. */
static void test_lines(void) {
  static const char *const line[] = {"r2c:d:64", "c2c:d:60", "r2c:s:90", "c2c:d:48:dct2",
                                     "c2c:d:77"};
  for (size_t turn = 0; turn < sizeof line / sizeof *line; turn++) {
    pair p = {.threads = 1, .in_place = turn % 2};
    for (int k = 0; k < 2; k++)
      snprintf(p.text[k], sizeof p.text[k], "%s batch=%d order=natural exchange=%s", line[turn],
               p.in_place ? 2 : 2 - k, turn % 3 ? "shared" : "packed");
    test_pair(&p, turn, 0);
  }
}

/* Exchanges of two kinds, where some ranks join planes and others do not: of 8 KiB, which take more
 * room in a cache, two on a rank leave it and one does not. */
static void test_two_exchanges(void) {
  static const char *const names[] = {"slabs", "pencils", "persistent", "rma", "packed", "shared"};
  for (int turn = 0; turn < 12; turn++) {
    const char *name[2] = {names[turn % 6], "shared"};
    if (!strcmp(name[0], "rma") && ranks == 1) continue; /* no windows on one rank in Open MPI */
    pair p = {.threads = 1};
    for (int k = 0; k < 2; k++)
      snprintf(p.text[k], sizeof p.text[k], "c2c:d:8x6x64 decomp=slab order=transposed exchange=%s",
               name[turn / 6 != k]);
    test_pair(&p, (uint64_t)turn, 0);
  }
}

/* A spectrum with fewer modes than the other: the same real field, in one array, though the plans
 * have arrays of other sizes. */
static void test_two_sizes(void) {
  pair p = {.text = {"r2c:d:4x16x32/4x8x16 decomp=slab order=transposed exchange=packed",
                     "r2c:d:4x16x32 decomp=slab order=transposed exchange=packed"},
            .threads = 1};
  open_pair(&p);
  mapping m = between(&p, A, PFFT3D_SPACE);
  void **a = p.array[A], **b = p.array[B];
  fill_numbers(a[0], pfft3d_plan_bytes(p.plan[A]), 0, (uint64_t)rank);
  CHECK(!pfft3d_execute_begin(p.plan[A], PFFT3D_BACKWARD, a[0]), "begins");
  CHECK(!pfft3d_execute_between(p.plan[A], PFFT3D_BACKWARD, p.plan[B], combine, &m, b[0], b[0]),
        "in one array");
  CHECK(!pfft3d_execute_end(p.plan[B], PFFT3D_FORWARD, b[1]), "ends");
  CHECK(!pfft3d_execute(p.plan[A], PFFT3D_BACKWARD, a[0], a[1]), "backward");
  combine_all(&m, a[1], b[0]);
  CHECK(!pfft3d_execute(p.plan[B], PFFT3D_FORWARD, b[0], b[2]), "forward");
  CHECK(same_bits(p.plan[B], PFFT3D_SPECTRUM, &p.problem[B], b[1], b[2]), "other bits");
  for (int k = 0; k < 2; k++) pfft3d_plan_destroy(&p.plan[k]);
}

/* ---- refusals ---- */

/* In one array only where elements have the same places. */
static void test_places(void) {
  pfft3d_plan *plan[2];
  pfft3d_error e;
  for (int k = 0; k < 2; k++) {
    pfft3d_request *r;
    pfft3d_request_create(&r, &e);
    pfft3d_request_parse(r, "c2c:d:2x3x4 decomp=slab exchange=packed", &e);
    pfft3d_request_array(r, PFFT3D_SPACE, &(pfft3d_array){.every = 1 + k, .distance = 100}, &e);
    CHECK(!pfft3d_plan_create(comm, r, &plan[k], &e), "%s", e.text);
    pfft3d_request_destroy(&r);
  }
  mapping m = {.fields = {1, 1}, .parts = 2, .threads = 1};
  pfft3d_plan_box(plan[0], PFFT3D_SPACE, rank, &m.from);
  pfft3d_plan_box(plan[1], PFFT3D_SPACE, rank, &m.to);
  double x[48] = {0}, y[200], z[200];
  CHECK(!pfft3d_execute_begin(plan[0], PFFT3D_BACKWARD, x), "begins");
  if (ranks == 1)
    CHECK(pfft3d_execute_between(plan[0], PFFT3D_BACKWARD, plan[1], combine, &m, y, y) ==
              PFFT3D_ERR_USAGE,
          "other strides in the same array");
  CHECK(!pfft3d_execute_between(plan[0], PFFT3D_BACKWARD, plan[1], combine, &m, y, z), "joins");
  CHECK(!pfft3d_execute_end(plan[1], PFFT3D_FORWARD, x), "ends");
  for (int k = 0; k < 2; k++) pfft3d_plan_destroy(&plan[k]);
}

/* What is around and between the elements of an array stays as it is. */
static void test_around(void) {
  enum { kinds = 4 };
  static const pfft3d_array arrays[kinds] = {{.below = {1, 1, 1}, .above = {1, 1, 1}},
                                             {.above = {0, 0, 3}},
                                             {.every = 3},
                                             {.distance = 400}};
  int most = strcmp(pfft3d_build("openmp"), "no") ? 2 : 1;
  for (int turn = 0; turn < kinds * most; turn++) {
    pair p = {.threads = 1 + turn / kinds};
    pfft3d_error e;
    for (int k = 0; k < 2; k++) {
      pfft3d_request *r;
      pfft3d_request_create(&r, &e);
      snprintf(p.text[k], sizeof p.text[k], "c2c:d:%s order=transposed exchange=packed threads=%d",
               arrays[turn % kinds].distance ? "2x15x11*2" : "16x15x11", p.threads);
      pfft3d_request_parse(r, p.text[k], &e);
      pfft3d_request_array(r, PFFT3D_SPACE, &arrays[turn % kinds], &e);
      CHECK(!pfft3d_plan_create(comm, r, &p.plan[k], &e), "%s", e.text);
      pfft3d_request_destroy(&r);
      if (!p.plan[k]) MPI_Abort(comm, 1);
      p.problem[k] = p.plan[k]->outline.problem;
    }
    mapping m = between(&p, A, PFFT3D_SPACE);
    size_t bytes = pfft3d_plan_bytes(p.plan[A]);
    unsigned char *in = get(bytes), *field = get(bytes), *out = get(bytes), *element = get(bytes);
    memset(in, 0, bytes), memset(field, 0xa5, bytes), memset(element, 0, bytes);
    for (ptrdiff_t f = 0; f < m.fields[0]; f++)
      for (ptrdiff_t i = 0; i < m.from.len[0]; i++)
        for (ptrdiff_t j = 0; j < m.from.len[1]; j++)
          for (ptrdiff_t k = 0; k < m.from.len[2]; k++)
            memset(element + 16 * (m.from.offset + f * m.from.distance + i * m.from.stride[0] +
                                   j * m.from.stride[1] + k * m.from.stride[2]),
                   1, 16);
    CHECK(!pfft3d_execute_begin(p.plan[A], PFFT3D_BACKWARD, in), "begins");
    CHECK(!pfft3d_execute_between(p.plan[A], PFFT3D_BACKWARD, p.plan[B], combine, &m, field, field),
          "joins");
    CHECK(!pfft3d_execute_end(p.plan[B], PFFT3D_FORWARD, out), "ends");
    long changed = 0;
    for (size_t i = 0; i < bytes; i++) changed += !element[i] && field[i] != 0xa5;
    CHECK(!changed, "array %d, %d threads: %ld bytes around elements changed", turn % kinds,
          p.threads, changed);
    free(in), free(field), free(out), free(element);
    for (int k = 0; k < 2; k++) pfft3d_plan_destroy(&p.plan[k]);
  }
}

static void nothing(void *context, const pfft3d_plane *p) {
  (void)context, (void)p;
}

/* Ranks without elements give no arrays, where the others' must be two: elements of two sizes. */
static void test_idle(void) {
  static const char *const text[2] = {"c2c:d:2x3x4 decomp=slab order=transposed exchange=packed",
                                      "c2c:s:2x3x4 decomp=slab order=transposed exchange=packed"};
  pfft3d_plan *plan[2];
  pfft3d_error e;
  for (int k = 0; k < 2; k++)
    CHECK(!pfft3d_plan_create_text(comm, text[k], &plan[k], &e), "%s", e.text);
  size_t bytes = pfft3d_plan_bytes(plan[0]);
  int idle = rank >= 2;
  void *spectrum = get(bytes), *from = idle ? NULL : get(bytes), *to = idle ? NULL : get(bytes);
  memset(spectrum, 0, bytes);
  CHECK(!pfft3d_execute_begin(plan[0], PFFT3D_BACKWARD, spectrum), "it does not begin");
  int status = pfft3d_execute_between(plan[0], PFFT3D_BACKWARD, plan[1], nothing, NULL, from, to);
  CHECK(!status, "between: status %d", status);
  if (!status) CHECK(!pfft3d_execute_end(plan[1], PFFT3D_FORWARD, spectrum), "it does not end");
  free(spectrum), free(from), free(to);
  for (int k = 0; k < 2; k++) pfft3d_plan_destroy(&plan[k]);
}

/* A plan that is destroyed half way waits for its messages: none comes into memory that is free. */
static void test_abandoned(void) {
  FOR_LIST(PFFT3D_EXCHANGES, exchange)
  for (int direction = 0; direction < 2; direction++) {
    char text[120];
    pfft3d_plan *plan;
    pfft3d_error e;
    void *in;
    snprintf(text, sizeof text,
             "c2c:d:64x64x64 exchange=%s decomp=slab order=transposed local=messages", exchange);
    long live = memory.live;
    int status = pfft3d_plan_create_text(comm, text, &plan, &e);
    CHECK(!status || status == PFFT3D_ERR_UNAVAILABLE, "%s: %s", text, e.text);
    if (status) continue;
    CHECK(!pfft3d_alloc(plan, &in, &e), "%s", e.text);
    memset(in, 0, pfft3d_plan_bytes(plan));
    CHECK(!pfft3d_execute_begin(plan, (pfft3d_direction)direction, in), "%s begins", text);
    pfft3d_plan_destroy(&plan);
    char *other = malloc(8 << 20);
    if (other) memset(other, 1, 8 << 20);
    CHECK(memory.live == live + (other != NULL), "%s: %ld blocks are left", text,
          memory.live - live - (other != NULL));
    MPI_Barrier(comm);
    for (int k = 0; other && k < 8 << 20; k += 512)
      if (other[k] != 1) CHECK(0, "%s: written to behind its end", text);
    free(other);
  }
}

static void test_order(void) {
  pair p = {.threads = 1};
  strcpy(p.text[A], "c2c:d:12x12x12*2 joined order=transposed decomp=slab");
  strcpy(p.text[B], "c2c:d:12x12x12 joined order=transposed decomp=slab");
  open_pair(&p);
  pfft3d_plan *a = p.plan[A], *b = p.plan[B], *c = NULL;
  void *x = p.array[A][0], *y = p.array[A][1], *z = p.array[B][0];
  mapping m = between(&p, A, PFFT3D_SPECTRUM);
  CHECK(!pfft3d_plan_create_text(comm, "c2c:d:12x12x13 joined order=transposed decomp=slab", &c,
                                 NULL),
        "another box");
  memset(x, 0, pfft3d_plan_bytes(a));
  const pfft3d_direction F = PFFT3D_FORWARD, BACK = PFFT3D_BACKWARD;
#define REFUSED(call) CHECK((call) == PFFT3D_ERR_USAGE, "accepted")
  REFUSED(pfft3d_execute_end(a, F, y));
  REFUSED(pfft3d_execute_begin(NULL, F, x));
  REFUSED(pfft3d_execute_begin(a, (pfft3d_direction)5, x));
  if (m.from.len[0] * m.from.len[1] > 0) REFUSED(pfft3d_execute_begin(a, F, NULL));
  REFUSED(pfft3d_execute_between(a, F, b, combine, &m, y, z));
  CHECK(!pfft3d_execute_begin(a, F, x), "begins");
  REFUSED(pfft3d_execute_begin(a, F, x));
  REFUSED(pfft3d_execute(a, F, x, y));
  REFUSED(pfft3d_execute_end(a, BACK, y));
  REFUSED(pfft3d_execute_between(a, BACK, b, combine, &m, y, z));
  REFUSED(pfft3d_execute_between(a, F, a, combine, &m, y, z));
  REFUSED(pfft3d_execute_between(a, F, NULL, combine, &m, y, z));
  REFUSED(pfft3d_execute_between(a, F, b, NULL, &m, y, z));
  REFUSED(pfft3d_execute_between(NULL, F, b, combine, &m, y, z));
  if (ranks == 1) REFUSED(pfft3d_execute_between(a, F, c, combine, &m, y, z));
  CHECK(!pfft3d_execute_between(a, F, b, combine, &m, y, z), "joins");
  REFUSED(pfft3d_execute_end(a, F, y));
  CHECK(!pfft3d_execute_end(b, BACK, z), "ends");
  REFUSED(pfft3d_execute_end(b, BACK, z));
  CHECK(!pfft3d_execute(a, F, x, y), "and is free again");
  pfft3d_plan_destroy(&a);
  pfft3d_plan_destroy(&b);
  pfft3d_plan_destroy(&c);
}

int main(void) {
  int provided;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  for (int kind = 0; kind < 2; kind++) {
    comm = make_comm(kind);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (!kind) test_exchanges();
    test_joins();
    test_flat_and_not();
    test_lines();
    test_two_exchanges();
    test_two_sizes();
    test_places();
    if (!kind) test_around();
    if (!kind) test_idle();
    test_order();
    if (!kind) test_abandoned();
    MPI_Comm_free(&comm);
  }
  return check_result();
}
