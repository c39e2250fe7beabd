/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Random cases of everything that a request can say of a line, forward and backward against the DFT
 * in long double; with `deterministic` also with another exchange, whose bits are the same.
 *
 * Arguments: [seed [first case [count]]], 1, 0 and 25 by default. */
#include "cases.h"
#include "line_trial.h"

/* Around the number of ranks and its squares; small; smooth; anything up to 5000. */
static ptrdiff_t roll_length(dice *d, int ranks) {
  int kind = roll(d, 100);
  ptrdiff_t n = 1;
  if (kind < 10) return (ptrdiff_t)ranks * (percent(d, 50) ? ranks : 1) + roll(d, 3);
  if (kind < 20) return (ptrdiff_t)ranks * ranks * (1 + roll(d, 40));
  if (kind < 35) return 1 + roll(d, 40);
  if (kind < 60) return 1 + roll(d, 500);
  if (kind < 75) return 1 + roll(d, 5000);
  while (n < 1000) n *= 2 + roll(d, 6);
  return n;
}

/* Parts of whole cache lines, which are padded in another way than those of an element more, in as
 * many rows as go beyond a page of memory: n is the product of `split`. */
static ptrdiff_t roll_rows(dice *d, int ranks, ptrdiff_t split[2]) {
  int long_side = roll(d, 2);
  split[long_side] = 16 * (1 + roll(d, 4)) * (1 + roll(d, ranks)) + roll(d, 4) - 1;
  split[!long_side] = percent(d, 20) ? 1 + roll(d, 24) : 1 + roll(d, 100 * ranks);
  return split[0] * split[1];
}

/* Factors of the length, or of a length long enough for a convolution.  Of less than 4 points their
 * few roundings weigh more. */
static void roll_split(dice *d, ptrdiff_t n, ptrdiff_t split[2]) {
  ptrdiff_t all = n < 4 || percent(d, 50) ? n : 2 * n - 1 + roll(d, 100), n1;
  if (percent(d, 50)) return;
  do n1 = 1 + roll(d, (int)all);
  while (all % n1);
  split[0] = n1;
  split[1] = all / n1;
}

/* In one of three cases blocks that are not even. */
static void roll_line_cuts(dice *d, int ranks, pfft3d_request *r) {
  if (percent(d, 67)) return;
  r->cuts.rule = percent(d, 50) ? PF_CUTS_CEIL : PF_CUTS_BALANCED;
  for (int side = 0; side < 2; side++) {
    int scrambled = side == PFFT3D_SPECTRUM && r->decision.order == PFFT3D_TRANSPOSED;
    if (r->layout[side] == PFFT3D_BLOCK && !scrambled && percent(d, 50))
      roll_cut_list(r, side, 2, ranks, (uint64_t)roll(d, 1 << 20));
  }
}

static pfft3d_request roll_request(dice *d, int ranks) {
  static const double scale[] = {1, 1, 2, -2.75, 1e-3};
  ptrdiff_t split[2] = {0, 0};
  ptrdiff_t n = percent(d, 20) ? roll_rows(d, ranks, split) : roll_length(d, ranks);
  pfft3d_problem p = line_problem(n, roll(d, 2), roll(d, 2));
  line_form f = {{(pfft3d_distribution)roll(d, 2), (pfft3d_distribution)roll(d, 2)},
                 (pfft3d_order)roll(d, 2)};
  const char *method = roll_name(d, PFFT3D_METHODS), *algo = roll_name(d, PFFT3D_EXCHANGES);
  pfft3d_request r = line_request(&p, &f, method, algo, roll_engine(d));
  if (strcmp(method, "butterfly") && split[0])
    memcpy(r.decision.split, split, sizeof split);
  else if (strcmp(method, "butterfly"))
    roll_split(d, n, r.decision.split);
  if (!strcmp(r.decision.engine, "naive") && (p.n[2] > 200 || percent(d, 75))) /* slow by design */
    snprintf(r.decision.engine, sizeof r.decision.engine, "auto");
  for (int k = 0; k < 2; k++) r.scale[k] = ROLL_ONE(d, scale);
  r.deterministic = percent(d, 50);
  roll_machine(d, &r.machine);
  roll_settings(d, ranks, &r);
  roll_line_cuts(d, ranks, &r);
  return r;
}

/* Convolutions have the limit of large primes; where the lines of a matrix have such factors, too,
 * each of two transforms is another one. */
static double convolution_limit(const pfft3d_request *r, double limit) {
  const ptrdiff_t *split = r->decision.split;
  return limit * (is_smooth(r->problem.n[2]) ? 2 : 1) * (is_smooth(split[0] * split[1]) ? 1 : 2);
}

/* Collective. The same plan, but for its exchange, gives the same bits to the same elements. */
static void test_equal(dice *d, line_trial *first, int ranks) {
  pfft3d_request r = *first->t.request;
  snprintf(r.decision.algo, sizeof r.decision.algo, "%s", roll_name(d, PFFT3D_EXCHANGES));
  roll_settings(d, ranks, &r);
  line_trial l = line_trial_make(MPI_COMM_WORLD, &r, first->t.o);
  for (int direction = 0; direction < 2; direction++) {
    size_t bytes = (size_t)first->count[!direction] * element_bytes(first->t.o, !direction);
    line_run(&l, direction, (trial_how)roll(d, HOWS), 0);
    CHECK(first->count[!direction] == l.count[!direction] &&
              !memcmp(first->first[direction], l.first[direction], bytes),
          "%s direction %d: other bits than with %s", line_words(&l), direction,
          first->decided.algo);
  }
  line_trial_free(&l);
}

/* Collective. One case, of an engine and a method that can do it. */
static void test_case(dice *d, uint64_t seed, long number, int ranks) {
  pfft3d_request r;
  oracle o;
  char cuts[200];
  while (r = roll_request(d, ranks), !line_possible(&r, ranks)) pf_cut_wish_drop(&r.cuts);
  ptrdiff_t n = r.problem.n[2], all = r.decision.split[0] * r.decision.split[1];
  pf_cut_wish_print(&r.cuts, cuts, sizeof cuts);
  case_tell("%s; deterministic %d, threads %d, max_count %td, scales %g %g, cuts %s", line_name(&r),
            r.deterministic, r.threads, r.max_count, r.scale[0], r.scale[1], cuts);
  line_oracle(&o, &r.problem, seed + (uint64_t)number);
  if (all && all != n) o.limit = convolution_limit(&r, o.limit);
  line_trial l = line_trial_make(MPI_COMM_WORLD, &r, &o);
  for (int k = 0; k < 3; k++) { /* in any sequence, with what the one before left in the buffers */
    int direction = roll(d, 2), how = roll(d, HOWS);
    line_run(&l, direction, (trial_how)how, roll(d, 4));
  }
  for (int direction = 0; direction < 2; direction++)
    line_run(&l, direction, (trial_how)roll(d, HOWS), 0);
  if (r.deterministic) test_equal(d, &l, ranks);
  line_trial_free(&l);
  oracle_free(&o);
  pf_cut_wish_drop(&r.cuts);
}

int main(int argc, char **argv) {
  return run_cases(argc, argv, 25, "line/test_line_random", test_case);
}
