/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Random cases of everything that a request can say of a line or of a batch of them, forward and
 * backward against the definitions of all kinds in long double; with `deterministic` also with
 * another exchange, and the lines of a batch one by one: their bits are the same.  What lines do
 * not have is refused.
 *
 * Arguments: [seed [first case [count]]], 1, 0 and 25 by default. */
#include "base/hooks.h"
#include "cases.h"
#include "line_trial.h"

/* Lines of a batch; points of a line with a kind, whose definition takes their square; points for
 * engine naive, which is slow by design. */
enum { LINES = 3, LONGEST = 600, NAIVE = 200 };

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

/* In two of five cases not the DFT. */
static pfft3d_problem roll_problem(dice *d, int ranks, ptrdiff_t split[2]) {
  int kind = percent(d, 60) ? PFFT3D_DFT : PFFT3D_DCT1 + roll(d, PFFT3D_HC2R - PFFT3D_DCT1 + 1);
  ptrdiff_t n = kind == PFFT3D_DFT && percent(d, 20) ? roll_rows(d, ranks, split) : 0;
  while (!n || (kind != PFFT3D_DFT && n > LONGEST) || (kind == PFFT3D_DCT1 && n < 2))
    n = roll_length(d, ranks);
  pfft3d_problem p = line_problem(n, roll(d, 2), roll(d, 2));
  p.axis[2] = (pfft3d_axis_kind)kind;
  p.sign = -roll(d, 2);
  p.batch = percent(d, 50) ? roll(d, 2) : 2 + roll(d, LINES - 1);
  return p;
}

/* The points that are split: those of the line inside, as src/line/kinds.h says. */
static ptrdiff_t points_of(const pfft3d_problem *p) {
  ptrdiff_t n = p->n[2];
  switch (p->axis[2]) {
    case PFFT3D_DCT1: return 2 * (n - 1);
    case PFFT3D_DST1: return 2 * (n + 1);
    case PFFT3D_DCT4:
    case PFFT3D_DST4: return n % 2 ? n : n / 2;
    default: return n;
  }
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

/* A line with a kind has one form. */
static line_form roll_form(dice *d, const pfft3d_problem *p) {
  line_form f = {{(pfft3d_distribution)roll(d, 2), (pfft3d_distribution)roll(d, 2)},
                 (pfft3d_order)roll(d, 2)};
  return p->axis[2] == PFFT3D_DFT ? f : line_forms[0];
}

static pfft3d_request roll_request(dice *d, int ranks) {
  static const double scale[] = {1, 1, 2, -2.75, 1e-3};
  static const pfft3d_precision wire[] = {PFFT3D_SAME, PFFT3D_SAME, PFFT3D_DOUBLE, PFFT3D_SINGLE};
  ptrdiff_t split[2] = {0, 0};
  pfft3d_problem p = roll_problem(d, ranks, split);
  line_form f = roll_form(d, &p);
  const char *method = roll_name(d, PFFT3D_METHODS), *algo = roll_name(d, PFFT3D_EXCHANGES);
  pfft3d_request r = line_request(&p, &f, method, algo, roll_engine(d));
  if (strcmp(method, "butterfly") && split[0])
    memcpy(r.decision.split, split, sizeof split);
  else if (strcmp(method, "butterfly"))
    roll_split(d, points_of(&p), r.decision.split);
  if (!strcmp(r.decision.engine, "naive") && (p.n[2] > NAIVE || percent(d, 75)))
    snprintf(r.decision.engine, sizeof r.decision.engine, "auto");
  if (p.batch > 1) line_distances(&r, (uint64_t)roll(d, 6));
  for (int k = 0; k < 2; k++) r.scale[k] = ROLL_ONE(d, scale);
  roll_deterministic(d, 50, &r);
  r.wire = ROLL_ONE(d, wire);
  roll_machine(d, &r.machine);
  roll_settings(d, ranks, &r);
  if (p.axis[2] == PFFT3D_DFT) roll_line_cuts(d, ranks, &r);
  return r;
}

/* All of a request that line_name() leaves out. */
static void tell_rest(const pfft3d_request *r) {
  char cuts[200];
  pf_cut_wish_print(&r->cuts, cuts, sizeof cuts);
  case_tell(
      "; sign %d, distances %td %td, wire %d, deterministic %d, threads %d, max_count %td, scales "
      "%g %g, cuts %s",
      r->problem.sign, r->array[0].distance, r->array[1].distance, (int)r->wire, r->deterministic,
      r->threads, pf_hooks.max_count, r->scale[0], r->scale[1], cuts);
}

/* Whether numbers are rounded between ranks, where anything is sent. */
static int is_narrow(const pfft3d_request *r) {
  return r->wire == PFFT3D_SINGLE && r->problem.precision == PFFT3D_DOUBLE;
}

/* Convolutions have the limit of large primes, which that of lines with a kind is; where the lines
 * of a matrix have such factors, too, each of two transforms is another one. */
static double limit_of(const pfft3d_request *r) {
  const pfft3d_problem *p = &r->problem;
  ptrdiff_t all = r->decision.split[0] * r->decision.split[1];
  double limit = oracle_limit(p, is_narrow(r) ? PFFT3D_SINGLE : p->precision);
  if (!all || all == points_of(p)) return limit;
  int smooth = p->axis[2] == PFFT3D_DFT && is_smooth(p->n[2]);
  return limit * (smooth ? 2 : 1) * (is_smooth(all) ? 1 : 2);
}

/* ---- what is compared ---- */

/* Collective. The same plan, but for its exchange, gives the same bits to the same elements. */
static void test_equal(dice *d, line_trial *first, int ranks) {
  pfft3d_request r = *first->t.request;
  snprintf(r.decision.algo, sizeof r.decision.algo, "%s", roll_name(d, PFFT3D_EXCHANGES));
  roll_settings(d, ranks, &r);
  line_trial l = line_trial_make(MPI_COMM_WORLD, &r, first->t.o);
  for (int direction = 0; direction < 2; direction++) {
    size_t bytes = (size_t)(line_batch(first) * first->count[!direction]);
    bytes *= element_bytes(first->t.o, !direction);
    line_run(&l, direction, (trial_how)roll(d, HOWS), 0);
    CHECK(first->count[!direction] == l.count[!direction] &&
              !memcmp(first->first[direction], l.first[direction], bytes),
          "%s direction %d: other bits than with %s", line_words(&l), direction,
          first->decided.algo);
  }
  line_trial_free(&l);
}

/* Collective. The request with something that no line has, or none with a kind. */
static void test_refused(dice *d, const pfft3d_request *like) {
  static const char *const words[] = {"sign +1", "keep", "layout cyclic", "order transposed",
                                      "cuts"};
  pfft3d_request r = *like;
  int plain = r.problem.axis[2] == PFFT3D_DFT, what = roll(d, plain ? 2 : 5);
  if (what == 1 && r.problem.n[2] == 1) what = 0; /* one mode is all there is */
  switch (what) {
    case 0: r.problem.sign = 1; break;
    case 1: r.problem.keep[2] = r.problem.n[2] - 1; break;
    case 2: r.layout[roll(d, 2)] = PFFT3D_CYCLIC; break;
    case 3: r.decision.order = PFFT3D_TRANSPOSED; break;
    default: r.cuts.rule = PF_CUTS_CEIL;
  }
  line_refused(&r, PFFT3D_ERR_USAGE, PFFT3D_ERR_UNAVAILABLE, words[what], what > 1);
}

/* Collective. One case, of an engine and a method that can do it. */
static void test_case(dice *d, uint64_t seed, long number, int ranks) {
  pfft3d_request r;
  oracle o[LINES];
  while (r = roll_request(d, ranks), !line_possible(&r, ranks)) pf_cut_wish_drop(&r.cuts);
  ptrdiff_t lines = r.problem.batch > 1 ? r.problem.batch : 1;
  case_tell("%s", line_name(&r));
  tell_rest(&r);
  line_oracles(o, lines, &r.problem, seed + (uint64_t)number);
  for (ptrdiff_t b = 0; b < lines; b++) o[b].limit = limit_of(&r);
  line_trial l = line_trial_make(MPI_COMM_WORLD, &r, o);
  for (int k = 0; k < 3; k++) { /* in any sequence, with what the one before left in the buffers */
    int direction = roll(d, 2), how = roll(d, HOWS);
    line_run(&l, direction, (trial_how)how, roll(d, 4));
  }
  for (int direction = 0; direction < 2; direction++)
    line_run(&l, direction, (trial_how)roll(d, HOWS), 0);
  if (r.deterministic && !is_narrow(&r)) test_equal(d, &l, ranks);
  if (lines > 1 && percent(d, 50)) line_alone(&l);
  line_trial_free(&l);
  if (percent(d, 10)) test_refused(d, &r);
  for (ptrdiff_t b = 0; b < lines; b++) oracle_free(&o[b]);
  pf_cut_wish_drop(&r.cuts);
}

int main(int argc, char **argv) {
  return run_cases(argc, argv, 25, "line/test_line_random", test_case);
}
