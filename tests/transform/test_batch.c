/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * A batch of fields gives bit for bit what each of its fields gives by itself, with any exchange;
 * every field has other numbers.  Numbers against the definition are the business of test_family
 * and test_random. */
#include "trial.h"

enum { FIELDS = 3 };
static int rank, ranks;

/* Local. The fields of the oracle's input, or one of them, in a fresh array. */
static void *make_input(const oracle *o, const pfft3d_plan *plan, int side, ptrdiff_t field) {
  oracle some = *o;
  pfft3d_box box;
  if (field >= 0) some.fields = 1;
  pfft3d_plan_box(plan, (pfft3d_side)side, rank, &box);
  void *array = get(pfft3d_plan_bytes(plan));
  ptrdiff_t first = field > 0 ? field * o->elements[side] * o->parts[side] : 0;
  place_box(&some, side, &box, o->given[side] + first, array);
  return array;
}

/* Collective. Field `field` transformed by itself against the same field of the batch's output. */
static void compare_field(const oracle *o, pfft3d_plan *single, const pfft3d_request *r,
                          int direction, ptrdiff_t field, const char *batch_out,
                          const pfft3d_box *batch_box) {
  pfft3d_box box;
  size_t bytes = element_bytes(o, !direction);
  char *in = make_input(o, single, direction, field), *out = get(pfft3d_plan_bytes(single));
  ptrdiff_t distance = batch_box->distance, wrong = 0;
  pfft3d_plan_box(single, (pfft3d_side)!direction, rank, &box);
  CHECK(!pfft3d_execute(single, (pfft3d_direction)direction, in, out), "%s", request_name(r));
  FOR_ELEMENTS(&box, o->n[!direction], 1, g, at) {
    (void)g;
    const char *theirs = batch_out + (size_t)(at + field * distance) * bytes;
    wrong += memcmp(out + (size_t)at * bytes, theirs, bytes) != 0;
  }
  CHECK(!wrong, "%s on %d ranks direction %d: %td elements of field %td have other bits by itself",
        request_name(r), ranks, direction, wrong, field);
  free(in);
  free(out);
}

static void test_request(const pfft3d_request *wish, const oracle *o) {
  pfft3d_request batch = *wish, alone = *wish;
  if (!trial_possible(wish, ranks)) return;
  alone.problem.batch = 1;
  pfft3d_plan *many = make_plan(MPI_COMM_WORLD, &batch);
  pfft3d_plan *single = make_plan(MPI_COMM_WORLD, &alone);
  for (int direction = 0; direction < 2; direction++) {
    pfft3d_box box;
    pfft3d_plan_box(many, (pfft3d_side)!direction, rank, &box);
    char *in = make_input(o, many, direction, -1), *out = get(pfft3d_plan_bytes(many));
    CHECK(!pfft3d_execute(many, (pfft3d_direction)direction, in, out), "%s", request_name(&batch));
    for (ptrdiff_t b = 0; b < FIELDS; b++)
      compare_field(o, single, &batch, direction, b, out, &box);
    /* The same in place; the bits must not depend on it. */
    CHECK(!pfft3d_execute(many, (pfft3d_direction)direction, in, in), "%s", request_name(&batch));
    CHECK(!differences(o, !direction, &box, in, out), "%s direction %d: other bits in place",
          request_name(&batch), direction);
    free(in);
    free(out);
  }
  pfft3d_plan_destroy(&many);
  pfft3d_plan_destroy(&single);
}

/* All cuts, in one of the orders; exchanges and engines take turns. */
static void test_problem(const pfft3d_problem *p, uint64_t *counter) {
  cut list[CUTS];
  int cuts = list_cuts(ranks, list), engines = 0;
  oracle o;
  oracle_make(MPI_COMM_WORLD, &o, p, *counter);
  while (pfft3d_list_name(PFFT3D_ENGINES, engines, NULL)) engines++;
  for (int c = 0; c < cuts; c++)
    for (int order = (c + (int)p->kind) % one_of(2); order < 2; order += one_of(2))
      FOR_SHARE(PFFT3D_EXCHANGES, algo) {
        int turn = (int)(mix(++*counter) % (uint64_t)engines);
        const char *engine = pfft3d_list_name(PFFT3D_ENGINES, turn, NULL);
        pfft3d_request r = cut_request(p, &list[c], algo, engine, order);
        r.deterministic = 1;
        r.scale[PFFT3D_FORWARD] = 0.7;
        test_request(&r, &o);
      }
  oracle_free(&o);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const ptrdiff_t grid[][3] = {{8, 6, 10}, {5, 7, 9}, {1, 12, 6},
                                      {9, 1, 4},  {3, 4, 1}, {2, 17, 3}};
  uint64_t counter = 0;
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++)
    for (int way = 0; way < 2; way++) {
      pfft3d_problem p = {.kind = (pfft3d_kind)way,
                          .precision = (pfft3d_precision)((k / 2 + (size_t)way) % 2),
                          .n = {grid[k][0], grid[k][1], grid[k][2]},
                          .batch = FIELDS};
      test_problem(&p, &counter);
    }
  return check_result();
}
