/* ranks: 1 2 3 4 6 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Random cases of everything a request can say, forward and backward against the definition.
 *
 * Arguments: [seed [first case [count]]], 1, 0 and 80 unless told.  A case is made from the seed,
 * its number and the number of ranks alone; one that fails prints the line that repeats it. */
#include "trial.h"

enum { LARGEST = 6000 }; /* elements of a field: the definition is slow */

/* ---- numbers ---- */

/* The random numbers of a case: the same on every rank. */
typedef struct {
  uint64_t state;
} dice;

/* 0 .. n-1 */
static int roll(dice *d, int n) {
  return (int)(mix(d->state++) % (uint64_t)n);
}

static int percent(dice *d, int chance) {
  return roll(d, 100) < chance;
}

static ptrdiff_t roll_length(dice *d, int ranks) {
  static const ptrdiff_t prime[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 61, 127};
  int kind = roll(d, 100);
  if (kind < 20) return 1;
  if (kind < 45) return prime[roll(d, sizeof prime / sizeof *prime)];
  if (kind < 60) return ranks > 1 ? ranks - 1 + roll(d, 3) : 1 + roll(d, 2);
  return 1 + roll(d, 40);
}

static void roll_problem(dice *d, int ranks, pfft3d_problem *p) {
  p->kind = (pfft3d_kind)roll(d, 2);
  p->precision = (pfft3d_precision)roll(d, 2);
  p->batch = percent(d, 60) ? roll(d, 2) : 2 + roll(d, 2);
  do
    for (int a = 0; a < 3; a++) p->n[a] = roll_length(d, ranks);
  while (p->n[0] * p->n[1] * p->n[2] > LARGEST);
}

/* ---- requests ---- */

static const char *roll_name(dice *d, pfft3d_list list) {
  int count = 0;
  while (pfft3d_list_name(list, count, NULL)) count++;
  int k = roll(d, count + 1);
  return k == count ? "auto" : pfft3d_list_name(list, k, NULL);
}

static void roll_grid(dice *d, int ranks, pfft3d_decision *decision) {
  if (strcmp(decision->scheme, "pencil") || percent(d, 20)) return;
  decision->grid[0] = 1 + roll(d, ranks);
  decision->grid[1] = ranks / decision->grid[0];
  if (percent(d, 20)) decision->grid[1] = 1 + roll(d, decision->grid[1]); /* idle ranks */
}

/* Ghosts, components of vectors, or fields far apart. */
static void roll_array(dice *d, const pfft3d_problem *p, pfft3d_array *array) {
  ptrdiff_t fields = p->batch ? p->batch : 1;
  if (percent(d, 60)) return;
  if (percent(d, 60))
    for (int a = 0; a < 3; a++) {
      array->below[a] = roll(d, 3);
      array->above[a] = roll(d, 3);
    }
  if (percent(d, 40)) array->every = 1 + roll(d, 4);
  if (percent(d, 50) && array->every >= fields)
    array->distance = 1;
  else if (percent(d, 20)) /* more than a field takes with all of the above */
    array->distance = 4 * (p->n[0] + 4) * (p->n[1] + 4) * (p->n[2] + 4) + roll(d, 50);
}

static pfft3d_request roll_request(dice *d, int ranks) {
  static const double scale[] = {1, 1, 0.5, -2.75, 1e-3};
  static const ptrdiff_t count[] = {0, 0, 0, 1, 2, 7, 100};
  static const ptrdiff_t chunk[] = {0, 0, 1, 64, 500, 4000};
  pfft3d_request r;
  pfft3d_request_init(&r);
  roll_problem(d, ranks, &r.problem);
  snprintf(r.decision.scheme, sizeof r.decision.scheme, "%s", roll_name(d, PFFT3D_SCHEMES));
  snprintf(r.decision.algo, sizeof r.decision.algo, "%s", roll_name(d, PFFT3D_EXCHANGES));
  snprintf(r.decision.engine, sizeof r.decision.engine, "%s", roll_name(d, PFFT3D_ENGINES));
  r.decision.order = (pfft3d_order)roll(d, 2);
  roll_grid(d, ranks, &r.decision);
  r.padded = r.problem.kind == PFFT3D_R2C && percent(d, 25);
  for (int side = 0; side < 2; side++)
    if (side || !r.padded) roll_array(d, &r.problem, &r.array[side]);
  for (int k = 0; k < 2; k++) r.scale[k] = scale[roll(d, sizeof scale / sizeof *scale)];
  r.deterministic = percent(d, 50);
  r.threads = strcmp(pfft3d_build("openmp"), "no") ? 1 + percent(d, 30) * roll(d, 3) : 1;
  r.max_count = count[roll(d, sizeof count / sizeof *count)];
  r.wire = percent(d, 25) ? PFFT3D_SINGLE : PFFT3D_DOUBLE;
  r.decision.chunk = chunk[roll(d, sizeof chunk / sizeof *chunk)];
  r.node_ranks = roll(d, ranks + 1);
  return r;
}

/* ---- cases ---- */

/* All of a request that request_name() leaves out. */
static void print_rest(const pfft3d_request *r) {
  fprintf(stderr,
          "  deterministic %d, threads %d, max_count %td, padded %d, wire %d, scales %g %g\n",
          r->deterministic, r->threads, r->max_count, r->padded, (int)r->wire, r->scale[0],
          r->scale[1]);
  for (int side = 0; side < 2; side++) {
    const pfft3d_array *a = &r->array[side];
    fprintf(stderr, "  side %d: below %td %td %td, above %td %td %td, every %td, distance %td\n",
            side, a->below[0], a->below[1], a->below[2], a->above[0], a->above[1], a->above[2],
            a->every, a->distance);
  }
}

/* Collective. One case; skipped where engine simd cannot do the lengths. */
static void test_case(uint64_t seed, long number, int rank, int ranks) {
  dice d = {mix(mix(seed) + mix((uint64_t)number * 64 + (uint64_t)ranks))};
  pfft3d_request r = roll_request(&d, ranks);
  oracle o;
  long failed[2] = {check_failed, 0};
  if (!trial_possible(&r, ranks)) return;
  oracle_make(&o, &r.problem, seed + (uint64_t)number);
  if (r.wire == PFFT3D_SINGLE) o.limit = oracle_limit(&r.problem, r.wire);
  trial t = trial_make(MPI_COMM_WORLD, &r, &o);
  if (percent(&d, 40)) trial_weigh(&t);
  for (int k = 0; k < 3; k++) /* in any sequence, with what the one before left in the buffers */
    trial_run(&t, roll(&d, 2), (trial_how)roll(&d, HOWS), roll(&d, 4));
  trial_run(&t, PFFT3D_FORWARD, (trial_how)roll(&d, HOWS), 0);
  trial_run(&t, PFFT3D_BACKWARD, (trial_how)roll(&d, HOWS), 0);
  trial_free(&t);
  oracle_free(&o);
  failed[0] = check_failed - failed[0];
  MPI_Allreduce(&failed[0], &failed[1], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (!failed[1] || rank) return;
  fprintf(stderr, "mpirun -n %d tests/test_random %llu %ld 1   # %s\n", ranks,
          (unsigned long long)seed, number, request_name(&r));
  print_rest(&r);
}

int main(int argc, char **argv) {
  return run_cases(argc, argv, 80, test_case);
}
