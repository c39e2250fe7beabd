/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Kept modes: forward transforms are cut out of the whole spectrum, backward ones are those of the
 * spectrum filled up with zeros, for all kinds of axes, decompositions, exchanges and engines, with
 * odd and even numbers of modes, all of them and only one; and dropped modes are not sent. */
#include "kinds.h"
#include "trial.h"

enum { BY_DEFINITION = 4000 }; /* elements up to which engine naive is quick enough */

static MPI_Comm comm;
static int ranks;

static void test_request(const pfft3d_request *wish, const oracle *o, uint64_t turn) {
  pfft3d_request r = *wish;
  if (!trial_possible(&r, ranks)) return;
  r.deterministic = turn % 2 == 0;
  r.wire = turn % 7 == 0 ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
  r.threads = strcmp(pfft3d_build("openmp"), "no") ? 1 + (int)(turn / 2 % 2) : 1;
  r.scale[PFFT3D_FORWARD] = turn / 4 % 2 ? 1 : 0.3;
  oracle near = *o;
  if (r.wire == PFFT3D_SINGLE) near.limit = oracle_limit(&o->problem, PFFT3D_SINGLE);
  trial t = trial_make(comm, &r, &near);
  for (int direction = 0; direction < 2; direction++) {
    trial_run(&t, direction, APART, (int)(turn / 8 % 4));
    trial_run(&t, direction, (trial_how)(1 + turn / 32 % 3), 0);
  }
  trial_weigh(&t);
  t.ran[PFFT3D_BACKWARD] = 0; /* the product may be rounded together with a sum */
  trial_run(&t, PFFT3D_BACKWARD, APART, 0);
  trial_free(&t);
}

/* All cuts and orders of one problem; exchanges and engines take turns. */
static void test_problem(const pfft3d_problem *p, uint64_t *counter) {
  cut list[CUTS];
  int cuts = list_cuts(ranks, list);
  oracle o;
  oracle_make(MPI_COMM_WORLD, &o, p, *counter);
  for (int c = 0; c < cuts; c++)
    for (int order = 0; order < 2; order++) FOR_SHARE(PFFT3D_EXCHANGES, algo)
  FOR_SHARE(PFFT3D_ENGINES, engine) {
    uint64_t turn = mix(++*counter);
    int large = o.elements[0] > BY_DEFINITION;
    if (turn % (large ? 6 : 2) || (large && !strcmp(engine, "naive"))) continue;
    pfft3d_request r = cut_request(p, &list[c], algo, engine, order);
    test_request(&r, &o, turn / 12);
  }
  oracle_free(&o);
}

/* Sizes, the modes kept of them, and kinds of their axes. */
typedef struct shape {
  ptrdiff_t n[3], keep[3];
  pfft3d_axis_kind axis[3];
} shape;

static const shape shapes[] = {
    {{12, 10, 16}, {8, 6, 10}, {PFFT3D_DFT, PFFT3D_DFT, PFFT3D_DFT}},
    {{9, 11, 13}, {5, 8, 6}, {PFFT3D_DFT, PFFT3D_DFT, PFFT3D_DFT}},
    {{8, 6, 10}, {8, 1, 10}, {PFFT3D_DFT, PFFT3D_DFT, PFFT3D_DFT}},
    {{7, 24, 20}, {1, 17, 1}, {PFFT3D_DFT, PFFT3D_DFT, PFFT3D_DFT}},
    {{1, 12, 18}, {1, 8, 12}, {PFFT3D_DFT, PFFT3D_DFT, PFFT3D_DFT}},
    {{6, 1, 9}, {4, 1, 5}, {PFFT3D_DFT, PFFT3D_DFT, PFFT3D_DFT}},
    {{34, 19, 67}, {20, 13, 44}, {PFFT3D_DFT, PFFT3D_DFT, PFFT3D_DFT}}, /* convolutions */
    {{8, 9, 12}, {5, 9, 8}, {PFFT3D_DCT2, PFFT3D_NONE, PFFT3D_DFT}},
    {{10, 8, 14}, {7, 5, 9}, {PFFT3D_DST1, PFFT3D_DCT1, PFFT3D_DST4}},
    {{6, 12, 10}, {4, 7, 10}, {PFFT3D_DFT, PFFT3D_DCT3, PFFT3D_NONE}},
    {{40, 32, 96}, {26, 21, 64}, {PFFT3D_DFT, PFFT3D_DFT, PFFT3D_DFT}}, /* beyond the caches */
};

static void test_shapes(uint64_t *counter) {
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    for (int kind = 0; kind < 2; kind++) {
      pfft3d_problem p = {.kind = (pfft3d_kind)kind,
                          .precision = (pfft3d_precision)((k + (size_t)kind) % 2),
                          .batch = k % 3 == 1 ? 3 : 1};
      memcpy(p.n, shapes[k].n, sizeof p.n);
      memcpy(p.keep, shapes[k].keep, sizeof p.keep);
      memcpy(p.axis, shapes[k].axis, sizeof p.axis);
      p.sign = !kind && k % 2 ? 1 : 0; /* the sign of exponents has to do with no route */
      test_problem(&p, counter);
    }
}

/* Bytes that all ranks send in one direction, summed. */
static double bytes_sent(const pfft3d_request *r, pfft3d_direction direction) {
  pfft3d_plan *plan = make_plan(comm, r);
  pfft3d_stats s;
  double all;
  void *array = NULL;
  CHECK(!pfft3d_alloc(plan, &array, NULL), "no array");
  memset(array, 0, pfft3d_plan_bytes(plan));
  pfft3d_execute(plan, direction, array, array);
  pfft3d_plan_stats(plan, direction, 0, &s, sizeof s);
  MPI_Allreduce(&s.bytes, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  pfft3d_plan_destroy(&plan);
  return all;
}

/* On 2 ranks, each sends half of what it holds; on a grid of 2 x 2, at every exchange.  `parts` are
 * the axes that have been cut before each exchange, of three, and those that have not grown. */
static void test_bytes(void) {
  static const struct {
    const char *scheme;
    int ranks, grid[2];
    pfft3d_order order;
    int cut[2][4]; /* by direction and exchange: axes that have 2/3 of their points; -1: none */
  } way[] = {
      {"slab", 2, {0, 0}, PFFT3D_TRANSPOSED, {{2, -1, -1, -1}, {2, -1, -1, -1}}},
      {"slab", 2, {0, 0}, PFFT3D_NATURAL, {{2, 3, -1, -1}, {3, 2, -1, -1}}},
      {"pencil", 2, {1, 2}, PFFT3D_TRANSPOSED, {{2, -1, -1, -1}, {2, -1, -1, -1}}},
      {"pencil", 2, {1, 2}, PFFT3D_NATURAL, {{2, 3, -1, -1}, {3, 2, -1, -1}}},
      {"pencil", 4, {2, 2}, PFFT3D_TRANSPOSED, {{1, 2, -1, -1}, {2, 1, -1, -1}}},
      {"pencil", 4, {2, 2}, PFFT3D_NATURAL, {{1, 2, 3, 3}, {3, 3, 2, 1}}},
  };
  pfft3d_problem p = {.n = {24, 24, 24}, .keep = {16, 16, 16}};
  for (size_t k = 0; k < sizeof way / sizeof *way; k++)
    for (int direction = 0; direction < 2; direction++) FOR_SHARE(PFFT3D_EXCHANGES, algo) {
        if (way[k].ranks != ranks || !strcmp(algo, "shared")) continue;
        pfft3d_request r = make_request(p.n, way[k].scheme, algo, "auto", way[k].order);
        r.problem = p;
        r.node_ranks = 1;
        memcpy(r.decision.grid, way[k].grid, sizeof r.decision.grid);
        double want = 0, whole = 24 * 24 * 24 * 16 / 2;
        for (int x = 0; x < 4; x++)
          if (way[k].cut[direction][x] >= 0) want += whole * pow(2 / 3.0, way[k].cut[direction][x]);
        double have = bytes_sent(&r, (pfft3d_direction)direction);
        CHECK(fabs(have - want) < 1, "%s direction %d: %g bytes are sent, not %g", request_name(&r),
              direction, have, want);
      }
}

int main(int argc, char **argv) {
  uint64_t counter = 0;
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  comm = MPI_COMM_WORLD;
  MPI_Comm_size(comm, &ranks);
  must_meet(PFFT3D_EXCHANGES);
  must_meet(PFFT3D_ENGINES);
  must_meet(PFFT3D_SCHEMES);
  test_shapes(&counter);
  test_bytes();
  return check_result();
}
