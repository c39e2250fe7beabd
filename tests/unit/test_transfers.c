/* ranks: 1 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Transfers of cache lines in a barrier, counted on a simulated machine: its processors are threads
 * that take turns, each with a cache of its own that keeps lines until another one writes them (the
 * states of MESI, Papamarcos and Patel 1984, where a line that one writes leaves all other caches).
 * A dissemination barrier (Hensgen, Finkel and Manber 1988) raises P ceil(log2 P) flags.  Each
 * costs two transfers, to the writer and to the one reader; looks at a flag that has not changed
 * cost none.  No line may have two writers, and the work is the same on all processors. */
#define _GNU_SOURCE /* as the code under test has it */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void pass_turn(void);
static void simulate_store(const uint64_t *flag, uint64_t value);
static uint64_t simulate_load(const uint64_t *flag);

/* The code under test, on the simulated machine. */
#include "base/shared.h"
#include "support.h"
#define sched_yield                                 pass_turn
#define __atomic_store_n(flag, value, order)        simulate_store(flag, value)
#define __atomic_load_n(flag, order)                simulate_load(flag)
#define MPI_Iprobe(source, tag, comm, flag, status) ((void)(comm), *(flag) = 0, MPI_SUCCESS)
#include "base/shared.c"
#undef sched_yield

enum { LINE = 64, MOST = 64, MOST_ROUNDS = 6, LINES = MOST * MOST_ROUNDS, WARM = 2, COUNTED = 10 };

/* What is counted from the barriers after the first ones on: at first nobody has a line. */
typedef struct processor {
  pthread_t thread;
  int rank, counting, transfers, done;
} processor;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  processor all[MOST];
  int ranks, turn, left;
  char holds[LINES][MOST],
      wrote[LINES][MOST]; /* of each line: who has it, who has ever written it */
  int transfers[LINES];
} machine = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Alignas(LINE) uint64_t memory[LINES][LINE / sizeof(uint64_t)];
static _Thread_local int me;

static void next_turn(void) {
  do machine.turn = (machine.turn + 1) % machine.ranks;
  while (machine.left && machine.all[machine.turn].done);
  pthread_cond_broadcast(&machine.changed);
}

static void wait_for_turn(void) {
  while (machine.turn != me) pthread_cond_wait(&machine.changed, &machine.lock);
}

static void pass_turn(void) {
  next_turn();
  wait_for_turn();
}

static int line_of(const uint64_t *flag) {
  return (int)(((const char *)flag - (const char *)memory) / LINE);
}

static void transfer(int line) {
  processor *p = &machine.all[me];
  machine.transfers[line] += p->counting;
  p->transfers += p->counting;
}

static void simulate_store(const uint64_t *flag, uint64_t value) {
  int line = line_of(flag), alone = machine.holds[line][me];
  for (int k = 0; k < machine.ranks; k++) alone = alone && (k == me || !machine.holds[line][k]);
  if (!alone) transfer(line);
  memset(machine.holds[line], 0, sizeof machine.holds[line]);
  machine.holds[line][me] = machine.wrote[line][me] = 1;
  memory[line][(flag - memory[0]) % (ptrdiff_t)(LINE / sizeof *flag)] = value;
}

static uint64_t simulate_load(const uint64_t *flag) {
  int line = line_of(flag);
  if (!machine.holds[line][me]) transfer(line);
  machine.holds[line][me] = 1;
  return *flag;
}

/* One processor: barriers, with a turn for the others after each in which its rank has something
 * else to do, so that all arrive in all orders. */
static void *run_processor(void *data) {
  processor *p = data;
  pf_shared w = {.rank = p->rank, .ranks = machine.ranks, .flags = (char *)memory, .looks = 1};
  pthread_mutex_lock(&machine.lock);
  me = p->rank;
  wait_for_turn();
  for (int k = 0; k < WARM + COUNTED; k++) {
    for (uint64_t late = mix((uint64_t)(k * MOST + me)) % 5; late > 0; late--) pass_turn();
    p->counting = k >= WARM;
    pf_shared_barrier(&w);
  }
  p->done = 1;
  machine.left--;
  next_turn();
  pthread_mutex_unlock(&machine.lock);
  return NULL;
}

static void test_transfers(int ranks) {
  int rounds = 0, sum = 0, most_of_rank = 0, most_of_line = 0, most_writers = 0;
  while ((1 << rounds) < ranks) rounds++;
  memset(memory, 0, sizeof memory);
  memset(machine.holds, 0, sizeof machine.holds);
  memset(machine.wrote, 0, sizeof machine.wrote);
  memset(machine.transfers, 0, sizeof machine.transfers);
  machine.ranks = machine.left = ranks;
  machine.turn = 0;
  for (int k = 0; k < ranks; k++) {
    machine.all[k] = (processor){.rank = k};
    pthread_create(&machine.all[k].thread, NULL, run_processor, &machine.all[k]);
  }
  for (int k = 0; k < ranks; k++) pthread_join(machine.all[k].thread, NULL);
  for (int k = 0; k < ranks; k++) {
    sum += machine.all[k].transfers;
    if (machine.all[k].transfers > most_of_rank) most_of_rank = machine.all[k].transfers;
  }
  for (int k = 0; k < LINES; k++) {
    int writers = 0;
    for (int r = 0; r < ranks; r++) writers += machine.wrote[k][r];
    if (writers > most_writers) most_writers = writers;
    if (machine.transfers[k] > most_of_line) most_of_line = machine.transfers[k];
  }
  printf("# %d ranks: %.1f transfers a barrier, %.1f of a rank, %.1f of a line\n", ranks,
         (double)sum / COUNTED, (double)most_of_rank / COUNTED, (double)most_of_line / COUNTED);
  CHECK(sum <= 2 * ranks * rounds * COUNTED, "%d ranks: %d transfers in %d barriers", ranks, sum,
        (int)COUNTED);
  CHECK(sum >= ranks * rounds * COUNTED, "%d ranks: only %d transfers", ranks, sum);
  CHECK(most_of_rank <= 2 * rounds * COUNTED, "%d ranks: %d transfers of one", ranks, most_of_rank);
  CHECK(most_of_line <= 2 * COUNTED, "%d ranks: %d transfers of a line", ranks, most_of_line);
  CHECK(most_writers <= 1, "%d ranks: a line has %d writers", ranks, most_writers);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const int ranks[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, MOST};
  for (size_t k = 0; k < sizeof ranks / sizeof *ranks; k++) test_transfers(ranks[k]);
  return check_result();
}
