/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The caller's own arrays: ghost cells around the box, elements that are components of vectors,
 * gaps between the fields of a batch, padded rows of real fields.  The plan says where elements
 * belong, and every byte that is none of theirs is left alone. */
#include "trial.h"

static int ranks;

/* A kind of arrays, by what it sets in a request. */
typedef struct {
  const char *name;
  ptrdiff_t batch;
  int padded; /* for real fields only */
  pfft3d_array array[2];
} shape;

static const shape shapes[] = {
    {"ghosts in space", 1, 0, {{.below = {1, 2, 3}, .above = {2, 1, 1}}, {.every = 0}}},
    {"ghosts in the spectrum", 1, 0, {{.every = 1}, {.below = {2, 0, 1}, .above = {0, 3, 2}}}},
    {"ghosts on both sides of a batch",
     2,
     0,
     {{.below = {1, 1, 1}, .above = {1, 1, 1}}, {.below = {0, 1, 0}, .above = {1, 0, 3}}}},
    {"components of vectors", 3, 0, {{.every = 3, .distance = 1}, {.every = 3, .distance = 1}}},
    {"two components of three", 2, 0, {{.every = 3, .distance = 1}, {.every = 3, .distance = 1}}},
    {"components of vectors in space", 2, 0, {{.every = 3, .distance = 1}, {.every = 0}}},
    {"vectors with ghosts",
     2,
     0,
     {{.below = {1, 0, 2}, .above = {0, 1, 1}, .every = 2, .distance = 1},
      {.below = {0, 2, 1}, .above = {1, 0, 0}, .every = 2}}},
    {"one component of two", 1, 0, {{.every = 2}, {.every = 2}}},
    {"gaps between fields", 2, 0, {{.distance = 3001}, {.distance = 4003}}},
    {"padded rows", 1, 1, {{.every = 0}, {.every = 0}}},
    {"padded rows of a batch", 3, 1, {{.every = 0}, {.every = 0}}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static pfft3d_problem shaped_problem(const ptrdiff_t n[3], int kind, int precision,
                                     const shape *s) {
  pfft3d_problem p = {.kind = (pfft3d_kind)kind,
                      .precision = (pfft3d_precision)precision,
                      .n = {n[0], n[1], n[2]},
                      .batch = s->batch};
  return p;
}

static void test_request(const pfft3d_request *r, const oracle *o, const shape *s, uint64_t turn) {
  long before = check_failed;
  if (!trial_possible(r, ranks)) return;
  trial t = trial_make(MPI_COMM_WORLD, r, o);
  if (turn % 4 == 0) trial_weigh(&t);
  for (int direction = 0; direction < 2; direction++)
    for (int how = 0; how < HOWS; how++)
      trial_run(&t, direction, (trial_how)how, (int)((turn + (uint64_t)how) % 3));
  trial_free(&t);
  if (check_failed > before && check_failed < 10) fprintf(stderr, "with %s\n", s->name);
}

/* All cuts, in one of the orders; exchanges and engines take turns. */
static void test_shape(const ptrdiff_t n[3], int kind, const shape *s, uint64_t *counter) {
  cut list[CUTS];
  int cuts = list_cuts(ranks, list), engines = 0;
  int precision = (int)(mix(++*counter) % 2);
  pfft3d_problem p = shaped_problem(n, kind, precision, s);
  oracle o;
  oracle_make(MPI_COMM_WORLD, &o, &p, *counter);
  while (pfft3d_list_name(PFFT3D_ENGINES, engines, NULL)) engines++;
  for (int c = 0; c < cuts; c++)
    for (int order = (int)((c + n[0]) % one_of(2)); order < 2; order += one_of(2))
      FOR_SHARE(PFFT3D_EXCHANGES, algo) {
        uint64_t turn = mix(++*counter);
        const char *engine =
            pfft3d_list_name(PFFT3D_ENGINES, (int)(turn % (uint64_t)engines), NULL);
        pfft3d_request r = cut_request(&p, &list[c], algo, engine, order);
        memcpy(r.array, s->array, sizeof r.array);
        r.padded = s->padded;
        r.deterministic = 1;
        test_request(&r, &o, s, turn / 64);
      }
  oracle_free(&o);
}

/* Components of real fields, of which every other one is small: rounding errors of the others would
 * not fit into it, and columns of real numbers lie side by side.  Without `deterministic`, which
 * keeps all lines apart. */
static void test_components(void) {
  static const pfft3d_axis_kind kinds[][3] = {{PFFT3D_DCT1, PFFT3D_DCT4, PFFT3D_DCT2},
                                              {PFFT3D_DHT, PFFT3D_DFT, PFFT3D_DST2},
                                              {PFFT3D_DST1, PFFT3D_NONE, PFFT3D_DFT}};
  const char *engine, *summary;
  for (int k = 0; k < 3; k++)
    for (int turn = 0; (engine = pfft3d_list_name(PFFT3D_ENGINES, turn, &summary)); turn++) {
      const shape *s = &shapes[turn % 2 ? 3 : 5];
      static const ptrdiff_t n[3] = {8, 6, 4};
      pfft3d_problem p = shaped_problem(n, PFFT3D_R2C, (k + turn / 2) % 2, s);
      memcpy(p.axis, kinds[k], sizeof p.axis);
      oracle o;
      oracle_make(MPI_COMM_WORLD, &o, &p, (uint64_t)(7 * k + turn));
      pfft3d_request r = make_request(n, "slab", "auto", engine, (pfft3d_order)(turn % 2));
      r.problem = p;
      memcpy(r.array, s->array, sizeof r.array);
      test_request(&r, &o, s, (uint64_t)turn);
      oracle_free(&o);
    }
}

/* Padded rows are the same as room above the last axis. */
static void test_padded_is_above(const ptrdiff_t n[3]) {
  pfft3d_request padded = make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED), above;
  pfft3d_box a, b;
  padded.problem.kind = PFFT3D_R2C;
  above = padded;
  padded.padded = 1;
  above.array[PFFT3D_SPACE].above[2] = 2 * (n[2] / 2 + 1) - n[2];
  for (int rank = 0; rank < ranks; rank++) {
    CHECK(!pfft3d_explain_box(&padded, ranks, PFFT3D_SPACE, rank, &a) &&
              !pfft3d_explain_box(&above, ranks, PFFT3D_SPACE, rank, &b),
          "%s", request_name(&padded));
    CHECK(same_box(&a, &b, 2), "%s: rank %d: padded rows are not rows with room above",
          request_name(&padded), rank);
  }
}

/* Descriptions that no array can have are refused. */
static void refused(pfft3d_request *r, const char *what) {
  pfft3d_plan *plan;
  pfft3d_error e;
  int status = pfft3d_plan_create(MPI_COMM_WORLD, r, &plan, &e);
  CHECK(status == PFFT3D_ERR_USAGE && !plan, "%s: status %d", what, status);
  if (!status) pfft3d_plan_destroy(&plan);
}

static void test_refusals(void) {
  static const ptrdiff_t n[3] = {6, 5, 4};
  for (int side = 0; side < 2; side++) {
    pfft3d_request r = make_request(n, "auto", "auto", "auto", PFFT3D_TRANSPOSED);
    r.array[side].below[1] = -1;
    refused(&r, "-1 elements before the box");
    r.array[side].below[1] = 0;
    r.array[side].above[2] = -2;
    refused(&r, "-2 elements behind the box");
    r.array[side].above[2] = 0;
    r.array[side].every = -1;
    refused(&r, "-1 from an element to the next");
    r.array[side].every = 0;
    r.array[side].above[0] = PTRDIFF_MAX;
    refused(&r, "an array beyond all memory");
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const ptrdiff_t grid[][3] = {{4, 6, 8}, {7, 5, 9}, {1, 6, 5}, {3, 1, 8}, {5, 4, 1}};
  uint64_t counter = 0;
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++) {
    for (int s = 0; s < SHAPES; s++)
      for (int kind = shapes[s].padded; kind < 2; kind++)
        if (k == 0 || mix(++counter) % (unsigned)one_of(4) == 0)
          test_shape(grid[k], kind, &shapes[s], &counter);
    test_padded_is_above(grid[k]);
  }
  test_components();
  test_refusals();
  return check_result();
}
