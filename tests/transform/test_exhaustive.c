/* ranks: 1 2 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Every small field: 1..8 x 1..8 x 1..8, and all with axes of 1, 2, 3 and some primes, with each of
 * some exchanges, complex and real, in and out of place, forward and backward, against the
 * reference.
 *
 * Arguments: [exchanges [scheme [order [seed [first size [count]]]]]], packed,slabs,pencils,shared,
 * slab, transposed, 1, 0 and 152 by default.  The first 27 sizes are those up to 3x3x3, 512 are
 * those up to 8x8x8, 637 are all.  Without arguments the exchanges take turns, and those of the
 * primes follow the first 27.  The seed is that of the numbers in the fields. */
#include "cases.h"
#include "trial.h"

enum {
  LONGEST = 8,
  SMALL = LONGEST * LONGEST * LONGEST,
  PRIMES = 5,
  SIZES = SMALL + 125,
  FEW = 27,
  ALGOS = 16
};
static ptrdiff_t size[SIZES][3];
static int turns; /* nonzero: one exchange for each size */
static const char *algo[ALGOS] = {"packed", "slabs", "pencils", "shared"}, *scheme = "slab";
static int algos = 4;
static pfft3d_order order = PFFT3D_TRANSPOSED;

static void number_sizes(void) {
  int count = 0;
  for (ptrdiff_t most = 1; most <= LONGEST; most++)
    for (ptrdiff_t k = 0; k < most * most * most; k++) {
      ptrdiff_t n[3] = {1 + k / most / most, 1 + k / most % most, 1 + k % most};
      if (n[0] == most || n[1] == most || n[2] == most) memcpy(size[count++], n, sizeof n);
    }
  static const ptrdiff_t prime[PRIMES] = {1, 2, 3, 13, 31};
  for (int k = 0; count < SIZES; k++, count++)
    for (int a = 0, rest = k; a < 3; a++, rest /= PRIMES) size[count][a] = prime[rest % PRIMES];
}

/* A size in all ways. */
static void test_case(dice *d, uint64_t seed, long number, int ranks) {
  if (turns && number >= FEW) number += SMALL - FEW;
  const ptrdiff_t *n = size[number % SIZES];
  (void)d;
  (void)ranks;
  case_tell("%tdx%tdx%td", n[0], n[1], n[2]);
  for (int kind = 0; kind < 2; kind++) {
    pfft3d_problem p = {.kind = (pfft3d_kind)kind, .batch = 1};
    oracle o;
    memcpy(p.n, n, sizeof p.n);
    oracle_make(MPI_COMM_WORLD, &o, &p, seed + (uint64_t)number);
    for (int a = 0; a < algos; a++) {
      if (turns && number % algos != a) continue;
      pfft3d_request r = make_request(p.n, scheme, algo[a], "auto", order);
      r.problem = p;
      trial t = trial_make(MPI_COMM_WORLD, &r, &o);
      for (int direction = 0; direction < 2; direction++) {
        trial_run(&t, direction, APART, 0);
        trial_run(&t, direction, IN_PLACE, 0);
      }
      trial_free(&t);
    }
    oracle_free(&o);
  }
}

int main(int argc, char **argv) {
  static char name[300];
  const char *names = argc > 1 ? argv[1] : "packed,slabs,pencils,shared";
  snprintf(name, sizeof name, "test_exhaustive %s %s %s", names, argc > 2 ? argv[2] : scheme,
           argc > 3 ? argv[3] : "transposed");
  if (argc > 1) {
    algos = 0;
    for (char *word = strtok(argv[1], ","); word && algos < ALGOS; word = strtok(NULL, ","))
      algo[algos++] = word;
  }
  if (argc > 2) scheme = argv[2];
  if (argc > 3 && !strcmp(argv[3], "natural")) order = PFFT3D_NATURAL;
  number_sizes();
  turns = argc == 1;
  case_weight = (turns ? 1 : algos) * 2 * 2 * 2; /* kinds, places, directions */
  int used = argc > 4 ? 3 : argc - 1;
  return run_cases(argc - used, argv + used, FEW + SIZES - SMALL, name, test_case);
}
