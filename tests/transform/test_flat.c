/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Fields n0 x n1 x 1: what the caller sees of a plan has three axes, and numbers and boxes are
 * those of such a field, but it does the work of a plan of two dimensions; unless the request asks
 * for something that such a plan cannot have. */
#include "kinds.h"
#include "trial.h"

static MPI_Comm comm;
static int rank, ranks;

/* ---- results ---- */

static void test_results(const pfft3d_request *r, const oracle *o, int turn) {
  if (!trial_possible(r, ranks)) return;
  trial t = trial_make(comm, r, o);
  for (int direction = 0; direction < 2; direction++) {
    trial_run(&t, direction, APART, turn % 4);
    trial_run(&t, direction, (trial_how)(1 + turn % 3), 0);
  }
  trial_weigh(&t);
  t.ran[PFFT3D_BACKWARD] = 0; /* the product may be rounded together with a sum */
  trial_run(&t, PFFT3D_BACKWARD, APART, 0);
  trial_free(&t);
}

/* ---- what the caller sees ---- */

/* The axes of the stages, which may be 0 and 1. */
static void check_stages(pfft3d_plan *plan, const char *name) {
  pfft3d_stats s;
  for (int d = 0; d < 2; d++) {
    int times[3] = {0, 0, 0};
    CHECK(!pfft3d_plan_stats(plan, (pfft3d_direction)d, 0, &s, sizeof s), "stats");
    for (int k = 0; k < s.stages; k++)
      for (const char *c = s.stage[k].axes; *c; c++) times[*c - '0']++;
    CHECK(times[0] == 1 && times[1] == 1 && times[2] == 0, "%s: axes 0 1 2 transformed %d %d %d",
          name, times[0], times[1], times[2]);
  }
}

static void check_view(const pfft3d_request *r) {
  pfft3d_plan *plan = make_plan(comm, r);
  pfft3d_decision d;
  pfft3d_box box, dry;
  pfft3d_explanation x;
  pfft3d_error e;
  ptrdiff_t n[3], want[3];
  char text[400], problem[160];
  const char *name = request_name(r);
  for (int side = 0; side < 2; side++) {
    pfft3d_problem_extents(&r->problem, (pfft3d_side)side, want);
    CHECK(!pfft3d_plan_extents(plan, (pfft3d_side)side, n) && !memcmp(n, want, sizeof n),
          "%s: extents %td %td %td", name, n[0], n[1], n[2]);
    CHECK(!pfft3d_plan_box(plan, (pfft3d_side)side, rank, &box) &&
              !pfft3d_explain_box(r, ranks, (pfft3d_side)side, rank, &dry) &&
              same_box(&box, &dry, r->problem.batch),
          "%s: the box of a dry run is another one", name);
  }
  pfft3d_plan_decision(plan, &d);
  CHECK(!strcmp(d.scheme, "slab") && d.grid[0] == ranks && d.grid[1] == 1, "%s: %s %dx%d", name,
        d.scheme, d.grid[0], d.grid[1]);
  CHECK(!pfft3d_explain(r, ranks, &x, sizeof x, &e) && x.decision.grid[0] == ranks &&
            x.decision.grid[1] == 1,
        "%s: a dry run has the grid %dx%d", name, x.decision.grid[0], x.decision.grid[1]);
  pfft3d_problem_print(&r->problem, problem, sizeof problem);
  CHECK(pfft3d_plan_print(plan, text, sizeof text) && !strncmp(text, problem, strlen(problem)),
        "%s is printed as %s", name, text);
  check_stages(plan, name);
  pfft3d_plan_destroy(&plan);
}

/* The figures of a field of two dimensions. */
static void check_work(const pfft3d_request *r) {
  pfft3d_request two = *r;
  pfft3d_explanation x[2];
  pfft3d_error e;
  two.problem.dims = 2;
  for (int a = 0; a < 3; a++) {
    two.problem.n[a] = r->problem.n[(a + 2) % 3];
    two.problem.keep[a] = r->problem.keep[(a + 2) % 3];
    two.problem.axis[a] = a ? r->problem.axis[a - 1] : PFFT3D_DFT;
  }
  CHECK(!pfft3d_explain(r, ranks, &x[0], sizeof x[0], &e) &&
            !pfft3d_explain(&two, ranks, &x[1], sizeof x[1], &e),
        "%s: %s", request_name(r), e.text);
  CHECK(x[0].messages == x[1].messages && x[0].bytes == x[1].bytes && x[0].passes == x[1].passes &&
            x[0].work_bytes == x[1].work_bytes && x[0].seconds == x[1].seconds,
        "%s: %g messages, %g bytes, %g passes, %g s; two dimensions %g, %g, %g, %g",
        request_name(r), x[0].messages, x[0].bytes, x[0].passes, x[0].seconds, x[1].messages,
        x[1].bytes, x[1].passes, x[1].seconds);
}

static const pfft3d_problem problems[] = {
    {.n = {6, 5, 1}, .batch = 1},
    {.n = {24, 36, 1}, .batch = 2},
    {.n = {16, 64, 1}, .batch = 1, .precision = PFFT3D_SINGLE, .sign = 1, .dims = 3},
    {.n = {15, 12, 1}, .batch = 1, .keep = {10, 7, 1}},
    {.n = {12, 18, 1},
     .batch = 1,
     .kind = PFFT3D_R2C,
     .axis = {PFFT3D_DFT, PFFT3D_DFT, PFFT3D_NONE}}, /* half along axis 1 */
    {.n = {9, 7, 1}, .batch = 3, .kind = PFFT3D_R2C, .axis = {PFFT3D_DST2, PFFT3D_DCT1}},
    {.n = {8, 20, 1}, .batch = 1, .axis = {PFFT3D_DCT4, PFFT3D_DFT, PFFT3D_NONE}},
    {.n = {34, 67, 1}, .batch = 1}, /* convolutions */
};

static void test_problems(void) {
  int turn = 0;
  for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
    const cut slab = {"slab", {0, 0}};
    oracle o;
    oracle_make(MPI_COMM_WORLD, &o, &problems[k], k);
    for (int order = 0; order < 2; order++) FOR_SHARE(PFFT3D_EXCHANGES, algo)
    FOR_SHARE(PFFT3D_ENGINES, engine) {
      pfft3d_request r = cut_request(&problems[k], &slab, algo, engine, order);
      r.threads = strcmp(pfft3d_build("openmp"), "no") ? 1 + turn % 2 : 1;
      r.deterministic = turn / 2 % 2;
      test_results(&r, &o, turn++);
      if (r.deterministic || !trial_possible(&r, ranks)) continue;
      check_view(&r);
      check_work(&r);
    }
    oracle_free(&o);
  }
}

/* ---- what such a plan cannot have ---- */

static void test_others(void) {
  static const pfft3d_problem p = {.n = {8, 12, 1}, .batch = 2},
                              real = {.n = {8, 12, 1}, .batch = 1, .kind = PFFT3D_R2C},
                              one = {.n = {9, 8, 1},
                                     .batch = 2,
                                     .kind = PFFT3D_R2C,
                                     .axis = {PFFT3D_NONE, PFFT3D_DFT, PFFT3D_NONE}};
  oracle o, r2c, half;
  cut list[CUTS];
  int cuts = list_cuts(ranks, list), turn = 0;
  oracle_make(MPI_COMM_WORLD, &o, &p, 1);
  oracle_make(MPI_COMM_WORLD, &r2c, &real, 2);
  oracle_make(MPI_COMM_WORLD, &half, &one, 3);
  for (int order = 0; order < 2; order++) {
    for (int c = 0; c < cuts; c++) {
      pfft3d_request r = cut_request(&p, &list[c], "packed", "auto", order);
      test_results(&r, &o, turn++);
      for (int form = 0; form < 4; form++) {
        r.array[form % 2] = (pfft3d_array){.below = {1, 0, form == 1}, .above = {0, 2, form == 2}};
        r.array[!(form % 2)].every = form == 3 ? 3 : 0;
        test_results(&r, &o, turn++);
      }
    }
    const cut slab = {"slab", {0, 0}};
    pfft3d_request r = cut_request(&p, &slab, "packed", "auto", order);
    roll_cut_list(&r, PFFT3D_SPACE, 0, ranks, 7);
    test_results(&r, &o, turn++);
    pf_cut_wish_drop(&r.cuts);
    r = cut_request(&real, &slab, "packed", "auto", order);
    test_results(&r, &r2c, turn++);
    r = cut_request(&one, &slab, "packed", "auto", order);
    r.padded = 1;
    test_results(&r, &half, turn++);
  }
  oracle_free(&o);
  oracle_free(&r2c);
  oracle_free(&half);
}

/* Errors name the axes of the caller. */
static void test_errors(void) {
  pfft3d_plan *plan;
  pfft3d_error e;
  CHECK(pfft3d_plan_create_text(comm, "c2c:d:6x4x1 keep=4,5,1", &plan, &e) == PFFT3D_ERR_USAGE &&
            strstr(e.text, "axis 1"),
        "%s", e.text);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  comm = MPI_COMM_WORLD;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  must_meet(PFFT3D_EXCHANGES);
  must_meet(PFFT3D_ENGINES);
  test_problems();
  test_others();
  test_errors();
  return check_result();
}
