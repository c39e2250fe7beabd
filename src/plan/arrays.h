/* SPDX-License-Identifier: BSD-3-Clause
 * The arrays that a plan has given to its caller.  An array has the same number on all ranks,
 * because all of them take and free arrays together. */
#ifndef PF_PLAN_ARRAYS_H
#define PF_PLAN_ARRAYS_H

#include "base/shared.h"

typedef struct pf_array {
  pf_shared shared; /* of all ranks */
  void *alone;      /* of this rank; if neither is set, the entry is free */
} pf_array;

typedef struct pf_arrays {
  pf_array *at;
  int count;
} pf_arrays;

/** Local. A free entry, or NULL if memory is exhausted; valid until the next call. */
pf_array *pf_arrays_add(pf_arrays *list);

/** Local. Free one entry; free all entries. */
void pf_array_free(pf_array *array);
void pf_arrays_free(pf_arrays *list);

#endif
