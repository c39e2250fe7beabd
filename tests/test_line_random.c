/* ranks: 1 2 3 4 6 8 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Random cases of everything that a request can say of a line, forward and backward against the DFT
 * in long double.
 *
 * Arguments: [seed [first case [count]]], 1, 0 and 100 unless told.  A case is made from the seed,
 * its number and the number of ranks alone; one that fails prints the line that repeats it. */
#include "line.h"

/* The random numbers of a case: the same on every rank. */
static uint64_t state;

/* 0 .. n-1 */
static int roll(int n) {
  return (int)(mix(state++) % (uint64_t)n);
}

static int percent(int chance) {
  return roll(100) < chance;
}

/* Around the number of ranks and its squares; small; smooth; anything up to 5000. */
static ptrdiff_t roll_length(int ranks) {
  int kind = roll(100);
  ptrdiff_t n = 1;
  if (kind < 10) return (ptrdiff_t)ranks * (percent(50) ? ranks : 1) + roll(3);
  if (kind < 20) return (ptrdiff_t)ranks * ranks * (1 + roll(40));
  if (kind < 35) return 1 + roll(40);
  if (kind < 60) return 1 + roll(500);
  if (kind < 75) return 1 + roll(5000);
  while (n < 1000) n *= 2 + roll(6);
  return n;
}

static const char *roll_name(pfft3d_list list) {
  int count = 0;
  while (pfft3d_list_name(list, count, NULL)) count++;
  int k = roll(count + 1);
  return k == count ? "auto" : pfft3d_list_name(list, k, NULL);
}

/* Factors of the length, or of a length long enough for a convolution.  Of less than 4 points their
 * few roundings weigh more. */
static void roll_split(ptrdiff_t n, ptrdiff_t split[2]) {
  ptrdiff_t all = n < 4 || percent(50) ? n : 2 * n - 1 + roll(100), n1;
  if (percent(50)) return;
  do n1 = 1 + roll((int)all);
  while (all % n1);
  split[0] = n1;
  split[1] = all / n1;
}

static pfft3d_request roll_request(int ranks) {
  static const double scale[] = {1, 1, 0.5, -2.75, 1e-3};
  static const ptrdiff_t count[] = {0, 0, 0, 1, 2, 7, 100};
  static const ptrdiff_t chunk[] = {0, 0, 1, 64, 500, 4000};
  pfft3d_problem p = line_problem(roll_length(ranks), roll(2), roll(2));
  line_form f = {{(pfft3d_dealing)roll(2), (pfft3d_dealing)roll(2)}, (pfft3d_order)roll(2)};
  const char *method = roll_name(PFFT3D_METHODS), *algo = roll_name(PFFT3D_EXCHANGES);
  pfft3d_request r = line_request(&p, &f, method, algo, roll_name(PFFT3D_ENGINES));
  if (strcmp(method, "butterfly")) roll_split(p.n[2], r.decision.split);
  if (p.n[2] > 300 && !strcmp(r.decision.engine, "naive")) /* slow by design */
    snprintf(r.decision.engine, sizeof r.decision.engine, "auto");
  for (int k = 0; k < 2; k++) r.scale[k] = scale[roll(sizeof scale / sizeof *scale)];
  r.deterministic = percent(50);
  r.threads = strcmp(pfft3d_build("openmp"), "no") ? 1 + percent(30) * roll(3) : 1;
  r.max_count = count[roll(sizeof count / sizeof *count)];
  r.decision.chunk = chunk[roll(sizeof chunk / sizeof *chunk)];
  r.node_ranks = roll(ranks + 1);
  return r;
}

/* Convolutions have the limit of large primes; where the lines of a matrix have such factors, too,
 * each of two transforms is another one. */
static double convolution_limit(const pfft3d_request *r, double limit) {
  const ptrdiff_t *split = r->decision.split;
  return limit * (is_smooth(r->problem.n[2]) ? 2 : 1) * (is_smooth(split[0] * split[1]) ? 1 : 2);
}

/* Collective. One case; skipped where the engine or method cannot do it. */
static void test_case(uint64_t seed, long number, int rank, int ranks) {
  state = mix(mix(seed) + mix((uint64_t)number * 64 + (uint64_t)ranks));
  pfft3d_request r = roll_request(ranks);
  ptrdiff_t n = r.problem.n[2], all = r.decision.split[0] * r.decision.split[1];
  oracle o;
  long failed[2] = {check_failed, 0};
  if (!line_possible(&r, ranks)) return;
  line_oracle(&o, &r.problem, seed + (uint64_t)number);
  if (all && all != n) o.limit = convolution_limit(&r, o.limit);
  line_trial l = line_trial_make(MPI_COMM_WORLD, &r, &o);
  for (int k = 0; k < 3; k++) { /* in any sequence, with what the one before left in the buffers */
    int direction = roll(2), how = roll(HOWS);
    line_run(&l, direction, (trial_how)how, roll(4));
  }
  for (int direction = 0; direction < 2; direction++)
    line_run(&l, direction, (trial_how)roll(HOWS), 0);
  line_trial_free(&l);
  oracle_free(&o);
  failed[0] = check_failed - failed[0];
  MPI_Allreduce(&failed[0], &failed[1], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (!failed[1] || rank) return;
  fprintf(stderr, "mpirun -n %d tests/test_line_random %llu %ld 1   # %s\n", ranks,
          (unsigned long long)seed, number, line_name(&r));
  fprintf(stderr, "  deterministic %d, threads %d, max_count %td, scales %g %g\n", r.deterministic,
          r.threads, r.max_count, r.scale[0], r.scale[1]);
}

int main(int argc, char **argv) {
  return run_cases(argc, argv, 100, test_case);
}
