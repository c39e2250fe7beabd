/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Batches of lines: each line against the DFT in long double, and bit for bit what it gives by
 * itself; with distances between lines that are left open, equal or different on both sides, where
 * nothing between the lines is read or written; all methods, exchanges, layouts and orders. */
#include "base/hooks.h"
#include "line_trial.h"

enum { LINES = 3 };
static uint64_t trials;

static void test_request(pfft3d_request *r, const oracle *o) {
  int ranks;
  uint64_t turn = mix(trials++);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!line_possible(r, ranks)) return;
  if (turn % 5 == 0) r->scale[0] = 0.75;
  pf_hooks.max_count = turn % 7 ? 0 : 5; /* messages in portions */
  line_distances(r, turn / 8);
  line_trial l = line_trial_make(MPI_COMM_WORLD, r, o);
  for (int d = 0; d < 2; d++) {
    line_run(&l, d, APART, (int)(turn / 2 % 2));
    line_run(&l, d, (trial_how)((turn / 16 + (uint64_t)d) % HOWS), 0);
    line_run(&l, d, d ? IN_PLACE : LIBRARY_IN_PLACE, 0);
  }
  line_alone(&l);
  line_trial_free(&l);
}

static void test_length(ptrdiff_t n, int kind, int precision) {
  pfft3d_problem p = line_problem(n, kind, precision);
  oracle o[LINES];
  line_oracles(o, LINES, &p, (uint64_t)n * LINES);
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
  line_oracles(o, LINES, &p, 0);
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
