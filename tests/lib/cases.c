/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of random cases; see cases.h. */
#include "cases.h"
#include "base/hooks.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "local/simd.h"
#include "request/text.h"

/* The line that repeats the case under way, with what it is. */
static char case_words[1600];
static int case_rank;
static int case_unlike; /* each rank is on another processor */
long case_weight = 1;

static struct sigaction case_before[NSIG];

enum { CASES_WRONG = 20 }; /* failed cases after which a run ends */

int roll(dice *d, int n) {
  return (int)(mix(d->state++) % (uint64_t)n);
}

int percent(dice *d, int chance) {
  return roll(d, 100) < chance;
}

const char *roll_name(dice *d, pfft3d_list list) {
  int count = 0;
  while (pfft3d_list_name(list, count, NULL)) count++;
  int k = roll(d, count + 1);
  return k == count ? "auto" : pfft3d_list_name(list, k, NULL);
}

const char *roll_engine(dice *d) {
  const char *rolled = roll_name(d, PFFT3D_ENGINES), *only = getenv("PFFT3D_TEST_ENGINE");
  return only ? only : rolled;
}

void roll_deterministic(dice *d, int chance, pfft3d_request *r) {
  r->deterministic = percent(d, chance) || (!strcmp(r->decision.engine, "fftw") && percent(d, 97));
}

void roll_machine(dice *d, pfft3d_machine *m) {
  pfft3d_machine_init(m);
  for (int k = 0; k < 2; k++) {
    m->start[k] *= pow(10, roll(d, 5) - 2);
    m->latency[k] *= pow(10, roll(d, 5) - 2);
    m->bandwidth[k] *= pow(10, roll(d, 5) - 2);
    m->overlap[k] = roll(d, 5) / 4.0;
  }
  m->memory *= pow(10, roll(d, 3) - 1);
}

void roll_settings(dice *d, int ranks, pfft3d_request *r) {
  static const ptrdiff_t count[] = {0, 0, 0, 1, 2, 7, 100}, chunk[] = {0, 0, 1, 64, 500, 4000};
  r->threads = strcmp(pfft3d_build("openmp"), "no") ? 1 + percent(d, 30) * roll(d, 3) : 1;
  pf_hooks.max_count = ROLL_ONE(d, count);
  r->decision.chunk = ROLL_ONE(d, chunk);
  r->node_ranks = roll(d, ranks + 1);
  r->decision.local = (pfft3d_local)roll(d, 4);
  name_exchange(r, r->decision.algo);
}

void name_exchange(pfft3d_request *r, const char *algo) {
  if (algo != r->decision.algo) pf_name_set(r->decision.algo, algo);
  if (r->decision.local == PFFT3D_LOCAL_STORES && !strcmp(algo, "alltoallw"))
    r->decision.local = PFFT3D_LOCAL_AUTO; /* it cannot */
}

void case_tell(const char *format, ...) {
  size_t used = strlen(case_words);
  va_list list;
  va_start(list, format);
  vsnprintf(case_words + used, sizeof case_words - used, format, list);
  va_end(list);
}

/* A crash, or the end of somebody's patience with a case that hangs: says which one it was, as far
 * as this rank should. */
static void case_ends(int number) {
  static const char words[] = "\nin the case ";
  int all = number == SIGTERM && case_rank;
  if (!all && write(2, words, sizeof words - 1) > 0 && write(2, case_words, strlen(case_words)) > 0)
    all = write(2, "\n", 1) > 0;
  sigaction(number, &case_before[number], NULL);
  raise(number);
}

static void case_watch(void) {
  static const int numbers[] = {SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
  struct sigaction action = {.sa_handler = case_ends};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    sigaction(numbers[k], &action, &case_before[numbers[k]]);
}

/* Collective on MPI_COMM_WORLD. Whether a case failed on any rank; rank 0 then says which. */
static int run_case(test_case_function *test, const char *name, uint64_t seed, long number,
                    int ranks) {
  dice d = {mix(mix(seed) + mix((uint64_t)number * 64 + (uint64_t)ranks))};
  long failed[2] = {check_failed, 0};
  check_shown = 0;
  snprintf(case_words, sizeof case_words, "mpirun -n %d tests/%s %llu %ld 1   # ", ranks, name,
           (unsigned long long)seed, number);
  /* Some ways are taken on AMD's processors only, some on others. */
  pf_hooks.amd = 1 + (int)((number + (case_unlike ? case_rank : 0)) % 2);
  test(&d, seed, number, ranks);
  failed[0] = check_failed - failed[0];
  MPI_Allreduce(&failed[0], &failed[1], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (failed[1] && !case_rank) fprintf(stderr, "%s\n", case_words);
  return failed[1] != 0;
}

/* Without the best N kinds of vectors, or "unlike": every other rank without the best one, unless
 * the next one is without AVX2: only a fused multiplication and addition makes the same bits. */
static void other_processors(const char *machine) {
  if (!machine) return;
  case_unlike = !atoi(machine);
  const char *name = pf_simd_leave_out(case_unlike ? 1 : atoi(machine));
  if (case_unlike && (case_rank % 2 == 0 || !name || strcmp(name, "avx2") != 0))
    pf_simd_leave_out(0);
}

int run_cases(int argc, char **argv, long usual, const char *name, test_case_function *test) {
  int level, ranks;
  long wrong = 0, tried = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &case_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  case_watch();
  other_processors(getenv("PFFT3D_TEST_MACHINE"));
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  long first = argc > 2 ? atol(argv[2]) : 0, count = argc > 3 ? atol(argv[3]) : usual;
  if (case_rank == 0)
    printf("seed %llu, cases %ld to %ld\n", (unsigned long long)seed, first, first + count - 1);
  for (; tried < count && wrong < CASES_WRONG; tried++)
    wrong += run_case(test, name, seed, first + tried, ranks);
  if (case_rank == 0) printf("tried %ld wrong %ld\n", tried * case_weight, wrong);
  return check_result();
}
