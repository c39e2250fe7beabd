/* ranks: 1 2 3 4 6 64 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The family of transforms: both kinds, both precisions, slabs and pencils on every grid of ranks,
 * every exchange, engine and order, forward and backward, in place and out of place, against the
 * definition; a field larger than the caches; ranks in other orders, and groups of ranks. Exchanges
 * take turns, on most fields engines do, too.  On 64 ranks, most of them idle: one field. */
#include "trial.h"

enum { BY_DEFINITION = 8000 }; /* elements up to which engine naive is quick enough */

static MPI_Comm comm;
static int ranks;

/* One request through both directions.  `turn` varies what is not worth a loop. */
static void test_request(const pfft3d_request *wish, const oracle *o, uint64_t turn) {
  pfft3d_request r = *wish;
  pfft3d_decision d;
  if (!trial_possible(&r, ranks)) return;
  r.deterministic = turn % 2 == 0;
  r.scale[PFFT3D_FORWARD] = turn / 2 % 2 ? 1 : 0.3;
  r.scale[PFFT3D_BACKWARD] = turn / 4 % 2 ? 1 : -1.7;
  trial t = trial_make(comm, &r, o);
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

/* All cuts and orders of one problem; `share`: one in `share` combinations with engines. */
static void test_problem(const pfft3d_problem *p, uint64_t *counter, unsigned share) {
  cut list[CUTS];
  int cuts = list_cuts(ranks, list);
  oracle o;
  oracle_make(comm, &o, p, *counter);
  for (int c = 0; c < cuts; c++)
    for (int order = 0; order < 2; order++) FOR_SHARE(PFFT3D_EXCHANGES, algo)
  FOR_LIST(PFFT3D_ENGINES, engine) {
    uint64_t turn = mix(++*counter);
    if (turn % share) continue;
    if (o.elements[0] > BY_DEFINITION && !strcmp(engine, "naive")) continue;
    if (is_textbook(engine) && turn / share % (uint64_t)one_of(4)) continue;
    pfft3d_request r = cut_request(p, &list[c], algo, engine, order);
    test_request(&r, &o, turn / share);
  }
  oracle_free(&o);
}

/* Collective on `comm`. All kinds and precisions. */
static void test_grid(const ptrdiff_t n[3], uint64_t *counter, unsigned share) {
  for (int kind = 0; kind < 2; kind++)
    for (int precision = 0; precision < 2; precision++) {
      pfft3d_problem p = {.kind = (pfft3d_kind)kind, .precision = (pfft3d_precision)precision};
      memcpy(p.n, n, sizeof p.n);
      p.batch = precision; /* 0 means 1 */
      test_problem(&p, counter, share);
    }
}

/* Half spectra along each axis: with other transforms on both sides of it, and none; and of a field
 * larger than the caches. */
static void test_half_axes(uint64_t *counter) {
  enum { FT = PFFT3D_DFT, NO = PFFT3D_NONE };
  static const struct {
    ptrdiff_t n[3];
    int axis[3];
    unsigned share;
  } shape[] = {{{5, 7, 9}, {FT, FT, PFFT3D_DCT2}, 9},
               {{4, 6, 8}, {FT, PFFT3D_DST1, PFFT3D_DCT4}, 9},
               {{6, 9, 10}, {PFFT3D_DCT3, FT, PFFT3D_DST2}, 27},
               {{2, 7, 11}, {FT, PFFT3D_DCT1, NO}, 27}, /* as many modes as points */
               {{8, 2, 33}, {FT, FT, NO}, 27},
               {{12, 5, 17}, {FT, NO, PFFT3D_DST3}, 27},
               {{7, 1, 20}, {FT, FT, PFFT3D_DCT2}, 27},
               {{1, 12, 18}, {NO, FT, PFFT3D_DCT2}, 27},
               {{1, 1, 1}, {FT, FT, PFFT3D_DST4}, 27},
               {{7, 5, 1}, {NO, NO, FT}, 27}, /* a dft of one point alone */
               {{9, 1, 6}, {NO, FT, NO}, 27},
               {{12, 16, 1730}, {FT, FT, NO}, 40},
               {{16, 12, 1730}, {FT, PFFT3D_DCT2, NO}, 40}};
  for (size_t k = 0; k < sizeof shape / sizeof *shape; k++)
    for (int precision = 0; precision < 2; precision++) {
      if (shape[k].share > 27 && precision != (int)(k % 2)) continue;
      pfft3d_problem p = {.kind = PFFT3D_R2C,
                          .precision = (pfft3d_precision)precision,
                          .batch = 1 + (ptrdiff_t)(k % 3)};
      memcpy(p.n, shape[k].n, sizeof p.n);
      for (int a = 0; a < 3; a++) p.axis[a] = (pfft3d_axis_kind)shape[k].axis[a];
      test_problem(&p, counter, shape[k].share);
    }
}

/* Other orders of the ranks, and groups of them. */
static void test_communicators(uint64_t *counter) {
  static const ptrdiff_t grid[][3] = {{1, 8, 1}, {3, 16, 10}, {13, 11, 12}};
  for (int kind = 1; kind < COMM_KINDS; kind++) {
    comm = make_comm(kind);
    MPI_Comm_size(comm, &ranks);
    for (size_t k = 0; k < sizeof grid / sizeof *grid; k++) test_grid(grid[k], counter, 24);
    MPI_Comm_free(&comm);
  }
  comm = MPI_COMM_WORLD;
  MPI_Comm_size(comm, &ranks);
}

/* Larger than the caches on few ranks: stores go around them. */
static void test_large(uint64_t *counter) {
  pfft3d_problem p = {.n = {128, 90, 66}, .batch = 1};
  test_problem(&p, counter, 6);
}

/* Columns of all numbers of tiles and strips of tiles, which strips have where caches are small. */
static void test_widths(void) {
  static const cut slab = {"slab", {0, 0}};
  static const ptrdiff_t lines[] = {7, 16, 17, 31, 32, 33, 40, 48, 49, 63, 64, 65, 80, 96, 97, 130};
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
    for (int form = 0; form < 8; form++) {
      pfft3d_problem p = {.kind = (pfft3d_kind)(form % 2),
                          .precision = (pfft3d_precision)(form / 2 % 2),
                          .n = {20, 1, lines[k]},
                          .axis = {PFFT3D_DST2, PFFT3D_NONE, PFFT3D_NONE},
                          .batch = 1};
      oracle o;
      oracle_make(comm, &o, &p, k);
      pfft3d_request r = cut_request(&p, &slab, "packed", "simd", 0);
      r.deterministic = form / 4;
      trial t = trial_make(comm, &r, &o);
      for (int direction = 0; direction < 2; direction++) trial_run(&t, direction, APART, 0);
      trial_free(&t);
      oracle_free(&o);
    }
}

/* More ranks than planes. */
static void test_idle(uint64_t *counter) {
  pfft3d_problem p = {.n = {20, 24, 6}, .batch = 1};
  test_problem(&p, counter, 3);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  comm = MPI_COMM_WORLD;
  MPI_Comm_size(comm, &ranks);
  static const ptrdiff_t full[3] = {4, 6, 8};
  static const ptrdiff_t sparse[][3] = {
      {5, 7, 9},    {1, 6, 8},  {5, 1, 7},   {6, 9, 1},  {1, 1, 12},  {1, 1, 1}, {2, 3, 5},
      {11, 13, 17}, {3, 2, 67}, {12, 8, 30}, {7, 67, 2}, {4, 5, 140}, {31, 6, 4}};
  uint64_t counter = 0;
  must_meet(PFFT3D_ENGINES);
  must_meet(PFFT3D_SCHEMES);
  if (ranks > 16) {
    test_idle(&counter);
    return check_result();
  }
  test_grid(full, &counter, (unsigned)one_of(2));
  for (size_t k = 0; k < sizeof sparse / sizeof *sparse; k++) test_grid(sparse[k], &counter, 12);
  test_half_axes(&counter);
  test_widths();
  test_large(&counter);
  test_communicators(&counter); /* after which groups of ranks have come to other turns */
  return check_result();
}
