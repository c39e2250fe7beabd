/* SPDX-License-Identifier: BSD-3-Clause
 * Does one thing wrong on purpose, so that one sees that the tools find it.  Started by plant.sh.
 * Between MPI_Init and MPI_Finalize, where MPI has allocated and lost memory of its own. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pfft3d_tune.h"
#include "request/request.h"

/* Without an initial value known to the compiler, nothing is optimised away. */
static volatile int zero;

static void leak(void) {
  char *volatile lost = malloc(100);
  lost = NULL;
  (void)lost;
}

static void read_behind(void) {
  char *volatile p = malloc(100);
  if (p) zero = p[100 + zero] * zero;
  free(p);
}

static void read_freed(void) {
  char *volatile p = malloc(100);
  free(p);
  zero = p[zero] * zero;
}

/* Only valgrind sees this one. */
static void branch_unset(void) {
  char *volatile p = malloc(100);
  if (p && p[50 + zero] == 'x') puts("x");
  free(p);
}

static void overflow(void) {
  int large = INT_MAX - zero;
  zero = (large + 1) * zero;
}

static void cast(void) {
  double large = 1e30 + zero;
  zero = (int)large * zero;
}

/* A leak in the library's own allocation: the plan is not destroyed. */
static void leak_plan(void) {
  pfft3d_request r;
  pfft3d_plan *plan;
  pf_request_init(&r);
  pfft3d_machine_init(&r.machine);
  r.problem.n[0] = r.problem.n[1] = r.problem.n[2] = 4;
  if (pfft3d_plan_create(MPI_COMM_WORLD, &r, &plan, NULL)) puts("no plan");
}

/* Only the sanitizer of threads sees this one. */
static void race(void) {
#pragma omp parallel for num_threads(2)
  for (int k = 0; k < 1000; k++) zero = zero + k * zero;
}

static void nothing(void) {}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*operation)(void);
  } operation[] = {{"nothing", nothing},
                   {"leak", leak},
                   {"leak_plan", leak_plan},
                   {"read_behind", read_behind},
                   {"read_freed", read_freed},
                   {"branch_unset", branch_unset},
                   {"overflow", overflow},
                   {"cast", cast},
                   {"race", race}};
  int known = 0;
  MPI_Init(&argc, &argv);
  for (size_t i = 0; i < sizeof operation / sizeof *operation; i++)
    if (argc > 1 && strcmp(argv[1], operation[i].name) == 0) operation[i].operation(), known = 1;
  MPI_Finalize();
  return known ? 0 : 64;
}
