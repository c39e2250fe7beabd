/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Batches of lines: each line against the DFT in long double, and bit for bit what it gives by
 * itself; with distances between lines that are left open, equal or different on both sides, where
 * nothing between the lines is read or written; all methods, exchanges, layouts and orders. */
#include "line_trial.h"

enum { LINES = 3 };
static uint64_t trials;

/* Local. The place of each line: left open, with gaps, or other gaps on both sides. */
static void set_distances(pfft3d_request *r, uint64_t way) {
  ptrdiff_t n = r->problem.n[2];
  int real = r->problem.kind == PFFT3D_R2C;
  for (int side = 0; side < 2 && way % 3; side++) {
    ptrdiff_t gap = way % 3 == 1 || side ? 4 : 10, bytes = n + n % 2 + 2 + gap;
    r->array[side].distance = real && side ? bytes / 2 : bytes;
  }
  if (way % 3 == 2 && way % 2) r->array[PFFT3D_SPACE].distance = 0;
}

/* Collective. The same lines one by one: equal bits. */
static void test_alone(const line_trial *l) {
  for (ptrdiff_t b = 0; b < LINES; b++) {
    pfft3d_request r = *l->t.request;
    r.problem.batch = 1;
    for (int side = 0; side < 2; side++) r.array[side].distance = 0;
    line_trial one = line_trial_make(MPI_COMM_WORLD, &r, &l->t.o[b]);
    for (int d = 0; d < 2; d++) {
      size_t bytes = (size_t)one.count[!d] * element_bytes(one.t.o, !d);
      line_run(&one, d, APART, 0);
      CHECK(one.count[!d] == l->count[!d], "%s", line_words(l));
      CHECK(!memcmp(one.first[d], l->first[d] + (size_t)b * bytes, bytes),
            "%s direction %d: line %td has other bits by itself", line_words(l), d, b);
    }
    line_trial_free(&one);
  }
}

static void test_request(pfft3d_request *r, const oracle *o) {
  int ranks;
  uint64_t turn = mix(trials++);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!line_possible(r, ranks)) return;
  if (turn % 5 == 0) r->scale[0] = 0.75;
  if (turn % 7 == 0) r->max_count = 5; /* messages in portions */
  set_distances(r, turn / 8);
  line_trial l = line_trial_make(MPI_COMM_WORLD, r, o);
  for (int d = 0; d < 2; d++) {
    line_run(&l, d, APART, (int)(turn / 2 % 2));
    line_run(&l, d, (trial_how)((turn / 16 + (uint64_t)d) % HOWS), 0);
    line_run(&l, d, d ? IN_PLACE : LIBRARY_IN_PLACE, 0);
  }
  test_alone(&l);
  line_trial_free(&l);
}

static void test_length(ptrdiff_t n, int kind, int precision) {
  pfft3d_problem p = line_problem(n, kind, precision);
  oracle o[LINES];
  for (uint64_t b = 0; b < LINES; b++) line_oracle(&o[b], &p, (uint64_t)n * LINES + b);
  ptrdiff_t turn = n / 2 + kind; /* both even and odd lengths meet all forms */
  for (int f = (int)(turn % one_of(2)); f < LINE_FORMS; f += one_of(2))
    FOR_LIST(PFFT3D_METHODS, method)
  FOR_SHARE(PFFT3D_EXCHANGES, algo) {
    pfft3d_request r = line_request(&p, &line_forms[f], method, algo, "auto");
    r.problem.batch = LINES;
    r.threads = (int)(trials % 2) + 1;
#ifndef _OPENMP
    r.threads = 1;
#endif
    test_request(&r, o);
  }
  for (int b = 0; b < LINES; b++) oracle_free(&o[b]);
}

/* Real lines whose arrays are larger than a cache: results go around it. */
static void test_large(void) {
  pfft3d_problem p = line_problem(98304, PFFT3D_R2C, PFFT3D_DOUBLE);
  oracle o[LINES];
  for (uint64_t b = 0; b < LINES; b++) line_oracle(&o[b], &p, b);
  pfft3d_request r = line_request(&p, &line_forms[0], "auto", "auto", "auto");
  r.problem.batch = LINES;
  test_request(&r, o);
  for (int b = 0; b < LINES; b++) oracle_free(&o[b]);
}

int main(int argc, char **argv) {
  static const ptrdiff_t lengths[] = {1,  2,  4,   5,   13,   16,   60,   64,
                                      97, 98, 240, 242, 1000, 1021, 2048, 2050};
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
    for (int kind = 0; kind < 2; kind++)
      test_length(lengths[k], kind, (k + (size_t)kind) % 3 ? PFFT3D_DOUBLE : PFFT3D_SINGLE);
  test_large();
  return check_result();
}
