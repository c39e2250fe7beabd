/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Axes cut by a rule or at any indices, with empty parts anywhere and differently on both sides:
 * every exchange, decomposition, order and kind against the definition, dry runs against plans, and
 * what is wrong with cuts is said. */
#include "planner/planner.h"
#include "trial.h"

static int rank, ranks;

/* ---- plans ---- */

/* A dry run says what the plan did: its boxes, its messages, and who is idle. */
static void compare_explained(const trial *t) {
  pfft3d_explanation x;
  pfft3d_error e;
  pfft3d_stats stats;
  double messages;
  int idle = 0;
  CHECK(!pfft3d_explain(t->request, ranks, &x, sizeof x, &e), "%s: %s", request_name(t->request),
        e.text);
  CHECK(!pfft3d_plan_stats(t->plan, PFFT3D_FORWARD, 0, &stats, sizeof stats), "no statistics");
  double mine = stats.executions ? stats.messages / (double)stats.executions : 0;
  MPI_Allreduce(&mine, &messages, 1, MPI_DOUBLE, MPI_MAX, t->comm);
  CHECK(messages == x.messages, "%s: %g messages, the dry run says %g", request_name(t->request),
        messages, x.messages);
  for (int k = 0; k < ranks; k++) {
    int empty = 0;
    for (int side = 0; side < 2; side++) {
      pfft3d_box have, said;
      CHECK(!pfft3d_plan_box(t->plan, (pfft3d_side)side, k, &have) &&
                !pfft3d_explain_box(t->request, ranks, (pfft3d_side)side, k, &said),
            "%s: box of rank %d", request_name(t->request), k);
      CHECK(same_box(&have, &said, t->o->fields),
            "%s: side %d: another box of rank %d in a dry run", request_name(t->request), side, k);
      empty |= !box_elements(&have);
    }
    idle += empty;
  }
  CHECK(idle == x.idle_ranks, "%s: %d ranks are idle, the dry run says %d",
        request_name(t->request), idle, x.idle_ranks);
}

/* Lists of the request may be gone when the plan runs. */
static void test_request(pfft3d_request *r, const oracle *o, const uint64_t bits[2]) {
  if (!trial_possible(r, ranks)) return;
  trial t = trial_make(MPI_COMM_WORLD, r, o);
  trial_weigh(&t);
  for (int direction = 0; direction < 2; direction++)
    for (int how = 0; how < HOWS; how++) {
      trial_run(&t, direction, (trial_how)how, how == APART);
      CHECK(!bits || t.bits[direction] == bits[direction],
            "%s on %d ranks direction %d: other bits than with balanced cuts", request_name(r),
            ranks, direction);
    }
  compare_explained(&t);
  pf_cut_wish_drop(&r->cuts);
  trial_run(&t, PFFT3D_FORWARD, APART, 0);
  trial_free(&t);
}

/* The bits that balanced cuts give: deterministic plans promise them for all. */
static void find_bits(const pfft3d_request *r, const oracle *o, uint64_t bits[2]) {
  pfft3d_request balanced = *r;
  balanced.cuts = (pf_cut_wish){.rule = PF_CUTS_BALANCED};
  trial t = trial_make(MPI_COMM_WORLD, &balanced, o);
  trial_weigh(&t);
  for (int direction = 0; direction < 2; direction++) trial_run(&t, direction, APART, 0);
  memcpy(bits, t.bits, sizeof t.bits);
  trial_free(&t);
}

static void test_problem(const pfft3d_problem *p, uint64_t *counter) {
  cut list[CUTS];
  int cuts = list_cuts(ranks, list);
  oracle o;
  oracle_make(MPI_COMM_WORLD, &o, p, *counter);
  for (int c = 0; c < cuts; c++)
    for (int order = 0; order < 2; order++) FOR_SHARE(PFFT3D_EXCHANGES, algo)
  for (int k = 0; k < 2; k++) {
    uint64_t bits[2];
    if (k != (c + order) % 2 && !take_all()) continue;
    pfft3d_request r = cut_request(p, &list[c], algo, "auto", order);
    r.node_ranks = ranks;
    r.deterministic = k;
    r.decision.chunk = *counter % 3 ? 0 : 100;
    roll_field_cuts(&r, ranks, mix(++*counter));
    if (k) find_bits(&r, &o, bits);
    test_request(&r, &o, k ? bits : NULL);
  }
  oracle_free(&o);
}

/* Axes with other kinds, some of which are not transformed: their exchanges are only removed where
 * both sides are cut alike. */
static void test_kinds(uint64_t *counter) {
  static const pfft3d_axis_kind axis[][3] = {{PFFT3D_NONE, PFFT3D_DCT2, PFFT3D_DST3},
                                             {PFFT3D_DST1, PFFT3D_NONE, PFFT3D_NONE},
                                             {PFFT3D_NONE, PFFT3D_DFT, PFFT3D_DFT},
                                             {PFFT3D_DCT4, PFFT3D_DCT1, PFFT3D_DFT},
                                             {PFFT3D_HC2R, PFFT3D_DHT, PFFT3D_R2HC}};
  for (size_t k = 0; k < sizeof axis / sizeof *axis; k++) {
    pfft3d_problem p = {.kind = PFFT3D_R2C, .n = {7, 8, 9}, .batch = 1 + (ptrdiff_t)k % 2};
    memcpy(p.axis, axis[k], sizeof p.axis);
    test_problem(&p, counter);
  }
}

/* Natural order with other lists on each side, where the last stage of some exchanges writes to the
 * output of other ranks. */
static void test_sides(void) {
  oracle o;
  pfft3d_problem p = {.kind = PFFT3D_R2C, .n = {12, 9, 8}};
  oracle_make(MPI_COMM_WORLD, &o, &p, 3);
  FOR_LIST(PFFT3D_EXCHANGES, algo)
  for (uint64_t k = 0; k < 2; k++) {
    pfft3d_request r = make_request(p.n, "slab", algo, "auto", PFFT3D_NATURAL);
    r.problem = p;
    r.node_ranks = ranks;
    for (int side = 0; side < 2; side++)
      roll_cut_list(&r, side, 0, ranks, mix(2 * k + (uint64_t)side));
    test_request(&r, &o, NULL);
  }
  oracle_free(&o);
}

/* Lists of the field are none for an axis that is shorter in the spectrum, where it has fewer
 * modes. */
static void test_shorter(void) {
  static const pfft3d_problem problem[] = {
      {.n = {8, 5, 4}, .keep = {4, 5, 4}},
      {.n = {3, 12, 4}, .keep = {3, 5, 4}},
      {.kind = PFFT3D_R2C, .n = {12, 3, 4}, .axis = {PFFT3D_DFT, PFFT3D_NONE, PFFT3D_NONE}},
      {.kind = PFFT3D_R2C, .n = {3, 12, 4}, .axis = {PFFT3D_NONE, PFFT3D_DFT, PFFT3D_DCT2}}};
  for (size_t k = 0; k < sizeof problem / sizeof *problem; k++) FOR_LIST(PFFT3D_EXCHANGES, algo) {
      oracle o;
      oracle_make(MPI_COMM_WORLD, &o, &problem[k], 3);
      pfft3d_request r = make_request(problem[k].n, "pencil", algo, "auto", PFFT3D_NATURAL);
      r.problem = problem[k];
      r.decision.grid[0] = ranks % 2 ? ranks : ranks / 2;
      r.decision.grid[1] = ranks % 2 ? 1 : 2;
      for (int dim = 0; dim < 2; dim++) roll_cut_list(&r, 0, dim, r.decision.grid[dim], mix(k));
      test_request(&r, &o, NULL);
      oracle_free(&o);
    }
}

/* With a box of the caller the order of the spectrum is open: lists of its axes may be for one. */
static void test_either_order(void) {
  char text[100];
  pfft3d_error e;
  pfft3d_plan *plan;
  snprintf(text, sizeof text,
           "c2c:d:8x8x8 decomp=slab exchange=packed bricks=1x%dx1 cuts=spectrum1:0,8", ranks);
  int status = pfft3d_plan_create_text(MPI_COMM_WORLD, text, &plan, &e);
  CHECK(!status, "%s: %s", text, e.text);
  if (!status) {
    pfft3d_decision d;
    pfft3d_plan_decision(plan, &d);
    CHECK(ranks == 1 || d.order == PFFT3D_NATURAL, "%s: another order than the list is for", text);
  }
  pfft3d_plan_destroy(&plan);
}

/* A dry run without a rank is of the one that the lists give most. */
static void test_heaviest(void) {
  enum { ROWS = 4, COLUMNS = 3 };
  for (int most = 0; most < ROWS * COLUMNS; most++) {
    pfft3d_error e;
    pf_geometry g;
    pfft3d_request r =
        make_request((ptrdiff_t[]){16, 16, 16}, "pencil", "packed", "auto", PFFT3D_TRANSPOSED);
    r.decision.grid[0] = ROWS;
    r.decision.grid[1] = COLUMNS;
    for (int axis = 0; axis < 2; axis++) {
      int parts = axis ? COLUMNS : ROWS, large = axis ? most % COLUMNS : most / COLUMNS;
      ptrdiff_t at[ROWS + 1] = {0};
      for (int k = 0; k < parts; k++) at[k + 1] = at[k] + (k == large ? 17 - parts : 1);
      CHECK(!pfft3d_request_cuts(&r, &(pfft3d_cuts){PFFT3D_SPACE, axis, parts, at}, &e), "%s",
            e.text);
    }
    CHECK(!pf_complete_geometry(&r, ROWS * COLUMNS, -1, &g, &e), "%s", e.text);
    CHECK(g.rank == most, "rank %d has most, but the dry run is of rank %d", most, g.rank);
    pf_cut_wish_drop(&r.cuts);
  }
}

/* Blocks of unlike parts are measured, too. */
static void test_measured(void) {
  ptrdiff_t at[40] = {0};
  for (int k = 1; k < ranks; k++) at[k] = 1;
  at[ranks] = 4 * ranks;
  pfft3d_request *r;
  pfft3d_error e;
  pfft3d_plan *plan;
  char text[100];
  snprintf(text, sizeof text, "c2c:d:%dx%dx8 decomp=slab exchange=packed", 4 * ranks, 4 * ranks);
  pfft3d_request_create(&r, &e);
  CHECK(!pfft3d_request_parse(r, text, &e), "%s", e.text);
  CHECK(!pfft3d_request_cuts(r, &(pfft3d_cuts){PFFT3D_SPACE, 0, ranks, at}, &e), "%s", e.text);
  CHECK(!pfft3d_plan_create(MPI_COMM_WORLD, r, &plan, &e), "%s", e.text);
  size_t bytes = pfft3d_plan_bytes(plan) + 1;
  void *in = calloc(1, bytes), *out = calloc(1, bytes);
  for (int part = 0; in && out && part < 2; part++) {
    double seconds = -1;
    int status = pfft3d_plan_measure(plan, PFFT3D_FORWARD, (pfft3d_part)part, in, out, &seconds);
    CHECK(!status && seconds >= 0, "part %d: status %d, %g s", part, status, seconds);
  }
  free(in);
  free(out);
  pfft3d_plan_destroy(&plan);
  pfft3d_request_destroy(&r);
}

/* ---- the grid and the choice follow from lists ---- */

static void test_open(void) {
  pfft3d_request *r;
  pfft3d_error e;
  pfft3d_plan *plan;
  pfft3d_decision d;
  pfft3d_box box;
  ptrdiff_t at[3] = {0, 3, 10};
  if (ranks < 2) return;
  pfft3d_request_create(&r, &e);
  CHECK(!pfft3d_request_parse(r, "c2c:d:8x10x12 order=natural", &e), "%s", e.text);
  CHECK(!pfft3d_request_cuts(r, &(pfft3d_cuts){PFFT3D_SPACE, 1, 2, at}, &e), "%s", e.text);
  at[1] = 5; /* the list was copied */
  CHECK(!pfft3d_plan_create(MPI_COMM_WORLD, r, &plan, &e), "%s", e.text);
  pfft3d_plan_decision(plan, &d);
  CHECK(d.grid[1] == 2 && !strcmp(d.scheme, "pencil"), "%s on %dx%d", d.scheme, d.grid[0],
        d.grid[1]);
  for (int side = 0; side < 2; side++) {
    pfft3d_plan_box(plan, (pfft3d_side)side, rank, &box);
    if (rank < d.grid[0] * 2)
      CHECK(box.lo[1] == (rank % 2 ? 3 : 0) && box.len[1] == (rank % 2 ? 7 : 3),
            "side %d: rank %d has %td from %td on", side, rank, box.len[1], box.lo[1]);
  }
  pfft3d_plan_destroy(&plan);
  pfft3d_request_destroy(&r);
}

/* ---- texts ---- */

static void test_texts(void) {
  static const char *const text[] = {"c2c:d:8x10x12 cuts=ceil",
                                     "c2c:d:8x10x12 cuts=balanced/0:0,5,8",
                                     "c2c:d:8x10x12 cuts=ceil/0:0,0,8/spectrum2:0,12"};
  pfft3d_request *r;
  pfft3d_error e;
  char printed[700];
  for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
    pfft3d_request_create(&r, &e);
    CHECK(!pfft3d_request_parse(r, text[k], &e), "%s: %s", text[k], e.text);
    pfft3d_request_print(r, printed, sizeof printed);
    CHECK(!strcmp(printed, text[k]), "'%s' is printed as '%s'", text[k], printed);
    CHECK(pfft3d_request_parse(r, "cuts=0:0,3,8 threads=0", &e), "no error");
    pfft3d_request_print(r, printed, sizeof printed);
    CHECK(!strcmp(printed, text[k]), "'%s' became '%s' in a call that failed", text[k], printed);
    CHECK(!pfft3d_request_set(r, "cuts", "balanced", &e), "%s", e.text);
    pfft3d_request_print(r, printed, sizeof printed);
    CHECK(!strstr(printed, "cuts"), "'%s' after cuts=balanced", printed);
    pfft3d_request_destroy(&r);
  }
}

/* ---- errors ---- */

typedef struct wrong {
  const char *text, *says; /* of a request; of its error */
} wrong;

static void test_wrong(void) {
  static const wrong parsed[] = {{"cuts=even", "cuts 'even'"},
                                 {"cuts=3:0,8", "cuts '3:0,8'"},
                                 {"cuts=0:0", "cuts '0:0'"},
                                 {"cuts=0:0,8,", "cuts '0:0,8,'"},
                                 {"cuts=0:1,8", "the first is 1"},
                                 {"cuts=0:0,7,5,8", "part 1 would be 7 to 5"},
                                 {"cuts=", "cuts ''"},
                                 {"cuts=spectrum:0,8", "cuts 'spectrum:0,8'"}};
  static const wrong planned[] = {
      {"c2c:d:8x10x12 decomp=slab cuts=0:0,1,2,3,4,5,6,7,8", "axis 0 of the field: 8 parts"},
      {"c2c:d:8x10x12 decomp=slab cuts=2:0,6,12", "axis 2 of the field: 2 parts"},
      {"c2c:d:8x10x12 decomp=pencil grid=1x1 cuts=0:0,9", "they end at 9, the axis at 8"},
      {"r2c:d:8x10x12 decomp=pencil grid=1x1 cuts=spectrum2:0,12 order=transposed",
       "axis 2 of the spectrum: they end at 12, the axis at 7"},
      {"c2c:d:4096 cuts=0:0,1,1", "axis 0 of the field: 2 parts"}};
  pfft3d_request *r;
  pfft3d_plan *plan;
  pfft3d_error e;
  pfft3d_request_create(&r, &e);
  for (size_t k = 0; k < sizeof parsed / sizeof *parsed; k++)
    CHECK(pfft3d_request_parse(r, parsed[k].text, &e) == PFFT3D_ERR_USAGE &&
              strstr(e.text, parsed[k].says),
          "%s: %s", parsed[k].text, e.text);
  pfft3d_request_destroy(&r);
  for (size_t k = 0; k < sizeof planned / sizeof *planned; k++)
    CHECK(pfft3d_plan_create_text(MPI_COMM_WORLD, planned[k].text, &plan, &e) == PFFT3D_ERR_USAGE &&
              strstr(e.text, planned[k].says),
          "%s: %s", planned[k].text, e.text);
  int unlike = pfft3d_plan_create_text(
      MPI_COMM_WORLD, rank == ranks - 1 ? "c2c:d:8x10x12 cuts=ceil" : "c2c:d:8x10x12", &plan, &e);
  if (ranks > 1)
    CHECK(unlike == PFFT3D_ERR_INTERNAL && strstr(e.text, "cuts"), "%d: %s", unlike, e.text);
  else
    pfft3d_plan_destroy(&plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const ptrdiff_t grid[][3] = {{8, 6, 10}, {5, 17, 9}, {1, 12, 36}, {9, 3, 4}, {33, 16, 34}};
  uint64_t counter = 0;
  must_meet(PFFT3D_EXCHANGES);
  must_meet(PFFT3D_SCHEMES);
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++)
    for (int way = 0; way < 2; way++) {
      pfft3d_problem p = {.kind = (pfft3d_kind)way,
                          .precision = (pfft3d_precision)((k + (size_t)way) % 2),
                          .n = {grid[k][0], grid[k][1], grid[k][2]},
                          .batch = k < 2 ? 3 : 1};
      test_problem(&p, &counter);
    }
  test_kinds(&counter);
  test_sides();
  test_shorter();
  test_either_order();
  test_heaviest();
  test_measured();
  test_open();
  test_texts();
  test_wrong();
  return check_result();
}
