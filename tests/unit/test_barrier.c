/* SPDX-License-Identifier: BSD-3-Clause
 * Barriers of ranks that share memory: behind one, all ranks read what all wrote before it, however
 * late some are. */
#include "base/shared.h"

#include <sched.h>

#include "support.h"

/* The number that a rank has in its part. */
static volatile int *number_of(const pf_shared *w, int rank) {
  return (int *)(void *)(w->base + (size_t)rank * w->part);
}

/* Each rank writes the number of the round between two barriers, after a random time. */
static void test_rounds(pf_shared *w, int rounds) {
  int wrong = 0;
  for (int k = 1; k <= rounds; k++) {
    uint64_t late = mix((uint64_t)(k * w->ranks + w->rank));
    for (uint64_t i = 0; i < late % 64; i++)
      if (late % 7 == 0) sched_yield();
    *number_of(w, w->rank) = k;
    CHECK(!pf_shared_barrier(w), "barrier %d", k);
    for (int r = 0; r < w->ranks; r++) wrong += *number_of(w, r) != k;
    CHECK(!pf_shared_barrier(w), "barrier %d, before the next number", k);
  }
  CHECK(!wrong, "%d of %d numbers were old or too new", wrong, rounds * w->ranks);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int kind = 0; kind < COMM_KINDS; kind++) {
    pf_shared w, other;
    pfft3d_error e;
    MPI_Comm comm = make_comm(kind);
    pf_error_clear(&e);
    CHECK(!pf_shared_create(comm, 100, &w, &e), "%s", e.text);
    CHECK(!pf_shared_create(comm, 3 << 20, &other, &e), "%s", e.text);
    test_rounds(&w, 300);
    test_rounds(&other, 10);
    pf_shared_destroy(&other);
    pf_shared_destroy(&w);
    MPI_Comm_free(&comm);
  }
  return check_result();
}
