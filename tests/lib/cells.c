/* SPDX-License-Identifier: BSD-3-Clause
 * Which names of a registry a test takes; see cells.h. */
#include "cells.h"

#include "support.h"

enum { LISTS = PFFT3D_METHODS + 1, MET = 64 };

static long turns[LISTS]; /* taken so far */
static int must[LISTS];
static char met[MET][sizeof((pfft3d_decision *)NULL)->scheme];

int take_all(void) {
  return getenv("PFFT3D_TEST_ALL") != NULL;
}

int one_of(int many) {
  return take_all() ? 1 : many;
}

/* The entries of a round are shuffled, from the first one on. */
int share_entry(long turn, int names) {
  int entry[MET];
  uint64_t round = mix((uint64_t)(turn / names));
  if (names > MET) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int k = 0; k < names; k++) entry[k] = k;
  for (int k = 0; k <= (int)(turn % names); k++) {
    int other = k + (int)(mix(round + (uint64_t)k) % (uint64_t)(names - k)), first = entry[k];
    entry[k] = entry[other];
    entry[other] = first;
  }
  return entry[turn % names];
}

cell_share share_next(pfft3d_list list) {
  int ranks, names = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while (pfft3d_list_name(list, names, NULL)) names++;
  int left = take_all() ? names : ranks == 2 ? 2 : 1;
  cell_share s = {.list = list, .turn = turns[list], .names = names};
  s.left = left < names ? left : names;
  turns[list] += s.left;
  must_meet(list);
  return s;
}

const char *share_take(cell_share *s) {
  s->left--;
  return pfft3d_list_name(s->list, share_entry(s->turn++, s->names), NULL);
}

static void note_name(const char *name) {
  int k = 0;
  while (k < MET - 1 && met[k][0] && strcmp(met[k], name)) k++;
  snprintf(met[k], sizeof met[k], "%s", name);
}

void note_met(const pfft3d_decision *d) {
  note_name(d->scheme);
  note_name(d->algo);
  note_name(d->engine);
}

int is_met(const char *name) {
  for (int k = 0; k < MET; k++)
    if (!strcmp(met[k], name)) return 1;
  return 0;
}

const char *unmet(pfft3d_list list) {
  FOR_LIST(list, name)
  if (!is_met(name)) return name;
  return NULL;
}

/* Local. A check for each registry that must be met. */
static void check_met(void) {
  for (int list = 0; list < LISTS; list++)
    if (must[list])
      CHECK(!unmet((pfft3d_list)list), "no plan of this test has '%s'", unmet((pfft3d_list)list));
}

void must_meet(pfft3d_list list) {
  must[list] = 1;
  check_at_end = check_met;
}
