/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Boxes of the caller: random cuts of both sides, in any memory, compared with the oracle by global
 * index; bricks; boxes that the decomposition has too, which cost nothing; dry runs, which count
 * what runs send; errors with their texts.
 *
 * Arguments: [seed [first case [count]]], 1, 0 and 60 by default. */
#include "kinds.h"
#include "request/boxes.h"
#include "tiles.h"
#include "trial.h"

static int rank, ranks;

/* ---- random boxes ---- */

static void roll_problem(dice *d, pfft3d_problem *p) {
  p->kind = (pfft3d_kind)roll(d, 2);
  p->precision = (pfft3d_precision)roll(d, 2);
  p->batch = 1 + roll(d, 3);
  for (int a = 0; a < 3; a++) p->n[a] = 1 + roll(d, percent(d, 20) ? 2 : 11);
  if (percent(d, 20)) p->n[0] = 1, p->dims = 2;
  for (int a = p->dims == 2; a < 2 && percent(d, 30); a++)
    p->axis[a] = (pfft3d_axis_kind)(PFFT3D_DCT2 + roll(d, PFFT3D_HC2R - PFFT3D_DCT2 + 1));
}

static pfft3d_request roll_request(dice *d) {
  pfft3d_request r;
  pf_request_init(&r);
  roll_problem(d, &r.problem);
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s",
           percent(d, 20) ? "auto" : roll_name(d, PFFT3D_SCHEMES));
  r.decision.order = (pfft3d_order)roll(d, 2);
  if (!strcmp(r.decision.scheme, "pencil") && percent(d, 60)) {
    r.decision.grid[0] = 1 + roll(d, ranks);
    r.decision.grid[1] = ranks / r.decision.grid[0]; /* often with idle ranks */
  }
  r.deterministic = percent(d, 20);
  r.wire = percent(d, 15) ? PFFT3D_SINGLE : PFFT3D_SAME;
  if (percent(d, 30)) r.scale[roll(d, 2)] = 0.25;
  int sides = 1 + roll(d, 3);
  for (int side = 0; side < 2; side++)
    if (sides >> side & 1) roll_boxes(d, rank, ranks, side, &r);
  roll_settings(d, ranks, &r);
  return r;
}

static void test_request(dice *d, const pfft3d_request *r, const oracle *o) {
  if (!trial_possible(r, ranks)) return;
  trial t = trial_make(MPI_COMM_WORLD, r, o);
  if (percent(d, 30)) trial_weigh(&t);
  for (int how = 0; how < HOWS; how++)
    for (int direction = 0; direction < 2; direction++)
      if (percent(d, 60) || how == APART) trial_run(&t, direction, (trial_how)how, roll(d, 3));
  trial_free(&t);
}

static void test_case(dice *d, uint64_t seed, long number, int all) {
  pfft3d_request r = roll_request(d);
  oracle o;
  (void)all;
  case_tell("%s; wire %d, deterministic %d, threads %d", request_name(&r), (int)r.wire,
            r.deterministic, r.threads);
  for (int side = 0; side < 2; side++) {
    const pfft3d_box *b = &r.box[side];
    case_tell("; side %d boxed %d", side, r.boxed[side]);
    if (r.boxed[side])
      case_tell(" rank 0 has %td %td %td + %td %td %td by %td %td %td, offset %td, distance %td",
                b->lo[0], b->lo[1], b->lo[2], b->len[0], b->len[1], b->len[2], b->stride[0],
                b->stride[1], b->stride[2], b->offset, b->distance);
  }
  oracle_make(MPI_COMM_WORLD, &o, &r.problem, seed + (uint64_t)number);
  if (r.wire == PFFT3D_SINGLE) o.limit = oracle_limit(&r.problem, PFFT3D_SINGLE);
  int names = 0;
  while (pfft3d_list_name(PFFT3D_EXCHANGES, names, NULL)) names++;
  FOR_LIST(PFFT3D_EXCHANGES, algo) { /* in turn by the number, so that a case can be run alone */
    if (algo_i_ != share_entry(number, names) && !take_all()) continue;
    pfft3d_request named = r;
    name_exchange(&named, algo);
    test_request(d, &named, &o);
  }
  oracle_free(&o);
}

/* ---- what boxes cost ---- */

/* The figures of one forward transform. */
static pfft3d_stats figures(const pfft3d_request *r, pfft3d_decision *decision) {
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, r);
  pfft3d_stats s;
  void *array;
  CHECK(!pfft3d_alloc(plan, &array, NULL), "no array");
  memset(array, 0, pfft3d_plan_bytes(plan));
  CHECK(!pfft3d_execute(plan, PFFT3D_FORWARD, array, array), "%s", request_name(r));
  CHECK(!pfft3d_plan_stats(plan, PFFT3D_FORWARD, 1, &s, sizeof s), "statistics");
  for (int part = 0; part < 2; part++)
    for (int d = 0; d < 2; d++) {
      double seconds = -1;
      CHECK(!pfft3d_plan_measure(plan, (pfft3d_direction)d, (pfft3d_part)part, array, array,
                                 &seconds) &&
                seconds >= 0,
            "%s: part %d", request_name(r), part);
    }
  pfft3d_plan_decision(plan, decision);
  pfft3d_plan_destroy(&plan);
  return s;
}

static pfft3d_request bricks_request(const char *text, const char *algo) {
  pfft3d_request r;
  pfft3d_error e;
  pf_request_init(&r);
  CHECK(!pfft3d_request_parse(&r, text, &e), "%s: %s", text, e.text);
  CHECK(!pfft3d_request_set(&r, "exchange", algo, &e), "%s", e.text);
  return r;
}

static double most(double mine) {
  double all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

/* Bricks cut along axis 0 only are slabs; along axis 2 only they need a redistribution on each
 * side. */
static void test_costs(const char *algo) {
  char text[120];
  pfft3d_decision d;
  pfft3d_request slabs = bricks_request("c2c:d:12x12x12 decomp=slab", algo);
  pfft3d_stats plain = figures(&slabs, &d);
  for (int axis = 0; axis < 3; axis += 2) {
    snprintf(text, sizeof text, "c2c:d:12x12x12 decomp=slab bricks=%dx1x%d", axis ? 1 : ranks,
             axis ? ranks : 1);
    pfft3d_request r = bricks_request(text, algo);
    pfft3d_stats s = figures(&r, &d);
    if (!axis || ranks == 1)
      CHECK(s.messages == plain.messages && s.exchanges == plain.exchanges &&
                s.work_bytes == plain.work_bytes && d.order == PFFT3D_NATURAL,
            "%s %s: %g messages, %d exchanges, %zu bytes; slabs have %g, %d, %zu", text, algo,
            s.messages, s.exchanges, s.work_bytes, plain.messages, plain.exchanges,
            plain.work_bytes);
    else
      CHECK(s.exchanges == 3 && d.order == PFFT3D_TRANSPOSED,
            "%s %s: %d exchanges, not one and two redistributions", text, algo, s.exchanges);
  }
}

/* A dry run counts what a run sends. */
static void test_dry(const char *text, const char *algo) {
  pfft3d_request r = bricks_request(text, algo);
  pfft3d_explanation x;
  pfft3d_error e;
  pfft3d_decision d;
  pfft3d_box box, dry;
  CHECK(!pfft3d_explain(&r, ranks, &x, sizeof x, &e), "%s: %s", text, e.text);
  pfft3d_stats s = figures(&r, &d);
  CHECK(most(s.messages) == x.messages && most(s.bytes) == x.bytes && s.exchanges == x.exchanges,
        "%s %s: %g messages, %g bytes, %d exchanges, not %g, %g, %d", text, algo, most(s.messages),
        most(s.bytes), s.exchanges, x.messages, x.bytes, x.exchanges);
  CHECK(x.redist_bytes <= x.bytes && x.redistributions <= 2 && x.seconds > 0, "%s: %g bytes of %g",
        text, x.redist_bytes, x.bytes);
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < ranks; k++) {
      CHECK(!pfft3d_plan_box(plan, (pfft3d_side)side, k, &box) &&
                !pfft3d_explain_box(&r, ranks, (pfft3d_side)side, k, &dry) &&
                same_box(&box, &dry, r.problem.batch),
            "%s %s: box of rank %d on side %d", text, algo, k, side);
    }
  pfft3d_plan_destroy(&plan);
}

/* A dry run of more ranks than are looked at.  Rank 0 has a part of the field and a half of the
 * spectrum where they shall be, most others have nothing there. */
static void test_sample(void) {
  pfft3d_request r = bricks_request("c2c:d:64x2048x2 decomp=slab bricks=2x1024x1", "packed");
  pfft3d_explanation x;
  pfft3d_error e;
  double brick = 32 * 2 * 2 * 16;
  CHECK(!pfft3d_explain(&r, 2048, &x, sizeof x, &e), "%s", e.text);
  CHECK(x.redist_bytes == 2 * brick, "%g bytes sent, not %g", x.redist_bytes, 2 * brick);
}

/* The field in slabs along axis 0, the spectrum in slabs along axis 1 as transposed order stores
 * it: nothing is added, and without a named order that one is taken. */
static void test_order(const char *algo) {
  pfft3d_decision d;
  pfft3d_box box[2];
  pfft3d_request r = bricks_request("c2c:d:12x12x12 decomp=slab", algo);
  r.decision.order = PFFT3D_TRANSPOSED;
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  for (int side = 0; side < 2; side++) pfft3d_plan_box(plan, (pfft3d_side)side, rank, &box[side]);
  pfft3d_plan_destroy(&plan);
  pfft3d_stats plain = figures(&r, &d);
  r.decision.order = PFFT3D_NATURAL;
  for (int side = 0; side < 2; side++)
    CHECK(!pfft3d_request_box(&r, (pfft3d_side)side, &box[side], NULL), "side %d", side);
  pfft3d_stats s = figures(&r, &d);
  CHECK((d.order == PFFT3D_TRANSPOSED || ranks == 1) && s.exchanges == plain.exchanges &&
            s.bytes == plain.bytes,
        "%s: order %d, %d exchanges, not %d", algo, (int)d.order, s.exchanges, plain.exchanges);
}

/* Boxes belong to the ranks of the communicator, in whatever order these are, and stay with their
 * ranks when a plan puts those of a node together. */
static void test_ranks(const char *algo, uint64_t seed) {
  pfft3d_request r = bricks_request("r2c:d:7x6x10*2", algo);
  dice d = {seed};
  MPI_Comm comm = make_comm(1);
  oracle o;
  int mine;
  MPI_Comm_rank(comm, &mine);
  for (int side = 0; side < 2; side++) roll_boxes(&d, mine, ranks, side, &r);
  oracle_make(MPI_COMM_WORLD, &o, &r.problem, seed);
  trial t = trial_make(comm, &r, &o);
  for (int direction = 0; direction < 2; direction++) trial_run(&t, direction, APART, 1);
  trial_free(&t);
  oracle_free(&o);
  MPI_Comm_free(&comm);
}

static void test_sorted(void) {
  static const int order[] = {2, 0, 1};
  pf_boxes b = {.ranks = 3, .box = {get(3 * sizeof(pfft3d_box)), NULL}};
  for (int k = 0; k < 3; k++) b.box[0][k] = (pfft3d_box){.lo = {k}};
  CHECK(!pf_boxes_order(&b, order, NULL), "order");
  for (int k = 0; k < 3; k++)
    CHECK(b.box[0][order[k]].lo[0] == k, "box of rank %d: %td", k, b.box[0][order[k]].lo[0]);
  pf_boxes_free(&b);
}

/* ---- errors ---- */

static pfft3d_request slabs_request(pfft3d_box *box) {
  pfft3d_request r = bricks_request("c2c:d:12x4x5", "packed");
  *box = (pfft3d_box){.lo = {12 / ranks * rank}, .len = {12 / ranks, 4, 5}};
  return r;
}

static void refuse(const pfft3d_request *r, int status, const char *says) {
  pfft3d_plan *plan;
  pfft3d_error e;
  int found = pfft3d_plan_create(MPI_COMM_WORLD, r, &plan, &e);
  CHECK(found == status && !plan && strstr(e.text, says), "%d: %s, not %d: %s", found, e.text,
        status, says);
}

/* A box of the field with one thing wrong on one rank. */
static void refuse_box(const pfft3d_box *box, const char *says) {
  pfft3d_box other;
  pfft3d_request r = slabs_request(&other);
  CHECK(!pfft3d_request_box(&r, PFFT3D_SPACE, box, NULL), "box");
  refuse(&r, PFFT3D_ERR_USAGE, says);
}

static void test_tiles(void) {
  pfft3d_box b;
  char text[160];
  int planes = 12 / ranks;
  slabs_request(&b);
  if (rank == 1) b.lo[0]--;
  snprintf(text, sizeof text,
           "boxes of the field: ranks 0 and 1 both hold elements (%d..%d, 0..3, "
           "0..4)",
           planes - 1, planes - 1);
  refuse_box(&b, text);
  slabs_request(&b);
  if (rank == 0) b.len[0]--;
  snprintf(text, sizeof text,
           "boxes of the field: no rank holds elements (%d..%d, 0..3, 0..4), "
           "between ranks 0 and 1",
           planes - 1, planes - 1);
  refuse_box(&b, text);
  pfft3d_request r = slabs_request(&b);
  if (rank == 0) CHECK(!pfft3d_request_box(&r, PFFT3D_SPACE, &b, NULL), "box");
  refuse(&r, PFFT3D_ERR_INTERNAL, "boxes is 'none' here, 'field'");
}

static void test_errors(void) {
  pfft3d_box b;
  pfft3d_explanation x;
  pfft3d_request r = slabs_request(&b);
  const pfft3d_array ghosts = {.below = {1, 0, 0}};
  const int last = rank == ranks - 1;
  if (last) b.len[1] = 5;
  refuse_box(&b, "box of the field: 5 indices from 0 on along axis 1, which has 4");
  slabs_request(&b);
  if (last) b.stride[2] = 1;
  refuse_box(&b, "stride 0 of axis");
  slabs_request(&b);
  if (last) b.offset = -1;
  refuse_box(&b, "offset -1");
  slabs_request(&b);
  if (last) b.stride[0] = b.stride[1] = b.stride[2] = PTRDIFF_MAX / 3;
  refuse_box(&b, "64 bits");
  slabs_request(&b);
  CHECK(!pfft3d_request_box(&r, PFFT3D_SPACE, &b, NULL), "box");
  CHECK(pfft3d_explain(&r, ranks, &x, sizeof x, NULL) == PFFT3D_ERR_USAGE, "a dry run of boxes");
  CHECK(!pfft3d_request_array(&r, PFFT3D_SPACE, &ghosts, NULL), "array");
  refuse(&r, PFFT3D_ERR_USAGE, "array of the field: it has a box");
  CHECK(!pfft3d_request_box(&r, PFFT3D_SPACE, NULL, NULL), "no box");
  r.array[PFFT3D_SPACE].below[0] = 0;
  CHECK(!pfft3d_request_box(&r, PFFT3D_SPECTRUM, &b, NULL), "box");
  CHECK(!pfft3d_request_set(&r, "bricks", "1x1x1", NULL), "bricks");
  refuse(&r, PFFT3D_ERR_USAGE, "bricks and boxes: both say where the spectrum lies");
  r = bricks_request("c2c:d:12x4x5 bricks=8x2x1", "packed");
  refuse(&r, PFFT3D_ERR_USAGE, "bricks 8x2x1: need 16 ranks");
  r = bricks_request("c2c:d:64 bricks=1x1x1", "packed");
  refuse(&r, PFFT3D_ERR_UNAVAILABLE, "boxes: one dimension");
  r = bricks_request("r2c:d:12x4x5 padded bricks=1x1x1", "packed");
  refuse(&r, PFFT3D_ERR_USAGE, "padded: the field has a box");
}

/* ---- all of it ---- */

static void test_fixed(void) {
  static const char *const shape[] = {
      "c2c:d:12x10x9*2 decomp=slab bricks=1x1x%d", "r2c:s:27x32x30 decomp=pencil bricks=1x%dx1",
      "r2c:d:1x12x11 decomp=pencil bricks=%dx1x1", "c2c:d:9x8x7 decomp=slab bricks=1x1x%d",
      "c2c:d:9x8x7 decomp=pencil bricks=1x1x1 threads=%d"};
  FOR_LIST(PFFT3D_EXCHANGES, algo) {
    char text[120];
    test_costs(algo);
    test_order(algo);
    for (uint64_t seed = 1; seed < 4; seed++) test_ranks(algo, seed);
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
      int used = snprintf(text, sizeof text, shape[k], ranks);
      snprintf(text + used, sizeof text - (size_t)used, " node-ranks=%d", k % 2 ? 1 : ranks);
      test_dry(text, algo);
    }
  }
  test_sorted();
  test_sample();
  test_errors();
  if (ranks > 1 && 12 % ranks == 0) test_tiles();
}

static void test_all(dice *d, uint64_t seed, long number, int all) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ranks = all;
  if (number == 0) test_fixed();
  test_case(d, seed, number, all);
}

int main(int argc, char **argv) {
  return run_cases(argc, argv, 60, "transform/test_boxes", test_all);
}
