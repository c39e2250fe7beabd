/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The family of transforms: both kinds, both precisions, slabs and pencils on every grid of ranks,
 * every exchange, engine and order, forward and backward, in place and out of place, against the
 * definition.  The full product on one grid; on the others engines and precisions take turns. */
#include "trial.h"

static int ranks;

/* One request through both directions.  `turn` varies what is not worth a loop. */
static void test_request(const pfft3d_request *wish, const oracle *o, uint64_t turn) {
  pfft3d_request r = *wish;
  pfft3d_decision d;
  if (!trial_possible(&r, ranks)) return;
  r.deterministic = turn % 2 == 0;
  r.scale[PFFT3D_FORWARD] = turn / 2 % 2 ? 1 : 0.3;
  r.scale[PFFT3D_BACKWARD] = turn / 4 % 2 ? 1 : -1.7;
  trial t = trial_make(MPI_COMM_WORLD, &r, o);
  pfft3d_plan_decision(t.plan, &d);
  int row = r.problem.n[0] == 1, slab = !strcmp(r.decision.scheme, "slab");
  int p1 = slab ? (row ? 1 : ranks) : r.decision.grid[0];
  int p2 = slab ? (row ? ranks : 1) : r.decision.grid[1];
  CHECK(!strcmp(d.scheme, r.decision.scheme) && !strcmp(d.algo, r.decision.algo) &&
            !strcmp(d.engine, r.decision.engine) && d.order == r.decision.order,
        "%s: decided otherwise", request_name(&r));
  CHECK(d.grid[0] == p1 && d.grid[1] == p2, "%s: grid %dx%d, not %dx%d", request_name(&r),
        d.grid[0], d.grid[1], p1, p2);
  for (int direction = 0; direction < 2; direction++) {
    trial_run(&t, direction, APART, (int)(turn / 8 % 4));
    trial_run(&t, direction, IN_PLACE, (int)(turn / 32 % 2));
  }
  trial_free(&t);
}

/* All that is registered for one problem; `share`: every so many-th combination of engines. */
static void test_problem(const pfft3d_problem *p, uint64_t *counter, unsigned share) {
  cut list[CUTS];
  int cuts = list_cuts(ranks, list);
  oracle o;
  oracle_make(&o, p, *counter);
  for (int c = 0; c < cuts; c++)
    for (int order = 0; order < 2; order++) FOR_SHARE(PFFT3D_EXCHANGES, algo)
  FOR_LIST(PFFT3D_ENGINES, engine) {
    uint64_t turn = mix(++*counter);
    if (turn % share) continue;
    pfft3d_request r = cut_request(p, &list[c], algo, engine, order);
    test_request(&r, &o, turn / share);
  }
  oracle_free(&o);
}

static void test_grid(const ptrdiff_t n[3], uint64_t *counter, unsigned share) {
  for (int kind = 0; kind < 2; kind++)
    for (int precision = 0; precision < 2; precision++) {
      pfft3d_problem p = {.kind = (pfft3d_kind)kind, .precision = (pfft3d_precision)precision};
      memcpy(p.n, n, sizeof p.n);
      p.batch = precision; /* 0 means 1 */
      test_problem(&p, counter, share);
    }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const ptrdiff_t full[3] = {4, 6, 8};
  static const ptrdiff_t sparse[][3] = {{5, 7, 9},  {1, 6, 8},   {5, 1, 7}, {6, 9, 1},
                                        {1, 1, 12}, {1, 1, 1},   {2, 3, 5}, {11, 13, 17},
                                        {3, 2, 67}, {12, 8, 30}, {7, 67, 2}};
  uint64_t counter = 0;
  test_grid(full, &counter, 1);
  for (size_t k = 0; k < sizeof sparse / sizeof *sparse; k++) test_grid(sparse[k], &counter, 6);
  return check_result();
}
