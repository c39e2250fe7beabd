/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Cosine and sine transforms of lines against their definitions in long double, forward and
 * backward: all kinds, of real and of complex numbers in both precisions, of every small length and
 * of random ones, by all exchanges, methods and engines; batches with and without gaps.  The cost
 * of a dry run is that of the plan.
 *
 * Argument: all lengths up to this one (14). */
#include "base/hooks.h"
#include "line_trial.h"

enum { LINES = 2, LARGE = 5 };
static int world_ranks;
static uint64_t trials;

/* Collective. What a dry run says of messages, and what a forward transform sent. */
static void test_counts(const line_trial *l) {
  pfft3d_explanation x;
  pfft3d_stats s;
  pfft3d_request r = *l->t.request;
  double sent[3], most[3];
  r.decision = l->decided;
  CHECK(!pfft3d_explain(&r, world_ranks, &x, sizeof x, NULL), "%s", line_words(l));
  pfft3d_plan_stats(l->t.plan, PFFT3D_FORWARD, 1, &s, sizeof s);
  double runs = (double)s.executions;
  sent[0] = s.messages / runs, sent[1] = s.bytes / runs, sent[2] = s.exchanges;
  MPI_Allreduce(sent, most, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  CHECK(s.executions == 2, "%s: %d executions counted, not 2", line_words(l), (int)s.executions);
  CHECK(x.messages == most[0] && x.bytes == most[1] && x.exchanges == (int)most[2],
        "%s: %g messages, %g bytes, %g exchanges, not %g, %g, %d as in the dry run", line_words(l),
        most[0], most[1], most[2], x.messages, x.bytes, x.exchanges);
}

static void test_request(pfft3d_request *r, const oracle *o) {
  uint64_t turn = mix(trials++);
  if (turn % 3 == 0) r->scale[0] = 0.75, r->scale[1] = 1 / (double)r->problem.n[2];
  pf_hooks.max_count = turn % 7 ? 0 : 5; /* messages in portions */
  if (r->problem.batch > 1) line_distances(r, turn / 8);
  if (!line_possible(r, world_ranks)) return;
  line_trial l = line_trial_make(MPI_COMM_WORLD, r, o);
  for (int d = 0; d < 2; d++) line_run(&l, d, APART, (int)(turn / 4 % 4));
  for (int d = 0; d < 2; d++) line_run(&l, d, (trial_how)((turn / 16 + (uint64_t)d) % HOWS), 0);
  if (pf_hooks.max_count == 0) test_counts(&l);
  line_trial_free(&l);
}

static pfft3d_problem kind_problem(ptrdiff_t n, pfft3d_axis_kind kind, int type, int precision) {
  pfft3d_problem p = line_problem(n, type, precision);
  p.axis[2] = kind;
  p.dims = 1;
  return p;
}

/* Collective. One length and kind, by some of everything else. */
static void test_length(ptrdiff_t n, pfft3d_axis_kind kind, int type, int precision) {
  pfft3d_problem p = kind_problem(n, kind, type, precision);
  oracle o[LINES];
  line_oracles(o, LINES, &p, (uint64_t)n * LINES + (uint64_t)kind);
  FOR_SHARE(PFFT3D_EXCHANGES, algo) {
    pfft3d_request r = line_request(&p, &line_forms[0], "auto", algo, "auto");
    r.problem.batch = trials % 2 ? LINES : 1;
    test_request(&r, o);
  }
  if (n % 4 == 0) FOR_LIST(PFFT3D_METHODS, method) {
      pfft3d_request r = line_request(&p, &line_forms[0], method, "packed", "auto");
      test_request(&r, o);
    }
  if (n % 3 == 1) FOR_SHARE(PFFT3D_ENGINES, engine) {
      pfft3d_request r = line_request(&p, &line_forms[0], "auto", "auto", engine);
      test_request(&r, o);
    }
  for (int b = 0; b < LINES; b++) oracle_free(&o[b]);
}

/* Collective. A third of the kinds of a length on each number of ranks, others on the next. */
static void test_lengths(ptrdiff_t all) {
  for (ptrdiff_t n = 1; n <= all + LARGE; n++)
    for (int kind = PFFT3D_DCT1; kind <= PFFT3D_HC2R; kind++) {
      uint64_t way = mix((uint64_t)(16 * n + kind)); /* real or complex, and the precision */
      uint64_t here = mix(way + (uint64_t)world_ranks);
      if (here % (uint64_t)one_of(3) || (kind == PFFT3D_DCT1 && n < 2)) continue;
      ptrdiff_t points = n > all ? 21 + (ptrdiff_t)(here % 400) : n;
      test_length(points, (pfft3d_axis_kind)kind, (int)(way % 2), (int)(way / 2 % 2));
      if (take_all() || n < 5)
        test_length(points, (pfft3d_axis_kind)kind, !(way % 2), (int)(way / 2 % 2));
    }
}

static void test_errors(void) {
  pfft3d_problem p = kind_problem(48, PFFT3D_DCT2, PFFT3D_R2C, PFFT3D_DOUBLE);
  for (int f = 1; f < 4; f++) {
    pfft3d_request r = line_request(&p, &line_forms[f], "auto", "auto", "auto");
    line_refused(&r, PFFT3D_ERR_UNAVAILABLE, PFFT3D_ERR_UNAVAILABLE, "layout cyclic", 1);
  }
  pfft3d_request r = line_request(&p, &line_forms[0], "auto", "auto", "auto");
  r.decision.order = PFFT3D_TRANSPOSED;
  line_refused(&r, PFFT3D_ERR_UNAVAILABLE, PFFT3D_ERR_UNAVAILABLE, "order transposed", 1);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  if (!(world_ranks & (world_ranks - 1))) must_meet(PFFT3D_METHODS); /* else no butterfly */
  test_lengths(argc > 1 ? atol(argv[1]) : 14);
  test_errors();
  return check_result();
}
