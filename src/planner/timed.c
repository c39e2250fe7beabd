/* SPDX-License-Identifier: BSD-3-Clause
 * Decisions of one process, as wisdom without a file.  It is an attribute of a communicator: timing
 * on other ranks does not apply. */
#include "planner/timed.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "planner/planner.h"

static int copy_known(MPI_Comm comm, int key, void *extra, void *from, void *to, int *flag) {
  const pfft3d_wisdom *w = from;
  pfft3d_wisdom *copy = NULL;
  pfft3d_error e = {0};
  (void)comm, (void)key, (void)extra;
  if (!pfft3d_wisdom_create(&copy, &e))
    for (int i = 0; i < w->count; i++) pf_wisdom_put(copy, &w->entry[i], &e);
  *flag = copy != NULL;
  *(void **)to = copy;
  return MPI_SUCCESS;
}

static int forget_known(MPI_Comm comm, int key, void *value, void *extra) {
  pfft3d_wisdom *w = value;
  (void)comm, (void)key, (void)extra;
  pfft3d_wisdom_destroy(&w);
  return MPI_SUCCESS;
}

static int attribute_key(void) {
  static atomic_int known = MPI_KEYVAL_INVALID;
  return pf_attribute_key(&known, copy_known, forget_known);
}

static pfft3d_wisdom *known_to(MPI_Comm owner) {
  void *value;
  int there = 0;
  MPI_Comm_get_attr(owner, attribute_key(), &value, &there);
  return there ? value : NULL;
}

const pfft3d_wisdom *pf_timed_known(MPI_Comm owner) {
  return known_to(owner);
}

void pf_timed_keep(MPI_Comm owner, const pfft3d_request *r, int ranks, const pfft3d_candidate *c) {
  pfft3d_wisdom *w = known_to(owner);
  pf_wisdom_entry entry;
  pfft3d_error e = {0};
  if (!w) {
    if (pfft3d_wisdom_create(&w, &e)) return;
    if (MPI_Comm_set_attr(owner, attribute_key(), w) != MPI_SUCCESS) {
      pfft3d_wisdom_destroy(&w);
      return;
    }
  }
  pf_wisdom_entry_make(r, ranks, c, &entry);
  pf_wisdom_put(w, &entry, &e);
}
