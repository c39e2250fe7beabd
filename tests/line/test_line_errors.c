/* ranks: 1 2 3 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Requests for lines that must be refused: with the right status, one text that is the same on all
 * ranks, and a hint where there is something to be done about it. */
#include "line_trial.h"
#include "local/engine.h"

static int ranks, world_rank;

/* Collective. Refused by the plan and by the dry run. */
static void refused_by_both(const pfft3d_request *r, int want, int or_else, const char *words,
                            int hint) {
  pfft3d_explanation x;
  pfft3d_error e;
  line_refused(r, want, or_else, words, hint);
  int status = pfft3d_explain(r, ranks, &x, sizeof x, &e);
  CHECK(status == want || status == or_else, "%s: status %d of the dry run, not %d or %d: %s",
        line_name(r), status, want, or_else, e.text);
}

/* A request that is fine. */
static pfft3d_request fine(void) {
  pfft3d_problem p = line_problem(48, PFFT3D_C2C, PFFT3D_DOUBLE);
  return line_request(&p, &line_forms[0], "auto", "auto", "auto");
}

static pfft3d_request butterfly(ptrdiff_t n, int kind) {
  pfft3d_request r = fine();
  r.problem.n[2] = n;
  r.problem.kind = (pfft3d_kind)kind;
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "butterfly");
  return r;
}

static void test_butterfly(void) {
  enum { USAGE = PFFT3D_ERR_USAGE, NO = PFFT3D_ERR_UNAVAILABLE };
  pfft3d_request even = butterfly(48, PFFT3D_C2C), odd = butterfly(49, PFFT3D_C2C),
                 real = butterfly(49, PFFT3D_R2C);
  if (ranks == 1) return; /* nothing to exchange */
  refused_by_both(&real, USAGE, NO, "butterfly", 1);
  refused_by_both(ranks & (ranks - 1) ? &even : &odd, USAGE, NO, "butterfly", 1);
}

/* Splits: no factors of the length, and too short for a convolution. */
static void test_splits(void) {
  static const ptrdiff_t bad[][2] = {{7, 7}, {5, 9},   {-6, -8},         {0, 48},  {48, 0}, {1, 94},
                                     {1, 1}, {-1, 96}, {PTRDIFF_MAX, 2}, {0, -48}, {47, 2}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    for (int named = 0; named < 2; named++) {
      pfft3d_request r = fine();
      if (named) snprintf(r.decision.scheme, sizeof r.decision.scheme, "transpose");
      memcpy(r.decision.split, bad[k], sizeof bad[k]);
      refused_by_both(&r, PFFT3D_ERR_USAGE, PFFT3D_ERR_UNAVAILABLE,
                      bad[k][0] == PTRDIFF_MAX ? NULL : "split", 0); /* long enough, in theory */
    }
  }
}

/* Lines that no engine takes: what is said is of the one that takes the longest. */
static void test_engines(void) {
  char words[128];
  const pf_engine *best = pf_engine_at(0), *engine;
  for (int i = 0; (engine = pf_engine_at(i)); i++)
    if (!engine->device && engine->longest > best->longest) best = engine;
  pfft3d_request r = fine();
  r.decision.split[0] = 1;
  r.decision.split[1] = best->longest + 1;
  snprintf(words, sizeof words, "engine '%s': cannot do %td points: it takes at most %td",
           best->name, best->longest + 1, best->longest);
  refused_by_both(&r, PFFT3D_ERR_UNAVAILABLE, PFFT3D_ERR_UNAVAILABLE, words, 1);
}

static void test_problems(void) {
  enum { USAGE = PFFT3D_ERR_USAGE, NO = PFFT3D_ERR_UNAVAILABLE };
  pfft3d_request r = fine();
  r.problem.batch = 2;
  r.array[PFFT3D_SPECTRUM].distance = 47 / ranks; /* shorter than the longest part */
  refused_by_both(&r, USAGE, USAGE, "longest part", 0);
  r = fine();
  r.problem.batch = 2;
  r.problem.kind = PFFT3D_R2C;
  r.deterministic = 1;                 /* which has pairs of real numbers in all exchanges ... */
  r.array[PFFT3D_SPACE].distance = 51; /* ... that would begin at odd ones */
  if (48 % (2 * ranks) == 0) refused_by_both(&r, USAGE, USAGE, "must be even", 0);
  r = fine();
  r.problem.batch = 1 << 20;
  r.array[PFFT3D_SPACE].distance = PTRDIFF_MAX / 2;
  refused_by_both(&r, NO, NO, "64 bits", 0);
  r = fine();
  r.problem.sign = 1;
  refused_by_both(&r, NO, NO, "one dimension has -1 only", 0);
  r = fine();
  r.problem.n[0] = 2;
  refused_by_both(&r, USAGE, USAGE, NULL, 0);
  r = fine();
  r.problem.n[1] = 3;
  refused_by_both(&r, USAGE, USAGE, NULL, 0);
  for (int side = 0; side < 2; side++)
    for (int value = -1; value <= 2; value += 3) {
      r = fine();
      r.layout[side] = (pfft3d_distribution)value;
      refused_by_both(&r, USAGE, USAGE, "layout", 0);
    }
  for (int k = 0; k < 3; k++) {
    r = fine();
    r.problem.n[2] = (ptrdiff_t[]){0, -5, PTRDIFF_MIN}[k];
    refused_by_both(&r, USAGE, USAGE, "1 or more", 0);
  }
  r = fine();
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "slab"); /* cuts fields */
  refused_by_both(&r, USAGE, USAGE, "slab", 0);
  r = fine();
  r.problem.dims = 3;
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "transpose"); /* for lines only */
  refused_by_both(&r, USAGE, USAGE, "transpose", 0);
  r = fine();
  r.array[0].every = 2;
  refused_by_both(&r, USAGE, NO, NULL, 0);
  r = fine();
  r.decision.grid[0] = 5, r.decision.grid[1] = 7;
  refused_by_both(&r, USAGE, USAGE, "process grid 5x7", 0);
}

/* Collective. A line that is cut there must be refused. */
static void test_cut(pfft3d_request r, const pfft3d_cuts *cuts, const char *words) {
  pfft3d_error e;
  CHECK(!pfft3d_request_cuts(&r, cuts, &e), "%s", e.text);
  refused_by_both(&r, PFFT3D_ERR_USAGE, PFFT3D_ERR_UNAVAILABLE, words, 0);
  pf_cut_wish_drop(&r.cuts);
}

/* Cuts for another number of ranks or of points, of another axis, of what is not in blocks. */
static void test_cuts(void) {
  const ptrdiff_t short_of[] = {0, 10, 20, 30, 47}, fit[] = {0, 12, 24, 36, 48};
  ptrdiff_t good[5] = {0};
  pfft3d_request r = fine();
  memcpy(good, fit, (size_t)ranks * sizeof *good);
  good[ranks] = 48;
  test_cut(r, &(pfft3d_cuts){PFFT3D_SPACE, 2, 5 - ranks, fit}, "axis 2 of the field");
  test_cut(r, &(pfft3d_cuts){PFFT3D_SPECTRUM, 2, ranks, short_of}, "axis 2 of the spectrum");
  test_cut(r, &(pfft3d_cuts){PFFT3D_SPACE, 0, 2, fit}, "axis 0 of the field");
  r.layout[PFFT3D_SPACE] = PFFT3D_CYCLIC;
  if (ranks > 1) test_cut(r, &(pfft3d_cuts){PFFT3D_SPACE, 2, ranks, good}, "only blocks");
  r = fine();
  r.decision.order = PFFT3D_TRANSPOSED;
  if (ranks > 1) test_cut(r, &(pfft3d_cuts){PFFT3D_SPECTRUM, 2, ranks, good}, "only blocks");
  r = butterfly(48, PFFT3D_C2C);
  if (ranks == 2) test_cut(r, &(pfft3d_cuts){PFFT3D_SPACE, 2, ranks, good}, "no cuts");
}

/* Lengths whose bytes, or whose padded length, cannot be counted; and one that can, but is more
 * than any memory. */
static void test_sizes(void) {
  static const ptrdiff_t length[] = {PTRDIFF_MAX,          PTRDIFF_MAX - 1,    PTRDIFF_MAX / 2,
                                     PTRDIFF_MAX / 16 + 1, (ptrdiff_t)1 << 61, (ptrdiff_t)1 << 62};
  for (size_t k = 0; k < sizeof length / sizeof *length; k++)
    for (int f = 0; f < LINE_FORMS; f++) {
      pfft3d_problem p = line_problem(length[k], f % 2, f % 3 == 0);
      pfft3d_request r = line_request(&p, &line_forms[f], "auto", "auto", "auto");
      line_refused(&r, PFFT3D_ERR_USAGE, PFFT3D_ERR_UNAVAILABLE, NULL, 0);
    }
  for (int f = 0; f < LINE_FORMS; f++) {
    pfft3d_problem p = line_problem((ptrdiff_t)1 << 40, f % 2, 0);
    pfft3d_request r = line_request(&p, &line_forms[f], "auto", "auto", "auto");
    line_refused(&r, PFFT3D_ERR_MEMORY, PFFT3D_ERR_MEMORY, "iB", 1);
  }
}

/* One rank, each in turn, wishes for something else. */
static void test_disagreement(void) {
  for (int odd = 0; odd < ranks && ranks > 1; odd++)
    for (int what = 0; what < 5; what++) {
      pfft3d_request r = fine();
      if (what == 4) r = butterfly(47, PFFT3D_C2C), r.decision.split[0] = 5; /* wrong as well */
      if (world_rank == odd && what == 0) r.problem.dims = 3;
      if (world_rank == odd && what == 1) r.layout[0] = PFFT3D_CYCLIC;
      if (world_rank == odd && what == 2) r.layout[1] = PFFT3D_CYCLIC;
      if (world_rank == odd && what == 3) r.decision.split[0] = 6, r.decision.split[1] = 8;
      if (world_rank == odd && what == 4) r.problem.n[2] = 48;
      line_refused(&r, PFFT3D_ERR_INTERNAL, PFFT3D_ERR_INTERNAL, NULL, 0);
    }
}

/* What is refused leaves nothing that a good plan would stumble over. */
static void test_good(void) {
  pfft3d_request r = fine();
  oracle o;
  line_oracle(&o, &r.problem, 1);
  line_trial l = line_trial_make(MPI_COMM_WORLD, &r, &o);
  for (int direction = 0; direction < 2; direction++) line_run(&l, direction, APART, 0);
  CHECK(pfft3d_execute(l.t.plan, (pfft3d_direction)7, l.index[0], l.index[1]) == PFFT3D_ERR_USAGE,
        "direction 7");
  if (l.count[0] && l.count[1])
    CHECK(pfft3d_execute(l.t.plan, PFFT3D_FORWARD, NULL, l.index[1]) == PFFT3D_ERR_USAGE,
          "no input");
  line_trial_free(&l);
  oracle_free(&o);
}

/* A plan for a field has no line. */
static void test_field(void) {
  pfft3d_request r =
      make_request((ptrdiff_t[]){6, 5, 4}, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  CHECK(pfft3d_plan_index(plan, PFFT3D_SPACE, 0, 0) == -1, "an index of a field");
  pfft3d_plan_destroy(&plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  test_butterfly();
  test_splits();
  test_engines();
  test_cuts();
  test_problems();
  test_sizes();
  test_disagreement();
  test_good();
  test_field();
  return check_result();
}
