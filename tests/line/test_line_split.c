/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Lines worked on as a given array: every pair of factors of a length, and convolutions of every
 * padded length that will do for small ones. */
#include "line_trial.h"

static int ranks;
static uint64_t trials; /* so far: ways to run are drawn from their number */

/* Collective. A line with its split and exchange named, forward and backward. */
static void test_exchange(const oracle *o, const line_form *f, const char *algo, ptrdiff_t n1,
                          ptrdiff_t n2) {
  pfft3d_request r = line_request(&o->problem, f, "transpose", algo, "auto");
  r.decision.split[0] = n1;
  r.decision.split[1] = n2;
  if (!line_possible(&r, ranks)) return;
  line_trial l = line_trial_make(MPI_COMM_WORLD, &r, o);
  CHECK(l.decided.split[0] == n1 && l.decided.split[1] == n2, "%s: another split", line_words(&l));
  for (int direction = 0; direction < 2; direction++) line_run(&l, direction, APART, 0);
  uint64_t turn = mix(trials++);
  line_run(&l, (int)(turn % 2), turn % 4 < 2 ? IN_PLACE : LIBRARY_IN_PLACE, 0);
  line_trial_free(&l);
}

/* Collective. The same with the exchange whose turn it is. */
static void test_split(const oracle *o, const line_form *f, ptrdiff_t n1, ptrdiff_t n2) {
  cell_share s = share_next(PFFT3D_EXCHANGES);
  test_exchange(o, f, share_take(&s), n1, n2);
}

/* Whether a form takes an array of m points: half the length is for real numbers in blocks. */
static int takes(const line_form *f, ptrdiff_t m, ptrdiff_t n) {
  return m == n || f->layout[PFFT3D_SPACE] == PFFT3D_BLOCK;
}

/* Also those of half the length, for real numbers in pairs. */
static void test_factors(ptrdiff_t n, int kind, int precision) {
  pfft3d_problem p = line_problem(n, kind, precision);
  oracle o;
  line_oracle(&o, &p, (uint64_t)n);
  int halves = kind == PFFT3D_R2C && n % 2 == 0;
  for (ptrdiff_t m = n; m >= n / (1 + halves); m -= n / 2 + n % 2)
    for (ptrdiff_t n1 = 1; n1 <= m; n1++)
      for (int f = 0; f < LINE_FORMS && m % n1 == 0; f++)
        if ((n1 + f + kind) % one_of(3) == 0 && takes(&line_forms[f], m, n))
          test_split(&o, &line_forms[f], n1, m / n1);
  oracle_free(&o);
}

/* The shortest padded lengths that are no multiple of much, and longer ones; the same limit as for
 * large primes, which are done so without being asked. */
static void test_convolution(ptrdiff_t n, int kind, int precision) {
  static const ptrdiff_t longer[] = {0, 1, 2, 5, 16, 33};
  pfft3d_problem p = line_problem(n, kind, precision);
  oracle o;
  line_oracle(&o, &p, (uint64_t)n);
  double unit = precision == PFFT3D_SINGLE ? 0x1p-24 : 0x1p-53;
  o.limit = error_limit(n, 0) * (unit / 0x1p-53) + 2 * unit;
  for (int f = 0; f < LINE_FORMS; f++) {
    if ((n / 2 + f + kind) % one_of(3)) continue;
    ptrdiff_t m = 2 * n - 1 + longer[(n + f + kind) % 6], n1 = 1;
    if (m == n) m++;
    for (ptrdiff_t k = 2; k * k <= m; k++)
      if (m % k == 0) n1 = k;
    if ((n + f) % 2) n1 = m / n1;
    test_split(&o, &line_forms[f], n1, m / n1);
  }
  oracle_free(&o);
}

/* Lengths of small factors need no convolution: factors that fill tiles are found, and by butterfly
 * for what each rank has. */
static void test_chosen(ptrdiff_t n) {
  static const char *const methods[] = {"transpose", "butterfly"};
  for (int m = 0; m < (ranks & (ranks - 1) ? 1 : 2); m++) {
    pfft3d_problem p = line_problem(m ? n * ranks : n, 0, PFFT3D_DOUBLE);
    pfft3d_request r = line_request(&p, &line_forms[0], methods[m], "packed", "simd");
    pfft3d_explanation x;
    pfft3d_error e;
    if (m && ranks == 1) continue; /* which is no butterfly */
    CHECK(pfft3d_explain(&r, ranks, &x, sizeof x, &e) == 0, "%s on %d ranks: %s", line_name(&r),
          ranks, e.text);
    ptrdiff_t all = x.decision.split[0] * x.decision.split[1];
    CHECK(m || all == n || all == 0, "%s on %d ranks: padded to %td", line_name(&r), ranks, all);
  }
}

int main(int argc, char **argv) {
  static const ptrdiff_t factors[] = {1, 12, 24, 30, 36, 64, 77, 97, 144, 210, 464};
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (size_t k = 0; k < sizeof factors / sizeof *factors; k++)
    for (int kind = 0; kind < 2; kind++)
      test_factors(factors[k], kind, k % 4 == 3 ? PFFT3D_SINGLE : PFFT3D_DOUBLE);
  for (ptrdiff_t n = 4; n <= 27; n++) /* of 3, its few roundings weigh more */
    for (int kind = 0; kind < 2; kind++)
      test_convolution(n, kind, n % 8 == 5 ? PFFT3D_SINGLE : PFFT3D_DOUBLE);
  for (ptrdiff_t n = 2; n <= 2000; n++)
    if (is_smooth(n)) test_chosen(n);
  return check_result();
}
