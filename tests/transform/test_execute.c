/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * What pfft3d_execute() promises besides its result: it allocates nothing, refuses bad arrays
 * before any communication, and its counters say what the dry run said. */
#include "planner/planner.h"

#include "allocations.h"

static long calls_seen(void) {
  return memory.count + memory.frees;
}

/* ---- statistics ---- */

/* The counters of this rank against the geometry of this rank, and their maxima against the dry
 * run's. */
static void check_stats(pfft3d_plan *plan, const pfft3d_request *r, int direction, int runs) {
  pfft3d_stats s, again;
  pfft3d_explanation x;
  pfft3d_error e;
  pf_geometry o;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pfft3d_request resolved = *r; /* a dry run has no nodes and might choose another grid */
  pf_error_clear(&e);
  pfft3d_plan_decision(plan, &resolved.decision);
  r = &resolved;
  CHECK(!pfft3d_plan_stats(plan, (pfft3d_direction)direction, 1, &s, sizeof s), "stats");
  CHECK(
      !pf_complete_geometry(r, ranks, rank, &o, &e) && !pfft3d_explain(r, ranks, &x, sizeof x, &e),
      "%s", e.text);
  const pf_message_count *m = &o.pipeline[direction].messages;
  CHECK(s.executions == runs, "%ld executions, not %d", s.executions, runs);
  CHECK(s.messages == runs * m->messages && s.bytes == runs * m->bytes,
        "%s direction %d: %g messages and %g bytes, not %g and %g each time", request_name(r),
        direction, s.messages, s.bytes, m->messages, m->bytes);
  CHECK(s.bytes_min == m->bytes_min && s.bytes_max == m->bytes_max,
        "%s direction %d: messages of %g to %g bytes, not %g to %g", request_name(r), direction,
        s.bytes_min, s.bytes_max, m->bytes_min, m->bytes_max);
  double sides = (double)o.side_bytes[0] + (double)o.side_bytes[1];
  CHECK(sides == 0 || fabs(s.passes * sides - o.pipeline[direction].traffic) <= 1e-9 * sides,
        "%s direction %d: %g bytes through memory, not %g", request_name(r), direction,
        s.passes * sides, o.pipeline[direction].traffic);
  CHECK(s.exchanges == x.exchanges, "%d exchanges, not %d", s.exchanges, x.exchanges);
  CHECK(s.total_s > 0 && s.fft_s >= 0 && s.post_s >= 0 && s.wait_s >= 0 &&
            fabs(s.fft_s + s.post_s + s.wait_s - s.total_s) <= 1e-9 * s.total_s + 1e-12,
        "times %g + %g + %g of %g", s.fft_s, s.post_s, s.wait_s, s.total_s);
  double mine[4] = {s.messages / runs, s.bytes / runs, s.bytes_max, s.passes}, all[4];
  MPI_Allreduce(mine, all, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (direction == PFFT3D_FORWARD) {
    CHECK(all[0] == x.messages && all[1] == x.bytes && all[2] == x.bytes_max,
          "%s: at most %g messages, %g bytes, %g each; the dry run says %g, %g, %g",
          request_name(r), all[0], all[1], all[2], x.messages, x.bytes, x.bytes_max);
    CHECK(fabs(all[3] - x.passes) <= 1e-9 * x.passes, "%s: %.12g passes, the dry run says %.12g",
          request_name(r), all[3], x.passes);
  }
  CHECK(!pfft3d_plan_stats(plan, (pfft3d_direction)direction, 0, &again, sizeof again), "stats");
  CHECK(again.executions == 0 && again.messages == 0 && again.bytes == 0 && again.total_s == 0,
        "the counters were not reset");
}

/* ---- refusals ---- */

static void test_refusals(pfft3d_plan *plan, const pfft3d_request *r, double *array,
                          double *other) {
  pfft3d_box box;
  pfft3d_stats s;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pfft3d_plan_box(plan, PFFT3D_SPACE, rank, &box);
  ptrdiff_t in = box_elements(&box);
  pfft3d_plan_box(plan, PFFT3D_SPECTRUM, rank, &box);
  ptrdiff_t out = box_elements(&box);
  if (in > 0 && out > 0) { /* each alone, on this rank alone: nobody waits for anybody */
    CHECK(pfft3d_execute(plan, PFFT3D_FORWARD, array, array + 1) == PFFT3D_ERR_USAGE, "by 8 bytes");
    CHECK(pfft3d_execute(plan, PFFT3D_FORWARD, array + 2 * out - 1, array) == PFFT3D_ERR_USAGE,
          "in starts in the last number of out");
    CHECK(pfft3d_execute(plan, PFFT3D_FORWARD, array, array + 2 * in - 1) == PFFT3D_ERR_USAGE,
          "out starts in the last number of in");
    CHECK(pfft3d_execute(plan, PFFT3D_BACKWARD, array, array + 2 * out - 1) == PFFT3D_ERR_USAGE,
          "backward: out starts in the last number of in");
  }
  if (in > 0) {
    CHECK(pfft3d_execute(plan, PFFT3D_FORWARD, NULL, other) == PFFT3D_ERR_USAGE, "no input");
    CHECK(pfft3d_execute(plan, PFFT3D_BACKWARD, other, NULL) == PFFT3D_ERR_USAGE, "no output");
  }
  if (out > 0) {
    CHECK(pfft3d_execute(plan, PFFT3D_FORWARD, other, NULL) == PFFT3D_ERR_USAGE, "no output");
    CHECK(pfft3d_execute(plan, PFFT3D_BACKWARD, NULL, other) == PFFT3D_ERR_USAGE, "no input");
  }
  CHECK(pfft3d_execute(plan, (pfft3d_direction)7, array, other) == PFFT3D_ERR_USAGE, "direction 7");
  CHECK(pfft3d_execute(NULL, PFFT3D_FORWARD, array, other) == PFFT3D_ERR_USAGE, "no plan");
  for (int a = 0; a < 3; a++) {
    const double one[64] = {0}, *factors[3] = {one, one, one};
    factors[a] = NULL;
    CHECK(pfft3d_execute_multiplier(plan, factors, array, other) == PFFT3D_ERR_USAGE,
          "no multiplier along axis %d", a);
  }
  CHECK(!pfft3d_plan_stats(plan, PFFT3D_FORWARD, 0, &s, sizeof s) && s.executions == 0,
        "%s: a refused call was counted", request_name(r));
  /* Arrays that touch do not overlap. */
  CHECK(!pfft3d_execute(plan, PFFT3D_FORWARD, array, array + 2 * in), "neighbours");
  CHECK(!pfft3d_plan_stats(plan, PFFT3D_FORWARD, 1, &s, sizeof s), "stats");
}

static void no_factors(void *context, const ptrdiff_t lo[3], const ptrdiff_t len[3],
                       double *factor) {
  (void)context, (void)lo;
  memset(factor, 0, (size_t)(len[0] * len[1] * len[2]) * sizeof *factor);
}

static void test_request(const pfft3d_request *r) {
  enum { RUNS = 3 };
  static const double zeros[64]; /* as many as the longest axis has points */
  static const double *const multiplier[3] = {zeros, zeros, zeros};
  long before = calls_seen();
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, r);
  CHECK(calls_seen() > before,
        "allocations of the library are not seen: was it linked with --wrap?");
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  size_t space = pfft3d_plan_elements(plan, PFFT3D_SPACE);
  size_t spectrum = pfft3d_plan_elements(plan, PFFT3D_SPECTRUM);
  double *array = calloc(2 * (space + spectrum) + 2, sizeof *array);
  double *other = calloc(2 * (space + spectrum) + 2, sizeof *other);
  test_refusals(plan, r, array, other);
  void *in, *apart; /* of the library: natural order over shared memory copies to any others */
  CHECK(!pfft3d_alloc(plan, &in, NULL) && !pfft3d_alloc(plan, &apart, NULL), "no arrays");
  for (int direction = 0; direction < 2; direction++) {
    before = calls_seen();
    for (int k = 0; k < RUNS; k++) {
      void *out = k == 1 ? in : apart;
      int status = !k || direction == PFFT3D_FORWARD
                       ? pfft3d_execute(plan, (pfft3d_direction)direction, in, out)
                   : k == 1 ? pfft3d_execute_multiplier(plan, multiplier, in, out)
                            : pfft3d_execute_factors(plan, no_factors, NULL, in, out);
      CHECK(!status, "%s: status %d", request_name(r), status);
    }
    CHECK(calls_seen() == before, "%s direction %d: %ld allocations in %d executions",
          request_name(r), direction, calls_seen() - before, RUNS);
    check_stats(plan, r, direction, RUNS);
  }
  pfft3d_free(plan, in);
  pfft3d_free(plan, apart);
  free(array);
  free(other);
  pfft3d_plan_destroy(&plan);
}

/* Arrays of the library serve both sides; parts of a transform can be timed. */
static void test_arrays(const ptrdiff_t n[3]) {
  pfft3d_request r = make_request(n, "auto", "auto", "auto", PFFT3D_NATURAL);
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  pfft3d_stats s;
  void *a, *b = NULL;
  double seconds = -1;
  CHECK(!pfft3d_alloc(plan, &a, NULL) && a && !pfft3d_alloc(plan, &b, NULL) && b, "no arrays");
  CHECK((uintptr_t)a % 64 == 0, "an array that is not aligned");
  size_t elements = pfft3d_plan_elements(plan, PFFT3D_SPACE);
  memset(a, 0, elements * 16);
  memset(b, 0, pfft3d_plan_elements(plan, PFFT3D_SPECTRUM) * 16);
  for (int direction = 0; direction < 2; direction++)
    for (int part = 0; part < 2; part++) {
      int status =
          pfft3d_plan_measure(plan, (pfft3d_direction)direction, (pfft3d_part)part, a, b, &seconds);
      CHECK(!status && seconds >= 0, "direction %d part %d: status %d", direction, part, status);
    }
  CHECK(!pfft3d_plan_stats(plan, PFFT3D_FORWARD, 0, &s, sizeof s) && s.executions == 0,
        "measuring a part was counted as an execution");
  CHECK(!pfft3d_execute(plan, PFFT3D_FORWARD, a, b), "after measuring");
  pfft3d_free(plan, a);
  pfft3d_free(plan, b);
  pfft3d_free(plan, NULL);
  pfft3d_plan_destroy(&plan);
}

/* Lines allocate nothing either, in one plan or in several. */
static void test_line(ptrdiff_t length, const char *algo, int form) {
  enum { RUNS = 3 };
  const ptrdiff_t n[3] = {1, 1, length};
  pfft3d_request r = make_request(n, "auto", algo, "auto", (pfft3d_order)(form % 2));
  r.problem.dims = 1;
  r.layout[0] = (pfft3d_distribution)(form / 2 % 2);
  r.layout[1] = (pfft3d_distribution)(form / 4 % 2);
  r.problem.kind = (pfft3d_kind)(form / 8 % 2);
  pfft3d_plan *plan = make_plan(MPI_COMM_WORLD, &r);
  void *a, *b;
  CHECK(!pfft3d_alloc(plan, &a, NULL) && !pfft3d_alloc(plan, &b, NULL), "no arrays");
  memset(a, 0, pfft3d_plan_bytes(plan));
  long before = calls_seen();
  for (int k = 0; k < 2 * RUNS; k++)
    CHECK(!pfft3d_execute(plan, (pfft3d_direction)(k % 2), a, k / 2 ? b : a), "%s",
          request_name(&r));
  CHECK(calls_seen() == before, "%s: %ld allocations in %d executions", request_name(&r),
        calls_seen() - before, 2 * RUNS);
  const double one = 1, *factors[3] = {&one, &one, &one};
  CHECK(pfft3d_execute_multiplier(plan, factors, a, b) == PFFT3D_ERR_USAGE,
        "a line with a multiplier");
  pfft3d_free(plan, a);
  pfft3d_free(plan, b);
  pfft3d_plan_destroy(&plan);
}

static void test_names(const ptrdiff_t n[3], const char *scheme, const char *algo, int order) {
  pfft3d_request r = make_request(n, scheme, algo, "auto", (pfft3d_order)order);
  test_request(&r);
}

/* All exchanges, or some of them in turn. */
static void test_grid(const ptrdiff_t n[3], int all) {
  FOR_LIST(PFFT3D_SCHEMES, scheme)
  for (int order = 0; order < 2; order++) {
    if (all)
      FOR_LIST(PFFT3D_EXCHANGES, algo) test_names(n, scheme, algo, order);
    else
      FOR_SHARE(PFFT3D_EXCHANGES, algo) test_names(n, scheme, algo, order);
  }
  test_arrays(n);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const ptrdiff_t grid[][3] = {
      {12, 24, 10}, {13, 7, 11}, {2, 9, 4}, {1, 1, 5}, {48, 36, 32}};
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++) test_grid(grid[k], k == 0);
  for (int form = 0; form < 16; form++) {
    FOR_SHARE(PFFT3D_EXCHANGES, algo) test_line(48, algo, form);
    FOR_SHARE(PFFT3D_EXCHANGES, algo) test_line(521, algo, form);
  }
  return check_result();
}
