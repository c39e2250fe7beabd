/* ranks: 1 2 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * The rule by which tests take shares of a registry, which may get new entries: each of them comes
 * in every round of cells and with each value of a loop inside, and one that was in no plan is
 * found. */
#include "cells.h"

#include "support.h"

/* Rounds are permutations, and in time entries meet all values of a loop of `inner`. */
static void test_rounds(int names, int inner) {
  char *with = get((size_t)(names * inner));
  memset(with, 0, (size_t)(names * inner));
  int missing = 0;
  for (long round = 0; round < 16 * inner; round++) {
    char *seen = get((size_t)names);
    memset(seen, 0, (size_t)names);
    for (long turn = round * names; turn < (round + 1) * names; turn++) {
      int entry = share_entry(turn, names);
      CHECK(entry >= 0 && entry < names && !seen[entry], "turn %ld of %d entries: %d", turn, names,
            entry);
      seen[entry] = 1;
      with[entry * inner + turn % inner] = 1;
    }
    free(seen);
  }
  for (int k = 0; k < names * inner; k++) missing += !with[k];
  CHECK(!missing, "%d entries, a loop of %d inside: %d combinations never come", names, inner,
        missing);
  free(with);
}

/* What a cell takes, and that as many cells as there are entries meet each of them. */
static void test_cells(void) {
  int ranks, names = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while (pfft3d_list_name(PFFT3D_EXCHANGES, names, NULL)) names++;
  int *times = get((size_t)names * sizeof *times);
  memset(times, 0, (size_t)names * sizeof *times);
  for (int cell = 0; cell < names; cell++) {
    int taken = 0;
    FOR_SHARE(PFFT3D_EXCHANGES, name) {
      taken++;
      FOR_LIST(PFFT3D_EXCHANGES, other) times[other_i_] += !strcmp(name, other);
    }
    CHECK(taken == (take_all()   ? names
                    : ranks == 2 ? 2
                                 : 1),
          "cell %d takes %d names", cell, taken);
  }
  for (int k = 0; k < names; k++) CHECK(times[k] >= 1, "entry %d is in no cell", k);
  free(times);
}

/* unmet() returns the first entry that is in no plan yet. */
static void test_unmet(void) {
  CHECK(unmet(PFFT3D_EXCHANGES), "all exchanges are met before there is any plan");
  FOR_LIST(PFFT3D_EXCHANGES, name) {
    pfft3d_decision d = {.scheme = "slab", .engine = "naive"};
    CHECK(unmet(PFFT3D_EXCHANGES) && !strcmp(unmet(PFFT3D_EXCHANGES), name), "%s is not reported",
          name);
    snprintf(d.algo, sizeof d.algo, "%s", name);
    note_met(&d);
  }
  CHECK(!unmet(PFFT3D_EXCHANGES), "%s was met", unmet(PFFT3D_EXCHANGES));
  CHECK(unmet(PFFT3D_SCHEMES) && strcmp(unmet(PFFT3D_SCHEMES), "slab"), "slabs are reported");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int names = 1; names <= 20; names++)
    for (int inner = 1; inner <= 6; inner++) test_rounds(names, inner);
  test_cells();
  test_unmet();
  return check_result();
}
