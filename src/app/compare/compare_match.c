/* SPDX-License-Identifier: BSD-3-Clause
 * Matches the runs of two reports. Runs with equal keys are matched first, then runs that differ in
 * one key, in two, and so on, if the match is unique on both sides: these differences are the
 * object of the comparison (two exchanges, two process grids). A forward transform is never
 * compared with a backward one. */
#include <stdlib.h>
#include <string.h>

#include "app/compare/compare.h"

/* The number of keys in which two runs differ; larger than all keys if they must not be
 * compared. */
static int distance(const run_key *a, const run_key *b) {
  int d = 0;
  if (strcmp(a->word[COMPARE_DIRECTION], b->word[COMPARE_DIRECTION]) != 0) return COMPARE_KEYS + 1;
  for (int k = 0; k < COMPARE_KEYS; k++) d += strcmp(a->word[k], b->word[k]) != 0;
  return d;
}

typedef struct matching {
  const run_key *const *key;
  const int *count;
  char *taken[2];
} matching;

/* The only unmatched run of the other side that differs from run i of this side in at most
 * `most` keys; -1 if there is none or several. Of runs with equal keys the first is taken. */
static int only_partner(const matching *m, int side, int i, int most) {
  int found = -1;
  for (int j = 0; j < m->count[!side]; j++) {
    if (m->taken[!side][j] || distance(&m->key[side][i], &m->key[!side][j]) > most) continue;
    if (found >= 0) return -1;
    found = j;
    if (most == 0) break;
  }
  return found;
}

/* One round: finds all pairs before it takes them, so that the result does not depend on the
 * order of runs. */
static int match_round(matching *m, int most, run_pair *pairs) {
  int found = 0;
  for (int i = 0; i < m->count[0]; i++) {
    int j = m->taken[0][i] ? -1 : only_partner(m, 0, i, most);
    if (j < 0 || (most && only_partner(m, 1, j, most) != i)) continue;
    pairs[found++] = (run_pair){{i, j}};
    if (most == 0) m->taken[1][j] = 1;
  }
  for (int p = 0; p < found; p++) m->taken[0][pairs[p].run[0]] = m->taken[1][pairs[p].run[1]] = 1;
  return found;
}

static int in_order(const void *x, const void *y) {
  return ((const run_pair *)x)->run[0] - ((const run_pair *)y)->run[0];
}

int compare_match(const run_key *const key[2], const int count[2], run_pair *pairs) {
  char taken[2][COMPARE_RUNS] = {{0}};
  matching m = {key, count, {taken[0], taken[1]}};
  int found = 0;
  for (int most = 0; most <= COMPARE_KEYS; most++) found += match_round(&m, most, pairs + found);
  qsort(pairs, (size_t)found, sizeof *pairs, in_order);
  return found;
}
