/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The planner: costs against formulas worked out by hand, the choice against the costs; and that
 * all ranks choose alike, with and without a clock. */
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "planner/planner.h"
#include "planner/timed.h"
#include "support.h"

static int rank, ranks;

/* Shared memory of the library, refused where a process has too many files. */
static int refuse_memory;
int memfd_create(const char *name, unsigned flags);
int memfd_create(const char *name, unsigned flags) {
  if (!refuse_memory) return (int)syscall(SYS_memfd_create, name, flags);
  errno = EMFILE;
  return -1;
}

static int near(double a, double b) {
  return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* Hockney's: nothing overlaps, ranks are nodes, and computing costs nothing to speak of. */
static pfft3d_machine plain(double a, double rate) {
  return (pfft3d_machine){.node_ranks = 1,
                          .start = {a, a},
                          .bandwidth = {rate, rate},
                          .memory = 1e18,
                          .flops = 1e18,
                          .taper = 1};
}

/* (P-1) (a + V/P b) for slabs, and twice that on a grid; slabs win exactly where V/P > a/b. */
static void test_crossover(void) {
  static const ptrdiff_t size[] = {64, 128, 256, 512, 1024};
  static const int square[] = {4, 8, 16, 32};
  const double a = 20e-6, rate = 1.25e9;
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 4; k++) {
      ptrdiff_t n = size[i], c = square[k], p = c * c;
      if (p > n) continue; /* or ranks would be idle */
      ptrdiff_t cube[3] = {n, n, n};
      double v = 16.0 * (double)n * (double)n * (double)n / (double)p;
      double slab = (double)(p - 1) * (a + v / (double)p / rate);
      double grid = 2 * (double)(c - 1) * (a + v / (double)c / rate);
      pfft3d_request r = make_request(cube, "slab", "packed", "fftw", PFFT3D_TRANSPOSED);
      r.machine = plain(a, rate);
      CHECK(near(explained(&r, (int)p).exchange_seconds, slab), "slabs: %g, not %g",
            explained(&r, (int)p).exchange_seconds, slab);
      strcpy(r.decision.scheme, "pencil");
      r.decision.grid[0] = r.decision.grid[1] = (int)c;
      CHECK(near(explained(&r, (int)p).exchange_seconds, grid), "pencils: %g, not %g",
            explained(&r, (int)p).exchange_seconds, grid);
      strcpy(r.decision.scheme, "auto");
      r.decision.grid[0] = r.decision.grid[1] = 0;
      pfft3d_explanation x = explained(&r, (int)p);
      double ratio = v / (double)p / (a * rate);
      CHECK((strcmp(x.decision.scheme, "slab") == 0) == (ratio > 1),
            "%td^3 on %td: V/P is %.3g a/b, and the choice %s", n, p, ratio, x.decision.scheme);
      CHECK(x.exchange_seconds <= fmin(slab, grid) * (1 + 1e-9) && x.reason[0],
            "%td^3 on %td: %g chosen, slabs %g, pencils %g: %s", n, p, x.exchange_seconds, slab,
            grid, x.reason);
    }
}

/* Bytes that travel while the rank computes cost nothing; starts do.  A node's ranks share its
 * link, and what stays inside does not use it. */
static void test_parts(void) {
  ptrdiff_t cube[3] = {64, 64, 64};
  const int p = 16;
  pfft3d_request r = make_request(cube, "slab", "packed", "fftw", PFFT3D_TRANSPOSED);
  r.machine = plain(1e-6, 1e9);
  double v = 16.0 * 64 * 64 * 64 / p;
  r.machine.flops = 1e9;
  double flops = 5 * v / 16 * 6 * 3, ahead = explained(&r, p).pass_seconds;
  CHECK(ahead > flops / 1e9 && ahead < flops / 1e9 + 1e-6, "%g seconds of passes", ahead);
  strcpy(r.decision.algo, "slabs");
  double alone = explained(&r, p).seconds;
  r.machine.overlap[1] = 1;
  pfft3d_explanation x = explained(&r, p);
  CHECK(x.seconds < alone && x.seconds > x.pass_seconds + x.messages * 1e-6 * 0.999,
        "%g of %g seconds with overlap", x.seconds, alone);
  strcpy(r.decision.algo, "packed");
  x = explained(&r, p);
  CHECK(near(x.seconds, x.pass_seconds + x.exchange_seconds), "packed overlaps nothing");
  r.node_ranks = 4;
  r.machine.start[0] = r.machine.start[1] = 0;
  x = explained(&r, p); /* 12 of 15 partners are elsewhere, through a quarter of a link */
  CHECK(near(x.exchange_seconds, 12 * v / p / (1e9 / 4) + 3 * v / p / 1e9 * 1), "%g seconds",
        x.exchange_seconds);
}

/* Ranks of a node take its messages to other nodes in turn: where nothing else costs anything, the
 * exchanges of both axes cost as many starts as the rank with most of them has.  A row or a column
 * of a grid is on that many nodes, at most; rows of `columns` ranks may begin within a node. */
static void test_turns(void) {
  static const struct {
    int grid[2], node, rows, columns; /* nodes of an exchange along either axis */
  } with[] = {{{4, 4}, 1, 4, 4}, {{3, 5}, 2, 3, 3}, {{2, 8}, 4, 2, 2}, {{2, 7}, 1, 2, 7}};
  ptrdiff_t cube[3] = {64, 64, 64};
  for (size_t k = 0; k < sizeof with / sizeof *with; k++) {
    pfft3d_request r = make_request(cube, "pencil", "node", "fftw", PFFT3D_TRANSPOSED);
    memcpy(r.decision.grid, with[k].grid, sizeof with[k].grid);
    r.machine = plain(0, 1e18);
    r.machine.start[1] = 1;
    r.node_ranks = with[k].node;
    double want = ceil((double)(with[k].rows - 1) / with[k].node) +
                  ceil((double)(with[k].columns - 1) / with[k].node);
    double starts = explained(&r, with[k].grid[0] * with[k].grid[1]).exchange_seconds;
    CHECK(near(starts, want), "%d x %d, nodes of %d: %g starts, not %g", with[k].grid[0],
          with[k].grid[1], with[k].node, starts, want);
  }
}

/* The busiest node, against counting all pairs of ranks. */
static void test_outside(void) {
  for (int rows = 1; rows <= 9; rows++)
    for (int columns = 1; columns <= 9; columns++)
      for (int node = 1; node <= rows * columns + 1; node++)
        for (int dim = 0; dim < 2; dim++) {
          int all = rows * columns, size = dim ? columns : rows, most = 0;
          pf_node_map m = {.ranks = all, .node = node, .grid = {rows, columns}, .dim = dim};
          for (int begin = 0; begin < all; begin += node) {
            int sum = 0, end = begin + node;
            for (int a = begin; a < end && a < all; a++)
              for (int b = 0; b < all; b++)
                sum += (dim ? a / columns == b / columns : a % columns == b % columns) &&
                       (b < begin || b >= end);
            if (sum > most) most = sum;
          }
          int each = node < all ? node : all;
          double want = size > 1 ? (double)most / (each * (size - 1)) : 0;
          CHECK(near(pf_node_map_outside(&m), want), "%dx%d, %d on a node, dim %d: %g, not %g",
                rows, columns, node, dim, pf_node_map_outside(&m), want);
        }
}

/* Nodes that meet on paths share them: never on one node, the more the more nodes, and nearly not
 * where there are many paths.  Two nodes on one path always meet. */
static void test_paths(void) {
  ptrdiff_t cube[3] = {64, 64, 64};
  pfft3d_request r = make_request(cube, "slab", "packed", "fftw", PFFT3D_TRANSPOSED);
  r.machine = plain(0, 1e9);
  double last = 1;
  for (int p = 2; p <= 64; p *= 2) {
    r.machine.paths = 0;
    double alone = explained(&r, p).exchange_seconds;
    r.machine.paths = 1e7;
    CHECK(explained(&r, p).exchange_seconds < 1.01 * alone, "%d nodes meet on 1e7 paths", p);
    r.machine.paths = 64;
    double factor = explained(&r, p).exchange_seconds / alone;
    CHECK(factor >= last && factor < 8, "%d nodes on 64 paths: %g, %g before", p, factor, last);
    last = factor;
  }
  CHECK(fabs(last - 4.3739) < 1e-3, "64 balls in each of two rows of 64 bins: %g in the fullest",
        last);
  r.node_ranks = 64;
  r.machine.paths = 1;
  double one = explained(&r, 64).exchange_seconds;
  r.machine.paths = 0;
  CHECK(near(one, explained(&r, 64).exchange_seconds), "a node meets itself");
}

/* The fullest of two rows of bins, by the sum over all numbers of balls in one. */
static double fullest(int balls, double bins) {
  long double each = balls / (long double)bins, term = expl(-each), below = term, mean = 0;
  for (int m = 1; m <= balls; m++) {
    mean += 1 - powl(below, 2 * (long double)bins);
    term *= each / m;
    below += term;
  }
  return fmax((double)mean, 1);
}

/* The same sum for any number of nodes on few and on many paths, also where the share of empty
 * paths is too small for a number; and growing with them, in no time. */
static void test_many_nodes(void) {
  static const int nodes[] = {2, 40, 700, 5000, 10000};
  static const double paths[] = {1, 3, 50, 1e4, 1e9};
  ptrdiff_t cube[3] = {64, 64, 64};
  pfft3d_request r = make_request(cube, "slab", "packed", "fftw", PFFT3D_TRANSPOSED);
  r.machine = plain(0, 1e9);
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 5; k++) {
      r.machine.paths = 0;
      double alone = explained(&r, nodes[i]).exchange_seconds;
      r.machine.paths = paths[k];
      double factor = explained(&r, nodes[i]).exchange_seconds / alone;
      double want = fullest(nodes[i], paths[k]);
      CHECK(fabs(factor / want - 1) < 1e-4, "%d nodes on %g paths: %.8g, not %.8g", nodes[i],
            paths[k], factor, want);
    }
  r.machine.paths = 100;
  double less = explained(&r, 74500).exchange_seconds, more = explained(&r, 74600).exchange_seconds;
  CHECK(more > less && more < 1.01 * less, "74600 nodes on 100 paths: %g s, 74500: %g s", more,
        less);
  r.machine.paths = 1;
  r.problem.n[0] = 1 << 24;
  clock_t before = clock();
  double all = explained(&r, 1 << 24).exchange_seconds;
  r.machine.paths = 0;
  double factor = all / explained(&r, 1 << 24).exchange_seconds / (1 << 24);
  CHECK(fabs(factor - 1) < 1e-3, "%d nodes on one path: %g times their number", 1 << 24, factor);
  CHECK(clock() - before < CLOCKS_PER_SEC, "it took %g s",
        (double)(clock() - before) / CLOCKS_PER_SEC);
}

/* What fits the caches is read at their rate, what is twice as large from memory, and between them
 * times between. */
static void test_caches(void) {
  ptrdiff_t cube[3] = {16, 16, 16};
  pfft3d_request r = make_request(cube, "slab", "packed", "fftw", PFFT3D_TRANSPOSED);
  const double both = 2 * 16.0 * 16 * 16 * 16;
  r.machine = plain(0, 1e18);
  r.machine.memory = 1e9;
  double far = explained(&r, 1).pass_seconds;
  r.machine.cached = 10e9;
  CHECK(near(explained(&r, 1).pass_seconds, far), "caches of no size are used");
  static const double size[] = {3, 1, 0.75, 0.5, 0.25}, share[] = {0.1, 0.1, 0.4, 1, 1};
  for (int k = 0; k < 5; k++) {
    r.machine.cache = size[k] * both;
    double now = explained(&r, 1).pass_seconds / far;
    CHECK(fabs(now - share[k]) < 1e-6, "arrays of %g caches: %g of the time, not %g", 1 / size[k],
          now, share[k]);
  }
}

/* Equal but for the time of the arithmetic. */
static int alike(double a, double b) {
  return fabs(a - b) <= 1e-6 * fabs(b);
}

/* The ranks that are on a node share its memory: one has what it can use alone, half a node twice
 * as much each, a full node and several of them what the description says of them. */
static void test_few_on_node(void) {
  static const int on[] = {1, 2, 4, 8, 16, 32};
  static const double rate[] = {7, 7, 4, 2, 1, 1};
  ptrdiff_t cube[3] = {64, 64, 64};
  pfft3d_request r = make_request(cube, "slab", "packed", "fftw", PFFT3D_TRANSPOSED);
  r.machine = plain(0, 1e9);
  r.machine.node_ranks = 16;
  r.machine.memory = 1e9;
  for (int k = 0; k < 6; k++) {
    r.machine.alone = 0;
    pfft3d_explanation full = explained(&r, on[k]);
    r.machine.alone = 7e9;
    pfft3d_explanation now = explained(&r, on[k]);
    CHECK(alike(full.pass_seconds, rate[k] * now.pass_seconds), "%d ranks: %g s for %g s", on[k],
          now.pass_seconds, full.pass_seconds);
    double gain = on[k] > 16 ? 1 : rate[k];
    CHECK(alike(full.exchange_seconds, gain * now.exchange_seconds), "%d ranks: %g s for %g s",
          on[k], now.exchange_seconds, full.exchange_seconds);
  }
  r.node_ranks = 2; /* two on each node, of three threads: together they use the node's */
  r.threads = 3;
  pfft3d_explanation now = explained(&r, 8);
  r.machine.memory = 8e9;
  r.machine.alone = 0;
  CHECK(alike(now.pass_seconds, explained(&r, 8).pass_seconds), "%g s", now.pass_seconds);
  r.machine.alone = 1e9; /* slower than a full node is no figure */
  CHECK(alike(now.pass_seconds, explained(&r, 8).pass_seconds), "%g s", now.pass_seconds);
}

/* Plans follow the model of the machine in the request. */
static void test_choice(void) {
  ptrdiff_t n[3] = {16, 12, 10};
  pfft3d_decision d;
  pfft3d_plan *plan;
  pfft3d_error e;
  for (int k = 0; k < 4; k++) {
    pfft3d_request r = make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
    r.node_ranks = 1; /* each a node by itself */
    r.machine.start[1] = k % 2 ? 1e-2 : 1e-9;
    r.machine.overlap[1] = k / 2;
    static pfft3d_candidate list[1024];
    int count = pfft3d_candidates(&r, ranks, list, 1024);
    CHECK(!pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, &e), "%s", e.text);
    pfft3d_plan_decision(plan, &d);
    CHECK(count > 0 && !strcmp(d.algo, list[0].decision.algo) &&
              !strcmp(d.scheme, list[0].decision.scheme),
          "%s %s, not %s %s", d.scheme, d.algo, list[0].decision.scheme, list[0].decision.algo);
    const char *why = pfft3d_plan_reason(plan);
    CHECK(!strncmp(why, "model: ", 7) && !!strstr(why, "the only candidate") == (count == 1),
          "of %d: %s", count, why);
    pfft3d_plan_destroy(&plan);
    if (ranks >= 4 && k == 1)
      CHECK(strcmp(d.algo, "pencils") != 0, "dear messages, and %s", d.algo);
  }
  pfft3d_request r = make_request(n, "slab", "packed", "auto", PFFT3D_TRANSPOSED);
  CHECK(!pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, &e), "%s", e.text);
  CHECK(!pfft3d_plan_reason(plan)[0], "nothing was open, and yet: %s", pfft3d_plan_reason(plan));
  pfft3d_plan_destroy(&plan);
}

/* The figures of a machine are those of all ranks, and stay with a communicator. */
static void test_probe(void) {
  pfft3d_machine m[3] = {{.name = ""}};
  pfft3d_error e;
  MPI_Comm again;
  CHECK(!pfft3d_machine_measure(MPI_COMM_WORLD, &m[0], &e), "%s", e.text);
  CHECK(!pfft3d_machine_measure(MPI_COMM_WORLD, &m[1], &e), "%s", e.text);
  MPI_Comm_dup(MPI_COMM_WORLD, &again);
  CHECK(!pfft3d_machine_measure(again, &m[2], &e), "%s", e.text);
  MPI_Comm_free(&again);
  for (int k = 0; k < 3; k++) {
    pfft3d_machine root = m[k];
    MPI_Bcast(&root, (int)sizeof root, MPI_BYTE, 0, MPI_COMM_WORLD);
    CHECK(!memcmp(&root, &m[k], sizeof root), "ranks know unlike figures");
    CHECK(m[k].memory == m[0].memory && m[k].start[0] == m[0].start[0], "measured again");
    CHECK(m[k].memory > 0 && m[k].flops > 0, "memory %g, flops %g", m[k].memory, m[k].flops);
    CHECK(ranks == 1 || (m[k].start[0] > 0 && m[k].bandwidth[0] > 0), "start %g, bandwidth %g",
          m[k].start[0], m[k].bandwidth[0]);
  }
  pfft3d_machine known = plain(1, 2);
  CHECK(!pfft3d_machine_measure(MPI_COMM_WORLD, &known, &e), "%s", e.text);
  CHECK(known.start[1] == 1 && known.bandwidth[0] == 2, "what was given is gone");
}

/* Candidates on the clock: the list is sorted by it, and the plan takes a measured one. */
static void test_clock(void) {
  ptrdiff_t n[3] = {16, 12, 10};
  pfft3d_candidate list[6];
  pfft3d_plan *plan;
  pfft3d_error e;
  pfft3d_request r = make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  r.node_ranks = 1;
  int count = pfft3d_candidates(&r, ranks, list, 6);
  if (count > 6) count = 6;
  CHECK(!pfft3d_tune(MPI_COMM_WORLD, &r, list, count, 3, 1e9, &e), "%s", e.text);
  for (int i = 0; i < count; i++) {
    CHECK(list[i].measured > 0 && list[i].repeats == 3, "%d: %g in %d repeats", i, list[i].measured,
          list[i].repeats);
    CHECK(!i || list[i].measured >= list[i - 1].measured, "not sorted");
    double root = list[i].measured;
    MPI_Bcast(&root, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    CHECK(root == list[i].measured, "ranks measured unlike times");
  }
  CHECK(!pfft3d_tune(MPI_COMM_WORLD, &r, list, count, 3, 0, &e), "%s", e.text);
  CHECK(list[0].measured > 0, "without time, one is measured all the same");
  for (int k = 0; k < 2 && ranks > 1; k++) { /* the last rank has a shorter list, or more time */
    int unlike = rank == ranks - 1;
    int status =
        pfft3d_tune(MPI_COMM_WORLD, &r, list, count - (unlike && !k), 3 + (unlike && k), 1e9, &e);
    CHECK(status == PFFT3D_ERR_INTERNAL && strstr(e.text, "disagree"), "%d: %d: %s", k, status,
          e.text);
  }
  r.plan_budget = 0.2;
  CHECK(!pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, &e), "%s", e.text);
  const char *why = pfft3d_plan_reason(plan);
  CHECK(!strncmp(why, "timed: ", 7) || !strncmp(why, "model: ", 7), "%s", why);
  pfft3d_plan_destroy(&plan);
}

/* What was timed is taken again, also by duplicates, without a clock; others are timed on their
 * own. */
static void test_timed_before(void) {
  ptrdiff_t n[3] = {18, 12, 10};
  pfft3d_decision d[3];
  pfft3d_plan *plan;
  pfft3d_error e;
  MPI_Comm comm[3];
  pfft3d_request r = make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  r.node_ranks = 1;
  r.plan_budget = 1e9;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm[0]);
  for (int k = 0; k < 3; k++) {
    comm[k] = comm[0];
    if (k == 2) MPI_Comm_dup(comm[0], &comm[2]);
    CHECK(!pfft3d_plan_create(comm[k], &r, &plan, &e), "%s", e.text);
    pfft3d_plan_decision(plan, &d[k]);
    const char *why = pfft3d_plan_reason(plan);
    CHECK(ranks == 1 || pfft3d_plan_decided_by(plan) == PFFT3D_BY_TIMING, "not timed: %s", why);
    CHECK(ranks == 1 || !strncmp(why, k ? "timed before: " : "timed: ", k ? 14 : 7), "%d: %s", k,
          why);
    CHECK(!strcmp(d[k].algo, d[0].algo) && !strcmp(d[k].scheme, d[0].scheme), "%s, not %s",
          d[k].algo, d[0].algo);
    pfft3d_plan_destroy(&plan);
  }
  r.problem.n[2]++;
  CHECK(!pfft3d_plan_create(comm[0], &r, &plan, &e), "%s", e.text);
  CHECK(strncmp(pfft3d_plan_reason(plan), "timed before", 12) != 0, "of another size: %s",
        pfft3d_plan_reason(plan));
  pfft3d_plan_destroy(&plan);
  r.problem.n[2]--;
  r.plan_budget = 0;
  CHECK(!pfft3d_plan_create(comm[0], &r, &plan, &e), "%s", e.text);
  CHECK(!strncmp(pfft3d_plan_reason(plan), "model: ", 7), "no budget: %s",
        pfft3d_plan_reason(plan));
  pfft3d_plan_destroy(&plan);
  MPI_Comm_free(&comm[2]);
  MPI_Comm_free(&comm[0]);
}

/* Stores that were the fastest, and for which there is no memory any more: others are planned. */
static void test_refused_stores(void) {
  ptrdiff_t n[3] = {32, 32, 32};
  pfft3d_candidate best = {.measured = 1e-9};
  pfft3d_plan *plan;
  pfft3d_error e;
  MPI_Comm comm;
  pfft3d_request r = make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  r.node_ranks = 2;
  r.plan_budget = 5;
  best.decision = make_request(n, "slab", "packed", "simd", PFFT3D_TRANSPOSED).decision;
  best.decision.local = PFFT3D_LOCAL_STORES;
  if (ranks < 4 || ranks % 2) return;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (rank == 0) pf_timed_keep(comm, &r, ranks, &best);
  for (refuse_memory = 0; refuse_memory < 2; refuse_memory++) {
    CHECK(!pfft3d_plan_create(comm, &r, &plan, &e), "%s", e.text);
    CHECK(refuse_memory == (strncmp(pfft3d_plan_reason(plan), "timed before", 12) != 0), "%d: %s",
          refuse_memory, pfft3d_plan_reason(plan));
    pfft3d_plan_destroy(&plan);
  }
  refuse_memory = 0;
  MPI_Comm_free(&comm);
}

/* A budget that is too short for two candidates is not begun. */
static void test_short_budget(void) {
  ptrdiff_t n[3] = {64, 12, 10};
  pfft3d_plan *plan;
  pfft3d_error e;
  pfft3d_request r = make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  r.node_ranks = 1;
  r.plan_budget = 1e-9;
  CHECK(!pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, &e), "%s", e.text);
  CHECK(!strncmp(pfft3d_plan_reason(plan), "model: ", 7), "%s", pfft3d_plan_reason(plan));
  pfft3d_plan_destroy(&plan);
}

/* Ranks whose decisions differ all get an error. */
static void test_hash(void) {
  pfft3d_error e;
  pf_error_clear(&e);
  CHECK(!pf_agree_hash(MPI_COMM_WORLD, 77, "it", &e), "the same number: %s", e.text);
  CHECK(!pf_agree_hash(MPI_COMM_WORLD, 0, "it", &e), "and 0: %s", e.text);
  int status = pf_agree_hash(MPI_COMM_WORLD, rank == ranks - 1 ? 78 : 77, "it", &e);
  CHECK(status == (ranks > 1 ? PFFT3D_ERR_INTERNAL : 0), "unlike numbers: status %d", status);
}

static void test_errors(void) {
  ptrdiff_t n[3] = {4, 4, 4};
  pfft3d_explanation x;
  pfft3d_error e;
  pfft3d_request r = make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  r.machine.overlap[1] = 1.5;
  CHECK(pfft3d_explain(&r, 4, &x, sizeof x, &e) == PFFT3D_ERR_USAGE && strstr(e.text, "overlap"),
        "%s", e.text);
  r = make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
  r.plan_budget = -1;
  CHECK(pfft3d_explain(&r, 4, &x, sizeof x, &e) == PFFT3D_ERR_USAGE && strstr(e.text, "budget"),
        "%s", e.text);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  test_choice();
  test_probe();
  test_clock();
  test_timed_before();
  test_refused_stores();
  test_short_budget();
  test_hash();
  if (rank == 0) {
    test_crossover();
    test_parts();
    test_turns();
    test_outside();
    test_paths();
    test_many_nodes();
    test_caches();
    test_few_on_node();
    test_errors();
  }
  return check_result();
}
