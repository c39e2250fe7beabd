/* SPDX-License-Identifier: BSD-3-Clause
 * Selection of names of a registry for a test.  A test with many cells (decompositions, orders,
 * kinds ...) cannot run each exchange in each of them: every cell takes a share, alternating, and a
 * test with shares fails at its end if a name was in no plan.  So later additions are tested on
 * every number of ranks, or the test fails. */
#ifndef PF_TESTS_CELLS_H
#define PF_TESTS_CELLS_H

#include "check.h"
#include "pfft3d_tune.h"

/* Local. Nonzero if a test leaves nothing out: $PFFT3D_TEST_ALL is set, as in long/all.sh. */
int take_all(void);

/* Local. A test runs one case out of this number: of `many` in make check. */
int one_of(int many);

/* The remaining names of one cell. */
typedef struct cell_share {
  pfft3d_list list;
  long turn;
  int left, names;
} cell_share;

/* Local. An entry of a registry of `names` (64 at most), for calls 0, 1, 2, ...: each entry once in
 * each round of `names` calls, in another order each time, so that cells in a loop over something
 * else get all of them. */
int share_entry(long turn, int names);

/* Local. The share of the next cell: two names on two ranks, else one; all with take_all().  The
 * same on all ranks after the same number of calls. */
cell_share share_next(pfft3d_list list);

/* Local. The next name of a share. */
const char *share_take(cell_share *s);

/* The names of the next cell. */
#define FOR_SHARE(list, name)                                    \
  for (cell_share name##_s_ = share_next(list); name##_s_.left;) \
    for (const char *name = share_take(&name##_s_); name; name = NULL)

/* Every name of a registry. */
#define FOR_LIST(list, name)                                                    \
  for (int name##_i_ = 0; pfft3d_list_name(list, name##_i_, NULL); name##_i_++) \
    for (const char *name = pfft3d_list_name(list, name##_i_, NULL); name; name = NULL)

/* Local. Notes that a plan has these names; make_plan() does so. */
void note_met(const pfft3d_decision *d);

/* Local. Nonzero if a plan had a name. */
int is_met(const char *name);

/* Local. The first name of a registry that no plan had, or NULL. */
const char *unmet(pfft3d_list list);

/* Local. From now on check_result() fails if a name of a registry is unmet. */
void must_meet(pfft3d_list list);

#endif
